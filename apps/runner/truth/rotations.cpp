// Rotations: a body that turns over, a top that precesses.
#include <cmath>
#include <numbers>

#include "truth/convergence.h"
#include "truth/reference_motion.h"
#include "truth/truth_experiments.h"

namespace stiction::runner {
namespace {

// The period of the angular velocity in body axes, of a body without forces: moments of inertia I1 < I2 < I3
// [L. D. Landau, E. M. Lifshitz, Mechanics, §37].
double CalcFlipPeriod(Vector3d I, const Vector3d& omega) {
  const double twice_energy = I.cwiseProduct(omega.cwiseAbs2()).sum();
  const double L2 = I.cwiseProduct(omega).squaredNorm();
  if (L2 < twice_energy * I[1]) std::swap(I[0], I[2]);
  const double rate = (I[2] - I[1]) * (L2 - twice_energy * I[0]);
  const double m = (I[1] - I[0]) * (twice_energy * I[2] - L2) / rate;
  return 4.0 * std::comp_ellint_1(std::sqrt(m)) * std::sqrt(I.prod() / rate);
}

// Steady precession at the rate Ω of a top that leans by θ: (I3 ω3 − I1 Ω cos θ) Ω = m g l about the tip. For
// one spin ω3 there are two rates, whose product is m g l / (I1 cos θ).
struct SteadyTop {
  static constexpr double kI1 = 0.0105, kI3 = 0.0008, kWeight = 0.981, kSlow = 5.0;
  static constexpr double kLean = std::numbers::pi / 6.0;
  double rate = kSlow;  // Ω [rad/s]

  static double FindFastRate() { return kWeight / (kI1 * std::cos(kLean) * kSlow); }
  void Start(World& world) const {
    State state = world.state();
    const double spin = (kWeight / kSlow + kI1 * kSlow * std::cos(kLean)) / kI3;
    state.v << 0.0, rate * std::sin(kLean), spin;
    world.set_state(state);
  }
  double CalcError(const World& world) const {
    const double turn = rate * world.time();
    const Vector3d axis(std::sin(kLean) * std::sin(turn), -std::sin(kLean) * std::cos(turn), std::cos(kLean));
    return (world.body_poses()[1].R.col(2) - axis).norm();
  }
};

// A pendulum of length l on a shaft that is turned at the rate Ω: θ'' = (Ω² cos θ − g / l) sin θ.
constexpr double kShaftRate = 6.0;  // [rad/s]; above sqrt(g / l), so that hanging straight down is unstable

double CalcTurnedPendulum(double angle, double time) {
  const VectorXd end = IntegrateReference(
      [](const VectorXd& x) {
        return VectorXd{{x[1], (kShaftRate * kShaftRate * std::cos(x[0]) - 9.81 / 0.5) * std::sin(x[0])}};
      },
      VectorXd{{angle, 0.0}}, time, 1e-4);
  return end[0];
}

}  // namespace

PaperOutcome MeasureFlip(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "A body that spins about its middle axis turns over and over (Dzhanibekov). The error of its angular "
      "velocity in body axes, relative, after one period, which is a complete elliptic integral.";
  const Vector3d start(0.02, 6.0, 0.0);
  const double period = CalcFlipPeriod({0.01, 0.02, 0.025}, start);
  KnownMotion motion{
      .file = "flip.xml",
      .duration = period,
      .steps = {period / 400, period / 800, period / 1600},
      .error = [=](const World& world) { return (world.v().tail<3>() - start).norm() / start.norm(); }};
  AddConvergence("angular velocity", "", kClosedForm, motion,
                 {Integrator::kRungeKutta4, Integrator::kMidpoint, Integrator::kExplicitEuler}, 1e-4, 1e-9,
                 outcome);
  return outcome;
}

PaperOutcome MeasureTop(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "A heavy top that leans by 30 degrees and spins at 302 rad/s about its axis. Euler's equations give it "
      "two speeds of steady precession, 5 rad/s and, 4.3 times as fast, 21.6 rad/s: the error of the axis' "
      "direction after 1 s.";
  for (const double rate : {SteadyTop::kSlow, SteadyTop::FindFastRate()}) {
    const SteadyTop top{rate};
    std::vector<double> steps{0.0005, 0.00025, 0.000125};
    // At the first of these steps the fast one is not where errors fall by their order yet.
    if (rate != SteadyTop::kSlow) steps = {0.00025, 0.000125, 0.0000625};
    KnownMotion motion{.file = "top.xml",
                       .duration = 1.0,
                       .steps = steps,
                       .error = [=](const World& world) { return top.CalcError(world); },
                       .prepare = [=](World& world) { top.Start(world); }};
    AddConvergence(rate == SteadyTop::kSlow ? "axis" : "axis, fast precession", "", kClosedForm, motion,
                   {Integrator::kRungeKutta4, Integrator::kMidpoint}, 1e-5, 1e-10, outcome);
  }
  return outcome;
}

PaperOutcome MeasureTurnedPendulum(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "A pendulum on a shaft that is turned at 6 rad/s, a prescribed motion. In the frame of the shaft the "
      "centrifugal force is added to the weight: it rests where cos a = g / (W² l), and swings about there. "
      "The law is Newton's in the turning frame, integrated on its own in steps of 0.1 ms.";
  const double rest = std::acos(9.81 / (0.5 * kShaftRate * kShaftRate));
  for (const double start : {rest, 0.3}) {
    KnownMotion motion{
        .file = "turned_pendulum.xml",
        .duration = 2.0,
        .steps = {0.004, 0.002, 0.001},
        .error = [known = CalcTurnedPendulum(start, 2.0)](
                     const World& world) { return std::abs(world.q()[1] - known); },
        .prepare =
            [=](World& world) {
              State state = world.state();
              state.q[1] = start;
              state.v[0] = kShaftRate;
              // As if it had been turned before: what a state keeps of its last input.
              state.equality_target = world.input().equality_target;
              state.mocap = world.input().mocap;
              world.set_state(state);
            },
        .drive = [](World& world, double time) { world.input().equality_target[0] = kShaftRate * time; }};
    if (start == rest)
      motion.steps = {0.001}, AddBoundedFigure(kClosedForm, "angle that is kept for 2 s, at 0.001 s",
                                               MeasureOnce(motion), 1e-9, "rad", outcome);
    else
      AddConvergence("swing in the turning frame", "rad", kReference, motion,
                     {Integrator::kRungeKutta4, Integrator::kMidpoint, Integrator::kSymplecticEuler}, 1e-4,
                     1e-9, outcome);
  }
  return outcome;
}

}  // namespace stiction::runner

// Rotations: a body that turns over, a top that precesses.
#include <cmath>
#include <numbers>

#include "truth/convergence.h"
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

// Steady precession at the rate Ω of a top that leans by θ: (I3 ω3 − I1 Ω cos θ) Ω = m g l about the tip.
struct SteadyTop {
  static constexpr double kI1 = 0.0105, kI3 = 0.0008, kWeight = 0.981, kRate = 5.0;
  static constexpr double kLean = std::numbers::pi / 6.0;

  static void Start(World& world) {
    State state = world.state();
    const double spin = (kWeight / kRate + kI1 * kRate * std::cos(kLean)) / kI3;
    state.v << 0.0, kRate * std::sin(kLean), spin;
    world.set_state(state);
  }
  static double CalcError(const World& world) {
    const double turn = kRate * world.time();
    const Vector3d axis(std::sin(kLean) * std::sin(turn), -std::sin(kLean) * std::cos(turn), std::cos(kLean));
    return (world.body_poses()[1].R.col(2) - axis).norm();
  }
};

}  // namespace

PaperOutcome MeasureFlip(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "A body that spins about its middle axis turns over and over (Dzhanibekov). The error of its angular "
      "velocity in body "
      "axes, relative, after one period, which is a complete elliptic integral.";
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
      "A heavy top that leans by 30 degrees, at the speeds of steady precession, 5 rad/s round and 302 rad/s "
      "about its axis: "
      "the error of the axis' direction after 1 s.";
  KnownMotion motion{.file = "top.xml",
                     .duration = 1.0,
                     .steps = {0.0005, 0.00025, 0.000125},
                     .error = &SteadyTop::CalcError,
                     .prepare = &SteadyTop::Start};
  AddConvergence("axis", "", kClosedForm, motion, {Integrator::kRungeKutta4, Integrator::kMidpoint}, 1e-5,
                 1e-10, outcome);
  return outcome;
}

}  // namespace stiction::runner

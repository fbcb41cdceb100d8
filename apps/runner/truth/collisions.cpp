// Impacts: Newton's cradle, Painlevé's rod, a billiard break.
#include <algorithm>
#include <array>
#include <cmath>

#include "truth/convergence.h"
#include "truth/truth_experiments.h"

namespace stiction::runner {
namespace {

constexpr const char* kMoreau = "Newton, Moreau";
constexpr const char* kBalance = "balance";
constexpr double kPull = 9.81;  // of gravity [m/s²]

// Speeds of five balls on rods of 1 m when the last impact is over and the rods are upright still, to 6 mm.
using CradleSpeeds = std::array<double, 5>;

CradleSpeeds MeasureCradleSpeeds(int first, int count, double& ncp) {
  CradleSpeeds speeds{};
  const KnownMotion motion{.file = "cradle.xml",
                           .duration = 0.006,
                           .steps = {0.0005},
                           .error =
                               [&](const World& world) {
                                 for (int i = 0; i < 5; ++i) speeds[i] = world.v()[first + i];
                                 return 0.0;
                               },
                           .prepare =
                               [&](World& world) {
                                 State state = world.state();
                                 state.v.segment(first, count).setOnes();
                                 world.set_state(state);
                               }};
  MeasureOnce(motion, &ncp);
  return speeds;
}

std::string PrintSpeeds(const CradleSpeeds& speeds) {
  std::string text;
  for (const double speed : speeds) {
    char number[16];
    std::snprintf(number, sizeof number, "%s%.3f", text.empty() ? "" : ", ", speed + 0.0);
    text += number;
  }
  return text;
}

// A rod of half length 0.5 m and 1 kg whose tip, r from its middle, slips at v_t along the ground.
struct PainleveRod {
  static constexpr double kI = 1.0 / 12.0, kSpeed = 2.0, kTip = 0.01;
  double x = 0.5 / std::sqrt(5.0), h = 1.0 / std::sqrt(5.0) + kTip;  // the contact ahead and below [m]

  double W_nn() const { return 1.0 + x * x / kI; }
  double W_tt() const { return 1.0 + h * h / kI; }
  double W_nt() const { return x * h / kI; }
  // Velocities x, z, ω after an impact in which the tip sticks: W λ = −(v_t, 0).
  Vector3d CalcJam() const {
    const double det = W_nn() * W_tt() - W_nt() * W_nt();
    const double tangential = -kSpeed * W_nn() / det, normal = kSpeed * W_nt() / det;
    return {kSpeed + tangential, normal, (-h * tangential - x * normal) / kI};
  }
  // Their rates while the tip slides on: N (W_nn − μ W_nt) = g.
  Vector3d CalcSlide(double friction) const {
    const double force = kPull / (W_nn() - friction * W_nt());
    return {-friction * force, force - kPull, (h * friction - x) * force / kI};
  }
};

struct BilliardBreak {
  static constexpr int kBalls = 16;  // the cue ball first
  double start = 0.0;                // energy of motion [J]
  double momentum = 0.0, energy = 0.0, gained = 0.0, askew = 0.0;

  static Vector3d VelocityOf(const World& world, int ball) { return world.v().segment<3>(6 * ball); }
  // Momentum over mass is known; energy may not grow.
  void Watch(const World& world) {
    Vector3d sum = Vector3d::Zero();
    double twice = 0.0;
    for (int i = 0; i < kBalls; ++i) sum += VelocityOf(world, i), twice += VelocityOf(world, i).squaredNorm();
    momentum = std::max(momentum, (sum - Vector3d(8.0, 0.0, 0.0)).norm() / 8.0);
    const double now = 0.5 * 0.17 * twice;
    gained = std::max(gained, (now - energy) / start);
    energy = now;
  }
  // How far a ball of the rack is from the mirror image of its partner.
  static double FindSkew(const World& world) {
    double most = std::abs(world.body_poses()[1].p[1]);
    for (int row = 0, first = 2; row < 5; first += ++row) {
      for (int j = 0; j <= row; ++j) {
        const Vector3d& p = world.body_poses()[first + j].p;
        Vector3d image = world.body_poses()[first + row - j].p;
        image[1] = -image[1];
        most = std::max(most, (p - image).norm());
      }
    }
    return most;
  }
};

}  // namespace

PaperOutcome MeasureCradle(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "Five equal balls in a row; one, or two, come at 1 m/s. The law is Newton's: at every contact that an "
      "impulse acts on, the speed of parting is restitution, here 1, times the speed of approach. With 1 mm "
      "between neighbours the impacts are one after another, and as many balls leave as came. Where all "
      "touch, they are one impact, and the same law for all contacts at once (Moreau's) gives another "
      "outcome with the same momentum and energy: the last balls leave together, and the first come back. "
      "Real balls of steel pass a wave on, and do as those with gaps.";
  struct Case {
    const char* name;
    int first, count;
    CradleSpeeds known;
  };
  double ncp = 0.0;
  for (const Case& c : {Case{"1 mm apart, one comes", 0, 1, {0, 0, 0, 0, 1}},
                        Case{"1 mm apart, two come", 0, 2, {0, 0, 0, 1, 1}},
                        Case{"touching, one comes", 5, 1, {-0.6, 0.4, 0.4, 0.4, 0.4}},
                        Case{"touching, two come", 5, 2, {-0.2, -0.2, 0.8, 0.8, 0.8}}}) {
    const CradleSpeeds speeds = MeasureCradleSpeeds(c.first, c.count, ncp);
    double error = 0.0;
    for (int i = 0; i < 5; ++i) error = std::max(error, std::abs(speeds[i] - c.known[i]));
    AddBoundedFigure(kMoreau, std::string(c.name) + ": speeds after it", error, 1e-3, "m/s", outcome);
    outcome.figures.back().remark = PrintSpeeds(speeds) + " m/s; known " + PrintSpeeds(c.known);
  }
  AddBoundedFigure("certificate", "worst step", ncp, 1e-8, "m/s", outcome);
  return outcome;
}

PaperOutcome MeasurePainleve(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "A rod slides with its lower end in front (Painlevé). From a friction of 1.30 on (4/3 were its tip a "
      "point, here it is a ball of 1 cm) its equations of motion have no solution with finite forces: what "
      "remains is an impact without a collision. Coulomb's law between the impulses and the velocity at the "
      "end of the step has one in every step: the tip stops at once, whatever the timestep, with the impulse "
      "that makes it stick, which lies inside of the cone; the rod is thrown over its tip. Below 1.30 it "
      "slides on, by finite forces.";
  const PainleveRod rod;
  KnownMotion jam{.file = "painleve.xml", .steps = {}, .error = [&](const World& world) {
                    return (world.v().head<3>() - rod.CalcJam()).norm();
                  }};
  for (const double step : {1e-4, 1e-6}) {
    jam.duration = step, jam.steps = {step};
    char name[80];
    std::snprintf(name, sizeof name, "friction 2: velocity after a step of %.0e s, from that of the impact",
                  step);
    AddBoundedFigure(kMoreau, name, MeasureOnce(jam), 10.0 * kPull * step, "m/s, rad/s", outcome);
  }
  KnownMotion slide{
      .file = "painleve.xml", .duration = 1e-6, .steps = {1e-6}, .error = [&](const World& world) {
        const Vector3d start(PainleveRod::kSpeed, 0.0, 0.0);
        const Vector3d known = rod.CalcSlide(1.2);
        return ((world.v().segment<3>(3) - start) / 1e-6 - known).norm() / known.norm();
      }};
  AddBoundedFigure("Coulomb", "friction 1.2: acceleration while it slides, relative", MeasureOnce(slide),
                   1e-3, "", outcome);
  double energy = 0.0, gained = 0.0, ncp = 0.0;
  KnownMotion whole{.file = "painleve.xml",
                    .duration = 0.5,
                    .steps = {0.0005},
                    .error = [](const World&) { return 0.0; },
                    .prepare = [&](World& world) { energy = world.CalcEnergy().total(); },
                    .watch =
                        [&](const World& world) {
                          const double now = world.CalcEnergy().total();
                          gained = std::max(gained, now - energy);
                          energy = now;
                        }};
  MeasureOnce(whole, &ncp);
  AddBoundedFigure("certificate", "every step has a solution: worst step of 0.5 s", ncp, 1e-8, "m/s",
                   outcome);
  AddBoundedFigure(kBalance, "largest gain of energy in a step", gained, 1e-6, "J", outcome);
  return outcome;
}

PaperOutcome MeasureBilliards(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "A cue ball at 8 m/s breaks a rack of fifteen smooth balls that touch, restitution 0.95 by Newton's "
      "law in all contacts at once. Momentum is kept, energy never grows, and what begins as its own mirror "
      "image has to stay so, though impacts make small differences larger.";
  BilliardBreak balance;
  balance.start = balance.energy = 0.5 * 0.17 * 64.0;
  const KnownMotion motion{.file = "billiards.xml",
                           .duration = 0.5,
                           .steps = {0.0005},
                           .error = &BilliardBreak::FindSkew,
                           .prepare =
                               [](World& world) {
                                 State state = world.state();
                                 state.v[0] = 8.0;
                                 world.set_state(state);
                               },
                           .watch = [&](const World& world) { balance.Watch(world); }};
  double ncp = 0.0;
  const double skew = MeasureOnce(motion, &ncp);
  AddBoundedFigure(kBalance, "momentum over 0.5 s, relative", balance.momentum, 1e-9, "", outcome);
  AddBoundedFigure(kBalance, "largest gain of energy in a step, relative", balance.gained, 1e-9, "", outcome);
  outcome.figures.back().remark = "left of the energy: " + std::to_string(balance.energy / balance.start);
  AddBoundedFigure("symmetry", "balls from their mirror images after 0.5 s", skew, 1e-5, "m", outcome);
  AddBoundedFigure("certificate", "worst step", ncp, 1e-8, "m/s", outcome);
  return outcome;
}

}  // namespace stiction::runner

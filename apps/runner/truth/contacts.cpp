// Contact: sliding, rolling, resting, bouncing, tipping.
#include <cmath>
#include <numbers>

#include "truth/convergence.h"
#include "truth/truth_experiments.h"

namespace stiction::runner {
namespace {

constexpr const char* kCoulomb = "Coulomb";
constexpr const char* kNewton = "Newton's restitution";
constexpr const char* kStatics = "statics";
constexpr double kG = 9.81;

double Measure(const char* file, double duration, double step, std::function<double(const World&)> error) {
  const KnownMotion motion{.file = file, .duration = duration, .steps = {step}, .error = std::move(error)};
  return MeasureConvergence(motion, Integrator::kSymplecticEuler).errors.back();
}

// Largest certificate of the steps.
double MeasureCertificate(const char* file, double duration) {
  const KnownMotion motion{
      .file = file, .duration = duration, .steps = {0.002}, .error = [](const World&) { return 0.0; }};
  return MeasureConvergence(motion, Integrator::kSymplecticEuler).ncp;
}

}  // namespace

PaperOutcome MeasureFriction(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "What Coulomb's law decides: where a block stops, how fast a ball rolls in the end, what rolls down a "
      "slope.";
  KnownMotion stop{
      .file = "sliding.xml",
      .duration = 1.0,
      .steps = {0.004, 0.002, 0.001},
      .error = [](const World& world) { return std::abs(world.q()[0] - 4.0 / (2.0 * 0.3 * kG)); }};
  AddConvergence("sliding block stops", "m", kCoulomb, stop, {Integrator::kSymplecticEuler}, 2e-3, 1e-9,
                 outcome);
  AddBoundedFigure(kCoulomb, "bowling ball: speed when it rolls",
                   Measure("bowling.xml", 1.0, 0.002,
                           [](const World& world) { return std::abs(world.v()[0] - 10.0 / 7.0); }),
                   1e-8, "m/s", outcome);
  const double along = kG * std::sin(std::numbers::pi / 9.0);
  const auto speed = [](int body, double known) {
    return [=](const World& world) { return std::abs(world.v()[6 * body] - known); };
  };
  AddBoundedFigure(kCoulomb, "ball down 20 degrees: speed after 1 s",
                   Measure("descent.xml", 1.0, 0.002, speed(0, 5.0 / 7.0 * along)), 1e-8, "m/s", outcome);
  AddBoundedFigure(kCoulomb, "cylinder down 20 degrees: speed after 1 s",
                   Measure("descent.xml", 1.0, 0.002, speed(1, 2.0 / 3.0 * along)), 1e-8, "m/s", outcome);
  AddBoundedFigure(
      kCoulomb, "block on 20 degrees, friction 0.8: moved in 10 s",
      Measure("descent.xml", 10.0, 0.002,
              [](const World& world) { return (world.body_poses()[3].p - Vector3d(0.0, 2.0, 0.1)).norm(); }),
      1e-9, "m", outcome);
  for (const char* file : {"sliding.xml", "bowling.xml", "descent.xml"})
    AddBoundedFigure("certificate", std::string(file) + ": worst step of 1 s", MeasureCertificate(file, 1.0),
                     1e-8, "m/s", outcome);
  return outcome;
}

PaperOutcome MeasureImpact(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "A ball that bounces to 0.64 of its height, and blocks on slopes around the angle at which they tip.";
  const double apex = std::sqrt(2.0 / kG) * 1.8;
  KnownMotion bounce{.file = "bouncing.xml",
                     .duration = apex,
                     .steps = {apex / 400, apex / 800, apex / 1600},
                     .error = [](const World& world) { return std::abs(world.q()[2] - 0.69); }};
  // No order: how far into its step the impact is goes up and down with the timestep.
  AddConvergence("height of the first bounce", "m", kNewton, bounce, {Integrator::kSymplecticEuler}, 5e-3,
                 std::numeric_limits<double>::infinity(), outcome);
  AddBoundedFigure(kStatics, "block on 26.5 degrees stands: moved in 3 s",
                   Measure("tipping.xml", 3.0, 0.002,
                           [](const World& world) {
                             return (world.body_poses()[1].p - Vector3d(0.1338593, 0.0, 0.2684803)).norm();
                           }),
                   1e-6, "m", outcome);
  // Of the cosine of how far it has turned from upright.
  AddBoundedFigure(
      kStatics, "block on 26.6 degrees tips: cosine of its lean after 3 s",
      Measure("tipping.xml", 3.0, 0.002, [](const World& world) { return world.body_poses()[2].R(2, 2); }),
      0.5, "", outcome);
  return outcome;
}

}  // namespace stiction::runner

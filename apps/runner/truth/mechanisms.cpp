// Mechanisms: a pendulum, windows, Andrews' squeezer.
#include <array>
#include <cmath>
#include <numbers>

#include "truth/convergence.h"
#include "truth/truth_experiments.h"

namespace stiction::runner {
namespace {

const std::vector<Integrator> kIntegrators{Integrator::kRungeKutta4, Integrator::kMidpoint,
                                           Integrator::kSymplecticEuler};

double DistanceOfSite(const World& world, const char* site, const Vector3d& known) {
  return (world.CalcFramePose(world.model().FindFrame(site)).p - known).norm();
}

KnownMotion AtSite(const char* file, double duration, std::vector<double> steps, const char* site,
                   const Vector3d& known) {
  return {.file = file, .duration = duration, .steps = std::move(steps), .error = [=](const World& world) {
            return DistanceOfSite(world, site, known);
          }};
}

// cd(u, k) = cn/dn of Jacobi's elliptic functions, by the descending arithmetic-geometric mean [Abramowitz
// and Stegun, 16.4].
double JacobiCd(double u, double k) {
  std::array<double, 12> a{1.0}, c{k};
  double b = std::sqrt(1.0 - k * k);
  int n = 0;
  for (; n < 10 && c[n] > 1e-17; ++n) {
    c[n + 1] = 0.5 * (a[n] - b);
    const double next = 0.5 * (a[n] + b);
    b = std::sqrt(a[n] * b);
    a[n + 1] = next;
  }
  double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
  const double sn = std::sin(phi);
  return std::cos(phi) / std::sqrt(1.0 - k * k * sn * sn);
}

// Where the point mass is, let go at x = −1 m.
Vector3d CalcPendulum(double time) {
  const double k = std::sin(0.25 * std::numbers::pi);
  const double theta = 2.0 * std::asin(k * JacobiCd(std::sqrt(9.81) * time, k));
  return {-std::sin(theta), 0.0, -std::cos(theta)};
}

}  // namespace

PaperOutcome MeasurePendulum(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "A point mass on a massless rod, let go from the horizontal: its angle is an elliptic function of "
      "time. As a hinge, and as a free body that is pinned.";
  for (const double time : {1.0, 10.0}) {
    const std::string after = " after " + std::to_string(static_cast<int>(time)) + " s";
    // The bob has a moment of inertia of 1e-12 kg m², which puts it off by 2e-12 m per second.
    const double floor = 1e-11 * time;
    const std::vector<double> steps{0.004, 0.002, 0.001};
    AddConvergence("hinged" + after, "m", kClosedForm,
                   AtSite("pendulum.xml", time, steps, "end", CalcPendulum(time)), kIntegrators, 1e-8, floor,
                   outcome);
    AddConvergence("free" + after, "m", kClosedForm,
                   AtSite("pendulum_free.xml", time, steps, "end", CalcPendulum(time)), kIntegrators, 1e-7,
                   floor, outcome);
  }
  return outcome;
}

PaperOutcome MeasureWindows(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "Four-bar windows in a row, turning over under gravity: problem A02 of the library. Twice a turn all "
      "rods lie in one line, where every loop is singular; a method must pass without changing to another "
      "branch. With 2 and 40 loops, and with 2 in maximal coordinates.";
  const std::vector<double> steps{0.004, 0.002, 0.001};
  // What passing the singular positions makes of rounding is 1e-8 m: rk4 tells its order above 4 ms alone.
  constexpr double kDigits = 1e-15;
  AddConvergence("2 loops, 10 s", "m", kLibrary,
                 AtSite("windows_2.xml", 10.0, {0.016, 0.008, 0.004, 0.002, 0.001}, "B0",
                        {0.328458111540815, 0.0, 0.944518538178601}),
                 kIntegrators, 1e-7, kDigits, outcome);
  AddConvergence(
      "2 loops of free bodies, 1 s", "m", kLibrary,
      AtSite("windows_2_free.xml", 1.0, steps, "B0", {-0.195020301949435, 0.0, -0.980799205662174}),
      {Integrator::kRungeKutta4, Integrator::kSymplecticEuler}, 1e-6, kDigits, outcome);
  // A run of its own, for both: 120 rows that couple all bodies.
  double energy = 0.0;
  KnownMotion many{
      .file = "windows_40.xml", .duration = 10.0, .steps = {0.004}, .error = [&](const World& world) {
        constexpr double kStart = 0.5 * (41.0 / 3.0 + 40.0) + 9.81 * (41.0 / 2.0 + 40.0);  // [J]
        energy = std::abs(world.CalcEnergy().total() / kStart - 1.0);
        return DistanceOfSite(world, "B0", {0.180512226686728, 0.0, 0.983572740582312});
      }};
  AddBoundedFigure(kLibrary, "40 loops, 10 s, rk4 at 0.004 s",
                   MeasureConvergence(many, Integrator::kRungeKutta4).errors.back(), 1e-4, "m", outcome);
  AddBoundedFigure(kClosedForm, "40 loops, 10 s: energy, relative", energy, 1e-6, "", outcome);
  return outcome;
}

PaperOutcome MeasureAndrews(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "Andrews' squeezing mechanism: seven small bodies, three loops, a stiff spring and a motor, for 0.03 "
      "s. Problem A03 of the library; the largest relative error of the seven angles.";
  KnownMotion motion{
      .file = "andrews.xml", .duration = 0.03, .steps = {4e-5, 2e-5, 1e-5}, .error = [](const World& world) {
        const VectorXd known{{15.81077119629904, -15.75637105784298, 0.04082224013073101, 0.5244099658805304,
                              -0.5347301163226948, 1.048080741042263, 0.5347301163226948}};
        return ((world.q() - known).array() / known.array()).abs().maxCoeff();
      }};
  AddConvergence("angles", "", kLibrary, motion, {Integrator::kRungeKutta4, Integrator::kMidpoint}, 1e-6,
                 1e-9, outcome);
  return outcome;
}

}  // namespace stiction::runner

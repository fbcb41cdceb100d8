// Bricard's mechanism: rods 1 to 5 of a chain of six hinges about y, z, x, y, z, x, closed by the ground.
//
// At right angles it is the threefold-symmetric Bricard linkage: its hinges turn by a, b, a, b, a, b, and its
// loop closes where
//   sin a + sin b + sin a sin b = 0
// [Y. Chen, Z. You, T. Tarnai, Threefold-symmetric Bricard linkages for deployable structures, Int. J. Solids
// Struct. 42, 2287-2301, 2005, with our angles from the right angle on]. So a alone moves it. With M(a) the
// mass that a' feels, 2 T = M a'^2, and V(a) the potential, let go at rest at a = 0,
//   M a'' + 1/2 M' a'^2 + V' = 0.
// These equations are its own: they know of no loops, and nothing of the engine's dynamics.
#include <array>
#include <cmath>
#include <string>

#include "truth/convergence.h"
#include "truth/reference_motion.h"
#include "truth/truth_experiments.h"

namespace stiction::runner {
namespace {

constexpr int kRods = 5;
constexpr double kGrid = 0.008;  // [s], between points of the known path: every timestep divides it

struct Rods {
  double mass = 0.0;   // M [kg m^2]
  double slope = 0.0;  // V' [N m]
  Vector3d tip2;       // where rod 2 ends [m]
};

// Along the chain from the ground, for a' = 1: bars of 1 kg, 1 m long and 0.1 m square.
Rods CalcRods(double a) {
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  const std::array<Vector3d, kRods> axes{y, z, x, y, z}, directions{x, -y, z, -x, y};
  const double sin_b = -std::sin(a) / (1.0 + std::sin(a));
  const double b = std::asin(sin_b);
  const double rate_b = -std::cos(a) / ((1.0 + std::sin(a)) * (1.0 + std::sin(a)) * std::cos(b));
  constexpr double kAlong = 2.0 * 0.01 / 12.0, kAcross = (1.0 + 0.01) / 12.0;  // [kg m^2]
  Rods rods;
  Matrix3d R = Matrix3d::Identity();
  Vector3d end = Vector3d::Zero(), omega = Vector3d::Zero(), velocity = Vector3d::Zero();
  for (int i = 0; i < kRods; ++i) {
    const bool is_a = i % 2 == 0;
    omega += (is_a ? 1.0 : rate_b) * (R * axes[i]);
    R = R * Eigen::AngleAxisd(is_a ? a : b, axes[i]).toRotationMatrix();
    const Vector3d along = R * directions[i];
    const Vector3d middle = velocity + omega.cross(0.5 * along);
    const double spin = omega.dot(along);
    rods.mass += middle.squaredNorm() + kAlong * spin * spin + kAcross * (omega.squaredNorm() - spin * spin);
    rods.slope += 9.81 * middle.y();  // gravity along -y
    velocity += omega.cross(along);
    end += along;
    if (i == 1) rods.tip2 = end;
  }
  return rods;
}

// x = a, a'; M' by central differences of fourth order, exact to about 1e-12.
VectorXd CalcRates(const VectorXd& x) {
  constexpr double kStep = 1e-3;
  const auto mass = [&](int steps) { return CalcRods(x[0] + steps * kStep).mass; };
  const double slope = (8.0 * (mass(1) - mass(-1)) - (mass(2) - mass(-2))) / (12.0 * kStep);
  const Rods rods = CalcRods(x[0]);
  return VectorXd{{x[1], -(0.5 * slope * x[1] * x[1] + rods.slope) / rods.mass}};
}

// Where rod 2 ends, every kGrid of `duration` from the start on [m].
std::vector<Vector3d> CalcPath(double duration) {
  std::vector<Vector3d> path{CalcRods(0.0).tip2};
  constexpr int kSteps = 8;
  int count = 0;
  IntegrateReference(CalcRates, VectorXd::Zero(2), duration, kGrid / kSteps, [&](double, const VectorXd& x) {
    if (++count % kSteps == 0) path.push_back(CalcRods(x[0]).tip2);
  });
  return path;
}

double CalcDistance(const World& world, const Vector3d& known) {
  return (world.CalcFramePose(world.model().FindFrame("end2")).p - known).norm();
}

}  // namespace

PaperOutcome MeasureBricard(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "Bricard's mechanism: a closed chain of five rods and six hinges that could not move at all but for "
      "its symmetry. Problem A04 of the library, in reduced and in maximal coordinates: rows of loops that "
      "depend on one another. Of its own equations the whole path is known: errors are the largest on it.";
  const Vector3d at_1(0.274481319265, -0.886707938735, -0.462330002687);
  const Vector3d at_10(0.9997309873037, -0.9999999638258, -2.689765124e-4);
  const std::vector<Vector3d> path = CalcPath(10.0);
  AddBoundedFigure(kLibrary, "own equations, 1 s", (path[125] - at_1).norm(), 1e-9, "m", outcome);
  AddBoundedFigure(kLibrary, "own equations, 10 s", (path[1250] - at_10).norm(), 1e-9, "m", outcome);
  for (const char* file : {"bricard.xml", "bricard_free.xml"}) {
    const std::string kind = file == std::string("bricard.xml") ? "reduced" : "maximal";
    KnownMotion motion{.file = file, .duration = 10.0, .steps = {0.002}, .error = [&](const World& world) {
                         return CalcDistance(world, at_10);
                       }};
    AddBoundedFigure(kLibrary, kind + ", 10 s, rk4 at 0.002 s", MeasureOnce(motion), 1e-6, "m", outcome);
    motion.is_path = true;
    motion.error = [&](const World& world) {
      const double at = world.time() / kGrid;
      const long point = std::lround(at);
      return std::abs(at - point) < 1e-6 ? CalcDistance(world, path[point]) : 0.0;
    };
    for (const double duration : {1.0, 10.0}) {
      const std::string name = kind + ", " + std::to_string(std::lround(duration)) + " s";
      motion.duration = duration;
      motion.steps = {kGrid, kGrid / 2, kGrid / 4};
      AddConvergence(name, "m", kReference, motion, {Integrator::kRungeKutta4, Integrator::kSymplecticEuler},
                     1e-6, 1e-10, outcome);
      // By the midpoint rule loops of free bodies are of first order. In the tree they stand in its equations
      // where they are independent there, and else beside them: a mix that changes between 2 and 1 ms, so
      // that only below is its error that of one method.
      if (kind == "maximal") continue;
      motion.steps = {kGrid, kGrid / 2, kGrid / 4, kGrid / 8, kGrid / 16, kGrid / 32};
      AddConvergence(name + ", finer", "m", kReference, motion, {Integrator::kMidpoint}, 1e-6, 1e-10,
                     outcome);
    }
  }
  return outcome;
}

}  // namespace stiction::runner

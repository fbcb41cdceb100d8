#include "scenes/robots.h"

#include <algorithm>
#include <cmath>

#include "math/constants.h"
#include "scenes/dice.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr double kLimbLength = 0.9;    // [m]
constexpr double kHipHeight = 0.95;    // above the origin while the robot is put together [m]
constexpr double kHipRadius = 0.15;    // [m]
constexpr double kLinkRadius = 0.015;  // of its shape [m]
constexpr double kRodRadius = 0.006;   // [m]
constexpr double kFootHeight = 0.02;   // [m]
constexpr double kOffset = 0.06;       // of a crank or a rod from the links beside it [m]

// A hinge of the tree, on which a loop can be put.
struct TreeHinge {
  int base, follower;
  Vector3d p_W;
  Vector3d axis_W;
  Vector3d along_W;  // unit vector of the follower
  double length;     // of the follower [m]
};

class RobotMaker {
 public:
  RobotMaker(const RobotCounts& counts, double ratio, unsigned seed)
      : counts_(counts), ratio_(ratio), dice_(seed) {}

  Mechanism Make() {
    const double foot_z = kHipHeight - kLimbLength / std::hypot(kHipRadius, 1.0);
    lift_ = kFootHeight - foot_z;
    base_ = robot_.AddBox("base", {.p = {0, 0, 1.0 + lift_}}, 1.0, {0.15, 0.15, 0.1});
    robot_.AddGeom(base_, Box{{0.15, 0.15, 0.1}}, robot_.pose(base_));
    if (counts_.is_held) robot_.AddFixed(kWorld, base_);
    for (int limb = 0; limb < counts_.limbs; ++limb) AddLimb(limb);
    // Rods cannot act about a hinge that turns about its own link.
    std::vector<TreeHinge> places;
    for (const TreeHinge& hinge : hinges_) {
      if (std::abs(hinge.axis_W.dot(hinge.along_W)) < 0.9) places.push_back(hinge);
    }
    dice_.Shuffle(places);
    for (int i = 0; i < counts_.parallelograms; ++i) AddParallelogram(places[i], i);
    for (int i = 0; i < counts_.rods; ++i) AddRod(places[counts_.parallelograms + i], i);
    SetLightest();
    return std::move(robot_);
  }

 private:
  double lightest() const { return 1.0 / ratio_; }
  double DrawLinkMass() {
    const double drawn = dice_.LogUniform(0.05, 0.3) * std::max(0.2, 1.0 / std::sqrt(ratio_));
    return std::clamp(drawn, lightest(), 1.0);
  }
  double DrawRodMass() { return std::min(1.0, dice_.LogUniform(lightest(), 3.0 * lightest())); }

  // A box between two points, with a capsule that ends a little before them.
  int AddBar(const std::string& name, const Vector3d& a, const Vector3d& b, double mass, double width,
             double radius) {
    const RigidTransform X_WL{RotationWithZ((b - a).normalized()), 0.5 * (a + b)};
    const double half = 0.5 * (b - a).norm();
    const int link = robot_.AddBox(name, X_WL, mass, {0.5 * width, 0.5 * width, half});
    robot_.AddGeom(link, Capsule{radius, std::max(0.1 * half, half - 2.0 * radius)}, X_WL);
    return link;
  }

  void AddLimb(int limb) {
    static const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
    static const Vector3d axes[9] = {x, y, y, y, x, z, y, y, x};
    const int links = counts_.hinges / counts_.limbs + (limb < counts_.hinges % counts_.limbs ? 1 : 0);
    const double angle = 2.0 * kPi * limb / counts_.limbs;
    const Vector3d out(std::cos(angle), std::sin(angle), 0.0);
    Vector3d p = kHipRadius * out + Vector3d(0, 0, kHipHeight + lift_);
    int base = base_;
    const double length = kLimbLength / links;
    for (int i = 0; i < links; ++i) {
      const Vector3d along = (kHipRadius * (i % 2 == 0 ? 1.0 : -1.0) * out - z).normalized();
      const std::string name = "limb" + std::to_string(limb) + "_" + std::to_string(i);
      const int link = AddBar(name, p, p + length * along, DrawLinkMass(), 0.04, kLinkRadius);
      robot_.AddHinge(base, link, p, axes[(i + limb) % 9]);
      hinges_.push_back({base, link, p, axes[(i + limb) % 9], along, length});
      base = link;
      p += length * along;
    }
    // The sole is exactly on the ground, whatever p has been rounded to.
    robot_.AddGeom(base, Box{{0.05, 0.03, 0.5 * kFootHeight}}, {.p = {p.x(), p.y(), 0.5 * kFootHeight}});
  }

  void AddParallelogram(const TreeHinge& at, int number) {
    const Vector3d& axis = at.axis_W;
    const Vector3d beside = kOffset * axis.cross(at.along_W).normalized();
    const Vector3d side = 0.6 * at.length * (at.along_W - axis * axis.dot(at.along_W)).normalized();
    const Vector3d p = at.p_W, top = p + beside;
    const std::string suffix = std::to_string(number);
    const int crank = AddBar("crank" + suffix, top, top + side, DrawRodMass(), 0.02, kRodRadius);
    const int coupler = AddBar("coupler" + suffix, top + side, p + side, DrawRodMass(), 0.02, kRodRadius);
    robot_.AddHinge(at.base, crank, top, axis);
    robot_.AddHinge(crank, coupler, top + side, axis);
    robot_.AddHinge(coupler, at.follower, p + side, axis);
  }

  void AddRod(const TreeHinge& at, int number) {
    const Vector3d beside = kOffset * at.axis_W.cross(at.along_W).normalized();
    const Vector3d a = at.p_W + beside - 0.3 * at.length * at.along_W;
    const Vector3d b = at.p_W + 0.5 * beside + 0.6 * at.length * at.along_W;
    const int rod = AddBar("rod" + std::to_string(number), a, b, DrawRodMass(), 0.02, kRodRadius);
    robot_.AddBall(at.base, rod, a);
    robot_.AddBall(rod, at.follower, b);
  }

  // The last link of a limb, or the first crank or rod, gets the least mass exactly; the base has the
  // largest.
  void SetLightest() {
    const bool has_loops = counts_.parallelograms + counts_.rods > 0;
    robot_.set_mass(has_loops ? counts_.hinges + 1 : counts_.hinges, lightest());
  }

  const RobotCounts counts_;
  const double ratio_;
  Dice dice_;
  Mechanism robot_;
  std::vector<TreeHinge> hinges_;
  int base_ = 0;
  double lift_ = 0.0;
};

}  // namespace

Mechanism MakeRobot(const RobotCounts& counts, double ratio, unsigned seed) {
  return RobotMaker(counts, ratio, seed).Make();
}

}  // namespace stiction

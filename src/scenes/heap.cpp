#include "scenes/heap.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "scenes/dice.h"
#include "stiction/geometry/distance.h"
#include "stiction/io/scenario.h"

namespace stiction {
namespace {

constexpr double kHeapTimestep = 0.004;  // [s]
constexpr double kHeapFriction = 0.7;
constexpr double kJointDamping = 0.05;         // of a joint [N·m·s]: a leg of 0.1 kg sinks at some 3 rad/s
constexpr double kLinkClearance = 0.005;       // of links that collide with their own robot [m]
constexpr double kWidth = 0.9, kHeight = 1.3;  // of a robot's cell: room for every tilt [m]
constexpr double kTilt = 0.3;                  // [rad]
constexpr double kMiddle = 0.55;               // of a standing robot, above the ground [m]

// Poses of the bodies with all joints at zero.
std::vector<RigidTransform> CalcRestPoses(const Model& robot) {
  std::vector<RigidTransform> X_WB(robot.bodies.size());
  for (int b = 1; b < robot.num_bodies(); ++b) X_WB[b] = X_WB[robot.bodies[b].parent] * robot.bodies[b].X_PB;
  return X_WB;
}

// Bodies of one robot that must not collide: shapes begin within each other's clearance.
std::set<std::pair<int, int>> FindNear(const Model& robot) {
  const std::vector<RigidTransform> X_WB = CalcRestPoses(robot);
  std::set<std::pair<int, int>> near;
  for (const Geom& a : robot.geoms) {
    for (const Geom& b : robot.geoms) {
      if (a.body >= b.body) continue;
      const Distance apart = CalcDistance(a.shape, X_WB[a.body] * a.X_BG, b.shape, X_WB[b.body] * b.X_BG);
      if (apart.distance < kLinkClearance) near.insert({a.body, b.body});
    }
  }
  return near;
}

// In the cell of the robot: turned about the vertical, then tilted about its middle.
RigidTransform DrawPose(int robot, int side, Dice& dice) {
  const Vector3d cell(robot % side, robot / side % side, robot / (side * side));
  const double yaw = dice.Uniform(-std::numbers::pi, std::numbers::pi),
               heading = dice.Uniform(-std::numbers::pi, std::numbers::pi);
  const double tilt = dice.Uniform(-kTilt, kTilt);
  const Vector3d axis(std::cos(heading), std::sin(heading), 0.0);
  RigidTransform X_WR;
  X_WR.R = (Eigen::AngleAxisd(tilt, axis) * Eigen::AngleAxisd(yaw, Vector3d::UnitZ())).toRotationMatrix();
  const Vector3d middle((cell.x() - 0.5 * (side - 1)) * kWidth, (cell.y() - 0.5 * (side - 1)) * kWidth,
                        (cell.z() + 0.5) * kHeight);
  X_WR.p = middle - X_WR.R * Vector3d(0.0, 0.0, kMiddle);
  return X_WR;
}

}  // namespace

Model MakeHeap(const Mechanism& mechanism, const std::string& name, const SceneParameters& options) {
  Model robot = mechanism.Build(name, {.with_feet = false});
  for (Joint& joint : robot.joints) {
    if (joint.is_scalar() && joint.traits().is_angular) joint.damping = kJointDamping;
  }
  for (Geom& geom : robot.geoms) geom.contype = 1;
  robot.keyframes.clear();  // the heap has one of its own

  ModelBuilder builder(name);
  builder.options().timestep = kHeapTimestep;
  if (options.with_feet) builder.AddGeom({.name = "ground", .shape = Plane{}, .friction = kHeapFriction});
  const std::set<std::pair<int, int>> near = FindNear(robot);
  const int side = static_cast<int>(std::ceil(std::cbrt(options.count) - 1e-9));
  Keyframe start{.name = kStartKeyframe, .v = VectorXd::Zero(options.count * robot.nv())};
  const Vector3d w_W(0.0, 0.0, options.spin), v_W(options.speed, 0.0, 0.0);
  Dice dice(options.seed);
  for (int i = 0; i < options.count; ++i) {
    const RigidTransform X_WR = DrawPose(i, side, dice);
    const AddedModel added = builder.AddModel(robot, "r" + std::to_string(i), X_WR);
    for (const auto& [a, b] : near) builder.ExcludeBodies(added.bodies[a], added.bodies[b]);
    // The first body floats, and comes first in its part of v.
    const RigidTransform X_WB = X_WR * robot.bodies[1].X_PB;
    start.v.segment<3>(i * robot.nv()) = v_W + w_W.cross(X_WB.p);
    start.v.segment<3>(i * robot.nv() + 3) = X_WB.R.transpose() * w_W;
  }
  builder.AddKeyframe(start);
  return builder.Build();
}

}  // namespace stiction

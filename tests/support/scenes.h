// Small scenes and short runs for tests of the whole step.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/math/rotation.h"
#include "stiction/model/model_builder.h"
#include "stiction/sim/world.h"

namespace stiction::testing {

inline constexpr double kGravity = 9.81;  // [m/s²]
inline constexpr double kPi = 3.14159265358979323846;

struct Surface {
  double friction = 1.0;
  double restitution = 0.0;
};

// The plane z = 0 of frame X_WG.
inline void AddFloor(ModelBuilder& builder, const Surface& surface = {}, const RigidTransform& X_WG = {}) {
  builder.AddGeom(
      {.shape = Plane{}, .X_BG = X_WG, .friction = surface.friction, .restitution = surface.restitution});
}

// A body on a free joint. Without other joints in the model, the i-th has q[7 i ...] and v[6 i ...].
inline int AddFreeBody(ModelBuilder& builder, const Shape& shape, double mass, const RigidTransform& X_WB,
                       const Surface& surface = {}) {
  const int body = builder.AddBody({.X_PB = X_WB});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.AddGeom(
      {.body = body, .shape = shape, .friction = surface.friction, .restitution = surface.restitution},
      {.mass = mass});
  return body;
}

inline RigidTransform Shift(double x, double y, double z) {
  return {Matrix3d::Identity(), Vector3d(x, y, z)};
}

// Rotation by `angle` about a unit axis, then the position.
inline RigidTransform Turn(double angle, const Vector3d& axis, const Vector3d& p = Vector3d::Zero()) {
  return {Eigen::AngleAxisd(angle, axis).toRotationMatrix(), p};
}

// Cubes of 10 cm on top of one another on the floor; masses rise geometrically from 1 kg to `ratio` kg.
//   overlap  of each cube with what is below it [m]
inline Model MakeBoxStack(int count, double ratio = 1.0, double overlap = 0.0, double x = 0.0) {
  ModelBuilder builder("stack");
  AddFloor(builder);
  for (int i = 0; i < count; ++i) {
    const double mass = count > 1 ? std::pow(ratio, i / (count - 1.0)) : 1.0;
    const double z = 0.05 + 0.1 * i - (i + 1) * overlap;
    AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, mass, Shift(x, 0, z));
  }
  return builder.Build();
}

// A ball of 1 kg whose lowest point is `height` above the floor.
inline Model MakeBall(double radius, double height, const Surface& surface = {}) {
  ModelBuilder builder("ball");
  AddFloor(builder, surface);
  AddFreeBody(builder, Sphere{radius}, 1.0, Shift(0, 0, radius + height), surface);
  return builder.Build();
}

// A flat box of 1 kg on a plane that falls off along +x by `slope` [rad]: gravity is tilted, not the plane.
inline Model MakeBoxOnSlope(double slope, double friction) {
  ModelBuilder builder("slope");
  builder.options().gravity = kGravity * Vector3d(std::sin(slope), 0, -std::cos(slope));
  AddFloor(builder, {.friction = friction});
  AddFreeBody(builder, Box{{0.1, 0.1, 0.025}}, 1.0, Shift(0, 0, 0.025), {.friction = friction});
  return builder.Build();
}

// A bob of 1 kg at the end of a massless rod under a joint at the world's origin.
struct Pendulum {
  double length = 0.5;       // [m]
  double bob_radius = 0.05;  // [m]
  Joint joint = {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}};

  Model Build() const {
    ModelBuilder builder("pendulum");
    const int arm = builder.AddBody({});
    builder.AddJoint(arm, joint);
    builder.AddGeom({.body = arm, .shape = Sphere{bob_radius}, .X_BG = Shift(0, 0, -length)}, {.mass = 1.0});
    return builder.Build();
  }
  double inertia() const { return length * length + 0.4 * bob_radius * bob_radius; }
};

inline World MakeWorld(const Model& model, double timestep = 0.002, const std::string& solver = "auto") {
  WorldOptions options;
  options.timestep = timestep;
  options.solver = solver;
  return World(model, options);
}

// Linear velocity [m/s] of the joint's body origin and angular velocity [rad/s] in body axes.
inline void SetFreeVelocity(World& world, int joint, const Vector3d& linear,
                            const Vector3d& angular = {0, 0, 0}) {
  State state = world.state();
  state.v.segment<3>(world.model().joints[joint].v_address) = linear;
  state.v.segment<3>(world.model().joints[joint].v_address + 3) = angular;
  world.set_state(state);
}

// The worst of a run of steps.
struct RunSummary {
  double ncp = 0.0;          // [m/s]
  double kinetic = 0.0;      // largest at the end of a step [J]
  double penetration = 0.0;  // [m]
  int not_ok = 0;            // steps with another status than kOk
};

inline RunSummary RunSteps(World& world, int steps) {
  RunSummary summary;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = world.Step();
    summary.ncp = std::max(summary.ncp, report.certificate.ncp_max);
    summary.penetration = std::max(summary.penetration, report.penetration);
    summary.not_ok += report.status != StepStatus::kOk;
    summary.kinetic = std::max(summary.kinetic, world.CalcEnergy().kinetic);
  }
  return summary;
}

}  // namespace stiction::testing

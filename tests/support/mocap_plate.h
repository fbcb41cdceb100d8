// A plate that is a mocap body, what lies on it, and the paths on which it is moved.
#pragma once

#include <gtest/gtest.h>

#include "stiction/math/rotation.h"
#include "tests/support/scenes.h"

namespace stiction::testing {

// The plate with its upper face at z = 0.
//   law  friction, restitution and what makes contacts give way
inline void AddPlate(ModelBuilder& builder, const Geom& law) {
  Geom geom = law;
  geom.body = builder.AddBody({.name = "plate", .X_PB = Shift(0, 0, -0.1), .is_mocap = true});
  geom.shape = Box{{1.0, 1.0, 0.1}};
  builder.AddGeom(geom);
}

// A box of 1 kg on the plate at x = 0.2; sensor 0 is the force on it.
inline Model MakeBoxOnPlate(const Geom& law, const Vector3d& gravity = {0, 0, -kGravity},
                            ContactModel model = ContactModel::kRigid) {
  ModelBuilder builder("plate");
  builder.options().gravity = gravity;
  builder.options().contact_model = model;
  AddPlate(builder, law);
  Geom box = law;
  box.body = builder.AddBody({.X_PB = Shift(0.2, 0, 0.05)});
  box.shape = Box{{0.05, 0.05, 0.05}};
  builder.AddJoint(box.body, {.kind = FreeJoint{}});
  builder.AddGeom(box, {.mass = 1.0});
  builder.AddSensor({.name = "force", .type = SensorType::kContactForce, .side_b = {.body = box.body}});
  return builder.Build();
}

// Steps with the plate at path(t) at the end of each step.
template <typename Path>
void Drive(World& world, double seconds, const Path& path) {
  for (int i = 0; i < std::lround(seconds / world.timestep()); ++i) {
    const RigidTransform X_WB = path(world.time() + world.timestep());
    world.input().mocap.head<3>() = X_WB.p;
    QuaternionToWxyz(Quaterniond(X_WB.R), world.input().mocap.data() + 3);
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
  }
}

}  // namespace stiction::testing

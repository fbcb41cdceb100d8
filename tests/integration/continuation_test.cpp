// A simulation that is saved and loaded must continue as if nothing had happened.
#include <gtest/gtest.h>

#include "stiction/stiction.h"
#include "tests/io/temporary_file.h"

namespace stiction {
namespace {

// Boxes of many masses dropped beside and upon one another, with a pendulum that meets its limit: contacts
// that slide, stick and break, and limits, are all at work when the state is saved.
Model MakeScene() {
  ModelBuilder builder("scene");
  builder.AddGeom({.name = "floor", .shape = Plane{}});
  for (int i = 0; i < 6; ++i) {
    const Vector3d p(0.05 * i, 0.03 * i, 0.2 + 0.25 * i);
    const int body = builder.AddBody({.name = "box" + std::to_string(i), .parent = 0, .X_PB = {.p = p}});
    builder.AddJoint(body, {.kind = FreeJoint{}});
    builder.AddGeom({.body = body, .shape = Box{Vector3d::Constant(0.1)}, .friction = 0.6},
                    {.mass = 1.0 + i});
  }
  const int arm = builder.AddBody({.name = "arm", .parent = 0, .X_PB = {.p = {2.0, 0.0, 1.0}}});
  builder.AddJoint(arm, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}, .lower = -0.2, .upper = 0.4});
  builder.AddGeom({.body = arm, .shape = Capsule{0.02, 0.15}, .X_BG = {.p = {0.15, 0.0, 0.0}}},
                  {.mass = 1.0});
  return builder.Build();
}

TEST(Continuation, LoadedStateContinuesBitForBit) {
  const Model model = MakeScene();
  World original(model);
  for (const int steps_before : {1, 100, 400}) {
    for (int i = 0; i < steps_before; ++i) original.Step();
    const TemporaryFile file;
    WriteState(file.path(), model, original.state());
    World loaded(model);
    loaded.set_state(ReadState(file.path(), model));
    EXPECT_EQ(Hash(loaded.state()), Hash(original.state()));
    for (int i = 0; i < 200; ++i) {
      original.Step(), loaded.Step();
      ASSERT_EQ(Hash(loaded.state()), Hash(original.state())) << "step " << i << " after loading";
    }
  }
  EXPECT_GT(original.report().num_contacts, 12);
}

}  // namespace
}  // namespace stiction

// A model that is added to another one (ModelBuilder::AddModel) moves as it did alone.
#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

Model Place(const Model& model, const RigidTransform& X_WM) {
  ModelBuilder builder("scene");
  builder.options() = model.options;
  builder.AddModel(model, "a", X_WM);
  return builder.Build();
}

TEST(AddedModel, HasTheSameDynamicsBitForBit) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Model model = MakeRandomModel(seed, 10);
    World alone = MakeWorld(model), added = MakeWorld(Place(model, {}));
    State state = alone.state();
    state.q = MakeRandomConfiguration(model, seed);
    state.v = MakeRandomVelocity(model, seed);
    alone.set_state(state);
    added.set_state(state);
    EXPECT_EQ(alone.CalcMassMatrix(), added.CalcMassMatrix());
    EXPECT_EQ(alone.CalcBias(), added.CalcBias());
    for (int i = 0; i < 20; ++i) {
      alone.Step();
      added.Step();
    }
    EXPECT_EQ(Hash(alone.state()), Hash(added.state())) << seed;
  }
}

TEST(AddedModel, StandsInContactAsItDidAlone) {
  const Model stack = MakeBoxStack(4, 50.0);
  World alone = MakeWorld(stack), added = MakeWorld(Place(stack, {}));
  RunSteps(alone, 200);
  RunSteps(added, 200);
  EXPECT_EQ(Hash(alone.state()), Hash(added.state()));
}

// Turned about the vertical and moved, a model with its floor does the same in its new place: the mass matrix
// of bodies on scalar joints does not change at all, and that of free bodies, whose velocities are in world
// axes, turns with them.
TEST(AddedModel, MovesInItsNewPlaceAsInTheOld) {
  const RigidTransform X_WM = Turn(0.7, Vector3d::UnitZ(), {3, -2, 1});
  Model ball = MakeBall(0.1, 0.3);
  World alone = MakeWorld(ball), moved = MakeWorld(Place(ball, X_WM));
  SetFreeVelocity(alone, 0, {1, 0.5, 0}, {0, 3, 0});
  SetFreeVelocity(moved, 0, X_WM.R * Vector3d(1, 0.5, 0), {0, 3, 0});
  for (int i = 0; i < 500; ++i) {
    alone.Step();
    moved.Step();
  }
  const RigidTransform expected = X_WM * FreeJoint::CalcPose(alone.q().data());
  const RigidTransform pose = FreeJoint::CalcPose(moved.q().data());
  // The ball bounces and rolls; each step rounds at 1e-16 of 3 m, and the solver stops at 1e-9 m/s.
  EXPECT_LE((pose.p - expected.p).norm(), 1e-8);
  EXPECT_LE((pose.R - expected.R).norm(), 1e-7);
}

}  // namespace
}  // namespace stiction::testing

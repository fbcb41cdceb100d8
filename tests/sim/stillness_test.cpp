// What is at rest to the last bit is not computed again, and nobody can tell but by the time it takes.
#include "sim/stillness.h"

#include <gtest/gtest.h>

#include <functional>

#include "stiction/sim/world.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// Its steps are always computed: World::Refresh leaves another workspace behind.
const StepReport& StepForCertain(World& world) {
  world.Refresh();
  return world.Step();
}

void ExpectSame(const World& world, const World& reference) {
  EXPECT_TRUE(HaveSameBits(world.state(), reference.state()));
  EXPECT_EQ(world.time(), reference.time());
  EXPECT_EQ(world.report().certificate.ncp_max, reference.report().certificate.ncp_max);
  EXPECT_EQ(world.report().num_contacts, reference.report().num_contacts);
  EXPECT_EQ(world.solution().lambda, reference.solution().lambda);
  ASSERT_EQ(world.contacts().size(), reference.contacts().size());
  for (std::size_t i = 0; i < world.contacts().size(); ++i)
    EXPECT_EQ(world.contacts()[i].impulse_W, reference.contacts()[i].impulse_W);
}

int CountStillSteps(World& world, int steps) {
  int count = 0;
  for (int i = 0; i < steps; ++i) count += world.Step().is_still;
  return count;
}

// A stack, a pendulum that hangs in a damped hinge with a motor, and a mocap body far from both.
Model MakeRestingMechanism() {
  ModelBuilder builder("rest");
  AddFloor(builder);
  for (int i = 0; i < 3; ++i)
    AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0 + i, Shift(0, 0, 0.05 + 0.1 * i));
  const int rod = builder.AddBody({.X_PB = Shift(1, 0, 2)});
  builder.AddJoint(rod, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}, .damping = 0.1});
  builder.AddGeom({.body = rod, .shape = Capsule{0.02, 0.1}, .X_BG = Shift(0, 0, -0.2)}, {.mass = 1.0});
  builder.AddBody({.X_PB = Shift(0, 5, 1), .is_mocap = true});
  return builder.Build();
}

TEST(Stillness, RepeatsWhatIsAtRestToTheLastBit) {
  World world(MakeBoxStack(5, 100.0)), reference(MakeBoxStack(5, 100.0));
  int still = 0;
  for (int i = 0; i < 60; ++i) {
    still += world.Step().is_still;
    EXPECT_FALSE(StepForCertain(reference).is_still);
    ExpectSame(world, reference);
  }
  EXPECT_GE(still, 40);
  EXPECT_EQ(world.report().phases.solve, 0.0);
}

TEST(Stillness, WhatMovesIsComputed) {
  ModelBuilder builder("ball");
  AddFloor(builder);
  AddFreeBody(builder, Sphere{0.05}, 1.0, Shift(0, 0, 0.05));
  World world(builder.Build());
  State rolling = world.state();
  rolling.v[0] = 1e-9, rolling.v[4] = 2e-8;
  world.set_state(rolling);
  EXPECT_EQ(CountStillSteps(world, 50), 0);
}

TEST(Stillness, EveryKindOfDisturbanceEndsIt) {
  const auto settle = [](World& world) {
    EXPECT_GT(CountStillSteps(world, 30), 0);
    ASSERT_TRUE(world.report().is_still);
  };
  // What is done to the world at rest; both go on in the same way.
  const std::function<void(World&)> disturbances[] = {
      [](World& w) { w.AddForce(3, Vector3d(0, 0, 0.25), Vector3d(1, 0, 0)); },
      [](World& w) { w.input().applied_generalized[18] = 0.1; }, [](World& w) { w.input().mocap[0] += 0.01; },
      [](World& w) {
        State state = w.state();
        state.v[18] = 1e-12;
        w.set_state(state);
      },
      [](World& w) {
        State state = w.state();
        state.contacts.clear();  // the warm start alone
        w.set_state(state);
      }};
  for (const auto& disturb : disturbances) {
    World disturbed(MakeRestingMechanism()), same(MakeRestingMechanism());
    settle(disturbed);
    for (int i = 0; i < 30; ++i) StepForCertain(same);
    disturb(disturbed);
    disturb(same);
    for (int i = 0; i < 20; ++i) {
      const bool is_still = disturbed.Step().is_still;
      EXPECT_FALSE(i == 0 && is_still);
      StepForCertain(same);
      ExpectSame(disturbed, same);
    }
  }
}

TEST(Stillness, AStateOfAWorldAtRestContinuesInAnother) {
  World world(MakeRestingMechanism()), other(MakeRestingMechanism());
  ASSERT_GT(CountStillSteps(world, 30), 0);
  other.set_state(world.state());
  EXPECT_FALSE(other.Step().is_still) << "the other's workspace has seen nothing yet";
  world.Step();
  ExpectSame(other, world);
  EXPECT_GT(CountStillSteps(other, 5), 0);
}

TEST(Stillness, LooksAtAllOfAStateThatAStepLeftUnfinished) {
  const Model model = MakeBoxStack(1);
  const Input input = Input::Default(model);
  Input pushed = input;
  pushed.applied_generalized[0] = 1.0;
  const State rest = State::Default(model);
  State woken = rest;
  woken.contacts.emplace_back();
  Stillness stillness;
  EXPECT_FALSE(stillness.Begin(input, rest, true));
  stillness.End(input, rest, {}, true);
  EXPECT_FALSE(stillness.Begin(pushed, rest, true));  // and does not come to its end
  EXPECT_FALSE(stillness.Begin(input, woken, true));
  stillness.End(input, rest, {}, true);
  EXPECT_FALSE(stillness.Begin(input, rest, true)) << "no step has begun here yet and ended here";
  stillness.End(input, rest, {}, true);
  EXPECT_TRUE(stillness.Begin(input, rest, true));
  EXPECT_FALSE(stillness.Begin(input, woken, false)) << "somebody has written the state";
}

TEST(Stillness, ZerosOfEitherSignDiffer) {
  State a = State::Default(MakeBoxStack(1)), b = a;
  EXPECT_TRUE(HaveSameBits(a, b));
  b.time = 1.0;
  EXPECT_TRUE(HaveSameBits(a, b));
  b.v[0] = -0.0;
  EXPECT_FALSE(HaveSameBits(a, b));
  b = a;
  b.contacts.emplace_back();
  EXPECT_FALSE(HaveSameBits(a, b));
  a.contacts.emplace_back();
  EXPECT_TRUE(HaveSameBits(a, b));
  a.contacts[0].slide_A[2] = 1e-300;
  EXPECT_FALSE(HaveSameBits(a, b));
}

}  // namespace
}  // namespace stiction::testing

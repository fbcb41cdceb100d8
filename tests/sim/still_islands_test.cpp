// Islands that only repeat their last step are not computed, and nobody can tell but by the time it takes and
// by the rows of World::problem.
#include "sim/still_islands.h"

#include <gtest/gtest.h>

#include <functional>

#include "sim/stillness.h"
#include "stiction/sim/world.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// The boxes of stack i are bodies 3 i + 1 to 3 i + 3.
constexpr int kStacks = 4, kBoxes = 3 * kStacks, kBall = kBoxes + 1;

// Stacks of three boxes on the floor, a metre apart along x, a ball that rolls past them along y = 1, an arm
// whose motor holds it against a limit, a hinge with dry friction, and a mocap table far away.
Model MakeWorkshop() {
  ModelBuilder builder("workshop");
  AddFloor(builder);
  for (int i = 0; i < kBoxes; ++i)
    AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0 + i, Shift(i / 3, 0, 0.05 + 0.1 * (i % 3)));
  AddFreeBody(builder, Sphere{0.05}, 1.0, Shift(-1, 1, 0.05));
  const int arm = builder.AddBody({.name = "arm", .X_PB = Shift(0, -2, 1)});
  const int hinge = builder.AddJoint(
      arm, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}, .damping = 1.0, .lower = -0.2, .upper = 0.1});
  builder.AddGeom({.body = arm, .shape = Sphere{0.05}, .X_BG = Shift(0, 0, -0.3)}, {.mass = 1.0});
  Actuator motor;
  motor.joint = hinge;
  builder.AddActuator(motor);
  const int flap = builder.AddBody({.name = "flap", .X_PB = Shift(2, -2, 1)});
  builder.AddJoint(flap, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}, .friction_loss = 10.0});
  builder.AddGeom({.body = flap, .shape = Sphere{0.05}, .X_BG = Shift(0.3, 0, 0)}, {.mass = 1.0});
  const int table = builder.AddBody({.name = "table", .X_PB = Shift(0, 5, 1), .is_mocap = true});
  builder.AddGeom({.body = table, .shape = Box{Vector3d(0.2, 0.2, 0.02)}});
  return builder.Build();
}

World MakeWorkshopWorld(bool skips_still, int num_threads = 1) {
  World world(MakeWorkshop(), {.skips_still = skips_still, .num_threads = num_threads});
  State rolling = world.state();
  rolling.v[6 * kBoxes] = 0.5;             // the ball, along x,
  rolling.v[6 * kBoxes + 4] = 0.5 / 0.05;  // without slipping
  world.set_state(rolling);
  world.input().ctrl[0] = 5.0;
  return world;
}

void ExpectSameResults(const World& world, const World& whole) {
  EXPECT_TRUE(HaveSameBits(world.state(), whole.state()));
  const StepReport &report = world.report(), &expected = whole.report();
  EXPECT_EQ(report.status, expected.status);
  EXPECT_EQ(report.certificate.ncp_max, expected.certificate.ncp_max);
  EXPECT_NEAR(report.certificate.ncp_mean, expected.certificate.ncp_mean, 1e-20);
  EXPECT_EQ(report.num_contacts, expected.num_contacts);
  EXPECT_EQ(report.num_limits, expected.num_limits);
  EXPECT_EQ(report.num_islands, expected.num_islands);
  EXPECT_EQ(report.penetration, expected.penetration);
  ASSERT_EQ(world.contacts().size(), whole.contacts().size());
  for (std::size_t i = 0; i < world.contacts().size(); ++i) {
    const Contact &contact = world.contacts()[i], &other = whole.contacts()[i];
    EXPECT_EQ(contact.geom_a, other.geom_a);
    EXPECT_EQ(contact.geom_b, other.geom_b);
    EXPECT_EQ(contact.p_W, other.p_W);
    EXPECT_EQ(contact.gap, other.gap);
    EXPECT_EQ(contact.impulse_W, other.impulse_W);
    if (contact.constraint >= 0) {
      EXPECT_EQ(world.problem().constraints[contact.constraint].type, ConstraintType::kContact);
    }
  }
}

int CountLeftOut(const World& world) {
  int count = 0;
  for (const Contact& contact : world.contacts()) count += contact.constraint < 0;
  return count;
}

TEST(StillIslands, AreLeftOutWhileSomethingElseMoves) {
  for (const int num_threads : {1, 3}) {
    World world = MakeWorkshopWorld(true, num_threads), whole = MakeWorkshopWorld(false);
    for (int i = 0; i < 200; ++i) {
      EXPECT_FALSE(world.Step().is_still);
      whole.Step();
      ExpectSameResults(world, whole);
    }
    // Of the ball alone; arm and flap, which limit and friction hold, are out as well.
    EXPECT_EQ(world.problem().num_constraints(), 1);
    EXPECT_EQ(CountLeftOut(world), world.report().num_contacts - 1);
    EXPECT_EQ(CountLeftOut(whole), 0);
    EXPECT_EQ(world.report().num_still, kBoxes + 2);
    EXPECT_EQ(whole.report().num_still, 0);
    EXPECT_GT(whole.problem().num_constraints(), 4 * kBoxes);
  }
}

// Boxes in a row, closer than their margins, have contacts that do not come about.
TEST(StillIslands, AreLeftOutBesideNeighboursThatDoNotTouch) {
  constexpr int kInARow = 5;
  ModelBuilder builder("row");
  AddFloor(builder);
  for (int i = 0; i < kInARow; ++i)
    AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(0.1005 * i, 0, 0.05));
  AddFreeBody(builder, Sphere{0.05}, 1.0, Shift(0, 1, 0.05));
  const Model model = builder.Build();
  World world(model), whole(model, {.skips_still = false});
  State state = world.state();
  state.v[6 * kInARow] = 0.5;  // the ball
  state.v[6 * kInARow + 4] = 0.5 / 0.05;
  world.set_state(state);
  whole.set_state(state);
  for (int i = 0; i < 400; ++i) {
    if (i == 200) {
      EXPECT_EQ(world.report().num_still, kInARow);
      world.AddForce(1, Vector3d(0, 0, 0.05), Vector3d(20, 0, 0));  // the first box, towards the others
      whole.AddForce(1, Vector3d(0, 0, 0.05), Vector3d(20, 0, 0));
    }
    world.Step();
    whole.Step();
    ExpectSameResults(world, whole);
    if (i == 200) {
      EXPECT_EQ(world.report().num_still, 0);
    }
  }
  EXPECT_EQ(world.report().num_still, kInARow);
}

TEST(StillIslands, EveryKindOfDisturbanceIsNoticed) {
  const auto change_state = [](const std::function<void(State&)>& change) {
    return [change](World& world) {
      State state = world.state();
      change(state);
      world.set_state(state);
    };
  };
  const std::function<void(World&)> disturbances[] = {
      [](World& w) { w.AddForce(2, Vector3d(0, 0, 0.15), Vector3d(3, 0, 0)); },
      [](World& w) { w.input().applied_generalized[18] = 0.1; },
      [](World& w) { w.input().applied_damping.setConstant(w.model().nv(), 0.1); },
      [](World& w) { w.input().ctrl[0] = -5.0; },
      [](World& w) { w.input().applied_generalized[w.model().nv() - 1] = 20.0; },
      [](World& w) { w.input().mocap.head<3>() = Vector3d(1.0, 0.0, 0.315); },  // onto a stack
      change_state([](State& state) { state.v[20] = 1e-12; }),
      change_state([](State& state) { state.q[7 * 5 + 2] += 1e-3; }),
      change_state([](State& state) { state.contacts.clear(); }),
      change_state([](State& state) { state.v[6 * kBoxes + 1] = -2.0; })};  // the ball strikes a stack
  for (const auto& disturb : disturbances) {
    World world = MakeWorkshopWorld(true), whole = MakeWorkshopWorld(false);
    for (int i = 0; i < 60; ++i) {
      world.Step();
      whole.Step();
    }
    ASSERT_GT(CountLeftOut(world), 0);
    disturb(world);
    disturb(whole);
    for (int i = 0; i < 300; ++i) {
      world.Step();
      whole.Step();
      ExpectSameResults(world, whole);
    }
  }
}

TEST(StillIslands, NeedNotBeRemembered) {
  World world = MakeWorkshopWorld(true), other(MakeWorkshop());
  for (int i = 0; i < 60; ++i) world.Step();
  ASSERT_GT(CountLeftOut(world), 0);
  other.set_state(world.state());
  other.input() = world.input();
  for (int i = 0; i < 60; ++i) {
    world.Step();
    other.Step();
    ExpectSameResults(world, other);
  }
  EXPECT_GT(CountLeftOut(other), 0);
}

// Its boxes are still while it carries them nowhere, and not while it moves.
TEST(StillIslands, WhatStandsOnAMovedBodyIsComputed) {
  ModelBuilder builder("table");
  const int table = builder.AddBody({.X_PB = Shift(0, 0, 1), .is_mocap = true});
  builder.AddGeom({.body = table, .shape = Box{Vector3d(0.5, 0.5, 0.05)}});
  AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(0, 0, 1.1));
  AddFloor(builder);
  AddFreeBody(builder, Sphere{0.05}, 1.0, Shift(3, 0, 0.05));
  const Model model = builder.Build();
  World world(model), whole(model, {.skips_still = false});
  for (World* w : {&world, &whole}) {
    State rolling = w->state();
    rolling.v[6] = 0.1, rolling.v[10] = 2.0;
    w->set_state(rolling);
  }
  for (int i = 0; i < 400; ++i) {
    for (World* w : {&world, &whole}) {
      if (i >= 100 && i < 200) w->input().mocap[0] += 1e-3;
      w->Step();
    }
    ExpectSameResults(world, whole);
    if (i == 99 || i == 399) {
      EXPECT_EQ(CountLeftOut(world), 4);
    }
    if (i > 100 && i < 200) {
      EXPECT_EQ(CountLeftOut(world), 0);
    }
  }
}

// Closing loops, and looking for the velocities of an implicit step, go over all trees.
TEST(StillIslands, AreNoneWhereTreesAreComputedTogether) {
  for (const Integrator integrator : {Integrator::kImplicitEuler, Integrator::kMidpoint}) {
    World world(MakeWorkshop(), {.integrator = integrator});
    State rolling = world.state();
    rolling.v[6 * kBoxes] = 0.5;
    world.set_state(rolling);
    for (int i = 0; i < 60; ++i) EXPECT_EQ(world.Step().num_still, 0);
  }
}

// What the loop ties together is computed; that it is closed leaves the rest as it is.
TEST(StillIslands, AreLeftOutBesideClosedLoops) {
  ModelBuilder builder("thread");
  builder.AddModel(MakeWorkshop(), "");
  const int bob = AddFreeBody(builder, Sphere{0.05}, 1.0, Shift(0, 8, 1));
  builder.AddEquality({.kind = PointDistance{
                           .a = {.body = 0, .X_BF = Shift(0, 8, 1.5)}, .b = {.body = bob}, .distance = 0.5}});
  const Model model = builder.Build();
  World world(model), whole(model, {.skips_still = false});
  State swinging = world.state();
  swinging.v[model.nv() - 6] = 0.5;
  world.set_state(swinging);
  whole.set_state(swinging);
  for (int i = 0; i < 100; ++i) {
    world.Step();
    whole.Step();
    ExpectSameResults(world, whole);
  }
  EXPECT_GE(world.report().num_still, kBoxes);
  EXPECT_LT(world.problem().num_constraints(), 10);
}

TEST(StillIslands, AreNoneWhereBodiesMaySleepOrAllIsOneIsland) {
  for (const bool sleeps : {true, false}) {
    World world(MakeWorkshop(), {.one_island = !sleeps, .sleep = sleeps});
    State rolling = world.state();
    rolling.v[6 * kBoxes] = 0.5;
    world.set_state(rolling);
    for (int i = 0; i < 60; ++i) world.Step();
    EXPECT_EQ(CountLeftOut(world), 0);
  }
}

}  // namespace
}  // namespace stiction::testing

// Bodies that contacts hold come to a stop, and what contacts do not hold does not.
#include "sim/rest_stage.h"

#include <gtest/gtest.h>

#include "sim/row_assembler.h"
#include "tests/support/scenes.h"
#include "tests/support/step_start.h"

namespace stiction::testing {
namespace {

// A stack of cubes that touch, each contact with an impulse well inside its cone.
struct Stack {
  explicit Stack(int count)
      : start(MakeBoxStack(count)), assembler(start.model, start.pattern), rest(start.model) {
    SlipMemory slip;
    start.Compute();
    start.Move(assembler.rows().problem);
    slip.Recall(start.model, start.frame(), start.state.contacts);
    assembler.Assemble(start.model, start.input, start.state, start.frame(), {start.forces, start.factor},
                       EqualityStage(), slip, {}, false);
    solution.v.setZero(start.model.nv());
    solution.lambda.setZero(assembler.rows().problem.num_rows());
    for (int i = 0; i < num_contacts(); ++i) solution.lambda[3 * i + 2] = 0.01;
  }
  int num_contacts() { return assembler.rows().problem.num_constraints(); }
  // The trees that stop, sorted.
  std::vector<int> Find() {
    std::vector<int> held = rest.Find(start.frame(), assembler.rows(), solution);
    std::sort(held.begin(), held.end());
    return held;
  }
  // The contacts of a body with what is below it.
  std::vector<int> ContactsBelow(int body) {
    std::vector<int> found;
    for (int i = 0; i < num_contacts(); ++i) {
      const TrackedContact& tracked = start.contacts[assembler.rows().sources[i].contact].tracked;
      const int top =
          std::max(start.model.geoms[tracked.geom_a].body, start.model.geoms[tracked.geom_b].body);
      if (top == body) found.push_back(i);
    }
    return found;
  }

  StepStart start;
  RowAssembler assembler;
  RestStage rest;
  Solution solution;
};

TEST(RestStage, StacksStandFromBelow) {
  Stack stack(3);
  ASSERT_EQ(stack.num_contacts(), 12);
  EXPECT_EQ(stack.Find(), (std::vector<int>{0, 1, 2}));
  // What a solve leaves open is no motion, and adds up.
  for (int tree = 0; tree < 3; ++tree) stack.solution.v[6 * tree] = 8e-9 * (tree + 1);
  EXPECT_EQ(stack.Find(), (std::vector<int>{0, 1, 2}));
  // The second slides on the first, and carries the third.
  stack.solution.v[6] = stack.solution.v[12] = 1e-6;
  EXPECT_EQ(stack.Find(), (std::vector<int>{0}));
  // The first turns under the others.
  stack.solution.v.setZero();
  stack.solution.v[4] = 1e-5;
  EXPECT_TRUE(stack.Find().empty());
}

TEST(RestStage, TwoPointsOrALineDoNotHold) {
  Stack cube(1);
  const std::vector<int> below = cube.ContactsBelow(1);
  ASSERT_EQ(below.size(), 4u);
  cube.solution.lambda[3 * below[0] + 2] = 0.0;
  EXPECT_EQ(cube.Find().size(), 1u);
  cube.solution.lambda[3 * below[1] + 2] = 0.0;
  EXPECT_TRUE(cube.Find().empty());
}

TEST(RestStage, ContactsAtTheirFrictionLimitDoNotHold) {
  Stack cube(1);
  for (int i = 0; i < 4; ++i) cube.solution.lambda[3 * i] = 0.01;
  EXPECT_TRUE(cube.Find().empty());
  for (int i = 0; i < 4; ++i) cube.solution.lambda[3 * i] = 0.0099;
  EXPECT_EQ(cube.Find().size(), 1u);
}

// Nothing moves along the normal of a contact that presses, at its friction limit or not.
TEST(RestStage, NormalsHoldWhatTwoPointsLeave) {
  Stack cube(1);
  const std::vector<int> below = cube.ContactsBelow(1);
  ASSERT_EQ(below.size(), 4u);
  cube.solution.lambda[3 * below[0]] = 0.01;
  cube.solution.lambda[3 * below[1]] = 0.01;
  EXPECT_EQ(cube.Find().size(), 1u);
  cube.solution.lambda[3 * below[2]] = 0.01;  // the last one alone lets it turn about the vertical
  EXPECT_TRUE(cube.Find().empty());
}

TEST(RestStage, SlipThatIsLeftIsUndoneFirst) {
  Stack cube(1);
  for (int i = 0; i < 4; ++i) cube.assembler.rows().problem.e[3 * i] = 1e-7;
  EXPECT_TRUE(cube.Find().empty());
}

// Bodies that are not held stop where contacts balance the forces on them to the seventh digit.
TEST(RestStage, WhatHardlyMovesIsIdle) {
  Stack stack(2);
  // The last contact of each alone holds nothing.
  for (const int body : {1, 2}) {
    const std::vector<int> below = stack.ContactsBelow(body);
    for (int i = 0; i < 3; ++i) stack.solution.lambda[3 * below[i] + 2] = 0.0;
  }
  VectorXd& v_star = stack.assembler.rows().problem.v_star;
  v_star.setZero();
  v_star[2] = -0.01;
  stack.solution.v[10] = 9e-10;  // of the second, about the last contact
  std::vector<double>& before = stack.assembler.rows().warm_start;
  before.assign(stack.solution.lambda.begin(), stack.solution.lambda.end());
  EXPECT_EQ(stack.Find(), (std::vector<int>{0, 1}));
  // It was solved to stop.
  before.back() += 1e-9;
  EXPECT_TRUE(stack.Find().empty());
  before.back() = stack.solution.lambda[stack.solution.lambda.size() - 1];
  stack.solution.v[10] = 1.1e-9;
  EXPECT_TRUE(stack.Find().empty());
  // Weaker forces.
  stack.solution.v[10] = 9e-10;
  v_star[2] = -0.008;
  EXPECT_TRUE(stack.Find().empty());
  // On nothing that stands still.
  v_star[2] = -0.01;
  stack.solution.lambda[3 * stack.ContactsBelow(1)[3] + 2] = 0.0;
  before.assign(stack.solution.lambda.begin(), stack.solution.lambda.end());
  EXPECT_TRUE(stack.Find().empty());
}

// What contacts hold ends at rest, however fast a solve left it within their tolerance, and keeps nothing
// that lies on it awake.
TEST(RestStage, WhatLiesOnTheHeldIsIdle) {
  Stack stack(2);
  const std::vector<int> below = stack.ContactsBelow(2);
  for (int i = 0; i < 3; ++i) stack.solution.lambda[3 * below[i] + 2] = 0.0;
  VectorXd& v_star = stack.assembler.rows().problem.v_star;
  v_star.setZero();
  v_star[2] = -0.01;
  stack.assembler.rows().warm_start.assign(stack.solution.lambda.begin(), stack.solution.lambda.end());
  stack.solution.v[2] = 5e-9;    // of the first, which is held
  stack.solution.v[10] = 9e-10;  // of the second, about the last contact
  EXPECT_EQ(stack.Find(), (std::vector<int>{0, 1}));
  stack.solution.v[10] = 1.1e-9;
  EXPECT_EQ(stack.Find(), (std::vector<int>{0}));
}

// A ball on a slope that is nearly none: it rolls away on one of 1e-6 rad, as on any other, and does not on
// one of less than 1e-7 rad.
TEST(RestStage, BallRollsOnASlopeOfAMillionth) {
  for (const double slope : {1e-3, 1e-6, 1e-10}) {
    WorldOptions options;
    options.timestep = 0.01;
    ModelBuilder builder("slope");
    AddFloor(builder);
    AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(0, 0, 0.1));
    Model model = builder.Build();
    model.options.gravity = 9.81 * Vector3d(std::sin(slope), 0.0, -std::cos(slope));
    World world(std::move(model), options);
    for (int i = 0; i < 100; ++i) world.Step();
    const double speed = slope > 1e-7 ? 5.0 / 7.0 * 9.81 * std::sin(slope) : 0.0;  // after 1 s
    EXPECT_NEAR(world.v()[0], speed, 1e-6 * speed) << slope;
  }
}

// Once it stands, a stack solves nothing, moves by no bit, and takes a force that its friction can bear.
TEST(RestStage, StackIsTheSameDownToTheLastBit) {
  for (const double ratio : {1.0, 1000.0}) {
    WorldOptions options;
    options.timestep = 0.01;
    World world(MakeBoxStack(20, ratio), options);
    for (int i = 0; i < 100; ++i) world.Step();
    EXPECT_TRUE(world.v().isZero(0.0)) << ratio;
    const VectorXd q = world.q();
    int iterations = 0;
    for (int i = 0; i < 1000; ++i) iterations += world.Step().solve.iterations_sum;
    EXPECT_EQ(world.q(), q) << ratio;
    EXPECT_EQ(iterations, 0) << ratio;
  }
}

// A body that is pushed harder and harder gives way when friction does, and not one step later. Before that
// some of its contacts come to their limit, which no longer hold it.
TEST(RestStage, PushedBodyStartsToSlideInTime) {
  constexpr double kFriction = 0.5, kDt = 0.01, kRise = 0.1;  // [-], [s], [N per step]
  WorldOptions options;
  options.timestep = kDt;
  ModelBuilder builder("pushed");
  AddFloor(builder, {.friction = kFriction});
  AddFreeBody(builder, Box{{0.1, 0.1, 0.02}}, 1.0, Shift(0, 0, 0.02), {.friction = kFriction});
  World world(builder.Build(), options);
  for (int step = 1; step <= 60; ++step) {
    world.AddForce(1, world.body_poses()[1].p, Vector3d(kRise * step, 0, 0));
    world.Step();
    const bool slides = kRise * step > kFriction * kGravity;
    if (slides) {
      EXPECT_GT(world.v()[0], 1e-5) << step;
    } else {
      EXPECT_LT(world.v().lpNorm<Eigen::Infinity>(), 1e-8) << step;
    }
    const bool is_gentle = kRise * step < 0.25 * kFriction * kGravity;
    EXPECT_TRUE(!is_gentle || world.v().isZero(0.0)) << step;
  }
}

}  // namespace
}  // namespace stiction::testing

// What a step that turns or bends would leave in one another: removed within it, and nothing else changed.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stiction/geometry/distance.h"
#include "stiction/io/load.h"
#include "stiction/sim/world.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

constexpr double kSlop = 1e-5;  // overlap that stays

// Without gravity.
World MakeMoving(const std::string& bodies, const Vector3d& linear, const Vector3d& angular, double dt,
                 Integrator scheme = Integrator::kSymplecticEuler) {
  WorldOptions options;
  options.timestep = dt;
  options.integrator = scheme;
  World world(
      LoadModelText("<mujoco><option gravity='0 0 0'/><worldbody>" + bodies + "</worldbody></mujoco>"),
      options);
  SetFreeVelocity(world, 0, linear, angular);
  return world;
}

// Between the first two geoms, where the state is [m].
double CalcGap(const World& world) {
  const std::vector<Geom>& geoms = world.model().geoms;
  const std::vector<RigidTransform>& X_WG = world.kinematics().X_WG;
  return CalcDistance(geoms[0].shape, X_WG[0], geoms[1].shape, X_WG[1], 1.0).distance;
}

// A cube that lies on a ball with the middle of a face and spins about an axis along it: no row says that it
// comes nearer, and its face comes into the ball by (r + h) (1 − cos θ). It is a mean velocity that the
// others go by.
TEST(EndGaps, WhatATurnDrivesInIsOutInTheSameStep) {
  constexpr double kRadius = 0.05, kTurn = 0.4, dt = 0.01;
  for (const Integrator scheme :
       {Integrator::kSymplecticEuler, Integrator::kImplicitEuler, Integrator::kMidpoint}) {
    World world = MakeMoving(
        "<geom type='sphere' size='0.05' friction='0'/><body pos='0 0 0.1'><freejoint/>"
        "<geom type='box' size='0.05 0.05 0.05' density='1000' friction='0'/></body>",
        Vector3d::Zero(), {0, kTurn / dt, 0}, dt, scheme);
    const double energy = world.CalcEnergy().kinetic;
    const double depth = 2.0 * kRadius * (1.0 - std::cos(kTurn));
    ASSERT_GT(depth, 100.0 * kSlop);
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    EXPECT_GT(CalcGap(world), -2.0 * kSlop) << ToString(scheme);
    EXPECT_LT(CalcGap(world), 0.1 * depth) << ToString(scheme) << ": it is put there, not thrown";
    EXPECT_LE(world.CalcEnergy().kinetic, energy * (1.0 + 1e-12)) << ToString(scheme);
  }
}

// A ball of 5 mm radius runs round in a cup of 24 mm: it leaves the wall's tangent by s² / 2 (R − r).
TEST(EndGaps, ABallStaysInsideTheBendOfAWall) {
  constexpr double dt = 0.005;
  World world = MakeMoving(
      "<geom type='sdf' resolution='0.0015' friction='0'"
      " field='profile(0.0015, 0, -0.0285, 0.0255, -0.0285, 0.0255, 0.0285)'/>"
      "<body pos='0.019 0 0'><freejoint/><geom type='sphere' size='0.005' density='1000' "
      "friction='0'/></body>",
      {0, 1.0, 0}, Vector3d::Zero(), dt);
  ASSERT_GT(0.5 * dt * dt / 0.019, 50.0 * kSlop);
  for (int i = 0; i < 40; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    EXPECT_GT(CalcGap(world), -2.0 * kSlop) << i;
  }
  EXPECT_NEAR(world.q().head<2>().norm(), 0.019, 1e-4);
}

// What was deep before the step is not thrown out with what the turn adds.
TEST(EndGaps, OverlapThatWasThereGoesByAShare) {
  constexpr double kBefore = 2e-3, dt = 0.01;
  World world = MakeMoving(
      "<geom type='sphere' size='0.05' friction='0'/><body pos='0 0 0.098'><freejoint/>"
      "<geom type='box' size='0.05 0.05 0.05' density='1000' friction='0'/></body>",
      Vector3d::Zero(), {0, 20.0, 0}, dt);
  ASSERT_EQ(world.Step().status, StepStatus::kOk);
  EXPECT_LT(CalcGap(world), -0.7 * kBefore);
  EXPECT_GT(CalcGap(world), -kBefore);
}

// The kinematics of a look serves the next step: of what stands there, and of nothing that was put elsewhere.
TEST(EndGaps, ALookLeavesNothingThatTheStateDoesNotSay) {
  World world(
      LoadModelText("<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                    "<body pos='0 0 0.06'><freejoint/><geom type='box' size='0.05 0.05 0.05'/>"
                    "<body pos='0.09 0 0'><joint axis='0 1 0'/><geom type='sphere' size='0.03'/></body>"
                    "</body><body pos='0.4 0 0.06'><freejoint/>"
                    "<geom type='box' size='0.05 0.05 0.05'/></body></worldbody></mujoco>"));
  SetFreeVelocity(world, 0, {0.5, 0.2, 0.0}, {3, 6, 1});
  for (int i = 0; i < 60; ++i) {
    State state = world.state();
    if (i % 20 == 10) {
      state.q[0] += 1e-3;
      world.set_state(state);
    }
    World fresh(world.model(), world.options());
    fresh.set_state(state);
    world.Step();
    fresh.Step();
    ASSERT_EQ(world.q(), fresh.q()) << i;
    ASSERT_EQ(world.v(), fresh.v()) << i;
  }
}

// Two boxes thrown at one another, that turn by a tenth of a radian in a step and more: often they meet with
// an edge each, which is one point, and come down on a face within the step. Or nothing closes where they are
// nearest, and a corner comes in beside it.
TEST(EndGaps, WhatTumblesMeetsWithAllItsPoints) {
  constexpr double dt = 0.01, kDeep = 1e-3;
  std::mt19937 random(5);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto draw_vector = [&](double size) {
    return Vector3d(draw(-size, size), draw(-size, size), draw(-size, size));
  };
  constexpr int kThrows = 400;
  int num_meetings = 0, num_deep = 0;
  double deepest = 0.0;
  for (int k = 0; k < kThrows; ++k) {
    ModelBuilder builder;
    for (const double side : {-1.0, 1.0}) {
      const Vector3d half(draw(0.02, 0.05), draw(0.02, 0.05), draw(0.02, 0.05));
      const RigidTransform X_WB =
          Turn(draw(0.0, 3.0), draw_vector(1.0).normalized(), Vector3d(side * draw(0.08, 0.12), 0, 0));
      AddFreeBody(builder, Box{half}, 1e3 * 8.0 * half.prod(), X_WB, {.friction = draw(0.0, 1.0)});
    }
    World world = MakeWorld(builder.Build(), dt);
    State state = world.state();
    for (int i = 0; i < 2; ++i) {
      state.v.segment<3>(6 * i) = Vector3d((i == 0 ? 1.0 : -1.0) * draw(0.5, 3.0), 0, 0) + draw_vector(0.3);
      state.v.segment<3>(6 * i + 3) = draw_vector(20.0);
    }
    world.set_state(state);
    bool meets = false;
    double gap = 0.0;
    for (int step = 0; step < 20; ++step) {
      const StepReport report = world.Step();
      ASSERT_EQ(report.status, StepStatus::kOk) << k;
      meets = meets || report.num_contacts > 0;
      gap = std::min(gap, CalcGap(world));
    }
    num_meetings += meets;
    num_deep += gap < -kDeep;
    deepest = std::max(deepest, -gap);
  }
  EXPECT_GT(num_meetings, kThrows / 2);
  EXPECT_EQ(num_deep, 0);
  EXPECT_LT(deepest, kDeep);
}

}  // namespace
}  // namespace stiction::testing

// Loops that joints leave no way to follow, but for what the digits of a file leave.
#include "sim/immobile_directions.h"

#include <gtest/gtest.h>

#include <string>

#include "stiction/io/load.h"
#include "stiction/sim/world.h"

namespace stiction::testing {
namespace {

// A four-bar linkage whose axes are off by about `angle`, under a weight that drives it.
Model MakeLinkage(double angle) {
  const std::string one = std::to_string(1e9 * angle) + "e-9", other = std::to_string(-7e8 * angle) + "e-9";
  return LoadModelText(R"(<mujoco><option timestep="0.002" gravity="3 0 -9.81"/><worldbody>
    <body pos="0 0 1" quat="0.5 0.1 0.4 0.6"><joint type="hinge" axis="0 1 0"/>
      <geom type="capsule" size=".02" fromto="0 0 0 .1 0 .3" contype="0"/>
      <body pos=".1 0 .3"><joint type="hinge" axis=")" +
                       one + R"( 1 0"/>
        <geom type="capsule" size=".02" fromto="0 0 0 .5 0 0" contype="0"/>
        <body name="c" pos=".5 0 0"><joint type="hinge" axis="0 1 )" +
                       other + R"("/>
          <geom type="capsule" size=".02" fromto="0 0 0 .1 0 -.3" contype="0"/></body></body></body></worldbody>
    <equality><connect body1="c" anchor=".1 0 -.3"/></equality></mujoco>)");
}

// A double pendulum; with a point of the second hinge's axis, or beside it, held to the first body.
Model MakePendulum(bool is_held, double beside) {
  return LoadModelText(
      R"(<mujoco><option timestep="0.002"/><worldbody>
    <body name="p" pos="0.3 -0.4 0.2" quat="0.5 0.1 0.4 0.6"><joint type="hinge" axis="1 .3 .2"/>
      <geom size=".1" pos="0 .3 0" contype="0"/>
      <body name="c" pos=".3 .2 .1" quat=".5 .3 .1 .7"><joint type="hinge" axis=".2 .5 -.4" pos=".1 -.2 .05"/>
        <geom size=".1" pos=".2 .3 .1" contype="0"/></body></body></worldbody><equality>)" +
      (is_held ? "<connect body1='c' body2='p' anchor='" + std::to_string(0.1 + beside) + " -.2 .05'/>"
               : std::string()) +
      "</equality></mujoco>");
}

TEST(ImmobileDirections, LinkagesMoveWhoseAxesAreParallelToTheDigitsOfAFile) {
  World exact(MakeLinkage(0.0));
  std::vector<VectorXd> course;
  for (int i = 0; i < 300; ++i) {
    exact.Step();
    course.push_back(exact.q());
  }
  EXPECT_GT(exact.q().norm(), 0.5);
  for (const double angle : {1e-15, 1e-12, 1e-10, 1e-8, 1e-6}) {
    World world(MakeLinkage(angle));
    double off = 0.0, open = 0.0;
    for (const VectorXd& q : course) {
      world.Step();
      ASSERT_EQ(world.report().status, StepStatus::kOk) << angle;
      off = std::max(off, (world.q() - q).norm());
      open = std::max(open, world.report().loop);
    }
    EXPECT_LT(off, 100.0 * angle + 1e-9) << angle;
    EXPECT_LT(open, 2.0 * angle + 1e-11) << angle;
  }
}

TEST(ImmobileDirections, APointOfAHingesAxisMayBeHeldAgain) {
  World free(MakePendulum(false, 0.0));
  std::vector<VectorXd> course;
  for (int i = 0; i < 300; ++i) {
    free.Step();
    course.push_back(free.q());
  }
  for (const double beside : {0.0, 1e-6}) {
    World world(MakePendulum(true, beside));
    for (const VectorXd& q : course) {
      world.Step();
      ASSERT_EQ(world.report().status, StepStatus::kOk) << beside;
      ASSERT_LT((world.q() - q).norm(), 1e-9) << beside;
    }
    EXPECT_LT(world.report().loop, 2.0 * beside + 1e-12);
  }
}

TEST(ImmobileDirections, APointBesideTheAxisStopsTheHinge) {
  World world(MakePendulum(true, 1e-3));
  double swing = 0.0;
  for (int i = 0; i < 300; ++i) {
    world.Step();
    swing = std::max(swing, std::abs(world.q()[0]));
  }
  EXPECT_LT(world.report().loop, 1e-11);
  EXPECT_LT(std::abs(world.q()[1]), 1e-6);
  EXPECT_GT(swing, 0.01);
}

}  // namespace
}  // namespace stiction::testing

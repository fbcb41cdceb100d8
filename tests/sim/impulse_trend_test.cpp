// Impulses that change as they did in the step before (ContactMemory::change_W, LimitMemory) spare solves.
#include <gtest/gtest.h>

#include "stiction/io/load.h"
#include "stiction/sim/world.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// Steps of `count` that solved anything, under a force on the first dof that grows by as much in each [N].
int CountSolves(World& world, double growth, int count) {
  int solves = 0;
  for (int step = 0; step < count; ++step) {
    world.input().applied_generalized[0] += growth;
    world.Step();
    EXPECT_EQ(world.report().status, StepStatus::kOk) << step;
    solves += world.report().solve.iterations_sum > 0;
  }
  return solves;
}

// A box of 1 kg that is pushed harder and harder, and held by friction. Without the trend every step is
// solved; with it one, and once what that left has added up to the tolerance, every second.
TEST(ImpulseTrend, OfAGrowingPushSavesSolves) {
  World world(MakeBoxStack(1));
  for (int step = 0; step < 20; ++step) world.Step();
  EXPECT_LE(CountSolves(world, 1e-3, 50), 2);
  EXPECT_LE(CountSolves(world, 1e-3, 450), 225);
  EXPECT_LT(world.state().v.norm(), 1e-6);
}

// An arm that is pressed against the end of its range by a motor.
TEST(ImpulseTrend, OfALimitThatIsPressedNeedsNoSolves) {
  World world(LoadModelText(R"(<mujoco><worldbody><body><joint type="hinge" axis="0 1 0"
      limited="true" range="-10 10"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/>
      </body></worldbody></mujoco>)"));
  for (int step = 0; step < 300; ++step) world.Step();
  EXPECT_LE(CountSolves(world, 1e-2, 500), 25);
  EXPECT_GT(world.state().limits[0].upper_change, 0.0);
}

}  // namespace
}  // namespace stiction::testing

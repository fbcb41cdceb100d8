// Steps that miss their budget are taken in parts, which are steps like any other.
#include "sim/step_parts.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "stiction/sim/sensors.h"
#include "stiction/sim/world.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// One sweep and its retry are not enough for any step of a stack that lands.
WorldOptions MakeMissing(double dt, std::optional<int> halvings) {
  return {.solver = "pgs_ncp", .solver_options = {{"max_sweeps", "1"}}, .halvings = halvings, .timestep = dt};
}

// Boxes that fall onto one another, askew, with what they feel.
Model MakeLandingStack(bool has_mocap = false) {
  ModelBuilder builder("landing");
  AddFloor(builder);
  for (int i = 0; i < 3; ++i) {
    const int body = AddFreeBody(builder, Box{Vector3d(0.05, 0.06, 0.05)}, 1.0 + i,
                                 Shift(0.01 * i, 0.004 * i, 0.0499 + 0.0999 * i));
    builder.AddSensor({.type = SensorType::kAccelerometer, .frame = {.body = body}});
  }
  if (has_mocap) builder.AddBody({.X_PB = Shift(0, 5, 1), .is_mocap = true});
  Model model = builder.Build();
  return model;
}

TEST(StepParts, AreStepsOfAFractionOfTheTimestep) {
  constexpr double kStep = 0.01;
  World divided(MakeLandingStack(), MakeMissing(kStep, 2)),
      fine(MakeLandingStack(), MakeMissing(kStep / 4, 0));
  const StepReport& report = divided.Step();
  double ncp = 0.0;
  for (int i = 0; i < 4; ++i) ncp = std::max(ncp, fine.Step().certificate.ncp_max);
  EXPECT_EQ(report.num_parts, 4);
  EXPECT_EQ(report.status, StepStatus::kBudgetMissed);
  EXPECT_EQ(report.certificate.ncp_max, ncp) << "of the worst part";
  EXPECT_EQ(divided.time(), kStep);
  EXPECT_EQ(divided.state().q, fine.state().q);
  EXPECT_EQ(divided.state().v, fine.state().v);
  EXPECT_EQ(divided.sensors(), fine.sensors());
  ASSERT_EQ(divided.contacts().size(), fine.contacts().size());
  ASSERT_GE(divided.contacts().size(), 12u);
  for (std::size_t i = 0; i < fine.contacts().size(); ++i) {
    EXPECT_EQ(divided.contacts()[i].impulse_W, 4.0 * fine.contacts()[i].impulse_W);
    EXPECT_EQ(divided.state().contacts[i].impulse_W, 4.0 * fine.state().contacts[i].impulse_W);
  }
}

TEST(StepParts, AreNotMadeWhereTheBudgetIsMet) {
  World world(MakeLandingStack(), {.halvings = 2}), whole(MakeLandingStack(), {.halvings = 0});
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(world.Step().num_parts, 1);
    EXPECT_EQ(whole.Step().status, StepStatus::kOk);
  }
  EXPECT_EQ(world.state().q, whole.state().q);
}

// What is pressed for a whole step is pressed for half of it in half of it, and comes back to the last bit.
TEST(StepParts, StartFromTheirShareOfTheImpulses) {
  State state;
  state.contacts.resize(1);
  state.contacts[0].impulse_W = {0.1, 0.2, 0.3};
  state.equality_impulses = state.friction_impulses = VectorXd::Constant(1, 0.7);
  const State before = state;
  StepParts parts;
  parts.Begin(0.8, 4);
  StepReport miss;
  miss.status = StepStatus::kBudgetMissed;
  for (const double share : {0.5, 0.25}) {
    parts.Divide(miss, state);
    EXPECT_EQ(state.contacts[0].impulse_W, share * before.contacts[0].impulse_W);
    EXPECT_EQ(state.equality_impulses, share * before.equality_impulses);
    EXPECT_EQ(state.friction_impulses, share * before.friction_impulses);
  }
  parts.Restore(state);
  EXPECT_EQ(state.contacts[0].impulse_W, before.contacts[0].impulse_W);
  EXPECT_EQ(state.equality_impulses, before.equality_impulses);
}

TEST(StepParts, AreMadeOfWhatIsMissingOnly) {
  StepParts parts;
  State state;
  parts.Begin(0.8, 4);
  StepReport miss, taken;
  miss.status = StepStatus::kBudgetMissed;
  miss.solve.iterations = 100;
  taken.solve.iterations = 3;
  taken.certificate.ncp_max = 1e-9;
  parts.Divide(miss, state);
  EXPECT_EQ(parts.dt(), 0.4);
  parts.Add(taken);
  EXPECT_FALSE(parts.is_done() || parts.has_missed());
  parts.Divide(miss, state);
  EXPECT_EQ(parts.dt(), 0.2);
  EXPECT_FALSE(parts.may_divide());
  miss.certificate.ncp_max = 1e-6;
  parts.Add(miss);
  EXPECT_FALSE(parts.is_done());
  parts.Add(taken);
  EXPECT_TRUE(parts.is_done());
  EXPECT_TRUE(parts.has_missed());
  EXPECT_EQ(parts.report().status, StepStatus::kBudgetMissed);
  EXPECT_EQ(parts.report().certificate.ncp_max, 1e-6);
  EXPECT_EQ(parts.report().solve.iterations, 306);
  EXPECT_EQ(parts.report().num_parts, 4);
}

TEST(StepParts, LeaveTheStateAsItWasWhereOneCannotBeTaken) {
  World world(MakeLandingStack(), MakeMissing(0.01, 2));
  world.Step();
  const State before = world.state();
  world.input().applied_generalized[0] = 2e12;  // in a quarter of the step not yet beyond any physical speed
  const StepReport& report = world.Step();
  EXPECT_EQ(report.status, StepStatus::kDiverged);
  EXPECT_EQ(report.num_parts, 4);
  EXPECT_EQ(world.state().q, before.q);
  EXPECT_EQ(world.state().v, before.v);
  EXPECT_EQ(world.time(), before.time);
  world.input().applied_generalized[0] = 0.0;
  EXPECT_EQ(world.Step().status, StepStatus::kBudgetMissed);
}

TEST(StepParts, AreForTheDefaultSolverUnlessAskedFor) {
  World named(MakeLandingStack(), MakeMissing(0.01, std::nullopt));
  EXPECT_EQ(named.Step().num_parts, 1);
  WorldOptions accepting = MakeMissing(0.01, 2);
  accepting.on_miss = OnMiss::kAccept;
  EXPECT_EQ(World(MakeLandingStack(), accepting).Step().num_parts, 1);
  World starved(MakeLandingStack(),
                {.solver_options = {{"sweeps", "0"}}, .solver_budget = {.iterations = 1}});
  EXPECT_EQ(starved.Step().num_parts, 1);
  EXPECT_THROW(World(MakeLandingStack(), {.halvings = -1}), std::invalid_argument);
  EXPECT_THROW(World(MakeLandingStack(), {.halvings = kMostHalvings + 1}), std::invalid_argument);
}

TEST(StepParts, AreNotMadeWhereBodiesAreMoved) {
  World world(MakeLandingStack(true), MakeMissing(0.01, 1));
  EXPECT_EQ(world.Step().num_parts, 2);
  world.input().mocap[0] += 0.01;
  EXPECT_EQ(world.Step().num_parts, 1);
  EXPECT_EQ(world.Step().num_parts, 2);
}

}  // namespace
}  // namespace stiction::testing

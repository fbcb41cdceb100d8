// The ghost filter alone: which far contacts come about.
#include "sim/ghost_filter.h"

#include <gtest/gtest.h>

#include <limits>

#include "sim/row_assembler.h"
#include "stiction/io/load.h"
#include "tests/support/scenes.h"
#include "tests/support/step_start.h"

namespace stiction::testing {
namespace {

// A ball of radius 10 cm, 1 cm above the floor.
struct Ball {
  explicit Ball(double speed) : start(MakeBall(0.1, 0.01)) {
    start.state.v[2] = speed;
    start.Compute();
    rows.contact_constraint.assign(start.contacts.size(), -1);
    start.Move(rows.problem);
  }
  StageSolve Run() {
    return filter.Run(start.model, start.input, start.state, start.frame(), rows, start.factor, admitted);
  }
  StepStart start;
  StepRows rows;  // none
  GhostFilter filter{start.model};
  std::vector<int> admitted;
};

TEST(GhostFilter, AdmitsWhatOverlapsAtTheEndOfTheStep) {
  Ball falling(-8.0);  // 1.6 cm in a step
  ASSERT_EQ(falling.start.contacts.size(), 1u);
  ASSERT_TRUE(falling.start.contacts[0].is_far);
  const StageSolve solve = falling.Run();
  EXPECT_TRUE(solve.has_run);
  EXPECT_FALSE(solve.missed());
  EXPECT_EQ(falling.admitted, std::vector<int>{0});
}

TEST(GhostFilter, LeavesOutWhatWouldNotTouch) {
  for (const double speed : {-4.5, 8.0}) {  // 9 mm in the step, and away
    Ball ball(speed);
    ASSERT_EQ(ball.start.contacts.size(), 1u) << speed;
    EXPECT_FALSE(ball.Run().has_run);  // nothing to solve for
    EXPECT_TRUE(ball.admitted.empty()) << speed;
  }
}

// A force that turns the ball around within the step.
TEST(GhostFilter, GoesByTheMotionOfTheStepNotByItsStart) {
  Ball ball(-8.0);
  ball.start.input.applied_generalized[2] = 10.0 / ball.start.dt;
  ball.start.Move(ball.rows.problem);
  EXPECT_TRUE(ball.Run().has_run);
  EXPECT_TRUE(ball.admitted.empty());
}

// What the loose solve left out, by the velocity that the step then has.
TEST(GhostFilter, AdmitsLateWhatTheAnswerDrivesIn) {
  Ball ball(-4.5);
  EXPECT_FALSE(ball.Run().has_run);
  ASSERT_TRUE(ball.admitted.empty());
  const double touching = -0.01 / ball.start.dt, micrometre = 1e-6 / ball.start.dt;
  const auto find = [&ball](double speed) {
    VectorXd v = VectorXd::Zero(ball.start.model.nv());
    v[2] = speed;
    std::vector<int> late{7};
    ball.filter.FindLate(ball.start.model, ball.start.input, ball.start.state, ball.start.frame(), ball.rows,
                         v, late);
    return late;
  };
  EXPECT_TRUE(find(-4.5).empty());
  EXPECT_TRUE(find(touching - 0.5 * micrometre).empty());
  EXPECT_EQ(find(touching - 2.0 * micrometre), std::vector<int>{0});
  EXPECT_TRUE(find(std::numeric_limits<double>::quiet_NaN()).empty());
  ball.rows.contact_constraint[0] = 0;  // it acts
  EXPECT_TRUE(find(-8.0).empty());
}

// A square peg falls down a hole and leans on its rim, a little in it, with its upper edge still 1 mm above.
// That edge leans out too far by as much: at the end of the step it would be as deep in the wall, as the
// side is now, and so it slips by.
TEST(GhostFilter, LeavesOutWhatOnlyNearContactsOverlapBy) {
  constexpr double kOverlap = 3e-6, kLean = 5e-4, kAbove = 1e-3;
  StepStart start(LoadModel(STICTION_SOURCE_DIR "/assets/models/peg_in_hole.xml"));
  const double to_rim = 0.03 - kAbove;  // from the peg's middle, along it
  start.state.q.head<3>() << 0.0, -1e-4 - kOverlap + kLean * to_rim, 0.02 + 0.01 * kLean - to_rim;
  start.state.q.tail<4>() << std::cos(0.5 * kLean), std::sin(0.5 * kLean), 0.0, 0.0;
  start.state.v[2] = -1.0;
  start.Compute();
  StepRows rows;
  rows.contact_constraint.assign(start.contacts.size(), -1);
  start.Move(rows.problem);
  const auto is_edge = [](const DetectedContact& contact) {
    return contact.is_far && contact.tracked.point.n_W.z() > 0.99;
  };
  ASSERT_TRUE(std::any_of(start.contacts.begin(), start.contacts.end(), is_edge));
  GhostFilter filter(start.model);
  std::vector<int> admitted;
  EXPECT_TRUE(
      filter.Run(start.model, start.input, start.state, start.frame(), rows, start.factor, admitted).has_run);
  EXPECT_TRUE(admitted.empty());
}

// A ball of 5 mm radius, 1 mm above a plate of 3 mm, which it is below when the step ends: it meets it on its
// way. Beside the plate's edge it does not.
TEST(GhostFilter, AdmitsWhatIsThroughByTheEndOfTheStep) {
  constexpr double dt = 0.01;
  for (const bool passes_by : {false, true}) {
    StepStart start(LoadModelText(R"xml(<mujoco><worldbody>
          <geom type="box" size="0.1 0.1 0.0015" pos="0 0 -0.0015"/>
          <body pos="0 0 0.006"><freejoint/><geom type="sphere" size="0.005" density="1000"/></body>
        </worldbody></mujoco>)xml"),
                    dt);
    if (passes_by) start.state.q[0] = 0.1055;
    start.state.v[2] = -1.5;
    start.Compute();
    ASSERT_FALSE(start.contacts.empty());
    ASSERT_FALSE(start.contacts[0].is_swept);
    StepRows rows;
    rows.contact_constraint.assign(start.contacts.size(), -1);
    start.Move(rows.problem);
    GhostFilter filter(start.model);
    std::vector<int> admitted;
    EXPECT_TRUE(filter.Run(start.model, start.input, start.state, start.frame(), rows, start.factor, admitted)
                    .has_run);
    EXPECT_EQ(admitted.empty(), passes_by);
  }
}

TEST(GhostFilter, HasNothingToDoWhereNothingIsFar) {
  Ball near(0.0);
  near.start.state.q[2] = 0.1005;
  near.start.Compute();
  ASSERT_EQ(near.start.contacts.size(), 1u);
  EXPECT_FALSE(near.Run().has_run);
  EXPECT_TRUE(near.admitted.empty());
}

}  // namespace
}  // namespace stiction::testing

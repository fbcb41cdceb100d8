// Built-in scenes of bodies that touch one another.
#include <gtest/gtest.h>

#include <random>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/scenes/start_scene.h"

namespace stiction::testing {
namespace {

// Piles grow, hold their mass ratio, and every step is exact while they fall and come to rest; but where the
// ball strikes, the default solver ends some steps a little above 1e-8 m/s.
TEST(Piles, StepExactly) {
  for (const SceneEntry& entry : ListScenes()) {
    if (!entry.is_pile) continue;
    SCOPED_TRACE(entry.name);
    World world = StartScene(entry.name, {});
    EXPECT_EQ(world.model().nv(), 6 * entry.num_bodies);
    EXPECT_NEAR(MassRatio(world.model()), entry.mass_ratio, 1e-6 * entry.mass_ratio);
    for (int step = 0; step < 30; ++step) {
      const StepReport& report = world.Step();
      EXPECT_EQ(report.bad_body, -1) << step;
      EXPECT_LE(report.certificate.ncp_max, entry.name == std::string("brick_wall") ? 1e-7 : 1e-8) << step;
    }
  }
  for (const char* name : {"stack", "layers", "clutter"}) EXPECT_EQ(MakeScene(name, {.count = 30}).nv(), 180);
  for (const char* name : {"stack", "layers", "clutter", "sphere_stack", "brick_wall", "dishes"})
    EXPECT_NEAR(MassRatio(MakeScene(name, {.mass_ratio = 5.0})), 5.0, 1e-9) << name;
  EXPECT_NE(MakeScene("clutter", {.seed = 1}).bodies[1].X_PB.p,
            MakeScene("clutter", {.seed = 2}).bodies[1].X_PB.p);
  EXPECT_EQ(MakeScene("stack", {.with_feet = false}).num_geoms(), 20);
}

// A wall of any count stands in whole rows but for the top one, in bond, and is struck in the middle.
TEST(Piles, WallsGrow) {
  for (const int count : {1, 7, 25, 60, 600}) {
    SCOPED_TRACE(count);
    World world = StartScene("brick_wall", {.count = count});
    const Model& model = world.model();
    ASSERT_EQ(model.num_bodies(), count + 2);
    world.Refresh();
    double lowest = 1e9, left = 1e9, right = -1e9;
    for (int b = 1; b <= count; ++b) {
      const Vector3d p = world.body_poses()[b].p;
      lowest = std::min(lowest, p.z()), left = std::min(left, p.x()), right = std::max(right, p.x());
    }
    const Vector3d ball = world.body_poses()[count + 1].p;
    EXPECT_EQ(lowest, 1.0);
    EXPECT_GE(ball.z(), 4.0);  // its radius
    EXPECT_LE(left, ball.x());
    EXPECT_GE(right, ball.x());
    for (const Contact& contact : world.contacts()) EXPECT_GE(contact.gap, -1e-12);
    EXPECT_GE(static_cast<int>(world.contacts().size()), 4 * count);  // each on what is below it
  }
}

// Islands of 200 contacts and more in mid-impact, with friction 1: two of these steps used to end at 5e-7 and
// 4e-5 m/s, in a cycle of the default solver.
TEST(Piles, LargeClutterStepsExactly) {
  World world = StartScene("clutter", {.count = 120});
  ASSERT_EQ(world.model().options.timestep, 0.01);
  int contacts = 0;
  for (int step = 1; step <= 110; ++step) {
    const StepReport& report = world.Step();
    ASSERT_EQ(report.status, StepStatus::kOk) << step << ": " << report.certificate.ncp_max;
    EXPECT_LE(report.certificate.ncp_max, 1e-8) << step;
    contacts = std::max(contacts, report.num_contacts);
  }
  EXPECT_GT(contacts, 250);
}

// A stack that stands, whatever its load: the height is a fact, not a parameter.
TEST(Piles, TheStackStandsUnderItsLoad) {
  World world = StartScene("stack", {.mass_ratio = 1000.0});
  while (world.time() < 1.0) world.Step();
  EXPECT_NEAR(world.body_poses()[20].p.z(), 1.95, 1e-6);
}

// Where every step's solve ends early, each goes on where the last one ended. The contacts stay as they are,
// so that what is left of a push is the solver's alone: it would never go, were a warm start kept whose
// residual is small by chance.
TEST(Piles, ShortSolvesBySubAdmmComeToRest) {
  World world(MakeScene("dishes", {.mass_ratio = 50.0}), {.timestep = 1.0 / 240.0});
  for (int step = 0; step < 120; ++step) world.Step();
  ContactProblem problem = world.MakeProblem();
  const VectorXd fall = problem.v_star - world.state().v;  // of a step
  for (const double push : {1e-4, 1e-2}) {
    SCOPED_TRACE(push);
    const std::unique_ptr<ContactSolver> solver = MakeSolver("subadmm");
    EXPECT_EQ(SetSolverOption(*solver, "max_iterations", "100"), "");
    ProblemSolver solve;
    Solution solution;
    std::mt19937 random(1);
    VectorXd v(problem.nv());
    for (double& value : v) value = push * (random() / 2147483648.0 - 1.0);
    for (int step = 0; step < 150; ++step) {
      problem.v_star = v + fall;
      (void)solve.Solve(problem, *solver, solution);
      v = solution.v;
    }
    EXPECT_LE(v.cwiseAbs().maxCoeff(), 1e-5);
  }
}

// What the ball hits moves, and the momentum along its flight is what friction on the ground leaves of it.
TEST(Piles, TheBallStrikesTheWall) {
  World world = StartScene("brick_wall", {});
  const double before = world.CalcMomentum().first.y();
  const int middle = world.model().FindBody("b12");
  ASSERT_GE(middle, 0);
  for (int step = 0; step < 5; ++step) world.Step();
  EXPECT_GT(world.body_poses()[middle].p.y(), 0.1);
  EXPECT_GT(world.CalcMomentum().first.y(), 0.9 * before);
  EXPECT_LT(world.CalcMomentum().first.y(), before);
}

}  // namespace
}  // namespace stiction::testing

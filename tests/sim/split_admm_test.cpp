// SubADMM on trees with contacts on their bodies: the composite rigid body algorithm for A + β Σ JᵀJ, and
// contacts between two bodies of one tree, which only a split by body keeps branch-sparse.
#include <gtest/gtest.h>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/io/problem_file.h"
#include "stiction/sim/world.h"
#include "tests/io/temporary_file.h"
#include "tests/support/scenes.h"

namespace stiction {
namespace {

// Two free trunks with two jointed legs each, on a floor; the legs of one trunk lean against one another if
// `touching`.
Model MakeRobots(bool touching) {
  ModelBuilder builder("robots");
  stiction::testing::AddFloor(builder);
  for (int r = 0; r < 2; ++r) {
    const int trunk = stiction::testing::AddFreeBody(builder, Box{{0.3, 0.1, 0.05}}, 5.0,
                                                     stiction::testing::Shift(0.1 * r, 0.05, 0.45 + 0.4 * r));
    for (const double side : {-1.0, 1.0}) {
      const int leg = builder.AddBody(
          {.parent = trunk,
           .X_PB = stiction::testing::Turn(touching ? 0.2 * side : 0.1 * side, Vector3d::UnitY(),
                                           Vector3d((touching ? 0.09 : 0.2) * side, 0, -0.08))});
      builder.AddJoint(leg, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()},
                             .stiffness = 5.0,
                             .damping = 0.2,
                             .armature = 0.01});
      builder.AddGeom(
          {.body = leg, .shape = Capsule{0.04, 0.12}, .X_BG = stiction::testing::Shift(0, 0, -0.14)},
          {.mass = 1.0});
    }
  }
  return builder.Build();
}

// The same step by the solver named, from a state that a run of `auto` reached.
struct Outcome {
  VectorXd v;
  StepReport report;
  int self_contacts = 0;
};
Outcome StepOnce(bool touching, const std::string& solver, int iterations, const char* tolerance,
                 int warm_steps, const char* adapt_ratio = "15") {
  WorldOptions settle;
  settle.timestep = 0.005;
  World before(MakeRobots(touching), settle);
  for (int i = 0; i < warm_steps; ++i) before.Step();
  WorldOptions options = settle;
  options.solver = solver;
  options.on_miss = OnMiss::kAccept;
  options.solver_options = {
      {"max_iterations", std::to_string(iterations)}, {"tolerance", tolerance}, {"adapt_ratio", adapt_ratio}};
  World world(MakeRobots(touching), options);
  State state = before.state();
  state.penalties.assign(state.penalties.size(), 0.0);
  world.set_state(state);
  Outcome outcome;
  outcome.report = world.Step();
  outcome.v = world.v();
  for (const BodyContact& contact : world.problem().body_contacts) {
    const BranchPattern& pattern = world.problem().A.pattern();
    if (contact.dof_A >= 0 && contact.dof_B >= 0)
      outcome.self_contacts += pattern.root(contact.dof_A) == pattern.root(contact.dof_B);
  }
  return outcome;
}

// Without contacts inside a tree the two splits are the same method: branch-sparse with particles through the
// composite rigid body algorithm, and dense with outer products.
TEST(SplitAdmm, ByBodyAndByTreeAreOneMethodWithoutSelfContacts) {
  for (const int iterations : {1, 7, 40}) {
    const Outcome body = StepOnce(false, "subadmm", iterations, "0", 150);
    const Outcome tree = StepOnce(false, "admm_nobody", iterations, "0", 150);
    ASSERT_GE(body.report.num_contacts, 4);
    EXPECT_EQ(body.self_contacts, 0);
    EXPECT_EQ(body.report.solve.factorizations, tree.report.solve.factorizations);
    EXPECT_LT((body.v - tree.v).norm(), 1e-11 * (1.0 + tree.v.norm())) << iterations;  // rounding
  }
}

TEST(SplitAdmm, EverySplitSolvesSelfContacts) {
  for (const char* solver : {"subadmm", "admm_nobody", "admm_nosub"}) {
    const Outcome outcome = StepOnce(true, solver, 20000, "1e-10", 150);
    EXPECT_EQ(outcome.self_contacts > 0, solver == std::string("subadmm")) << solver;
    EXPECT_EQ(outcome.report.solve.status, SolveStatus::kConverged) << solver;
    EXPECT_LE(outcome.report.certificate.ncp_max, 1e-9) << solver;
  }
}

// The matrix of the whole system is the same by blocks of trees, entry by entry and in full.
TEST(SplitAdmm, FactorsTheWholeMatrixInThreeWays) {
  WorldOptions options;
  options.timestep = 0.005;
  World world(MakeRobots(true), options);
  for (int i = 0; i < 60; ++i) world.Step();
  const ContactProblem& problem = world.problem();
  ASSERT_GE(problem.num_constraints(), 4);
  VectorXd by_trees;
  for (const char* matrix : {"trees", "entries", "full"}) {
    const auto solver = MakeSolver("admm_nosub");
    EXPECT_EQ(SetSolverOption(*solver, "matrix", matrix), "");
    EXPECT_EQ(SetSolverOption(*solver, "max_iterations", "40"), "");
    solver->set_tolerance(0.0);
    Solution solution;
    const ProblemReport report = ProblemSolver().Solve(problem, *solver, solution);
    EXPECT_GT(report.solve.iterations, 5) << matrix;
    if (by_trees.size() == 0) by_trees = solution.v;
    EXPECT_LT((solution.v - by_trees).norm(), 1e-10 * (1.0 + by_trees.norm())) << matrix;
  }
}

// Of a world whose own solver has no use for bodies.
TEST(SplitAdmm, SplitsAProblemOfAFileAsThatOfTheSimulation) {
  WorldOptions options;
  options.timestep = 0.005;
  World world(MakeRobots(true), options);
  for (int i = 0; i < 60; ++i) world.Step();
  ASSERT_TRUE(world.problem().body_contacts.empty());
  const ContactProblem problem = world.MakeProblem();
  ASSERT_FALSE(problem.body_contacts.empty());
  const TemporaryFile json, hdf5("", ".h5");
  WriteProblemJson(json.path(), problem, {});
  CreateProblemHdf5(hdf5.path());
  AppendProblemHdf5(hdf5.path(), "step", problem, {});
  const auto solve = [](const ContactProblem& whole) {
    const auto solver = MakeSolver("subadmm");
    Solution solution;
    const ProblemReport report = ProblemSolver().Solve(whole, *solver, solution);
    EXPECT_GT(report.solve.iterations, 0);
    return solution.lambda;
  };
  const GrowingVector lambda = solve(problem);
  for (const std::string& path : {json.path(), hdf5.path()}) {
    const ContactProblem read = ReadProblems(path).front().problem;
    EXPECT_EQ(read.motion, problem.motion);
    ASSERT_EQ(read.body_contacts.size(), problem.body_contacts.size());
    for (std::size_t i = 0; i < read.body_contacts.size(); ++i) {
      const BodyContact &a = read.body_contacts[i], &b = problem.body_contacts[i];
      EXPECT_TRUE(a.constraint == b.constraint && a.dof_A == b.dof_A && a.dof_B == b.dof_B);
      EXPECT_TRUE(a.p_A == b.p_A && a.p_B == b.p_B && a.R_CW == b.R_CW);
    }
    for (int k = 0; k < problem.nv(); ++k)
      EXPECT_EQ(read.A.pattern().row_length(k), problem.A.pattern().row_length(k));
    EXPECT_EQ(solve(read), lambda);
  }
}

// What is made after a step is what a solver that splits by body has while it solves, far contacts that came
// late among them.
TEST(SplitAdmm, BodiesAreMadeAfterAStepAsForItsSolver) {
  WorldOptions options;
  options.solver = "subadmm";
  options.timestep = 0.005;
  World world(MakeRobots(true), options);
  std::size_t most = 0;
  for (int i = 0; i < 60; ++i) {
    world.Step();
    world.CalcEnergy();  // kinematics of the end
    const ContactProblem &own = world.problem(), made = world.MakeProblem();
    ASSERT_EQ(made.motion, own.motion) << "step " << i;
    ASSERT_EQ(made.body_contacts.size(), own.body_contacts.size()) << "step " << i;
    for (std::size_t c = 0; c < own.body_contacts.size(); ++c) {
      const BodyContact &a = made.body_contacts[c], &b = own.body_contacts[c];
      EXPECT_TRUE(a.constraint == b.constraint && a.dof_A == b.dof_A && a.dof_B == b.dof_B);
      EXPECT_TRUE(a.p_A == b.p_A && a.p_B == b.p_B && a.R_CW == b.R_CW);
    }
    most = std::max(most, own.body_contacts.size());
  }
  EXPECT_GE(most, 4u);
}

// A change of the penalty throws what was nearly solved back for some tens of iterations: none is made that
// the solve has no time to make up for.
TEST(SplitAdmm, ChangesItsPenaltyInTheFirstHalfOfItsIterations) {
  const auto count = [](int iterations, int step) {
    return StepOnce(false, "subadmm", iterations, "0", step, "1.01").report.solve.factorizations;
  };
  for (const int step : {60, 90, 120, 150}) {
    EXPECT_EQ(count(39, step), 1) << step;  // looks at it every 20 iterations
    EXPECT_EQ(count(79, step), 2) << step;
    EXPECT_EQ(count(119, step), 3) << step;
    EXPECT_EQ(count(120, step), 4) << step;
  }
}

// Who slides and who is open is settled soon; what is left then is a linear iteration. Without mixing some of
// these steps are solved after 20000 iterations no better than after 2000.
TEST(SplitAdmm, MixesWhatIsLeftOnceContactsHaveSettled) {
  WorldOptions options;
  options.timestep = 0.005;
  for (const char* name : {"subadmm", "admm_nobody", "admm_nosub"}) {
    World world(MakeRobots(true), options);
    int mixed = 0, plain = 0, solved_mixed = 0, solved_plain = 0;
    for (int i = 0; i < 150; ++i) {
      world.Step();
      if (i % 10 != 9 || world.problem().num_constraints() == 0) continue;
      const ContactProblem problem = world.MakeProblem();
      const auto solve = [&](const char* differences, Solution& solution) {
        const auto solver = MakeSolver(name);
        EXPECT_EQ(SetSolverOption(*solver, "anderson", differences), "");
        EXPECT_EQ(SetSolverOption(*solver, "max_iterations", "2000"), "");
        solver->set_tolerance(1e-10);
        const ProblemReport report = ProblemSolver().Solve(problem, *solver, solution);
        const bool is_solved = report.solve.status == SolveStatus::kConverged;
        EXPECT_TRUE(!is_solved || report.certificate.own_law <= 1e-9) << name << ", step " << i;
        return std::pair(is_solved, report.solve.iterations);
      };
      Solution with, without;
      const auto [is_mixed_solved, count_mixed] = solve("20", with);
      const auto [is_plain_solved, count_plain] = solve("0", without);
      solved_mixed += is_mixed_solved;
      solved_plain += is_plain_solved;
      if (!is_mixed_solved || !is_plain_solved) continue;
      mixed += count_mixed;
      plain += count_plain;
      EXPECT_LT((with.v - without.v).norm(), 1e-7 * (1.0 + without.v.norm())) << name << ", step " << i;
    }
    EXPECT_GE(solved_plain, 5) << name;
    EXPECT_GT(solved_mixed, solved_plain) << name;
    EXPECT_LT(2 * mixed, plain) << name;
  }
}

// Friction moments make the problem another one, with auxiliary dofs. What an island without any is solved by
// is not to depend on them: what stands still elsewhere may be left out of a step (sim/still_islands.h).
TEST(SplitAdmm, SolvesAnIslandAlikeWhateverOthersHave) {
  const auto make_world = [](int condim) {
    ModelBuilder builder("two");
    stiction::testing::AddFloor(builder);
    stiction::testing::AddFreeBody(builder, Box{{0.1, 0.1, 0.05}}, 1.0,
                                   stiction::testing::Turn(0.3, Vector3d::UnitX(), Vector3d(-1, 0, 0.2)));
    const int ball = builder.AddBody({.X_PB = stiction::testing::Shift(1, 0, 0.1)});
    builder.AddJoint(ball, {.kind = FreeJoint{}});
    builder.AddGeom({.body = ball, .shape = Sphere{0.1}, .condim = condim}, {.mass = 1.0});
    WorldOptions options;
    options.solver = "subadmm";
    World world(builder.Build(), options);
    State state = world.state();
    state.v[11] = 100.0;  // the ball spins
    world.set_state(state);
    return world;
  };
  World with = make_world(4), without = make_world(3);
  int most = 0;
  for (int i = 0; i < 200; ++i) {
    most = std::max(most, with.Step().num_contacts);
    without.Step();
    ASSERT_EQ(with.q().head<7>(), without.q().head<7>()) << "step " << i;
    ASSERT_EQ(with.v().head<6>(), without.v().head<6>()) << "step " << i;
  }
  EXPECT_GE(most, 5);
  EXPECT_LT(with.v()[11], 0.99 * without.v()[11]);
}

// The ball on the left has its own island, unless all are one.
TEST(SplitAdmm, OneIslandIsAnOption) {
  for (const bool one_island : {false, true}) {
    WorldOptions options;
    options.one_island = one_island;
    ModelBuilder builder("two");
    stiction::testing::AddFloor(builder);
    for (const double x : {-1.0, 1.0})
      stiction::testing::AddFreeBody(builder, Sphere{0.1}, 1.0, stiction::testing::Shift(x, 0, 0.1));
    World world(builder.Build(), options);
    EXPECT_EQ(world.Step().num_islands, one_island ? 1 : 2);
    EXPECT_EQ(world.report().status, StepStatus::kOk);
  }
}

}  // namespace
}  // namespace stiction

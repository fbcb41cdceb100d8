// Solvers under a budget of iterations or time: each ends when it is told to, with its best iterate.
#include "stiction/contact/solver_budget.h"

#include <gtest/gtest.h>

#include "math/task_pool.h"
#include "stiction/contact/island.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/contact_problems.h"
#include "tests/support/problem_sets.h"

namespace stiction::testing {
namespace {

constexpr double kForEver = 1e6;  // factor on a solver's iteration limits
constexpr double kTime = 3e-3;    // [s]

// An island that no method solves in a few iterations.
ContactProblem MakeHardProblem() {
  return MakeSlidingTower(1, 0.5);
}

// Copies of the sliding tower beside one another: as many islands.
ContactProblem MakeTowers(int count) {
  ProblemSketch sketch;
  RandomNumbers random(7);
  for (int tower = 0; tower < count; ++tower) {
    int below = -1;
    for (int ball = 0; ball < 4; ++ball) {
      Vector6d twist = random.Vector(6, 0.3);
      twist[2] = -0.05;
      const Vector3d p(2.0 * tower, 0.0, 0.05 + 0.1 * ball);
      const int body = sketch.AddBall(ball == 3 ? 100.0 : 1.0, 0.05, p, twist);
      sketch.AddContact(below, body, p - Vector3d(0, 0, 0.05), {0, 0, 1}, 0.5);
      below = body;
    }
  }
  return sketch.Build();
}

class BudgetOf : public ::testing::TestWithParam<const char*> {
 protected:
  // In `iterations`, from nothing.
  ProblemReport SolveIn(const ContactProblem& problem, int iterations) {
    const auto solver = MakeSolver(GetParam());
    ProblemSolver workspace;
    workspace.Limit(SolveClock::kNever, iterations);
    solution = {};
    return workspace.Solve(problem, *solver, solution);
  }
  Solution solution;
};

std::vector<const char*> ListBudgetedNames() {
  std::vector<const char*> names;
  for (const SolverEntry& entry : ListSolvers()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Contact, BudgetOf, ::testing::ValuesIn(ListBudgetedNames()),
                         [](const auto& solver) { return std::string(solver.param); });

TEST_P(BudgetOf, IterationsEndItWithItsBestIterate) {
  const ContactProblem problem = MakeHardProblem();
  const ProblemReport none = SolveIn(problem, 0);
  EXPECT_TRUE(solution.lambda.isZero(0.0));
  EXPECT_EQ(none.solve.num_cut, 1);
  EXPECT_EQ(none.solve.iterations, 0);
  for (const int iterations : {1, 3, 7}) {
    const ProblemReport report = SolveIn(problem, iterations);
    const SolveReport& solve = report.solve;
    EXPECT_LE(std::max({solve.iterations, solve.newton_steps, solve.sweeps}), iterations);
    EXPECT_TRUE(solution.lambda.allFinite());
    EXPECT_EQ(solve.num_cut, solve.status == SolveStatus::kMaxIterations) << ToString(solve.status);
    EXPECT_LE(report.certificate.own_law, none.certificate.own_law);
  }
}

TEST_P(BudgetOf, OneThatIsNotUsedUpChangesNoBit) {
  for (const ContactProblem& problem : {MakeHardProblem(), MakeTowers(3)}) {
    const auto solver = MakeSolver(GetParam());
    ProblemSolver workspace;
    Solution free;
    const ProblemReport report = workspace.Solve(problem, *solver, free);
    EXPECT_EQ(report.solve.num_cut, 0);
    EXPECT_EQ(SolveIn(problem, 10'000'000).solve.num_cut, 0);
    EXPECT_EQ(solution.lambda, free.lambda);
    EXPECT_EQ(solution.v, free.v);
  }
}

// No tolerance is ever met, and no limit reached: time alone ends it, or that nothing moves any more.
TEST_P(BudgetOf, TimeEndsIt) {
  const ContactProblem problem = MakeHardProblem();
  const auto solver = MakeSolver(GetParam());
  solver->set_tolerance(0.0);
  solver->set_effort(kForEver);
  ProblemSolver workspace;
  const double start = ReadClock();
  workspace.Limit(start + kTime);
  const ProblemReport report = workspace.Solve(problem, *solver, solution);
  const double time = ReadClock() - start;
  EXPECT_LT(time, 5.0);  // of a machine that is busy
  EXPECT_EQ(report.solve.num_cut == 1, report.solve.status == SolveStatus::kMaxIterations);
  if (report.solve.num_cut == 1) {
    EXPECT_GE(time, kTime);
  }
  EXPECT_TRUE(std::isfinite(report.certificate.ncp_max));
}

TEST_P(BudgetOf, IterationsAreEachIslandsOwnWhoeverSolvesIt) {
  const ContactProblem problem = MakeTowers(9);
  const TaskPool pool(3);
  const auto leader = MakeSolver(GetParam());
  std::vector<std::unique_ptr<ContactSolver>> others(CountOthers(pool));
  for (auto& other : others) other = MakeSolver(GetParam());
  for (const int iterations : {0, 2, 5}) {
    const ProblemReport alone = SolveIn(problem, iterations);
    ProblemSolver workspace;
    workspace.Limit(SolveClock::kNever, iterations);
    Solution together;
    const ProblemReport report = workspace.Solve(problem, SolverTeam(*leader, others, pool), together);
    EXPECT_EQ(together.lambda, solution.lambda);
    EXPECT_EQ(report.solve.num_cut, alone.solve.num_cut);
    if (iterations == 0) {
      EXPECT_EQ(report.solve.num_cut, 9);
    }
  }
}

TEST(SolverBudget, WithoutTimeTheWarmStartIsTheAnswer) {
  const ContactProblem problem = MakeTowers(2);
  const auto solver = MakeSolver("canal");
  ProblemSolver workspace;
  workspace.Limit(ReadClock());
  Solution solution;
  solution.lambda = VectorXd::Constant(problem.num_rows(), 0.25);
  const GrowingVector warm = solution.lambda;
  const ProblemReport report = workspace.Solve(problem, *solver, solution);
  EXPECT_EQ(solution.lambda, warm);
  EXPECT_EQ(report.solve.num_cut, 2);
  EXPECT_GT(report.certificate.ncp_max, 1e-3);
  VectorXd change = VectorXd::Zero(problem.nv());
  problem.AddJTransposed(solution.lambda.data(), change.data());
  BranchSparseFactor factor;
  ASSERT_LT(factor.Factor(problem.A), 0);
  factor.Solve(change.data());
  EXPECT_LT((solution.v - problem.v_star - change).lpNorm<Eigen::Infinity>(), 1e-12);
}

// A second solve goes on with what the first has left.
TEST(SolverBudget, IsThatOfAllSolvesUntilTheNext) {
  const ContactProblem problem = MakeHardProblem();
  const auto solver = MakeSolver("pgs_ncp");
  solver->set_tolerance(0.0);
  ProblemSolver workspace;
  workspace.Limit(SolveClock::kNever, 30);
  Solution solution;
  solver->set_effort(0.04);  // of 500 sweeps
  EXPECT_EQ(workspace.Solve(problem, *solver, solution).solve.sweeps, 20);
  EXPECT_EQ(workspace.Solve(problem, *solver, solution).solve.sweeps, 10);
  const ProblemReport late = workspace.Solve(problem, *solver, solution);
  EXPECT_EQ(late.solve.sweeps, 0);
  EXPECT_EQ(late.solve.num_cut, 1);
  workspace.Limit();
  EXPECT_EQ(workspace.Solve(problem, *solver, solution).solve.sweeps, 20);
}

// Nobody is left without time because others came first, and what one leaves is for the others.
TEST(SolverBudget, TimeIsSharedByIslands) {
  const ContactProblem problem = MakeTowers(10);
  const auto solver = MakeSolver("pgs_ncp");
  solver->set_tolerance(0.0);
  solver->set_effort(1e5);
  ProblemSolver workspace;
  Solution nothing;
  nothing.lambda.setZero(problem.num_rows());
  workspace.Limit(ReadClock());
  (void)workspace.Solve(problem, *solver, nothing);
  const std::vector<double> before = workspace.residuals();
  Solution solution;
  workspace.Limit(ReadClock() + 0.5);
  (void)workspace.Solve(problem, *solver, solution);
  const std::vector<double>& after = workspace.residuals();
  const IslandPartition& partition = workspace.partition();
  for (int island = 0; island < partition.num_islands; ++island) {
    const auto worst = [&](const std::vector<double>& residuals) {
      double largest = 0.0;
      for (const int i : partition.constraints_of(island)) largest = std::max(largest, residuals[i]);
      return largest;
    };
    EXPECT_LT(worst(after), 0.9 * worst(before)) << island;
  }
}

// Half of it is over while the other half is kept, and then goes on.
TEST(SolveClock, KeepsAShareForTheEnd) {
  SolveClock clock(ReadClock() + 1e3, 4);
  EXPECT_FALSE(clock.Tick());
  EXPECT_FALSE(clock.Release());  // nothing was kept
  clock.Reserve(1.0);
  EXPECT_TRUE(clock.Tick());
  EXPECT_TRUE(clock.is_over());
  EXPECT_TRUE(clock.Release());
  EXPECT_FALSE(clock.Tick());
  clock.Reserve(0.5);
  EXPECT_TRUE(clock.Tick());  // the iterations are used up
  EXPECT_FALSE(clock.Release());
  EXPECT_TRUE(clock.is_over());
  SolveClock endless(SolveClock::kNever, 4);
  endless.Reserve(1.0);
  EXPECT_FALSE(endless.Tick());
}

// Newton's iterates are worth nothing before they arrive: what was kept of the time goes to sweeps.
TEST(SolverBudget, AutoEndsWithSweeps) {
  const ContactProblem problem = MakeSlidingTower(1, 0.5);
  const auto solver = MakeSolver("auto");
  solver->set_tolerance(0.0);
  solver->set_effort(kForEver);
  ProblemSolver workspace;
  workspace.Limit(ReadClock() + 0.2);
  Solution solution;
  const ProblemReport report = workspace.Solve(problem, *solver, solution);
  EXPECT_GT(report.solve.newton_steps, 0);
  EXPECT_GT(report.solve.sweeps, 200);  // stage 1 takes 20
  EXPECT_EQ(report.solve.num_cut, 1);
}

}  // namespace
}  // namespace stiction::testing

// Warm starts that are accepted before anything is scaled.
#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/contact_problems.h"
#include "tests/support/dense_certificate.h"

namespace stiction::testing {
namespace {

// Calls visit(seed, problem, solver, problem_solver, solution) for random problems that the default solver
// has solved to half of what it accepts.
template <typename Visit>
void ForSolvedProblems(const Visit& visit) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const ContactProblem problem = MakeRandomProblem(seed, 4, 12);
    const auto solver = MakeSolver("auto");
    ProblemSolver problem_solver;
    Solution solution;
    const ProblemReport solved = problem_solver.Solve(problem, *solver, solution);
    if (solved.certificate.ncp_max <= 5e-9 && solved.certificate.own_law <= 5e-9)
      visit(seed, problem, *solver, problem_solver, solution);
  }
}

// Contacts that are open, stick and slide, limits, bounded, bilateral and soft rows: what is accepted is not
// touched, and its certificate, of rough scales, is the one of exact scales.
TEST(WarmStart, IsJudgedAsIfItHadBeenScaled) {
  int accepted = 0;
  ForSolvedProblems([&](unsigned seed, const ContactProblem& problem, ContactSolver& solver,
                        ProblemSolver& problem_solver, Solution& solution) {
    const GrowingVector lambda = solution.lambda;
    const ProblemReport again = problem_solver.Solve(problem, solver, solution);
    EXPECT_EQ(again.solve.iterations_sum, 0) << seed;
    EXPECT_EQ(solution.lambda, lambda) << seed;
    BranchSparseFactor factor;
    ASSERT_LT(factor.Factor(problem.A), 0);
    Certifier certifier;
    const Certificate exact =
        certifier.Certify(problem, factor, CalcDelassusScales(problem, factor), solution.lambda);
    EXPECT_NEAR(again.certificate.ncp_max, exact.ncp_max, 1e-13) << seed;
    EXPECT_NEAR(again.certificate.ncp_mean, exact.ncp_mean, 1e-13) << seed;
    EXPECT_NEAR(again.certificate.own_law, exact.own_law, 1e-13) << seed;
    ++accepted;
  });
  EXPECT_GE(accepted, 30);
}

// Of a row that moves 1e-14 of what another one of its island moves: its scale is 1e-12 of the other's, as
// after a solve, and its residual a hundred times what its own would be.
TEST(WarmStart, IsJudgedByTheLowerBoundOfScales) {
  ContactProblem problem;
  problem.subsystems = {{0, 1}, {1, 1}};
  problem.A.Resize(BranchPattern({-1, -1}));
  problem.A.diagonal(0) = 1e14;
  problem.A.diagonal(1) = 1.0;
  problem.v_star = Vector2d(1.0, 1.0);
  const int heavy = 0, light = 1;
  problem.AddConstraint(ConstraintType::kUnilateral);  // opens
  *problem.AddBlock(0, &heavy, 1) = 1.0;
  *problem.AddBlock(1, &light, 1) = 1.0;
  problem.AddConstraint(ConstraintType::kBounded);
  problem.SetBounds(-1e3, 1e3);  // N·s, far from what would stop it
  *problem.AddBlock(0, &heavy, 1) = 1.0;
  const auto solver = MakeSolver("auto");
  Solution solution;
  const ProblemReport report = ProblemSolver().Solve(problem, *solver, solution);
  EXPECT_EQ(report.solve.iterations_sum, 0);
  EXPECT_TRUE(solution.lambda.isZero(0.0));
  const DenseCertificate dense = CalcDenseCertificate(problem, solution.lambda);
  EXPECT_NEAR(dense.ncp.maxCoeff(), 1e-9, 1e-15);
  EXPECT_NEAR(report.certificate.ncp_max, dense.ncp.maxCoeff(), 1e-15);
}

// A limit of a tendon that no dof moves, and that pressed before: its gap is open, and any impulse would do
// as far as velocities tell.
TEST(WarmStart, OfRowsThatMoveNothingIsForgotten) {
  for (const char* name : {"auto", "canal", "pgs_ncp"}) {
    ContactProblem problem = MakeBlockOnPlane(0.5, 0.1, 0.0);
    const int constraint = problem.AddConstraint(ConstraintType::kUnilateral);
    const int dofs[] = {0, 1, 2};
    std::fill_n(problem.AddBlock(0, dofs, 3), 3, 0.0);
    problem.SetBias(0, 0.9);
    const auto solver = MakeSolver(name);
    ProblemSolver problem_solver;
    Solution solution;
    (void)problem_solver.Solve(problem, *solver, solution);
    const int row = problem.constraints[constraint].row;
    solution.lambda[row] = 8.0;
    const ProblemReport report = problem_solver.Solve(problem, *solver, solution);
    EXPECT_EQ(solution.lambda[row], 0.0) << name;
    EXPECT_LE(report.certificate.ncp_max, 1e-8) << name;
    EXPECT_GT(solution.lambda[problem.constraints[0].row + 2], 0.0) << name;
  }
}

// A ball between two plates that push a million times as hard as it is heavy, and nothing else does: it would
// be held for good. What is solved anew begins anew; what holds as it is stays.
TEST(WarmStart, OfContactsThatPressOneAnotherForNothingIsForgotten) {
  for (const double speed : {0.0, 0.5}) {
    ProblemSketch sketch;
    Vector6d v_star = Vector6d::Zero();
    v_star[0] = speed;
    v_star[2] = -0.1;
    const int ball = sketch.AddBall(1.0, 0.1, Vector3d(0, 0, 0.1), v_star);
    sketch.AddContact(-1, ball, {0, 0, 0}, {0, 0, 1}, 0.5);
    sketch.AddContact(-1, ball, {0, 0, 0.2}, {0, 0, -1}, 0.5);
    const ContactProblem problem = sketch.Build();
    const auto solver = MakeSolver("auto");
    ProblemSolver problem_solver;
    Solution solution;
    solution.lambda = VectorXd::Zero(6);
    solution.lambda[2] = 1e5 + 0.1;
    solution.lambda[5] = 1e5;
    const ProblemReport report = problem_solver.Solve(problem, *solver, solution);
    EXPECT_LE(report.certificate.ncp_max, 1e-8) << speed;
    if (speed == 0.0) {
      EXPECT_EQ(solution.lambda[5], 1e5);
    } else {
      EXPECT_LE(solution.lambda.lpNorm<Eigen::Infinity>(), 1.0);
    }
  }
}

// What the impulses of contacts and limits changed by in the step before leads to the answer: it is taken as
// it is. Led the other way, the solver finds its own.
TEST(WarmStart, GoesOnAlongItsTrend) {
  int accepted = 0;
  ForSolvedProblems([&](unsigned seed, const ContactProblem& problem, ContactSolver& solver,
                        ProblemSolver& problem_solver, Solution& answer) {
    VectorXd trend = VectorXd::Zero(problem.num_rows());
    for (const Constraint& c : problem.constraints) {
      const bool is_normal = c.type == ConstraintType::kContact || c.type == ConstraintType::kUnilateral;
      const int last = c.row + c.dim() - 1;
      if (is_normal && answer.lambda[last] > 0.0) trend[last] = 1e-3 * answer.lambda[last];
    }
    if (trend.isZero(0.0)) return;
    Solution ahead{{}, answer.lambda - trend}, back = ahead;
    ahead.trend = trend;
    back.trend = -trend;
    const ProblemReport led = problem_solver.Solve(problem, solver, ahead);
    EXPECT_LE(led.certificate.ncp_max, 1e-8) << seed;
    if (led.solve.iterations_sum == 0) {
      ++accepted;
      EXPECT_LE((ahead.lambda - answer.lambda).norm(), 1e-9 * (1.0 + answer.lambda.norm())) << seed;
    }
    EXPECT_LE(problem_solver.Solve(problem, solver, back).certificate.ncp_max, 1e-8) << seed;
  });
  EXPECT_GE(accepted, 25);
}

}  // namespace
}  // namespace stiction::testing

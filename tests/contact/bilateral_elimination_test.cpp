// Bilateral rows taken out of an island, against dense algebra, with rows that depend on one another.
#include "contact/bilateral_elimination.h"

#include <gtest/gtest.h>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/contact_problems.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/loop_systems.h"

namespace stiction::testing {
namespace {

// The island of all of a problem, and its Y as a dense matrix.
struct WholeIsland {
  explicit WholeIsland(const ContactProblem& problem) {
    EXPECT_EQ(factor.Factor(problem.A), -1);
    scaled.Assign(problem, factor);
    partition.Assign(problem);
    EXPECT_EQ(partition.num_islands, 1);
    island.Assign(problem, scaled, partition, 0);
  }
  static MatrixXd DenseY(const Island& island) {
    MatrixXd Y(island.num_rows(), island.num_dofs());
    for (int k = 0; k < island.num_dofs(); ++k) {
      const VectorXd unit = VectorXd::Unit(island.num_dofs(), k);
      VectorXd column(island.num_rows());
      island.Multiply(unit.data(), column.data());
      Y.col(k) = column;
    }
    return Y;
  }

  BranchSparseFactor factor;
  ScaledProblem scaled;
  IslandPartition partition;
  Island island;
};

bool HasBilateral(const ContactProblem& problem) {
  return std::any_of(problem.constraints.begin(), problem.constraints.end(),
                     [](const Constraint& c) { return c.type == ConstraintType::kBilateral; });
}

TEST(BilateralElimination, IsTheSchurComplement) {
  int compared = 0;
  for (const LoopCase& system : ListLoopCases()) {
    const ContactProblem& problem = system.problem;
    if (!HasBilateral(problem)) continue;
    const WholeIsland whole(problem);
    const Island& island = whole.island;
    BilateralElimination elimination;
    elimination.Assign(island);
    ASSERT_TRUE(elimination.is_needed());
    const MatrixXd Y = WholeIsland::DenseY(island);
    std::vector<int> bilateral, other;
    for (const IslandConstraint& c : island.constraints) {
      for (int r = 0; r < c.dim(); ++r)
        (c.type == ConstraintType::kBilateral ? bilateral : other).push_back(c.row + r);
    }
    const MatrixXd Y_b = Y(bilateral, Eigen::all), Y_c = Y(other, Eigen::all);
    const VectorXd g0 = Eigen::Map<const VectorXd>(island.g0.data(), island.num_rows());
    const MatrixXd pinv = CalcPseudoInverse(Y_b, 1e-9);
    const MatrixXd P = MatrixXd::Identity(island.num_dofs(), island.num_dofs()) - pinv * Y_b;
    const MatrixXd W = Y_c * P * Y_c.transpose();
    const VectorXd g0_c = g0(other) - Y_c * (pinv * g0(bilateral));

    const Island& rest = elimination.rest();
    const MatrixXd Y_rest = WholeIsland::DenseY(rest);
    const double scale = 1.0 + W.norm();
    ASSERT_EQ(rest.num_rows(), static_cast<int>(other.size())) << system.name;
    EXPECT_LT((Y_rest * Y_rest.transpose() - W).norm(), 1e-9 * scale) << system.name;
    for (int i = 0; i < rest.num_rows(); ++i)
      EXPECT_NEAR(rest.g0[i], g0_c[i], 1e-9 * (1.0 + g0_c.norm())) << system.name;

    // Any impulses of the others: the bilateral ones meet their rows, and are of least norm.
    const VectorXd lambda_c = VectorXd::LinSpaced(rest.num_rows(), 0.1, 1.0);
    VectorXd lambda(island.num_rows());
    elimination.Join(lambda_c.data(), lambda.data());
    const VectorXd expected =
        -pinv.transpose() *
        (pinv * g0(bilateral) + (MatrixXd::Identity(P.rows(), P.cols()) - P) * Y_c.transpose() * lambda_c);
    EXPECT_LT((lambda(bilateral) - expected).norm(), 1e-7 * (1.0 + expected.norm())) << system.name;
    const VectorXd g_b = g0(bilateral) + Y_b * Y.transpose() * lambda;
    EXPECT_LT(g_b.lpNorm<Eigen::Infinity>(), 1e-9 * (1.0 + g0.lpNorm<Eigen::Infinity>())) << system.name;
    std::vector<double> back;
    elimination.Split(lambda.data(), back);
    for (int i = 0; i < rest.num_rows(); ++i) EXPECT_EQ(back[i], lambda_c[i]);
    ++compared;
  }
  EXPECT_GE(compared, 8);
}

// Mass ratio 1000, sliding and jamming: every system of the specification's table.
TEST(BilateralElimination, LetsAutoSolveEverySystem) {
  for (const LoopCase& system : ListLoopCases()) {
    const auto solver = MakeSolver("auto");
    ProblemSolver problem_solver;
    Solution solution;
    const ProblemReport report = problem_solver.Solve(system.problem, *solver, solution);
    EXPECT_LT(report.certificate.ncp_max, 1e-8) << system.name;
  }
}

// The crank and the foot of a leg, whose bars couple them with a lever arm [m], each at a limit that stops
// the other way: v_crank ≥ `play`, v_foot ≥ 0, lever (v_crank + v_foot) = 0. Where play > 0 the bars would
// have to give way [rad/s].
ContactProblem MakeWedgedBars(double lever, double play) {
  ProblemSketch sketch;
  const int crank = sketch.AddSlider(7e-4, 0.0), foot = sketch.AddSlider(0.013, 0.0);
  const MatrixXd row = MatrixXd::Constant(1, 1, lever);
  sketch.AddConstraint(ConstraintType::kBilateral, {{crank, row}, {foot, row}}, VectorXd::Zero(1));
  sketch.AddRow(ConstraintType::kUnilateral, crank, 1.0, -play);
  sketch.AddRow(ConstraintType::kUnilateral, foot, 1.0, 0.0);
  return sketch.Build();
}

struct WedgedBars {
  WedgedBars(double lever, double play) {
    const ContactProblem problem = MakeWedgedBars(lever, play);
    Solution solution;
    ncp = ProblemSolver().Solve(problem, *MakeSolver("auto"), solution).certificate.ncp_max;
    loop = std::abs(lever * (solution.v[0] + solution.v[1]));
  }
  double ncp = 0.0, loop = 0.0;  // [m/s]
};

// Play of the size that rounding gives is within what the loop's own residual allows.
TEST(BilateralElimination, LetsALoopTakeWhatItsRoundingAsksOfLimits) {
  const WedgedBars bars(1.5e-3, 3e-8);
  EXPECT_LE(bars.ncp, 1e-9);
  EXPECT_LE(bars.loop, 1e-10);
}

// Otherwise the limits bear the contradiction, half of it each at best.
TEST(BilateralElimination, LeavesALoopExactThatWouldMissItself) {
  const WedgedBars same_lever(1.0, 3e-8), true_contradiction(1.5e-3, 1e-2);
  EXPECT_LT(same_lever.loop, 1e-14);
  EXPECT_GE(same_lever.ncp, 1.5e-8 - 1e-15);
  EXPECT_LT(true_contradiction.loop, 1e-14);
  EXPECT_GE(true_contradiction.ncp, 5e-3 - 1e-12);  // the impulses grow, and their rounding
}

// An anchor that moves in a plane alone, whose rows stand along axes that are turned by 1e-5 rad out of it:
// the row across says what the row along says, a hundred thousand times smaller, and but for the rounding of
// a lever. What rounding is left of its bias turns nothing.
TEST(BilateralElimination, MakesNothingOfTheRoundingOfShortRows) {
  constexpr double kTurn = 1e-5, kLever = 1e-13, kBias = 1e-15;
  ProblemSketch sketch;
  const int anchor = sketch.AddSlider(1.0, 1.0), spin = sketch.AddSlider(1.0, 0.0);
  const auto row = [](double value) { return MatrixXd::Constant(1, 1, value); };
  sketch.AddRow(ConstraintType::kBilateral, anchor, 1.0, 0.0);
  sketch.AddConstraint(ConstraintType::kBilateral, {{anchor, row(kTurn)}, {spin, row(kLever)}},
                       VectorXd::Constant(1, kBias));
  Solution solution;
  const ProblemReport report = ProblemSolver().Solve(sketch.Build(), *MakeSolver("auto"), solution);
  EXPECT_NEAR(solution.v[spin], 0.0, kBias);
  EXPECT_NEAR(solution.v[anchor], 0.0, 1e-15);
  EXPECT_LE(report.certificate.ncp_max, 2.0 * kBias);
}

}  // namespace
}  // namespace stiction::testing

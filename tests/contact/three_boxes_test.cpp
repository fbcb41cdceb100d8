// The example that src/contact/README.md works by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/contact/island.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/io/problem_file.h"

namespace stiction {
namespace {

class ThreeBoxes : public ::testing::Test {
 protected:
  ThreeBoxes() { EXPECT_LT(factor_.Factor(problem_.A), 0); }

  ContactProblem problem_ = ReadProblemJson(STICTION_SOURCE_DIR "/assets/problems/three_boxes.json").problem;
  BranchSparseFactor factor_;
};

TEST_F(ThreeBoxes, ScalesAreThoseOfThePage) {
  ScaledProblem scaled;
  scaled.Assign(problem_, factor_);
  EXPECT_NEAR(scaled.scale[0], 1.0, 1e-15);
  EXPECT_NEAR(scaled.scale[1], 1.25, 1e-15);
  EXPECT_NEAR(scaled.scale[2], 0.5, 1e-15);
}

TEST_F(ThreeBoxes, IslandsAreThoseOfThePage) {
  IslandPartition partition;
  partition.Assign(problem_);
  EXPECT_EQ(partition.num_islands, 2);
  EXPECT_EQ(partition.island_of_subsystem, (std::vector<int>{0, 0, 1}));

  ScaledProblem scaled;
  scaled.Assign(problem_, factor_);
  Island island;
  island.Assign(problem_, scaled, partition, 0);
  ASSERT_EQ(island.num_dofs(), 6);
  ASSERT_EQ(island.num_rows(), 6);
  // Y, a column of the page at a time: what a unit of every dof of δ does to the rows.
  const double root = 0.5;
  for (int dof = 0; dof < 6; ++dof) {
    double delta[6] = {}, y[6];
    delta[dof] = 1.0;
    island.Multiply(delta, y);
    for (int row = 0; row < 6; ++row) {
      const bool same_axis = row % 3 == dof % 3;
      const double a = row < 3 ? 1.0 : -1.0, b = row < 3 ? 0.0 : root;
      EXPECT_NEAR(y[row], same_axis ? (dof < 3 ? a : b) : 0.0, 1e-15) << row << ", " << dof;
    }
  }
  // δ of the solution: what holds the boxes up.
  const double lambda[6] = {0, 0, 0.4905, 0, 0, 0.3924};
  double delta[6];
  island.MapImpulses(lambda, delta);
  EXPECT_NEAR(delta[2], 0.0981, 1e-15);
  EXPECT_NEAR(delta[5], 0.1962, 1e-15);
  EXPECT_LT(island.CalcResidual(lambda, delta), 1e-15);
}

TEST_F(ThreeBoxes, SolutionIsThatOfThePage) {
  ProblemSolver workspace;
  for (const char* name : {"auto", "canal", "nbgs_c"}) {
    const auto solver = MakeSolver(name);
    Solution solution;
    const ProblemReport report = workspace.Solve(problem_, *solver, solution);
    EXPECT_LE(report.certificate.ncp_max, 1e-9) << name;
    const double expected[9] = {0, 0, 0.4905, 0, 0, 0.3924, -0.0981, 0, 0.1962};
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(solution.lambda[i], expected[i], 1e-8) << name << ", row " << i;
    EXPECT_NEAR(solution.v[6], 0.95095, 1e-8) << name;
    EXPECT_LT(std::abs(solution.v[8]), 1e-8) << name;
  }
}

}  // namespace
}  // namespace stiction

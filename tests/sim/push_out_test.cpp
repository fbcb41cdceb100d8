// The active set against all sets there are.
#include "sim/push_out.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/random_problem.h"

namespace stiction::testing {
namespace {

constexpr double kTolerance = 1e-9;  // [m]

struct PushCase {
  explicit PushCase(unsigned seed, int num_subsystems = 2, int num_constraints = 6)
      : problem(MakeRandomProblem(seed, num_subsystems, num_constraints)), random(seed) {
    EXPECT_EQ(factor.Factor(problem.A), -1);
    for (int i = 0; i < problem.num_constraints(); ++i) rows.push_back({i, random.Uniform(-1e-4, 2e-4)});
    const MatrixXd all = problem.DenseJ();
    J.resize(static_cast<int>(rows.size()), problem.nv());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Constraint& c = problem.constraints[i];
      J.row(i) = all.row(c.row + c.dim() - 1);
    }
    displacement = VectorXd::Zero(problem.nv());
  }
  bool Run() {
    residual = 0.0;
    return push_out.Run(problem, factor, rows, kTolerance, displacement, residual);
  }
  // The least energy over all active sets whose solution breaks no row.
  VectorXd FindByEnumeration() const {
    const MatrixXd A = problem.A.ToDense(), AinvJt = A.llt().solve(J.transpose());
    const int m = static_cast<int>(rows.size());
    VectorXd best;
    double least = std::numeric_limits<double>::infinity();
    for (int set = 0; set < 1 << m; ++set) {
      std::vector<int> in;
      for (int i = 0; i < m; ++i)
        if (set >> i & 1) in.push_back(i);
      const MatrixXd W = (J * AinvJt)(in, in);
      VectorXd r(in.size());
      for (std::size_t k = 0; k < in.size(); ++k) r[k] = rows[in[k]].push;
      VectorXd delta = VectorXd::Zero(problem.nv());
      if (!in.empty()) delta = AinvJt(Eigen::all, in) * W.completeOrthogonalDecomposition().solve(r);
      bool is_feasible = true;
      for (int i = 0; i < m; ++i) is_feasible = is_feasible && J.row(i).dot(delta) >= rows[i].push - 1e-10;
      const double energy = delta.dot(A * delta);
      if (!is_feasible || energy >= least) continue;
      least = energy;
      best = delta;
    }
    return best;
  }

  ContactProblem problem;
  RandomNumbers random;
  BranchSparseFactor factor;
  std::vector<PushOut::Row> rows;
  MatrixXd J;
  VectorXd displacement;
  PushOut push_out;
  double residual = 0.0;
};

TEST(PushOut, IsTheLeastDisplacementThatMeetsAllRows) {
  int solved = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    PushCase c(seed);
    const VectorXd expected = c.FindByEnumeration();
    ASSERT_EQ(c.Run(), expected.size() > 0) << seed;
    if (expected.size() == 0) continue;
    ++solved;
    EXPECT_LT((c.displacement - expected).norm(), 1e-6 * expected.norm() + 1e-12) << seed;
    EXPECT_LE(c.residual, kTolerance);
  }
  EXPECT_GE(solved, 20);
}

TEST(PushOut, LeavesWhatNothingPushes) {
  PushCase c(3);
  for (PushOut::Row& row : c.rows) row.push = -1e-5;
  EXPECT_TRUE(c.Run());
  EXPECT_TRUE(c.displacement.isZero(0.0));
}

TEST(PushOut, GivesUpOnRowsThatContradictOneAnother) {
  PushCase c(5, 1, 1);
  // The same row from the other side, as if the body were between two that approach.
  const Constraint& first = c.problem.constraints[0];
  const JacobianBlock block = c.problem.blocks[first.first_block];
  const int dim = first.dim();
  std::vector<int> dofs(c.problem.block_dofs.begin() + block.first_dof,
                        c.problem.block_dofs.begin() + block.first_dof + block.num_dofs);
  std::vector<double> row(block.num_dofs);
  for (int k = 0; k < block.num_dofs; ++k) row[k] = c.problem.jacobian[block.first_value + dim * k + dim - 1];
  c.problem.AddConstraint(ConstraintType::kUnilateral);
  double* value = c.problem.AddBlock(block.subsystem, dofs.data(), block.num_dofs);
  for (int k = 0; k < block.num_dofs; ++k) value[k] = -row[k];
  c.rows = {{0, 1e-4}, {1, 1e-4}};
  EXPECT_FALSE(c.Run());
  EXPECT_TRUE(c.displacement.isZero(0.0));
  c.rows = {{0, 1e-4}, {1, -1e-4}};
  EXPECT_TRUE(c.Run());
  EXPECT_FALSE(c.displacement.isZero(0.0));
}

}  // namespace
}  // namespace stiction::testing

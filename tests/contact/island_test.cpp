#include "stiction/contact/island.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/contact_problems.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/dense_certificate.h"

namespace stiction {
namespace {

using stiction::testing::MakeRandomProblem;
using stiction::testing::ProblemSketch;
using stiction::testing::RandomNumbers;
using stiction::testing::SolvePositive;

constexpr double kIslandTolerance = 1e-12;  // products of numbers near one over trees of at most eight dofs

struct PreparedIsland {
  explicit PreparedIsland(ContactProblem from) : problem(std::move(from)) {
    EXPECT_EQ(factor.Factor(problem.A), -1);
    scaled.Assign(problem, factor);
    partition.Assign(problem);
  }
  Island MakeIsland(int i) const {
    Island island;
    island.Assign(problem, scaled, partition, i);
    return island;
  }
  // Y as a dense matrix.
  MatrixXd DenseY() const {
    ContactProblem copy = problem;
    copy.jacobian = scaled.Y;
    return copy.DenseJ();
  }

  ContactProblem problem;
  BranchSparseFactor factor;
  ScaledProblem scaled;
  IslandPartition partition;
};

TEST(ScaledProblem, ProductIsTheDelassusMatrix) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const PreparedIsland p(MakeRandomProblem(seed, 6, 12));
    const MatrixXd J = p.problem.DenseJ(), Y = p.DenseY();
    const MatrixXd W = J * SolvePositive(p.problem.A.ToDense(), J.transpose());
    EXPECT_LT((Y * Y.transpose() - W).norm(), kIslandTolerance * (1.0 + W.norm()));
  }
}

// As of the limbs of a robot that touch one another.
TEST(ScaledProblem, RowsOfSeveralBranchesAreThoseOfTheDelassusMatrix) {
  RandomNumbers random(7);
  for (int i = 0; i < 20; ++i) {
    ContactProblem problem;
    const BranchPattern pattern(std::vector<int>{-1, 0, 1, 2, 3, 1, 5, 6, 5});
    problem.A = random.BranchSparse(pattern);
    problem.subsystems.push_back({0, pattern.size()});
    problem.v_star.setZero(pattern.size());
    for (const std::vector<int>& dofs :
         {std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}, std::vector<int>{0, 1, 5, 6, 8}}) {
      problem.AddConstraint(ConstraintType::kContact, 0.5);
      const int count = static_cast<int>(dofs.size());
      const VectorXd values = random.Vector(3 * count);
      std::copy_n(values.data(), 3 * count, problem.AddBlock(0, dofs.data(), count));
    }
    const PreparedIsland p(problem);
    const MatrixXd J = p.problem.DenseJ(), Y = p.DenseY();
    const MatrixXd W = J * SolvePositive(p.problem.A.ToDense(), J.transpose());
    EXPECT_LT((Y * Y.transpose() - W).norm(), kIslandTolerance * (1.0 + W.norm()));
  }
}

TEST(ScaledProblem, ScalesAreMeanDiagonalEntries) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const PreparedIsland p(MakeRandomProblem(seed, 6, 12));
    const VectorXd none = VectorXd::Zero(p.problem.num_rows());
    const VectorXd expected = stiction::testing::CalcDenseCertificate(p.problem, none).scale;
    EXPECT_LT((p.scaled.scale - expected).norm(), kIslandTolerance * expected.norm());
  }
}

TEST(ScaledProblem, BiasIsInTheFreeVelocityExceptOfSoftRows) {
  const PreparedIsland p(MakeRandomProblem(3, 6, 20));
  const VectorXd free = p.problem.DenseJ() * p.problem.v_star;
  for (const Constraint& c : p.problem.constraints) {
    for (int r = c.row; r < c.row + c.dim(); ++r) {
      const double bias = c.type == ConstraintType::kSoft ? 0.0 : p.problem.e[r];
      EXPECT_NEAR(p.scaled.g0[r], free[r] + bias, kIslandTolerance);
    }
  }
}

TEST(ScaledProblem, ScaleOfARowOfZerosCanBeDividedBy) {
  ProblemSketch sketch;
  sketch.AddSlider(1.0, 0.0);
  sketch.AddRow(ConstraintType::kUnilateral, 0, 0.0, 1.0);
  sketch.AddRow(ConstraintType::kUnilateral, 0, 2.0, 1.0);
  const PreparedIsland p(sketch.Build());
  EXPECT_EQ(p.scaled.scale[0], 4e-12);
  EXPECT_EQ(p.scaled.scale[1], 4.0);
}

// Connected components by relaxation: repeat until no constraint changes a label.
std::vector<int> LabelSubsystems(const ContactProblem& problem) {
  std::vector<int> label(problem.subsystems.size());
  std::iota(label.begin(), label.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Constraint& c : problem.constraints) {
      for (int a = c.first_block; a < c.first_block + c.num_blocks; ++a) {
        for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
          int& from = label[problem.blocks[a].subsystem];
          const int to = label[problem.blocks[b].subsystem];
          if (to < from) from = to, changed = true;
        }
      }
    }
  }
  return label;
}

TEST(IslandPartition, GroupsConnectedComponents) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const PreparedIsland p(MakeRandomProblem(seed, 12, 2 + seed % 12));
    const std::vector<int> label = LabelSubsystems(p.problem);
    std::set<int> touched, labels;
    for (const JacobianBlock& block : p.problem.blocks) touched.insert(block.subsystem);
    for (int s : touched) labels.insert(label[s]);
    EXPECT_EQ(p.partition.num_islands, static_cast<int>(labels.size()));
    for (int s = 0; s < 12; ++s) {
      EXPECT_EQ(p.partition.island_of_subsystem[s] >= 0, touched.contains(s));
      for (int t : touched) {
        if (!touched.contains(s)) continue;
        EXPECT_EQ(p.partition.island_of_subsystem[s] == p.partition.island_of_subsystem[t],
                  label[s] == label[t]);
      }
    }
  }
}

TEST(IslandPartition, ListsEveryMemberOnceInAscendingOrder) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const PreparedIsland p(MakeRandomProblem(seed, 12, 2 + seed % 12));
    const IslandPartition& partition = p.partition;
    std::size_t constraints = 0;
    for (int i = 0; i < partition.num_islands; ++i) {
      const int begin = partition.first_constraint[i], end = partition.first_constraint[i + 1];
      EXPECT_LT(begin, end);
      constraints += end - begin;
      for (int k = begin; k < end; ++k) {
        const Constraint& c = p.problem.constraints[partition.constraints[k]];
        EXPECT_EQ(partition.island_of_subsystem[p.problem.blocks[c.first_block].subsystem], i);
        EXPECT_TRUE(k == begin || partition.constraints[k - 1] < partition.constraints[k]);
      }
      for (int k = partition.first_subsystem[i]; k < partition.first_subsystem[i + 1]; ++k) {
        EXPECT_EQ(partition.island_of_subsystem[partition.subsystems[k]], i);
        EXPECT_TRUE(k == partition.first_subsystem[i] ||
                    partition.subsystems[k - 1] < partition.subsystems[k]);
      }
    }
    EXPECT_EQ(constraints, p.problem.constraints.size());
  }
}

TEST(IslandPartition, ConstraintsThatTouchNothingBelongNowhere) {
  ProblemSketch sketch;
  sketch.AddSlider(1.0, 0.0);
  sketch.AddConstraint(ConstraintType::kContact, {}, Vector3d(0, 0, 1), 0.5);
  sketch.AddRow(ConstraintType::kUnilateral, 0, 1.0, 0.0);
  const PreparedIsland p(sketch.Build());
  EXPECT_EQ(p.partition.num_islands, 1);
  EXPECT_EQ(p.partition.constraints, std::vector<int>{1});
  const PreparedIsland empty{ContactProblem()};
  EXPECT_EQ(empty.partition.num_islands, 0);
}

// The rows of the whole problem that an island holds, in its order.
std::vector<int> ListRows(const ContactProblem& problem, const Island& island) {
  std::vector<int> rows;
  for (const IslandConstraint& c : island.constraints) {
    for (int r = 0; r < c.dim(); ++r) rows.push_back(problem.constraints[c.source].row + r);
  }
  return rows;
}

VectorXd Gather(const VectorXd& whole, const std::vector<int>& rows) {
  VectorXd out(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) out[i] = whole[rows[i]];
  return out;
}

VectorXd Scatter(const VectorXd& part, const std::vector<int>& rows, int size) {
  VectorXd out = VectorXd::Zero(size);
  for (std::size_t i = 0; i < rows.size(); ++i) out[rows[i]] = part[i];
  return out;
}

TEST(Island, MapsLikeDenseMatrices) {
  RandomNumbers random(1);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const PreparedIsland p(MakeRandomProblem(seed, 8, 10));
    const MatrixXd Y = p.DenseY();
    for (int i = 0; i < p.partition.num_islands; ++i) {
      const Island island = p.MakeIsland(i);
      const std::vector<int> rows = ListRows(p.problem, island);
      const VectorXd lambda = random.Vector(island.num_rows());
      const VectorXd whole = Scatter(lambda, rows, p.problem.num_rows());
      VectorXd delta(island.num_dofs()), g(island.num_rows()), y(island.num_rows());
      island.MapImpulses(lambda.data(), delta.data());
      island.MapVelocities(delta.data(), g.data());
      island.Multiply(delta.data(), y.data());
      const VectorXd W_lambda = Gather(Y * (Y.transpose() * whole), rows), g0 = Gather(p.scaled.g0, rows);
      EXPECT_LT((y - W_lambda).norm(), kIslandTolerance * (1.0 + W_lambda.norm()));
      EXPECT_LT((g - g0 - W_lambda).norm(), kIslandTolerance * (1.0 + W_lambda.norm()));
      EXPECT_NEAR(delta.norm(), (Y.transpose() * whole).norm(), kIslandTolerance * (1.0 + delta.norm()));
    }
  }
}

TEST(Island, DiagonalBlocksAreThoseOfTheDelassusMatrix) {
  const PreparedIsland p(MakeRandomProblem(5, 8, 16));
  const MatrixXd Y = p.DenseY(), W = Y * Y.transpose();
  for (int i = 0; i < p.partition.num_islands; ++i) {
    const Island island = p.MakeIsland(i);
    for (int k = 0; k < island.num_constraints(); ++k) {
      const Constraint& c = p.problem.constraints[island.constraints[k].source];
      const Eigen::Map<const MatrixXd> block(island.W_diagonal.data() + island.diagonal_begin[k], c.dim(),
                                             c.dim());
      EXPECT_LT((block - W.block(c.row, c.row, c.dim(), c.dim())).norm(), kIslandTolerance * W.norm());
    }
  }
}

TEST(Island, ResidualIsTheCertificates) {
  RandomNumbers random(2);
  for (unsigned seed = 0; seed < 20; ++seed) {
    ContactProblem problem = MakeRandomProblem(seed, 1, 8);  // one island; soft rows have no part in ncp
    std::erase_if(problem.constraints, [](const Constraint& c) { return c.type == ConstraintType::kSoft; });
    const PreparedIsland p(problem);
    if (p.partition.num_islands == 0) continue;
    const Island island = p.MakeIsland(0);
    const std::vector<int> rows = ListRows(p.problem, island);
    const VectorXd own = random.Vector(island.num_rows());
    const VectorXd lambda = Scatter(own, rows, p.problem.num_rows());
    VectorXd delta(island.num_dofs());
    island.MapImpulses(own.data(), delta.data());
    const double expected = stiction::testing::CalcDenseCertificate(p.problem, lambda).ncp.maxCoeff();
    EXPECT_NEAR(island.CalcResidual(own.data(), delta.data()), expected, kIslandTolerance * (1.0 + expected));
  }
}

// A NaN must not hide behind a later constraint that is solved.
TEST(Island, ResidualKeepsNan) {
  ProblemSketch sketch;
  const int a = sketch.AddSlider(1.0, 0.0), b = sketch.AddSlider(1.0, 0.0);
  sketch.AddRow(ConstraintType::kUnilateral, a, 1.0, 0.0);
  sketch.AddConstraint(ConstraintType::kSoft, {{a, MatrixXd::Ones(1, 1)}, {b, MatrixXd::Ones(1, 1)}},
                       VectorXd::Zero(1));
  sketch.AddRow(ConstraintType::kBilateral, b, 1.0, 0.0);
  const PreparedIsland p(sketch.Build());
  const Island island = p.MakeIsland(0);
  const double lambda[3] = {std::nan(""), 0.0, 0.0}, delta[2] = {std::nan(""), 0.0};
  EXPECT_TRUE(std::isnan(island.CalcResidual(lambda, delta)));
}

// Islands are solved beside one another: what they cost together is told apart from what the largest costs,
// which is what compares with other solvers.
TEST(ProblemSolver, ReportsTheIterationsOfTheLargestIslandAndOfAll) {
  const PreparedIsland p(MakeRandomProblem(3, 12, 10));
  ASSERT_GE(p.partition.num_islands, 2);
  const auto solver = MakeSolver("nbgs_c");
  int largest = 0, sum = 0, busy = 0;
  for (int i = 0; i < p.partition.num_islands; ++i) {
    const Island island = p.MakeIsland(i);
    std::vector<double> lambda(island.num_rows(), 0.0);
    const SolveReport report = solver->Solve(island, lambda.data());
    largest = std::max(largest, report.iterations);
    sum += report.iterations;
    busy += report.iterations > 0;
  }
  ASSERT_GE(busy, 2);
  Solution solution;
  const ProblemReport report = ProblemSolver().Solve(p.problem, *solver, solution);
  EXPECT_EQ(report.solve.iterations, largest);
  EXPECT_EQ(report.solve.iterations_sum, sum);
  EXPECT_EQ(report.solve.sweeps, sum);
}

}  // namespace
}  // namespace stiction

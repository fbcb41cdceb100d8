#include "stiction/math/branch_sparse.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/dense_algebra.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::RandomNumbers;
using stiction::testing::SolvePositive;

// Well conditioned matrices of up to 30 rows: errors stay within some hundred roundings.
constexpr double kTolerance = 1e-12;

// Random forests of several sizes, a chain (dense), isolated dofs (diagonal), and chains of six among others:
// those of free bodies have loops of their own.
std::vector<BranchPattern> MakeSparsePatterns() {
  RandomNumbers random(1);
  std::vector<BranchPattern> patterns;
  for (int n : {1, 2, 5, 12, 30}) patterns.emplace_back(random.Parents(n));
  patterns.emplace_back(std::vector<int>{-1, 0, 1, 2, 3, 4});
  patterns.emplace_back(std::vector<int>{-1, -1, -1});
  patterns.emplace_back(std::vector<int>{-1, 0, 1, 2, 3, 4, -1, 6, 7, 8, 9, 10, 11, -1, 13, 14, 15, 16, 17});
  patterns.emplace_back(std::vector<int>{-1, 0, 1, 2, 3, 4, 2, -1, 7, 8, 9, 10, 11});
  return patterns;
}

bool IsAncestorOrSelf(const BranchPattern& pattern, int ancestor, int k) {
  while (k >= 0 && k != ancestor) k = pattern.parent(k);
  return k == ancestor;
}

TEST(BranchPattern, RowsListAncestorsFromTheRootDown) {
  for (const BranchPattern& pattern : MakeSparsePatterns()) {
    int entries = 0;
    for (int k = 0; k < pattern.size(); ++k) {
      std::vector<int> expected;
      for (int i = 0; i <= k; ++i) {
        if (IsAncestorOrSelf(pattern, i, k)) expected.push_back(i);
      }
      EXPECT_EQ(std::vector<int>(pattern.columns(k), pattern.columns(k) + pattern.row_length(k)), expected);
      EXPECT_EQ(pattern.root(k), expected.front());
      int run = 1;
      while (run < static_cast<int>(expected.size()) && *(expected.end() - run - 1) == k - run) ++run;
      EXPECT_EQ(pattern.run_length(k), run);
      entries += pattern.row_length(k);
    }
    EXPECT_EQ(pattern.num_entries(), entries);
  }
}

TEST(BranchSparseMatrix, MultipliesLikeDense) {
  RandomNumbers random(2);
  for (const BranchPattern& pattern : MakeSparsePatterns()) {
    const BranchSparseMatrix A = random.BranchSparse(pattern);
    const VectorXd x = random.Vector(A.size());
    // What y holds before must not matter.
    VectorXd y = VectorXd::Constant(A.size(), std::numeric_limits<double>::quiet_NaN());
    A.Multiply(x.data(), y.data());
    EXPECT_LT((y - A.ToDense() * x).norm(), kTolerance);
    EXPECT_EQ(A.ToDense(), A.ToDense().transpose());
  }
}

TEST(BranchSparseMatrix, ResizeStartsFromZero) {
  RandomNumbers random(3);
  BranchSparseMatrix A = random.BranchSparse(BranchPattern({-1, 0, 0}));
  A.Resize(BranchPattern({-1, 0}));
  EXPECT_EQ(A.ToDense(), MatrixXd::Zero(2, 2));
}

TEST(BranchSparseFactor, RebuildsTheMatrixWithoutFill) {
  RandomNumbers random(4);
  for (const BranchPattern& pattern : MakeSparsePatterns()) {
    const BranchSparseMatrix A = random.BranchSparse(pattern);
    BranchSparseFactor factor;
    ASSERT_EQ(factor.Factor(A), -1);
    EXPECT_EQ(factor.pattern().num_entries(), pattern.num_entries());
    const MatrixXd L = factor.L().ToDense().triangularView<Eigen::Lower>();
    EXPECT_LT((L.transpose() * L - A.ToDense()).norm(), kTolerance);
  }
}

TEST(BranchSparseFactor, SolvesLikeDense) {
  RandomNumbers random(5);
  for (const BranchPattern& pattern : MakeSparsePatterns()) {
    const BranchSparseMatrix A = random.BranchSparse(pattern);
    BranchSparseFactor factor;
    ASSERT_EQ(factor.Factor(A), -1);
    const VectorXd b = random.Vector(A.size());
    const VectorXd expected = SolvePositive(A.ToDense(), b);
    VectorXd x = b;
    factor.Solve(x.data());
    EXPECT_LT((x - expected).norm(), kTolerance * (1.0 + expected.norm()));
  }
}

TEST(BranchSparseFactor, HalfSolvesAndProductAreThoseOfL) {
  RandomNumbers random(6);
  for (const BranchPattern& pattern : MakeSparsePatterns()) {
    const int n = pattern.size();
    BranchSparseFactor factor;
    ASSERT_EQ(factor.Factor(random.BranchSparse(pattern)), -1);
    const MatrixXd L = factor.L().ToDense().triangularView<Eigen::Lower>();
    const VectorXd b = random.Vector(n);
    VectorXd x = b, y = b, z(n);
    factor.SolveTransposed(x.data());
    factor.SolveLower(y.data());
    factor.MultiplyLower(b.data(), z.data());
    EXPECT_LT((L.transpose() * x - b).norm(), kTolerance * (1.0 + x.norm()));
    EXPECT_LT((L * y - b).norm(), kTolerance * (1.0 + y.norm()));
    EXPECT_LT((L * b - z).norm(), kTolerance);
  }
}

// Two trees; what stands in the other tree's rows is infinite and must stay out.
TEST(BranchSparseFactor, RangesTouchOneTreeOnly) {
  RandomNumbers random(7);
  const BranchPattern pattern({-1, 0, 0, 2, -1, 4, 4});
  BranchSparseFactor factor;
  ASSERT_EQ(factor.Factor(random.BranchSparse(pattern)), -1);
  const VectorXd b = random.Vector(7);
  VectorXd whole = b, half = b;
  factor.SolveTransposed(whole.data());
  const double infinity = std::numeric_limits<double>::infinity();
  half.head(4).setConstant(infinity);
  factor.SolveTransposed(half.data(), 4, 7);
  EXPECT_EQ(half.tail(3), whole.tail(3));
  EXPECT_TRUE((half.head(4).array() == infinity).all());
  whole = half = b;
  factor.SolveLower(whole.data());
  half.tail(3).setConstant(infinity);
  factor.SolveLower(half.data(), 0, 4);
  EXPECT_EQ(half.head(4), whole.head(4));
}

// The rows that were not asked for keep their factor, and solves leave them alone until they are.
TEST(BranchSparseFactor, RowsOfSomeTreesFactorAlone) {
  RandomNumbers random(9);
  const BranchPattern pattern({-1, 0, 0, 2, -1, 4, 4});
  const BranchSparseMatrix A = random.BranchSparse(pattern), B = random.BranchSparse(pattern);
  BranchSparseFactor of_A, of_B, mixed;
  ASSERT_EQ(of_A.Factor(A), -1);
  ASSERT_EQ(of_B.Factor(B), -1);
  ASSERT_EQ(mixed.Factor(A), -1);
  ASSERT_EQ(mixed.Factor(B, {{4, 7}}), -1);
  EXPECT_EQ(mixed.L().ToDense().topRows(4), of_A.L().ToDense().topRows(4));
  EXPECT_EQ(mixed.L().ToDense().bottomRows(3), of_B.L().ToDense().bottomRows(3));
  const VectorXd b = random.Vector(7);
  VectorXd x = b, whole = b;
  mixed.Solve(x.data());
  of_B.Solve(whole.data());
  EXPECT_EQ(x.head(4), b.head(4));
  EXPECT_EQ(x.tail(3), whole.tail(3));
  BranchSparseMatrix bad = A;
  bad.diagonal(1) = -1.0;
  EXPECT_EQ(mixed.Factor(bad, {{4, 7}}), -1) << "row 1 is not asked for";
  EXPECT_EQ(mixed.Factor(bad, {{0, 4}}), 1);
  BranchSparseMatrix copy = A;
  copy.CopyRows(B, {{0, 4}});
  EXPECT_EQ(copy.ToDense().topLeftCorner(4, 4), B.ToDense().topLeftCorner(4, 4));
  EXPECT_EQ(copy.ToDense().bottomRightCorner(3, 3), A.ToDense().bottomRightCorner(3, 3));
}

TEST(BranchSparseFactor, TransposedSolveReachesAncestorsOnly) {
  RandomNumbers random(8);
  const BranchPattern pattern(random.Parents(20));
  BranchSparseFactor factor;
  ASSERT_EQ(factor.Factor(random.BranchSparse(pattern)), -1);
  for (int k = 0; k < 20; ++k) {
    VectorXd x = VectorXd::Unit(20, k);
    factor.SolveTransposed(x.data());
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(x[i] == 0.0 || IsAncestorOrSelf(pattern, i, k));
    }
  }
}

TEST(BranchSparseFactor, NamesTheFirstBadPivotFromTheLastRow) {
  RandomNumbers random(9);
  const BranchPattern pattern({-1, 0, 1, 1});
  BranchSparseMatrix A = random.BranchSparse(pattern);
  BranchSparseFactor factor;
  for (double bad :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    BranchSparseMatrix broken = A;
    broken.diagonal(2) = bad;
    EXPECT_EQ(factor.Factor(broken), 2);
  }
  // Row 1 becomes indefinite only after rows 3 and 2 have been eliminated.
  BranchSparseMatrix indefinite = A;
  indefinite.diagonal(1) *= 1e-3;
  indefinite.row(3)[1] = 10.0;
  EXPECT_EQ(factor.Factor(indefinite), 1);
  EXPECT_EQ(factor.Factor(A), -1);
}

}  // namespace
}  // namespace stiction

#include "math/branch_chains.h"

#include <gtest/gtest.h>

#include "tests/support/dense_algebra.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::RandomNumbers;
using stiction::testing::SolvePositive;

// Chains of every length, longer than a block's six rows too, with branches below them.
std::vector<BranchPattern> MakePatterns() {
  RandomNumbers random(1);
  std::vector<BranchPattern> patterns;
  for (int n : {1, 2, 5, 12, 30, 60}) patterns.emplace_back(random.Parents(n));
  for (int length = 1; length <= 14; ++length) {
    std::vector<int> parent(length);
    for (int k = 0; k < length; ++k) parent[k] = k - 1;
    const int fork = length - 1;
    for (int leg = 0; leg < 3; ++leg) {
      parent.push_back(fork);
      for (int k = 0; k < leg; ++k) parent.push_back(static_cast<int>(parent.size()) - 1);
    }
    patterns.emplace_back(parent);
  }
  patterns.emplace_back(std::vector<int>{-1, -1, -1});
  return patterns;
}

TEST(BranchChains, SolveLikeDense) {
  RandomNumbers random(2);
  BranchChains chains;  // one for all: an earlier matrix must leave nothing behind
  for (const BranchPattern& pattern : MakePatterns()) {
    const BranchSparseMatrix A = random.BranchSparse(pattern);
    BranchSparseFactor factor;
    ASSERT_LT(factor.Factor(A), 0);
    chains.Assign(factor);
    const VectorXd b = random.Vector(A.size());
    VectorXd x = VectorXd::Constant(A.size() + RowChunks::kPadding, 7.0);
    x.head(A.size()) = b;
    chains.Solve(x.data());
    EXPECT_LT((x.head(A.size()) - SolvePositive(A.ToDense(), b)).norm(), 1e-12) << pattern.size();
    // What stands behind the end is neither used nor changed.
    EXPECT_TRUE((x.tail(RowChunks::kPadding).array() == 7.0).all());
  }
}

TEST(RowChunks, MultiplyLikeDense) {
  RandomNumbers random(3);
  const int n = 20;
  const std::vector<std::vector<int>> columns{
      {0}, {19}, {0, 1, 2, 3, 4, 5}, {0, 3, 4, 8}, {1, 6, 11, 16, 17}, {}, {16, 17, 18, 19}};
  RowChunks chunks;
  std::vector<RowChunks::Range> ranges;
  std::vector<MatrixXd> dense;
  for (const std::vector<int>& list : columns) {
    const int count = static_cast<int>(list.size());
    MatrixXd J = MatrixXd::Zero(3, n);
    std::vector<double> rows;
    for (int r = 0; r < 3; ++r) {
      for (int k : list) rows.push_back(J(r, k) = random.Normal());
    }
    ranges.push_back(chunks.End());
    // In two parts, as a path behind its ancestors is appended.
    const int first = count / 2;
    chunks.Append(list.data(), first, rows.data(), count, 3, ranges.back());
    chunks.Append(list.data() + first, count - first, rows.data() + first, count, 3, ranges.back());
    dense.push_back(J);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    VectorXd x = random.Vector(n + RowChunks::kPadding), sum = x;
    const Vector3d y = random.Vector(3);
    Vector3d out;
    chunks.Multiply<3>(ranges[i], x.data(), out.data());
    EXPECT_LT((out - dense[i] * x.head(n)).norm(), 1e-14) << i;
    chunks.AddTransposed<3>(ranges[i], y.data(), sum.data());
    EXPECT_LT((sum.head(n) - x.head(n) - dense[i].transpose() * y).norm(), 1e-14) << i;
    EXPECT_EQ(sum.tail(RowChunks::kPadding), x.tail(RowChunks::kPadding));
  }
}

}  // namespace
}  // namespace stiction

#include "stiction/math/compressed_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "math/sparse_factor.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::RandomNumbers;

// Arrow-shaped, in two parts: eliminated from the first dof on, it would fill in.
CompressedMatrix MakeArrows(int n) {
  std::vector<MatrixEntry> entries;
  for (int k = 0; k < 2 * n; ++k) {
    const int head = k < n ? 0 : n;
    entries.push_back({k, k, k == head ? n : 2.0});
    if (k != head) entries.insert(entries.end(), {{k, head, 0.5}, {head, k, 0.5}});
  }
  return MakeCompressedMatrix(2 * n, entries);
}

TEST(CompressedMatrix, AddsUpWhatIsGivenTwice) {
  const CompressedMatrix A =
      MakeCompressedMatrix(3, {{2, 0, 4.0}, {0, 1, 1.0}, {2, 2, 8.0}, {0, 1, 2.0}, {0, 0, 16.0}});
  EXPECT_EQ(A.row_begin, (std::vector<int>{0, 2, 2, 4}));
  EXPECT_EQ(A.columns, (std::vector<int>{0, 1, 0, 2}));
  EXPECT_EQ(A.values, (std::vector<double>{16.0, 3.0, 4.0, 8.0}));
  EXPECT_EQ(A.At(0, 1), 3.0);
  EXPECT_EQ(A.At(1, 1), 0.0);
  const Vector3d x(1.0, 2.0, 3.0);
  Vector3d y;
  A.Multiply(x.data(), y.data());
  EXPECT_EQ(y, A.ToDense() * x);
}

TEST(SparseFactor, AgreesWithDenseMatricesAndKeepsPartsApart) {
  const int n = 7;
  CompressedMatrix A = MakeArrows(n);
  SparseFactor factor;
  for (int round = 0; round < 2; ++round) {  // the second time, with the order of the first
    ASSERT_TRUE(factor.Factor(A, {{0, n}, {n, 2 * n}}));
    EXPECT_EQ(factor.num_entries(), 2 * (2 * n - 1));  // no fill
    MatrixXd L(2 * n, 2 * n), Lt(2 * n, 2 * n);
    for (int k = 0; k < 2 * n; ++k) {
      EXPECT_EQ(factor.place(k) < n, k < n);
      EXPECT_EQ(factor.dof(factor.place(k)), k);
      const VectorXd unit = VectorXd::Unit(2 * n, k);
      factor.MultiplyLower(unit.data(), L.col(k).data(), 0, 2 * n);
      factor.MultiplyTransposed(unit.data(), Lt.col(k).data(), 0, 2 * n);
    }
    EXPECT_EQ(Lt, L.transpose());
    EXPECT_LT((L.transpose() * L - A.ToDense()).norm(), 1e-14);
    VectorXd x = RandomNumbers(3).Vector(2 * n), solved = x, places(2 * n), back(2 * n);
    factor.Solve(solved.data());
    EXPECT_LT((A.ToDense() * solved - x).norm(), 1e-14);
    // L⁻ᵀ, and then L⁻¹.
    factor.SolveTransposed(x.data(), places.data(), 0, 2 * n);
    factor.SolveLower(places.data(), back.data(), 0, 2 * n);
    EXPECT_LT((back - solved).norm(), 1e-14);
    for (double& value : A.values) value *= 2.0;
  }
}

TEST(SparseFactor, RefusesWhatIsNotPositiveDefiniteOrFinite) {
  for (const double value : {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
    CompressedMatrix A = MakeArrows(4);
    A.values[A.row_begin[2] + 1] = value;  // the diagonal of dof 2
    SparseFactor factor;
    EXPECT_FALSE(factor.Factor(A, {{0, 4}, {4, 8}})) << value;
    if (std::isnan(value)) continue;
    EXPECT_EQ(factor.FindBadPivot(), 2) << value;
  }
}

}  // namespace
}  // namespace stiction

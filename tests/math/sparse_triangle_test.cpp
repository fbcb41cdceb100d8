#include "math/sparse_triangle.h"

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <cmath>

namespace stiction {
namespace {

using Matrix = SparseTriangle::Matrix;

// Two chains of nodes of `dofs` dofs each, every node coupled to the next and, in the first chain, to the one
// after `skip` more.
Matrix MakeChains(int dofs, int nodes, int skip) {
  const int n = 2 * dofs * nodes;
  std::vector<Eigen::Triplet<double>> entries;
  const auto couple = [&](int a, int b, double scale) {
    for (int i = 0; i < dofs; ++i) {
      for (int j = 0; j < dofs; ++j) {
        const double value = scale * std::sin(1.0 + 3.0 * i + 5.0 * j + a + 0.7 * b);
        entries.emplace_back(dofs * a + i, dofs * b + j, value);
        entries.emplace_back(dofs * b + j, dofs * a + i, value);
      }
    }
  };
  for (int k = 0; k < n; ++k) entries.emplace_back(k, k, 6.0 * dofs);
  for (int chain = 0; chain < 2; ++chain) {
    for (int a = 0; a < nodes; ++a) {
      if (a + 1 < nodes) couple(chain * nodes + a, chain * nodes + a + 1, 1.0);
      if (chain == 0 && a + 1 + skip < nodes) couple(a, a + 1 + skip, 0.5);
    }
  }
  Matrix made(n, n);
  made.setFromTriplets(entries.begin(), entries.end());
  return made;
}

Eigen::VectorXd MakeRight(Eigen::Index n) {
  Eigen::VectorXd x(n);
  for (Eigen::Index k = 0; k < n; ++k) x[k] = std::cos(0.3 + 1.7 * static_cast<double>(k));
  return x;
}

// Groups of one to four columns, and longer ones that are cut.
TEST(SparseTriangle, SolvesAsTheLibraryDoes) {
  for (const int dofs : {1, 2, 3, 4, 5}) {
    for (const int skip : {1, 4}) {
      const Matrix A = MakeChains(dofs, 9, skip);
      Eigen::SimplicialLLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>> llt(A);
      ASSERT_EQ(llt.info(), Eigen::Success);
      const Matrix L = llt.matrixL().nestedExpression();
      SparseTriangle triangle;
      triangle.Assign(L);
      const int n = static_cast<int>(A.cols());
      Eigen::VectorXd x = MakeRight(n);
      Eigen::VectorXd expected = L.triangularView<Eigen::Lower>().solve(x);
      triangle.SolveLower(L, x.data(), 0, n);
      EXPECT_LT((x - expected).norm(), 1e-13 * expected.norm()) << dofs << " " << skip;
      expected = L.transpose().triangularView<Eigen::Upper>().solve(x);
      triangle.SolveTransposed(L, x.data(), 0, n);
      EXPECT_LT((x - expected).norm(), 1e-13 * expected.norm()) << dofs << " " << skip;
      EXPECT_LT((A * x - MakeRight(n)).norm(), 1e-12) << dofs << " " << skip;
    }
  }
}

// A part that no other shares an entry with is solved alone, to the same bits, and nothing else is touched.
TEST(SparseTriangle, SolvesPartsAlone) {
  const Matrix A = MakeChains(3, 7, 2);
  Eigen::SimplicialLLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>> llt(A);
  const Matrix L = llt.matrixL().nestedExpression();
  SparseTriangle triangle;
  triangle.Assign(L);
  const int n = static_cast<int>(A.cols()), half = n / 2;
  const Eigen::VectorXd right = MakeRight(n);
  Eigen::VectorXd whole = right;
  triangle.SolveLower(L, whole.data(), 0, n);
  triangle.SolveTransposed(L, whole.data(), 0, n);
  for (const int begin : {0, half}) {
    Eigen::VectorXd x = right;
    triangle.SolveLower(L, x.data(), begin, begin + half);
    triangle.SolveTransposed(L, x.data(), begin, begin + half);
    EXPECT_EQ(x.segment(begin, half), whole.segment(begin, half)) << begin;
    EXPECT_EQ(x.segment(half - begin, half), right.segment(half - begin, half)) << begin;
  }
}

}  // namespace
}  // namespace stiction

// Solves with a sparse Cholesky factor L, up to four columns at a time.
//
// Columns whose entries below them are in the same rows, as those of the dofs of a node of a mesh, are a
// group: a group reads its rows' numbers and what x has there once. The library's own solves take column by
// column, and sums of Lᵀ wait for one another.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

namespace stiction {

class SparseTriangle {
 public:
  using Matrix = Eigen::SparseMatrix<double>;

  // Finds the groups of L: the diagonal entry of each column first, rows ascending, and the pattern of a
  // Cholesky factor.
  void Assign(const Matrix& L);

  // x <- L⁻¹ x and x <- L⁻ᵀ x, of columns [begin, end) that no others share an entry with, by an L of the
  // pattern that was assigned.
  void SolveLower(const Matrix& L, double* x, int begin, int end) const;
  void SolveTransposed(const Matrix& L, double* x, int begin, int end) const;

 private:
  static constexpr int kMostColumns =
      4;  // of a group; SolveLower and SolveTransposed have code for each size

  int FindGroup(int column) const;

  std::vector<int> first_;  // column of each group, and how many columns there are
};

}  // namespace stiction

// A square sparse matrix by compressed rows, as plain arrays: what finite elements give, and what has no
// tree's pattern (math/branch_sparse.h).
#pragma once

#include <vector>

#include "stiction/math/types.h"

namespace stiction {

// One entry of a matrix that is being put together.
struct MatrixEntry {
  int row = 0;
  int column = 0;
  double value = 0.0;
};

struct CompressedMatrix {
  std::vector<int>
      row_begin;             // size n + 1: row k stands at [row_begin[k], row_begin[k + 1]); empty: no matrix
  std::vector<int> columns;  // ascending within a row
  std::vector<double> values;

  int size() const { return row_begin.empty() ? 0 : static_cast<int>(row_begin.size()) - 1; }
  int num_entries() const { return static_cast<int>(values.size()); }
  // The value at [row][column]; 0 where no entry is.
  double At(int row, int column) const;

  // y = A x, both of size n; y must not alias x.
  void Multiply(const double* x, double* y) const;
  MatrixXd ToDense() const;
};

// An n x n matrix of entries in any order; those that are given twice add up, in the order given.
CompressedMatrix MakeCompressedMatrix(int n, const std::vector<MatrixEntry>& entries);

}  // namespace stiction

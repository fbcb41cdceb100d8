#include "stiction/math/compressed_matrix.h"

#include <algorithm>
#include <numeric>

#include "math/assert.h"

namespace stiction {

double CompressedMatrix::At(int row, int column) const {
  const auto begin = columns.begin() + row_begin[row], end = columns.begin() + row_begin[row + 1];
  const auto at = std::lower_bound(begin, end, column);
  return at != end && *at == column ? values[static_cast<std::size_t>(at - columns.begin())] : 0.0;
}

void CompressedMatrix::Multiply(const double* x, double* y) const {
  STICTION_ASSERT(x != y || size() == 0);
  for (int k = 0; k < size(); ++k) {
    double sum = 0.0;
    for (int i = row_begin[k]; i < row_begin[k + 1]; ++i) sum += values[i] * x[columns[i]];
    y[k] = sum;
  }
}

MatrixXd CompressedMatrix::ToDense() const {
  MatrixXd A = MatrixXd::Zero(size(), size());
  for (int k = 0; k < size(); ++k) {
    for (int i = row_begin[k]; i < row_begin[k + 1]; ++i) A(k, columns[i]) = values[i];
  }
  return A;
}

CompressedMatrix MakeCompressedMatrix(int n, const std::vector<MatrixEntry>& entries) {
  // By columns, and then by rows: two counting sorts, which keep the order of equals.
  const auto sort = [n](const std::vector<MatrixEntry>& from, int MatrixEntry::*key) {
    std::vector<int> place(static_cast<std::size_t>(n) + 1, 0);
    for (const MatrixEntry& entry : from) ++place[entry.*key + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    std::vector<MatrixEntry> to(from.size());
    for (const MatrixEntry& entry : from) to[place[entry.*key]++] = entry;
    return to;
  };
  CompressedMatrix A;
  A.row_begin.assign(static_cast<std::size_t>(n) + 1, 0);
  int row = -1;
  for (const MatrixEntry& entry : sort(sort(entries, &MatrixEntry::column), &MatrixEntry::row)) {
    STICTION_ASSERT(entry.row >= 0 && entry.row < n && entry.column >= 0 && entry.column < n);
    if (entry.row == row && A.columns.back() == entry.column) {
      A.values.back() += entry.value;
      continue;
    }
    row = entry.row;
    A.columns.push_back(entry.column);
    A.values.push_back(entry.value);
    ++A.row_begin[row + 1];
  }
  std::partial_sum(A.row_begin.begin(), A.row_begin.end(), A.row_begin.begin());
  return A;
}

}  // namespace stiction

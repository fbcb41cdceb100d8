#include "stiction/math/branch_sparse.h"

#include <cmath>

namespace stiction {

void BranchPattern::Assign(const std::vector<int>& parent) {
  parent_ = parent;
  const int n = size();
  row_begin_.assign(n + 1, 0);
  for (int k = 0; k < n; ++k) {
    const int above = parent_[k] < 0 ? 0 : row_length(parent_[k]);
    row_begin_[k + 1] = row_begin_[k] + above + 1;
  }
  columns_.resize(row_begin_[n]);
  for (int k = 0; k < n; ++k) {
    int* column = columns_.data() + row_begin_[k];
    if (parent_[k] >= 0) {
      for (int i = 0; i < row_length(parent_[k]); ++i) *column++ = columns(parent_[k])[i];
    }
    *column = k;
  }
}

void BranchSparseMatrix::Resize(const BranchPattern& pattern) {
  if (!(pattern_ == pattern)) pattern_ = pattern;
  values_.assign(pattern_.num_entries(), 0.0);
}

void BranchSparseMatrix::SetZero() {
  values_.assign(values_.size(), 0.0);
}

void BranchSparseMatrix::Multiply(const double* x, double* y) const {
  const int n = size();
  for (int k = 0; k < n; ++k) {
    const double* a = row(k);
    const int* columns = pattern_.columns(k);
    const int last = pattern_.row_length(k) - 1;
    double sum = a[last] * x[k];
    for (int i = 0; i < last; ++i) {
      sum += a[i] * x[columns[i]];
      y[columns[i]] += a[i] * x[k];  // the transposed entry; y there was set when its own row was visited
    }
    y[k] = sum;
  }
}

MatrixXd BranchSparseMatrix::ToDense() const {
  MatrixXd A = MatrixXd::Zero(size(), size());
  for (int k = 0; k < size(); ++k) {
    for (int i = 0; i < pattern_.row_length(k); ++i) {
      const int column = pattern_.columns(k)[i];
      A(k, column) = A(column, k) = row(k)[i];
    }
  }
  return A;
}

int BranchSparseFactor::Factor(const BranchSparseMatrix& A) {
  const BranchPattern& pattern = A.pattern();
  if (!(L_.pattern_ == pattern)) L_.pattern_ = pattern;
  L_.values_ = A.values_;
  inverse_.resize(pattern.size());
  for (int k = A.size() - 1; k >= 0; --k) {
    double* row_k = L_.row(k);
    const int last = pattern.row_length(k) - 1;
    const double pivot = row_k[last];
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return k;
    const double root = std::sqrt(pivot);
    const double inverse = 1.0 / root;
    row_k[last] = root;
    inverse_[k] = inverse;
    for (int i = 0; i < last; ++i) row_k[i] *= inverse;
    // Row i of the leading block loses the outer product of row k; ancestors of an ancestor are a prefix of
    // row k.
    const int* columns = pattern.columns(k);
    for (int i = 0; i < last; ++i) {
      double* row_i = L_.row(columns[i]);
      const double factor = row_k[i];
      for (int j = 0; j <= i; ++j) row_i[j] -= factor * row_k[j];
    }
  }
  return -1;
}

void BranchSparseFactor::SolveTransposed(double* x, int begin, int end) const {
  const BranchPattern& pattern = L_.pattern();
  for (int k = end - 1; k >= begin; --k) {
    if (x[k] == 0.0) continue;
    const double* row_k = L_.row(k);
    const int* columns = pattern.columns(k);
    const int last = pattern.row_length(k) - 1;
    x[k] *= inverse_[k];
    for (int i = 0; i < last; ++i) x[columns[i]] -= row_k[i] * x[k];
  }
}

void BranchSparseFactor::SolveLower(double* x, int begin, int end) const {
  const BranchPattern& pattern = L_.pattern();
  for (int k = begin; k < end; ++k) {
    const double* row_k = L_.row(k);
    const int* columns = pattern.columns(k);
    const int last = pattern.row_length(k) - 1;
    double sum = x[k];
    for (int i = 0; i < last; ++i) sum -= row_k[i] * x[columns[i]];
    x[k] = sum * inverse_[k];
  }
}

void BranchSparseFactor::SolveTransposed(double* x) const {
  SolveTransposed(x, 0, size());
}
void BranchSparseFactor::SolveLower(double* x) const {
  SolveLower(x, 0, size());
}

void BranchSparseFactor::Solve(double* x) const {
  SolveTransposed(x);
  SolveLower(x);
}

void BranchSparseFactor::MultiplyLower(const double* x, double* y) const {
  const BranchPattern& pattern = L_.pattern();
  for (int k = 0; k < size(); ++k) {
    const double* row_k = L_.row(k);
    const int* columns = pattern.columns(k);
    double sum = 0.0;
    for (int i = 0; i < pattern.row_length(k); ++i) sum += row_k[i] * x[columns[i]];
    y[k] = sum;
  }
}

}  // namespace stiction

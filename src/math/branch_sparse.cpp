#include "stiction/math/branch_sparse.h"

#include <algorithm>
#include <cmath>

#include "math/assert.h"
#include "math/contracts.h"

namespace stiction {
namespace {

// The dofs of a free body: one chain, all of its tree, and by far the most frequent of small trees.
constexpr int kFreeChain = 6;

// Whether row k is the last of such a tree.
bool EndsFreeChain(const BranchPattern& pattern, int k) {
  return pattern.row_length(k) == kFreeChain && pattern.root(k) == k - kFreeChain + 1 &&
         (k + 1 == pattern.size() || pattern.parent(k + 1) < 0);
}

// The factor of a tree that is one chain of kSize dofs: its rows, 1, 2, ... long, stand end to end. As
// FactorRange, with all loops unrolled. Returns the row of a pivot that is not positive, -1 on success.
template <int kSize>
int FactorChain(double* rows, double* reciprocals) {
  const auto row = [rows](int k) { return rows + k * (k + 1) / 2; };
#pragma GCC unroll 8
  for (int k = kSize - 1; k >= 0; --k) {
    double* row_k = row(k);
    const double pivot = row_k[k];
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return k;
    const double root = std::sqrt(pivot);
    const double inverse = 1.0 / root;
    row_k[k] = root;
    reciprocals[k] = inverse;
#pragma GCC unroll 8
    for (int i = 0; i < k; ++i) row_k[i] *= inverse;
#pragma GCC unroll 8
    for (int i = 0; i < k; ++i) {
      double* row_i = row(i);
#pragma GCC unroll 8
      for (int j = 0; j <= i; ++j) row_i[j] -= row_k[i] * row_k[j];
    }
  }
  return -1;
}

// y -= a x, of vectors apart from one another, most of which are a few numbers long.
inline void Subtract(double a, const double* __restrict x, int n, double* __restrict y) {
  using Four = Eigen::Array<double, 4, 1>;
  using Two = Eigen::Array<double, 2, 1>;
  int i = 0;
  for (; i + 4 <= n; i += 4) Eigen::Map<Four>(y + i) -= a * Eigen::Map<const Four>(x + i);
  if (i + 2 <= n) Eigen::Map<Two>(y + i) -= a * Eigen::Map<const Two>(x + i), i += 2;
  if (i < n) y[i] -= a * x[i];
}

// Calls work(first, column, count) for each run of columns of row k that are next to one another, but for the
// diagonal, from the last run on: entries first, first + 1, ... of the row belong to column, column + 1, ...
template <typename Work>
inline void ForRuns(const BranchPattern& pattern, int k, const Work& work) {
  int count = pattern.run_length(k) - 1, end = pattern.row_length(k) - 1 - count;
  if (count > 0) work(end, k - count, count);
  while (end > 0) {
    const int last = pattern.columns(k)[end - 1];
    count = pattern.run_length(last);
    end -= count;
    work(end, last - count + 1, count);
  }
}

// The factor of rows [begin, end) of the matrix that L holds there.
int FactorRange(int begin, int end, BranchSparseMatrix& L, std::vector<double>& reciprocals) {
  const BranchPattern& pattern = L.pattern();
  for (int k = end - 1; k >= begin; --k) {
    if (EndsFreeChain(pattern, k)) {
      k -= kFreeChain - 1;
      const int bad = FactorChain<kFreeChain>(L.row(k), reciprocals.data() + k);
      if (bad >= 0) return k + bad;
      continue;
    }
    double* row_k = L.row(k);
    const int last = pattern.row_length(k) - 1;
    const double pivot = row_k[last];
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return k;
    const double root = std::sqrt(pivot);
    const double inverse = 1.0 / root;
    row_k[last] = root;
    reciprocals[k] = inverse;
    for (int i = 0; i < last; ++i) row_k[i] *= inverse;
    // Row i of the leading block loses the outer product of row k; ancestors of an ancestor are a prefix of
    // row k.
    const int* columns = pattern.columns(k);
    for (int i = 0; i < last; ++i) Subtract(row_k[i], row_k, i + 1, L.row(columns[i]));
  }
  return -1;
}

}  // namespace

void BranchPattern::Assign(const std::vector<int>& parent) {
  parent_ = parent;
  const int n = size();
  row_begin_.assign(n + 1, 0);
  for (int k = 0; k < n; ++k) {
    STICTION_ASSERT(parent_[k] >= -1 && parent_[k] < k);
    const int above = parent_[k] < 0 ? 0 : row_length(parent_[k]);
    row_begin_[k + 1] = row_begin_[k] + above + 1;
  }
  columns_.resize(row_begin_[n]);
  run_length_.resize(n);
  for (int k = 0; k < n; ++k) {
    int* column = columns_.data() + row_begin_[k];
    if (parent_[k] >= 0) {
      for (int i = 0; i < row_length(parent_[k]); ++i) *column++ = columns(parent_[k])[i];
    }
    *column = k;
    run_length_[k] = k > 0 && parent_[k] == k - 1 ? run_length_[k - 1] + 1 : 1;
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
  STICTION_ASSERT(x != y || size() == 0);
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

void BranchSparseMatrix::CopyFrom(const BranchSparseMatrix& from) {
  if (!(pattern_ == from.pattern_)) pattern_ = from.pattern_;
  values_ = from.values_;
}

void BranchSparseMatrix::CopyRows(const BranchSparseMatrix& from, const std::vector<IndexRange>& rows) {
  STICTION_ASSERT(from.pattern() == pattern_);
  for (const IndexRange& range : rows) CopyRows(from, range);
}

void BranchSparseMatrix::CopyRows(const BranchSparseMatrix& from, IndexRange rows) {
  STICTION_ASSERT(rows.begin >= 0 && rows.end <= size());
  if (rows.size() == 0) return;
  const int begin = pattern_.row_begin(rows.begin), end = pattern_.row_end(rows.end - 1);
  std::copy(from.values_.begin() + begin, from.values_.begin() + end, values_.begin() + begin);
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
  rows_.assign(1, {0, A.size()});
  AdoptPattern(A);
  return FactorRows(A, rows_);
}

int BranchSparseFactor::Factor(const BranchSparseMatrix& A, const std::vector<IndexRange>& rows) {
  Adopt(A, rows);
  return FactorRows(A, rows_);
}

void BranchSparseFactor::Adopt(const BranchSparseMatrix& A, const std::vector<IndexRange>& rows) {
  STICTION_ASSERT(Ascend(rows, [](const IndexRange& a, const IndexRange& b) { return a.end <= b.begin; }));
  rows_ = rows;
  AdoptPattern(A);
}

void BranchSparseFactor::AdoptPattern(const BranchSparseMatrix& A) {
  if (!(L_.pattern() == A.pattern())) L_.Resize(A.pattern());
  inverse_.resize(A.size());
}

int BranchSparseFactor::FactorRows(const BranchSparseMatrix& A, const std::vector<IndexRange>& rows) {
  L_.CopyRows(A, rows);
  for (auto range = rows.rbegin(); range != rows.rend(); ++range) {
    const int bad = FactorRange(range->begin, range->end, L_, inverse_);
    if (bad >= 0) return bad;
  }
  return -1;
}

int BranchSparseFactor::FactorRows(const BranchSparseMatrix& A, IndexRange rows) {
  L_.CopyRows(A, rows);
  return FactorRange(rows.begin, rows.end, L_, inverse_);
}

void BranchSparseFactor::SolveTransposed(double* x, int begin, int end) const {
  STICTION_ASSERT(begin >= 0 && begin <= end && end <= size());
  const BranchPattern& pattern = L_.pattern();
  for (int k = end - 1; k >= begin; --k) {
    if (x[k] == 0.0) continue;
    const double* row_k = L_.row(k);
    const double x_k = x[k] *= inverse_[k];
    ForRuns(pattern, k,
            [&](int first, int column, int count) { Subtract(x_k, row_k + first, count, x + column); });
  }
}

void BranchSparseFactor::SolveLower(double* x, int begin, int end) const {
  STICTION_ASSERT(begin >= 0 && begin <= end && end <= size());
  const BranchPattern& pattern = L_.pattern();
  for (int k = begin; k < end; ++k) {
    const double* __restrict row_k = L_.row(k);
    const int* __restrict columns = pattern.columns(k);
    const int last = pattern.row_length(k) - 1;
    double sum = x[k];
    for (int i = 0; i < last; ++i) sum -= row_k[i] * x[columns[i]];
    x[k] = sum * inverse_[k];
  }
}

void BranchSparseFactor::SolveTransposed(double* x) const {
  for (auto range = rows_.rbegin(); range != rows_.rend(); ++range)
    SolveTransposed(x, range->begin, range->end);
}
void BranchSparseFactor::SolveLower(double* x) const {
  for (const IndexRange& range : rows_) SolveLower(x, range.begin, range.end);
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

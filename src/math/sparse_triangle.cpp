#include "math/sparse_triangle.h"

#include <algorithm>
#include <type_traits>

#include "math/assert.h"

namespace stiction {
namespace {

template <int kColumns>
inline void Eliminate(const SparseTriangle::Matrix& L, int first, double* x) {
  const int* begin = L.outerIndexPtr() + first;
  const double* values = L.valuePtr();
  double pivot[kColumns];
  const double* below[kColumns];
  for (int c = 0; c < kColumns; ++c) {
    double sum = x[first + c];
    for (int b = 0; b < c; ++b) sum -= values[begin[b] + c - b] * pivot[b];
    x[first + c] = pivot[c] = sum / values[begin[c]];
    below[c] = values + begin[c] + kColumns - c;
  }
  const int* rows = L.innerIndexPtr() + begin[kColumns - 1] + 1;
  const int count = begin[kColumns] - begin[kColumns - 1] - 1;
  for (int i = 0; i < count; ++i) {
    double sum = below[0][i] * pivot[0];
    for (int c = 1; c < kColumns; ++c) sum += below[c][i] * pivot[c];
    x[rows[i]] -= sum;
  }
}

template <int kColumns>
inline void Substitute(const SparseTriangle::Matrix& L, int first, double* x) {
  const int* begin = L.outerIndexPtr() + first;
  const double* values = L.valuePtr();
  const double* below[kColumns];
  for (int c = 0; c < kColumns; ++c) below[c] = values + begin[c] + kColumns - c;
  const int* rows = L.innerIndexPtr() + begin[kColumns - 1] + 1;
  const int count = begin[kColumns] - begin[kColumns - 1] - 1;
  double even[kColumns] = {}, odd[kColumns] = {};
  int i = 0;
  for (; i + 1 < count; i += 2) {
    const double a = x[rows[i]], b = x[rows[i + 1]];
    for (int c = 0; c < kColumns; ++c) {
      even[c] += below[c][i] * a;
      odd[c] += below[c][i + 1] * b;
    }
  }
  if (i < count) {
    for (int c = 0; c < kColumns; ++c) even[c] += below[c][i] * x[rows[i]];
  }
  for (int c = kColumns - 1; c >= 0; --c) {
    double sum = x[first + c] - (even[c] + odd[c]);
    for (int b = c + 1; b < kColumns; ++b) sum -= values[begin[c] + b - c] * x[first + b];
    x[first + c] = sum / values[begin[c]];
  }
}

// Calls visit with the size of a group as a constant.
template <typename Visit>
inline void VisitSize(int size, const Visit& visit) {
  switch (size) {
    case 1:
      return visit(std::integral_constant<int, 1>());
    case 2:
      return visit(std::integral_constant<int, 2>());
    case 3:
      return visit(std::integral_constant<int, 3>());
    default:
      return visit(std::integral_constant<int, 4>());
  }
}

}  // namespace

void SparseTriangle::Assign(const Matrix& L) {
  STICTION_ASSERT(L.isCompressed());
  const int* begin = L.outerIndexPtr();
  const int n = static_cast<int>(L.cols());
  const auto count = [begin](int column) { return begin[column + 1] - begin[column]; };
  // Below its diagonal a column has no row that the next one lacks where that is the first of them
  // (elimination tree), so that numbers tell whether they are the same.
  const auto continues = [&](int column) {
    return count(column - 1) == count(column) + 1 && L.innerIndexPtr()[begin[column - 1] + 1] == column;
  };
  first_.clear();
  for (int column = 0; column < n; ++column) {
    if (first_.empty() || column - first_.back() == kMostColumns || !continues(column))
      first_.push_back(column);
  }
  first_.push_back(n);
}

int SparseTriangle::FindGroup(int column) const {
  const auto found = std::lower_bound(first_.begin(), first_.end(), column);
  STICTION_ASSERT(*found == column);
  return static_cast<int>(found - first_.begin());
}

void SparseTriangle::SolveLower(const Matrix& L, double* x, int begin, int end) const {
  for (int g = FindGroup(begin); first_[g] < end; ++g)
    VisitSize(first_[g + 1] - first_[g], [&](auto size) { Eliminate<size>(L, first_[g], x); });
}

void SparseTriangle::SolveTransposed(const Matrix& L, double* x, int begin, int end) const {
  for (int g = FindGroup(end) - 1; g >= 0 && first_[g] >= begin; --g)
    VisitSize(first_[g + 1] - first_[g], [&](auto size) { Substitute<size>(L, first_[g], x); });
}

}  // namespace stiction

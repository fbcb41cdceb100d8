#include "math/branch_chains.h"

#include <algorithm>

namespace stiction {

void BranchChains::Assign(const BranchSparseFactor& factor) {
  const BranchPattern& pattern = factor.pattern();
  const int n = factor.size();
  num_children_.assign(n, 0);
  for (int k = 0; k < n; ++k) {
    if (pattern.parent(k) >= 0) ++num_children_[pattern.parent(k)];
  }
  chains_.clear();
  rows_.Clear();
  for (int first = 0; first < n;) {
    int end = first + 1;
    while (end < n && end - first < kMaxSize && pattern.parent(end) == end - 1 &&
           num_children_[end - 1] == 1) {
      ++end;
    }
    AddChain(factor, first, end - first);
    first = end;
  }
}

void BranchChains::AddChain(const BranchSparseFactor& factor, int first, int size) {
  const BranchSparseMatrix& L = factor.L();
  const BranchPattern& pattern = factor.pattern();
  const int above = pattern.row_length(first) - 1;
  // Inverse of the triangle, by columns of the identity: row by row, X_i = (e_i − Σ_j<i L_ij X_j) / L_ii.
  double X[kMaxSize][kMaxSize] = {};
  for (int i = 0; i < size; ++i) {
    const double* row = L.row(first + i) + above;
    X[i][i] = 1.0;
    for (int j = 0; j < i; ++j) {
      for (int k = 0; k <= j; ++k) X[i][k] -= row[j] * X[j][k];
    }
    for (int k = 0; k <= i; ++k) X[i][k] *= factor.inverse_diagonal(first + i);
  }
  work_.assign(static_cast<std::size_t>(size) * (above + size), 0.0);
  for (int i = 0; i < size; ++i) {
    double* row = work_.data() + i * (above + size);
    for (int j = 0; j <= i; ++j) {
      for (int k = 0; k < above; ++k) row[k] -= X[i][j] * L.row(first + j)[k];
    }
    for (int j = 0; j < size; ++j) {
      for (int k = 0; k <= std::min(i, j); ++k) row[above + j] += X[i][k] * X[j][k];
    }
  }
  Chain chain{first, size};
  const int* columns = pattern.columns(first + size - 1);
  chain.path = rows_.End();
  rows_.Append(columns, above, work_.data(), above + size, size, chain.path);
  chain.ancestors = chain.path;
  rows_.Append(columns + above, size, work_.data() + above, above + size, size, chain.path);
  chains_.push_back(chain);
}

template <int size>
void BranchChains::SolveUp(const Chain& chain, double* x) const {
  double from[size];
  for (int i = 0; i < size; ++i) from[i] = x[chain.first + i];
  rows_.AddTransposed<size>(chain.ancestors, from, x);
}

template <int size>
void BranchChains::SolveDown(const Chain& chain, double* x) const {
  double sum[size];
  rows_.Multiply<size>(chain.path, x, sum);
  for (int i = 0; i < size; ++i) x[chain.first + i] = sum[i];
}

void BranchChains::Solve(double* x) const {
  const int n = static_cast<int>(chains_.size());
  for (int c = n - 1; c >= 0; --c) {
    const Chain& chain = chains_[c];
    if (chain.ancestors.is_empty()) continue;
    switch (chain.size) {
      case 1:
        SolveUp<1>(chain, x);
        break;
      case 2:
        SolveUp<2>(chain, x);
        break;
      case 3:
        SolveUp<3>(chain, x);
        break;
      case 4:
        SolveUp<4>(chain, x);
        break;
      case 5:
        SolveUp<5>(chain, x);
        break;
      default:
        SolveUp<kMaxSize>(chain, x);
    }
  }
  for (const Chain& chain : chains_) {
    switch (chain.size) {
      case 1:
        SolveDown<1>(chain, x);
        break;
      case 2:
        SolveDown<2>(chain, x);
        break;
      case 3:
        SolveDown<3>(chain, x);
        break;
      case 4:
        SolveDown<4>(chain, x);
        break;
      case 5:
        SolveDown<5>(chain, x);
        break;
      default:
        SolveDown<kMaxSize>(chain, x);
    }
  }
}

}  // namespace stiction

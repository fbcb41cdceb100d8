// Symmetric positive definite matrices with the sparsity of kinematic trees, and their factors without
// fill-in.
//
// Row k holds entries only at k and its ancestors parent(k), parent(parent(k)), ... (Featherstone 2008,
// §6.5). A dense matrix is the special case parent(k) = k-1, so one format serves robots and contact problems
// read from files. Storage is by row, from the root's entry to the diagonal:
//
//   row k:  [ A(root,k) ... A(parent(k),k) A(k,k) ]     ancestors() lists the matching columns
//
// Factor A = LᵀL with L lower triangular and the same pattern (Featherstone 2008, table 6.3, the LTL
// factorization).
#pragma once

#include <vector>

#include "stiction/math/index_range.h"
#include "stiction/math/types.h"

namespace stiction {

// The pattern, shared by a matrix and its factor.
class BranchPattern {
 public:
  BranchPattern() = default;
  // parent[k] < k, -1 at a root.
  explicit BranchPattern(const std::vector<int>& parent) { Assign(parent); }
  // The same for another tree, in the memory at hand.
  void Assign(const std::vector<int>& parent);

  // One parent array, one pattern.
  friend bool operator==(const BranchPattern& a, const BranchPattern& b) { return a.parent_ == b.parent_; }

  int size() const { return static_cast<int>(parent_.size()); }
  int num_entries() const { return row_begin_.empty() ? 0 : row_begin_.back(); }
  int parent(int k) const { return parent_[k]; }
  // First dof of the connected tree that k belongs to.
  int root(int k) const { return columns_[row_begin_[k]]; }
  // Row k stands at [row_begin(k), row_end(k)) of the values; its last entry is the diagonal.
  int row_begin(int k) const { return row_begin_[k]; }
  int row_end(int k) const { return row_begin_[k + 1]; }
  int row_length(int k) const { return row_begin_[k + 1] - row_begin_[k]; }
  // Columns of row k, ascending: k's ancestors from the root down, then k itself.
  const int* columns(int k) const { return columns_.data() + row_begin_[k]; }
  // How many columns at the end of row k, up to k itself, are next to one another.
  int run_length(int k) const { return run_length_[k]; }

 private:
  std::vector<int> parent_;
  std::vector<int> row_begin_;  // size n + 1
  std::vector<int> columns_;
  std::vector<int> run_length_;
};

class BranchSparseMatrix {
 public:
  BranchSparseMatrix() = default;
  explicit BranchSparseMatrix(const BranchPattern& pattern) { Resize(pattern); }
  // Adopts the pattern; values become zero. Allocates only when it has to grow.
  void Resize(const BranchPattern& pattern);

  const BranchPattern& pattern() const { return pattern_; }
  int size() const { return pattern_.size(); }
  double* row(int k) { return values_.data() + pattern_.row_begin(k); }
  const double* row(int k) const { return values_.data() + pattern_.row_begin(k); }
  double& diagonal(int k) { return values_[pattern_.row_end(k) - 1]; }
  double diagonal(int k) const { return values_[pattern_.row_end(k) - 1]; }
  void SetZero();

  // y = A x, both of size n; y must not alias x.
  void Multiply(const double* x, double* y) const;
  // Becomes a copy; the pattern is copied only where it is another one.
  void CopyFrom(const BranchSparseMatrix& from);
  // Takes over rows of a matrix of the same pattern.
  void CopyRows(const BranchSparseMatrix& from, const std::vector<IndexRange>& rows);
  void CopyRows(const BranchSparseMatrix& from, IndexRange rows);
  // Both triangles, n x n.
  MatrixXd ToDense() const;

 private:
  friend class BranchSparseFactor;
  BranchPattern pattern_;
  std::vector<double> values_;
};

class BranchSparseFactor {
 public:
  // A = LᵀL. Returns the index of the first pivot, counted from the last row, that is not positive (the
  // matrix is singular or indefinite there), or -1 on success.
  [[nodiscard]] int Factor(const BranchSparseMatrix& A);
  // The same for some rows, whole trees at a time and in ascending ranges. The other rows of the factor stay
  // as they are, and until the next call Solve, SolveTransposed and SolveLower without a range leave the
  // other entries of x alone.
  [[nodiscard]] int Factor(const BranchSparseMatrix& A, const std::vector<IndexRange>& rows);
  // The same in parts, which threads may work on at the same time: Adopt with all rows, then FactorRows with
  // some of them.
  void Adopt(const BranchSparseMatrix& A, const std::vector<IndexRange>& rows);
  [[nodiscard]] int FactorRows(const BranchSparseMatrix& A, const std::vector<IndexRange>& rows);
  [[nodiscard]] int FactorRows(const BranchSparseMatrix& A, IndexRange rows);

  const BranchPattern& pattern() const { return L_.pattern(); }
  int size() const { return L_.size(); }
  // L itself, by rows.
  const BranchSparseMatrix& L() const { return L_; }
  double inverse_diagonal(int k) const { return inverse_[k]; }

  // In place, x of size n:
  void Solve(double* x) const;            // x <- A⁻¹ x
  void SolveTransposed(double* x) const;  // x <- L⁻ᵀ x: touches only ancestors of the non-zeros of x
  void SolveLower(double* x) const;       // x <- L⁻¹ x
  void MultiplyLower(const double* x, double* y) const;  // y = L x
  // The same for the contiguous rows [begin, end) of one tree; x is indexed by global row.
  void SolveTransposed(double* x, int begin, int end) const;
  void SolveLower(double* x, int begin, int end) const;

 private:
  void AdoptPattern(const BranchSparseMatrix& A);

  BranchSparseMatrix L_;
  std::vector<IndexRange> rows_;  // that Factor was asked for
  std::vector<double> inverse_;   // of L's diagonal: a solve's chain of divisions would be its latency
};

}  // namespace stiction

// A = LᵀL of a sparse positive definite matrix of any pattern, by Eigen's simplicial Cholesky factorisation
// in an order of small fill (approximate minimum degree).
//
// L's columns are the dofs as they are; its rows are the places of the order, the first to be eliminated
// first. With Eigen's P A Pᵀ = L_e L_eᵀ, L = L_eᵀ P. Parts of A that are not coupled keep their range: places
// and dofs of a part are the same numbers.
#pragma once

#include <Eigen/SparseCholesky>
#include <vector>

#include "math/sparse_triangle.h"
#include "stiction/math/compressed_matrix.h"
#include "stiction/math/index_range.h"

namespace stiction {

class SparseFactor {
 public:
  // The lower triangle of A counts. False if A is not positive definite or not finite. A pattern that is that
  // of the last call is not ordered again.
  //   parts  ascending ranges that cover all dofs and that A does not couple
  [[nodiscard]] bool Factor(const CompressedMatrix& A, const std::vector<IndexRange>& parts);

  // After a Factor that failed with finite numbers: the dof of the first pivot that is not positive, in the
  // order; -1 if none is found.
  int FindBadPivot();

  int size() const { return static_cast<int>(place_.size()); }
  int num_entries() const { return static_cast<int>(factor_.nonZeros()); }  // of L
  int place(int dof) const { return place_[dof]; }
  int dof(int place) const { return dof_[place]; }

  // x <- A⁻¹ x, size n, by dof.
  void Solve(double* x);
  // The same of whole parts, in the range of places and dofs [begin, end) alone; y must not alias x.
  //   y = L x    from dofs to places
  //   y = Lᵀ x   from places to dofs
  //   y = L⁻ᵀ x  from dofs to places
  //   y = L⁻¹ x  from places to dofs; x is overwritten
  void MultiplyLower(const double* x, double* y, int begin, int end) const;
  void MultiplyTransposed(const double* x, double* y, int begin, int end) const;
  void SolveTransposed(const double* x, double* y, int begin, int end) const;
  void SolveLower(double* x, double* y, int begin, int end) const;

  // Rows of J L⁻¹ from rows of J: L⁻ᵀ reaches from a dof's place only what is above it in the elimination
  // tree.
  //   places  out: what the dofs reach, ascending
  //   values  dim a dof, of `count` dofs of one part
  //   scaled  out: dim a place
  void ScaleRows(const int* dofs, int count, int dim, const double* values, std::vector<int>& places,
                 std::vector<double>& scaled);

 private:
  using Matrix = Eigen::SparseMatrix<double>;

  void Order(const CompressedMatrix& A, const std::vector<IndexRange>& parts);
  void FindReach(const int* dofs, int count, std::vector<int>& places);

  CompressedMatrix pattern_;      // that was ordered, without values
  std::vector<int> place_, dof_;  // by dof; by place
  std::vector<int> parent_;       // elimination tree, by place; -1: a root
  Matrix permuted_;
  std::vector<int> slot_;  // of A's entries in permuted_; -1: above the diagonal there
  Eigen::SimplicialLLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>> llt_;
  Matrix factor_;  // L_e
  SparseTriangle triangle_;
  std::vector<char> is_reached_;
  std::vector<double> work_;  // 3 a place, zero between calls
  std::vector<double> by_place_;
};

}  // namespace stiction

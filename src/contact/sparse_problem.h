// A problem whose A is sparse in any way (ContactProblem::A_sparse), as one that every solver takes. With
// A = LᵀL, of which a library makes the factor (math/sparse_factor.h), and v' = L v,
//
//   A' = 1,   v*' = L v*,   J' = J L⁻¹,   e' = e
//
// is a problem of branch-sparse A' with the same impulses, the same velocities g at the constraints and the
// same Delassus matrix J' J'ᵀ = J A⁻¹ Jᵀ. A row of J' fills in from the dofs of J upwards in the elimination
// tree: for a body of n nodes in space, of the order of n^(2/3) entries.
//
// What is more than rows, the matrix K = 1 + J'ᵀ S J' of Newton and ADMM, is nearly dense; that is factored
// in the dofs of A, where it is sparse (contact/sparse_hessian.h).
#pragma once

#include <vector>

#include "math/sparse_factor.h"
#include "stiction/contact/island.h"
#include "stiction/contact/problem.h"

namespace stiction {

class SparseProblem {
 public:
  // Factors A_sparse and makes reduced(). False if it is not positive definite or not finite. Keeps a pointer
  // to the problem. Allocates.
  [[nodiscard]] bool Assign(const ContactProblem& problem);

  const ContactProblem& original() const { return *original_; }
  const ContactProblem& reduced() const { return reduced_; }
  const BranchSparseFactor& unit_factor() const { return unit_factor_; }  // of A' = 1
  const SparseFactor& factor() const { return factor_; }

  // v' = L v, of size nv, in place; a velocity of another size becomes empty.
  void Reduce(VectorXd& v) const;
  // δ = Yᵀ λ and y = Y δ of an island by J and L: Y is far fuller than both.
  void MapImpulses(const Island& island, const double* lambda, double* delta) const;
  void Multiply(const Island& island, const double* delta, double* y) const;
  // v = v* + A⁻¹ Jᵀ λ of the original problem.
  //   lambda  size num_rows
  void CalcVelocity(const Eigen::Ref<const VectorXd>& lambda, VectorXd& v);

 private:
  void ReduceRows();

  const ContactProblem* original_ = nullptr;
  ContactProblem reduced_;
  SparseFactor factor_;
  BranchSparseFactor unit_factor_;
  std::vector<IndexRange> parts_;
  std::vector<int> places_;
  std::vector<double> scaled_;
};

// The Delassus scales w_i = tr(J_i A⁻¹ J_iᵀ)/dim of a problem with either form of A, one per constraint.
// Empty if A is not positive definite.
VectorXd CalcScales(const ContactProblem& problem);

}  // namespace stiction

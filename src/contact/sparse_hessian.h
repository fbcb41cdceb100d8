// K = 1 + Yᵀ S Y (contact/scaled_hessian.h) of an island whose A is sparse in any way. With Y = J L⁻¹ and
// A = LᵀL,
//
//   K = L⁻ᵀ (A + Jᵀ S J) L⁻¹,   K⁻¹ = L (A + Jᵀ S J)⁻¹ Lᵀ
//
// A + Jᵀ S J has A's entries and those between dofs that one constraint touches: what is factored is as
// sparse as the mesh, by a library's Cholesky factorisation, or LU where an S is not symmetric. The
// elimination of the constraint rows of [Tasora 2021]'s saddle point leaves this matrix.
#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <vector>

#include "math/sparse_triangle.h"
#include "stiction/contact/island.h"

namespace stiction {

class SparseHessian {
 public:
  // Forgets what was before; the pattern is made by the first Factor.
  void Assign(const Island& island);
  // False if the factorisation fails.
  //   weights    S of each constraint, 9 values apart: 3 x 3 by rows, or one value
  //   is_active  S counts
  [[nodiscard]] bool Factor(const Island& island, const std::vector<double>& weights,
                            const std::vector<char>& is_active, bool is_symmetric);
  // x <- K⁻¹ x, by dof of the island.
  void Solve(double* x);
  // y = Y K⁻¹ Yᵀ λ = J (A + Jᵀ S J)⁻¹ Jᵀ λ, by row of the island: L falls out, and with it all of its
  // triangular solves.
  void SolveRows(const double* lambda, double* y);

 private:
  using Matrix = Eigen::SparseMatrix<double>;

  void MakePattern(const Island& island);
  void AddDynamics(const Island& island);
  void SolveRight();  // solution_ = (A + Jᵀ S J)⁻¹ right_
  void AddConstraint(const ContactProblem& problem, int index, const double* S, const int* slot);
  // The dofs of a constraint, of the island, and its rows: dim values a dof.
  void ListDofs(const ContactProblem& problem, const Constraint& c, std::vector<int>& dofs) const;

  const Island* island_ = nullptr;
  std::vector<int> shift_;  // by subsystem of the problem: to a dof of the island from one of the problem
  Matrix matrix_;           // A + Jᵀ S J, all of it
  std::vector<int> dynamics_slot_;
  std::vector<int> slot_, first_slot_;  // of each constraint's products in the values, by pairs of its dofs
  bool has_pattern_ = false, is_analyzed_ = false, is_symmetric_ = true;
  Eigen::SimplicialLLT<Matrix> cholesky_;
  SparseTriangle triangle_;  // of its factor
  Eigen::SparseLU<Matrix> lu_;
  VectorXd places_, dofs_;  // by place of the whole problem; by its dof
  VectorXd right_, permuted_, solution_;
};

}  // namespace stiction

// The linear system of every ADMM iteration on impulses: with the penalty Θ and the compliance C, both
// diagonal, one number per row,
//
//   [ 1   Yᵀ       ] (  δ )   (    0   )
//   [ Y  −(Θ + C)  ] ( −λ ) = ( t − g0 )          that is   δ = Yᵀ λ,   Y δ + (Θ + C) λ = t − g0
//
// The matrix is quasi-definite: an LDLᵀ factor without pivoting exists for every symmetric order. Constraint
// rows are eliminated first, which leaves K = 1 + Yᵀ (Θ + C)⁻¹ Y on the trees, as sparse as the contact graph
// (contact/scaled_hessian.h); a new Θ changes only the (2,2) block and needs a new numeric factor, no new
// order. Rows with a tiny Θ make K stiff and λ a small difference times a large number: one step of iterative
// refinement restores δ = Yᵀ λ. Where A is sparse in any way, a back-solve is what an iteration costs, and it
// is done where there are such rows alone.
//
// Soft rows are eliminated exactly, λ = −k e − b (Y δ + g0), and take no part in the iteration.
//
// Reference: [Tasora 2021] A. Tasora, D. Mangoni, S. Benatti, R. Garziera, Solving variational inequalities
// and cone complementarity problems in nonsmooth dynamics using the alternating direction method of
// multipliers, equation (36), with v eliminated by A = LᵀL.
#pragma once

#include <vector>

#include "contact/scaled_hessian.h"

namespace stiction {

class SaddlePoint {
 public:
  // Order and storage for the island.
  void Assign(const Island& island);
  // Factors with Θ + C, one positive number per row; soft rows ignore theirs. False if that fails.
  [[nodiscard]] bool Factor(const Island& island, const std::vector<double>& diagonal);
  // δ and λ for t, one number per row (soft rows ignore theirs).
  void Solve(const Island& island, const std::vector<double>& t, std::vector<double>& delta,
             std::vector<double>& lambda);
  // By the factor, since Assign.
  int back_solves() const { return back_solves_; }

 private:
  // λ from velocities at the constraints, or Y δ + g0.
  void SetImpulses(const Island& island, const std::vector<double>& t, const std::vector<double>& velocities,
                   std::vector<double>& lambda) const;

  ScaledHessian hessian_;
  std::vector<double> inverse_;  // (Θ + C)⁻¹, one per row; soft: b
  std::vector<double> change_, change_rows_, velocities_;
  bool needs_refinement_ = true;
  int back_solves_ = 0;
};

}  // namespace stiction

// A few constraints of an island by their exact laws, against the others linearised (nonlinear elimination).
//
// A Newton step that linearises every constraint is thrown back and forth where the state of a few depends on
// itself through the rest: a foot that slides as soon as it is taken to stick, and the other way round. Those
// few, G, are left out of the matrix K of the step. Through it their velocities depend on their impulses by
//
//   u = v + C (λ − λ°),   C = Y_G K⁻¹ Y_Gᵀ
//
// with v what the step of the others alone gives. C is not symmetric where one of the others slides. That and
// the laws are solved by Gauss-Seidel sweeps, in which each contact asks for all of its states and all
// directions of sliding at once (contact/local_contact.h).
//
// Reference: P. J. Lanzkron, D. J. Rose, J. T. Wilkes, An analysis of approximate nonlinear elimination,
// 1996.
#pragma once

#include <span>
#include <vector>

#include "contact/scaled_hessian.h"
#include "stiction/contact/island.h"

namespace stiction {

class CondensedGroup {
 public:
  // Whether a constraint may be in the group: soft rows may not, whose law no clamp of an impulse is.
  static bool MayContain(const IslandConstraint& c) { return c.type != ConstraintType::kSoft; }

  // Allocates for groups of so many constraints of the island, so that none of them allocates later.
  void Reserve(const Island& island, int max_group);
  // Sweeps until nothing changes by 1e-10 m/s, or by a thousandth of what changed at first, at most 100
  // times; what the last sweep gives is taken.
  //   hessian      K, factored with the group inactive
  //   group        indices of constraints
  //   lambda       by row, and
  //   delta        the velocity of the island there
  //   delta_step   in: of the others' linearised laws alone; out: of the group's impulses as well
  //   lambda_step  out: λ − λ° of the group, by row; other rows stay
  void Solve(const Island& island, ScaledHessian& hessian, std::span<const int> group, const double* lambda,
             const double* delta, double* delta_step, double* lambda_step);

 private:
  struct Member {
    int index = 0;  // of the constraint
    int row = 0;    // in the group
    Matrix3d D, D_inverse;
  };

  double* column(int row) { return coupling_.data() + static_cast<std::size_t>(row) * num_rows_; }
  void MakeBlock(const IslandConstraint& c, Member& member);
  // Returns the largest change, w ‖Δλ‖ [m/s].
  double Sweep(const Island& island);
  void Change(int row, double change);

  std::vector<Member> members_;
  int num_rows_ = 0;
  std::vector<double> coupling_;  // C, by columns
  std::vector<double> velocity_;  // u
  std::vector<double> lambda_, before_;
  std::vector<double> response_;  // K⁻¹ Y_Gᵀ (λ − λ°), by dof
};

}  // namespace stiction

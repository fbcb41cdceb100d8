// Residuals of equalities, and their rows in the contact problem.
//
//   FrameLock          translations  R_WFᵀ (p_WG − p_WF), along the axes of F
//                      rotations     all three locked: the rotation vector of R_FG
//                                    two, axis k free: e_k × R_FG e_k, turned to its angle
//                                    one: the angle between F's and G's free axes, less a right one
//   JointPolynomial    y − y₀ − p(x − x₀) − target
//   TendonPolynomial   L − L₀ − p(L_of − L_of₀) − target, from the lengths at q0
//   PointDistance      ‖p_WG − p_WF‖ − d − target
//
// The row of a translation moves both bodies at the point of G: that is the exact derivative of the residual
// in F's axes. Those of rotations are exact too, however far a lock is open: rows that are so where it holds
// alone take what the residual then turns by for a bend that the bias has to meet, a velocity as large as
// that which is there, of either sign.
//
// References: G. Chirikjian, Stochastic Models, Information Theory, and Lie Groups 2, 2012, §10.6 (the
// inverse of the left Jacobian, for rotation vectors). V. Tsounis, R. Grandia, M. Bächer, 2025, §III.
#pragma once

#include "stiction/contact/problem.h"
#include "stiction/dynamics/tendon.h"

namespace stiction {

// Φ at the configuration [m or rad, one per row].
//   tendons   at q, where the model has any
//   target    of Input::equality_target
//   residual  out, size equality.num_rows
void CalcEqualityResidual(const Model& model, const Kinematics& kin, const VectorXd& q,
                          const TendonWorkspace& tendons, int equality, double target, double* residual);

// Appends one bilateral constraint per row, with bias zero.
void AddEqualityRows(const Model& model, const Kinematics& kin, const BranchPattern& pattern,
                     const VectorXd& q, const TendonWorkspace& tendons, int equality,
                     ContactProblem& problem);

// How far the bodies of an equality go in a step of dt [s], at their velocities, over how far they may before
// its rows at the start say nothing of its end: a radian, and less near where the residual has a kink, which
// is half a turn of a lock, axes that are parallel where they belong at right angles, and points that
// coincide.
double CalcReachTaken(const Model& model, const Kinematics& kin, const Equality& equality, double dt);

// Φ of all equalities that hold exactly, at `kin`, with the targets; those of the others are zero.
//   residual  out, size num_equality_rows
void CalcEqualityResiduals(const Model& model, const Kinematics& kin, const VectorXd& q,
                           const TendonWorkspace& tendons, const VectorXd& targets, VectorXd& residual);

}  // namespace stiction

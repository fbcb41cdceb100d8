// Residuals of equalities, and their rows in the contact problem.
//
//   FrameLock          translations  R_WFᵀ (p_WG − p_WF), along the axes of F
//                      rotations     all three locked: the rotation vector of R_FG
//                                    two, axis k free: e_k × R_FG e_k, turned to its angle
//                                    one: minus the cosine of the angle between F's and G's free axes
//   JointPolynomial    y − y₀ − p(x − x₀) − target
//   PointDistance      ‖p_WG − p_WF‖ − d − target
//
// The row of a translation moves both bodies at the point of G: that is the exact derivative of the residual
// in F's axes.
//
// References: V. Tsounis, R. Grandia, M. Bächer, 2025, §III.
#pragma once

#include "stiction/contact/problem.h"
#include "stiction/dynamics/kinematics.h"

namespace stiction {

// Φ at the configuration [m or rad, one a row].
//   input   Input::equality_target, and mocap poses as in `kin`
//   residual  out, size equality.num_rows
void CalcEqualityResidual(const Model& model, const Kinematics& kin, const VectorXd& q, int equality,
                          double target, double* residual);

// Appends one bilateral constraint a row, with bias zero.
void AddEqualityRows(const Model& model, const Kinematics& kin, const BranchPattern& pattern,
                     const VectorXd& q, int equality, ContactProblem& problem);

// Φ of all active equalities at `kin`, with the targets; those that are not active are zero.
//   residual  out, size num_equality_rows
void CalcEqualityResiduals(const Model& model, const Kinematics& kin, const VectorXd& q,
                           const VectorXd& targets, VectorXd& residual);

}  // namespace stiction

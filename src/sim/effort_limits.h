// Forces with a range, implicitly: symplectic Euler's law for a servo whose force is limited.
//
//   f⁺ = clamp(f₀ − b (ℓ̇⁺ − ℓ̇₀) − dt k ℓ̇⁺, lower, upper)
//
// with k and b its slopes and ℓ̇⁺ the rate at the end of the step, contacts included. Either the slopes are
// in A, or the force is a bound's and constant: a step finds out which by trying (an active set). It begins
// with the side on which the force stands at the start, corrects by v*, the end of the step without impulses,
// and again by v⁺ after the solve; a force that does not change sides costs nothing. From round kPatience on
// only the first force that is on the wrong side changes it, which cannot cycle where the others' answers are
// those of a symmetric positive definite matrix (Murty's rule for linear complementarity).
//
// With the integrators that iterate (implicit, midpoint) forces are clamped at the state where they are
// evaluated; rk4 clamps in its stages. Only Euler's method needs this.
//
// Reference: K. Murty, Note on a Bard-type scheme for solving the complementarity problem, 1974.
#pragma once

#include "stiction/dynamics/forces.h"
#include "stiction/math/branch_sparse.h"

namespace stiction {

constexpr int kMaxEffortRounds = 12;

// Puts each limited force on the side of its range on which v_end finds it. True if one changed, so that
// forces and all that depends on them are to be computed again; forces.has_sides is set then.
//   forces  of CalcJointForces, at the start of the step
//   v_end   size nv
//   round   how often it changed already
bool UpdateSides(const Model& model, const VectorXd& v_end, double dt, int round, JointForces& forces);

// Largest distance of a force from its law, times dt and the rate that a unit of impulse along it causes
// [m/s or rad/s]: zero but for rounding once UpdateSides changes nothing.
//   factor    of A
//   response  overwritten: what a unit of impulse along one force causes, size nv
double CalcEffortResidual(const Model& model, const JointForces& forces, const BranchSparseFactor& factor,
                          const VectorXd& v_end, double dt, VectorXd& response);

// Clamps actuator_force, and its part of actuation, of servos that are beyond their range at the start of the
// step alone. Those that were held read as the bound.
void RecordEfforts(const Model& model, JointForces& forces);

}  // namespace stiction

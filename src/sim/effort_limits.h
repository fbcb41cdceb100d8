// Forces with a range, implicitly: symplectic Euler's law for a servo whose force is limited.
//
//   f⁺ = clamp(f₀ − b (ℓ̇⁺ − ℓ̇₀) − dt k ℓ̇⁺, lower, upper)
//
// with k and b its slopes and ℓ̇⁺ the rate at the end of the step, contacts included. Either the slopes are
// in A, or the force is a bound's and constant: a step finds out which by trying (an active set). It begins
// with the side on which the force stands at the start, corrects by v*, the end of the step without impulses,
// and again by v⁺ after the solve; a force that does not change sides costs nothing. From round kPatience on
// only the first force that is on the wrong side of v* changes it, which cannot cycle where the others'
// answers are those of a symmetric positive definite matrix (Murty's rule for linear complementarity).
//
// With friction they are not: an arm that is jammed goes round between the sides for ever. A force that is on
// the wrong side of v⁺ from that round on is left open, and its law is a bounded row of the problem, with a
// spring in series: the solver finds side and impulses together. That costs a row, and dofs of the spring,
// which is why it is not done at once. Forces that are bounded again, by a range of their joint's or tendon's
// sum, go on changing sides.
//
// The integrators that iterate (implicit, midpoint) do the same in every step of Newton's method, where the
// end is where that step leads, and once more after the solve; but no force is left open there. rk4 clamps in
// its stages.
//
// Reference: K. Murty, Note on a Bard-type scheme for solving the complementarity problem, 1974.
#pragma once

#include "sim/step_rows.h"
#include "stiction/dynamics/forces.h"
#include "stiction/math/branch_sparse.h"

namespace stiction {

constexpr int kMaxEffortRounds = 12;

// The end of a step, as a force's slopes see it from where the force was evaluated.
struct EffortEnd {
  const VectorXd& v;     // size nv: at the end, or
  bool is_change;        // by how much it is another one than where the force was evaluated
  double damping = 1.0;  // of the change of a rate, what counts,
  double stiffness;      // and of a rate what a length changes by [s]
};

// Puts each limited force on the side of its range on which the end finds it. True if one changed, so that
// forces and all that depends on them are to be computed again; forces.has_sides is set then.
//   forces    of CalcJointForces
//   round     how often it changed already
//   has_rows  whether the end is that of a solve, in which forces may be rows
bool UpdateSides(const Model& model, const EffortEnd& end, int round, bool has_rows, JointForces& forces);

// Whether the force's law is a row of the problem.
bool IsOpen(const Model& model, const JointForces& forces, const LimitedForce& limited);

// Forces that were left open stand on the sides that the solver found, and act as of there.
void CloseSides(const Model& model, const StepRows& rows, const GrowingVector& lambda, JointForces& forces);

// Largest distance of a force that is not open from its law, times dt and the rate that a unit of impulse
// along it causes [m/s or rad/s]: zero but for rounding once UpdateSides changes nothing.
//   factor    of A
//   response  overwritten: what a unit of impulse along one force causes, size nv
double CalcEffortResidual(const Model& model, const JointForces& forces, const BranchSparseFactor& factor,
                          const EffortEnd& end, double dt, VectorXd& response);

// Clamps actuator_force, and its part of actuation, of servos that are beyond their range at the start of the
// step alone. Those that were held read as the bound.
void RecordEfforts(const Model& model, JointForces& forces);

}  // namespace stiction

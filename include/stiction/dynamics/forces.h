// Joint springs and dampers, actuators and applied forces, with the slopes that the step treats implicitly.
#pragma once

#include "stiction/dynamics/kinematics.h"

namespace stiction {

// Generalised forces at (q, v) and their diagonal slopes.
struct JointForces {
  VectorXd passive;    // size nv: springs and dampers [N or N·m]
  VectorXd actuation;  // size nv: actuators
  VectorXd applied;    // size nv: applied_generalized plus Jᵀ applied_wrench
  // Slopes, size nv: -∂τ/∂q ≥ 0 of scalar joints, from springs and unsaturated actuators [N/m or N·m/rad],
  // and -∂τ/∂v ≥ 0, from dampers too [N·s/m or N·m·s/rad].
  VectorXd stiffness;
  VectorXd damping;
  VectorXd actuator_force;  // size nu: f of each actuator, clamped

  void Resize(const Model& model);
};

// Needs position kinematics. Controls are clamped to their ranges. A slope that would be negative (a spring
// that pushes away) stays explicit: it enters the force and not `stiffness` or `damping`.
void CalcJointForces(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v,
                     const Input& input, JointForces& forces);

// Adds the force f_W [N] that acts on `body` at the point p_WQ [m], both in world axes, to
// input.applied_wrench: the force, and its moment about the body's centre of mass. Needs position kinematics.
// On a body that cannot move it is without effect.
//
// An Input keeps what it holds: the wrench acts in every step until it is overwritten (set applied_wrench to
// zero first where the force is computed anew each step). It stays as it was computed, in world axes, while
// the body moves on. World::AddForce acts in one step only.
void AddForceAtPoint(const Kinematics& kin, int body, const Vector3d& p_WQ, const Vector3d& f_W,
                     Input& input);

}  // namespace stiction

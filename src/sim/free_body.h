// Free single bodies: exact conservation in flight.
//
// A body on a free joint with nothing else in its tree moves about its centre of mass. Without torque,
// Euler's equations in body axes are advanced by the implicit midpoint rule
//
//   I (ω⁺ − ω) + dt ω̄ × I ω̄ = 0,   ω̄ = (ω + ω⁺)/2,    R⁺ = R cay(dt ω̄)
//
// which conserves energy and, because cay(dt ω̄)ᵀ I ω = I ω⁺, angular momentum in space, both to rounding. The
// translation is that of the centre of mass. The same ω⁺ is the free velocity when there are contacts; the
// rotation then follows the end-of-step velocity, for which the contact laws hold.
//
// Reference: D. Lewis, J. C. Simo, Conserving algorithms for the dynamics of Hamiltonian systems on Lie
// groups, 1994, §4.
#pragma once

#include "stiction/model/model.h"

namespace stiction {

// Composite of all bodies rigidly attached in one free tree.
struct FreeBody {
  int tree = -1;
  int joint = -1;
  int body = -1;
  MassProperties inertia;              // in the frame of the joint's body
  bool is_centred = false;             // the origin is the mass centre
  Matrix3d I_BB_B = Matrix3d::Zero();  // about its origin [kg·m²]
};

// The model's free bodies: trees with Tree::is_free_body and no armature, be it a tendon's.
std::vector<FreeBody> FindFreeBodies(const Model& model);

// The rows of the joint-space mass matrix, end to end: 1, 2, ... 6 entries. In the joint's velocities, of the
// origin in world axes and of the spin in body axes, it is
//
//   M = [ m 1          ·    ]
//       [ m [c]× Rᵀ   I_BB ]      the lower triangle
//
// and constant where the origin is the mass centre.
void CalcFreeBodyMass(const FreeBody& free_body, const Matrix3d& R_WB, double* rows);

// ω⁺ of the midpoint rule, body axes. Newton's method; converges in a few steps for |ω| dt well below one.
// Where it does not, the step is taken in parts, and beyond 64 rad ω⁺ = ω: both keep energy and the size of
// the angular momentum.
Vector3d AdvanceSpin(const Matrix3d& I, const Vector3d& w, double dt);

// Velocity at the end of the step without forces, at the configuration of its start: centre of mass uniform,
// spin by AdvanceSpin.
//   R_WB  orientation at the start
//   v     the joint's six velocities: origin in world axes, angular in body axes
Eigen::Matrix<double, 6, 1> CalcFreeFlight(const FreeBody& free_body, const Matrix3d& R_WB, const double* v,
                                           double dt);

// Advances q and v of the joint. `is_in_flight`: no impulse acted, so the rotation uses the midpoint spin.
//   v_flight     CalcFreeFlight's result at the start of the step
//   correction   displacement added by the position stage [m, rad]: origin in world axes, rotation in body
//   axes v0           velocity at the start of the step theta        the centre of mass moves by dt (θ v⁺ +
//   (1 − θ) v) q, v         in: start of step, end-of-step velocity; out: end of step. What does not move at
//   all stays as
//                it is, to the last bit
void AdvanceFreeBody(const FreeBody& free_body, bool is_in_flight, const double* v0, const double* v_flight,
                     const double* correction, double dt, double theta, double* q, double* v);

}  // namespace stiction

// Jacobians of points fixed to bodies.
//
//   V = J v,   A = J v̇ + J̇ v,   τ = Jᵀ F
//
// with V, A and F at the point, world axes, angular (or moment) first. Joints that do not move the body have
// zero columns; a body that is fixed to the world, or a mocap body, has a zero Jacobian.
#pragma once

#include "stiction/dynamics/kinematics.h"

namespace stiction {

// Linear velocity Jacobian, world axes, of the material point of `body` at p_WQ: velocity = J v.
//   J  out, 3 x nv, every column written
void CalcPointJacobian(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ,
                       Matrix3Xd& J);

// Angular velocity Jacobian, world axes.
//   J  out, 3 x nv, every column written
void CalcAngularJacobian(const Model& model, const Kinematics& kin, int body, Matrix3Xd& J);

// Both, angular rows first: (ω_WB, v_WQ) = J v [rad/s, m/s], and a moment and force (m, f) at Q that act on
// the body are the generalised force Jᵀ (m, f). Needs position kinematics.
//   p_WQ  the point, world axes [m]
//   J     out, 6 x nv, every column written
void CalcSpatialJacobian(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ,
                         Matrix6Xd& J);

// J̇ v of the spatial Jacobian: the angular acceleration of the body and the acceleration of its material
// point at p_WQ when v̇ = 0, world axes [rad/s², m/s²]. Needs position and velocity kinematics.
Vector6d CalcBiasAcceleration(const Model& model, const Kinematics& kin, const VectorXd& v, int body,
                              const Vector3d& p_WQ);

}  // namespace stiction

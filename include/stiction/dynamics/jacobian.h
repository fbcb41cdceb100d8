// Jacobians of points fixed to bodies.
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

}  // namespace stiction

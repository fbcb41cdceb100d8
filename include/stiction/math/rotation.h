// Rotations: quaternions as they stand in q (w,x,y,z), exponential map, Cayley map, skew matrices.
#pragma once

#include <Eigen/Geometry>

#include "stiction/math/types.h"

namespace stiction {

using Eigen::Quaterniond;

// Eigen stores x,y,z,w; q and files hold w,x,y,z. Convert here and nowhere else.
inline Quaterniond QuaternionFromWxyz(const double* wxyz) {
  return {wxyz[0], wxyz[1], wxyz[2], wxyz[3]};
}
inline void QuaternionToWxyz(const Quaterniond& quat, double* wxyz) {
  wxyz[0] = quat.w(), wxyz[1] = quat.x(), wxyz[2] = quat.y(), wxyz[3] = quat.z();
}

// S with S u = w × u.
Matrix3d Skew(const Vector3d& w);

// Quaternion of the rotation by |w| [rad] about w.
Quaterniond QuaternionExp(const Vector3d& w);

// Rotation vector of a unit quaternion, the shorter way round; |result| <= π.
Vector3d QuaternionLog(const Quaterniond& quat);

// A quaternion w,x,y,z times the rotation by |w| [rad] about w, in its own axes, made a unit again. Where w is
// zero it stays as it is, to the last bit, which a division by its size may change.
void TurnWxyz(const Vector3d& w, double* wxyz);

// Cayley map of w: the rotation (1 - ŵ/2)⁻¹ (1 + ŵ/2), as a quaternion.
Quaterniond QuaternionCayley(const Vector3d& w);

}  // namespace stiction

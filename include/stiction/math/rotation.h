// Rotations: quaternions as they stand in q (w,x,y,z), exponential map, Cayley map, skew matrices.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

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
inline Matrix3d Skew(const Vector3d& w) {
  Matrix3d S;
  S << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  return S;
}

// Quaternion of the rotation by |w| [rad] about w.
inline Quaterniond QuaternionExp(const Vector3d& w) {
  const double angle = w.norm();
  // sin(a/2)/a by its series near zero, where the quotient loses digits.
  const double s = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  return {std::cos(0.5 * angle), s * w.x(), s * w.y(), s * w.z()};
}

// Rotation vector of a unit quaternion, the shorter way round; |result| <= π.
inline Vector3d QuaternionLog(const Quaterniond& quat) {
  const double sign = quat.w() < 0 ? -1.0 : 1.0;
  const Vector3d u = sign * quat.vec();
  const double s = u.norm();
  if (s < 1e-8) return 2.0 * u;
  return u * (2.0 * std::atan2(s, sign * quat.w()) / s);
}

// Cayley map of w: the rotation (1 - ŵ/2)⁻¹ (1 + ŵ/2), as a quaternion.
inline Quaterniond QuaternionCayley(const Vector3d& w) {
  const double s = 1.0 / std::sqrt(1.0 + 0.25 * w.squaredNorm());
  return {s, 0.5 * s * w.x(), 0.5 * s * w.y(), 0.5 * s * w.z()};
}

}  // namespace stiction

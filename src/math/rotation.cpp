#include "stiction/math/rotation.h"

#include <cmath>

namespace stiction {

Matrix3d Skew(const Vector3d& w) {
  Matrix3d S;
  S << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  return S;
}

Quaterniond QuaternionExp(const Vector3d& w) {
  const double angle = w.norm();
  // sin(a/2)/a by its series near zero, where the quotient loses digits.
  const double s = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  return {std::cos(0.5 * angle), s * w.x(), s * w.y(), s * w.z()};
}

void TurnWxyz(const Vector3d& w, double* wxyz) {
  if (w.isZero(0.0)) return;
  QuaternionToWxyz((QuaternionFromWxyz(wxyz) * QuaternionExp(w)).normalized(), wxyz);
}

Vector3d QuaternionLog(const Quaterniond& quat) {
  const double sign = quat.w() < 0 ? -1.0 : 1.0;
  const Vector3d u = sign * quat.vec();
  const double s = u.norm();
  if (s < 1e-8) return 2.0 * u;
  return u * (2.0 * std::atan2(s, sign * quat.w()) / s);
}

Quaterniond QuaternionCayley(const Vector3d& w) {
  const double s = 1.0 / std::sqrt(1.0 + 0.25 * w.squaredNorm());
  return {s, 0.5 * s * w.x(), 0.5 * s * w.y(), 0.5 * s * w.z()};
}

}  // namespace stiction

// Second-order friction cones K_μ = {‖x_t‖ ≤ μ x_n}, x = (t1, t2, n), and the operators that contact solvers
// build on.
//
//   P_K  closest-point projection: symmetric derivative, the convex law
//   T    strict operator: normal part clamped at zero, tangential part clamped at μ times it
//
// λ = T(λ − β g) is Coulomb's law exactly, for every β > 0 [Lee 2024, Prop. 2]; T's derivative is not
// symmetric.
//
// References: [Lee 2024] J. Lee, M. Lee, S. Park, J. Yun, D. Lee, Variations of augmented Lagrangian for
// robotic multi-contact simulation.
#pragma once

#include <cmath>

#include "stiction/math/types.h"

namespace stiction {

// Closest point of K_μ. Tests stick before open, so that 0 maps to 0 without a division. The sign of x_n
// matters to that test at μ = 0, where ‖x_t‖ = 0 would pass for every x_n.
inline Vector3d ProjectCone(const Vector3d& x, double mu) {
  const double t = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  if (t <= mu * x[2] && x[2] >= 0.0) return x;
  if (mu * t <= -x[2]) return Vector3d::Zero();
  const double n = (mu * t + x[2]) / (1.0 + mu * mu);
  const double s = mu * n / t;
  return {s * x[0], s * x[1], n};
}

// P_K and its derivative D (symmetric positive semidefinite). Returns false when D = 0 (open).
inline bool ProjectCone(const Vector3d& x, double mu, Vector3d& y, Matrix3d& D) {
  const double t = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  if (t <= mu * x[2] && x[2] >= 0.0) {
    y = x;
    D.setIdentity();
    return true;
  }
  if (mu * t <= -x[2]) {
    y.setZero();
    D.setZero();
    return false;
  }
  const double k = 1.0 / (1.0 + mu * mu);
  const double n = (mu * t + x[2]) * k;
  const double c = x[0] / t, s = x[1] / t;
  y = {mu * n * c, mu * n * s, n};
  const double p = k * mu * x[2] / t, q = k * mu * mu;  // D_tt = q 1 + p (1 - t tᵀ)
  D << q + p * s * s, -p * c * s, k * mu * c,           //
      -p * c * s, q + p * c * c, k * mu * s,            //
      k * mu * c, k * mu * s, k;
  return true;
}

// Strict operator T.
inline Vector3d ClampCone(const Vector3d& x, double mu) {
  if (!(x[2] > 0.0)) return Vector3d::Zero();
  const double limit = mu * x[2], t2 = x[0] * x[0] + x[1] * x[1];
  if (t2 <= limit * limit) return x;
  const double s = limit / std::sqrt(t2);
  return {s * x[0], s * x[1], x[2]};
}

// T and its derivative D. Returns false when D = 0 (open).
inline bool ClampCone(const Vector3d& x, double mu, Vector3d& y, Matrix3d& D) {
  if (!(x[2] > 0.0)) {
    y.setZero();
    D.setZero();
    return false;
  }
  const double t = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  if (t <= mu * x[2]) {
    y = x;
    D.setIdentity();
    return true;
  }
  const double c = x[0] / t, s = x[1] / t;
  const double limit = mu * x[2], p = limit / t;
  y = {limit * c, limit * s, x[2]};
  D << p * s * s, -p * c * s, mu * c,  //
      -p * c * s, p * c * c, mu * s,   //
      0.0, 0.0, 1.0;
  return true;
}

}  // namespace stiction

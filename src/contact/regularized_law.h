// Convex contact with regularisation R: impulse, cost and curvature of one constraint as functions of its
// velocity g = J v + e.
//
//   γ(g) = argmin_{γ ∈ K} ½‖γ − y‖²_R,   y = −R⁻¹ g,   ℓ = ½ γᵀ R γ,   γ = −∂ℓ/∂g,   G = −∂γ/∂g
//
// with R = diag(R_t, R_t, R_n) and, for a contact, μ̃ = μ √(R_t/R_n), μ̂ = μ R_t/R_n, y_r = ‖y_t‖,
// t = y_t/y_r:
//
//   stick  y_r ≤ μ y_n         γ = y
//   slip   y_n > −μ̂ y_r        γ_n = (y_n + μ̂ y_r)/(1 + μ̃²), γ_t = μ γ_n t
//   open   else                γ = 0
//
// One-row constraints: γ = clamp(y, lower, upper); beyond a bound the cost goes on linearly, R (y γ − γ²/2),
// which a bounded row needs for a continuous cost. Soft rows have their own law and no R: γ = −k e − b g with
// g = J v.
//
// Reference: [Castro 2022] A. Castro, F. Permenter, X. Han, An unconstrained convex formulation of compliant
// contact, §IV and appendix C. Differences: 1. the Hessian in the closed form R⁻¹ [∂²ℓ/∂y²] R⁻¹, rank two
// when slipping (the printed off-diagonal block lacks a hat); 2. no soft norm: y_r = 0 occurs in stick and
// open only.
#pragma once

#include <algorithm>
#include <cmath>

#include "stiction/contact/island.h"
#include "stiction/contact/laws.h"

namespace stiction {

// The contact law. Returns ℓ.
//   g  t1, t2, n
//   G  out where given; symmetric positive semidefinite, zero when open
inline double EvaluateRegularizedContact(double mu, double R_t, double R_n, const Vector3d& g,
                                         Vector3d& gamma, Matrix3d* G = nullptr) {
  const Vector3d y(-g[0] / R_t, -g[1] / R_t, -g[2] / R_n);
  const double y_r = std::sqrt(y[0] * y[0] + y[1] * y[1]);
  if (y[2] >= 0.0 && y_r <= mu * y[2]) {
    gamma = y;
    if (G != nullptr) *G = Vector3d(1.0 / R_t, 1.0 / R_t, 1.0 / R_n).asDiagonal();
    return 0.5 * (R_t * y_r * y_r + R_n * y[2] * y[2]);
  }
  const double mu_hat = mu * R_t / R_n, mu_tilde2 = mu * mu_hat;
  if (!(y[2] > -mu_hat * y_r)) {
    gamma.setZero();
    if (G != nullptr) G->setZero();
    return 0.0;
  }
  const double above = y[2] + mu_hat * y_r, factor = 1.0 / (1.0 + mu_tilde2);
  const Vector2d t = y_r > 0.0 ? Vector2d(y.head<2>() / y_r) : Vector2d::Zero();
  const double gamma_n = above * factor;
  gamma << mu * gamma_n * t, gamma_n;
  if (G != nullptr) {
    const Vector3d u(mu * t[0], mu * t[1], 1.0), p(-t[1], t[0], 0.0);
    const Matrix3d along = u * u.transpose(), across = p * p.transpose();  // evaluated: exactly symmetric
    *G = (factor / R_n) * along;
    if (y_r > 0.0) *G += (mu * gamma_n / (R_t * y_r)) * across;
  }
  return 0.5 * R_n * above * above * factor;
}

// A one-row constraint. Returns ℓ.
//   curvature  out: G
inline double EvaluateRegularizedRow(const IslandConstraint& c, double R_n, double g, double& gamma,
                                     double& curvature) {
  if (c.type == ConstraintType::kSoft) {
    gamma = -c.offset - c.damping * g;
    curvature = c.damping;
    return c.offset * g + 0.5 * c.damping * g * g;
  }
  const double y = -g / R_n;
  gamma = ClampImpulse(c, y);
  curvature = c.lower < y && y < c.upper ? 1.0 / R_n : 0.0;
  return R_n * (y - 0.5 * gamma) * gamma;
}

}  // namespace stiction

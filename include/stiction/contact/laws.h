// Residuals of the contact laws, one constraint at a time.
//
// Functions take a Constraint or an IslandConstraint: both have type, mu, lower and upper.
#pragma once

#include <algorithm>
#include <cmath>

#include "stiction/contact/problem.h"
#include "stiction/contact/solved_law.h"
#include "stiction/math/cone.h"

namespace stiction {

// The nearest impulse that a one-row constraint allows; NaN stays NaN.
template <typename C>
double ClampImpulse(const C& c, double x) {
  return std::min(std::max(x, c.lower), c.upper);
}

// ‖λ − P_K(λ − s/w)‖ w, without the cancellation inside the cone, by which huge impulses of infeasible
// problems would hide s.
inline double CalcConeMap(const Vector3d& lambda, const Vector3d& s, double w, double mu) {
  const Vector3d x = lambda - s / w;
  const double limit = mu * x[2];
  if (x[2] >= 0.0 && x[0] * x[0] + x[1] * x[1] <= limit * limit) return s.norm();
  return (lambda - ProjectCone(x, mu)).norm() * w;
}

// The same of a friction moment that a contact's normal impulse limits: ‖λ − P(λ − g/w)‖ w, P onto the disc
// of radius `limit`; of one row, or of two.
inline double CalcDiscMap(int dim, const double* lambda, const double* g, double w, double limit) {
  const Vector2d l(lambda[0], dim > 1 ? lambda[1] : 0.0), s(g[0], dim > 1 ? g[1] : 0.0);
  const Vector2d x = l - s / w;
  const double size = x.norm();
  const double radius = std::max(limit, 0.0);  // of an impulse that pulls, which iterates have, nothing
  if (size <= radius) return s.norm();
  return (l - (radius / size) * x).norm() * w;
}

// Scaled natural-map residual of the exact law of any constraint but friction moments (CalcDiscMap) and soft
// ones [m/s]; zero exactly where the law holds, and NaN where a number is. Soft rows have no exact law: zero.
//   lambda, g  the constraint's rows
//   w          its Delassus scale
template <typename C>
double CalcNaturalMap(const C& c, double w, const double* lambda, const double* g) {
  if (c.type == ConstraintType::kSoft) return 0.0;
  if (c.type == ConstraintType::kContact) {
    const Vector3d l(lambda[0], lambda[1], lambda[2]);
    const Vector3d shifted(g[0], g[1], g[2] + c.mu * std::sqrt(g[0] * g[0] + g[1] * g[1]));  // g + Γ(g)
    return CalcConeMap(l, shifted, w, c.mu);
  }
  // |λ − clamp(λ − g/w)| w, without the cancellation where nothing is clamped.
  const double x = lambda[0] - g[0] / w;
  if (x < c.lower) return std::abs(lambda[0] - c.lower) * w;
  if (x > c.upper) return std::abs(lambda[0] - c.upper) * w;
  return std::abs(g[0]);
}

// The same of the law that a solver set out to solve. Soft rows: |λ + k e + b J v| w.
//   offset, damping  soft: k e and b, and g = J v without e
template <typename C>
double CalcOwnResidual(const C& c, const SolvedLaw& law, double offset, double damping, double w,
                       const double* lambda, const double* g) {
  if (c.type == ConstraintType::kSoft) return std::abs(lambda[0] + offset + damping * g[0]) * w;
  const double R_n = law.CalcNormalRegularization(w), R_t = law.CalcTangentRegularization(w);
  if (c.type != ConstraintType::kContact) {
    const double shifted = g[0] + R_n * lambda[0];
    return CalcNaturalMap(c, w, lambda, &shifted);
  }
  const double shifted[3] = {g[0] + R_t * lambda[0], g[1] + R_t * lambda[1], g[2] + R_n * lambda[2]};
  if (!law.is_convex) return CalcNaturalMap(c, w, lambda, shifted);
  const Vector3d l(lambda[0], lambda[1], lambda[2]), s(shifted[0], shifted[1], shifted[2]);
  return CalcConeMap(l, s, w, c.mu);
}

}  // namespace stiction

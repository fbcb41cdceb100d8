// Residuals of the exact laws, one constraint at a time.
#pragma once

#include <algorithm>
#include <cmath>

#include "stiction/contact/problem.h"
#include "stiction/math/cone.h"

namespace stiction {

// Scaled natural-map residual of a contact, unilateral or bilateral constraint [m/s]; zero exactly where the
// law holds, and NaN where a number is. Soft rows have no exact law: zero.
//   lambda, g  the constraint's rows
//   w          its Delassus scale
inline double CalcNaturalMap(ConstraintType type, double mu, double w, const double* lambda,
                             const double* g) {
  switch (type) {
    case ConstraintType::kContact: {
      const Vector3d l(lambda[0], lambda[1], lambda[2]);
      const Vector3d shifted(g[0], g[1], g[2] + mu * std::sqrt(g[0] * g[0] + g[1] * g[1]));  // g + Γ(g)
      return (l - ProjectCone(l - shifted / w, mu)).norm() * w;
    }
    case ConstraintType::kUnilateral:
      return std::abs(lambda[0] - std::max(lambda[0] - g[0] / w, 0.0)) * w;  // max(NaN, 0) is NaN
    case ConstraintType::kBilateral:
      return std::abs(g[0]);
    case ConstraintType::kSoft:
      return 0.0;
  }
  return 0.0;
}

}  // namespace stiction

// Points whose products are still numbers: volumes, of three lengths, and moments, of five, neither overflow
// nor vanish.
#pragma once

#include <span>
#include <stdexcept>
#include <string>

#include "stiction/math/types.h"

namespace stiction {

inline constexpr double kLargestCoordinate = 1e50;  // [m]
inline constexpr double kSmallestExtent = 1e-50;    // of the longest side of the bounding box [m]

// Throws std::invalid_argument: a number that is not finite, or beyond these; points that are all one are let
// through.
//   what  "a vertex of the mesh": whose points they are
inline void CheckPointRange(std::span<const Vector3d> points, const std::string& what) {
  if (points.empty()) return;
  Vector3d lower = points.front(), upper = points.front();
  for (const Vector3d& p : points) {
    if (!p.allFinite()) throw std::invalid_argument(what + " is not finite");
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  if (lower.cwiseAbs().cwiseMax(upper.cwiseAbs()).maxCoeff() > kLargestCoordinate)
    throw std::invalid_argument(what + " lies beyond 1e50 m; check the scale");
  const double extent = (upper - lower).maxCoeff();
  if (extent > 0.0 && extent < kSmallestExtent)
    throw std::invalid_argument(what + " is within 1e-50 m of all others; check the scale");
}

}  // namespace stiction

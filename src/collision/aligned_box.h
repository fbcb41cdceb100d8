// Boxes along the world axes.
#pragma once

#include "stiction/math/types.h"

namespace stiction {

struct AlignedBox {
  Vector3d lower = Vector3d::Zero(), upper = Vector3d::Zero();  // [m]

  bool Holds(const AlignedBox& other) const {
    return (lower.array() <= other.lower.array()).all() && (other.upper.array() <= upper.array()).all();
  }
  AlignedBox Grown(double by) const { return {lower.array() - by, upper.array() + by}; }
  // Of its three extents; grows with the surface. [m]
  double CalcGirth() const { return (upper - lower).sum(); }
};

// Boxes that touch overlap; so does one that is not a number with all. Without branches: which side decides
// cannot be foretold.
inline bool Overlap(const AlignedBox& a, const AlignedBox& b) {
  const bool x = (a.lower.x() > b.upper.x()) | (b.lower.x() > a.upper.x());
  const bool y = (a.lower.y() > b.upper.y()) | (b.lower.y() > a.upper.y());
  const bool z = (a.lower.z() > b.upper.z()) | (b.lower.z() > a.upper.z());
  return !(x | y | z);
}

inline AlignedBox Merge(const AlignedBox& a, const AlignedBox& b) {
  return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
}

}  // namespace stiction

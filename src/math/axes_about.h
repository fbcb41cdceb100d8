// Right-handed axes about a direction.
#pragma once

#include <Eigen/Geometry>

#include "math/contracts.h"
#include "stiction/math/types.h"

namespace stiction {

// Columns t1, t2, n: t1 is the reference axis least aligned with the unit vector n, made orthogonal: no
// degenerate direction, and aligned axes for aligned directions.
inline Matrix3d MakeAxesAbout(const Vector3d& n) {
  STICTION_ASSERT(IsUnit(n));
  int axis = 0;
  if (std::abs(n[1]) < std::abs(n[axis])) axis = 1;
  if (std::abs(n[2]) < std::abs(n[axis])) axis = 2;
  Matrix3d R;
  R.col(0) = (Vector3d::Unit(axis) - n[axis] * n).normalized();
  R.col(1) = n.cross(R.col(0));
  R.col(2) = n;
  return R;
}

}  // namespace stiction

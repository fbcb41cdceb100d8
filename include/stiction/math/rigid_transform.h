// A pose X_AB: the rotation R_AB and the position p_AB of frame B in frame A.
#pragma once

#include "stiction/math/types.h"

namespace stiction {

struct RigidTransform {
  Matrix3d R = Matrix3d::Identity();  // R_AB
  Vector3d p = Vector3d::Zero();      // p_AB [m]

  // X_AC = X_AB * X_BC.
  RigidTransform operator*(const RigidTransform& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }
  // p_AQ = X_AB * p_BQ.
  Vector3d operator*(const Vector3d& p_BQ) const { return R * p_BQ + p; }
  // X_BA.
  RigidTransform Inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

}  // namespace stiction

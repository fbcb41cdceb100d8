#pragma once

#include <Eigen/Geometry>

#include "stiction/math/rigid_transform.h"

namespace stiction::testing {

inline RigidTransform At(double x, double y, double z) {
  return {Matrix3d::Identity(), {x, y, z}};
}

}  // namespace stiction::testing

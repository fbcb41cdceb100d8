// A planar joint as the three that are made of it.
#pragma once

#include <cmath>

#include "stiction/math/rotation.h"
#include "stiction/math/types.h"

namespace stiction::urdf {

// Two slides span the plane normal to the axis, a hinge turns in it.
struct PlanarAxes {
  explicit PlanarAxes(const Vector3d& axis) : normal(axis.normalized()) {
    const Vector3d seed = std::abs(normal.x()) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
    first = (seed - seed.dot(normal) * normal).normalized();
    second = normal.cross(first);
  }
  Vector3d normal, first, second;
};

}  // namespace stiction::urdf

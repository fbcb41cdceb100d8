// Rigid-body spatial inertia in the ten-parameter form; what is computed with it stands in
// src/math/spatial_algebra.h.
#pragma once

#include "stiction/math/types.h"

namespace stiction {

struct SpatialInertia {
  double mass = 0.0;                          // [kg]
  Vector3d first_moment = Vector3d::Zero();   // mass times centre of mass, from the reference point [kg·m]
  Matrix3d second_moment = Matrix3d::Zero();  // rotational inertia about the reference point [kg·m²]
};

}  // namespace stiction

// Do two shapes overlap?
#pragma once

#include "stiction/geometry/shape.h"

namespace stiction::urdf {

// True if the shapes overlap by more than a micrometre.
bool ShapesOverlap(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB);

}  // namespace stiction::urdf

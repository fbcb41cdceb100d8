// Do two shapes overlap? Judged by their oriented bounding boxes, which errs on the side of overlap.
#pragma once

#include "stiction/geometry/shape.h"

namespace stiction::urdf {

// True if the shapes' bounding spheres, and their bounding boxes along the shapes' own axes, overlap by more
// than a micrometre. Exact for two spheres and for two boxes.
bool BoundsOverlap(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB);

}  // namespace stiction::urdf

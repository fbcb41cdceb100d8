// Contact manifolds of pairs of shapes.
#pragma once

#include "stiction/collision/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction {

// Finds the points of the pair whose gap is below `margin`, with normals from A to B whatever the order of
// the types. Overwrites out.num_points and out.points and leaves the geom indices alone; two planes give no
// points, nor do poses of NaN or of more than 1e100 m. Does not allocate.
//   margin  [m], may be zero or positive
void CalcManifold(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB,
                  double margin, Manifold& out);

}  // namespace stiction

// The triangle of a mesh nearest to a point.
#pragma once

#include "stiction/geometry/triangle_tree.h"

namespace stiction::geometry {

struct NearestTriangle {
  int triangle = -1;
  Vector3d p;  // its nearest point [m]
};

// Boxes are looked into nearest first. The mesh must have triangles; of several at the same distance, any,
// but the same one each time.
NearestTriangle FindNearestTriangle(const TriangleMesh& mesh, const TriangleTree& tree, const Vector3d& p);

}  // namespace stiction::geometry

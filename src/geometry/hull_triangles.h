// The convex hull's surface in triangles, by Qhull.
#pragma once

#include <span>

#include "stiction/geometry/triangle_mesh.h"

namespace stiction::hull {

// A closed surface that winds outwards: every edge in two triangles. Vertices are points, in their order. No
// triangles if the points span no volume that floating point can see.
TriangleMesh MakeTriangles(std::span<const Vector3d> points);

}  // namespace stiction::hull

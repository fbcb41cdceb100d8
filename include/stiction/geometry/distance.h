// Signed distance of two convex shapes: GJK where they are apart, EPA where they overlap.
//
// Spheres and capsules count as a core (a point, a segment) inflated by a radius, so that their distance is
// as exact as the core's; boxes and hulls are polytopes: distance and depth exact to round-off, the normal to
// 1e-9 rad; ellipsoids and cylinders converge to 1e-9 of their size, and Newton's method on the support
// functions takes distance and normal to round-off, but near some kinks. Planes are half-spaces. Meshes are
// surfaces: their distance is that to the nearest triangle, 0 where one is met; what lies inside of a mesh
// without meeting it is apart from it; so are fields, by their triangles. Fixed-size
// storage, 220 kB of stack where shapes overlap: does not allocate. Always ends: the shapes' numbers must be
// finite, and their sizes positive.
#pragma once

#include <limits>

#include "stiction/geometry/shape.h"

namespace stiction {

struct Distance {
  double distance = 0.0;  // signed [m]: negative is the least translation that separates overlapping shapes
  Vector3d p_WA;          // nearest points on A and B; where shapes overlap, the ends of that translation [m]
  Vector3d p_WB;
  Vector3d n_W;  // unit, from A to B:  p_WB − p_WA = distance · n_W
};

// Whether the point, in the shape's frame, lies in the solid; on its surface either may be said. Open meshes
// hold what their surface surrounds for the most part. Meshes are asked triangle by triangle.
bool Contains(const Shape& shape, const Vector3d& p_G);

// Two planes: the distance is minus infinity unless they are parallel and face each other.
//   enough  [m]: a distance of at least this need not be known better. `distance` may then be any lower bound
//           of it that is at least this too, and nothing else is set
Distance CalcDistance(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB,
                      double enough = std::numeric_limits<double>::infinity());

}  // namespace stiction

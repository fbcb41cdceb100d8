// Rays against shapes.
#pragma once

#include <optional>

#include "stiction/geometry/shape.h"
#include "stiction/geometry/triangle_mesh.h"

namespace stiction {

struct ShapeHit {
  double distance = 0.0;  // along the ray [m], >= 0
  Vector3d n_G;           // outward unit normal of the surface there
};

// First point at which the ray p + s d, s >= 0, enters the shape; none if it misses, or starts inside. d is a
// unit vector; both in the shape's frame G.
std::optional<ShapeHit> CastRay(const Shape& shape, const Vector3d& p_G, const Vector3d& d_G);

// The same for the triangles of a mesh, seen from either side; the normal points against the ray. Looks at
// every triangle [Möller, Trumbore 1997].
std::optional<ShapeHit> CastRay(const TriangleMesh& mesh, const Vector3d& p_G, const Vector3d& d_G);

}  // namespace stiction

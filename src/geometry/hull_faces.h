// Merges the triangles of a convex surface into flat polygons.
#pragma once

#include "stiction/geometry/convex_hull.h"

namespace stiction::hull {

// Vertices, faces and face_vertices of the polytope; the other members are left to the caller. Triangles lie
// in one face if they lie within 1e-6 of the surface's extent of its largest triangle's plane (and within
// single precision of the coordinates, which is what mesh files hold). Vertices between two faces only are
// dropped. No faces if the surface is too thin to be a polytope.
ConvexHull MergeFaces(const TriangleMesh& surface);

}  // namespace stiction::hull

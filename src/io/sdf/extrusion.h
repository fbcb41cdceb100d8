// Prisms over plane figures, as <polyline> means them.
#pragma once

#include <vector>

#include "stiction/geometry/triangle_mesh.h"

namespace stiction::sdformat {

// A closed path; which way round does not matter, nor whether its last point is its first.
using Outline = std::vector<Vector2d>;

// The figure that the outlines enclose (a point is in it where it lies in an odd number of them, so that
// those within others are holes), from z = 0 to z = height, wound outwards. Triangles of its ends are ears
// [G. Meisters, "Polygons have ears", American Mathematical Monthly 82, 1975], holes first joined to what
// they are in by bridges [D. Eberly, "Triangulation by ear clipping", 2002]. Quadratic in the points.
//
// Throws std::invalid_argument, with advice: no outline, one of fewer than three points, more than 4000
// points, points that are not finite, outlines without an area or that cross or touch themselves or one
// another, a height that is not positive.
TriangleMesh Extrude(const std::vector<Outline>& outlines, double height);

}  // namespace stiction::sdformat

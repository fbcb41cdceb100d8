// Points on the creases of a field's surface, where triangles cut across them: of what is narrower than a
// triangle, as the crest of a thread, few vertices of the surface are on the edges. Private to the library.
#pragma once

#include <vector>

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction {

struct CreasePoint {
  Vector3d position;
  Vector3d normals[2];  // of the two faces that meet there, outward, unit
  Vector3d toward[2];   // somewhere into each of them
  double reach;         // the triangles around it lie within this [m]
};

// Normals that differ by less are those of one smooth face (25°), as where the triangles come from
// (surface_points.cpp).
constexpr double kSmoothFaceCosine = 0.9;

// On the edges of the surface's triangles, thinned out to about one for each `reach`.
//   reaches  of the triangles: no point of one is farther from all of its corners [m]
std::vector<CreasePoint> FindCreasePoints(const DistanceField& field, const MeshSurface& surface,
                                          const std::vector<double>& reaches);

}  // namespace stiction

// Clips the face of one polytope that looks at a face of another against that face's sides: box_clip.h for
// polygons of any number of sides, with the same slack and the same three kinds of points.
#pragma once

#include <limits>

#include "collision/narrowphase/lateral_polygon.h"
#include "collision/narrowphase/polytope.h"
#include "stiction/collision/manifold.h"

namespace stiction::narrowphase {

struct ClippedHullPoint {
  Vector3d p_R;           // on the incident shape, in the reference shape's frame [m]
  double height;          // above the reference face [m]
  std::uint32_t feature;  // bits 28-29 the ClippedKind; below, the hash of its names
};

// Vertices of the incident face, with those beside it that nearly lie in its plane; two crossings of each of
// its edges; corners of the reference. Doubles among them.
struct ClippedHullPolygon {
  int size = 0;
  // Between a point of the incident shape and one of the reference face: no less than the distance of the
  // shapes. Infinite where there are no points. [m]
  double reach = std::numeric_limits<double>::infinity();
  std::array<ClippedHullPoint, 4 * kMaxFaceVertices> points;
};

//   face       of the reference, whose frame is R
//   X_RI       pose of the incident shape
//   size       of the pair [m]
void ClipIncidentFace(const Polytope& reference, int face, const Polytope& incident,
                      const RigidTransform& X_RI, double size, ClippedHullPolygon& out);

}  // namespace stiction::narrowphase

// Clips the face of one polytope that looks at a face of another against that face's sides: box_clip.h for
// polygons of any number of sides, with the same tolerance and the same three kinds of points: vertices of
// the incident face, crossings of its edges with the reference face's sides, corners of the reference face.
#pragma once

#include "collision/narrowphase/lateral_polygon.h"
#include "collision/narrowphase/polytope.h"
#include "stiction/collision/manifold.h"

namespace stiction::narrowphase {

struct ClippedHullPoint {
  Vector3d p_R;           // on the incident shape, in the reference shape's frame [m]
  double height;          // above the reference face [m]
  std::uint32_t feature;  // bits 28-29 the kind, in the order above; below, the hash of its names
};

struct ClippedHullPolygon {
  int size = 0;
  std::array<ClippedHullPoint, 2 * kMaxFaceVertices> points;
};

//   face       of the reference, whose frame is R
//   X_RI       pose of the incident shape
//   tolerance  positive [m]
void ClipIncidentFace(const Polytope& reference, int face, const Polytope& incident,
                      const RigidTransform& X_RI, double tolerance, ClippedHullPolygon& out);

// 28 bits that depend on all of the numbers, in this order.
std::uint32_t HashNames(std::initializer_list<int> names);

}  // namespace stiction::narrowphase

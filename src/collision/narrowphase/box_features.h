// Vertices and edges of the box |x_i| <= h_i, and their numbers.
//
// Vertex: bit i is set on the positive side of axis i (0-7). Edge: its two vertices, the smaller in bits 3-5,
// the larger in bits 0-2.
#pragma once

#include <algorithm>

#include "collision/narrowphase/segment.h"
#include "stiction/math/rigid_transform.h"

namespace stiction::narrowphase {

inline Vector3d BoxVertex(const Vector3d& h, unsigned vertex) {
  return {vertex & 1 ? h.x() : -h.x(), vertex & 2 ? h.y() : -h.y(), vertex & 4 ? h.z() : -h.z()};
}

// The vertex that reaches furthest in the direction d; the positive side on a tie.
inline unsigned SupportVertex(const Vector3d& d) {
  return (d.x() < 0 ? 0 : 1) | (d.y() < 0 ? 0 : 2) | (d.z() < 0 ? 0 : 4);
}

inline unsigned EdgeFeature(unsigned vertex, unsigned other) {
  return std::min(vertex, other) << 3 | std::max(vertex, other);
}

// The edge along `axis` through the vertex, seen from the frame F in which the box stands at X_FB.
inline Segment BoxEdge(const Vector3d& h, const RigidTransform& X_FB, unsigned vertex, int axis) {
  Vector3d center = BoxVertex(h, vertex);
  center[axis] = 0.0;
  return {X_FB * center, X_FB.R.col(axis), h[axis]};
}

}  // namespace stiction::narrowphase

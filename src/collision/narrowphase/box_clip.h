// Clips the face of one box that looks at a face of another against that face's side planes.
//
//   incident face (quadrilateral)       The clipped polygon's vertices are of three kinds, in this order:
//        /\                               vertex     of the incident face, within the reference rectangle
//   +---x--x---+  reference               crossing x of an incident edge and a side plane
//   |  /    \  |  rectangle               corner     of the rectangle, below the incident face
//   | o      o |
//   +----------+
//
// Built that way, and not by cutting a polygon plane by plane, each vertex has a name that does not depend on
// the others.
//
// Points beyond the rectangle are moved back onto its border, along the incident plane (manifold_policy.h,
// rule 3). Faces that do not overlap, but for the slack, give no points.
#pragma once

#include <array>

#include "stiction/math/rigid_transform.h"

namespace stiction::narrowphase {

struct BoxFace {
  int number;  // 2 axis, and one more for the positive side
  int axis;
  double sign;  // +1 or -1: the outward normal is sign times the axis

  explicit BoxFace(int face) : number(face), axis(face / 2), sign(face % 2 ? 1.0 : -1.0) {}
};

struct ClippedPoint {
  Vector3d p_R;   // on the incident face, in the reference box's frame [m]
  double height;  // above the reference face [m]
  // Bits 8-9 the ClippedKind; below, the vertex (0-7), the side plane (bits 6-7) with the edge (0-5), or the
  // corner.
  unsigned feature;
};

// Four incident vertices, two crossings of each edge, and four corners; doubles among them, since eight is
// the most that an overlap can have.
struct ClippedPolygon {
  int size = 0;
  std::array<ClippedPoint, 16> points;
};

//   reference_h  half extents of the reference box, whose frame is R
//   incident_h   half extents of the incident box, at X_RI
//   size         of the pair [m]
ClippedPolygon ClipIncidentFace(const Vector3d& reference_h, const BoxFace& reference,
                                const Vector3d& incident_h, const RigidTransform& X_RI, double size);

}  // namespace stiction::narrowphase

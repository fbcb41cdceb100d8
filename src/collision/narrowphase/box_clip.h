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
// The side planes stand `tolerance` outside while the faces are nearly parallel, and points beyond the
// rectangle are moved back onto its border, along the incident plane. So an incident vertex on the border,
// where round-off would make it now a vertex, now two crossings, stays a vertex until it is that far outside.
// Points closer than the tolerance to an earlier one are dropped, or replace it if they are deeper. Faces
// that do not overlap, tolerance aside, give no points.
#pragma once

#include <array>

#include "stiction/math/rigid_transform.h"

namespace stiction::narrowphase {

struct BoxFace {
  int axis;
  double sign;  // +1 or -1: the outward normal is sign times the axis
};

struct ClippedPoint {
  Vector3d p_R;   // on the incident face, in the reference box's frame [m]
  double height;  // above the reference face [m]
  // Bits 8-9 the kind; below, the vertex (0-7), the side plane (bits 6-7) with the edge (0-5), or the corner.
  unsigned feature;
};

// Four incident vertices with up to two crossings each, and four corners; eight is the most that an overlap
// can have, more are doubles that round-off left.
struct ClippedPolygon {
  int size = 0;
  std::array<ClippedPoint, 16> points;
};

//   reference_h  half extents of the reference box, whose frame is R
//   incident_h   half extents of the incident box, at X_RI
//   tolerance    positive [m]
ClippedPolygon ClipIncidentFace(const Vector3d& reference_h, const BoxFace& reference,
                                const Vector3d& incident_h, const RigidTransform& X_RI, double tolerance);

}  // namespace stiction::narrowphase

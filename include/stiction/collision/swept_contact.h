// Contacts of shapes that move further in a step than their margins look ahead: where they will meet.
#pragma once

#include <span>

#include "stiction/collision/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction {

// A shape on its way through a step, as if its velocity stayed what it is.
struct ShapeMotion {
  const Shape* shape = nullptr;
  RigidTransform X_WG;  // at the start
  Vector3d v_W;         // of its origin [m/s]
  Vector3d w_W;         // [rad/s]

  RigidTransform At(double t) const;  // t in [s]
};

// Whether the two, apart at the start, come closer than 0.1 mm, or 1 % of the smaller thickness if that is
// less, within dt. If so, `out` receives the points at which they do, as they stand now: gaps are measured
// along the normals of that moment, and points lie where the faster one has them. Overwrites out.num_points
// and out.points. Advances by what the distance and the largest speed of approach allow [Mirtich,
// "Impulse-based dynamic simulation of rigid body systems", 1996], so that nothing is passed through; a bound
// on the number of advances (128) counts as meeting.
bool CalcSweptManifold(const ShapeMotion& a, const ShapeMotion& b, double dt, Manifold& out);

// What a pair goes at most between looks for overlap, which no look then misses: half of the smaller
// thickness; of a sheet, which has none, that of what comes through it. Of what is hollow half of that: its
// faces push only what has its middle before them [m].
double CalcStride(const Shape& a, const Shape& b);

// The same of two that touch at the start, of which one is hollow: what they come into besides, first. That
// is an overlap with another normal than what touches has, or a deep one. Looks at the way every
// CalcStride, 512 times at most.
//   normals  of what touches, from A to B
bool CalcNextManifold(const ShapeMotion& a, const ShapeMotion& b, double dt,
                      std::span<const Vector3d> normals, Manifold& out);

}  // namespace stiction

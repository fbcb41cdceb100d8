// Half-spaces that hold a convex shape: all that deep overlaps ask about one.
#pragma once

#include "collision/narrowphase/polytope.h"
#include "stiction/geometry/shape.h"

namespace stiction::narrowphase {

// The points with n · x <= offset; n a unit vector.
struct HalfSpace {
  Vector3d n;
  double offset = 0.0;  // [m]

  double CalcExcess(const Vector3d& p) const { return n.dot(p) - offset; }
};

// One that touches the shape and that p, in the shape's frame, leaves as far behind as can be told at once: p
// is outside of the shape if and only if its excess is positive. For an ellipsoid that is less than the
// distance, for the others it is no more.
HalfSpace FindHalfSpace(const Sphere& shape, const Vector3d& p);
HalfSpace FindHalfSpace(const Capsule& shape, const Vector3d& p);
HalfSpace FindHalfSpace(const Ellipsoid& shape, const Vector3d& p);
HalfSpace FindHalfSpace(const Cylinder& shape, const Vector3d& p);
HalfSpace FindHalfSpace(const Polytope& shape, const Vector3d& p);

// The largest d · x over the shape's points x; d a unit vector. [m]
double CalcReach(const Sphere& shape, const Vector3d& d);
double CalcReach(const Capsule& shape, const Vector3d& d);
double CalcReach(const Ellipsoid& shape, const Vector3d& d);
double CalcReach(const Cylinder& shape, const Vector3d& d);
double CalcReach(const Polytope& shape, const Vector3d& d);

// How far it is from p, a point of the shape, along d to where the shape ends: Newton's method on the excess,
// which is convex, from outside. Never less than it is; 0 for a point outside. [m]
template <typename C>
double CalcWayOut(const C& shape, const Vector3d& p, const Vector3d& d) {
  constexpr int kMaxSteps = 30;
  if (FindHalfSpace(shape, p).CalcExcess(p) > 0.0) return 0.0;
  double way = CalcReach(shape, d) - d.dot(p);
  for (int k = 0; k < kMaxSteps; ++k) {
    const HalfSpace beyond = FindHalfSpace(shape, p + way * d);
    const double excess = beyond.CalcExcess(p + way * d), slope = beyond.n.dot(d);
    if (!(excess > 1e-12 * way && slope > 0.0)) break;
    way -= excess / slope;
  }
  return way > 0.0 ? way : 0.0;
}

}  // namespace stiction::narrowphase

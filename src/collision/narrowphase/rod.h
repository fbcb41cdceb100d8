// Cylinders and capsules as rods: what pairs of them, and pairs with polytopes, share.
#pragma once

#include <optional>

#include "collision/narrowphase/segment.h"
#include "stiction/geometry/shape.h"

namespace stiction::narrowphase {

// The axis segment with a radius about it: flat caps (cylinder) or half spheres (capsule). The whole in some
// frame F.
struct Rod {
  Segment axis;
  Vector3d x, y;  // unit, fixed in the rod, across its axis
  double radius;
  bool has_caps;

  // Largest n·p over the rod's points; n a unit vector.
  double CalcReach(const Vector3d& n) const;
  // The line of the side that reaches furthest along n, a unit vector; it has the direction of the axis.
  // Where a cylinder's axis is along n, any line of the side.
  Segment FindSideLine(const Vector3d& n) const;
};

Rod MakeRod(const Cylinder& cylinder, const RigidTransform& X_FG);
Rod MakeRod(const Capsule& capsule, const RigidTransform& X_FG);

// The cap at the end of a cylinder.
struct Disc {
  Vector3d center;
  Vector3d normal;  // unit, outwards
  Vector3d x, y;    // unit, fixed in the cylinder
  double radius;
  int name;  // 0 at +z, 1 at -z

  // A point of the rim.
  Vector3d At(double cosine, double sine) const { return center + radius * (cosine * x + sine * y); }
  // Where the line p + t n meets the disc's plane; n not along it.
  Vector3d Drop(const Vector3d& p, const Vector3d& n) const {
    return p + normal.dot(center - p) / normal.dot(n) * n;
  }
  bool Holds(const Vector3d& p, double slack) const { return (p - center).norm() <= radius + slack; }
};
// The end, +1 or -1 along the axis, of a face: 0 or 1.
inline int CapEnd(int face) {
  return face == 0 ? 1 : -1;
}
Disc MakeCap(const Rod& rod, int end);

// The part of a line within the disc, seen along n: parameters of the segment.
std::optional<Span> ClipToDisc(const Segment& segment, const Disc& disc, const Vector3d& n);

}  // namespace stiction::narrowphase

// Convex polygons in the lateral coordinates of a reference face, and what clipping asks of them.
#pragma once

#include <array>

#include "stiction/math/types.h"

namespace stiction::narrowphase {

// Faces of more vertices are thinned out to this many, evenly.
inline constexpr int kMaxFaceVertices = 64;

// Counter-clockwise.
struct LateralPolygon {
  int size = 0;
  std::array<Vector2d, kMaxFaceVertices> x;
  std::array<Vector3d, kMaxFaceVertices> p_R;
  std::array<int, kMaxFaceVertices> name;            // vertex of its polytope
  std::array<Vector2d, kMaxFaceVertices> direction;  // unit, from vertex k to k + 1; zero for a point
  int Next(int k) const { return k + 1 == size ? 0 : k + 1; }
  // Of x inside of the line through edge k; negative outside.
  double CalcInside(int k, const Vector2d& at) const {
    const Vector2d d = at - x[k];
    return direction[k].x() * d.y() - direction[k].y() * d.x();
  }
  bool HasDirection(int k) const { return !direction[k].isZero(0.0); }
  // Fills `direction` from `x`.
  void FindDirections();
};

// True if some side of the first polygon has the other one entirely beyond it.
bool HasSeparatingSide(const LateralPolygon& polygon, const LateralPolygon& other);

// Whether x lies inside of every side by more than `by`.
bool IsInside(const LateralPolygon& polygon, const Vector2d& x, double by);

// The polygon's point nearest to x; x itself inside.
Vector2d MoveInside(const LateralPolygon& polygon, const Vector2d& x);

// Part of a segment within the polygon grown by the slack: parameters in [0, 1], enter > leave if there is
// none, and the sides that cut it.
struct EdgeClip {
  double enter = 0.0, leave = 1.0;
  int enter_side = 0, leave_side = 0;
};
EdgeClip ClipEdge(const LateralPolygon& polygon, double slack, const Vector2d& start, const Vector2d& step);

}  // namespace stiction::narrowphase

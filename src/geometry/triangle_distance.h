// Distance of two triangles, for searches over many pairs.
#pragma once

#include <algorithm>
#include <array>

#include "geometry/triangle_point.h"
#include "geometry/triangle_ray.h"

namespace stiction::geometry {

using Triangle = std::array<Vector3d, 3>;  // corners, all of one frame

// Of two segments, squared [m²]: the feet of their common perpendicular, moved to the segments' ends where
// they lie beyond [Ericson, "Real-Time Collision Detection", 2005, section 5.1.9].
inline double CalcSegmentDistanceSquared(const Vector3d& a, const Vector3d& b, const Vector3d& c,
                                         const Vector3d& d) {
  const Vector3d ab = b - a, cd = d - c, ca = a - c;
  const double aa = ab.squaredNorm(), cc = cd.squaredNorm(), ac = ab.dot(cd);
  const double along_ab = ab.dot(ca), along_cd = cd.dot(ca);
  const double determinant = aa * cc - ac * ac;
  // Parallel ones are nearest at an end too: any foot on ab will do.
  double s = determinant > 0.0 ? std::clamp((ac * along_cd - along_ab * cc) / determinant, 0.0, 1.0) : 0.0;
  const double t = std::clamp((ac * s + along_cd) / cc, 0.0, 1.0);
  s = std::clamp((ac * t - along_ab) / aa, 0.0, 1.0);
  return (ca + s * ab - t * cd).squaredNorm();
}

// Whether an edge of `one` passes through `other`.
inline bool Pierces(const Triangle& one, const Triangle& other) {
  for (int k = 0; k < 3; ++k) {
    const auto s = HitTriangle(one[k], one[(k + 1) % 3] - one[k], other[0], other[1], other[2]);
    if (s && *s <= 1.0) return true;
  }
  return false;
}

// Of triangles that are apart, squared [m²]: they are nearest at a corner of one of them or on two edges.
inline double CalcFeatureDistanceSquared(const Triangle& a, const Triangle& b) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    best = std::min(best, (FindNearestOnTriangle(a[i], b[0], b[1], b[2]) - a[i]).squaredNorm());
    best = std::min(best, (FindNearestOnTriangle(b[i], a[0], a[1], a[2]) - b[i]).squaredNorm());
    for (int j = 0; j < 3; ++j)
      best = std::min(best, CalcSegmentDistanceSquared(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
  }
  return best;
}

// Lower bound of the distance, squared [m²]: of the triangles' boxes.
inline double CalcBoxDistanceSquared(const Triangle& a, const Triangle& b) {
  const Vector3d below = b[0].cwiseMin(b[1]).cwiseMin(b[2]) - a[0].cwiseMax(a[1]).cwiseMax(a[2]);
  const Vector3d above = a[0].cwiseMin(a[1]).cwiseMin(a[2]) - b[0].cwiseMax(b[1]).cwiseMax(b[2]);
  return below.cwiseMax(above).cwiseMax(0.0).squaredNorm();
}

// Lower bound of the distance, squared [m²]: the empty slab between them across the line of their middles.
inline double CalcSlabSquared(const Triangle& a, const Triangle& b) {
  const Vector3d line = (b[0] + b[1] + b[2]) - (a[0] + a[1] + a[2]);
  const double slab = std::min({line.dot(b[0]), line.dot(b[1]), line.dot(b[2])}) -
                      std::max({line.dot(a[0]), line.dot(a[1]), line.dot(a[2])});
  return slab > 0.0 ? slab * slab / line.squaredNorm() : 0.0;
}

// Squared [m²].
//   enough  [m²]: a distance that is seen at once to be at least this is not calculated, and this returned
inline double CalcTriangleDistanceSquared(const Triangle& a, const Triangle& b, double enough) {
  const double slab = CalcSlabSquared(a, b);
  if (slab >= enough || CalcBoxDistanceSquared(a, b) >= enough) return enough;
  if (slab == 0.0 && (Pierces(a, b) || Pierces(b, a))) return 0.0;
  return CalcFeatureDistanceSquared(a, b);
}

}  // namespace stiction::geometry

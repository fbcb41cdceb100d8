// The point of a triangle nearest to another point.
#pragma once

#include "stiction/math/types.h"

namespace stiction::geometry {

// By the region of the triangle's plane that p projects into [Ericson, "Real-Time Collision Detection", 2005,
// section 5.1.5].
inline Vector3d FindNearestOnTriangle(const Vector3d& p, const Vector3d& a, const Vector3d& b,
                                      const Vector3d& c) {
  const Vector3d ab = b - a, ac = c - a;
  const double d1 = ab.dot(p - a), d2 = ac.dot(p - a);
  if (d1 <= 0.0 && d2 <= 0.0) return a;
  const double d3 = ab.dot(p - b), d4 = ac.dot(p - b);
  if (d3 >= 0.0 && d4 <= d3) return b;
  const double d5 = ab.dot(p - c), d6 = ac.dot(p - c);
  if (d6 >= 0.0 && d5 <= d6) return c;
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return a + d1 / (d1 - d3) * ab;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return a + d2 / (d2 - d6) * ac;
  if (va <= 0.0 && d4 >= d3 && d5 >= d6) return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
  return a + vb / (va + vb + vc) * ab + vc / (va + vb + vc) * ac;
}

}  // namespace stiction::geometry

// Rays against the triangles of a mesh.
#pragma once

#include <Eigen/Geometry>
#include <limits>
#include <optional>

#include "stiction/geometry/triangle_tree.h"

namespace stiction::geometry {

// Where the ray p + s d, s >= 0, meets the triangle, from either side [Möller, Trumbore 1997].
inline std::optional<double> HitTriangle(const Vector3d& p, const Vector3d& d, const Vector3d& a,
                                         const Vector3d& b, const Vector3d& c) {
  const Vector3d u = b - a, v = c - a;
  // p + s d = a + x u + y v
  const Vector3d h = d.cross(v);
  const double determinant = u.dot(h);
  if (determinant == 0.0) return std::nullopt;
  const Vector3d w = p - a, q = w.cross(u);
  const double x = w.dot(h) / determinant, y = d.dot(q) / determinant, s = v.dot(q) / determinant;
  if (!(x >= 0.0 && y >= 0.0 && x + y <= 1.0 && s >= 0.0)) return std::nullopt;
  return s;
}

// Calls visit(triangle, s) for the triangles that the ray meets no further along than `reach`, which visit
// may shorten; in no particular order.
template <typename Visit>
void ForEachHit(const TriangleMesh& mesh, const TriangleTree& tree, const Vector3d& p, const Vector3d& d,
                const double& reach, const Visit& visit) {
  const auto meets = [&](const TriangleTree::Node& node) {
    double enter = 0.0, leave = reach;
    for (int i = 0; i < 3; ++i) {
      if (d[i] == 0.0) {
        if (p[i] < node.lower[i] || p[i] > node.upper[i]) return false;
        continue;
      }
      const double one = (node.lower[i] - p[i]) / d[i], two = (node.upper[i] - p[i]) / d[i];
      enter = std::max(enter, std::min(one, two));
      leave = std::min(leave, std::max(one, two));
    }
    // Round-off of the slabs must not hide a triangle that lies in a side of its box.
    return enter <= leave + 1e-12 * std::abs(leave);
  };
  tree.ForEach(meets, [&](int t) {
    const auto& [i, j, k] = mesh.triangles[t];
    const auto s = HitTriangle(p, d, mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
    if (s && *s <= reach) visit(t, *s);
  });
}

}  // namespace stiction::geometry

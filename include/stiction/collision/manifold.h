// The contact points of one pair of geoms.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "stiction/math/types.h"

namespace stiction {

// One point. It lies midway between the two surfaces: the surface points are p_W ∓ n φ/2 on A and B. Shapes
// that press by a patch share its surface (src/collision/patch/): there both are p_W.
struct ManifoldPoint {
  Vector3d p_W;               // [m]
  Vector3d n_W;               // unit normal from geom A to geom B
  double gap = 0.0;           // signed distance φ along n [m], negative when overlapping
  std::uint32_t feature = 0;  // which features of A and B made it; stable from step to step while they touch
  std::uint32_t patch = 0;    // of a piece of a patch, which lies in both shapes: its number, from 1

  // From the point to B's surface, and from A's to the point [m].
  Vector3d CalcHalfGap() const {
    if (patch > 0) return Vector3d::Zero();
    return 0.5 * gap * n_W;
  }
};

// Two convex shapes give at most eight points, as two quadrilateral faces clipped against one another do;
// meshes and fields more.
struct Manifold {
  static constexpr int kMaxConvexPoints = 8;
  static constexpr int kMaxPoints = 120;
  int geom_a = -1;  // geom_a < geom_b
  int geom_b = -1;
  int num_points = 0;
  std::array<ManifoldPoint, kMaxPoints> points;

  // Drops the point when the manifold is full.
  void Add(const ManifoldPoint& point) {
    if (num_points < kMaxPoints) points[num_points++] = point;
  }
};

// The manifolds of all pairs of a step, end to end.
struct ManifoldList {
  struct Pair {
    int geom_a, geom_b;  // geom_a < geom_b
    int first, count;    // in points
  };
  std::vector<Pair> pairs;
  std::vector<ManifoldPoint> points;

  void Clear() {
    pairs.clear();
    points.clear();
  }
  void Append(const Manifold& manifold) {
    pairs.push_back({manifold.geom_a, manifold.geom_b, static_cast<int>(points.size()), manifold.num_points});
    points.insert(points.end(), manifold.points.begin(), manifold.points.begin() + manifold.num_points);
  }
  void Append(const ManifoldList& manifolds) {
    const int before = static_cast<int>(points.size());
    for (const Pair& pair : manifolds.pairs)
      pairs.push_back({pair.geom_a, pair.geom_b, before + pair.first, pair.count});
    points.insert(points.end(), manifolds.points.begin(), manifolds.points.end());
  }
};

}  // namespace stiction

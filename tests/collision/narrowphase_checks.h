// What the narrowphase tests share: random poses, an independent signed distance, comparisons of manifolds.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "stiction/collision/narrowphase.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/distance.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/math/rotation.h"

namespace stiction::test {

using Random = std::mt19937;

inline double Uniform(Random& random, double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(random);
}
inline Vector3d UniformVector(Random& random, double limit) {
  return {Uniform(random, -limit, limit), Uniform(random, -limit, limit), Uniform(random, -limit, limit)};
}
inline Vector3d RandomDirection(Random& random) {
  std::normal_distribution<double> normal;
  return Vector3d(normal(random), normal(random), normal(random)).normalized();
}
inline Matrix3d RandomRotation(Random& random) {
  std::normal_distribution<double> normal;
  return Quaterniond(normal(random), normal(random), normal(random), normal(random))
      .normalized()
      .toRotationMatrix();
}
inline RigidTransform RandomPose(Random& random, double limit) {
  return {RandomRotation(random), UniformVector(random, limit)};
}
// X followed by the rotation w about its own origin and the shift p, both in W.
inline RigidTransform Displaced(const RigidTransform& X, const Vector3d& w, const Vector3d& p) {
  return {QuaternionExp(w).toRotationMatrix() * X.R, X.p + p};
}

// n sides about z, inscribed in a circle.
inline Hull MakePrism(int n, double radius, double half_height) {
  std::vector<Vector3d> points;
  for (int k = 0; k < n; ++k) {
    const double angle = 2.0 * M_PI * k / n;
    for (const double z : {-half_height, half_height}) {
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  }
  return MakeHull(points).hull;
}

inline Hull MakeRandomHull(Random& random, int count, const Vector3d& radii) {
  std::vector<Vector3d> points;
  for (int k = 0; k < count; ++k) points.push_back(radii.cwiseProduct(RandomDirection(random)));
  return MakeHull(points).hull;
}

inline Manifold Collide(const Shape& a, const RigidTransform& X_WA, const Shape& b,
                        const RigidTransform& X_WB, double margin) {
  Manifold manifold;
  CalcManifold(a, X_WA, b, X_WB, margin, manifold);
  return manifold;
}

// Infinite for a manifold without points.
inline double SmallestGap(const Manifold& manifold) {
  double gap = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.num_points; ++k) gap = std::min(gap, manifold.points[k].gap);
  return gap;
}

inline const ManifoldPoint* FindFeature(const Manifold& manifold, std::uint32_t feature) {
  for (int k = 0; k < manifold.num_points; ++k) {
    if (manifold.points[k].feature == feature) return &manifold.points[k];
  }
  return nullptr;
}

// Distance from the shape's origin to its supporting plane with normal d (unit, in the shape's frame).
inline double CalcSupport(const Shape& shape, const Vector3d& d) {
  struct Visitor {
    const Vector3d& d;
    double operator()(const Plane&) const { return std::numeric_limits<double>::infinity(); }
    double operator()(const Sphere& s) const { return s.radius; }
    double operator()(const Capsule& c) const { return c.radius + c.half_length * std::abs(d.z()); }
    double operator()(const Ellipsoid& e) const { return e.radii.cwiseProduct(d).norm(); }
    double operator()(const Cylinder& c) const {
      return c.radius * d.head<2>().norm() + c.half_length * std::abs(d.z());
    }
    double operator()(const Box& b) const { return b.half_extents.dot(d.cwiseAbs()); }
    double operator()(const Hull& h) const {
      double reach = -std::numeric_limits<double>::infinity();
      for (const Vector3d& vertex : h.polytope->vertices) reach = std::max(reach, d.dot(vertex));
      return reach;
    }
    double operator()(const Mesh& m) const {
      double reach = -std::numeric_limits<double>::infinity();
      for (const Vector3d& vertex : m.surface->mesh.vertices) reach = std::max(reach, d.dot(vertex));
      return reach;
    }
    double operator()(const Field& f) const { return (*this)(f.solid->surface); }
  };
  return std::visit(Visitor{d}, shape);
}

// Width of the empty slab with normal n (from A to B) between two shapes; negative when they overlap in n.
inline double CalcSlab(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB,
                       const Vector3d& n) {
  return n.dot(X_WB.p - X_WA.p) - CalcSupport(a, X_WA.R.transpose() * n) -
         CalcSupport(b, X_WB.R.transpose() * -n);
}

// The widest slab that sampling and a shrinking random search find. Over all directions, the widest slab of
// convex shapes is their signed distance: the distance, or minus the least translation that separates them.
inline double SearchWidestSlab(const Shape& a, const RigidTransform& X_WA, const Shape& b,
                               const RigidTransform& X_WB, Random& random) {
  struct Candidate {
    double slab;
    Vector3d n;
    bool operator<(const Candidate& other) const { return slab > other.slab; }
  };
  std::vector<Candidate> candidates;
  for (int k = 0; k < 1000; ++k) {
    const Vector3d n = RandomDirection(random);
    candidates.push_back({CalcSlab(a, X_WA, b, X_WB, n), n});
  }
  std::sort(candidates.begin(), candidates.end());
  double best = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < 8; ++k) {
    Candidate at = candidates[k];
    for (double step = 0.1; step > 1e-8; step *= 0.9) {
      for (int trial = 0; trial < 12; ++trial) {
        const Vector3d n = (at.n + step * RandomDirection(random)).normalized();
        const double slab = CalcSlab(a, X_WA, b, X_WB, n);
        if (slab > at.slab) at = {slab, n};
      }
    }
    best = std::max(best, at.slab);
  }
  return best;
}

inline const ManifoldPoint& Deepest(const Manifold& manifold) {
  return *std::min_element(
      manifold.points.begin(), manifold.points.begin() + manifold.num_points,
      [](const ManifoldPoint& one, const ManifoldPoint& two) { return one.gap < two.gap; });
}

// The deepest point's gap is the signed distance: its own normal attains it, and no direction does better.
inline void ExpectSignedDistance(const Shape& a, const RigidTransform& X_WA, const Shape& b,
                                 const RigidTransform& X_WB, const Manifold& manifold, Random& random) {
  const ManifoldPoint& deepest = Deepest(manifold);
  EXPECT_NEAR(deepest.gap, CalcSlab(a, X_WA, b, X_WB, deepest.n_W), 1e-12) << ShapeName(a) << ShapeName(b);
  const double widest = SearchWidestSlab(a, X_WA, b, X_WB, random);
  EXPECT_LT(widest, deepest.gap + 1e-12) << ShapeName(a) << ShapeName(b);
  EXPECT_GT(widest, deepest.gap - 1e-3) << "the search itself failed";
}

// Whether two shapes overlap, by the distance rather than by contact points: as solids, as far as a point of
// each tells.
inline bool IsOverlapping(const Shape& a, const RigidTransform& X_WA, const Shape& b,
                          const RigidTransform& X_WB) {
  constexpr double kTouching = 1e-6;  // [m]
  const Distance d = CalcDistance(a, X_WA, b, X_WB);
  if (d.distance < -kTouching) return true;
  // Surfaces of meshes have no inside: those that still meet when moved a little either way overlap.
  const bool is_surface = std::holds_alternative<Mesh>(a) || std::holds_alternative<Mesh>(b);
  if (!is_surface || d.distance > 0.0) return false;
  for (int k = 0; k < 6; ++k) {
    const Vector3d step = (k < 3 ? kTouching : -kTouching) * Vector3d::Unit(k % 3);
    if (CalcDistance(a, X_WA, b, {X_WB.R, X_WB.p + step}).distance > 0.0) return false;
  }
  return true;
}

// How often B has to be moved along the deepest point by its depth until no point is deeper than 1e-5 m and
// the shapes no longer overlap by more; -1: still not after 200 moves.
inline int FindMovesApart(const Shape& a, const RigidTransform& X_WA, const Shape& b, RigidTransform X_WB) {
  constexpr double kLeft = 1e-5;  // [m]
  for (int k = 0; k <= 200; ++k) {
    const Manifold manifold = Collide(a, X_WA, b, X_WB, 1e-3);
    if (!(SmallestGap(manifold) < -kLeft)) {
      if (!IsOverlapping(a, X_WA, b, X_WB)) return k;
      // A depth that is not worth a move may still be one too few.
      if (!(SmallestGap(manifold) < 0.0)) return -1;
    }
    const ManifoldPoint& deepest = Deepest(manifold);
    X_WB.p += (kLeft - deepest.gap) * deepest.n_W;
  }
  return -1;
}

inline void ExpectFinite(const Manifold& manifold) {
  for (int k = 0; k < manifold.num_points; ++k) {
    const ManifoldPoint& point = manifold.points[k];
    ASSERT_TRUE(point.p_W.allFinite() && point.n_W.allFinite() && std::isfinite(point.gap));
    ASSERT_NEAR(point.n_W.norm(), 1.0, 1e-9);
  }
}

// The same points, in any order, seen from frames related by X_12, with normals turned by `sign`.
inline void ExpectSamePoints(const Manifold& one, const Manifold& two, const RigidTransform& X_12,
                             double sign, double tolerance) {
  ASSERT_EQ(one.num_points, two.num_points);
  for (int k = 0; k < one.num_points; ++k) {
    double nearest = std::numeric_limits<double>::infinity();
    for (int j = 0; j < two.num_points; ++j) {
      const double apart = (X_12 * two.points[j].p_W - one.points[k].p_W).norm() +
                           (sign * (X_12.R * two.points[j].n_W) - one.points[k].n_W).norm() +
                           std::abs(two.points[j].gap - one.points[k].gap);
      nearest = std::min(nearest, apart);
    }
    EXPECT_LT(nearest, tolerance);
  }
}

}  // namespace stiction::test

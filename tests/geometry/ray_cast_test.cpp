#include "stiction/geometry/ray_cast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/distance.h"
#include "stiction/geometry/field_solid.h"
#include "tests/support/meshes.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using Random = stiction::testing::RandomNumbers;

// Negative inside, zero on the surface, positive outside; not a distance.
struct ImplicitValue {
  const Vector3d& p;
  double operator()(const Plane&) const { return p.z(); }
  double operator()(const Sphere& s) const { return p.norm() - s.radius; }
  double operator()(const Capsule& s) const {
    const double z = std::clamp(p.z(), -s.half_length, s.half_length);
    return (p - Vector3d(0, 0, z)).norm() - s.radius;
  }
  double operator()(const Ellipsoid& s) const { return p.cwiseQuotient(s.radii).norm() - 1.0; }
  double operator()(const Cylinder& s) const {
    return std::max(p.head<2>().norm() - s.radius, std::abs(p.z()) - s.half_length);
  }
  double operator()(const Box& s) const { return (p.cwiseAbs() - s.half_extents).maxCoeff(); }
  double operator()(const Hull& s) const {
    double value = -std::numeric_limits<double>::infinity();
    for (const auto& face : s.polytope->faces) value = std::max(value, face.normal.dot(p) - face.offset);
    return value;
  }
  double operator()(const Mesh& s) const {
    const double distance = CalcDistance(s, {}, Sphere{0.0}, {Matrix3d::Identity(), p}).distance;
    return CalcWindingNumber(s.surface->mesh, p) > 0.5 ? -distance : distance;
  }
  double operator()(const Field& s) const { return s.solid->field.CalcValue(p); }
};

double Evaluate(const Shape& shape, const Vector3d& p) {
  return std::visit(ImplicitValue{p}, shape);
}

std::vector<Shape> AllShapes() {
  Random random(9);
  std::vector<Vector3d> points;
  for (int i = 0; i < 30; ++i) points.push_back(random.Vector3(0.5));
  return {Plane{},
          Sphere{0.4},
          Capsule{0.2, 0.3},
          Ellipsoid{{0.2, 0.3, 0.5}},
          Cylinder{0.3, 0.2},
          Box{{0.2, 0.3, 0.4}},
          MakeHull(points).hull,
          MakeMesh(stiction::testing::MakeTorus(0.35, 0.12, 16, 10)).mesh,
          MakeField(MakeTorusField(0.35, 0.12)).shape};
}

// First sign change along the ray by sampling and bisection; negative if there is none.
double MarchRay(const Shape& shape, const Vector3d& p, const Vector3d& d) {
  constexpr double kStep = 1e-3, kReach = 4.0;
  for (double s = 0.0; s < kReach; s += kStep) {
    if (Evaluate(shape, p + (s + kStep) * d) >= 0.0) continue;
    double low = s, high = s + kStep;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (Evaluate(shape, p + middle * d) < 0.0 ? high : low) = middle;
    }
    return high;
  }
  return -1.0;
}

TEST(RayCast, HitsWhereSamplingFindsTheSurface) {
  Random random(1);
  for (const Shape& shape : AllShapes()) {
    int hits = 0;
    for (int i = 0; i < 200; ++i) {
      const Vector3d p = random.Vector3(1.0), d = (random.Vector3(0.4) - p).normalized();
      if (Evaluate(shape, p) < 0.0) continue;
      const double expected = MarchRay(shape, p, d);
      const auto hit = CastRay(shape, p, d);
      // Sampling misses what a ray only grazes, by up to 1e-3 of its length.
      if (expected >= 0.0) {
        ASSERT_TRUE(hit) << ShapeName(shape);
      }
      if (!hit || expected < 0.0) continue;
      ++hits;
      EXPECT_NEAR(hit->distance, expected, 1e-9) << ShapeName(shape);
    }
    EXPECT_GT(hits, 10) << ShapeName(shape);
  }
}

TEST(RayCast, HitLiesOnTheSurfaceWithItsOutwardNormal) {
  Random random(2);
  for (const Shape& shape : AllShapes()) {
    for (int i = 0; i < 500; ++i) {
      const Vector3d p = random.Vector3(1.0), d = random.Vector3(1.0).normalized();
      const auto hit = CastRay(shape, p, d);
      if (!hit) continue;
      const Vector3d q = p + hit->distance * d;
      EXPECT_NEAR(Evaluate(shape, q), 0.0, 1e-12) << ShapeName(shape);
      EXPECT_NEAR(hit->n_G.norm(), 1.0, 1e-12);
      EXPECT_LE(hit->n_G.dot(d), 1e-12);
      EXPECT_GT(Evaluate(shape, q + 1e-6 * hit->n_G), 0.0) << ShapeName(shape);
      EXPECT_LT(Evaluate(shape, q - 1e-6 * hit->n_G), 0.0) << ShapeName(shape);
    }
  }
}

TEST(RayCast, MissesFromInsideAndAwayFromTheShape) {
  for (const Shape& shape : AllShapes()) {
    const Vector3d inside(shape.index() >= Shape(Mesh{}).index() ? 0.35 : 0.0, 0, -1e-3);  // of the ring
    EXPECT_FALSE(CastRay(shape, inside, {0, 0, 1})) << ShapeName(shape);
    EXPECT_FALSE(CastRay(shape, inside, {1, 0, 0})) << ShapeName(shape);
    EXPECT_FALSE(CastRay(shape, {0, 0, 2}, {0, 0, 1})) << ShapeName(shape);
  }
}

// Along an axis, where slopes vanish.
TEST(RayCast, AxisParallelRaysMatchClosedForms) {
  EXPECT_EQ(CastRay(Plane{}, {0, 0, 2}, {0, 0, -1})->distance, 2.0);
  EXPECT_FALSE(CastRay(Plane{}, {0, 0, 2}, {1, 0, 0}));
  EXPECT_EQ(CastRay(Box{{0.1, 0.2, 0.3}}, {0, 0, 2}, {0, 0, -1})->distance, 1.7);
  EXPECT_FALSE(CastRay(Box{{0.1, 0.2, 0.3}}, {0.11, 0, 2}, {0, 0, -1}));
  EXPECT_NEAR(CastRay(Cylinder{0.1, 0.3}, {0.05, 0, 2}, {0, 0, -1})->distance, 1.7, 1e-15);
  EXPECT_NEAR(CastRay(Capsule{0.1, 0.3}, {0, 0, 2}, {0, 0, -1})->distance, 1.6, 1e-15);
  EXPECT_NEAR(CastRay(Capsule{0.1, 0.3}, {1, 0, 0.2}, {-1, 0, 0})->distance, 0.9, 1e-15);
  EXPECT_FALSE(CastRay(Capsule{0.1, 0.3}, {0.2, 0, 2}, {0, 0, -1}));
  EXPECT_NEAR(CastRay(Ellipsoid{{0.1, 0.2, 0.3}}, {0, 2, 0}, {0, -1, 0})->distance, 1.8, 1e-15);
}

// The triangles of a box against the box itself.
TEST(RayCast, AMeshIsHitWhereItsTrianglesAre) {
  const Vector3d half(0.3, 0.5, 0.7);
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.emplace_back(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(),
                               i & 4 ? half.z() : -half.z());
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto vector = [&] { return Vector3d(number(generator), number(generator), number(generator)); };
  int hits = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p = 2.0 * vector().normalized(), d = (0.8 * vector() - p).normalized();
    const auto box = CastRay(Box{half}, p, d), triangles = CastRay(mesh, p, d);
    ASSERT_EQ(box.has_value(), triangles.has_value());
    if (!box) continue;
    ++hits;
    EXPECT_NEAR(box->distance, triangles->distance, 1e-12);
    EXPECT_LT((box->n_G - triangles->n_G).norm(), 1e-12);
  }
  EXPECT_GT(hits, 500);
  // From inside, the far side: seen from behind, its normal points against the ray.
  const auto inside = CastRay(mesh, Vector3d::Zero(), Vector3d::UnitX());
  ASSERT_TRUE(inside.has_value());
  EXPECT_NEAR(inside->distance, half.x(), 1e-15);
  EXPECT_LT((inside->n_G + Vector3d::UnitX()).norm(), 1e-15);
}

}  // namespace
}  // namespace stiction

#include "stiction/geometry/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

const std::vector<Shape> kSolidShapes = {Sphere{0.3}, Capsule{0.2, 0.5}, Ellipsoid{{0.1, 0.4, 0.7}},
                                         Cylinder{0.3, 0.2}, Box{{0.2, 0.1, 0.5}}};

// A point of the surface for each direction (unit vector) u; together they reach the whole convex boundary's
// extremes.
struct SurfacePoint {
  Vector3d u;

  Vector3d operator()(const Plane&) const { return Vector3d::Zero(); }
  Vector3d operator()(const Sphere& s) const { return s.radius * u; }
  Vector3d operator()(const Capsule& s) const {
    return s.radius * u + Vector3d(0, 0, std::copysign(s.half_length, u.z()));
  }
  Vector3d operator()(const Ellipsoid& s) const { return s.radii.cwiseProduct(u); }
  Vector3d operator()(const Cylinder& s) const {
    const Vector3d rim(u.x(), u.y(), 0.0);
    return s.radius * rim.normalized() + Vector3d(0, 0, std::copysign(s.half_length, u.z()));
  }
  Vector3d operator()(const Box& s) const { return s.half_extents.cwiseProduct(u.array().sign().matrix()); }
  Vector3d operator()(const Hull& s) const {
    return s.polytope->vertices[FindSupport(*s.polytope, u)];  // of vertices: see convex_hull_test.cpp
  }
  // Of vertices: see mesh_surface_test.cpp.
  Vector3d operator()(const Mesh& s) const { return s.surface->mesh.vertices[0]; }
  Vector3d operator()(const Field& s) const { return (*this)(s.solid->surface); }
};

// Calls visit(point) for points spread over the surface, about 0.01 rad apart.
template <typename Visit>
void ForSurfacePoints(const Shape& shape, const Visit& visit) {
  constexpr int kRings = 300;
  for (int i = 0; i < kRings; ++i) {
    const double polar = std::numbers::pi * (i + 0.5) / kRings;
    for (int j = 0; j < 2 * kRings; ++j) {
      const double azimuth = std::numbers::pi * (j + 0.5) / kRings;
      const Vector3d u(std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth),
                       std::cos(polar));
      visit(std::visit(SurfacePoint{u}, shape));
    }
  }
}

TEST(Shape, NamesAreThoseOfMjcf) {
  EXPECT_EQ(ShapeName(Plane{}), "plane");
  EXPECT_EQ(ShapeName(Capsule{0.1, 0.1}), "capsule");
  EXPECT_EQ(ShapeName(Box{Vector3d::Ones()}), "box");
}

TEST(Shape, BoundingBoxTouchesTheTurnedSurface) {
  const Matrix3d R_WG = QuaternionExp({0.4, -1.1, 0.7}).toRotationMatrix();
  for (const Shape& shape : kSolidShapes) {
    Vector3d reached = Vector3d::Zero();
    ForSurfacePoints(shape,
                     [&](const Vector3d& p_G) { reached = reached.cwiseMax((R_WG * p_G).cwiseAbs()); });
    // Points 0.01 rad apart miss the extreme by at most 0.01²/2 of a size below 1 m.
    const Vector3d slack = CalcBoundingHalfExtents(shape, R_WG) - reached;
    EXPECT_GE(slack.minCoeff(), -1e-15) << ShapeName(shape);
    EXPECT_LE(slack.maxCoeff(), 5e-5) << ShapeName(shape);
  }
}

TEST(Shape, BoundingSphereTouchesTheSurface) {
  for (const Shape& shape : kSolidShapes) {
    double reached = 0.0;
    ForSurfacePoints(shape, [&](const Vector3d& p_G) { reached = std::max(reached, p_G.norm()); });
    // As above.
    EXPECT_NEAR(CalcBoundingRadius(shape), reached, 5e-5) << ShapeName(shape);
  }
}

TEST(Shape, PlaneIsUnbounded) {
  EXPECT_TRUE(std::isinf(CalcBoundingHalfExtents(Plane{}, Matrix3d::Identity()).minCoeff()));
  EXPECT_TRUE(std::isinf(CalcBoundingRadius(Plane{})));
  EXPECT_EQ(CalcSmallestRadius(Plane{}), 0.0);
}

TEST(Shape, SmallestRadiusIsHalfTheThinnestExtent) {
  EXPECT_EQ(CalcSmallestRadius(Capsule{0.2, 0.05}), 0.2);
  EXPECT_EQ(CalcSmallestRadius(Cylinder{0.3, 0.05}), 0.05);
  EXPECT_EQ(CalcSmallestRadius(Ellipsoid{{0.3, 0.1, 0.2}}), 0.1);
  EXPECT_EQ(CalcSmallestRadius(Box{{0.3, 0.4, 0.2}}), 0.2);
}

}  // namespace
}  // namespace stiction

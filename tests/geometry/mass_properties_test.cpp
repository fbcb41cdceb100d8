#include "stiction/geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

const std::vector<Shape> kSolids = {Sphere{0.3}, Capsule{0.2, 0.5}, Ellipsoid{{0.1, 0.4, 0.7}},
                                    Cylinder{0.3, 0.2}, Box{{0.2, 0.1, 0.5}}};

// The solid's cross-section at height z: its area, and the mean of x² and y² over it.
struct Slice {
  double area, xx, yy;
};
Slice Ellipse(double a, double b) {
  return {std::numbers::pi * a * b, a * a / 4.0, b * b / 4.0};
}

struct SliceAt {
  double z;

  Slice operator()(const Plane&) const { return {}; }
  Slice operator()(const Sphere& s) const { return Disk(s.radius * s.radius - z * z); }
  Slice operator()(const Capsule& s) const {
    const double beyond = std::max(0.0, std::abs(z) - s.half_length);
    return Disk(s.radius * s.radius - beyond * beyond);
  }
  Slice operator()(const Ellipsoid& s) const {
    const double scale = std::sqrt(std::max(0.0, 1.0 - z * z / (s.radii.z() * s.radii.z())));
    return Ellipse(s.radii.x() * scale, s.radii.y() * scale);
  }
  Slice operator()(const Cylinder& s) const { return Disk(s.radius * s.radius); }
  Slice operator()(const Box& s) const {
    const Vector3d& h = s.half_extents;
    return {4.0 * h.x() * h.y(), h.x() * h.x() / 3.0, h.y() * h.y() / 3.0};
  }
  // Their slices are polygons: see convex_hull_test.cpp and mesh_surface_test.cpp.
  Slice operator()(const Hull&) const { return {}; }
  Slice operator()(const Mesh&) const { return {}; }
  Slice operator()(const Field&) const { return {}; }
  static Slice Disk(double radius2) {
    const double radius = std::sqrt(std::max(0.0, radius2));
    return Ellipse(radius, radius);
  }
};

// Volume and ∫ (x², y², z²) dV by the midpoint rule over slices.
void Integrate(const Shape& shape, double& volume, Vector3d& squares) {
  constexpr int kSlices = 20000;
  const double top = CalcBoundingHalfExtents(shape, Matrix3d::Identity()).z(), dz = 2.0 * top / kSlices;
  volume = 0.0;
  squares.setZero();
  for (int i = 0; i < kSlices; ++i) {
    const double z = -top + (i + 0.5) * dz;
    const Slice slice = std::visit(SliceAt{z}, shape);
    volume += slice.area * dz;
    squares += slice.area * dz * Vector3d(slice.xx, slice.yy, z * z);
  }
}

TEST(MassProperties, SolidsMatchQuadratureOverSlices) {
  for (const Shape& shape : kSolids) {
    double volume;
    Vector3d squares;
    Integrate(shape, volume, squares);
    const Vector3d moments = Vector3d::Constant(squares.sum()) - squares;
    const MassProperties solid = CalcSolidMassProperties(shape, 2.0);
    // The midpoint rule's error is of the order (1/20000)² = 3e-9.
    EXPECT_NEAR(CalcVolume(shape) / volume, 1.0, 3e-8) << ShapeName(shape);
    EXPECT_LT((solid.I_BBcm_B.diagonal() - 2.0 * moments / volume).norm() / moments.norm() * volume, 3e-8)
        << ShapeName(shape);
    EXPECT_EQ(solid.mass, 2.0);
    EXPECT_TRUE(solid.p_BBcm.isZero());
    EXPECT_TRUE(solid.I_BBcm_B.isDiagonal());
  }
}

TEST(MassProperties, ShortCapsuleIsASphere) {
  const Matrix3d capsule = CalcSolidMassProperties(Capsule{0.2, 1e-12}, 1.0).I_BBcm_B;
  // The segment is 5e-12 of the radius.
  EXPECT_TRUE(capsule.isApprox(CalcSolidMassProperties(Sphere{0.2}, 1.0).I_BBcm_B, 1e-10));
}

TEST(MassProperties, TwoHalfBoxesMakeTheWhole) {
  const MassProperties half = CalcSolidMassProperties(Box{{0.1, 0.2, 0.3}}, 1.5);
  const RigidTransform left{Matrix3d::Identity(), {-0.1, 0.0, 0.0}},
      right{Matrix3d::Identity(), {0.1, 0.0, 0.0}};
  const MassProperties sum = Add(Transform(left, half), Transform(right, half));
  const MassProperties whole = CalcSolidMassProperties(Box{{0.2, 0.2, 0.3}}, 3.0);
  // Rounding of a few operations on numbers below one.
  EXPECT_EQ(sum.mass, 3.0);
  EXPECT_TRUE(sum.p_BBcm.isZero(1e-15));
  EXPECT_TRUE(sum.I_BBcm_B.isApprox(whole.I_BBcm_B, 1e-14));
}

TEST(MassProperties, InertiaAboutADistantAxisFollowsSteiner) {
  const MassProperties rod = CalcSolidMassProperties(Cylinder{0.01, 0.5}, 2.0);
  const MassProperties weight{.mass = 3.0, .p_BBcm = {0.0, 0.0, 2.0}};
  const MassProperties sum = Add(rod, weight);
  // About the common centre at z = 6/5: I + 2 (6/5)² + 3 (4/5)².
  EXPECT_NEAR(sum.p_BBcm.z(), 1.2, 1e-15);
  EXPECT_NEAR(sum.I_BBcm_B(0, 0), rod.I_BBcm_B(0, 0) + 2.0 * 1.44 + 3.0 * 0.64, 1e-14);  // rounding
}

TEST(MassProperties, TransformTurnsAxesAndMovesTheCentre) {
  const RigidTransform X_AB{QuaternionExp({0, 0, std::numbers::pi / 2}).toRotationMatrix(), {1.0, 0.0, 0.0}};
  MassProperties in_B = CalcSolidMassProperties(Box{{0.1, 0.2, 0.3}}, 1.0);
  in_B.p_BBcm = {0.5, 0.0, 0.0};
  const MassProperties in_A = Transform(X_AB, in_B);
  // Rounding of sine and cosine.
  EXPECT_TRUE(in_A.p_BBcm.isApprox(Vector3d(1.0, 0.5, 0.0), 1e-15));
  EXPECT_NEAR(in_A.I_BBcm_B(0, 0), in_B.I_BBcm_B(1, 1), 1e-15);
}

TEST(MassProperties, AddingNothingChangesNothing) {
  const MassProperties ball =
      Transform({Matrix3d::Identity(), {1.0, 2.0, 3.0}}, CalcSolidMassProperties(Sphere{1.0}, 1.0));
  const MassProperties sum = Add(MassProperties{}, ball);
  EXPECT_EQ(sum.p_BBcm, ball.p_BBcm);
  EXPECT_EQ(sum.I_BBcm_B, ball.I_BBcm_B);
  EXPECT_EQ(Add(MassProperties{}, MassProperties{}).mass, 0.0);
}

TEST(MassProperties, PositiveDefinitenessAndTriangleAreToldApart) {
  bool triangle = false;
  EXPECT_TRUE(IsPositiveDefinite(Vector3d(1.0, 2.0, 2.5).asDiagonal().toDenseMatrix(), &triangle));
  EXPECT_TRUE(triangle);
  EXPECT_TRUE(IsPositiveDefinite(Vector3d(1.0, 2.0, 3.5).asDiagonal().toDenseMatrix(), &triangle));
  EXPECT_FALSE(triangle);
  EXPECT_FALSE(IsPositiveDefinite(Vector3d(1.0, 1.0, 0.0).asDiagonal().toDenseMatrix(), &triangle));
  EXPECT_FALSE(IsPositiveDefinite(Vector3d(1.0, 1.0, -0.1).asDiagonal().toDenseMatrix(), nullptr));
  Matrix3d skewed = Matrix3d::Identity();
  skewed(0, 1) = 0.1;
  EXPECT_FALSE(IsPositiveDefinite(skewed, &triangle));
  EXPECT_FALSE(IsPositiveDefinite(Matrix3d::Constant(std::nan("")), &triangle));
}

}  // namespace
}  // namespace stiction

#include <set>

#include "tests/collision/narrowphase_checks.h"

namespace stiction::test {
namespace {

RigidTransform Above(double height) {
  return {Matrix3d::Identity(), {0.3, -0.2, height}};
}
Matrix3d Tilt(double angle, const Vector3d& axis) {
  return QuaternionExp(angle * axis.normalized()).toRotationMatrix();
}

// The lowest gap against a plane is the shape's support, whatever the poses.
TEST(PlaneAny, DeepestPointIsTheSupportPoint) {
  Random random(1);
  const std::vector<Shape> shapes = {Sphere{0.3}, Capsule{0.1, 0.4}, Ellipsoid{{0.1, 0.3, 0.2}},
                                     Cylinder{0.2, 0.3}, Box{{0.1, 0.2, 0.3}}};
  for (const Shape& shape : shapes) {
    for (int trial = 0; trial < 2000; ++trial) {
      const RigidTransform X_WA = RandomPose(random, 1.0), X_WB = RandomPose(random, 1.0);
      const Vector3d n_W = X_WA.R.col(2);
      const double gap = n_W.dot(X_WB.p - X_WA.p) - CalcSupport(shape, X_WB.R.transpose() * -n_W);
      const Manifold manifold = Collide(Plane{}, X_WA, shape, X_WB, 10.0);
      ASSERT_GT(manifold.num_points, 0);
      ASSERT_NEAR(SmallestGap(manifold), gap, 1e-14);
      for (int k = 0; k < manifold.num_points; ++k) {
        const ManifoldPoint& point = manifold.points[k];
        EXPECT_NEAR((point.n_W - n_W).norm(), 0.0, 1e-15);
        // Midway: half a gap above the plane.
        EXPECT_NEAR(n_W.dot(point.p_W - X_WA.p), 0.5 * point.gap, 1e-14);
      }
    }
  }
}

TEST(PlaneAny, FlatBoxRestsOnFourVertices) {
  const Manifold manifold = Collide(Plane{}, {}, Box{{0.1, 0.2, 0.3}}, Above(0.2999), 0.01);
  ASSERT_EQ(manifold.num_points, 4);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(manifold.points[k].gap, -1e-4, 1e-15);
}

TEST(PlaneAny, LyingCapsuleRestsOnBothCaps) {
  const RigidTransform X_WB{Tilt(M_PI / 2, Vector3d::UnitX()), {0, 0, 0.1}};
  const Manifold manifold = Collide(Plane{}, {}, Capsule{0.1, 0.4}, X_WB, 0.01);
  ASSERT_EQ(manifold.num_points, 2);
  EXPECT_NEAR((manifold.points[0].p_W - manifold.points[1].p_W).norm(), 0.8, 1e-14);
  EXPECT_EQ(manifold.points[0].feature, 0u);
  EXPECT_EQ(manifold.points[1].feature, 1u);
}

TEST(PlaneAny, UprightCylinderKeepsItsFourRimPointsUnderNoise) {
  Random random(2);
  const Cylinder cylinder{0.2, 0.3};
  const Manifold still = Collide(Plane{}, {}, cylinder, Above(0.3), 0.01);
  ASSERT_EQ(still.num_points, 4);
  for (const double noise : {1e-12, 1e-10, 1e-9, 1e-7, 1e-5, 1e-3}) {
    for (int trial = 0; trial < 100; ++trial) {
      const Manifold tilted =
          Collide(Plane{}, {}, cylinder,
                  Displaced(Above(0.3), noise * RandomDirection(random), Vector3d::Zero()), 0.01);
      for (int k = 0; k < 4; ++k) {
        const ManifoldPoint* same = FindFeature(tilted, still.points[k].feature);
        ASSERT_NE(same, nullptr);
        EXPECT_LT((same->p_W - still.points[k].p_W).norm(), 2 * noise + 1e-15);
      }
      EXPECT_LE(tilted.num_points, 5);
    }
  }
}

TEST(PlaneAny, LyingCylinderRestsOnTheEndsOfItsGenerator) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Matrix3d lying = Tilt(M_PI / 2, Vector3d::UnitX());
    const Matrix3d rolled = lying * Tilt(Uniform(random, 0, 6), Vector3d::UnitZ());
    const Manifold manifold = Collide(Plane{}, {}, Cylinder{0.2, 0.3}, {rolled, {0, 0, 0.2}}, 1e-3);
    ASSERT_EQ(manifold.num_points, 2);
    EXPECT_NEAR((manifold.points[0].p_W - manifold.points[1].p_W).norm(), 0.6, 1e-14);
  }
}

// A cap that stands on a pivot may fall: every point of the rim above which the margin reaches is among the
// points.
TEST(PlaneAny, NothingIsFoundBeyondTheMargin) {
  EXPECT_EQ(Collide(Plane{}, {}, Box{{0.1, 0.1, 0.1}}, Above(0.1101), 0.01).num_points, 0);
  EXPECT_EQ(Collide(Plane{}, {}, Box{{0.1, 0.1, 0.1}}, Above(0.1099), 0.01).num_points, 4);
  EXPECT_EQ(Collide(Plane{}, {}, Cylinder{0.1, 0.1}, Above(0.1101), 0.01).num_points, 0);
}

}  // namespace
}  // namespace stiction::test

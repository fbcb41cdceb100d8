#include <fcl/narrowphase/collision.h>

#include "tests/collision/narrowphase_checks.h"

namespace stiction::test {
namespace {

fcl::Transform3d ToFcl(const RigidTransform& X) {
  fcl::Transform3d out = fcl::Transform3d::Identity();
  out.linear() = X.R;
  out.translation() = X.p;
  return out;
}

std::shared_ptr<fcl::CollisionGeometryd> ToFcl(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return std::make_shared<fcl::Sphered>(sphere->radius);
  if (const auto* box = std::get_if<Box>(&shape)) return std::make_shared<fcl::Boxd>(2 * box->half_extents);
  const auto& cylinder = std::get<Cylinder>(shape);
  return std::make_shared<fcl::Cylinderd>(cylinder.radius, 2 * cylinder.half_length);
}

const std::vector<Shape>& Partners() {
  static const std::vector<Shape> shapes = {Sphere{0.3}, Capsule{0.1, 0.4}, Cylinder{0.2, 0.3},
                                            Box{{0.1, 0.2, 0.3}}};
  return shapes;
}

TEST(SphereAny, GapIsTheSignedDistance) {
  Random random(1);
  const Shape sphere = Sphere{0.15};
  for (const Shape& other : Partners()) {
    for (int trial = 0; trial < 60; ++trial) {
      const RigidTransform X_WA = RandomPose(random, 0.3), X_WB = RandomPose(random, 0.3);
      const Manifold manifold = Collide(sphere, X_WA, other, X_WB, 10.0);
      ASSERT_EQ(manifold.num_points, 1);
      const ManifoldPoint& point = manifold.points[0];
      ExpectSignedDistance(sphere, X_WA, other, X_WB, manifold, random);
      // Half a gap from the sphere's surface.
      EXPECT_NEAR((point.p_W - X_WA.p - (0.15 + 0.5 * point.gap) * point.n_W).norm(), 0.0, 1e-13);
    }
  }
}

// FCL is exact for these three, while the centre is outside.
TEST(SphereAny, AgreesWithFclWhereThatIsExact) {
  Random random(2);
  fcl::CollisionRequestd request(1, true);
  request.gjk_solver_type = fcl::GST_LIBCCD;
  for (const Shape& other : {Partners()[0], Partners()[2], Partners()[3]}) {
    int hits = 0;
    for (int trial = 0; trial < 5000; ++trial) {
      const RigidTransform X_WA = RandomPose(random, 0.3), X_WB = RandomPose(random, 0.3);
      const Manifold manifold = Collide(Sphere{0.15}, X_WA, other, X_WB, 0.0);
      if (SmallestGap(manifold) < -0.15) continue;
      fcl::CollisionResultd result;
      const auto sphere = ToFcl(Shape(Sphere{0.15})), partner = ToFcl(other);
      fcl::collide(sphere.get(), ToFcl(X_WA), partner.get(), ToFcl(X_WB), request, result);
      ASSERT_EQ(manifold.num_points, static_cast<int>(result.numContacts())) << ShapeName(other);
      if (manifold.num_points == 0) continue;
      ++hits;
      const fcl::Contactd& contact = result.getContact(0);
      EXPECT_NEAR(manifold.points[0].gap, -contact.penetration_depth, 1e-13) << ShapeName(other);
      EXPECT_NEAR((manifold.points[0].n_W - contact.normal).norm(), 0.0, 1e-10) << ShapeName(other);
    }
    EXPECT_GT(hits, 500);
  }
}

TEST(SphereAny, CentresThatCoincideGiveAUnitNormal) {
  for (const Shape& other : Partners()) {
    const Manifold manifold = Collide(Sphere{0.15}, {}, other, {}, 0.0);
    ASSERT_EQ(manifold.num_points, 1);
    ExpectFinite(manifold);
    EXPECT_NEAR(manifold.points[0].gap, CalcSlab(Sphere{0.15}, {}, other, {}, manifold.points[0].n_W), 1e-15);
  }
}

TEST(SphereAny, CentreOnTheCapsulesAxisLeavesAcrossIt) {
  for (const double z : {0.0, 0.1, -0.39, 0.4}) {
    const Manifold manifold =
        Collide(Sphere{0.15}, {Matrix3d::Identity(), {0, 0, z}}, Capsule{0.1, 0.4}, {}, 0.0);
    ASSERT_EQ(manifold.num_points, 1);
    EXPECT_NEAR(manifold.points[0].gap, -0.25, 1e-15);
    EXPECT_NEAR(manifold.points[0].n_W.z(), 0.0, 1e-15);
  }
}

// Equally near faces: the first one, also when round-off says otherwise.
TEST(SphereAny, CentreOfACubeAlwaysLeavesByTheSameFace) {
  Random random(3);
  const Box cube{{0.1, 0.1, 0.1}};
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3d p = Vector3d(0.05, 0.05, 0.05) + UniformVector(random, 1e-15);
    const Manifold manifold = Collide(Sphere{0.02}, {Matrix3d::Identity(), p}, cube, {}, 0.0);
    ASSERT_EQ(manifold.num_points, 1);
    EXPECT_EQ(manifold.points[0].n_W, Vector3d(-1, 0, 0));
  }
}

}  // namespace
}  // namespace stiction::test

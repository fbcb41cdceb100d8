#include "stiction/collision/swept_contact.h"

#include <numbers>

#include "tests/collision/narrowphase_checks.h"
#include "tests/support/meshes.h"

namespace stiction::test {
namespace {

ShapeMotion Still(const Shape& shape, const RigidTransform& X = {}) {
  return {&shape, X, Vector3d::Zero(), Vector3d::Zero()};
}
ShapeMotion Flying(const Shape& shape, const Vector3d& p, const Vector3d& v,
                   const Vector3d& w = Vector3d::Zero()) {
  return {&shape, {Matrix3d::Identity(), p}, v, w};
}

TEST(SweptContact, ABulletMeetsAThinWall) {
  const Shape wall = Box{{0.0005, 1.0, 1.0}}, ball = Sphere{0.005};
  Manifold manifold;
  for (const double y : {0.0, 0.3, 0.9}) {
    ASSERT_TRUE(
        CalcSweptManifold(Still(wall), Flying(ball, {-0.1, 0, 0}, {100, 100 * y, 0}), 0.002, manifold));
    ASSERT_EQ(manifold.num_points, 1);
    const ManifoldPoint& point = manifold.points[0];
    EXPECT_LT((point.n_W + Vector3d::UnitX()).norm(), 1e-12);
    EXPECT_NEAR(point.gap, 0.1 - 0.005 - 0.0005, 1e-12);
    // Where the ball has it: the law acts on the ball's own surface.
    EXPECT_LT((point.p_W + 0.5 * point.gap * point.n_W - Vector3d(-0.095, 0, 0)).norm(), 1e-9);
    // The order of the shapes does not matter.
    ASSERT_TRUE(
        CalcSweptManifold(Flying(ball, {-0.1, 0, 0}, {100, 100 * y, 0}), Still(wall), 0.002, manifold));
    EXPECT_LT((manifold.points[0].n_W - Vector3d::UnitX()).norm(), 1e-12);
    EXPECT_NEAR(manifold.points[0].gap, 0.0945, 1e-12);
  }
  // It stops short, or flies past.
  EXPECT_FALSE(CalcSweptManifold(Still(wall), Flying(ball, {-0.3, 0, 0}, {100, 0, 0}), 0.002, manifold));
  EXPECT_FALSE(CalcSweptManifold(Still(wall), Flying(ball, {-0.1, 0, 0}, {-100, 0, 0}), 0.002, manifold));
  EXPECT_FALSE(CalcSweptManifold(Still(wall), Flying(ball, {-0.1, 1.006, 0}, {100, 0, 0}), 0.002, manifold));
}

// Its gap is the ball's, not that of a point of it which turns away: by 1.6 mm for this one, at a radian a
// step.
TEST(SweptContact, ABallIsMetHoweverItTurns) {
  const Shape wall = Box{{0.0005, 1.0, 1.0}}, ball = Sphere{0.005};
  Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const ShapeMotion flying =
        Flying(ball, {-0.1, 0, 0}, {100, 30, 0}, Uniform(random, 10.0, 3000.0) * RandomDirection(random));
    Manifold manifold;
    ASSERT_TRUE(CalcSweptManifold(Still(wall), flying, 0.002, manifold));
    ASSERT_EQ(manifold.num_points, 1);
    EXPECT_NEAR(manifold.points[0].gap, 0.0945, 1e-9);
    ASSERT_TRUE(CalcSweptManifold(flying, Still(wall), 0.002, manifold));
    EXPECT_NEAR(manifold.points[0].gap, 0.0945, 1e-9);
  }
}

// So is what rolls about its own axis; and what tumbles is met in a point of where it then is.
TEST(SweptContact, WhatRollsOrTumblesIsMetWhereItComes) {
  const Shape wall = Box{{0.0005, 1.0, 1.0}};
  const Matrix3d across = Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitX()).toRotationMatrix();
  Manifold manifold;
  for (const Shape& thing : {Shape(Capsule{0.005, 0.01}), Shape(Cylinder{0.005, 0.01})}) {
    for (const double spin : {20.0, 500.0, 2000.0, 20000.0}) {  // rolling
      const ShapeMotion rolling{&thing, {across, {-0.1, 0, 0}}, {100, 0, 0}, spin * Vector3d::UnitY()};
      ASSERT_TRUE(CalcSweptManifold(Still(wall), rolling, 0.002, manifold));
      for (int k = 0; k < manifold.num_points; ++k) EXPECT_NEAR(manifold.points[k].gap, 0.0945, 1e-9);
    }
  }
  const Shape box = Box{{0.004, 0.005, 0.006}};
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const ShapeMotion tumbling =
        Flying(box, {-0.1, 0, 0}, {100, 0, 0}, Uniform(random, 2000.0, 20000.0) * RandomDirection(random));
    ASSERT_TRUE(CalcSweptManifold(Still(wall), tumbling, 0.002, manifold));
    for (int k = 0; k < manifold.num_points; ++k) {
      EXPECT_LT(manifold.points[k].gap, 0.0995 - 0.004 + 5e-4);  // by the shortest arm
      EXPECT_GT(manifold.points[k].gap, 0.0995 - 0.0088);        // and by the longest
    }
  }
}

// A ball on the floor of a tray, at whose wall it rolls, and one that rolls away from it.
TEST(SweptContact, WhatTouchesATrayMeetsItsWallNext) {
  TriangleMesh tray = testing::MakeBoxMesh({0.1, 0.1, 0.01});
  const TriangleMesh wall = testing::MakeBoxMesh({0.001, 0.1, 0.03});
  for (const Vector3d& v : wall.vertices) tray.vertices.push_back(v + Vector3d(0.051, 0, 0.02));
  for (const auto& [a, b, c] : wall.triangles) tray.triangles.push_back({a + 8, b + 8, c + 8});
  const PlacedMesh placed = MakeMesh(tray);
  const Shape mesh = placed.mesh, ball = Sphere{0.001};
  const Vector3d up[] = {Vector3d::UnitZ()};
  const ShapeMotion still = Still(mesh, {Matrix3d::Identity(), placed.p_MG});
  Manifold manifold;
  for (const double way : {0.03, 0.06, 0.1, 0.2}) {
    const Vector3d p(0.0, 0.0, 0.011);
    const bool reaches = way > 0.05;
    ASSERT_EQ(CalcNextManifold(still, Flying(ball, p, {way, 0, 0}), 1.0, up, manifold), reaches) << way;
    EXPECT_FALSE(CalcNextManifold(still, Flying(ball, p, {-0.09, 0, 0}), 1.0, up, manifold));
    if (!reaches) continue;
    ASSERT_TRUE(CalcNextManifold(still, Flying(ball, p, {way, 0, 0}), 1.0, up, manifold));
    ASSERT_GE(manifold.num_points, 1);
    EXPECT_NEAR(manifold.points[0].n_W.x(), -1.0, 1e-9);
    EXPECT_NEAR(manifold.points[0].gap, 0.049, 1e-9);
  }
}

TEST(SweptContact, GrazingPassesAreFree) {
  Random random(2);
  const Shape wall = Box{{0.05, 1.0, 1.0}}, ball = Sphere{0.005};
  Manifold manifold;
  for (int trial = 0; trial < 2000; ++trial) {
    // Past the edge at y = 1, by 0.2 mm or into it.
    const Vector3d d = Vector3d(1.0, Uniform(random, -0.02, 0.02), 0.0).normalized();
    const bool hits = trial % 2 == 0;
    const double height = 1.005 + (hits ? -4e-4 : 4e-4);
    // The line that passes the nearer edge at that height.
    const double edge = d.y() > 0.0 ? -0.05 : 0.05;
    const Vector3d p = Vector3d(edge, height, 0.0) - 0.12 * d;
    EXPECT_EQ(CalcSweptManifold(Still(wall), Flying(ball, p, 100.0 * d), 0.004, manifold), hits);
  }
}

// Against many small steps.
TEST(SweptContact, NothingIsPassedThrough) {
  Random random(7);
  const Shape shapes[] = {Sphere{0.02}, Capsule{0.01, 0.03}, Box{{0.03, 0.02, 0.01}}, Cylinder{0.02, 0.02},
                          MakeMesh(testing::MakeTorus(0.04, 0.01, 12, 8)).mesh};
  const Shape walls[] = {Box{{0.001, 0.1, 0.1}}, Capsule{0.005, 0.1},
                         MakeMesh(testing::MakeBoxMesh({0.1, 0.1, 0.001})).mesh};
  int met = 0, passed = 0;
  for (const Shape& shape : shapes) {
    for (const Shape& wall : walls) {
      for (int trial = 0; trial < 60; ++trial) {
        const RigidTransform X_WA{RandomRotation(random), Vector3d::Zero()};
        const Vector3d start = 0.3 * RandomDirection(random), aim = UniformVector(random, 0.12);
        const ShapeMotion a = Still(wall, X_WA),
                          b = Flying(shape, start, (aim - start) / 0.001, 300.0 * RandomDirection(random));
        Manifold manifold;
        const bool meets = CalcSweptManifold(a, b, 0.002, manifold);
        bool overlaps = false;
        for (int k = 0; k <= 4000 && !overlaps; ++k) {
          const Manifold now = Collide(wall, a.X_WG, shape, b.At(0.002 * k / 4000.0), 0.0);
          overlaps = now.num_points > 0;
        }
        EXPECT_TRUE(meets || !overlaps) << ShapeName(shape) << " " << ShapeName(wall);
        ++(meets ? met : passed);
      }
    }
  }
  EXPECT_GT(met, 100);
  EXPECT_GT(passed, 100);
}

// Shapes that move alike, or side by side, are told apart by their spheres; turning does not matter to those.
TEST(SweptContact, WhatFliesSideBySideDoesNotMeet) {
  Random random(11);
  const Shape rod = Capsule{0.01, 0.05}, box = Box{{0.03, 0.02, 0.01}};
  Manifold manifold;
  for (int trial = 0; trial < 500; ++trial) {
    const Vector3d along = RandomDirection(random),
                   across = along.cross(RandomDirection(random)).normalized();
    const Vector3d v = 200.0 * along, w = 1000.0 * RandomDirection(random);
    const ShapeMotion a{&rod, {RandomRotation(random), Vector3d::Zero()}, v, w},
        b{&box, {RandomRotation(random), 0.11 * across}, v, -w};
    // One that overtakes passes at that distance, too; one that comes across meets.
    const ShapeMotion overtakes{&box, {b.X_WG.R, 0.11 * across - 0.1 * along}, 2.0 * v, -w};
    const ShapeMotion comes{&box, {b.X_WG.R, 0.2 * across}, v - 200.0 * across, w};
    EXPECT_FALSE(CalcSweptManifold(a, b, 0.002, manifold)) << trial;
    EXPECT_FALSE(CalcSweptManifold(a, overtakes, 0.001, manifold)) << trial;
    EXPECT_TRUE(CalcSweptManifold(a, comes, 0.002, manifold)) << trial;
  }
}

TEST(SweptContact, AFaceThatArrivesFlatHasItsCorners) {
  const Shape plate = Box{{0.1, 0.1, 0.0005}}, box = Box{{0.02, 0.02, 0.02}};
  Manifold manifold;
  ASSERT_TRUE(CalcSweptManifold(Still(plate), Flying(box, {0, 0, 0.2}, {0, 0, -120}), 0.002, manifold));
  ASSERT_EQ(manifold.num_points, 4);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(manifold.points[k].gap, 0.2 - 0.0205, 1e-12);
}

}  // namespace
}  // namespace stiction::test

// Cylinders against capsules, cylinders, boxes and hulls; ellipsoids against all.
#include "stiction/geometry/distance.h"
#include "tests/collision/narrowphase_checks.h"

namespace stiction::test {
namespace {

RigidTransform Shift(double x, double y, double z) {
  return {Matrix3d::Identity(), {x, y, z}};
}
RigidTransform Turn(double angle, const Vector3d& axis, const Vector3d& p) {
  return {QuaternionExp(angle * axis).toRotationMatrix(), p};
}
Hull MakeBlock(const Vector3d& half) {
  std::vector<Vector3d> points;
  for (int k = 0; k < 8; ++k)
    points.push_back(half.cwiseProduct(Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return MakeHull(points).hull;
}

const Cylinder kDrum{0.1, 0.15};

// All points lie at the height and have the gap and the normal.
void ExpectLevel(const Manifold& manifold, int count, double gap, const Vector3d& normal, double height) {
  ASSERT_EQ(manifold.num_points, count);
  for (int k = 0; k < count; ++k) {
    EXPECT_NEAR(manifold.points[k].gap, gap, 1e-12);
    EXPECT_LT((manifold.points[k].n_W - normal).norm(), 1e-12);
    EXPECT_NEAR(manifold.points[k].p_W.z(), height, 1e-12);
  }
}

// No point is deeper than the signed distance, and the deepest is as deep, but for what a face may be
// preferred by.
TEST(Cylinder, TheDeepestPointIsTheSignedDistance) {
  Random random(21);
  const std::vector<Shape> others = {Capsule{0.1, 0.3}, Cylinder{0.2, 0.1}, Box{{0.2, 0.1, 0.3}},
                                     MakeBlock({0.1, 0.2, 0.3})};
  for (const Shape& other : others) {
    SCOPED_TRACE(std::string(ShapeName(other)));
    int touching = 0;
    for (int trial = 0; trial < 3000; ++trial) {
      const RigidTransform X_WA = RandomPose(random, 0.3), X_WB = RandomPose(random, 0.3);
      const Distance distance = CalcDistance(kDrum, X_WA, other, X_WB);
      const Manifold manifold = Collide(kDrum, X_WA, other, X_WB, 0.05);
      ASSERT_EQ(manifold.num_points > 0, distance.distance < 0.05);
      if (manifold.num_points == 0 || distance.distance < -0.05) continue;
      ++touching;
      EXPECT_GT(SmallestGap(manifold), distance.distance - 0.06 * std::abs(distance.distance) - 3e-4);
      EXPECT_LT(SmallestGap(manifold), distance.distance + 0.06 * std::abs(distance.distance) + 3e-4);
    }
    EXPECT_GT(touching, 300);
  }
}

TEST(Cylinder, StandsOnFourPointsOfItsRim) {
  const Box table{{1, 1, 0.2}};
  for (const double gap : {0.01, 0.0, -0.01}) {
    const RigidTransform X = Turn(0.3, Vector3d::UnitZ(), {0.2, 0.1, 0.35 + gap});
    ExpectLevel(Collide(table, {}, kDrum, X, 0.05), 4, gap, Vector3d::UnitZ(), 0.2 + 0.5 * gap);
    ExpectLevel(Collide(MakeBlock(table.half_extents), {}, kDrum, X, 0.05), 4, gap, Vector3d::UnitZ(),
                0.2 + 0.5 * gap);
    ExpectLevel(Collide(kDrum, X, table, {}, 0.05), 4, gap, -Vector3d::UnitZ(), 0.2 + 0.5 * gap);
  }
}

// As a body at rest moves, the same points come back.
TEST(Cylinder, KeepsItsPointsUnderSmallMotion) {
  Random random(22);
  const std::vector<std::pair<Shape, RigidTransform>> scenes = {
      {Box{{1, 1, 0.2}}, Shift(0.2, 0.1, 0.35)},                               // on a table
      {Box{{0.05, 0.06, 0.2}}, Shift(0.01, 0.02, 0.35)},                       // on a post
      {Box{{0.5, 0.05, 0.2}}, Shift(0.2, 0.01, 0.35)},                         // on a beam
      {Box{{1, 1, 0.2}}, Turn(M_PI / 2, Vector3d::UnitX(), {0.1, 0.1, 0.3})},  // lying
      {Cylinder{0.2, 0.2}, Shift(0.05, 0.0, 0.35)},                            // on a drum
      {Cylinder{0.1, 0.2}, Shift(0.1, 0.0, 0.35)}};                            // on its edge
  for (const auto& [other, X] : scenes) {
    const Manifold first = Collide(other, {}, kDrum, X, 0.02);
    ASSERT_GE(first.num_points, 2) << ShapeName(other);
    for (int trial = 0; trial < 200; ++trial) {
      const Manifold now =
          Collide(other, {}, kDrum,
                  Displaced(X, 1e-8 * RandomDirection(random), 1e-8 * RandomDirection(random)), 0.02);
      for (int k = 0; k < first.num_points; ++k) {
        const ManifoldPoint* same = FindFeature(now, first.points[k].feature);
        ASSERT_NE(same, nullptr) << ShapeName(other) << " point " << k << " of " << first.num_points;
        EXPECT_LT((same->p_W - first.points[k].p_W).norm(), 1e-6);
      }
    }
  }
}

TEST(Cylinder, OnAPostItStandsOnThePostsCorners) {
  const Box post{{0.05, 0.06, 0.2}};  // within the rim
  const Manifold manifold = Collide(post, {}, kDrum, Shift(0, 0, 0.35), 0.01);
  ExpectLevel(manifold, 4, 0.0, Vector3d::UnitZ(), 0.2);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(std::abs(manifold.points[k].p_W.x()), 0.05, 1e-12);
    EXPECT_NEAR(std::abs(manifold.points[k].p_W.y()), 0.06, 1e-12);
  }
}

// Half over the edge: the rim's points on the table, and where the rim crosses its edge.
TEST(Cylinder, OverAnEdgeTheRimIsCutThere) {
  const Manifold manifold = Collide(Box{{1, 1, 0.2}}, {}, kDrum, Shift(1.0, 0.0, 0.35), 0.01);
  ExpectLevel(manifold, manifold.num_points, 0.0, Vector3d::UnitZ(), 0.2);
  double lowest = 1.0, highest = -1.0;
  for (int k = 0; k < manifold.num_points; ++k) {
    EXPECT_LT(manifold.points[k].p_W.x(), 1.0 + 1e-9);
    if (manifold.points[k].p_W.x() < 1.0 - 1e-9) continue;
    lowest = std::min(lowest, manifold.points[k].p_W.y());
    highest = std::max(highest, manifold.points[k].p_W.y());
  }
  EXPECT_NEAR(lowest, -0.1, 1e-9);
  EXPECT_NEAR(highest, 0.1, 1e-9);
}

TEST(Cylinder, LiesOnTheEndsOfItsSide) {
  const RigidTransform X = Turn(M_PI / 2, Vector3d::UnitX(), {0.2, 0.1, 0.3});
  const Manifold manifold = Collide(Box{{1, 1, 0.2}}, {}, kDrum, X, 0.01);
  ExpectLevel(manifold, 2, 0.0, Vector3d::UnitZ(), 0.2);
  EXPECT_NEAR((manifold.points[0].p_W - manifold.points[1].p_W).norm(), 0.3, 1e-12);
  // On a narrow beam the beam's sides end the line.
  const Manifold beam =
      Collide(Box{{1, 0.05, 0.2}}, {}, kDrum, Turn(M_PI / 2, Vector3d::UnitX(), {0, 0, 0.3}), 0.01);
  ExpectLevel(beam, 2, 0.0, Vector3d::UnitZ(), 0.2);
  EXPECT_NEAR((beam.points[0].p_W - beam.points[1].p_W).norm(), 0.1, 1e-9);
}

TEST(Cylinder, StandsOnAnother) {
  // The smaller one's rim within the larger cap.
  ExpectLevel(Collide(Cylinder{0.3, 0.2}, {}, kDrum, Shift(0.1, 0, 0.35), 0.01), 4, 0.0, Vector3d::UnitZ(),
              0.2);
  // Equal ones, turned: the points of both.
  const Manifold turned = Collide(kDrum, {}, kDrum, Turn(M_PI / 4, Vector3d::UnitZ(), {0, 0, 0.3}), 0.01);
  ExpectLevel(turned, 8, 0.0, Vector3d::UnitZ(), 0.15);
  // Shifted: where the rims cross, and what lies within both.
  const Manifold shifted = Collide(kDrum, {}, kDrum, Shift(0.1, 0, 0.3), 0.01);
  ExpectLevel(shifted, shifted.num_points, 0.0, Vector3d::UnitZ(), 0.15);
  double widest = 0.0;
  for (int k = 0; k < shifted.num_points; ++k) widest = std::max(widest, std::abs(shifted.points[k].p_W.y()));
  EXPECT_NEAR(widest, 0.1 * std::sqrt(0.75), 1e-12);
}

TEST(Cylinder, SidesAlongOneAnotherTouchOnALine) {
  const RigidTransform lying = Turn(M_PI / 2, Vector3d::UnitY(), {0, 0, 0});
  const Manifold two =
      Collide(kDrum, lying, Cylinder{0.05, 0.4}, Turn(M_PI / 2, Vector3d::UnitY(), {0.3, 0, 0.15}), 0.01);
  ExpectLevel(two, 2, 0.0, Vector3d::UnitZ(), 0.1);
  EXPECT_NEAR((two.points[0].p_W - two.points[1].p_W).norm(), 0.25, 1e-9);  // from -0.1 to 0.15
  const Manifold capsule =
      Collide(kDrum, lying, Capsule{0.05, 0.4}, Turn(M_PI / 2, Vector3d::UnitY(), {0, 0, 0.15}), 0.01);
  ExpectLevel(capsule, 2, 0.0, Vector3d::UnitZ(), 0.1);
  // Across one another they touch at a point.
  ExpectLevel(Collide(kDrum, lying, kDrum, Turn(M_PI / 2, Vector3d::UnitX(), {0, 0, 0.2}), 0.01), 1, 0.0,
              Vector3d::UnitZ(), 0.1);
  // Along a box's edge, turned by 45 degrees.
  const Box edge{{0.1, 0.1, 0.5}};
  const RigidTransform X_edge{QuaternionExp(M_PI / 4 * Vector3d::UnitX()).toRotationMatrix() *
                                  QuaternionExp(M_PI / 2 * Vector3d::UnitY()).toRotationMatrix(),
                              {0, 0, -0.1 * std::sqrt(2.0)}};
  const Manifold on_edge = Collide(edge, X_edge, kDrum, Turn(M_PI / 2, Vector3d::UnitY(), {0, 0, 0.1}), 0.01);
  ExpectLevel(on_edge, 2, 0.0, Vector3d::UnitZ(), 0.0);
}

TEST(Cylinder, ACapsuleLiesOnItsCap) {
  const Manifold manifold = Collide(Cylinder{0.3, 0.2}, {}, Capsule{0.05, 0.1},
                                    Turn(M_PI / 2, Vector3d::UnitX(), {0, 0, 0.25}), 0.01);
  ExpectLevel(manifold, 2, 0.0, Vector3d::UnitZ(), 0.2);
  EXPECT_NEAR((manifold.points[0].p_W - manifold.points[1].p_W).norm(), 0.2, 1e-12);
  // Longer than the cap is wide: the cap's rim ends the line.
  const Manifold longer = Collide(Cylinder{0.3, 0.2}, {}, Capsule{0.05, 0.5},
                                  Turn(M_PI / 2, Vector3d::UnitX(), {0, 0, 0.25}), 0.01);
  ExpectLevel(longer, 2, 0.0, Vector3d::UnitZ(), 0.2);
  EXPECT_NEAR((longer.points[0].p_W - longer.points[1].p_W).norm(), 0.6, 1e-9);
}

// Closed forms: along an axis, and a face whose support point is known.
TEST(Ellipsoid, TouchesAtItsSupportPoint) {
  Random random(23);
  const Ellipsoid egg{{0.1, 0.2, 0.3}};
  const Box table{{5, 5, 0.2}};
  for (int trial = 0; trial < 500; ++trial) {
    const Matrix3d R = RandomRotation(random);
    const Vector3d n_E = R.transpose() * Vector3d::UnitZ();
    const double reach = egg.radii.cwiseProduct(n_E).norm();
    const double gap = Uniform(random, -0.01, 0.03);
    const RigidTransform X{R, {0.3, -0.2, 0.2 + reach + gap}};
    const Manifold manifold = Collide(table, {}, egg, X, 0.05);
    ExpectLevel(manifold, 1, gap, Vector3d::UnitZ(), 0.2 + 0.5 * gap);
    const Vector3d lowest = X * Vector3d(-egg.radii.cwiseProduct(egg.radii).cwiseProduct(n_E) / reach);
    EXPECT_LT((manifold.points[0].p_W.head<2>() - lowest.head<2>()).norm(), 1e-9);
  }
}

TEST(Ellipsoid, OfEqualRadiiIsASphere) {
  Random random(24);
  const Ellipsoid ball{{0.2, 0.2, 0.2}};
  for (const Shape& other : std::vector<Shape>{Sphere{0.1}, Capsule{0.1, 0.3}, Cylinder{0.2, 0.1},
                                               Box{{0.2, 0.1, 0.3}}, MakeBlock({0.1, 0.2, 0.3})}) {
    for (int trial = 0; trial < 500; ++trial) {
      const RigidTransform X_WA = RandomPose(random, 0.3), X_WB = RandomPose(random, 0.3);
      const Manifold one = Collide(ball, X_WA, other, X_WB, 0.1),
                     two = Collide(Sphere{0.2}, X_WA, other, X_WB, 0.1);
      ASSERT_EQ(one.num_points, two.num_points);
      if (one.num_points == 0 || two.points[0].gap < -0.05) continue;
      EXPECT_NEAR(one.points[0].gap, two.points[0].gap, 1e-9) << ShapeName(other);
      EXPECT_LT((one.points[0].n_W - two.points[0].n_W).norm(), 1e-6) << ShapeName(other);
    }
  }
}

}  // namespace
}  // namespace stiction::test

#include <set>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/distance.h"
#include "tests/collision/narrowphase_checks.h"
#include "tests/support/poses.h"

namespace stiction::test {
namespace {

using stiction::testing::At;

Matrix3d TurnAboutZ(double angle) {
  return QuaternionExp(angle * Vector3d::UnitZ()).toRotationMatrix();
}

Hull MakeHullOfBox(const Box& box) {
  std::vector<Vector3d> points;
  for (int k = 0; k < 8; ++k) {
    points.push_back(box.half_extents.cwiseProduct(Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  }
  return MakeHull(points).hull;
}

// A ball as a CAD program would cut it up.
Hull MakeFineBall(int rings, double radius) {
  std::vector<Vector3d> points;
  for (int i = 0; i <= rings; ++i) {
    const double polar = M_PI * i / rings;
    const int count = std::max(1, static_cast<int>(2 * rings * std::sin(polar)));
    for (int k = 0; k < count; ++k) {
      const double turn = 2.0 * M_PI * (k + 0.5 * (i % 2)) / count;
      points.push_back(radius * Vector3d(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn),
                                         std::cos(polar)));
    }
  }
  return MakeHull(points).hull;
}

std::set<std::uint32_t> HullFeatures(const Manifold& manifold) {
  std::set<std::uint32_t> features;
  for (int k = 0; k < manifold.num_points; ++k) features.insert(manifold.points[k].feature);
  return features;
}

void ExpectCovered(const Manifold& manifold, const Vector3d& place, double reach) {
  double nearest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.num_points; ++k) {
    nearest = std::min(nearest, (manifold.points[k].p_W - place).norm());
  }
  EXPECT_LT(nearest, reach);
}

double CalcExcess(const Hull& hull, const Vector3d& p) {
  double excess = -std::numeric_limits<double>::infinity();
  for (const auto& face : hull.polytope->faces) excess = std::max(excess, face.normal.dot(p) - face.offset);
  return excess;
}

// ---- Boxes as hulls.

struct BoxPair {
  Box a, b;
  RigidTransform X_WA, X_WB;
};

Box RandomBoxShape(Random& random) {
  return {{Uniform(random, 0.05, 0.5), Uniform(random, 0.05, 0.5), Uniform(random, 0.05, 0.5)}};
}

// Moves B along the direction between the nearest points until the signed distance is `gap`.
void SetGap(const Shape& a, const RigidTransform& X_WA, const Shape& b, double gap, RigidTransform& X_WB) {
  for (int k = 0; k < 40; ++k) {
    const Distance d = CalcDistance(a, X_WA, b, X_WB);
    X_WB.p += (gap - d.distance) * d.n_W;
  }
}

// How many points of `one` have no equal (place, normal and gap) in `two`.
int CountMissing(const Manifold& one, const Manifold& two) {
  int missing = 0;
  for (int i = 0; i < one.num_points; ++i) {
    const auto equals = [&](const ManifoldPoint& other) {
      const ManifoldPoint& point = one.points[i];
      return (other.p_W - point.p_W).norm() + (other.n_W - point.n_W).norm() +
                 std::abs(other.gap - point.gap) <
             1e-7;
    };
    missing += std::none_of(two.points.begin(), two.points.begin() + two.num_points, equals);
  }
  return missing;
}

// Box–hull in every other trial, hull–hull in the others.
Manifold CollideAsHulls(const BoxPair& pair, int trial, double margin) {
  const Shape a = trial % 2 == 0 ? Shape(pair.a) : Shape(MakeHullOfBox(pair.a));
  return Collide(a, pair.X_WA, MakeHullOfBox(pair.b), pair.X_WB, margin);
}

TEST(Hull, BoxesAtRestHaveTheManifoldOfBoxes) {
  Random random(1);
  for (int trial = 0; trial < 3000; ++trial) {
    BoxPair pair{RandomBoxShape(random), RandomBoxShape(random), RandomPose(random, 0.1), {}};
    const RigidTransform X_AB{TurnAboutZ(trial % 3 == 0 ? 0.0 : Uniform(random, -3, 3)),
                              {Uniform(random, -0.1, 0.1), Uniform(random, -0.1, 0.1),
                               pair.a.half_extents.z() + pair.b.half_extents.z()}};
    pair.X_WB = Displaced(pair.X_WA * X_AB, 1e-6 * UniformVector(random, 1), 1e-6 * UniformVector(random, 1));
    const Manifold boxes = Collide(pair.a, pair.X_WA, pair.b, pair.X_WB, 0.02);
    const Manifold hulls = CollideAsHulls(pair, trial, 0.02);
    ASSERT_EQ(hulls.num_points, boxes.num_points) << trial;
    ASSERT_EQ(CountMissing(boxes, hulls), 0) << trial;
  }
}

TEST(Hull, TiltedAndRandomBoxesHaveTheManifoldOfBoxes) {
  Random random(2);
  int equal = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    BoxPair pair{RandomBoxShape(random), RandomBoxShape(random), RandomPose(random, 0.1), {}};
    const Matrix3d tilt = QuaternionExp(0.1 * UniformVector(random, 1)).toRotationMatrix();
    pair.X_WB.R = trial % 2 == 0 ? RandomRotation(random) : Matrix3d(pair.X_WA.R * tilt);
    pair.X_WB.p = pair.X_WA.p + RandomDirection(random);
    const double gap = Uniform(random, -0.02, 0.02);
    SetGap(pair.a, pair.X_WA, pair.b, gap, pair.X_WB);
    const Manifold boxes = Collide(pair.a, pair.X_WA, pair.b, pair.X_WB, 0.02);
    const Manifold hulls = CollideAsHulls(pair, trial / 2, 0.02);
    const int missing = CountMissing(boxes, hulls), extra = CountMissing(hulls, boxes);
    equal += missing == 0 && extra == 0;
    if (gap <= 0.0) {
      // Overlapping, the rules are the same word for word.
      ASSERT_EQ(missing + extra, 0) << trial;
    } else {
      // Apart, box–box compares with the best of its fifteen axes, which at a corner is less than the
      // distance, and adds a nearest point that the face's points already cover.
      // An edge at the limit of what counts as parallel gives one end of its line instead of two.
      ASSERT_LE(missing + extra, 4) << trial;
      ASSERT_LT(SmallestGap(hulls), 1.05 * gap + 1e-3 * 1.0) << trial;
    }
  }
  EXPECT_GT(equal, 5900);  // 5968
}

// ---- Rest.

TEST(Hull, PerturbedCubesKeepTheirFourCornersAndNames) {
  Random random(3);
  const Box box{{0.1, 0.1, 0.1}};
  const Hull cube = MakeHullOfBox(box);
  for (const Shape& lower : {Shape(cube), Shape(box)}) {
    const std::set<std::uint32_t> still = HullFeatures(Collide(lower, {}, cube, At(0, 0, 0.2), 0.01));
    ASSERT_EQ(still.size(), 4u);
    for (const double noise : {1e-16, 1e-13, 1e-11, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5}) {
      for (int trial = 0; trial < 1000; ++trial) {
        const RigidTransform X_WA =
            Displaced({}, noise * UniformVector(random, 1), noise * UniformVector(random, 1));
        const RigidTransform X_WB =
            Displaced(At(0, 0, 0.2), noise * UniformVector(random, 1), noise * UniformVector(random, 1));
        const Manifold manifold = Collide(lower, X_WA, cube, X_WB, 0.01);
        ASSERT_EQ(HullFeatures(manifold), still) << noise;
        for (const double x : {-0.1, 0.1}) {
          for (const double y : {-0.1, 0.1}) ExpectCovered(manifold, {x, y, 0.1}, 1e-15 + 5 * noise);
        }
        for (int k = 0; k < 4; ++k) ASSERT_LT(std::abs(manifold.points[k].gap), 5 * noise + 1e-15);
      }
    }
  }
}

TEST(Hull, PrismOfManySidesKeepsEightSpreadPoints) {
  Random random(4);
  const Hull prism = MakePrism(32, 0.1, 0.05);
  const Box plate{{0.5, 0.5, 0.1}};
  for (const Shape& floor : {Shape(Plane{}), Shape(plate), Shape(MakeHullOfBox(plate))}) {
    const double top = std::holds_alternative<Plane>(floor) ? 0.0 : 0.1;
    const std::set<std::uint32_t> still =
        HullFeatures(Collide(floor, {}, prism, At(0, 0, top + 0.05), 0.005));
    ASSERT_EQ(still.size(), 8u);
    for (int trial = 0; trial < 300; ++trial) {
      const RigidTransform X_WB =
          Displaced(At(0, 0, top + 0.05), 1e-9 * UniformVector(random, 1), 1e-9 * UniformVector(random, 1));
      const Manifold manifold = Collide(floor, {}, prism, X_WB, 0.005);
      ASSERT_EQ(HullFeatures(manifold), still);
      // Spread: no gap wider than a sixth of the circle.
      for (int k = 0; k < 12; ++k) {
        const double angle = 2.0 * M_PI * k / 12;
        ExpectCovered(manifold, {0.1 * std::cos(angle), 0.1 * std::sin(angle), top}, 0.1 * 2.0 * M_PI / 10);
      }
    }
    // Tilted, the deepest vertex is there.
    for (int trial = 0; trial < 300; ++trial) {
      RigidTransform X_WB = Displaced(At(0, 0, 0), 0.05 * UniformVector(random, 1), {0, 0, 1.0});
      SetGap(floor, {}, prism, -1e-4, X_WB);
      const Manifold manifold = Collide(floor, {}, prism, X_WB, 0.005);
      ASSERT_NEAR(SmallestGap(manifold), CalcDistance(floor, {}, prism, X_WB).distance, 1e-3 * 0.1) << trial;
    }
  }
}

TEST(Hull, FineBallStandsOnTheVerticesAroundItsLowest) {
  const Hull ball = MakeFineBall(16, 0.1);
  ASSERT_GT(ball.polytope->vertices.size(), 300u);
  const Box plate{{0.5, 0.5, 0.1}};
  Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    RigidTransform X_WB{RandomRotation(random), {0, 0, 0.25}};
    SetGap(plate, {}, ball, 1e-6, X_WB);
    const Manifold manifold = Collide(plate, {}, ball, X_WB, 0.002);
    ASSERT_GE(manifold.num_points, 1);
    EXPECT_NEAR(SmallestGap(manifold), 1e-6, 1e-9);
    for (int k = 0; k < manifold.num_points; ++k) {
      const ManifoldPoint& point = manifold.points[k];
      const Vector3d on_ball = X_WB.Inverse() * Vector3d(point.p_W + 0.5 * point.gap * point.n_W);
      EXPECT_NEAR(CalcExcess(ball, on_ball), 0.0, 1e-9);
    }
  }
}

// ---- Distances.

// No pair of surfaces is nearer than the manifold says, and the nearest is in it.
TEST(Hull, SmallestGapIsTheSignedDistanceWithinTheFacePreference) {
  Random random(6);
  for (int trial = 0; trial < 2000; ++trial) {
    const Hull a = MakeRandomHull(random, 6 + trial % 40, {0.2, 0.3, 0.15});
    const Hull b = MakeRandomHull(random, 30, {0.3, 0.1, 0.2});
    const double size = std::min(a.polytope->thickness, b.polytope->thickness);
    const RigidTransform X_WA = RandomPose(random, 0.1);
    RigidTransform X_WB{RandomRotation(random), X_WA.p + RandomDirection(random)};
    SetGap(a, X_WA, b, Uniform(random, -0.01, 0.015), X_WB);
    const double d = CalcDistance(a, X_WA, b, X_WB).distance;
    const Manifold manifold = Collide(a, X_WA, b, X_WB, 0.02);
    ASSERT_GT(manifold.num_points, 0) << trial;
    ExpectFinite(manifold);
    const double smallest = SmallestGap(manifold);
    if (d > 0.0) {
      EXPECT_GT(smallest, d - 3e-5 * size - 1e-9);
      EXPECT_LT(smallest, 1.05 * d + 1e-3 * size + 1e-9);
    } else {
      EXPECT_LE(smallest, 0.8 * d + 5e-3 * size + 1e-9);
      EXPECT_GE(smallest, 1.08 * d - 2.2e-3 * size);
    }
  }
}

TEST(Hull, SphereGapIsTheSignedDistance) {
  Random random(7);
  const Hull hull = MakeRandomHull(random, 20, {0.2, 0.3, 0.15});
  for (int trial = 0; trial < 1000; ++trial) {
    const RigidTransform X_WA = RandomPose(random, 0.3), X_WB = RandomPose(random, 0.1);
    const Manifold manifold = Collide(Sphere{0.1}, X_WA, hull, X_WB, 10.0);
    ASSERT_EQ(manifold.num_points, 1);
    const ManifoldPoint& point = manifold.points[0];
    EXPECT_NEAR(point.gap, CalcSlab(Sphere{0.1}, X_WA, hull, X_WB, point.n_W), 1e-9);
    const double excess = CalcExcess(hull, X_WB.Inverse() * X_WA.p);
    // Inside, the least translation is out of the nearest face.
    if (excess < 0.0) {
      EXPECT_NEAR(point.gap, excess - 0.1, 1e-12);
    }
  }
}

TEST(Hull, CapsuleAgreesWithCapsuleBox) {
  Random random(8);
  int equal = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Box box = RandomBoxShape(random);
    const Hull hull = MakeHullOfBox(box);
    const Capsule capsule{0.05, Uniform(random, 0.05, 0.3)};
    RigidTransform X_WA{RandomRotation(random), RandomDirection(random)};
    const RigidTransform X_WB = RandomPose(random, 0.1);
    if (trial % 2 == 0) {  // nearly along a face
      X_WA.R = X_WB.R * QuaternionExp(0.03 * UniformVector(random, 1)).toRotationMatrix();
    }
    RigidTransform X_moved = X_WB;
    SetGap(capsule, X_WA, box, trial % 3 == 0 ? 0.0 : Uniform(random, -0.04, 0.02), X_moved);
    const Manifold boxes = Collide(capsule, X_WA, box, X_moved, 0.02);
    const Manifold hulls = Collide(capsule, X_WA, hull, X_moved, 0.02);
    equal += CountMissing(boxes, hulls) == 0 && CountMissing(hulls, boxes) == 0;
    EXPECT_NEAR(SmallestGap(hulls), SmallestGap(boxes), 1e-9) << trial;
  }
  EXPECT_GT(equal, 2950);  // the others differ in the end of a line at the limit of what counts as parallel
}

TEST(Hull, VerticesBelowTheMarginTouchAPlane) {
  const Hull cube = MakeHullOfBox(Box{{0.1, 0.1, 0.1}});
  const Manifold manifold = Collide(Plane{}, {}, cube, At(0, 0, 0.101), 0.005);
  ASSERT_EQ(manifold.num_points, 4);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(manifold.points[k].gap, 0.001, 1e-15);
    const Vector3d& vertex = cube.polytope->vertices[manifold.points[k].feature];
    EXPECT_LT((manifold.points[k].p_W - (vertex + Vector3d(0, 0, 0.1005))).norm(), 1e-15);
  }
  EXPECT_EQ(Collide(Plane{}, {}, cube, At(0, 0, 0.106), 0.005).num_points, 0);
}

TEST(Hull, FaceOfHundredsOfVerticesIsThinnedOut) {
  const Hull coin = MakePrism(400, 0.1, 0.02);
  for (const Shape& floor : {Shape(Plane{}), Shape(Box{{0.5, 0.5, 0.1}})}) {
    const double top = std::holds_alternative<Plane>(floor) ? 0.0 : 0.1;
    const Manifold manifold = Collide(floor, {}, coin, At(0, 0, top + 0.02), 0.001);
    ASSERT_EQ(manifold.num_points, 8);
    for (int k = 0; k < 12; ++k) {
      const double angle = 2.0 * M_PI * k / 12;
      ExpectCovered(manifold, {0.1 * std::cos(angle), 0.1 * std::sin(angle), top}, 0.1 * 2.0 * M_PI / 8);
    }
  }
}

}  // namespace
}  // namespace stiction::test

#include <set>

#include "tests/collision/narrowphase_checks.h"
#include "tests/support/poses.h"

namespace stiction::test {
namespace {

using stiction::testing::At;

Matrix3d AboutZ(double angle) {
  return QuaternionExp(angle * Vector3d::UnitZ()).toRotationMatrix();
}

std::set<std::uint32_t> Features(const Manifold& manifold) {
  std::set<std::uint32_t> features;
  for (int k = 0; k < manifold.num_points; ++k) features.insert(manifold.points[k].feature);
  return features;
}

// Every given place has a contact point within `reach`.
void ExpectCovered(const Manifold& manifold, const std::vector<Vector3d>& places, double reach) {
  for (const Vector3d& place : places) {
    double nearest = std::numeric_limits<double>::infinity();
    for (int k = 0; k < manifold.num_points; ++k) {
      nearest = std::min(nearest, (manifold.points[k].p_W - place).norm());
    }
    EXPECT_LT(nearest, reach);
  }
}

double CalcDistanceToBox(const Vector3d& p_W, const Box& box, const RigidTransform& X_WB) {
  const Vector3d p_B = X_WB.Inverse() * p_W, &h = box.half_extents;
  return (p_B - p_B.cwiseMax(-h).cwiseMin(h)).norm();
}

// Distance of separated boxes from first principles: an end of the nearest pair lies on an edge of one of
// them, and the distance to a box is convex along an edge (golden section).
double CalcEdgewiseDistance(const Box& a, const RigidTransform& X_WA, const Box& b,
                            const RigidTransform& X_WB) {
  double nearest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    for (const double u : {-1.0, 1.0}) {
      for (const double v : {-1.0, 1.0}) {
        const auto distance = [&](double s) {
          Vector3d p_A;
          p_A[axis] = s, p_A[(axis + 1) % 3] = u, p_A[(axis + 2) % 3] = v;
          return CalcDistanceToBox(X_WA * p_A.cwiseProduct(a.half_extents), b, X_WB);
        };
        double lo = -1.0, hi = 1.0;
        for (int k = 0; k < 60; ++k) {
          const double third = 0.382 * (hi - lo);
          (distance(lo + third) < distance(hi - third) ? hi : lo) =
              distance(lo + third) < distance(hi - third) ? hi - third : lo + third;
        }
        nearest = std::min(nearest, distance(0.5 * (lo + hi)));
      }
    }
  }
  return nearest;
}

// Least translation, from the fifteen directions in world axes.
double CalcWidestSlab(const Box& a, const RigidTransform& X_WA, const Box& b, const RigidTransform& X_WB) {
  double widest = -std::numeric_limits<double>::infinity();
  const auto offer = [&](const Vector3d& n) {
    if (n.norm() < 1e-6) return;
    widest = std::max(
        {widest, CalcSlab(a, X_WA, b, X_WB, n.normalized()), CalcSlab(a, X_WA, b, X_WB, -n.normalized())});
  };
  for (int i = 0; i < 3; ++i) {
    offer(X_WA.R.col(i)), offer(X_WB.R.col(i));
    for (int j = 0; j < 3; ++j) offer(X_WA.R.col(i).cross(X_WB.R.col(j)));
  }
  return widest;
}

struct RandomBoxes {
  Box a, b;
  RigidTransform X_WA, X_WB;
  double size() const { return 2.0 * std::min(a.half_extents.minCoeff(), b.half_extents.minCoeff()); }
};

// Boxes whose widest slab is `slab`; every other pair is aligned within 0.1 rad.
RandomBoxes MakeBoxes(Random& random, bool aligned, double slab) {
  const auto box = [&] {
    return Box{{Uniform(random, 0.05, 0.5), Uniform(random, 0.05, 0.5), Uniform(random, 0.05, 0.5)}};
  };
  RandomBoxes out{box(), box(), RandomPose(random, 0.1), {}};
  out.X_WB.R = aligned ? out.X_WA.R * QuaternionExp(0.1 * UniformVector(random, 1)).toRotationMatrix()
                       : RandomRotation(random);
  const Vector3d direction = RandomDirection(random);
  double lo = 0.0, hi = 3.0;
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (lo + hi);
    out.X_WB.p = out.X_WA.p + middle * direction;
    (CalcWidestSlab(out.a, out.X_WA, out.b, out.X_WB) < slab ? lo : hi) = middle;
  }
  return out;
}

// ---- Faces.

TEST(BoxBox, StackedCubesTouchAtTheirFourCorners) {
  const Box cube{{0.1, 0.1, 0.1}};
  const Manifold manifold = Collide(cube, {}, cube, At(0, 0, 0.201), 0.005);
  ASSERT_EQ(manifold.num_points, 4);
  ExpectCovered(manifold,
                {{0.1, 0.1, 0.1005}, {-0.1, 0.1, 0.1005}, {0.1, -0.1, 0.1005}, {-0.1, -0.1, 0.1005}}, 1e-15);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(manifold.points[k].gap, 0.001, 1e-15);
    EXPECT_EQ(manifold.points[k].n_W, Vector3d::UnitZ());
  }
}

TEST(BoxBox, OffsetCubesTouchAtTheCornersOfTheOverlap) {
  const Box cube{{0.1, 0.1, 0.1}};
  const Manifold manifold = Collide(cube, {}, cube, At(0.002, 0, 0.201), 0.005);
  ASSERT_EQ(manifold.num_points, 4);
  ExpectCovered(manifold,
                {{0.1, 0.1, 0.1005}, {-0.098, 0.1, 0.1005}, {0.1, -0.1, 0.1005}, {-0.098, -0.1, 0.1005}},
                1e-15);
  EXPECT_EQ(Collide(cube, {}, cube, At(0.03, -0.02, 0.2), 0.005).num_points, 4);
}

TEST(BoxBox, TurnedCubesTouchAtAnOctagon) {
  const Box cube{{0.1, 0.1, 0.1}};
  for (const double angle : {0.1, 0.3, 0.25 * M_PI}) {
    const Manifold manifold = Collide(cube, {}, cube, {AboutZ(angle), {0, 0, 0.2}}, 0.005);
    ASSERT_EQ(manifold.num_points, 8);
    for (int k = 0; k < 8; ++k) {
      const Vector3d& p = manifold.points[k].p_W;
      EXPECT_NEAR(p.head<2>().cwiseAbs().maxCoeff(), 0.1, 1e-15);
    }
    EXPECT_EQ(Features(manifold).size(), 8u);
  }
}

TEST(BoxBox, SmallBoxOnAPlateTouchesAtItsOwnVertices) {
  const Box plate{{1, 1, 0.05}}, cube{{0.1, 0.1, 0.1}};
  for (const double angle : {0.0, 0.4}) {
    const Manifold above = Collide(plate, {}, cube, {AboutZ(angle), {0.3, 0.2, 0.15}}, 0.005);
    EXPECT_EQ(above.num_points, 4);
    const Manifold below = Collide(cube, {AboutZ(angle), {0.3, 0.2, -0.15}}, plate, {}, 0.005);
    EXPECT_EQ(below.num_points, 4);
  }
}

// The flagship scene: equal boxes, at rest on one another but for round-off, drift and noise.
TEST(BoxBox, PerturbedStackKeepsFourPointsThatCoverTheOverlap) {
  Random random(1);
  for (const Vector3d& h : {Vector3d(0.5, 0.5, 0.5), Vector3d(0.1, 0.1, 0.1), Vector3d(0.2, 0.1, 0.05)}) {
    const Box box{h};
    const std::set<std::uint32_t> still = Features(Collide(box, {}, box, At(0, 0, 2 * h.z()), 0.01));
    ASSERT_EQ(still.size(), 4u);
    for (const double noise : {1e-15, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}) {
      for (int trial = 0; trial < 500; ++trial) {
        const RigidTransform X_WA =
            Displaced({}, noise * UniformVector(random, 1), noise * UniformVector(random, 1));
        const RigidTransform X_WB = Displaced(At(0, 0, 2 * h.z()), noise * UniformVector(random, 1),
                                              noise * UniformVector(random, 1));
        const Manifold manifold = Collide(box, X_WA, box, X_WB, 0.01);
        ASSERT_GE(manifold.num_points, 4);
        const double reach = 3e-3 * h.minCoeff() + 5 * noise;
        for (const double x : {-h.x(), h.x()}) {
          for (const double y : {-h.y(), h.y()}) ExpectCovered(manifold, {{x, y, h.z()}}, reach);
        }
        // While the noise is smaller than the clipping tolerance, not even the features change.
        if (noise < 1e-4 * h.minCoeff()) {
          ASSERT_EQ(Features(manifold), still);
        }
        for (int k = 0; k < manifold.num_points; ++k)
          EXPECT_LT(std::abs(manifold.points[k].gap), 5 * noise + 1e-14);
      }
    }
  }
}

// Parallel faces give an area of contact, whatever the turn about their normal; an edge axis would give one
// point.
TEST(BoxBox, NearlyParallelFacesNeverShareASinglePoint) {
  Random random(2);
  for (int trial = 0; trial < 20000; ++trial) {
    const Box a{{Uniform(random, 0.1, 0.5), Uniform(random, 0.1, 0.5), 0.1}};
    const Box b{{Uniform(random, 0.1, 0.5), Uniform(random, 0.1, 0.5), 0.1}};
    const Vector3d tilt = 1e-3 * RandomDirection(random);
    const RigidTransform X_WB = Displaced({AboutZ(Uniform(random, -4, 4)), {0, 0, 0.2}}, tilt,
                                          0.08 * UniformVector(random, 1).cwiseProduct(Vector3d(1, 1, 0)));
    EXPECT_GE(Collide(a, {}, b, X_WB, 0.01).num_points, 4);
  }
}

TEST(BoxBox, NormalAndGapFollowTheReferenceFace) {
  const Box cube{{0.1, 0.1, 0.1}};
  const Manifold manifold =
      Collide(cube, {}, cube, Displaced(At(0, 0, 0.21), {0.05, 0, 0}, Vector3d::Zero()), 0.02);
  ASSERT_EQ(manifold.num_points, 4);
  for (int k = 0; k < 4; ++k) {
    const ManifoldPoint& point = manifold.points[k];
    // The surface points: one on A's face, one on B's.
    EXPECT_NEAR((point.p_W - 0.5 * point.gap * point.n_W).z(), 0.1, 1e-15);
  }
}

// ---- Edges, corners, and boxes that are apart.

TEST(BoxBox, CrossedEdgesTouchAtOnePoint) {
  const Box box{{0.1, 0.1, 0.5}};
  const double diagonal = 0.1 * std::sqrt(2.0);
  const Matrix3d along_x =
      QuaternionExp(0.5 * M_PI * Vector3d::UnitY()).toRotationMatrix() * AboutZ(0.25 * M_PI);
  const Matrix3d along_y =
      QuaternionExp(0.5 * M_PI * Vector3d::UnitX()).toRotationMatrix() * AboutZ(0.25 * M_PI);
  for (const double gap : {-0.002, 0.002}) {
    const Manifold manifold =
        Collide(box, {along_x, {0, 0, 0}}, box, {along_y, {0.01, 0.02, 2 * diagonal + gap}}, 0.01);
    ASSERT_EQ(manifold.num_points, 1);
    EXPECT_NEAR(manifold.points[0].gap, gap, 1e-15);
    EXPECT_NEAR((manifold.points[0].n_W - Vector3d::UnitZ()).norm(), 0.0, 1e-14);
    EXPECT_NEAR((manifold.points[0].p_W - Vector3d(0.01, 0.0, diagonal + 0.5 * gap)).norm(), 0.0, 1e-14);
  }
}

TEST(BoxBox, OverlapIsReportedWithinTheFacePreference) {
  Random random(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const RandomBoxes boxes = MakeBoxes(random, trial % 2, Uniform(random, -0.02, 0.0));
    const double depth = CalcWidestSlab(boxes.a, boxes.X_WA, boxes.b, boxes.X_WB);
    const Manifold manifold = Collide(boxes.a, boxes.X_WA, boxes.b, boxes.X_WB, 0.02);
    ASSERT_GT(manifold.num_points, 0);
    EXPECT_LE(SmallestGap(manifold), 0.95 * depth + 1e-3 * boxes.size() + 1e-12);
  }
}

TEST(BoxBox, GapOfBoxesApartIsNeverBelowAndHardlyAboveTheDistance) {
  Random random(4);
  for (int trial = 0; trial < 5000; ++trial) {
    const RandomBoxes boxes = MakeBoxes(random, trial % 2, Uniform(random, 0.0, 0.03));
    const double distance = std::min(CalcEdgewiseDistance(boxes.a, boxes.X_WA, boxes.b, boxes.X_WB),
                                     CalcEdgewiseDistance(boxes.b, boxes.X_WB, boxes.a, boxes.X_WA));
    const Manifold manifold = Collide(boxes.a, boxes.X_WA, boxes.b, boxes.X_WB, 0.02);
    if (distance >= 0.019) continue;
    ASSERT_GT(manifold.num_points, 0);
    // Points moved back onto a border, along the incident face, may lose 3e-5 of the size.
    EXPECT_GT(SmallestGap(manifold), distance - 3e-5 * boxes.size() - 1e-9);
    EXPECT_LT(SmallestGap(manifold), 1.05 * distance + 1e-3 * boxes.size() + 1e-9);
    // Every point lies between the boxes.
    for (int k = 0; k < manifold.num_points; ++k) {
      const ManifoldPoint& point = manifold.points[k];
      const Vector3d p_on_a = point.p_W - 0.5 * point.gap * point.n_W,
                     p_on_b = point.p_W + 0.5 * point.gap * point.n_W;
      EXPECT_LT(CalcDistanceToBox(p_on_a, boxes.a, boxes.X_WA), 2e-3 * boxes.size());
      EXPECT_LT(CalcDistanceToBox(p_on_b, boxes.b, boxes.X_WB), 2e-3 * boxes.size());
    }
  }
}

// A box that falls past another one has nothing above its top.
TEST(BoxBox, NoPointsBesideAFace) {
  const Box cube{{0.1, 0.1, 0.1}};
  // Beside by 0.1 mm and higher: the nearest edges, along the diagonal between them, and not the top.
  const Manifold manifold = Collide(cube, {}, cube, At(0.2001, 0, 0.2003), 0.005);
  for (int k = 0; k < manifold.num_points; ++k) {
    EXPECT_NEAR((manifold.points[k].n_W - Vector3d(1, 0, 3) / std::sqrt(10.0)).norm(), 0.0, 1e-10);
  }
  EXPECT_EQ(Collide(cube, {}, cube, At(0.204, 0, 0.204), 0.005).num_points, 0);
  EXPECT_EQ(Collide(cube, {}, cube, At(0.203, 0, 0.203), 0.005).num_points, 2);
}

TEST(BoxBox, CornersThatFaceEachOtherGiveOnePoint) {
  const Box cube{{0.1, 0.1, 0.1}};
  const Manifold manifold = Collide(cube, {}, cube, At(0.201, 0.201, 0.201), 0.005);
  ASSERT_EQ(manifold.num_points, 1);
  EXPECT_NEAR(manifold.points[0].gap, 1e-3 * std::sqrt(3.0), 1e-15);
}

TEST(BoxBox, CoincidentBoxesGiveFinitePoints) {
  const Box cube{{0.1, 0.1, 0.1}};
  const Manifold manifold = Collide(cube, {}, cube, {}, 0.0);
  EXPECT_EQ(manifold.num_points, 4);
  ExpectFinite(manifold);
  EXPECT_NEAR(SmallestGap(manifold), -0.2, 1e-15);
}

}  // namespace
}  // namespace stiction::test

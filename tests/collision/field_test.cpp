// Signed distance fields against everything.
#include "collision/narrowphase/field.h"

#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/field_text.h"
#include "tests/collision/narrowphase_checks.h"
#include "tests/support/meshes.h"
#include "tests/support/poses.h"

namespace stiction::test {
namespace {

using stiction::testing::At;

// The ring lies in the plane z = 0; its top is a circle at height 0.03.
const PlacedField& PlacedRing() {
  static const PlacedField placed = MakeField(MakeTorusField(0.1, 0.03));
  return placed;
}
const Field& Ring() {
  return PlacedRing().shape;
}
// Where the shape's frame stands if the ring's own does at X_WF.
RigidTransform RingAt(const RigidTransform& X_WF) {
  return {X_WF.R, X_WF * PlacedRing().p_FG};
}

TEST(FieldContact, ABallTouchesTheRingAtItsNearestPoint) {
  Random random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const RigidTransform X_WA = RandomPose(random, 0.1);
    // A point at a known distance from the ring.
    const double angle = Uniform(random, -M_PI, M_PI), around = Uniform(random, -M_PI, M_PI);
    const double gap = Uniform(random, -2e-3, 5e-3), radius = Uniform(random, 0.01, 0.03);
    const Vector3d out(std::cos(angle) * std::cos(around), std::sin(angle) * std::cos(around),
                       std::sin(around));
    const Vector3d on_circle(0.1 * std::cos(angle), 0.1 * std::sin(angle), 0.0);
    const RigidTransform X_WB{RandomRotation(random),
                              X_WA * Vector3d(on_circle + (0.03 + gap + radius) * out)};
    const Manifold manifold = Collide(Ring(), RingAt(X_WA), Sphere{radius}, X_WB, 0.01);
    ASSERT_GT(manifold.num_points, 0);
    const ManifoldPoint& deepest = Deepest(manifold);
    EXPECT_NEAR(deepest.gap, gap, 1e-9);
    EXPECT_LT((deepest.n_W - X_WA.R * out).norm(), 1.7e-4);  // 0.01 degrees
    EXPECT_LT((deepest.p_W - X_WA * Vector3d(on_circle + (0.03 + 0.5 * gap) * out)).norm(), 1e-5);
  }
}

// Inside of a thin-walled cup a ball touches the wall before it, not the far side of it: that would be a
// contact as deep as the ball and the wall are thick.
TEST(FieldContact, ABallInACupTouchesTheInsideOfItsWall) {
  const PlacedField cup =
      MakeField(ParseDistanceField("profile(0.0015, 0, -0.0285, 0.0255, -0.0285, 0.0255, 0.0285)"), 0.0015);
  Random random(3);
  constexpr double kRadius = 0.005, kInside = 0.024;
  for (int trial = 0; trial < 500; ++trial) {
    const double angle = Uniform(random, -M_PI, M_PI), gap = Uniform(random, -5e-4, 2e-3);
    const double rho = kInside - kRadius - gap;
    const Vector3d p_FS(rho * std::cos(angle), rho * std::sin(angle), Uniform(random, -0.015, 0.02));
    const RigidTransform X_WF = RandomPose(random, 0.1);
    // As far as a ball of 2 m/s is looked after.
    const Manifold manifold =
        Collide(cup.shape, {X_WF.R, X_WF * cup.p_FG}, Sphere{kRadius}, {X_WF.R, X_WF * p_FS}, 0.01);
    ASSERT_GT(manifold.num_points, 0);
    EXPECT_NEAR(Deepest(manifold).gap, gap, 1e-7);
    for (int k = 0; k < manifold.num_points; ++k) {
      const Vector3d inward_F(-std::cos(angle), -std::sin(angle), 0.0);
      EXPECT_GT(manifold.points[k].n_W.dot(X_WF.R * inward_F), -0.7) << manifold.points[k].gap;
    }
  }
}

// A ball that touches the floor and the wall of a cup at once has a contact with each, though the samples are
// further apart than it is large: both lie where the nearer one might be.
TEST(FieldContact, ABallInACornerTouchesBothOfItsWalls) {
  const Vector3d on_wall(0.03, 0.0, -0.03), wall = Vector3d(-0.06, 0.0, 0.02).normalized();
  constexpr double kPadding = 0.003, kFloor = -0.03 + kPadding;
  Random random(4);
  for (const double spacing : {0.0015, 0.003, 0.004}) {
    const PlacedField cup =
        MakeField(ParseDistanceField("profile(0.003, 0, -0.03, 0.03, -0.03, 0.05, 0.03)"), spacing);
    for (const double radius : {0.0015, 0.003, 0.005}) {
      for (int trial = 0; trial < 50; ++trial) {
        const double gap_floor = Uniform(random, -1e-4, 1e-4), gap_wall = Uniform(random, -1e-4, 1e-4);
        const double z = kFloor + radius + gap_floor;
        const double x =
            on_wall.x() + (kPadding + radius + gap_wall - wall.z() * (z - on_wall.z())) / wall.x();
        const Matrix3d R =
            Eigen::AngleAxisd(Uniform(random, -M_PI, M_PI), Vector3d::UnitZ()).toRotationMatrix();
        const Manifold manifold = Collide(cup.shape, {Matrix3d::Identity(), cup.p_FG}, Sphere{radius},
                                          {Matrix3d::Identity(), R * Vector3d(x, 0, z)}, 0.005);
        const auto has = [&](const Vector3d& n, double gap) {
          return std::any_of(manifold.points.begin(), manifold.points.begin() + manifold.num_points,
                             [&](const ManifoldPoint& p) {
                               return (p.n_W - n).norm() < 1e-6 && std::abs(p.gap - gap) < 1e-8;
                             });
        };
        EXPECT_TRUE(has(Vector3d::UnitZ(), gap_floor)) << spacing << " " << radius;
        EXPECT_TRUE(has(R * wall, gap_wall)) << spacing << " " << radius;
      }
    }
  }
}

// However large it is: the mesh of a thin wall shows a ball that is within it the wall's other side, or none.
TEST(FieldContact, WhatIsWithinAWallIsPushedOutOfItTheShortWay) {
  struct Solid {
    const char* text;
    double spacing;
  };
  const Solid solids[] = {{"profile(0.0015, 0, -0.0285, 0.0255, -0.0285, 0.0255, 0.0285)", 0.0015},
                          {"dish(0.03, 0.07, 0.05, 0.004)", 0.002},
                          {"box(0.05, 0.05, 0.005)", 0.002},
                          {"difference(box(0.05, 0.05, 0.016), cylinder(0.0185, 0.03))", 0.002},
                          {"torus(0.1, 0.03)", 0.005}};
  Random random(14);
  for (const Solid& solid : solids) {
    SCOPED_TRACE(solid.text);
    const PlacedField placed = MakeField(ParseDistanceField(solid.text), solid.spacing);
    const double reach = CalcBoundingRadius(placed.shape);
    for (int within = 0; within < 50;) {
      const Vector3d p = UniformVector(random, reach);
      const FieldSample at = placed.shape.solid->field.Evaluate(p);
      if (at.value >= 0.0) continue;
      ++within;
      const bool is_distance =
          std::abs(placed.shape.solid->field.CalcValue(p - at.value * at.gradient)) < 1e-9;
      for (const double radius : {0.0005, 0.005, 0.02}) {
        const RigidTransform X_WB{RandomRotation(random), p};
        const Manifold ball = Collide(placed.shape, {}, Sphere{radius}, X_WB, 0.005);
        const bool is_short = std::any_of(
            ball.points.begin(), ball.points.begin() + ball.num_points, [&](const ManifoldPoint& point) {
              const double depth = -(point.gap + radius);  // of the centre, along the normal
              return depth > -at.value - 1e-6 && depth < -1.1 * at.value + 1e-6;
            });
        EXPECT_TRUE(is_short || (!is_distance && ball.num_points > 0)) << radius << " at depth " << -at.value;
        EXPECT_GT(Collide(placed.shape, {}, Capsule{radius, 0.5 * radius}, X_WB, 0.005).num_points, 0)
            << radius;
      }
    }
  }
}

// As at a box: back where it came from, by the end that has less far to go; and both ends are held before one
// is in.
TEST(FieldContact, ACapsuleMeetsAPlateWithBothEndsAndIsPushedOutOfItByOne) {
  constexpr double kThick = 1.5e-3, kRadius = 4e-3, kHalf = 0.02;
  const PlacedField plate = MakeField(MakeBoxField({0.1, 0.1, kThick}), 1e-3);
  const Capsule capsule{kRadius, kHalf};
  Random random(23);
  int above = 0, through = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const RigidTransform X_WF = RandomPose(random, 0.1);
    RigidTransform X_FS{RandomRotation(random), UniformVector(random, 0.025)};
    const double rise = std::abs(kHalf * X_FS.R(2, 2)), middle = X_FS.p.z();
    const double up = kThick - (middle - rise), down = middle + rise + kThick;  // of the core
    if (std::abs(middle) + rise < kThick) continue;                             // within from end to end
    const Manifold manifold = Collide(plate.shape, {X_WF.R, X_WF * plate.p_FG}, capsule, X_WF * X_FS, 0.06);
    ASSERT_GT(manifold.num_points, 0);
    const ManifoldPoint& deepest = Deepest(manifold);
    const double side = up < down ? 1.0 : -1.0, depth = std::min(up, down);
    EXPECT_NEAR(deepest.gap, -depth - kRadius, 1e-6);
    EXPECT_LT((deepest.n_W - side * X_WF.R.col(2)).norm(), 1e-6) << depth;
    if (depth > 0.0) {
      ++through;
      continue;
    }
    ++above;
    for (const double end : {-kHalf, kHalf}) {
      const double height = side * (middle + end * X_FS.R(2, 2)) - kThick - kRadius;
      EXPECT_TRUE(
          std::any_of(manifold.points.begin(), manifold.points.begin() + manifold.num_points,
                      [&](const ManifoldPoint& point) { return std::abs(point.gap - height) < 1e-6; }))
          << height;
    }
  }
  EXPECT_GT(std::min(above, through), 300);
}

// On top of the ring, a plate of any shape touches along the circle.
TEST(FieldContact, APlateLiesOnTheCircle) {
  const Shape plates[] = {Box{{0.2, 0.2, 0.01}}, Cylinder{0.2, 0.01},
                          MakeHull(testing::MakeBoxMesh({0.2, 0.2, 0.01}).vertices).hull,
                          MakeMesh(testing::MakeBoxMesh({0.2, 0.2, 0.01})).mesh,
                          MakeField(MakeBoxField({0.2, 0.2, 0.01}), 0.01).shape};
  for (const Shape& plate : plates) {
    SCOPED_TRACE(ShapeName(plate));
    for (const double gap : {-1e-6, 1e-6}) {
      const Manifold manifold = Collide(Ring(), RingAt({}), plate, At(0.013, -0.007, 0.04 + gap), 1e-3);
      ASSERT_GE(manifold.num_points, 4);
      double reach[4] = {0, 0, 0, 0};
      for (int k = 0; k < manifold.num_points; ++k) {
        const ManifoldPoint& point = manifold.points[k];
        EXPECT_LT((point.n_W - Vector3d::UnitZ()).norm(), 0.3);
        EXPECT_GT(point.gap, gap - 1e-7);
        const int quadrant = (point.p_W.x() > 0.0) + 2 * (point.p_W.y() > 0.0);
        reach[quadrant] = std::max(reach[quadrant], point.p_W.head<2>().norm());
      }
      // The support surrounds the middle, so that the plate does not tip.
      for (const double r : reach) EXPECT_GT(r, 0.08);
      EXPECT_LT(Deepest(manifold).gap, gap + 5e-5);
    }
  }
}

// Points lie on both surfaces: their distance along the normal is the gap by both fields.
TEST(FieldContact, PointsOfTwoFieldsLieOnBothSurfaces) {
  Random random(5);
  const DistanceField ring_field = MakeTorusField(0.1, 0.03),
                      ball_field = MakeEllipsoidField({0.05, 0.06, 0.08});
  const PlacedField egg = MakeField(ball_field);
  int touching = 0;
  while (touching < 200) {
    const RigidTransform X_WB = RandomPose(random, 0.15);
    const Manifold manifold = Collide(Ring(), RingAt({}), egg.shape, X_WB, 2e-3);
    if (manifold.num_points == 0) continue;
    const ManifoldPoint& deepest = Deepest(manifold);
    if (deepest.gap < -5e-3) continue;
    ++touching;
    for (int k = 0; k < manifold.num_points; ++k) {
      const ManifoldPoint& point = manifold.points[k];
      const Vector3d on_ring = point.p_W - 0.5 * point.gap * point.n_W,
                     on_egg = point.p_W + 0.5 * point.gap * point.n_W;
      // One of the two is exact; the other one to the order of the gap squared over the radius.
      const double miss =
          std::abs(ring_field.CalcValue(on_ring)) + std::abs(ball_field.CalcValue(X_WB.Inverse() * on_egg));
      EXPECT_LT(miss, 1e-6 + 30.0 * point.gap * point.gap);
    }
  }
}

TEST(FieldContact, ADeepestPointIsFoundWhereverItIs) {
  Random random(8);
  // An egg over a hollow: the deepest of dense samples of its surface.
  const DistanceField bowl_field = MakeDishField(0.03, 0.07, 0.05, 0.004);
  const PlacedField bowl = MakeField(bowl_field);
  const PlacedField egg = MakeField(MakeEllipsoidField({0.02, 0.025, 0.03}));
  int touching = 0;
  while (touching < 50) {
    const RigidTransform X_WB{RandomRotation(random),
                              bowl.p_FG + Vector3d(0, 0, 0.01) + UniformVector(random, 0.03)};
    double least = 1.0;
    for (int i = 0; i < 60; ++i) {
      for (int j = 0; j < 120; ++j) {
        const double a = M_PI * (i + 0.5) / 60, b = M_PI * j / 60;
        const Vector3d p =
            Vector3d(0.02, 0.025, 0.03)
                .cwiseProduct(Vector3d(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)));
        least = std::min(least, bowl_field.CalcValue(X_WB * p));
      }
    }
    if (least < -2e-3 || least > 1e-3) continue;
    ++touching;
    RigidTransform X_WA;
    X_WA.p = bowl.p_FG;
    const Manifold manifold = Collide(bowl.shape, X_WA, egg.shape, X_WB, 2e-3);
    ASSERT_GT(manifold.num_points, 0);
    EXPECT_LT(Deepest(manifold).gap, least + 1e-4);
    EXPECT_GT(Deepest(manifold).gap, least - 1e-4);
  }
}

TEST(FieldContact, ANutHasPlayOnItsBolt) {
  const PlacedField bolt = MakeField(MakeThreadField(0.048, 0.005, 0.06), 0.0015),
                    nut = MakeField(MakeNutField(0.048, 0.005, 0.03, 0.075, 1e-4), 0.0015);
  for (const double turn : {0.0, 1.0, 2.5}) {
    const RigidTransform X{QuaternionExp({0, 0, turn}).toRotationMatrix(), {0, 0, 0.005 * turn / (2 * M_PI)}};
    const Manifold manifold = Collide(bolt.shape, At(0, 0, bolt.p_FG.z()), nut.shape, X, 5e-4);
    ASSERT_GT(manifold.num_points, 60);
    int above = 0, below = 0;
    for (int k = 0; k < manifold.num_points; ++k) {
      EXPECT_GT(manifold.points[k].gap, 5e-5);
      above += manifold.points[k].n_W.z() > 0.5;
      below += manifold.points[k].n_W.z() < -0.5;
    }
    // Both flanks hold it.
    EXPECT_GT(above, 10);
    EXPECT_GT(below, 10);
  }
}

// The least of each field over all vertices of the other's surface.
double CalcLeastOfAllVertices(const Field& a, const RigidTransform& X_WA, const Field& b,
                              const RigidTransform& X_WB) {
  double least = std::numeric_limits<double>::infinity();
  const auto look = [&](const Field& field, const RigidTransform& X_WF, const Field& other,
                        const RigidTransform& X_WO) {
    const RigidTransform X_FO = X_WF.Inverse() * X_WO;
    for (const Vector3d& p : other.solid->surface.surface->mesh.vertices)
      least = std::min(least, field.solid->field.CalcValue(X_FO * p));
  };
  look(a, X_WA, b, X_WB);
  look(b, X_WB, a, X_WA);
  return least;
}

// Of two fields the patches are searched by few samples; the deepest is what all vertices together say, and
// no overlap is missed.
TEST(FieldContact, TheDeepestOfTwoFieldsIsThatOfAllTheirVertices) {
  Random random(12);
  const PlacedField bowl = MakeField(MakeDishField(0.03, 0.07, 0.05, 0.004), 0.004),
                    plate = MakeField(MakeDishField(0.07, 0.11, 0.015, 0.004), 0.004),
                    block = MakeField(
                        Subtract(MakeBoxField({0.04, 0.04, 0.02}), MakeCylinderField(0.02, 0.1)), 0.003);
  const PlacedField* fields[] = {&bowl, &plate, &block};
  int touching = 0, overlapping = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Field &a = fields[trial % 3]->shape, &b = fields[trial / 3 % 3]->shape;
    const RigidTransform X_WA = RandomPose(random, 0.07), X_WB = RandomPose(random, 0.07);
    const double deepest = SmallestGap(Collide(a, X_WA, b, X_WB, 2e-3));
    if (trial % 4 != 0 && deepest < -2e-3) continue;  // too deep for depths to be compared
    const double least = CalcLeastOfAllVertices(a, X_WA, b, X_WB);
    if (least < -1e-6) {
      ++overlapping;
      EXPECT_LT(deepest, 0.0) << trial << ": " << least;
    }
    if (std::abs(least) > 1e-3) continue;
    ++touching;
    EXPECT_LT(deepest, least + 2e-5) << trial;
    EXPECT_GT(deepest, least - 1e-3) << trial;  // lows between vertices, which are 3 to 4 mm apart
  }
  EXPECT_GT(touching, 50);
  EXPECT_GT(overlapping, 500);
}

TEST(FieldContact, ANutsDeepestPointIsThatOfAllVertices) {
  Random random(13);
  const PlacedField bolt = MakeField(MakeThreadField(0.048, 0.005, 0.06), 0.0015),
                    nut = MakeField(MakeNutField(0.048, 0.005, 0.03, 0.075, 1e-4), 0.0015);
  for (int trial = 0; trial < 40; ++trial) {
    const RigidTransform X_WB = Displaced({}, UniformVector(random, 2e-3), UniformVector(random, 1e-4));
    const Manifold manifold = Collide(bolt.shape, At(0, 0, bolt.p_FG.z()), nut.shape, X_WB, 5e-4);
    const double least = CalcLeastOfAllVertices(bolt.shape, At(0, 0, bolt.p_FG.z()), nut.shape, X_WB);
    ASSERT_GT(manifold.num_points, 0);
    EXPECT_NEAR(Deepest(manifold).gap, least, 1e-5);  // twice the largest of these
  }
}

// A look for overlaps alone finds what a search of everything finds, and no more.
TEST(FieldContact, DeepOverlapsAreThoseOfTheWholeSearch) {
  constexpr double kDepth = 1e-6, kTolerance = 1e-7;
  Random random(17);
  const PlacedField egg = MakeField(MakeEllipsoidField(Vector3d(0.03, 0.02, 0.015)), 0.003);
  int deep = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const RigidTransform X_WA = RingAt(RandomPose(random, 0.1));
    const RigidTransform X_WB{RandomRotation(random), X_WA.p + UniformVector(random, 0.12)};
    Manifold all = Collide(Ring(), X_WA, egg.shape, X_WB, 1e-3), overlap;
    narrowphase::FindDeepOverlap(Ring(), X_WA, egg.shape, X_WB, kDepth, overlap);
    for (int k = 0; k < overlap.num_points; ++k) EXPECT_LT(overlap.points[k].gap, -kDepth);
    const double deepest = all.num_points > 0 ? Deepest(all).gap : 0.0;
    if (deepest > -kDepth - kTolerance) continue;
    ++deep;
    ASSERT_GT(overlap.num_points, 0) << deepest;
    EXPECT_NEAR(Deepest(overlap).gap, deepest, 0.01 * -deepest + kTolerance);
  }
  EXPECT_GT(deep, 20);
}

// Edges that cross do so between samples, which are 4 mm apart; boxes know where. What pushes is at right
// angles to both: by the normal of a face that meets at one, the other would go deeper as it slides.
TEST(FieldContact, EdgesOfTwoBlocksThatCrossAreFound) {
  Random random(14);
  const double h = 0.04, diagonal = std::sqrt(2.0) * h, eighth = 0.25 * M_PI;
  const Shape field = MakeField(MakeBoxField({h, h, h}), 0.004).shape, box = Box{{h, h, h}};
  const RigidTransform X_WA = Displaced({}, {eighth, 0, 0}, Vector3d::Zero());
  for (int trial = 0; trial < 300; ++trial) {
    const double gap = trial % 2 == 0 ? 1e-4 : -1e-5;
    const RigidTransform across = Displaced({}, {0, eighth, 0}, Vector3d::Zero());
    const RigidTransform X_WB =
        Displaced(across, {0, 0, Uniform(random, -0.8, 0.8)},
                  {Uniform(random, -0.02, 0.02), Uniform(random, -0.02, 0.02), 2.0 * diagonal + gap});
    const Manifold found = Collide(field, X_WA, field, X_WB, 1e-3);
    const double expected = SmallestGap(Collide(box, X_WA, box, X_WB, 1e-3));
    ASSERT_NEAR(expected, gap, 1e-12);
    ASSERT_GT(found.num_points, 0) << trial;
    EXPECT_NEAR(Deepest(found).gap, gap, 1e-6) << trial;
    if (gap < 0.0) {
      EXPECT_GT(Deepest(found).n_W.z(), 0.999) << trial;
    }
  }
}

// A rod leans in a bore and touches the rim of its mouth, an edge between wall and top: what pushes there is
// the rod's face. By the top's normal, along the rod, it could not slide in.
TEST(FieldContact, TheRimOfABorePushesWithTheNormalOfTheRodInIt) {
  const Field block =
      MakeField(ParseDistanceField("difference(cylinder(0.04, 0.03), cylinder(0.0253, 0.05))"), 0.0015).shape;
  const Field rod = MakeField(MakeCylinderField(0.025, 0.05), 0.0015).shape;
  Random random(17);
  int at_rim = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const double toward = Uniform(random, -M_PI, M_PI), lean = Uniform(random, 0.002, 0.01);
    const Vector3d side(std::cos(toward), std::sin(toward), 0.0), axis(-side.y(), side.x(), 0.0);
    const Eigen::AngleAxisd turn(lean, axis), spin(Uniform(random, -M_PI, M_PI), Vector3d::UnitZ());
    const Matrix3d R = (turn * spin).toRotationMatrix();
    // Its axis passes the mouth, at z = 0.03, 0.3 mm beside the bore's: as far as there is play.
    const double length = Uniform(random, 0.02, 0.05);
    const Vector3d p =
        Vector3d(0, 0, 0.03) + Uniform(random, 2e-4, 3.2e-4) * side + (0.05 - length) * R.col(2);
    const RigidTransform X_WA = RandomPose(random, 0.1);
    const Manifold manifold = Collide(block, X_WA, rod, X_WA * RigidTransform{R, p}, 1e-3);
    for (int k = 0; k < manifold.num_points; ++k) {
      const ManifoldPoint& point = manifold.points[k];
      const Vector3d p_A = X_WA.Inverse() * point.p_W;
      if (point.gap > 1.5e-4 || p_A.z() < 0.029) continue;
      ++at_rim;
      EXPECT_LT(std::abs(point.n_W.dot(X_WA.R * R.col(2))), 0.05) << p_A.transpose() << ", " << point.gap;
    }
  }
  EXPECT_GT(at_rim, 300);
}

// A knife with an edge of 30 degrees, along y and towards x, in a block's face: both faces of the knife are
// less deep in the block than its edge, and by neither one's normal could the block slide along the other.
TEST(FieldContact, AKnifesEdgePushesWithTheNormalOfTheFaceThatItIsIn) {
  const PlacedField placed =
      MakeField(ParseDistanceField(
                    "intersection(box(0.03, 0.03, 0.03), halfspace(), rotate(0, 1, 0, 150, halfspace()))"),
                0.0015);
  const Field& knife = placed.shape;
  const Field block = MakeField(ParseDistanceField("cylinder(0.012, 0.02)"), 0.0015).shape;
  Random random(18);
  int at_edge = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const double toward = Uniform(random, 0.35, 2.3), depth = Uniform(random, 5e-6, 4e-5);
    const Vector3d n(std::sin(toward), 0.0, std::cos(toward));
    const Eigen::AngleAxisd turn(toward + M_PI, Vector3d::UnitY()),
        spin(Uniform(random, -M_PI, M_PI), Vector3d::UnitZ());
    const Vector3d along(0.0, Uniform(random, -0.01, 0.01), 0.0);
    const RigidTransform X_WA = RandomPose(random, 0.1),
                         X_AB{(turn * spin).toRotationMatrix(), along - placed.p_FG + (0.02 - depth) * n};
    const Manifold manifold = Collide(knife, X_WA, block, X_WA * X_AB, 1e-3);
    double least = 0.0;
    for (int k = 0; k < manifold.num_points; ++k) {
      const ManifoldPoint& point = manifold.points[k];
      least = std::min(least, point.gap);
      // At the rim of the face two edges cross.
      const Vector3d p_B = (X_WA * X_AB).Inverse() * point.p_W;
      if (point.gap > -0.05 * depth || p_B.head<2>().norm() > 0.011) continue;
      EXPECT_GT(point.n_W.dot(X_WA.R * n), 0.999) << trial << ": " << toward << ", " << point.gap / depth;
      ++at_edge;
    }
    EXPECT_NEAR(least, -depth, 0.02 * depth) << trial << ": " << toward;
  }
  EXPECT_GT(at_edge, 200);
}

TEST(FieldContact, DegenerateAndRandomPosesGiveFiniteNumbers) {
  Random random(9);
  const Shape fields[] = {
      Ring(), MakeField(MakeDishField(0.05, 0.1, 0.06, 0.008)).shape,
      MakeField(Subtract(MakeBoxField({0.1, 0.1, 0.05}), MakeCylinderField(0.04, 0.1))).shape};
  const Shape others[] = {Plane{},
                          Sphere{0.05},
                          Capsule{0.03, 0.05},
                          Ellipsoid{{0.05, 0.1, 0.03}},
                          Cylinder{0.05, 0.05},
                          Box{{0.05, 0.05, 0.05}},
                          MakeHull(testing::MakeBoxMesh({0.05, 0.05, 0.05}).vertices).hull,
                          MakeMesh(testing::MakeTorus(0.1, 0.03, 12, 8)).mesh,
                          fields[0],
                          fields[1],
                          fields[2]};
  for (const Shape& field : fields) {
    for (const Shape& other : others) {
      for (int trial = 0; trial < 40; ++trial) {
        const Vector3d p = 0.05 * Vector3d(trial % 4 - 1, trial / 4 % 4 - 1, trial / 16 - 1);
        ExpectFinite(Collide(field, {}, other, {Matrix3d::Identity(), p}, 0.02));
        ExpectFinite(Collide(other, RandomPose(random, 0.1), field, RandomPose(random, 0.1), 0.02));
      }
    }
  }
}

TEST(FieldContact, HoldsItsPlaceAmongTheOtherShapes) {
  const Shape ring = Ring();
  EXPECT_EQ(ShapeName(ring), "sdf");
  EXPECT_NEAR(CalcVolume(ring), 2.0 * M_PI * M_PI * 0.1 * 0.0009, 1e-12);
  EXPECT_NEAR(CalcBoundingRadius(ring), 0.13, 1e-4);
  const double iz = CalcSolidMassProperties(ring, 1.0).I_BBcm_B(2, 2);
  EXPECT_NEAR(iz, 0.01 + 0.75 * 0.0009, 1e-12);  // R² + 3/4 r²
}

}  // namespace
}  // namespace stiction::test

// Overlaps that are too deep for features to say a way out: every one gets a point, and points lead out.
#include "collision/narrowphase/deep_overlap.h"

#include <functional>

#include "stiction/geometry/distance.h"
#include "tests/collision/narrowphase_checks.h"
#include "tests/support/meshes.h"

namespace stiction::test {
namespace {

using narrowphase::FindDeepOverlap;
using testing::MakeBoxMesh;
using testing::Subdivide;

const Vector3d kHalf(0.1, 0.05, 0.15);  // of the box, as a shape and as a mesh

struct Partner {
  Shape shape;
  Shape convex;  // the same solid, for the distance
};

std::vector<Partner> MakePartners() {
  Random random(4);
  std::vector<Vector3d> points;
  for (int k = 0; k < 32; ++k) points.push_back(0.2 * RandomDirection(random));
  const Shape box = Box{kHalf}, hull = MakeHull(points).hull;
  const Shape meshes[] = {MakeMesh(MakeBoxMesh(kHalf)).mesh,
                          MakeMesh(Subdivide(Subdivide(MakeBoxMesh(kHalf)))).mesh};
  const Shape sphere = Sphere{0.1}, capsule = Capsule{0.05, 0.1}, cylinder = Cylinder{0.1, 0.08};
  const Shape ellipsoid = Ellipsoid{{0.05, 0.1, 0.15}};
  return {{sphere, sphere}, {capsule, capsule}, {ellipsoid, ellipsoid}, {cylinder, cylinder},
          {box, box},       {hull, hull},       {meshes[0], box},       {meshes[1], box}};
}

// Calls visit(X_WA, X_WB, X_WA of the box mesh) for random poses in which the box and the partner overlap by
// between `least` and `most` [m].
void ForOverlapping(const Partner& partner, double least, double most, int count, Random& random,
                    const std::function<void(const RigidTransform&, const RigidTransform&)>& visit) {
  const Shape box = Box{kHalf};
  while (count > 0) {
    const RigidTransform X_WA = RandomPose(random, 0.15);
    RigidTransform X_WB = RandomPose(random, 0.15);
    const Distance d = CalcDistance(box, X_WA, partner.convex, X_WB);
    X_WB.p -= (Uniform(random, least, most) + d.distance) * d.n_W;
    const double depth = -CalcDistance(box, X_WA, partner.convex, X_WB).distance;
    if (!(depth > least && depth < most)) continue;
    visit(X_WA, X_WB);
    --count;
  }
}

TEST(DeepOverlap, EveryOverlapHasAPointThatPushes) {
  Random random(1);
  const Shape meshes[] = {MakeMesh(MakeBoxMesh(kHalf)).mesh,
                          MakeMesh(Subdivide(Subdivide(MakeBoxMesh(kHalf)))).mesh};
  const double depths[] = {1e-4, 1e-3, 3e-3, 1e-2, 2e-2, 5e-2};
  for (const Shape& mesh : meshes) {
    for (const Partner& partner : MakePartners()) {
      for (int k = 0; k + 1 < 6; ++k) {
        int missed = 0;
        ForOverlapping(partner, depths[k], depths[k + 1], 100, random,
                       [&](const RigidTransform& X_WA, const RigidTransform& X_WB) {
                         missed += !(SmallestGap(Collide(mesh, X_WA, partner.shape, X_WB, 0.02)) < 0.0);
                       });
        EXPECT_EQ(missed, 0) << ShapeName(partner.shape) << " " << depths[k];
      }
    }
  }
}

TEST(DeepOverlap, ThePointsLeadOut) {
  Random random(2);
  const Shape mesh = MakeMesh(Subdivide(MakeBoxMesh(kHalf))).mesh;
  for (const Partner& partner : MakePartners()) {
    int stuck = 0;
    ForOverlapping(partner, 5e-3, 4e-2, 100, random,
                   [&](const RigidTransform& X_WA, const RigidTransform& X_WB) {
                     stuck += FindMovesApart(mesh, X_WA, partner.shape, X_WB) < 0;
                   });
    EXPECT_EQ(stuck, 0) << ShapeName(partner.shape);
  }
}

// A ball with its middle below the face of a slab: no feature of either is in front of the other.
TEST(DeepOverlap, ABallBelowAFaceComesUp) {
  const Mesh slab = MakeMesh(Subdivide(MakeBoxMesh({0.5, 0.5, 0.2}))).mesh;
  const RigidTransform X_MC{Matrix3d::Identity(), {0.1, 0.05, 0.2 - 0.03}};
  const auto found = FindDeepOverlap(*slab.surface, Sphere{0.1}, X_MC, 1e-6);
  ASSERT_TRUE(found);
  EXPECT_LT((found->n - Vector3d::UnitZ()).norm(), 1e-9);
  EXPECT_LE(found->depth, 0.13 + 1e-9);
  EXPECT_GT(found->depth, 0.9 * 0.13);
}

// The corner of one box in the corner of another: S has the areas of the three faces of the overlap.
TEST(DeepOverlap, TheDirectionIsThatOfTheFastestWayOut) {
  const Vector3d overlap(0.03, 0.02, 0.04), expected(0.02 * 0.04, 0.03 * 0.04, 0.03 * 0.02);
  const RigidTransform X_AB{Matrix3d::Identity(), 2.0 * kHalf - overlap};
  const Mesh box = MakeMesh(Subdivide(MakeBoxMesh(kHalf))).mesh;
  const auto meshes = FindDeepOverlap(*box.surface, *box.surface, X_AB, 1e-6);
  ASSERT_TRUE(meshes);
  EXPECT_LT((meshes->n - expected.normalized()).norm(), 1e-9);
  const Hull hull = MakeHull(MakeBoxMesh(kHalf).vertices).hull;
  const auto convex = FindDeepOverlap(*box.surface, narrowphase::MakePolytope(*hull.polytope), X_AB, 1e-6);
  ASSERT_TRUE(convex);
  EXPECT_LT((convex->n - expected.normalized()).norm(), 1e-9);
  // Along n the overlap is no longer than from corner to corner.
  for (const double depth : {meshes->depth, convex->depth}) {
    EXPECT_LE(depth, overlap.norm());
    EXPECT_GT(depth, 0.3 * overlap.minCoeff());
  }
}

TEST(DeepOverlap, WhatIsInsideLeavesByTheNearestFace) {
  const Mesh box = MakeMesh(Subdivide(MakeBoxMesh({0.3, 0.3, 0.2}))).mesh;
  const Mesh small = MakeMesh(MakeBoxMesh({0.01, 0.01, 0.01})).mesh;
  const RigidTransform X_AB{Matrix3d::Identity(), {0.05, -0.22, 0.04}};
  const auto ball = FindDeepOverlap(*box.surface, Sphere{0.02}, X_AB, 1e-6);
  ASSERT_TRUE(ball);
  EXPECT_LT((ball->n + Vector3d::UnitY()).norm(), 1e-9);
  EXPECT_NEAR(ball->depth, 0.1, 1e-12);
  const auto mesh = FindDeepOverlap(*box.surface, *small.surface, X_AB, 1e-6);
  ASSERT_TRUE(mesh);
  EXPECT_LT((mesh->n + Vector3d::UnitY()).norm(), 1e-9);
  EXPECT_NEAR(mesh->depth, 0.09, 1e-12);
  const auto reversed = FindDeepOverlap(*small.surface, *box.surface, X_AB.Inverse(), 1e-6);
  ASSERT_TRUE(reversed);
  EXPECT_LT((reversed->n - Vector3d::UnitY()).norm(), 1e-9);
  EXPECT_NEAR(reversed->depth, 0.09, 1e-12);
}

TEST(DeepOverlap, WhatIsApartOrTouchesHasNone) {
  Random random(3);
  const Mesh ring = MakeMesh(testing::MakeTorus(0.3, 0.1, 24, 12)).mesh,
             box = MakeMesh(MakeBoxMesh(kHalf)).mesh;
  int apart = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const RigidTransform X = RandomPose(random, 0.5);
    const Sphere ball{0.05};
    if (CalcDistance(ring, {}, ball, X).distance > 0.0 && CalcWindingNumber(ring.surface->mesh, X.p) < 0.5) {
      ++apart;
      EXPECT_FALSE(FindDeepOverlap(*ring.surface, ball, X, 1e-6));
    }
    if (CalcDistance(ring, {}, box, X).distance > 0.0 && CalcWindingNumber(ring.surface->mesh, X.p) < 0.5) {
      EXPECT_FALSE(FindDeepOverlap(*ring.surface, *box.surface, X, 1e-6));
    }
  }
  EXPECT_GT(apart, 500);
  // Face on face, exactly.
  const RigidTransform on_top{Matrix3d::Identity(), {0.03, 0.01, 0.3}};
  EXPECT_FALSE(FindDeepOverlap(*box.surface, *box.surface, on_top, 1e-6));
  EXPECT_FALSE(FindDeepOverlap(*box.surface, Sphere{0.15}, on_top, 1e-6));
  EXPECT_FALSE(FindDeepOverlap(*box.surface, Cylinder{0.1, 0.15}, on_top, 1e-6));
}

}  // namespace
}  // namespace stiction::test

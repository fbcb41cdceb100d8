#include "tests/collision/narrowphase_checks.h"

namespace stiction::test {
namespace {

Matrix3d AlongX() {
  return QuaternionExp(0.5 * M_PI * Vector3d::UnitY()).toRotationMatrix();
}
Matrix3d AlongY() {
  return QuaternionExp(-0.5 * M_PI * Vector3d::UnitX()).toRotationMatrix();
}

TEST(CapsuleCapsule, SmallestGapIsTheSignedDistance) {
  Random random(1);
  const Shape a = Capsule{0.1, 0.3}, b = Capsule{0.05, 0.5};
  for (int trial = 0; trial < 200; ++trial) {
    const RigidTransform X_WA = RandomPose(random, 0.3), X_WB = RandomPose(random, 0.3);
    const Manifold manifold = Collide(a, X_WA, b, X_WB, 10.0);
    ExpectSignedDistance(a, X_WA, b, X_WB, manifold, random);
  }
}

TEST(CapsuleCapsule, ParallelOnesTouchAtBothEndsOfTheirCommonStretch) {
  const RigidTransform X_WB{Matrix3d::Identity(), {0.15, 0, 0.2}};
  const Manifold manifold = Collide(Capsule{0.1, 0.3}, {}, Capsule{0.05, 0.3}, X_WB, 0.01);
  ASSERT_EQ(manifold.num_points, 2);
  EXPECT_NEAR((manifold.points[0].p_W - Vector3d(0.1, 0, -0.1)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((manifold.points[1].p_W - Vector3d(0.1, 0, 0.3)).norm(), 0.0, 1e-15);
}

TEST(CapsuleCapsule, StaysAtTwoPointsUnderNoise) {
  Random random(2);
  for (const double noise : {1e-15, 1e-12, 1e-9, 1e-7, 1e-5}) {
    for (int trial = 0; trial < 200; ++trial) {
      const RigidTransform X_WB{Matrix3d::Identity(), {0.15, 0, 0}};
      const Manifold manifold =
          Collide(Capsule{0.1, 0.3}, {}, Capsule{0.05, 0.3},
                  Displaced(X_WB, noise * RandomDirection(random), noise * RandomDirection(random)), 0.01);
      ASSERT_EQ(manifold.num_points, 2);
      EXPECT_EQ(manifold.points[0].feature, 0u);
      EXPECT_EQ(manifold.points[1].feature, 1u);
      EXPECT_NEAR((manifold.points[0].p_W - manifold.points[1].p_W).norm(), 0.6, 10 * noise + 1e-14);
    }
  }
}

TEST(CapsuleCapsule, CrossingOnesTouchAtOnePoint) {
  const Manifold manifold =
      Collide(Capsule{0.1, 0.3}, {AlongX(), {0, 0, 0}}, Capsule{0.1, 0.3}, {AlongY(), {0, 0, 0.2}}, 0.01);
  ASSERT_EQ(manifold.num_points, 1);
  EXPECT_NEAR(manifold.points[0].gap, 0.0, 1e-15);
  EXPECT_NEAR((manifold.points[0].p_W - Vector3d(0, 0, 0.1)).norm(), 0.0, 1e-15);
}

// Axes that meet: across both. Collinear: across the one. End to end: along.
TEST(CapsuleCapsule, CoresThatMeetGiveTheLeastTranslation) {
  const Capsule capsule{0.1, 0.3};
  const Manifold crossing =
      Collide(capsule, {AlongX(), Vector3d::Zero()}, capsule, {AlongY(), {0.1, 0, 0}}, 0.01);
  ASSERT_EQ(crossing.num_points, 1);
  EXPECT_NEAR(std::abs(crossing.points[0].n_W.z()), 1.0, 1e-15);
  EXPECT_NEAR(crossing.points[0].gap, -0.2, 1e-15);
  const Manifold same = Collide(capsule, {}, capsule, {}, 0.01);
  ExpectFinite(same);
  EXPECT_NEAR(SmallestGap(same), -0.2, 1e-15);
  const Manifold stacked = Collide(capsule, {}, capsule, {Matrix3d::Identity(), {0, 0, 0.8}}, 0.01);
  ASSERT_EQ(stacked.num_points, 1);
  EXPECT_NEAR((stacked.points[0].n_W - Vector3d::UnitZ()).norm(), 0.0, 1e-15);
}

TEST(CapsuleBox, SmallestGapIsTheSignedDistance) {
  Random random(3);
  const Shape capsule = Capsule{0.05, 0.3}, box = Box{{0.1, 0.2, 0.3}};
  int apart = 0, pierced = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const RigidTransform X_WA = RandomPose(random, 0.4), X_WB = RandomPose(random, 0.4);
    const Manifold manifold = Collide(capsule, X_WA, box, X_WB, 10.0);
    const double gap = SmallestGap(manifold);
    if (manifold.num_points == 1 || gap > -0.05) {
      ExpectSignedDistance(capsule, X_WA, box, X_WB, manifold, random);
    } else {
      // A pierced face's two ends may report more than the least translation, never less.
      EXPECT_LT(gap, SearchWidestSlab(capsule, X_WA, box, X_WB, random) + 1e-3);
    }
    apart += gap > 0, pierced += gap < -0.05;
  }
  EXPECT_GT(apart, 50);
  EXPECT_GT(pierced, 50);
}

// Two pads grip a capsule whose core is as long as they are.
TEST(CapsuleBox, GrippedCapsuleHasTwoPointsAtEachPad) {
  Random random(4);
  const Capsule capsule{0.004, 0.02};
  const Box pad{{0.01, 0.02, 0.02}};
  for (const double noise : {0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-6}) {
    for (const double side : {-1.0, 1.0}) {
      for (int trial = 0; trial < 200; ++trial) {
        const RigidTransform X_WA{AlongY(), Vector3d::Zero()};
        const RigidTransform X_WB =
            Displaced({Matrix3d::Identity(), {0.014 * side, 0, 0}}, noise * UniformVector(random, 1),
                      0.01 * noise * UniformVector(random, 1));
        const Manifold manifold = Collide(capsule, X_WA, pad, X_WB, 1e-3);
        ASSERT_EQ(manifold.num_points, 2);
        EXPECT_EQ(manifold.points[0].feature, 0u);
        EXPECT_EQ(manifold.points[1].feature, 1u);
        EXPECT_NEAR((manifold.points[0].p_W - manifold.points[1].p_W).norm(), 0.04, noise + 1e-15);
        for (int k = 0; k < 2; ++k) {
          EXPECT_NEAR((manifold.points[k].n_W - Vector3d(side, 0, 0)).norm(), 0.0, 2 * noise + 1e-15);
          EXPECT_NEAR(manifold.points[k].gap, 0.0, 0.03 * noise + 1e-15);
        }
      }
    }
  }
}

TEST(CapsuleBox, OverhangingCapsuleEndsAtTheEdge) {
  const Manifold manifold =
      Collide(Capsule{0.05, 0.5}, {AlongX(), {0.4, 0, 0.15}}, Box{{0.3, 0.3, 0.1}}, {}, 0.01);
  ASSERT_EQ(manifold.num_points, 2);
  EXPECT_NEAR((manifold.points[0].p_W - Vector3d(-0.1, 0, 0.1)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((manifold.points[1].p_W - Vector3d(0.3, 0, 0.1)).norm(), 0.0, 1e-15);
}

TEST(CapsuleBox, CapsuleAlongAnEdgeHasTwoPoints) {
  const double reach = 0.05 / std::sqrt(2.0);
  const Manifold manifold =
      Collide(Capsule{0.05, 0.5}, {AlongX(), {0, 0.3 + reach, 0.1 + reach}}, Box{{0.3, 0.3, 0.1}}, {}, 0.01);
  ASSERT_EQ(manifold.num_points, 2);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(manifold.points[k].gap, 0.0, 1e-15);
    EXPECT_NEAR((manifold.points[k].n_W - Vector3d(0, -1, -1) / std::sqrt(2.0)).norm(), 0.0, 1e-14);
  }
}

TEST(CapsuleBox, TiltedCapsuleOnAnEdgeHasOnePoint) {
  const Matrix3d R_WA = QuaternionExp(Vector3d(0, 0.5 * M_PI + 0.5, 0)).toRotationMatrix();
  const Manifold manifold =
      Collide(Capsule{0.05, 0.5}, {R_WA, {0.35, 0, 0.12}}, Box{{0.3, 0.3, 0.1}}, {}, 0.05);
  EXPECT_EQ(manifold.num_points, 1);
}

TEST(CapsuleBox, CorePiercingTheBoxLeavesByTheNearestWay) {
  const Box plate{{0.5, 0.5, 0.1}};
  const Manifold lying = Collide(Capsule{0.02, 0.2}, {AlongX(), {0, 0, 0.07}}, plate, {}, 0.0);
  ASSERT_EQ(lying.num_points, 2);
  EXPECT_NEAR(lying.points[0].gap, -0.05, 1e-15);
  EXPECT_NEAR((lying.points[0].n_W + Vector3d::UnitZ()).norm(), 0.0, 1e-15);
  const Manifold standing = Collide(Capsule{0.02, 0.2}, {Matrix3d::Identity(), {0, 0, 0.27}}, plate, {}, 0.0);
  ASSERT_EQ(standing.num_points, 1);
  EXPECT_NEAR(standing.points[0].gap, -0.05, 1e-15);
}

}  // namespace
}  // namespace stiction::test

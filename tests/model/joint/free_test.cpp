#include "stiction/model/joint/free.h"

#include "stiction/math/rotation.h"
#include "tests/model/joint/joint_motion.h"

namespace stiction::testing {
namespace {

VectorXd PoseOf(const Vector3d& p, const Vector3d& turn) {
  VectorXd q(7);
  q.head<3>() = p;
  QuaternionToWxyz(QuaternionExp(turn), q.data() + 3);
  return q;
}

TEST(FreeJoint, KnowsNoFrameBeforeIt) {
  const VectorXd q = PoseOf({1, 2, 3}, {0.2, -0.1, 0.4});
  const RigidTransform X = Moved(FreeJoint{}, q, {.p = {5, 5, 5}});
  EXPECT_EQ(X.p, Vector3d(1, 2, 3));
  EXPECT_LT((X.R - QuaternionExp({0.2, -0.1, 0.4}).toRotationMatrix()).norm(), 1e-15);
}

TEST(FreeJoint, VelocitiesAreTheOriginsInWorldAndTheSpinInBodyAxes) {
  const VectorXd q = PoseOf({1, 2, 3}, {0, 0, 0.5});
  Matrix6Xd S = ColumnsAt(FreeJoint{}, q, {1, 2, 3});
  const Matrix3d R = QuaternionExp({0, 0, 0.5}).toRotationMatrix();
  EXPECT_EQ(S.bottomLeftCorner(3, 3), MatrixXd::Identity(3, 3));
  EXPECT_TRUE(S.topLeftCorner(3, 3).isZero(0.0));
  EXPECT_LT((S.topRightCorner(3, 3) - R).norm(), 1e-15);
  EXPECT_TRUE(S.bottomRightCorner(3, 3).isZero(0.0)) << "a spin about the origin does not move it";
}

TEST(FreeJoint, SpringsPullTranslationAndRotation) {
  const VectorXd rest = PoseOf({1, 2, 3}, {0, 0, 0.5}), q = PoseOf({1, 2, 4}, {0, 0, 0.8});
  Vector6d force = Vector6d::Zero();
  FreeJoint{}.AddSpring(2.0, rest.data(), q.data(), force.data());
  EXPECT_LT((force - (Vector6d() << 0, 0, -2, 0, 0, -0.6).finished()).norm(), 1e-15);
}

TEST(FreeJoint, MovesMassThatHasAnInertiaAboutEveryAxis) {
  EXPECT_FALSE(FreeJoint{}.MovesMass({.mass = 1.0}, 0.0));
  EXPECT_TRUE(FreeJoint{}.MovesMass({.mass = 1.0}, 0.1));
  EXPECT_TRUE(FreeJoint{}.MovesMass(CalcSolidMassProperties(Sphere{0.1}, 1.0), 0.0));
}

}  // namespace
}  // namespace stiction::testing

#include "stiction/model/joint/ball.h"

#include <numbers>

#include "stiction/math/rotation.h"
#include "tests/model/joint/joint_motion.h"

namespace stiction::testing {
namespace {

VectorXd QuaternionOf(const Vector3d& turn) {
  VectorXd q(4);
  QuaternionToWxyz(QuaternionExp(turn), q.data());
  return q;
}

TEST(BallJoint, TurnsAboutItsAnchorWhateverTheLengthOfTheQuaternion) {
  const BallJoint ball{.p_BJ = {1, 0, 0}};
  const VectorXd q = 3.0 * QuaternionOf({0, 0, 0.5 * std::numbers::pi});
  EXPECT_LT((Moved(ball, q).p - Vector3d(1, -1, 0)).norm(), 1e-15);  // rounding of cos(π/2)
}

TEST(BallJoint, DifferencesGoTheShorterWay) {
  const VectorXd from = QuaternionOf({0, 0, 0.1}), to = -QuaternionOf({0, 0, 3.0});
  Vector3d v;
  BallJoint{}.Difference(from.data(), to.data(), v.data());
  EXPECT_LT((v - Vector3d(0, 0, 2.9)).norm(), 1e-15);
  const VectorXd beyond = QuaternionOf({0, 0, 4.0});
  BallJoint{}.Difference(from.data(), beyond.data(), v.data());
  EXPECT_LT((v - Vector3d(0, 0, 3.9 - 2.0 * std::numbers::pi)).norm(), 2e-15);
}

TEST(BallJoint, ItsConeBoundsTheAngleAlone) {
  const Vector3d turn(0.3, -0.4, 0.0), v(1.0, 2.0, 3.0);
  const JointLimits limits = BallJoint{}.FindLimits(QuaternionOf(turn).data(), v.data(), -5.0, 0.6);
  ASSERT_EQ(limits.count, 1);
  const JointLimit& limit = limits.limits[0];
  EXPECT_TRUE(limit.is_upper);
  EXPECT_NEAR(limit.gap, 0.1, 1e-15);
  EXPECT_NEAR(limit.rate, -v.dot(Vector3d(0.6, -0.8, 0.0)), 1e-14);
  EXPECT_LT((limit.slope + Vector3d(0.6, -0.8, 0.0)).norm(), 1e-14);
  // Where nothing is turned it is the velocity that leads to the cone, and none where there is none.
  const VectorXd straight = QuaternionOf({0, 0, 0});
  const JointLimits at_once = BallJoint{}.FindLimits(straight.data(), v.data(), 0.0, 0.6);
  EXPECT_LT((at_once.begin()->slope + v.normalized()).norm(), 1e-15);
  EXPECT_NEAR(at_once.begin()->rate, -v.norm(), 1e-15);
  const Vector3d rest = Vector3d::Zero();
  EXPECT_TRUE(BallJoint{}.FindLimits(straight.data(), rest.data(), 0.0, 0.6).begin()->slope.isZero(0.0));
}

}  // namespace
}  // namespace stiction::testing

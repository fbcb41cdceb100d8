#include "stiction/model/joint/universal.h"

#include <numbers>

#include "stiction/math/rotation.h"
#include "stiction/math/spatial_inertia.h"
#include "stiction/model/joint/hinge.h"
#include "tests/model/joint/joint_motion.h"

namespace stiction::testing {
namespace {

const UniversalJoint kJoint{
    .axis1_B = Vector3d(1, 2, 2) / 3, .axis2_B = Vector3d(2, 1, -2) / 3, .p_BJ = {0.1, -0.3, 0.2}};
const RigidTransform kBefore{Eigen::AngleAxisd(0.7, Vector3d(2, -1, 2) / 3).toRotationMatrix(),
                             Vector3d(0.4, 1.0, -0.6)};

// Of two hinges about the same anchor, one after the other.
TEST(UniversalJoint, MovesAsTwoHingesInSeries) {
  const HingeJoint first{.axis_B = kJoint.axis1_B, .p_BJ = kJoint.p_BJ},
      second{.axis_B = kJoint.axis2_B, .p_BJ = kJoint.p_BJ};
  const Vector3d p_WT(0.3, 0.2, 0.9);
  RandomNumbers random(1);
  for (int i = 0; i < 50; ++i) {
    const VectorXd q = 3.0 * random.Vector(2), v = 2.0 * random.Vector(2);
    const RigidTransform X_cross = Moved(first, q.head(1), kBefore), X = Moved(second, q.tail(1), X_cross),
                         X_joint = Moved(kJoint, q, kBefore);
    EXPECT_LT((X_joint.R - X.R).norm() + (X_joint.p - X.p).norm(), 1e-15);
    Matrix6Xd S(6, 2), dS(6, 2), joint_dS(6, 2);
    S << ColumnsAt(first, q.head(1), p_WT, kBefore), ColumnsAt(second, q.tail(1), p_WT, X_cross);
    const Matrix6Xd joint_S = ColumnsAt(kJoint, q, p_WT, kBefore);
    EXPECT_LT((joint_S - S).norm(), 2e-15);
    Vector6d V = (Vector6d() << 0.5, 0.1, -0.2, 1.0, 2.0, -1.0).finished(), joint_V = V;
    first.AddVelocity({S.data(), 6, 1}, v.data(), V, {dS.data(), 6, 1});
    second.AddVelocity({S.data() + 6, 6, 1}, v.data() + 1, V, {dS.data() + 6, 6, 1});
    kJoint.AddVelocity({joint_S.data(), 6, 2}, v.data(), joint_V, {joint_dS.data(), 6, 2});
    EXPECT_LT((joint_V - V).norm(), 1e-14);
    EXPECT_LT((joint_dS - dS).norm(), 1e-14);
  }
}

// The second axis moves with the first: ω̇ of steady angles is v₁ v₂ (axis1 × axis2), and not zero as it would
// be with columns that stand still.
TEST(UniversalJoint, SteadyAnglesAccelerateTheSpin) {
  const Eigen::Vector2d q(0.4, -1.1), v(2.0, 3.0);
  const Matrix6Xd S = ColumnsAt(kJoint, q, Vector3d::Zero(), kBefore);
  Matrix6Xd dS(6, 2);
  Vector6d V = Vector6d::Zero();
  kJoint.AddVelocity({S.data(), 6, 2}, v.data(), V, {dS.data(), 6, 2});
  const Vector3d axis1 = S.col(0).head<3>(), axis2 = S.col(1).head<3>();
  EXPECT_LT(((dS * v).head<3>() - v[0] * v[1] * axis1.cross(axis2)).norm(), 1e-14);
  EXPECT_NEAR(axis1.dot(axis2), 0.0, 1e-15) << "the arms of the cross stay perpendicular";
}

// A Cardan shaft, all angles in closed form: the shaft before the joint turns by θ about z, the one behind it
// stays in bearings at β to z. Its first axis lies in the plane of the shafts at θ = 0.
TEST(UniversalJoint, ShaftsTurnByCardansRelation) {
  for (const double beta : {0.1, 0.6, 1.2}) {
    const Matrix3d R_bearing = Eigen::AngleAxisd(beta, Vector3d::UnitX()).toRotationMatrix();
    const Vector3d shaft = R_bearing.col(2);
    // At θ = 0 the body stands as its bearings do, turned by 0; axes: y before the joint, perpendicular to z
    // and in the plane of the shafts; x behind it.
    for (double theta = -3.0; theta <= 3.0; theta += 0.1) {
      const Matrix3d R_in = Eigen::AngleAxisd(theta, Vector3d::UnitZ()).toRotationMatrix();
      const Vector3d arm1 = R_in.col(1);
      // The second arm is perpendicular to the first and to the shaft behind the joint.
      const Vector3d arm2 = arm1.cross(shaft).normalized();
      const double out = std::atan2(arm2.dot(R_bearing.col(1)), arm2.dot(R_bearing.col(0)));
      EXPECT_NEAR(std::sin(out) * std::cos(theta) * std::cos(beta), std::sin(theta) * std::cos(out), 1e-14);

      // The joint that joins them: the frame before it moves with the shaft before it, and at q = 0 arms and
      // shafts are y, x and z.
      const UniversalJoint joint{.axis1_B = Vector3d::UnitY(), .axis2_B = Vector3d::UnitX()};
      const Vector3d shaft_in = R_in.transpose() * shaft, arm2_in = R_in.transpose() * arm2;
      const double q1 = std::atan2(-arm2_in.z(), arm2_in.x());
      const Vector3d side = Eigen::AngleAxisd(-q1, Vector3d::UnitY()) * shaft_in;
      const double q2 = std::atan2(-side.y(), side.z());
      const RigidTransform X = Moved(joint, Eigen::Vector2d(q1, q2), {.R = R_in});
      EXPECT_LT((X.R.col(2) - shaft).norm(), 1e-14);
      EXPECT_NEAR(
          std::remainder(std::atan2(X.R.col(0).dot(R_bearing.col(1)), X.R.col(0).dot(R_bearing.col(0))) - out,
                         2.0 * std::numbers::pi),
          0.0, 1e-13);
    }
  }
}

TEST(UniversalJoint, BothAnglesHaveLimits) {
  const Eigen::Vector2d q(0.2, -0.4), v(1.0, -2.0);
  const JointLimits limits = kJoint.FindLimits(q.data(), v.data(), -0.5, 0.75);
  const double gaps[] = {0.7, 0.55, 0.1, 1.15}, rates[] = {1.0, -1.0, -2.0, 2.0};
  ASSERT_EQ(limits.count, 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(limits.limits[i].gap, gaps[i], 1e-15);
    EXPECT_EQ(limits.limits[i].rate, rates[i]);
    EXPECT_EQ(limits.limits[i].first, i / 2);
    EXPECT_EQ(limits.limits[i].memory, i / 2);
  }
}

TEST(UniversalJoint, RefusesAxesThatAreNotPerpendicular) {
  UniversalJoint joint;
  EXPECT_EQ(joint.FindFault(), "");
  joint.axis2_B = {1, 0, 1e-5};
  EXPECT_NE(joint.FindFault().find("perpendicular"), std::string::npos);
  joint.axis2_B = {5, 0, 1e-6};
  EXPECT_EQ(joint.FindFault(), "") << "the length of an axis says nothing";
  joint.axis2_B = Vector3d::Zero();
  EXPECT_NE(joint.FindFault().find("zero"), std::string::npos);
}

// A point off the anchor moves about both axes, unless it lies on one of them.
TEST(UniversalJoint, MovesMassBesideBothAxes) {
  const UniversalJoint joint{.axis1_B = Vector3d::UnitX(), .axis2_B = Vector3d::UnitY()};
  EXPECT_TRUE(joint.MovesMass({.mass = 1.0, .p_BBcm = {0, 0, 1e-3}}, 0.0));
  EXPECT_FALSE(joint.MovesMass({.mass = 1.0, .p_BBcm = {0, 1, 0}}, 0.0));
  EXPECT_FALSE(joint.MovesMass({.mass = 1.0, .p_BBcm = {1, 1, 0}}, 0.0)) << "about x - y it has no lever";
  EXPECT_TRUE(joint.MovesMass({.mass = 1.0, .p_BBcm = {0, 1, 0}}, 1e-6));
}

}  // namespace
}  // namespace stiction::testing

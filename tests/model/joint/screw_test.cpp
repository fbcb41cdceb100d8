#include "stiction/model/joint/screw.h"

#include "tests/model/joint/joint_motion.h"

namespace stiction::testing {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

TEST(ScrewJoint, TravelsByItsPitchInOneTurn) {
  for (const double pitch : {0.3, -0.3}) {
    const ScrewJoint screw{.axis_B = Vector3d::UnitX(), .p_BJ = {0, 1, 0}, .reference = 0.5, .pitch = pitch};
    const RigidTransform X = Moved(screw, One(0.5 + kTurn));
    EXPECT_LT((X.p - Vector3d(pitch, 0, 0)).norm(), 1e-15);
    EXPECT_LT((X.R - Matrix3d::Identity()).norm(), 1e-15);
    const RigidTransform half = Moved(screw, One(0.5 + 0.5 * kTurn));
    EXPECT_LT((half.p - Vector3d(0.5 * pitch, 2, 0)).norm(), 1e-15);
  }
}

// A right-handed thread: along its axis while it turns about it.
TEST(ScrewJoint, ItsColumnIsAHelix) {
  const ScrewJoint screw{.axis_B = Vector3d::UnitZ(), .p_BJ = {1, 0, 0}, .pitch = 0.5};
  const Matrix6Xd expected = (Matrix6Xd(6, 1) << 0, 0, 1, 0, -1, 0.5 / kTurn).finished();
  for (const double q : {0.0, 1.0, 20.0}) {
    EXPECT_LT((ColumnsAt(screw, One(q), {0, 0, 7}) - expected).norm(), 1e-14) << "as steady as its axis";
  }
}

TEST(ScrewJoint, MovesMassOnItsAxis) {
  const ScrewJoint screw{.axis_B = Vector3d::UnitZ(), .pitch = 0.01};
  EXPECT_TRUE(screw.MovesMass({.mass = 1.0}, 0.0));
  EXPECT_FALSE(screw.MovesMass({}, 0.0));
}

TEST(ScrewJoint, RefusesToBeAHinge) {
  EXPECT_NE(ScrewJoint{}.FindFault().find("pitch"), std::string::npos);
  EXPECT_EQ((ScrewJoint{.pitch = -1e-3}.FindFault()), "");
  EXPECT_NE((ScrewJoint{.axis_B = Vector3d::Zero(), .pitch = 1.0}.FindFault().find("axis")),
            std::string::npos);
  EXPECT_NE((ScrewJoint{.pitch = std::numeric_limits<double>::infinity()}.FindFault().find("finite")),
            std::string::npos);
}

}  // namespace
}  // namespace stiction::testing

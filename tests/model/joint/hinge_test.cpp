#include "stiction/model/joint/hinge.h"

#include <numbers>

#include "tests/model/joint/joint_motion.h"

namespace stiction::testing {
namespace {

constexpr double kHalfPi = std::numbers::pi / 2;

TEST(HingeJoint, TurnsAboutItsAnchorFromItsReference) {
  const HingeJoint hinge{.axis_B = Vector3d::UnitZ(), .p_BJ = {1, 0, 0}, .reference = 0.2};
  const RigidTransform X = Moved(hinge, One(0.2 + kHalfPi), {.p = {0, 0, 3}});
  EXPECT_LT((X.p - Vector3d(1, -1, 3)).norm(), 1e-15);  // rounding of cos(π/2)
  EXPECT_LT((X.R.col(0) - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_LT(
      (ColumnsAt(hinge, One(0.7), {0, 0, 5}) - (Matrix6Xd(6, 1) << 0, 0, 1, 0, -1, 0).finished()).norm(),
      1e-15);
}

TEST(HingeJoint, MovesMassBesideItsAxisOrWithARotor) {
  const HingeJoint hinge{.axis_B = Vector3d::UnitZ(), .p_BJ = {1, 0, 0}};
  const MassProperties on_axis{.mass = 1.0, .p_BBcm = {1, 0, 2}}, beside{.mass = 1.0, .p_BBcm = {1, 1e-6, 2}};
  EXPECT_FALSE(hinge.MovesMass(on_axis, 0.0));
  EXPECT_TRUE(hinge.MovesMass(on_axis, 1e-9));
  EXPECT_TRUE(hinge.MovesMass(beside, 0.0));
}

}  // namespace
}  // namespace stiction::testing

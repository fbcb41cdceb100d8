#include "stiction/model/joint/slide.h"

#include "tests/model/joint/joint_motion.h"

namespace stiction::testing {
namespace {

TEST(SlideJoint, GoesAlongItsAxisFromItsReference) {
  SlideJoint slide{.axis_B = {0, 3, 4}, .p_BJ = {1, 0, 0}, .reference = 0.5};
  slide.Normalize();
  const RigidTransform X = Moved(slide, One(1.5), {.p = {0, 0, 3}});
  EXPECT_LT((X.p - Vector3d(0, 0.6, 3.8)).norm(), 1e-15);
  EXPECT_EQ(X.R, Matrix3d::Identity());
  // The same wherever the axis and the tree's point lie.
  EXPECT_EQ(ColumnsAt(slide, One(1.5), {7, 8, 9}), (Matrix6Xd(6, 1) << 0, 0, 0, slide.axis_B).finished());
}

TEST(SlideJoint, NeedsAMassAndAnAxis) {
  EXPECT_FALSE(SlideJoint{}.MovesMass({}, 0.0));
  EXPECT_TRUE(SlideJoint{}.MovesMass({.mass = 1e-9}, 0.0));
  EXPECT_NE(SlideJoint{.axis_B = Vector3d::Zero()}.FindFault().find("axis"), std::string::npos);
  // The squares of these are no doubles: normalising makes 0 of one, and no unit vector of the other.
  EXPECT_NE(SlideJoint{.axis_B = Vector3d(0, 1e200, 0)}.FindFault().find("too long"), std::string::npos);
  EXPECT_NE(SlideJoint{.axis_B = Vector3d(0, 1e-160, 0)}.FindFault().find("zero"), std::string::npos);
  EXPECT_EQ(SlideJoint{.axis_B = Vector3d(0, 1e-50, 0)}.FindFault(), "");
}

}  // namespace
}  // namespace stiction::testing

// Equalities of MJCF files: what they mean, and what is refused.
#include <gtest/gtest.h>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

// Two arms on one base, with sites at their ends 1 m and 0.8 m out.
std::string WithEqualities(const std::string& equalities, const std::string& defaults = "") {
  return "<mujoco><default>" + defaults + R"(</default><worldbody>
    <body name="left" pos="0 1 0"><joint name="l" axis="0 0 1"/><geom size="0.1"/><site name="le" pos="1 0 0"/></body>
    <body name="right" pos="0 -1 0"><joint name="r" axis="0 0 1" ref="30"/><geom size="0.1"/>
      <site name="re" pos="0.8 0 0"/></body>
    <body name="ball" pos="2 0 0"><joint name="b" type="ball"/><geom size="0.1"/></body>
  </worldbody><equality>)" +
         equalities + "</equality></mujoco>";
}

const FrameLock& LockOf(const Model& model, int i = 0) {
  return std::get<FrameLock>(model.equalities.at(i).kind);
}

void ExpectRefused(const std::string& equalities, const std::string& message) {
  try {
    LoadText(WithEqualities(equalities));
    ADD_FAILURE() << "accepted: " << equalities;
  } catch (const LoadError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    EXPECT_GT(error.line(), 0);
  }
}

TEST(MjcfEquality, ConnectHoldsTheAnchorWhereItIsInTheFile) {
  const Model model =
      LoadText(WithEqualities("<connect name='c' body1='left' body2='right' anchor='0.5 0 0.2'/><connect "
                              "body1='left' anchor='0 0 1'/>"));
  ASSERT_EQ(model.num_equalities(), 2);
  EXPECT_EQ(model.FindEquality("c"), 0);
  EXPECT_EQ(model.equalities[0].num_rows, 3);
  const FrameLock& lock = LockOf(model);
  EXPECT_EQ(lock.locked, (std::array<bool, 6>{false, false, false, true, true, true}));
  EXPECT_TRUE(lock.a.X_BF.p.isApprox(Vector3d(0.5, 0, 0.2)));
  EXPECT_TRUE(lock.b.X_BF.p.isApprox(Vector3d(0.5, 2, 0.2)));
  EXPECT_EQ(LockOf(model, 1).b.body, 0);
  EXPECT_TRUE(LockOf(model, 1).b.X_BF.p.isApprox(Vector3d(0, 1, 1)));
}

TEST(MjcfEquality, SitesMeet) {
  const Model model =
      LoadText(WithEqualities("<connect site1='le' site2='re'/><weld site1='le' site2='re'/>"));
  EXPECT_TRUE(LockOf(model).a.X_BF.p.isApprox(Vector3d(1, 0, 0)));
  EXPECT_TRUE(LockOf(model).b.X_BF.p.isApprox(Vector3d(0.8, 0, 0)));
  EXPECT_EQ(model.equalities[1].num_rows, 6);
}

TEST(MjcfEquality, WeldHoldsThePoseInTheFileUnlessRelposeGivesOne) {
  const Model model =
      LoadText(WithEqualities("<weld body1='left' body2='right'/>"
                              "<weld body1='left' body2='right' relpose='1 2 3 0 0 0 2' anchor='0.1 0 0'/>"
                              "<weld body1='left' body2='right' relpose='9 9 9 0 0 0 0' active='false'/>"));
  EXPECT_TRUE(LockOf(model, 0).a.X_BF.p.isApprox(Vector3d(0, -2, 0)));
  EXPECT_TRUE(LockOf(model, 0).b.X_BF.p.isZero());
  // It is the anchor's pose in body1, not that of body2.
  EXPECT_TRUE(LockOf(model, 1).a.X_BF.p.isApprox(Vector3d(1, 2, 3)));
  EXPECT_TRUE(LockOf(model, 1).b.X_BF.p.isApprox(Vector3d(0.1, 0, 0)));
  EXPECT_NEAR(LockOf(model, 1).a.X_BF.R(0, 0), -1.0, 1e-14);
  EXPECT_TRUE(LockOf(model, 2).a.X_BF.p.isApprox(Vector3d(0, -2, 0)));
  EXPECT_FALSE(model.equalities[2].is_active);
}

TEST(MjcfEquality, JointsFollowFromTheirReferences) {
  const Model model = LoadText(WithEqualities(
      "<joint joint1='l' joint2='r' polycoef='0.1 2 3'/><joint joint1='r' polycoef='0.5 0 0 0 0'/>"));
  const auto& couple = std::get<JointPolynomial>(model.equalities[0].kind);
  EXPECT_EQ(couple.coefficients, (std::array<double, 5>{0.1, 2, 3, 0, 0}));
  EXPECT_EQ(couple.joint, model.FindJoint("l"));
  EXPECT_NEAR(couple.of_reference, 30.0 * 3.14159265358979 / 180.0, 1e-12);
  EXPECT_EQ(std::get<JointPolynomial>(model.equalities[1].kind).of_joint, -1);
}

TEST(MjcfEquality, DistancesAreThoseInTheFileUnlessGiven) {
  const Model model = LoadText(WithEqualities(
      "<distance site1='le' site2='re'/><distance body1='left' body2='right' distance='1.5'/>"));
  EXPECT_NEAR(std::get<PointDistance>(model.equalities[0].kind).distance, std::hypot(0.2, 2.0), 1e-14);
  EXPECT_EQ(std::get<PointDistance>(model.equalities[1].kind).distance, 1.5);
}

TEST(MjcfEquality, DefaultsReachThem) {
  const Model model =
      LoadText(WithEqualities("<connect body1='left' anchor='0 0 0'/>", "<equality active='false'/>"));
  EXPECT_FALSE(model.equalities[0].is_active);
}

TEST(MjcfEquality, LockKeepsTheMotionsThatItNames) {
  const Model model = LoadText(WithEqualities("<lock site1='le' site2='re' motions='rx y z'/>"));
  EXPECT_EQ(LockOf(model).locked, (std::array{true, false, false, false, true, true}));
  EXPECT_EQ(LockOf(model).a.body, model.FindBody("left"));
  EXPECT_EQ(LockOf(model).b.X_BF.p, Vector3d(0.8, 0, 0));
  EXPECT_EQ(model.num_equality_rows, 3);
}

TEST(MjcfEquality, RefusesWhatCannotBe) {
  ExpectRefused("<lock site1='le' motions='x'/>", "site2");
  ExpectRefused("<lock site1='le' site2='re'/>", "motions");
  ExpectRefused("<lock site1='le' site2='re' motions='x up'/>", "\"up\" is none of");
  ExpectRefused("<lock site1='le' site2='re' motions=''/>", "motion");
  ExpectRefused("<weld body1='left' body2='left'/>", "joins a body to itself");
  ExpectRefused("<weld body1='left' body2='nobody'/>", "unknown body \"nobody\"");
  ExpectRefused("<connect body1='left'/>", "anchor");
  ExpectRefused("<connect site1='le'/>", "site2");
  ExpectRefused("<connect site1='le' site2='xx'/>", "unknown site \"xx\"");
  ExpectRefused("<joint joint1='l' joint2='q'/>", "unknown joint \"q\"");
  ExpectRefused("<joint joint1='l' joint2='l'/>", "follow itself");
  ExpectRefused("<joint joint1='b'/>", "more than one coordinate");
  ExpectRefused("<distance body1='left' body2='right' distance='-1'/>", "positive");
  ExpectRefused("<distance geom1='left' geom2='right'/>", "distances of geoms are no equality");
}

}  // namespace
}  // namespace stiction

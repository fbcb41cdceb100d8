// <composite type="cable">: the bodies that it makes.
#include <gtest/gtest.h>

#include <numbers>

#include "stiction/math/rotation.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

std::string Cable(const std::string& attributes, const std::string& elements) {
  return "<mujoco><default><geom density='500'/><joint damping='3'/></default><worldbody>"
         "<composite type='cable' " +
         attributes + ">" + elements + "</composite></worldbody></mujoco>";
}

// Poses as MuJoCo 3.14 saves them, to six digits.
void ExpectPose(const Model& model, const char* name, const Vector3d& p, double w, double x, double y,
                double z) {
  const int body = model.FindBody(name);
  ASSERT_GE(body, 0) << name;
  const RigidTransform& X_PB = model.bodies[body].X_PB;
  EXPECT_LT((X_PB.p - p).norm(), 2e-6) << name;
  EXPECT_LT((X_PB.R - Quaterniond(w, x, y, z).normalized().toRotationMatrix()).norm(), 5e-6) << name;
}

TEST(MjcfComposite, CableFollowsItsVertices) {
  ImportReport report;
  const Model model = LoadText(Cable("prefix='A' vertex='0 0 0  0 0 1  0 1 1  1 1 1.5' initial='none'",
                                     "<geom type='box' size='.005 .01 .02' mass='0.2'/><skin/>"),
                               &report);
  ASSERT_EQ(model.num_bodies(), 4);
  ExpectPose(model, "AB_first", {0, 0, 0}, 0.707107, 0, -0.707107, 0);
  ExpectPose(model, "AB_1", {1, 0, 0}, 0.707107, 0, 0, 0.707107);
  ExpectPose(model, "AB_last", {1, 0, 0}, 0.707107, 0, 0.632456, -0.316228);
  ASSERT_EQ(model.num_joints(), 2);
  EXPECT_EQ(model.joints[0].name, "AJ_1");
  EXPECT_TRUE(std::holds_alternative<BallJoint>(model.joints[1].kind));
  EXPECT_EQ(model.joints[1].damping, 0.0) << "defaults of the file do not count";
  const auto& box = std::get<Box>(model.geoms.back().shape);
  EXPECT_LT((box.half_extents - Vector3d(0.559017, 0.01, 0.02)).norm(), 1e-6);
  EXPECT_EQ(model.bodies[3].inertia.mass, 0.2);
  EXPECT_EQ(model.excluded_bodies.size(), 2u);
  ASSERT_GE(model.FindFrame("AS_last"), 0);
  EXPECT_NEAR(model.frames[model.FindFrame("AS_last")].X_BF.p.x(), std::sqrt(1.25), 1e-12);
  EXPECT_TRUE(DescribeLosses(report).empty());
}

TEST(MjcfComposite, CableFollowsItsCurve) {
  const Model model = LoadText(Cable(
      "prefix='A' curve='s cos(s) sin(s)' count='5 1 1' size='1 .3 .5' offset='-.3 0 .6' initial='free'",
      "<joint kind='main' damping='.015' stiffness='0.1' armature='0.01'/><geom type='capsule' "
      "size='.005'/>"));
  ASSERT_EQ(model.num_bodies(), 5);
  ExpectPose(model, "AB_first", {-0.3, 0.3, 0.6}, -0.181753, 0.959056, -0.00196757, 0.217196);
  ExpectPose(model, "AB_1", {0.276047, 0, 0}, 0.996572, 0, 0, 0.0827257);
  ExpectPose(model, "AB_2", {0.276047, 0, 0}, 0.996572, 0, -0.0288682, 0.0775253);
  ExpectPose(model, "AB_last", {0.276047, 0, 0}, 0.996572, 0, -0.0541069, 0.0625778);
  ASSERT_EQ(model.num_joints(), 4);
  EXPECT_TRUE(model.joints[0].is_free());
  EXPECT_EQ(model.joints[0].stiffness, 0.1);
  EXPECT_EQ(model.joints[0].damping, 0.0);
  EXPECT_EQ(model.joints[3].damping, 0.015);
  EXPECT_EQ(model.joints[3].armature, 0.01);
  const double radius = 0.005, length = 0.276047;
  const double volume = std::numbers::pi * radius * radius * (length + 4.0 / 3.0 * radius);
  EXPECT_NEAR(model.bodies[2].inertia.mass, 1000.0 * volume, 1e-7);
}

TEST(MjcfComposite, StraightCablesTurnWithTheirFrame) {
  const Model model = LoadText(
      "<mujoco><worldbody><body name='p' pos='0 0 1' euler='0 0 30'><replicate count='2' offset='0 1 0'>"
      "<composite type='cable' curve='s' count='4' size='1' offset='-.3 0 .6'><geom type='cylinder' "
      "size='.01' "
      "mass='.1'/></composite></replicate></body></worldbody><sensor><framepos objtype='geom' objname='G21'/>"
      "<framepos objtype='site' objname='S_last0'/></sensor></mujoco>");
  ASSERT_EQ(model.num_bodies(), 8);
  ExpectPose(model, "B_first0", {-0.3, 0, 0.6}, 1, 0, 0, 0);
  ExpectPose(model, "B_first1", {-0.3, 1, 0.6}, 1, 0, 0, 0);
  ExpectPose(model, "B_last1", {1.0 / 3.0, 0, 0}, 1, 0, 0, 0);
  EXPECT_EQ(model.joints[0].name, "J_first0");
  ASSERT_EQ(model.sensors.size(), 2u);
  EXPECT_EQ(model.sensors[0].frame.body, model.FindBody("B_last1"));
}

TEST(MjcfComposite, WhatIsNoCableIsNamed) {
  ImportReport report;
  LoadText(
      "<mujoco><worldbody><composite type='particle' count='2 2 2'><geom size='.1'/></composite></worldbody>"
      "</mujoco>",
      &report);
  const ImportItem* item = FindItem(report, "composite");
  ASSERT_TRUE(item);
  EXPECT_EQ(item->status, ImportStatus::kIgnored);
  EXPECT_NE(item->why.find("<replicate>"), std::string::npos);
  const std::string geom = "<geom type='capsule' size='.01'/>";
  const std::pair<std::string, const char*> bad[] = {
      {Cable("curve='s' count='3'", ""), "needs a <geom>"},
      {Cable("curve='s' count='3'", "<geom size='.1'/>"), "capsules, cylinders or boxes"},
      {Cable("curve='s' count='3 2'", geom), "one dimension"},
      {Cable("curve='s' count='2.5'", geom), "count from 2"},
      {Cable("curve='s' count='1000000000'", geom), "count from 2"},
      {Cable("curve='tan(s)' count='3'", geom), "curve"},
      {Cable("curve='0 0' count='3'", geom), "coincide"},
      {Cable("vertex='0 0 0 1 0'", geom), "three numbers"},
      {Cable("vertex='0 0 0 1 0 0' offset='1e400 0 0'", geom), "offset"}};
  for (const auto& [text, why] : bad) EXPECT_NE(LoadFailure(text).find(why), std::string::npos) << text;
}

}  // namespace
}  // namespace stiction

// The tree, inertias, shapes and collision rules of URDF files.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

constexpr double kTight = 1e-14;

std::string Link(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name +
         "'><inertial><origin xyz='0 0 1'/><mass value='2'/>"
         "<inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial>" +
         inside + "</link>";
}

std::string Joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
         child + "'/>" + inside + "</joint>";
}

std::string Shape(const std::string& geometry, const std::string& origin = "0 0 0") {
  return "<collision><origin xyz='" + origin + "'/><geometry>" + geometry + "</geometry></collision>";
}

Model Load(const std::string& inside, const LoadOptions& options = {}, ImportReport* report = nullptr) {
  return LoadText("<robot name='r'>" + inside + "</robot>", report, options);
}

TEST(Urdf, FixedLinksFuseAndKeepTheirNamesAsFrames) {
  const Model model =
      Load(Link("base") + Link("arm") + Link("tool") +
           Joint("j", "revolute", "base", "arm", "<limit lower='-1' upper='2'/><axis xyz='0 1 0'/>") +
           Joint("f", "fixed", "arm", "tool", "<origin xyz='0 0 4' rpy='0 0 1.5707963267948966'/>"));
  ASSERT_EQ(model.num_bodies(), 2);
  const MassProperties& inertia = model.bodies[1].inertia;
  EXPECT_EQ(inertia.mass, 4.0);
  // Masses of 2 kg at z = 1 and 5: each is 2 m from the common centre at 3. The tool's x and y are exchanged.
  EXPECT_LT((inertia.p_BBcm - Vector3d(0, 0, 3)).norm(), kTight);
  EXPECT_LT((inertia.I_BBcm_B - Matrix3d(Vector3d(1 + 2 + 16, 2 + 1 + 16, 5).asDiagonal())).norm(), 1e-13);
  ASSERT_EQ(model.frames.size(), 2u);
  EXPECT_EQ(model.frames[0].name, "base");
  EXPECT_EQ(model.frames[0].body, 0);
  EXPECT_EQ(model.frames[1].name, "tool");
  EXPECT_LT((model.frames[1].X_BF.p - Vector3d(0, 0, 4)).norm(), kTight);
  EXPECT_EQ(model.joints[0].lower, -1.0);
  EXPECT_EQ(model.joints[0].upper, 2.0);
}

TEST(Urdf, RollPitchYawTurnAboutFixedAxes) {
  const Model model =
      Load(Link("a") + Link("b") +
           Joint("j", "continuous", "a", "b", "<origin rpy='1.5707963267948966 0 1.5707963267948966'/>"));
  // Roll takes y to z and z to -y; yaw then takes x to y and -y to x.
  Matrix3d expected;
  expected << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  EXPECT_LT((model.bodies[1].X_PB.R - expected).norm(), kTight);
  EXPECT_EQ(model.joints[0].axis_B, Vector3d::UnitX());
  EXPECT_FALSE(std::isfinite(model.joints[0].upper));
}

TEST(Urdf, JointsAreOrderedDepthFirstInTheOrderOfTheFile) {
  const Model model =
      Load(Link("d") + Link("c") + Link("b") + Link("a") + Joint("j2", "continuous", "b", "c") +
           Joint("j1", "continuous", "a", "b") + Joint("j3", "continuous", "a", "d"));
  ASSERT_EQ(model.num_joints(), 3);
  EXPECT_EQ(model.joints[0].name, "j1");
  EXPECT_EQ(model.joints[1].name, "j2");
  EXPECT_EQ(model.joints[2].name, "j3");
}

TEST(Urdf, PlanarJointIsTwoSlidesAndAHinge) {
  const Model model = Load(Link("a") + Link("b") + Joint("p", "planar", "a", "b", "<axis xyz='0 0 2'/>"));
  ASSERT_EQ(model.num_joints(), 3);
  EXPECT_TRUE(model.joints[0].is<SlideJoint>());
  EXPECT_TRUE(model.joints[1].is<SlideJoint>());
  EXPECT_TRUE(model.joints[2].is<HingeJoint>());
  EXPECT_EQ(model.joints[0].axis_B, Vector3d::UnitX());
  EXPECT_EQ(model.joints[1].axis_B, Vector3d::UnitY());
  EXPECT_EQ(model.joints[2].axis_B, Vector3d::UnitZ());
}

TEST(Urdf, FloatingBaseStandsOneMillimetreAboveTheGround) {
  const LoadOptions options{.floating_base = true, .ground = -0.5};
  const Model model =
      Load(Link("base", Shape("<box size='2 2 2'/>")) + Link("leg", Shape("<sphere radius='0.25'/>")) +
               Joint("j", "continuous", "base", "leg", "<origin xyz='0 0 -3'/>"),
           options);
  ASSERT_TRUE(model.joints[0].is<FreeJoint>());
  EXPECT_EQ(model.bodies[1].name, "base");
  // The sphere's lowest point, at -3.25, comes to -0.499.
  EXPECT_NEAR(model.q0[2], 2.751, kTight);
  const Geom& ground = model.geoms[0];
  EXPECT_EQ(ground.name, "ground");
  EXPECT_EQ(ground.body, 0);
  EXPECT_EQ(ground.X_BG.p.z(), -0.5);
  EXPECT_TRUE(model.PairCollides(0, 1));
  EXPECT_TRUE(model.PairCollides(0, 2));
}

TEST(Urdf, FloatingBaseFreesWhatHangsOnTheWorld) {
  const LoadOptions floating{.floating_base = true, .ground = {}};
  const std::string fixed = Joint("w", "fixed", "world", "a", "<origin xyz='1 2 3'/>");
  const Model model = Load(Link("a") + fixed, floating);
  ASSERT_EQ(model.num_joints(), 1);
  EXPECT_EQ(model.q0.head<3>(), Vector3d(1, 2, 3));
  EXPECT_THROW(Load(Link("a") + Link("b") + fixed + Joint("v", "fixed", "world", "b"), floating), LoadError);
  EXPECT_THROW(Load(Link("a") + Joint("w", "continuous", "world", "a"), floating), LoadError);
}

TEST(Urdf, AdjacentAndOverlappingLinksDoNotCollide) {
  ImportReport report;
  const std::string ball = Shape("<sphere radius='0.6'/>");
  const auto at = [](const char* x) { return std::string("<origin xyz='") + x + " 0 0'/>"; };
  const Model model = Load(Link("base", ball) + Link("l1", ball) + Link("l2", ball) + Link("l3", ball) +
                               Joint("j1", "continuous", "base", "l1", at("2")) +
                               Joint("j2", "continuous", "l1", "l2", at("2")) +
                               Joint("j3", "continuous", "l2", "l3", at("-1")),
                           {.floating_base = false, .ground = 0.0}, &report);
  // In the model's order: base and ground in the world, then l1, l2, l3 at x = 2, 4, 3.
  const auto collide = [&](int a, int b) { return model.PairCollides(a, b); };
  EXPECT_FALSE(collide(0, 2));  // base and l1: adjacent
  EXPECT_TRUE(collide(1, 2));   // the ground is nobody's neighbour
  EXPECT_TRUE(collide(0, 3));
  EXPECT_FALSE(collide(2, 3));  // adjacent
  EXPECT_FALSE(collide(2, 4));  // 1 m apart with radii of 0.6 m
  EXPECT_FALSE(collide(3, 4));  // adjacent
  const ImportItem* overlap = FindItem(report, "link");
  ASSERT_NE(overlap, nullptr);
  EXPECT_NE(overlap->why.find("\"l3\" and \"l1\" overlap"), std::string::npos);
}

TEST(Urdf, BoxesAreTestedAlongTheirOwnAxes) {
  // A rod of 2 m turned by 45 degrees passes a cube that its axis-aligned bounding box would hit.
  const std::string rod =
      "<collision><origin rpy='0 0 0.7853981633974483'/><geometry><box size='2 0.1 0.1'/>"
      "</geometry></collision>";
  const std::string tail = Link("mid") + Joint("j1", "continuous", "rod", "mid") +
                           Joint("j2", "continuous", "mid", "cube", "<origin xyz='0.5 -0.5 0'/>");
  const Model apart = Load(Link("root") + Joint("j0", "continuous", "root", "rod") + Link("rod", rod) +
                           Link("cube", Shape("<box size='0.4 0.4 0.4'/>")) + tail);
  EXPECT_TRUE(apart.PairCollides(0, 1));
  const Model overlapping = Load(Link("root") + Joint("j0", "continuous", "root", "rod") + Link("rod", rod) +
                                 Link("cube", Shape("<box size='1 1 0.4'/>")) + tail);
  EXPECT_FALSE(overlapping.PairCollides(0, 1));
}

}  // namespace
}  // namespace stiction

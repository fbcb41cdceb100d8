// Defaults, joints, actuators and keyframes of MJCF files.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

constexpr double kOneDegree = M_PI / 180.0;

TEST(MjcfDefaults, NestedClassesInheritAndElementsOverride) {
  const Model model = LoadBody(
      "<geom/><geom class='small'/><geom class='small' size='0.05'/>"
      "<body childclass='small'><geom/><geom class='main'/></body>",
      "<default><geom size='0.3' friction='0.5 0.1'/>"
      "<default class='small'><geom size='0.1'/></default></default>");
  const double radii[] = {0.3, 0.1, 0.05, 0.1, 0.3};
  for (int g = 0; g < 5; ++g) {
    EXPECT_EQ(std::get<Sphere>(model.geoms[g].shape).radius, radii[g]) << g;
    EXPECT_EQ(model.geoms[g].friction, 0.5);
  }
}

TEST(MjcfDefaults, SectionsMergeAndNestedClassesSeeAllOfTheirParent) {
  const Model model = LoadBody("<geom class='late'/>",
                               "<default><geom condim='1'/></default>"
                               "<default><default class='late'><geom size='0.2'/></default>"
                               "<geom priority='7'/></default>");
  EXPECT_EQ(model.geoms[0].condim, 1);
  EXPECT_EQ(model.geoms[0].priority, 7);
}

TEST(MjcfDefaults, FewerSizesLeaveTheOthersAsTheDefaultHasThem) {
  const Model model = LoadBody("<geom type='box' size='0.1'/>", "<default><geom size='1 2 3'/></default>");
  EXPECT_EQ(std::get<Box>(model.geoms[0].shape).half_extents, Vector3d(0.1, 2, 3));
}

TEST(MjcfDefaults, FreeJointTakesNoDefaultsButJointOfTypeFreeDoes) {
  const std::string defaults = "<default><joint damping='3' armature='2' limited='true'/></default>";
  EXPECT_EQ(LoadBody("<freejoint/><geom size='1'/>", defaults).joints[0].damping, 0.0);
  const Model model = LoadBody("<joint type='free'/><geom size='1'/>", defaults);
  EXPECT_EQ(model.joints[0].damping, 3.0);
  EXPECT_EQ(model.joints[0].armature, 2.0);
}

TEST(MjcfJoint, AnglesAreDegreesUnlessTheCompilerSaysRadian) {
  const std::string joints =
      "<joint type='hinge' range='-30 60' ref='10' springref='20'/><joint type='slide' range='-1 2' ref='3'/>"
      "<geom size='1'/>";
  const Model degrees = LoadBody(joints);
  EXPECT_DOUBLE_EQ(degrees.joints[0].lower, -30 * kOneDegree);
  EXPECT_DOUBLE_EQ(degrees.joints[0].upper, 60 * kOneDegree);
  EXPECT_DOUBLE_EQ(degrees.joints[0].reference(), 10 * kOneDegree);
  EXPECT_DOUBLE_EQ(degrees.joints[0].spring_reference, 20 * kOneDegree);
  EXPECT_EQ(degrees.joints[1].upper, 2.0);
  EXPECT_EQ(degrees.q0[1], 3.0);
  EXPECT_EQ(LoadBody(joints, "<compiler angle='radian'/>").joints[0].lower, -30.0);
}

TEST(MjcfJoint, RangesLimitByThemselvesOrWhenSaid) {
  const Model model = LoadBody(
      "<joint range='0 1'/><joint range='0 1' limited='false'/><joint/><geom size='1'/>"
      "<body><joint type='ball' range='0 90'/><geom size='1'/></body>");
  EXPECT_TRUE(std::isfinite(model.joints[0].upper));
  EXPECT_FALSE(std::isfinite(model.joints[1].upper));
  EXPECT_FALSE(std::isfinite(model.joints[2].upper));
  EXPECT_DOUBLE_EQ(model.joints[3].upper, 90 * kOneDegree);
}

TEST(MjcfActuator, ShortcutsBecomeGainAndBias) {
  const Model model =
      LoadBody("<joint name='j'/><geom size='1'/>",
               "<actuator><motor joint='j' gear='5' ctrlrange='-1 1'/>"
               "<position joint='j' kp='100' kv='7' forcerange='-2 3'/><velocity joint='j' kv='9'/>"
               "<general joint='j' gaintype='affine' gainprm='1 2 3' biastype='affine' "
               "biasprm='4 5 6'/><damper joint='j' kv='2'/></actuator>");
  using Three = std::array<double, 3>;
  ASSERT_EQ(model.nu(), 5);
  EXPECT_EQ(model.actuators[0].gear[0], 5.0);
  EXPECT_EQ(model.actuators[0].ctrl_upper, 1.0);
  EXPECT_EQ(model.actuators[1].gain, (Three{100, 0, 0}));
  EXPECT_EQ(model.actuators[1].bias, (Three{0, -100, -7}));
  EXPECT_EQ(model.actuators[1].force_upper, 3.0);
  EXPECT_FALSE(std::isfinite(model.actuators[1].ctrl_upper));
  EXPECT_EQ(model.actuators[2].gain, (Three{9, 0, 0}));
  EXPECT_EQ(model.actuators[2].bias, (Three{0, 0, -9}));
  EXPECT_EQ(model.actuators[3].gain, (Three{1, 2, 3}));
  EXPECT_EQ(model.actuators[3].bias, (Three{4, 5, 6}));
  EXPECT_EQ(model.actuators[4].gain, (Three{0, 0, -2}));
}

TEST(MjcfActuator, KindsShareTheDefaultsOfTheirClass) {
  const Model model =
      LoadBody("<joint name='j'/><geom size='1'/>",
               "<default><general ctrlrange='-3 3'/><default class='stiff'>"
               "<position kp='50' kv='4'/></default></default>"
               "<actuator><position class='stiff' joint='j'/><position class='stiff' joint='j' kp='8'/>"
               "<motor class='stiff' joint='j'/></actuator>");
  EXPECT_EQ(model.actuators[0].gain[0], 50.0);
  EXPECT_EQ(model.actuators[0].bias[2], -4.0);
  EXPECT_EQ(model.actuators[1].bias[1], -8.0);
  EXPECT_EQ(model.actuators[1].bias[2], -4.0);
  EXPECT_EQ(model.actuators[2].gain[0], 1.0);
  EXPECT_EQ(model.actuators[2].bias[1], 0.0);
  for (const Actuator& actuator : model.actuators) EXPECT_EQ(actuator.ctrl_upper, 3.0);
}

TEST(MjcfKeyframe, ControlsOfActuatorsThatAreNotSimulatedDropOut) {
  ImportReport report;
  const Model model =
      LoadBody("<joint name='j'/><geom size='1'/>",
               "<actuator><motor joint='j'/><plugin joint='j'/><motor joint='j'/></actuator>"
               "<keyframe><key name='home' time='2' qpos='0.5' qvel='-1' ctrl='1 2 3'/></keyframe>",
               &report);
  ASSERT_EQ(model.nu(), 2);
  const Keyframe* home = model.FindKeyframe("home");
  ASSERT_NE(home, nullptr);
  EXPECT_EQ(home->time, 2.0);
  EXPECT_EQ(home->q[0], 0.5);
  EXPECT_EQ(home->v[0], -1.0);
  EXPECT_EQ(home->ctrl, Eigen::Vector2d(1, 3));
  EXPECT_EQ(FindItem(report, "key[@ctrl]")->status, ImportStatus::kApproximated);
  EXPECT_EQ(FindItem(report, "plugin")->status, ImportStatus::kIgnored);
}

TEST(MjcfKeyframe, MocapPosesAreInterleaved) {
  const Model model = LoadText(
      "<mujoco><worldbody><body name='a' mocap='true' pos='1 0 0'><geom size='1'/></body>"
      "<body name='b' mocap='true'><geom size='1'/></body></worldbody>"
      "<keyframe><key mpos='1 2 3 4 5 6' mquat='0 2 0 0 1 0 0 0'/></keyframe></mujoco>");
  VectorXd expected(14);
  expected << 1, 2, 3, 0, 1, 0, 0, 4, 5, 6, 1, 0, 0, 0;
  EXPECT_EQ(model.num_mocap, 2);
  EXPECT_EQ(model.keyframes[0].mocap, expected);
}

TEST(MjcfOption, BodiesSleepWhereTheFlagEnablesIt) {
  const std::string body = "<joint/><geom size='1'/>";
  EXPECT_FALSE(LoadBody(body).options.sleep);
  const Model model = LoadBody(body, "<option sleep_tolerance='2e-3'><flag sleep='enable'/></option>");
  EXPECT_TRUE(model.options.sleep);
  EXPECT_EQ(model.options.sleep_tolerance, 2e-3);
  EXPECT_THROW(LoadBody(body, "<option sleep_tolerance='0'/>"), LoadError);
  const Model watch = LoadText(
      "<mujoco><worldbody><body sleep='never'><freejoint/><geom size='1'/></body>"
      "<body sleep='allowed'><joint/><geom size='1'/></body></worldbody></mujoco>");
  EXPECT_FALSE(watch.trees.at(0).may_sleep);
  EXPECT_TRUE(watch.trees.at(1).may_sleep);
}

TEST(MjcfOption, FlagsSwitchOff) {
  const Model model =
      LoadBody("<joint range='0 1' stiffness='3' damping='2'/><geom size='1'/>",
               "<option timestep='0.01' gravity='0 0 -1'><flag contact='disable' gravity='disable' "
               "limit='disable' spring='disable'/></option>");
  EXPECT_EQ(model.options.timestep, 0.01);
  EXPECT_EQ(model.options.gravity, Vector3d::Zero());
  EXPECT_FALSE(model.geoms[0].collides());
  EXPECT_FALSE(std::isfinite(model.joints[0].upper));
  EXPECT_EQ(model.joints[0].stiffness, 0.0);
  EXPECT_EQ(model.joints[0].damping, 2.0);
}

}  // namespace
}  // namespace stiction

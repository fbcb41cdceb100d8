// joint[@springdamper].
#include "io/mjcf/spring_damper.h"

#include <gtest/gtest.h>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

// A body on one joint: the inertia is its own. It then moves as it was asked to.
TEST(MjcfSpringDamper, GivesOneJointItsTimeConstantAndDampingRatio) {
  ImportReport report;
  const Model model = LoadBody(
      "<joint axis='0 1 0' armature='0.5' springdamper='0.2 0.7' stiffness='9 7' damping='9 0 5'/>"
      "<inertial pos='0 0 -1' mass='2' diaginertia='0.1 0.3 0.1'/>",
      "", &report);
  const double inertia = 0.3 + 2.0 + 0.5, T = 0.2, zeta = 0.7;
  const Joint& joint = model.joints[0];
  EXPECT_NEAR(joint.damping, 2.0 * inertia / T, 1e-12);
  EXPECT_NEAR(joint.damping / (2.0 * std::sqrt(joint.stiffness * inertia)), zeta, 1e-12);
  // What is not linear stays, as in MuJoCo.
  EXPECT_EQ(joint.stiffness_polynomial[0], 7.0);
  EXPECT_EQ(joint.damping_polynomial[1], 5.0);
  EXPECT_EQ(FindItem(report, "joint[@springdamper]")->status, ImportStatus::kHonoured);
}

// Two hinges in a row, the second arm bent at q0: M by hand, with a unit mass at the end of each arm of 1 m.
TEST(MjcfSpringDamper, TakesTheInertiaOfTheWholeMechanism) {
  const Model model = LoadText(R"(<mujoco><worldbody><body>
    <joint name="a" axis="0 1 0" springdamper="1 1"/><geom size="0.001" mass="1" pos="1 0 0"/>
    <body pos="1 0 0" euler="0 90 0">
      <joint name="b" axis="0 1 0" springdamper="1 1"/><geom size="0.001" mass="1" pos="1 0 0"/>
    </body></body></worldbody></mujoco>)");
  // Turned by 90 degrees the arms are square to one another: M = [1 + 2, 1; 1, 1].
  const double determinant = 3.0 * 1.0 - 1.0;
  EXPECT_NEAR(model.joints[0].stiffness, determinant / 1.0, 1e-5);
  EXPECT_NEAR(model.joints[1].stiffness, determinant / 3.0, 1e-5);
}

// The mean over the dofs of a ball; a flag takes the damper away, and a zero asks for nothing.
TEST(MjcfSpringDamper, OfBallsAndWithFlags) {
  const std::string body = "<inertial pos='0 0 0' mass='1' diaginertia='1 2 2.5'/>";
  const Joint ball =
      LoadBody("<joint type='ball' springdamper='2 1'/>" + body, "<option><flag damper='disable'/></option>")
          .joints[0];
  EXPECT_NEAR(ball.stiffness, 3.0 / (1.0 + 0.5 + 0.4) / 4.0, 1e-12);
  EXPECT_EQ(ball.damping, 0.0);
  EXPECT_EQ(LoadBody("<joint springdamper='0 1' stiffness='3'/>" + body).joints[0].stiffness, 3.0);
}

// By MuJoCo's definition the armature of tendons counts: M + a JᵀJ, without products of dofs on different
// branches. The arms as above, M = [3, 1; 1, 1], and their mirror image beside them.
TEST(MjcfSpringDamper, FeelsTheArmatureOfTendons) {
  const auto load = [](const std::string& tendon) {
    const auto arms = [](const std::string& a, const std::string& b) {
      return "<body><joint name='" + a + "' axis='0 1 0' springdamper='1 1'/>" +
             "<inertial pos='1 0 0' mass='1' diaginertia='1e-9 1e-9 1e-9'/><site name='" + a +
             "' pos='1 0 0'/>" + "<body pos='1 0 0' euler='0 90 0'><joint name='" + b +
             "' axis='0 1 0' springdamper='1 1'/>" +
             "<inertial pos='1 0 0' mass='1' diaginertia='1e-9 1e-9 1e-9'/><site name='" + b +
             "' pos='1 0 0'/></body></body>";
    };
    return LoadText("<mujoco><worldbody><site name='o' pos='0 0 -2'/>" + arms("a", "b") + arms("c", "d") +
                    "</worldbody><tendon>" + tendon + "</tendon></mujoco>");
  };
  // Along one branch: M = [3 + a p², 1 + a p q; 1 + a p q, 1 + a q²].
  const double a = 0.7, p = 0.6, q = -1.3;
  const Model along =
      load("<fixed armature='.7'><joint joint='a' coef='.6'/><joint joint='b' coef='-1.3'/></fixed>");
  const double upper = 3.0 + a * p * p, lower = 1.0 + a * q * q, off = 1.0 + a * p * q;
  EXPECT_NEAR(along.joints[0].stiffness, upper - off * off / lower, 1e-7);
  EXPECT_NEAR(along.joints[1].damping, 2.0 * (lower - off * off / upper), 1e-7);
  EXPECT_NEAR(along.joints[2].stiffness, 2.0, 1e-7) << "no tendon acts there";
  // Across branches each dof feels its own share.
  const Model across =
      load("<fixed armature='.7'><joint joint='a' coef='.6'/><joint joint='d' coef='-1.3'/></fixed>");
  EXPECT_NEAR(across.joints[0].stiffness, upper - 1.0, 1e-7);
  EXPECT_NEAR(across.joints[3].stiffness, lower - 1.0 / 3.0, 1e-7);
  // From (0, 0, -2), after a pulley, to the tip of the first arm at (1, 0, 0): the length grows by u·(0, 0,
  // -1) where that hinge turns, u = (1, 0, 2)/√5.
  const Model straight = load(
      "<spatial armature='5'><site site='c'/><site site='c'/><pulley divisor='2'/><site site='o'/>"
      "<site site='a'/></spatial>");
  EXPECT_NEAR(straight.joints[0].stiffness, 2.0 + 5.0 * 0.25 * 4.0 / 5.0, 1e-7);
  EXPECT_NEAR(straight.joints[2].stiffness, 2.0, 1e-7);
}

}  // namespace
}  // namespace stiction

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
      "<joint axis='0 1 0' armature='0.5' springdamper='0.2 0.7' stiffness='9 9'/>"
      "<inertial pos='0 0 -1' mass='2' diaginertia='0.1 0.3 0.1'/>",
      "", &report);
  const double inertia = 0.3 + 2.0 + 0.5, T = 0.2, zeta = 0.7;
  const Joint& joint = model.joints[0];
  EXPECT_NEAR(joint.damping, 2.0 * inertia / T, 1e-12);
  EXPECT_NEAR(joint.damping / (2.0 * std::sqrt(joint.stiffness * inertia)), zeta, 1e-12);
  EXPECT_EQ(joint.stiffness_polynomial[0], 0.0);
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

}  // namespace
}  // namespace stiction

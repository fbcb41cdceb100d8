// What hands do to bodies in the window beyond pulling them: servos that hold a robot without actuators, and
// what the menu of a body does.
#include <cmath>

#include "window.h"

namespace stiction {
namespace {

using Json = nlohmann::json;

// An arm of two links without actuators, which would fall, and a ball; gravity pulls down.
constexpr const char* kLimpArm = R"(<mujoco model="limp">
  <compiler angle="radian"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="ball" pos="0 -0.6 0.2"><freejoint/><geom type="sphere" size="0.2" mass="1"/></body>
    <body name="upper" pos="0 0.3 1">
      <joint name="shoulder" axis="1 0 0" range="-2 2"/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0 0.4 0" mass="1"/>
      <body name="lower" pos="0 0.4 0">
        <joint name="elbow" axis="1 0 0" range="-2 2"/>
        <geom type="capsule" size="0.05" fromto="0 0 0 0 0.4 0" mass="1"/>
      </body>
    </body>
  </worldbody>
</mujoco>
)";

class HandsWindow : public testing::WindowTest {
 protected:
  void OpenLimpArm() {
    Write("limp.xml", kLimpArm);
    Open({"limp.xml", "--paused", "--camera", "0,0,4,0,0,0.5"});
  }
  // A body's menu, by its name in the tree of the model.
  void OpenMenu(const std::string& body) {
    const auto [x, y] = Find("Model/" + body);
    ClickAt(x, y, 3);
  }
  // The name of the one that ends so, once it is there.
  std::string FindControl(const std::string& end) {
    std::string name;
    EXPECT_TRUE(Wait([&](const Json& s) {
      for (const auto& [control, place] : s["controls"].items())
        if (control.ends_with(end)) name = control;
      return !name.empty();
    })) << end;
    return name;
  }
  static double Joint(const Json& state, std::size_t index) { return state["qpos"][7 + index]; }
};

TEST_F(HandsWindow, ServosHoldARobotWithoutActuators) {
  OpenLimpArm();
  ShowPanel("4", "Controls");
  Click("Controls/Hold by servos");
  ASSERT_TRUE(Wait([](const Json& s) { return s["held"] == 9; })) << "an entry for each of qpos";
  Press("space");
  ASSERT_TRUE(Wait([](const Json& s) { return s["time"] > 0.5; }));
  for (const std::size_t joint : {0u, 1u}) EXPECT_NEAR(Joint(State(), joint), 0.0, 0.1);
  const auto [x, y] = Find("Controls/elbow", 0.75);
  ClickAt(x, y);
  EXPECT_TRUE(Wait([](const Json& s) { return std::abs(Joint(s, 1) - 1.0) < 0.3; })) << "moved by its servo";
  EXPECT_NEAR(Joint(State(), 0), 0.0, 0.2);
  Click("Controls/Hold by servos");
  EXPECT_TRUE(Wait([](const Json& s) { return s["held"] == 0 && Joint(s, 0) < -1.0; })) << "limp, it falls";
}

TEST_F(HandsWindow, TheMenuShowsABodyAlonePlotsAndPullsIt) {
  OpenLimpArm();
  OpenMenu("upper");
  ClickEntry("/Show it alone, with what hangs on it");
  EXPECT_TRUE(Wait([](const Json& s) { return s["hidden_bodies"] == 2; })) << "the ball and the world";
  OpenMenu("upper");
  ClickEntry("/Show all that is hidden");
  OpenMenu("ball");
  ClickEntry("/Plot position");
  EXPECT_TRUE(Wait([](const Json& s) {
    return s["plots"] == Json::parse(R"([["body:ball.x", "body:ball.y", "body:ball.z"]])");
  })) << State()["plots"];
  OpenMenu("ball");
  ClickEntry("/Pull with a force or moment");
  const std::string force = FindControl("/Force");
  const auto [x, y] = Find(force, 0.1);  // its first number
  ClickAt(x, y);
  Do("type 50");
  PressHeld("Return");
  ClickEntry("/Pull");
  Press("space");
  EXPECT_TRUE(Wait([](const Json& s) { return s["pull_N"] == 50.0 && s["qpos"][0] > 0.2; }))
      << State()["pull_N"] << State()["qpos"];
  EXPECT_NEAR(State()["qpos"][1].get<double>(), -0.6, 0.01) << "along x alone";
  OpenMenu("ball");
  ClickEntry("/Stop pulling");
  EXPECT_TRUE(Wait([](const Json& s) { return s["pull_N"] == 0.0; }));
}

}  // namespace
}  // namespace stiction

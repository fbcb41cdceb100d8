// The timeline, plots, comparisons and the panel of scenarios in the window.
#include <cmath>

#include "window.h"

namespace stiction {
namespace {

using testing::PictureFile;
using Json = nlohmann::json;

// An arm that hangs, and a box on the floor.
constexpr const char* kArmAndBox = R"(<mujoco model="arm_and_box">
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="box" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1"/></body>
    <body name="arm" pos="0 1 1.2">
      <joint name="elbow" axis="1 0 0"/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0 0.6 0" mass="1"/>
    </body>
  </worldbody>
</mujoco>
)";
constexpr const char* kScenarioOfIt =
    R"(<scenario name="arm_and_box" duration="2" timestep="0.002" budget="1e-8">
  <model file="arm_and_box.xml" name="all"/>
  <expect what="penetration" max="1e-5"/>
  <expect what="speed" of="all/arm" max="-1"/>
</scenario>
)";

class TimelineWindow : public testing::WindowTest {
 protected:
  void OpenScenario(std::vector<std::string> more = {}) {
    Write("arm_and_box.xml", kArmAndBox);
    Write("scenario.xml", kScenarioOfIt);
    more.insert(more.begin(), {"scenario.xml", "--paused"});
    Open(more);
  }
  void TakeSteps(int count) {
    std::string keys;
    for (int i = 0; i < count; ++i) keys += " Right";
    Do("key --delay 25" + keys);
    ASSERT_TRUE(Wait([count](const Json& s) { return s["steps"] == count; }));
  }
  std::array<int, 3> PixelAt(const PictureFile& picture, const std::string& control, double x, double y) {
    const Json place = State()["controls"][control];
    const auto pixel = picture.at(static_cast<int>(place[0].get<double>() + x * place[2].get<double>()),
                                  static_cast<int>(place[1].get<double>() + y * place[3].get<double>()));
    return {pixel[0], pixel[1], pixel[2]};
  }
};

TEST_F(TimelineWindow, SeeksZoomsAndBookmarks) {
  OpenScenario();
  TakeSteps(60);
  EXPECT_EQ(State()["time_window"], Json({0.0, 2.0})) << "as far as the scenario goes";
  // A twentieth of 2 s.
  const auto [x, y] = Find("Timeline/Strip", 0.05);
  ClickAt(x, y);
  ASSERT_TRUE(Wait([](const Json& s) { return std::abs(s["time"].get<double>() - 0.1) < 0.003; }))
      << State()["time"];
  const double time = State()["time"];
  EXPECT_EQ(State()["history"][1], 61) << "what comes later is kept";
  Press("b");
  ASSERT_TRUE(Wait([&](const Json& s) { return s["bookmarks"] == Json({time}); }));
  Click("Timeline/To the end");
  ASSERT_TRUE(Wait([](const Json& s) { return s["steps"] == 60; }));
  MoveTo(640.0, 200.0);  // or the button's hint would cover it
  // In the lane of the certificate: green until there, and nothing after it.
  const PictureFile picture = Look();
  const auto done = PixelAt(picture, "Timeline/Strip", 0.03, 0.71);
  EXPECT_GT(done[1], done[0] + 40) << "within the budget";
  const auto ahead = PixelAt(picture, "Timeline/Strip", 0.5, 0.71);
  EXPECT_LT(std::abs(ahead[1] - ahead[0]), 20);
  Press("p");
  EXPECT_TRUE(Wait([&](const Json& s) { return s["time"] == time; }));
  MoveTo(x, y);
  Do("click 4");
  EXPECT_TRUE(Wait([](const Json& s) { return s["time_window"][1] < 2.0; }));
  WaitForFrame();
  Click("Timeline/all");
  EXPECT_TRUE(Wait([](const Json& s) { return s["time_window"][1] == 2.0; }));
  Do("key ctrl+q");
  ASSERT_TRUE(WaitForEnd());
  OpenScenario();
  EXPECT_EQ(State()["bookmarks"], Json({time})) << "kept with the file";
}

TEST_F(TimelineWindow, SignalsAreDraggedIntoPlotsAndExported) {
  OpenScenario();
  TakeSteps(20);
  Press("F2");
  Click("Plots/Joints");
  WaitForFrame();
  ASSERT_TRUE(Wait([](const Json& s) { return s["controls"].contains("Plots/q:all/elbow"); }));
  const auto [x, y] = Find("Plots/q:all/elbow");
  const auto [to_x, to_y] = Find("Plots/New plot");
  DragFrom(x, y, to_x - x, to_y - y, 1);
  ASSERT_TRUE(Wait([](const Json& s) {
    return s["plots"] == Json::array({Json::array({"q:all/elbow"})}) && s["signals"]["q:all/elbow"] == 21;
  })) << State()["plots"];
  Click("Plots/Step");
  ASSERT_TRUE(Wait([](const Json& s) { return s["controls"].contains("Plots/of the step:energy"); }));
  const auto [energy_x, energy_y] = Find("Plots/of the step:energy");
  const auto [plot_x, plot_y] = Find("Plots/Plot 1");
  DragFrom(energy_x, energy_y, plot_x - energy_x, plot_y - energy_y, 1);
  ASSERT_TRUE(Wait([](const Json& s) { return s["plots"][0].size() == 2; })) << "the second into the first";
  Click("Plots/Export SVG");
  ASSERT_TRUE(Wait([&](const Json&) { return Exists("arm_and_box_plot_0001.svg"); }));
  const std::string svg = Read("arm_and_box_plot_0001.svg");
  EXPECT_NE(svg.find(">q:all/elbow<"), std::string::npos);
  EXPECT_NE(svg.find("[rad, J]"), std::string::npos);
  Click("Notice/Dismiss");
  Click("Plots/Export CSV");
  ASSERT_TRUE(Wait([&](const Json&) { return Exists("arm_and_box_plot_0001.csv"); }));
  const std::string table = Read("arm_and_box_plot_0001.csv");
  EXPECT_EQ(table.substr(0, table.find('\n')), "time,q:all/elbow,time,energy");
}

// Of a log in HDF5 and of a table, which holds no contact points but how deep they are.
TEST_F(TimelineWindow, WhatIsExpectedIsJudgedOfALogToo) {
  Write("arm_and_box.xml", kArmAndBox);
  Write("scenario.xml",
        R"(<scenario name="arm_and_box" duration="0.02" timestep="0.002" budget="1e-8">
  <model file="arm_and_box.xml" name="all"/>
  <expect what="penetration" max="1e-5"/><expect what="speed" of="all/arm" max="10"/>
  <expect what="contacts" of="all/box" from="0.002" to="0.01" min="0"/></scenario>)");
  RunStiction("run scenario.xml --log run.h5");
  RunStiction("run scenario.xml --log run.csv");
  const auto has = [](const std::string& mark) {
    return [mark](const Json& s) { return s["controls"].contains("Scenario/" + mark); };
  };
  Open({"run.h5", "--paused"});
  Press("F4");
  EXPECT_TRUE(Wait(has("verdict: so far so good")));
  Click("Timeline/To the end");
  EXPECT_TRUE(Wait(has("verdict: passed"))) << State()["controls"].dump();
  Open({"run.csv", "--model", "scenario.xml", "--paused"});
  Press("F4");
  Click("Timeline/To the end");
  EXPECT_TRUE(Wait(has("verdict: passed as far as the log says"))) << State()["controls"].dump();
  EXPECT_TRUE(has("penetration: good")(State()));
}

TEST_F(TimelineWindow, TwoSolversStandSideBySideAndExpectationsAreJudged) {
  OpenScenario({"--compare", "pgs_ncp"});
  Press("F4");
  TakeSteps(5);
  const Json state = State();
  EXPECT_EQ(state["companion"]["name"], "pgs_ncp");
  EXPECT_EQ(state["companion"]["steps"], 5);
  EXPECT_EQ(state["companion"]["time"], state["time"]);
  EXPECT_TRUE(state["controls"].contains("Scenario/penetration: good")) << state["controls"].dump();
  EXPECT_TRUE(state["controls"].contains("Scenario/speed of all/arm: bad"));
  EXPECT_TRUE(state["controls"].contains("Scenario/verdict: failing"));
  Press("F4");
  // The same scene in both halves.
  const PictureFile picture = Look();
  const Json left = State()["picture"];
  int num_equal = 0;
  for (int i = 1; i < 20; ++i) {
    const int x = static_cast<int>(left[0].get<double>() + 0.05 * i * left[2].get<double>());
    const int y = static_cast<int>(left[1].get<double>() + 0.4 * left[3].get<double>());
    num_equal += picture.at(x, y) == picture.at(x + static_cast<int>(left[2].get<double>()) + 2, y);
  }
  EXPECT_GE(num_equal, 17);
  EXPECT_EQ(state["gl_errors"], 0);
}

}  // namespace
}  // namespace stiction

// The viewer's window, driven by pointer and keys under a virtual display: what happens to the simulation,
// what is written to files, what is seen.
#include "window.h"

#include <cmath>

#include "file_drop.h"

namespace stiction {
namespace {

using testing::PictureFile;
using testing::WindowTest;
using Json = nlohmann::json;

// A ball (the palette's first colour: blue) far above the floor, an arm with a motor; no gravity, so that
// what moves was moved. The window shows them from the front: y to the right, z up.
constexpr const char* kScene = R"(<mujoco model="things">
  <option gravity="0 0 0"/>
  <compiler angle="radian"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1" pos="0 0 -2"/>
    <body name="ball" pos="0 0 0"><freejoint/><geom type="sphere" size="0.5" mass="1"/></body>
    <body name="arm" pos="0 1.2 0">
      <joint name="elbow" axis="1 0 0" range="-2 2" damping="1"/>
      <geom type="capsule" size="0.1" fromto="0 0 0 0 0 0.6" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="elbow" ctrlrange="-3 3"/></actuator>
  <keyframe><key name="bent" qpos="0 0 0 1 0 0 0 1.25"/></keyframe>
</mujoco>
)";

constexpr const char* kStack = R"(<mujoco model="stack">
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="lower" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1"/></body>
    <body name="upper" pos="0 0 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="10"/></body>
  </worldbody>
</mujoco>
)";

double Elbow(const Json& state) {
  return state["qpos"][7];
}

class Window : public WindowTest {
 protected:
  void OpenThings(std::vector<std::string> more = {}) {
    Write("things.xml", kScene);
    more.insert(more.begin(), {"things.xml", "--paused", "--camera", "0,0,6"});
    Open(more);
  }
  void OpenFile(const std::string& file) { Open({file, "--paused"}); }
  // Where a point of the plane x = 0 is seen.
  static std::pair<double, double> Seen(const Json& state, double y, double z) {
    // From a distance of 6 m at half a vertical angle of 0.35; the target is the middle of the bounds.
    const Json& place = state["picture"];
    const double height = place[3],
                 focal = 0.5 * height / std::tan(0.35) / state["camera"]["distance"].get<double>();
    const Json& target = state["camera"]["target"];
    return {place[0].get<double>() + 0.5 * place[2].get<double>() + focal * (y - target[1].get<double>()),
            place[1].get<double>() + 0.5 * height - focal * (z - target[2].get<double>())};
  }
};

TEST_F(Window, SpaceRunsAndPausesAndRightSteps) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused"});
  EXPECT_EQ(State()["steps"], 0);
  Press("Right");
  Press("Right");
  EXPECT_TRUE(Wait([](const Json& state) { return state["steps"] == 2; }));
  Press("space");
  EXPECT_TRUE(Wait([](const Json& state) { return state["is_running"] == true && state["steps"] > 20; }));
  Press("space");
  EXPECT_TRUE(Wait([](const Json& state) { return state["is_running"] == false; }));
  Press("BackSpace");
  EXPECT_TRUE(Wait([](const Json& state) { return state["steps"] == 0 && state["time"] == 0.0; }));
  EXPECT_EQ(State()["gl_errors"], 0);
}

TEST_F(Window, WhatRestsIsDrawnSharpWhileItRuns) {
  Write("stack.xml", kStack);
  is_low_ = false;
  Open({"stack.xml", "--size", "640x400"});
  EXPECT_TRUE(Wait([](const Json& state) { return state["is_running"] == true && state["steps"] > 50; }));
  EXPECT_TRUE(Wait([](const Json& state) { return state["is_coarse"] == false; }));
  EXPECT_EQ(State()["is_running"], true);
  Do("mousemove 200 200 mousedown 3 mousemove 230 200 mousemove 260 200");
  EXPECT_TRUE(Wait([](const Json& state) { return state["is_coarse"] == true; }));
  Do("mouseup 3");
}

TEST_F(Window, ButtonsDoWhatTheySay) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused"});
  Click("Simulation/Step");
  EXPECT_TRUE(Wait([](const Json& state) { return state["steps"] == 1; }));
  Click("Simulation/Step");
  EXPECT_TRUE(Wait([](const Json& state) { return state["steps"] == 2; }));
  Click("Simulation/Back");
  EXPECT_TRUE(Wait([](const Json& state) { return std::abs(state["time"].get<double>() - 0.002) < 1e-9; }));
  Click("Simulation/Run");
  EXPECT_TRUE(Wait([](const Json& state) { return state["is_running"] == true; }));
  Click("Simulation/Pause");
  EXPECT_TRUE(Wait([](const Json& state) { return state["is_running"] == false; }));
  Click("Simulation/Reset");
  EXPECT_TRUE(Wait([](const Json& state) { return state["time"] == 0.0; }));
  Click("Simulation/As fast as possible");
  EXPECT_TRUE(Wait([](const Json& state) { return state["speed"] == 0.0; }));
}

TEST_F(Window, SpeedChangesByFactorsOfTwo) {
  OpenThings();
  Press("minus");
  EXPECT_TRUE(Wait([](const Json& state) { return state["speed"] == 0.5; }));
  Press("equal");
  Press("equal");
  EXPECT_TRUE(Wait([](const Json& state) { return state["speed"] == 2.0; }));
}

TEST_F(Window, AClickSelectsWhatIsSeenThere) {
  OpenThings();
  const auto [x, y] = Seen(State(), 0.0, 0.0);
  const auto is_edge = [](int r, int g, int b) { return r > 240 && g > 140 && g < 175 && b < 40; };
  const PictureFile plain = Look();
  const auto before = plain.at(static_cast<int>(x), static_cast<int>(y));
  EXPECT_GT(before[2], before[0]) << "the ball is blue";
  EXPECT_EQ(plain.Count(is_edge), 0);
  ClickAt(x, y);
  EXPECT_EQ(State()["selected_body"], 1);
  const PictureFile selected = Look();
  const auto after = selected.at(static_cast<int>(x), static_cast<int>(y));
  EXPECT_GT(after[0], before[0] + 20) << "what is selected is brighter";
  // Of a circle's length that many pixels at least.
  const double radius = std::abs(Seen(State(), 0.5, 0.0).first - x);
  EXPECT_GT(selected.Count(is_edge), static_cast<int>(4.0 * radius)) << "and has an edge";
  const auto [ax, ay] = Seen(State(), 1.2, 0.3);
  ClickAt(ax, ay);
  EXPECT_EQ(State()["selected_body"], 2);
  const auto [nx, ny] = Seen(State(), 0.0, 1.5);
  ClickAt(nx, ny);
  EXPECT_EQ(State()["selected_body"], -1);
  Click("Model/ball");
  EXPECT_EQ(State()["selected_body"], 1);
  Press("Escape");
  EXPECT_EQ(State()["selected_body"], -1);
}

TEST_F(Window, TwoClicksCentreAndTheMenuOfABodyHidesIt) {
  OpenThings();
  const auto [x, y] = Seen(State(), 1.2, 0.3);
  MoveTo(x, y);
  Do("click --repeat 2 --delay 120 1");
  ASSERT_TRUE(Wait([](const Json& s) {
    return std::abs(s["camera"]["target"][1].get<double>() - 1.2) < 0.15;
  })) << State()["camera"];
  EXPECT_EQ(State()["selected_body"], 2);
  const auto [ax, ay] = Seen(State(), 1.2, 0.3);
  ClickAt(ax, ay, 3);
  ClickEntry("/Freeze its joint");
  EXPECT_TRUE(Wait([](const Json& s) { return s["held"] == 8; })) << "an entry for each of qpos";
  const auto [bx, by] = Seen(State(), 0.0, 0.0);
  ClickAt(bx, by, 3);
  ClickEntry("/Hide it");
  ASSERT_TRUE(Wait([](const Json& s) { return s["hidden_bodies"] == 1; }));
  ClickAt(bx, by);
  EXPECT_NE(State()["selected_body"], 1) << "nor can it be selected";
  ClickAt(bx, by, 3);
  ClickEntry("/Show all that is hidden");
  EXPECT_TRUE(Wait([](const Json& s) { return s["hidden_bodies"] == 0; }));
  ClickAt(bx, by);
  EXPECT_EQ(State()["selected_body"], 1);
}

TEST_F(Window, DragsMoveTheCamera) {
  OpenThings();
  const Json before = State()["camera"];
  const auto [x, y] = Seen(State(), -1.0, 1.0);
  DragFrom(x, y, 100, 0, 1);
  ASSERT_TRUE(Wait([&](const Json& s) { return s["camera"]["azimuth"] != before["azimuth"]; }));
  EXPECT_LT(State()["camera"]["azimuth"].get<double>(), before["azimuth"].get<double>());
  DragFrom(x, y, 0, 60, 3);
  EXPECT_TRUE(Wait([&](const Json& s) {
    return s["camera"]["target"][2].get<double>() > before["target"][2].get<double>() + 0.1;
  }));
  MoveTo(x, y);
  Do("click 4");
  EXPECT_TRUE(Wait([&](const Json& s) { return s["camera"]["distance"] < before["distance"]; }));
  EXPECT_EQ(State()["steps"], 0);
}

// A robot that is alone stays in the picture wherever it goes, until somebody moves the camera.
TEST_F(Window, TheCameraGoesAlongUntilItIsMoved) {
  Write("gone.xml", R"(<mujoco model="gone"><option gravity="0 0 0"/><worldbody>
    <geom type="plane" size="5 5 0.1" pos="0 0 -1"/>
    <body name="ball"><freejoint/><geom type="sphere" size="0.5" mass="1"/></body></worldbody>
    <keyframe><key name="home" qvel="0 40 0 0 0 0"/></keyframe></mujoco>)");
  const auto apart = [](const Json& s) {
    return s["qpos"][1].get<double>() - s["camera"]["target"][1].get<double>();
  };
  Open({"gone.xml"});
  ASSERT_TRUE(Wait([](const Json& s) { return s["qpos"][1] > 20.0; }));
  EXPECT_LT(apart(State()), 1.0);
  Press("space");
  const Json place = State()["picture"];
  DragFrom(place[0].get<double>() + 60, place[1].get<double>() + 60, 40, 0, 1);
  Press("space");
  const double y_before = State()["qpos"][1];
  ASSERT_TRUE(Wait([&](const Json& s) { return s["qpos"][1] > y_before + 20.0; }));
  EXPECT_GT(apart(State()), 10.0);
  Open({"gone.xml", "--camera", "0,0,6"});
  ASSERT_TRUE(Wait([](const Json& s) { return s["qpos"][1] > 20.0; }));
  EXPECT_GT(apart(State()), 10.0) << "which was asked for";
}

TEST_F(Window, ControlAndRightDragPullsABody) {
  OpenThings();
  const auto [x, y] = Seen(State(), 0.0, 0.0);
  Do("keydown ctrl");
  // While paused it is put there; that takes no time.
  DragFrom(x, y, 60, 0, 3);
  EXPECT_TRUE(Wait([](const Json& s) { return s["qpos"][1] > 0.1; })) << State()["qpos"];
  EXPECT_EQ(State()["time"], 0.0);
  DragFrom(x + 60, y, -60, 0, 3);
  ASSERT_TRUE(Wait([](const Json& s) { return std::abs(s["qpos"][1].get<double>()) < 0.05; }));
  Press("space");
  DragFrom(x, y, 0, -120, 3, false);
  EXPECT_TRUE(Wait([](const Json& s) { return s["qpos"][2] > 0.3 && s["pull_N"] > 0.0; }));
  EXPECT_EQ(State()["selected_body"], 1);
  Hold(3, false);
  Do("keyup ctrl");
  EXPECT_TRUE(Wait([](const Json& s) { return s["pull_N"] == 0.0; }));
  EXPECT_NEAR(State()["qpos"][1].get<double>(), 0.0, 0.1) << "the pull was upwards";
}

TEST_F(Window, ControlAndLeftDragTurnsABody) {
  OpenThings();
  Press("space");
  const auto [x, y] = Seen(State(), 0.0, 0.0);
  Do("keydown ctrl");
  DragFrom(x, y, 120, 0, 1, false);
  // About the picture's vertical: a quaternion of w and z.
  EXPECT_TRUE(Wait([](const Json& s) { return std::abs(s["qpos"][6].get<double>()) > 0.2; }));
  Hold(1, false);
  Do("keyup ctrl");
  EXPECT_LT(std::abs(State()["qpos"][4].get<double>()), 0.1);
}

TEST_F(Window, SlidersMoveJointsAndActuators) {
  OpenThings();
  ShowPanel("4", "Controls");
  const auto [x, y] = Find("Controls/elbow", 0.75);
  ClickAt(x, y);
  // The grab is a tenth of the slider's width, and takes half of that at either end.
  EXPECT_TRUE(Wait([](const Json& s) { return std::abs(Elbow(s) - 1.0) < 0.3; })) << Elbow(State());
  const auto [ux, uy] = Find("Controls/push", 0.25);
  ClickAt(ux, uy);
  EXPECT_EQ(State()["outlined_body"], 2) << "what it drives";
  EXPECT_TRUE(Wait([](const Json& s) { return std::abs(s["ctrl"][0].get<double>() + 1.5) < 0.4; }));
  const double bent = Elbow(State());
  Press("space");
  EXPECT_TRUE(Wait([&](const Json& s) { return Elbow(s) < bent - 0.3; })) << "the motor bends it back";
  Click("Controls/Zero all");
  EXPECT_TRUE(Wait([](const Json& s) { return s["ctrl"][0] == 0.0; }));
}

TEST_F(Window, HistoryIsScrubbedByItsSlider) {
  OpenThings();
  for (int i = 0; i < 20; ++i) Do("key Right");
  ASSERT_TRUE(Wait([](const Json& s) { return s["steps"] == 20; }));
  const auto [x, y] = Find("Simulation/History", 0.5);
  ClickAt(x, y);
  EXPECT_TRUE(Wait([](const Json& s) { return std::abs(s["time"].get<double>() - 0.02) < 0.005; }));
  EXPECT_EQ(State()["history"][1], 21);
  Press("Left");
  Press("Left");
  EXPECT_TRUE(Wait([](const Json& s) { return s["time"].get<double>() < 0.02; }));
}

TEST_F(Window, KeyframesAreLoadedFromTheirList) {
  OpenThings();
  Click("Simulation/Keyframe");
  ClickEntry("/bent");
  EXPECT_TRUE(Wait([](const Json& s) { return Elbow(s) == 1.25; }));
}

TEST_F(Window, TheSolverIsChangedWhileItRuns) {
  Write("stack.xml", kStack);
  Open({"stack.xml"});
  ShowPanel("5", "Solver");
  Click("Solver/Solver");
  ClickEntry("/canal");
  EXPECT_TRUE(Wait([](const Json& s) { return s["solver"] == "canal"; }));
  const long long steps = State()["steps"];
  EXPECT_TRUE(Wait([&](const Json& s) { return s["steps"] > steps + 20; }));
  EXPECT_LT(State()["ncp_max"].get<double>(), 1e-6);
}

// Whichever solver is named; where there is none, that is said.
TEST_F(Window, EverySolverIsHeldToTheBudget) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused", "--solver", "nbgs"});
  EXPECT_EQ(State()["budget"], 1e-8);
  ShowPanel("6", "Certificate");
  EXPECT_TRUE(State()["controls"].contains("Certificate/budget"));
  ShowPanel("5", "Solver");
  Click("Solver/Solver");
  ClickEntry("/canal");
  EXPECT_TRUE(Wait([](const Json& s) { return s["solver"] == "canal" && s["budget"] == 1e-8; }));
  Open({"stack.xml", "--paused", "--budget", "1e-5"});
  ShowPanel("5", "Solver");
  Click("Solver/Solver");
  ClickEntry("/canal");
  EXPECT_TRUE(Wait([](const Json& s) { return s["solver"] == "canal" && s["budget"] == 1e-5; }));
  Open({"stack.xml", "--paused", "--budget", "none"});
  EXPECT_TRUE(State()["budget"].is_null());
  ShowPanel("6", "Certificate");
  EXPECT_TRUE(State()["controls"].contains("Certificate/budget: none"));
}

TEST_F(Window, ShadowSolversJudgeTheSameSteps) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused"});
  Press("ctrl+8");
  PullUpBottom();
  Click("Shadow solves/canal");
  Click("Shadow solves/pgs_ncp");
  Press("Right");
  EXPECT_TRUE(
      Wait([](const Json& s) { return s["shadows"].contains("canal") && s["shadows"].contains("pgs_ncp"); }));
  EXPECT_LT(State()["shadows"]["canal"]["ncp_max"].get<double>(), 1e-6);
  Click("Shadow solves/Freeze this step");
  EXPECT_TRUE(Wait([&](const Json&) { return Exists("stack_step_0001.json"); }));
  const Json problem = Json::parse(Read("stack_step_0001.json"));
  EXPECT_EQ(problem["n_contact"], 8);
}

struct PanelKey {
  const char *key, *title;
};
constexpr PanelKey kPanelKeys[] = {{"1", "Simulation"},   {"2", "View"},          {"3", "Model"},
                                   {"4", "Controls"},     {"5", "Solver"},        {"6", "Certificate"},
                                   {"7", "Diagnostics"},  {"8", "Shadow solves"}, {"9", "Keep"},
                                   {"0", "Import report"}};
constexpr PanelKey kPanelFunctionKeys[] = {{"F2", "Plots"}, {"F3", "Compare"}, {"F4", "Scenario"}};

TEST_F(Window, EveryPanelOpensAndDraws) {
  Write("stack.xml", kStack);
  Open({"stack.xml"});
  // One after another: each has something to show, and none disturbs OpenGL.
  for (const char* key : {"2", "4", "5", "6", "9", "8", "0", "7"}) Press(std::string("ctrl+") + key);
  for (const char* key : {"F1", "F2", "F3", "F4"}) Press(key);
  ASSERT_TRUE(Wait([](const Json& s) { return s["steps"] > 100; }));
  const Json panels = State()["panels"];
  EXPECT_EQ(panels.size(), 14u);
  for (const auto& [name, is_open] : panels.items()) EXPECT_EQ(is_open, true) << name;
  EXPECT_EQ(State()["gl_errors"], 0);
  Press("F1");
  const PictureFile all = Look();
  Press("Tab");
  const PictureFile none = Look();
  const auto is_dark = [](int r, int g, int b) { return r + g + b < 120; };
  EXPECT_GT(all.Count(is_dark), 300000);
  EXPECT_LT(none.Count(is_dark), 50000);
  Press("Tab");
  Press("F1");
  // A key shows a panel that others hide, and closes the one that is shown.
  for (const PanelKey& panel : kPanelKeys) {
    ShowPanel(panel.key, panel.title);
    Press(std::string("ctrl+") + panel.key);
  }
  for (const PanelKey& panel : kPanelFunctionKeys) {
    if (!State()["places"].contains(panel.title)) Press(panel.key);
    Press(panel.key);
  }
  Press("F1");
  for (const auto& [name, is_open] : State()["panels"].items()) EXPECT_EQ(is_open, false) << name;
}

TEST_F(Window, TheLayoutIsRemembered) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused"});
  Press("ctrl+7");
  Press("ctrl+1");
  Do("key ctrl+q");
  ASSERT_TRUE(WaitForEnd());
  EXPECT_EQ(viewer().code(), 0);
  Open({"stack.xml", "--paused"});
  EXPECT_EQ(State()["panels"]["Diagnostics"], true);
  EXPECT_EQ(State()["panels"]["Simulation"], false);
}

TEST_F(Window, MarksAreDrawnWhereTheyAreAskedFor) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused"});
  Press("Right");
  Press("Tab");  // the panels hold numbers that change
  PictureFile previous = Look();
  for (const char* key : {"c", "f", "k", "j", "i", "m", "t", "w", "F6", "F7"}) {
    Press(key);
    const PictureFile now = Look();
    // The boxes have no hinges: J alone changes nothing in this scene.
    EXPECT_EQ(now.pixels == previous.pixels, std::string(key) == "j") << key;
    previous = now;
  }
  EXPECT_EQ(State()["gl_errors"], 0);
}

TEST_F(Window, SitesAreSeenAsTheirGroupsAndBoxesSay) {
  Write("sites.xml", R"(<mujoco><worldbody><body><freejoint/><geom size="0.1"/>
    <site type="box" pos="0 0.5 0" size="0.2 0.2 0.2" rgba="1 0 1 1"/>
    <site type="box" pos="0 -0.5 0" size="0.2 0.2 0.2" rgba="0 1 0 1" group="4"/></body></worldbody></mujoco>)");
  Open({"sites.xml", "--paused", "--camera", "0,0,3"});
  ShowPanel("2", "View");
  const auto [x, y] = Find("Edges/Upper right");
  DragFrom(x, y, 0, 200, 1);  // the groups stand last
  const auto count = [&] {
    const PictureFile picture = Look();
    return std::pair{picture.Count([](int r, int g, int b) { return r > g + 80 && b > g + 80; }),
                     picture.Count([](int r, int g, int b) { return g > r + 80 && g > b + 80; })};
  };
  const auto usual = count();
  EXPECT_GT(usual.first, 5000);
  EXPECT_LT(usual.second, 100);
  Click("View/4");
  EXPECT_GT(count().second, 5000);
  Click("View/Sites");
  EXPECT_LT(count().first + count().second, 100);
}

TEST_F(Window, WhatStandsBeforeAWallIsSeenFromThere) {
  const auto azimuth = [&](const std::string& geom) {
    Write("room.xml", "<mujoco><worldbody><geom type='plane' size='5 5 1'/>" + geom +
                          "<body pos='0 0 1'><freejoint/><geom size='0.2'/></body></worldbody></mujoco>");
    Open({"room.xml", "--paused"});
    return State()["camera"]["azimuth"].get<double>();
  };
  const double usual = azimuth("<geom type='box' size='1 1 0.4' pos='0 1 0.4'/>");
  EXPECT_GT(std::sin(usual), 0.5) << "a table hides nothing";
  EXPECT_LT(std::sin(azimuth("<geom type='box' size='1 0.1 1' pos='0 1 1'/>")), -0.5);
  EXPECT_EQ(azimuth("<geom type='box' size='1 0.1 1' pos='0 -1 1'/>"), usual);
  EXPECT_EQ(azimuth("<geom type='box' size='1 0.1 1' pos='0 -1 1'/><geom type='box' size='1 0.1 1' "
                    "pos='0 1.02 1'/>"),
            usual)
      << "walls on both sides";
}

TEST_F(Window, BracketsGoThroughTheCameras) {
  OpenThings();
  Press("bracketright");
  EXPECT_EQ(State()["view"], "corner");
  Press("bracketright");
  EXPECT_EQ(State()["view"], "front");
  Press("bracketleft");
  Press("bracketleft");
  EXPECT_EQ(State()["view"], "");
  Press("bracketleft");
  EXPECT_EQ(State()["view"], "top");
  Press("Escape");
  EXPECT_EQ(State()["view"], "");
}

// Cameras with the names of views, without a name, and with a name as one without gets: each is reached, and
// shows something else.
TEST_F(Window, BracketsReachEveryCameraWhateverItIsCalled) {
  std::string scene = kScene;
  std::string cameras;
  for (const char* camera : {"name='front' pos='9 0 0'", "name='top' pos='0 -9 1'", "pos='0 9 2'",
                             "name='camera2' pos='0 0 8'", "pos='7 7 7'"})
    cameras += "<camera " + std::string(camera) + "/>";
  Write("cameras.xml", scene.insert(scene.find("<body name=\"ball\""), cameras));
  Open({"cameras.xml", "--paused"});
  std::vector<std::string> views;
  std::vector<Json> eyes;
  for (int i = 0; i < 11; ++i) {
    Press("bracketright");
    const Json state = State();
    EXPECT_EQ(std::count(views.begin(), views.end(), state["view"]), 0) << state["view"];
    EXPECT_EQ(std::count(eyes.begin(), eyes.end(), state["camera"]), 0) << state["view"];
    views.push_back(state["view"]);
    eyes.push_back(state["camera"]);
  }
  for (const char* name :
       {"corner", "view:front", "view:top", "front", "top", "camera2", "camera2_", "camera4"})
    EXPECT_EQ(std::count(views.begin(), views.end(), name), 1) << name;
  Press("bracketright");
  EXPECT_EQ(State()["view"], "");
}

TEST_F(Window, ABrokenFileShowsItsErrorAndTheOldModelStays) {
  OpenThings();
  Press("Right");
  Write("things.xml", "<mujoco><worldbody><body><geom type=\"blob\"/></body></worldbody></mujoco>");
  Press("ctrl+l");
  EXPECT_TRUE(Wait([](const Json& s) {
    return s["notice"].get<std::string>().find("things.xml:1") != std::string::npos;
  })) << State()["notice"];
  EXPECT_EQ(State()["model"], "things");
  EXPECT_EQ(State()["qpos"].size(), 8u);
  Press("Right");
  EXPECT_TRUE(Wait([](const Json& s) { return s["steps"] == 2; }));
  Write("things.xml", kScene);
  Press("ctrl+l");
  EXPECT_TRUE(Wait([](const Json& s) { return s["steps"] == 0 && s["notice"] == ""; }));
}

TEST_F(Window, AWatchedFileIsReadAgainWhenItChanges) {
  OpenThings({"--watch"});
  std::string scene = kScene;
  Write("things.xml", scene.replace(scene.find("pos=\"0 0 0\""), 11, "pos=\"0 0 1\""));
  EXPECT_TRUE(Wait([](const Json& s) { return s["qpos"][2] == 1.0; })) << State()["notice"];
}

TEST_F(Window, ADivergedSimulationStopsAndSaysSo) {
  Write("fast.xml", R"(<mujoco model="fast"><worldbody>
    <body name="ball"><freejoint/><geom type="sphere" size="0.5" mass="1"/></body></worldbody>
    <keyframe><key name="blast" qvel="1e12 0 0 0 0 0"/></keyframe></mujoco>)");
  Open({"fast.xml", "--keyframe", "blast"});
  EXPECT_TRUE(Wait(
      [](const Json& s) { return s["notice"].get<std::string>().find("diverged") != std::string::npos; }));
  EXPECT_EQ(State()["is_running"], false);
  EXPECT_TRUE(viewer().is_running());
}

TEST_F(Window, PicturesStatesAndKeysAreKept) {
  OpenThings();
  Press("ctrl+p");
  ASSERT_TRUE(Wait([&](const Json&) { return Exists("things_0001.png"); }));
  const PictureFile picture(folder() / "things_0001.png");
  EXPECT_GT(picture.width, 300);
  EXPECT_GT(picture.Count([](int r, int, int b) { return b > r + 40; }), 2000);
  Press("ctrl+s");
  ASSERT_TRUE(Wait([&](const Json&) { return Exists("things_state_0001.json"); }));
  EXPECT_EQ(Json::parse(Read("things_state_0001.json"))["q"].size(), 8u);
  Press("ctrl+c");
  EXPECT_NE(State()["notice"].get<std::string>().find("<key>"), std::string::npos);
  EXPECT_NE(State()["clipboard"].get<std::string>().find("qpos=\"0 0 0 1 0 0 0 0\""), std::string::npos)
      << State()["clipboard"];
}

TEST_F(Window, AVideoIsRecorded) {
  OpenThings();
  EXPECT_FALSE(State()["controls"].contains("Recording/Video"));
  Press("ctrl+r");
  for (int i = 0; i < 5; ++i) WaitForFrame();
  // The mark is red.
  const auto [x, y] = Find("Recording/Video");
  const auto [r, g, b] = Look().at(static_cast<int>(x), static_cast<int>(y));
  EXPECT_GT(r, 200);
  EXPECT_LT(g + b, 120);
  Press("ctrl+r");
  EXPECT_FALSE(State()["controls"].contains("Recording/Video"));
  ASSERT_TRUE(Wait([&](const Json& s) {
    return Exists("things_0001.mp4") && s["notice"].get<std::string>().find(".mp4") != std::string::npos;
  })) << State()["notice"];
  EXPECT_GT(std::filesystem::file_size(folder() / "things_0001.mp4"), 1000u);
}

TEST_F(Window, ALogIsRecordedAndPlayedBack) {
  OpenThings();
  Press("ctrl+9");
  Click("Keep/Record log (csv)");
  for (int i = 0; i < 10; ++i) Do("key Right");
  ASSERT_TRUE(Wait([](const Json& s) { return s["steps"] == 10; }));
  EXPECT_TRUE(State()["controls"].contains("Keep/Stop log"));
  Click("Recording/Stop log");
  ASSERT_TRUE(Wait([](const Json& s) { return !s["controls"].contains("Recording/Log"); }));
  ASSERT_TRUE(Exists("things_0001.csv"));
  TypeInto("Keep/Path", "things_0001.csv");
  EXPECT_TRUE(Wait([](const Json& s) {
    return s["history"] == Json({0, 10});
  })) << State()["history"]
      << State()["notice"];
  Press("space");
  EXPECT_TRUE(Wait([](const Json& s) { return s["history"][0] == 9; }));
}

// Ten steps of a stack, in both formats.
constexpr const char* kRunTenSteps = "run stack.xml --time 0.02 --log ";

TEST_F(Window, ALogIsOpenedWithItsModelAndShowsWhatItHolds) {
  Write("stack.xml", kStack);
  RunStiction(std::string(kRunTenSteps) + "run.h5");
  std::filesystem::rename(folder() / "run.h5", folder() / "run");  // told by what is in it
  Open({"run"});
  EXPECT_EQ(State()["model"], "stack");
  ASSERT_TRUE(Wait([](const Json& s) { return s["is_playback"] == true; }));
  EXPECT_EQ(State()["history"], Json({0, 10}));
  EXPECT_EQ(State()["samples"], 10) << "the plots show all of the log";
  EXPECT_EQ(State()["contacts"], 8);
  EXPECT_EQ(State()["contact_points"], 8);
  EXPECT_EQ(State()["solver"], "auto");
  EXPECT_LT(State()["ncp_max"].get<double>(), 1e-8);
  Press("ctrl+7");
  PullUpBottom();
  ShowPanel("6", "Certificate");
  const Json controls = State()["controls"];
  for (const char* plot :
       {"Certificate/ncp", "Diagnostics/energy", "Diagnostics/penetration", "Diagnostics/iterations"})
    EXPECT_TRUE(controls.contains(plot)) << plot;
  EXPECT_EQ(State()["steps"], 10);
  Press("BackSpace");
  EXPECT_TRUE(Wait([](const Json& s) { return s["is_playback"] == false && s["samples"] == 0; }));
}

TEST_F(Window, WhatALogDoesNotHoldIsSaid) {
  Write("stack.xml", kStack);
  RunStiction(std::string(kRunTenSteps) + "run.csv");
  // As an older version, or another program, may have written it: time, q, v, contacts, iterations, ncp_max.
  ASSERT_EQ(std::system(("cut -d, -f1-30 '" + (folder() / "run.csv").string() + "' > '" +
                         (folder() / "old.csv").string() + "'")
                            .c_str()),
            0);
  Open({"old.csv", "--model", "stack.xml"});
  ASSERT_TRUE(Wait([](const Json& s) { return s["is_playback"] == true; }));
  EXPECT_EQ(State()["history"], Json({0, 10}));
  EXPECT_EQ(State()["samples"], 10);
  EXPECT_EQ(State()["contact_points"], 0);
  EXPECT_TRUE(State()["budget"].is_null());
  EXPECT_EQ(State()["budget_misses"], -1);
  Press("ctrl+7");
  PullUpBottom();
  ShowPanel("2", "View");
  const auto [x, y] = Find("View/Contacts");
  MoveTo(x, y);
  for (int i = 0; i < 12; ++i) Do("click 5");  // to the end of the panel
  ShowPanel("6", "Certificate");
  const auto expect = [&](const char* words) {
    EXPECT_TRUE(Wait([&](const Json& s) { return s["controls"].contains(words); }))
        << words << " is not among " << State()["controls"].dump();
  };
  for (const char* words : {"View/Points, forces: not recorded", "Certificate/ncp", "Diagnostics/energy"})
    expect(words);
  const auto [plot_x, plot_y] = Find("Diagnostics/energy");
  MoveTo(plot_x, plot_y);
  for (int i = 0; i < 24; ++i) Do("click 5");  // likewise
  for (const char* words : {"Diagnostics/step: not recorded", "Diagnostics/contacts"}) expect(words);
  EXPECT_FALSE(State()["controls"].contains("Diagnostics/step"));
}

TEST_F(Window, ASavedStateIsOpenedWithItsModel) {
  OpenThings();
  for (int i = 0; i < 3; ++i) Press("Right");
  ShowPanel("4", "Controls");
  const auto [x, y] = Find("Controls/elbow", 0.75);
  ClickAt(x, y);
  ASSERT_TRUE(Wait([](const Json& s) { return Elbow(s) > 0.5; }));
  const Json before = State();
  Press("ctrl+s");
  ASSERT_TRUE(Wait([&](const Json&) { return Exists("things_state_0001.json"); }));
  Open({"things_state_0001.json", "--paused"});
  EXPECT_TRUE(Wait([&](const Json& s) { return s["qpos"] == before["qpos"] && s["time"] == before["time"]; }))
      << State()["qpos"];
  EXPECT_EQ(State()["model"], "things");
}

// As a file manager does it.
TEST_F(Window, AFileThatIsDroppedOnItIsShown) {
  Write("a stack.xml", kStack);
  OpenThings();
  testing::FileDrop drop(display());
  EXPECT_TRUE(drop.Drop("file://" + folder().string() + "/a%20stack.xml", 300, 300));
  EXPECT_TRUE(Wait([](const Json& s) { return s["model"] == "stack"; })) << State()["notice"];
  EXPECT_TRUE(drop.Drop("file://" + folder().string() + "/none.xml", 300, 300));
  EXPECT_TRUE(Wait([](const Json& s) {
    return s["notice"].get<std::string>().find("none.xml") != std::string::npos;
  })) << State()["notice"];
  EXPECT_EQ(State()["model"], "stack");
}

// A log of another model brings its own; one that says of none is one of the model that is shown.
TEST_F(Window, LogsThatAreDroppedFindTheirModels) {
  Write("stack.xml", kStack);
  RunStiction(std::string(kRunTenSteps) + "run.h5");
  RunStiction(std::string(kRunTenSteps) + "run.csv");
  OpenThings();
  Press("ctrl+9");
  TypeInto("Keep/Path", "run.csv");
  EXPECT_TRUE(Wait([](const Json& s) {
    return s["notice"].get<std::string>().find("another model") != std::string::npos;
  })) << State()["notice"];
  EXPECT_EQ(State()["model"], "things");
  ReplaceText("Keep/Path", "run.h5");
  EXPECT_TRUE(Wait([](const Json& s) { return s["model"] == "stack" && s["is_playback"] == true; }));
  ReplaceText("Keep/Path", "run.csv");
  EXPECT_TRUE(Wait([](const Json& s) { return s["contact_points"] == 0 && s["is_playback"] == true; }));
  EXPECT_EQ(State()["notice"], "");
}

TEST_F(Window, ARecordingWithoutItsModelSaysWhatToDo) {
  Write("stack.xml", kStack);
  RunStiction(std::string(kRunTenSteps) + "run.h5");
  RunStiction(std::string(kRunTenSteps) + "run.csv");
  const auto expect = [&](const std::string& arguments, int code, const std::string& words) {
    const auto [got, said] = Refuse(arguments);
    EXPECT_EQ(got, code) << said;
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  expect("run.csv", 3, "--model FILE");
  std::filesystem::remove(folder() / "stack.xml");
  expect("run.h5", 3, "--model FILE");
  expect("run.h5", 3, (folder() / "stack.xml").string());
  Write("things.xml", kScene);
  expect("run.h5 --model things.xml", 3, "another model");
  expect("things.xml --model things.xml", 2, "--model");
}

TEST_F(Window, ClosingWhileItRunsLeavesNoTrouble) {
  Write("stack.xml", kStack);
  for (const bool is_by_key : {true, false}) {
    Open({"stack.xml"});
    Click("Simulation/As fast as possible");
    ASSERT_TRUE(Wait([](const Json& s) { return s["steps"] > 100; }));
    if (is_by_key)
      Do("key ctrl+q");
    else
      viewer().Send(SIGTERM);
    ASSERT_TRUE(WaitForEnd());
    EXPECT_EQ(Read("viewer.txt"), "");
    EXPECT_EQ(viewer().code(), 0);
  }
}

// A screen that is larger than the window is at first.
class LargeWindow : public WindowTest {
 protected:
  LargeWindow() : WindowTest(2560, 1440) {}

  void Resize(int width, int height) {
    Do("search --name stiction windowsize " + std::to_string(width) + " " + std::to_string(height));
    ASSERT_TRUE(Wait([&](const Json& s) {
      return s["window"] == Json({width, height});
    })) << State()["window"];
    WaitForFrame();
  }
  // All is inside of the window, and fills it.
  void ExpectPanelsFit(double bars = 44.0) {
    const Json state = State();
    const double width = state["window"][0], height = state["window"][1], scale = state["scale"];
    std::vector<Json> parts{state["picture"], state["strip"]};
    for (const auto& [name, place] : state["places"].items()) parts.push_back(place);
    double area = 0.0;
    for (const Json& part : parts) {
      EXPECT_GE(part[0], 0.0) << part;
      EXPECT_GE(part[1], 20.0 * scale) << part;
      EXPECT_LE(part[0].get<double>() + part[2].get<double>(), width) << part;
      EXPECT_LE(part[1].get<double>() + part[3].get<double>(), height) << part;
      area += part[2].get<double>() * part[3].get<double>();
    }
    EXPECT_NEAR(area, width * (height - bars * scale), 0.01 * width * height) << "dead or doubly used";
    for (const auto& [name, place] : state["controls"].items())
      EXPECT_LE(place[0].get<double>() + place[2].get<double>(), width + 1.0) << name;
  }
  double PartOfPicture() {
    const Json state = State();
    return state["picture"][2].get<double>() * state["picture"][3].get<double>() /
           (state["window"][0].get<double>() * state["window"][1].get<double>());
  }
};

TEST_F(LargeWindow, PanelsFollowItsSize) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused"});
  ExpectPanelsFit();
  EXPECT_GE(PartOfPicture(), 0.65) << "at first";
  const Json at_first = State()["places"];
  const Json size = State()["window"];
  for (const auto& [width, height] : {std::pair(1000, 600), {2560, 1440}, {1920, 1080}, {800, 1200}}) {
    Resize(width, height);
    ExpectPanelsFit();
    EXPECT_GE(PartOfPicture(), 0.64) << width << " x " << height;
  }
  Resize(200, 100);
  EXPECT_TRUE(State()["places"].empty()) << "there is room for none";
  EXPECT_GT(State()["picture"][3], 40.0);
  Resize(size[0], size[1]);
  EXPECT_EQ(State()["places"], at_first);
  EXPECT_EQ(State()["gl_errors"], 0);
}

// What a file loses stands in the picture's corner, what a start says beneath: neither covers the other.
TEST_F(LargeWindow, NoticesLeaveWhatIsNotSimulatedFree) {
  Write("sunk.xml", R"(<mujoco model="sunk"><worldbody>
    <body pos="0 0 -0.5"><freejoint/><geom size="0.1"/></body>
  </worldbody><deformable><flex name="cloth"/></deformable></mujoco>)");
  for (const char* size : {"1000x600", "1280x720", "2560x1440"}) {
    Open({"sunk.xml", "--ground", "0", "--paused", "--size", size});
    ASSERT_TRUE(Wait([](const Json& s) { return s["controls"].contains("Notice/Dismiss"); }))
        << State()["notice"];
    const Json controls = State()["controls"];
    double lowest = 0.0;
    for (const auto& [name, place] : controls.items())
      if (name.starts_with("Not simulated"))
        lowest = std::max(lowest, place[1].get<double>() + place[3].get<double>());
    EXPECT_GT(lowest, 0.0) << controls.dump();
    EXPECT_GT(controls["Notice/Text"][1].get<double>(), lowest) << size;
  }
}

// Many losses do not cover the robot: they are counted, and listed on a click.
TEST_F(LargeWindow, ALongListOfLossesIsFoldedAtFirst) {
  Write("lossy.urdf", R"(<robot name="lossy"><link name="base"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
    <contact><friction_anchor/><stiffness value="3"/><damping value="1"/><spinning_friction value="0.1"/></contact>
    </link></robot>)");
  Open({"lossy.urdf", "--paused", "--floating-base"});
  const auto count_listed = [&] {
    const Json controls = State()["controls"];
    return std::count_if(controls.items().begin(), controls.items().end(),
                         [](const auto& item) { return item.key().starts_with("Not simulated"); });
  };
  ASSERT_GT(State()["losses"].size(), 3u) << State()["losses"];
  WaitForFrame();
  EXPECT_EQ(count_listed(), 0);
  const Json picture = State()["picture"];
  ClickAt(picture[0].get<double>() + 18, picture[1].get<double>() + 18);
  WaitForFrame();
  EXPECT_GT(count_listed(), 0);
}

// The same as half as large a window of half as many pixels an inch.
TEST_F(LargeWindow, EverythingScales) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused", "--size", "1280x720"});
  const Json once = State();
  Open({"stack.xml", "--paused", "--size", "2560x1440", "--scale", "2", "--theme", "light"});
  ExpectPanelsFit();
  EXPECT_GE(PartOfPicture(), 0.65);
  const Json twice = State();
  for (const char* control : {"Simulation/Step", "Tabs/Solver", "Model/lower", "Status/certificate"})
    for (const int i : {0, 1, 3}) {
      const double expected = 2.0 * once["controls"][control][i].get<double>();
      EXPECT_NEAR(twice["controls"][control][i].get<double>(), expected, 8.0) << control;
    }
  EXPECT_EQ(twice["theme"], "light");
  const auto is_bright = [](int r, int g, int b) { return r + g + b > 700; };
  EXPECT_GT(Look().Count(is_bright), 500000);
  ClickEntry("/Look menu");
  ClickEntry("/Dark");
  EXPECT_TRUE(Wait([](const Json& s) { return s["theme"] == "dark"; }));
  EXPECT_LT(Look().Count(is_bright), 200000);
}

// Edges that were pulled, and panels that were moved to another dock.
TEST_F(LargeWindow, TheLayoutIsKeptUntilItIsReset) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused", "--size", "1600x900"});
  const Json at_first = State()["places"];
  const auto [x, y] = Find("Edges/Lower right");
  DragFrom(x, y - 200.0, -150, 0, 1);
  EXPECT_NEAR(State()["places"]["Model"][0].get<double>(), x - 150.0, 3.0);
  const auto [tx, ty] = Find("Tabs/Model");
  ClickAt(tx, ty, 3);
  ClickEntry("/Move to left");
  ASSERT_TRUE(Wait([](const Json& s) { return s["places"]["Model"][0] == 0.0; })) << State()["places"];
  ExpectPanelsFit();
  ClickEntry("/Look menu");
  ClickEntry("/125 %");
  ASSERT_TRUE(Wait([](const Json& s) { return s["scale"] == 1.25; }));
  const Json all = State()["places"];
  Do("key ctrl+q");
  ASSERT_TRUE(WaitForEnd());
  Open({"stack.xml", "--paused"});
  EXPECT_EQ(State()["window"], Json({1600, 900}));
  EXPECT_EQ(State()["scale"], 1.25);
  EXPECT_EQ(State()["places"], all);
  ClickEntry("/Look menu");
  ClickEntry("/100 %");
  ClickEntry("/Panels menu");
  ClickEntry("/Reset layout");
  EXPECT_TRUE(Wait([&](const Json& s) { return s["places"] == at_first; })) << State()["places"];
}

// Under a folder whose name is longer than the panel is wide.
TEST_F(LargeWindow, TheImportReportNamesAFileOnce) {
  const std::string deep = std::string(100, 'd') + "/" + std::string(100, 'e');
  std::filesystem::create_directories(folder() / deep);
  Write(deep + "/stack.xml",
        std::string(kStack).replace(0, 22, "<mujoco model=\"stack\"><flying/><option cone=\"none\"/>"));
  Open({(folder() / deep / "stack.xml").string(), "--paused", "--size", "1000x600"});
  Press("ctrl+0");
  EXPECT_TRUE(State()["controls"].contains("Import report/stack.xml")) << State()["controls"].dump();
}

TEST_F(Window, ResizingIsSafe) {
  Write("stack.xml", kStack);
  Open({"stack.xml"});
  for (const char* size : {"400 300", "60 60", "1200 700", "1 1", "1280 720"}) {
    Do(std::string("search --name stiction windowsize ") + size);
    WaitForFrame();
  }
  Do("search --name stiction windowminimize windowunmap --sync");
  Do("search --name stiction windowmap --sync");
  WaitForFrame();
  EXPECT_EQ(State()["gl_errors"], 0);
  EXPECT_TRUE(viewer().is_running());
}

TEST_F(Window, WithoutAFileItWaitsForOne) {
  Write("stack.xml", kStack);
  Open({});
  EXPECT_EQ(State()["model"], "");
  EXPECT_TRUE(State()["places"].empty()) << "no panel has anything to show";
  TypeInto("Start/Path", "stack.xml");
  EXPECT_TRUE(Wait([](const Json& s) { return s["model"] == "stack" && s["steps"] > 10; }));
  EXPECT_EQ(State()["places"].size(), 2u) << "one panel a dock";
}

TEST_F(Window, TheStartPageOffersDemonstrations) {
  Open({"--paused"});
  ASSERT_TRUE(Wait([](const Json& s) { return s["thumbnails"] > 0; }));
  const Json card = State()["controls"]["Start/Arm beside a stack"];
  WaitForFrame();
  const PictureFile picture = Look();
  const auto sky = picture.at(card[0].get<int>() + 20, card[1].get<int>() + 12);
  EXPECT_GT(sky[0] + sky[1] + sky[2], 300) << "a picture, and no grey";
  Click("Start/Arm beside a stack");
  EXPECT_TRUE(Wait([](const Json& s) { return s["model"] == "arm_beside_stack"; })) << State()["notice"];
  EXPECT_NEAR(State()["qpos"][3].get<double>(), 1.6, 1e-12) << "in its keyframe";
  ClickEntry("/File menu");
  ClickEntry("/Start page");
  EXPECT_TRUE(Wait([](const Json& s) { return s["model"] == ""; }));
  ClickEntry("/Recent arm_beside_stack.xml");
  EXPECT_TRUE(Wait([](const Json& s) { return s["model"] == "arm_beside_stack"; })) << State()["notice"];
  EXPECT_EQ(State()["gl_errors"], 0);
}

// Nobody moves the pointer, and no script asks for frames: what is made beside the window wakes it.
TEST_F(Window, CardsGetTheirPicturesWhileNothingElseHappens) {
  const std::string program = std::filesystem::path(STICTION_RUNNER).parent_path() / "stiction-view";
  testing::Process view(
      {program}, folder(), "view.txt",
      {"DISPLAY=" + display(), "XDG_CONFIG_HOME=" + (folder() / "config").string(),
       "XDG_CACHE_HOME=" + (folder() / "cache").string(),
       "MESA_SHADER_CACHE_DIR=" + (folder().parent_path() / testing::kShaderFolder).string()});
  const std::filesystem::path pictures = folder() / "cache" / "stiction" / "thumbnails";
  const auto count = [&] {
    std::error_code error;
    return std::distance(std::filesystem::directory_iterator(pictures, error), {});
  };
  // As many as the window's first rows have.
  for (int i = 0; i < testing::kPatience && count() < 8 && view.is_running(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(count(), 8);
}

// What is typed filters the folder, Tab completes it, and Enter opens the first; what cannot be shown says
// so.
TEST_F(Window, FilesAreFoundInTheBrowser) {
  Write("stack.xml", kStack);
  Write("part.stl", "solid part");
  Write("stone.csv", "time,q\n");
  Write("storm.sdf", "<sdf/>");
  Write("problem.json",
        R"({"name": "still", "nv": 1, "n_contact": 0, "n_hard": 0, "n_equality": 0, "n_soft": 0,
                            "subsystem_of_dof": [0], "A": [[2.0]], "b": [1.0], "J": [], "mu": [], "e": [],
                            "k_soft": [], "b_soft": []})");
  Open({});
  const auto type = [&](const std::string& text) {
    Press("ctrl+o");
    ASSERT_TRUE(Wait([](const Json& s) { return s["controls"].contains("Open a file/Path"); }));
    Do("type --delay 60 " + text);
    ASSERT_TRUE(Wait([&](const Json& s) { return s["path_text"].get<std::string>().ends_with(text); }))
        << State()["path_text"];
  };
  type("st");
  EXPECT_TRUE(Wait([](const Json& s) {
    return s["controls"].contains("Open a file/stone.csv") &&
           s["controls"].contains("Open a file/storm.sdf") &&
           !s["controls"].contains("Open a file/problem.json");
  }));
  Do("type --delay 60 a");
  PressHeld("Tab");
  EXPECT_TRUE(Wait([](const Json& s) { return s["path_text"].get<std::string>().ends_with("/stack.xml"); }))
      << State()["path_text"];
  PressHeld("Return");
  EXPECT_TRUE(Wait([](const Json& s) { return s["model"] == "stack"; })) << State()["notice"];
  type("part.stl");
  PressHeld("Return");
  EXPECT_TRUE(Wait([](const Json& s) {
    return s["notice"].get<std::string>().find("open the URDF or MJCF") != std::string::npos;
  })) << State()["notice"];
  EXPECT_EQ(State()["model"], "stack");
  type("prob");
  PressHeld("Return");
  EXPECT_TRUE(Wait([](const Json& s) { return s["problem"] == "still" && s["problem_results"] > 3; }))
      << State()["notice"];
  EXPECT_EQ(State()["model"], "");
}

TEST_F(Window, KeysThatAreLetGoWithinAFrameCount) {
  Write("stack.xml", kStack);
  Open({});
  const auto tap_within_a_frame = [&](const std::string& key) {
    WaitForFrame();
    viewer().Send(SIGSTOP);
    Do("key " + key);
    viewer().Send(SIGCONT);
  };
  const auto is_browsing = [](const Json& s) { return s["controls"].contains("Open a file/Path"); };
  tap_within_a_frame("ctrl+o");
  ASSERT_TRUE(Wait(is_browsing));
  tap_within_a_frame("Escape");
  ASSERT_TRUE(Wait([&](const Json& s) { return !is_browsing(s); }));
  tap_within_a_frame("ctrl+o");
  ASSERT_TRUE(Wait(is_browsing));
  Do("type st");
  tap_within_a_frame("BackSpace");
  tap_within_a_frame("Tab");
  EXPECT_TRUE(Wait([](const Json& s) { return s["path_text"].get<std::string>().ends_with("/stack.xml"); }))
      << State()["path_text"];
  tap_within_a_frame("Return");
  EXPECT_TRUE(Wait([](const Json& s) { return s["model"] == "stack"; }));
}

// Whoever types on at once, on a machine that draws slowly, has typed it.
TEST_F(Window, WhatIsTypedBeforeTheBrowserHasTheFocusIsKept) {
  Open({});
  WaitForFrame();
  viewer().Send(SIGSTOP);
  Do("key ctrl+o");
  Do("type stack");
  viewer().Send(SIGCONT);
  const auto is_typed = [](const Json& s) { return s["path_text"].get<std::string>().ends_with("/stack"); };
  EXPECT_TRUE(Wait(is_typed)) << State()["path_text"];
  Do("type s");
  EXPECT_TRUE(Wait([](const Json& s) { return s["path_text"].get<std::string>().ends_with("/stacks"); }))
      << State()["path_text"];
}

// A driver of another age: a window that says what to do, and the same for whom started it.
TEST_F(Window, WithoutItsOpenGlItSaysWhatToDo) {
  const std::string program = std::filesystem::path(STICTION_RUNNER).parent_path() / "stiction-view";
  testing::Process old({program}, folder(), "old.txt",
                       {"DISPLAY=" + display(), "MESA_GL_VERSION_OVERRIDE=3.0",
                        "XDG_CONFIG_HOME=" + (folder() / "config").string()});
  const auto is_shown = [&] {
    return std::system(("DISPLAY=" + display() + " xdotool search --onlyvisible --name '^stiction$' > " +
                        (folder() / "found.txt").string())
                           .c_str()) == 0;
  };
  for (int i = 0; i < testing::kPatience && old.is_running() && !is_shown(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_TRUE(old.is_running()) << Read("old.txt");
  EXPECT_NE(Read("old.txt").find("LIBGL_ALWAYS_SOFTWARE"), std::string::npos) << Read("old.txt");
  const auto is_said = [&] {
    return Look().Count([](int r, int g, int b) { return r + g + b > 500; }) > 300;
  };
  for (int i = 0; i < 100 && !is_said(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(is_said());
  // A key that comes before the window has the focus is lost; so is the focus, without a window manager, if
  // the window asks for it before it is shown.
  for (int i = 0; i < testing::kPatience && old.is_running(); ++i) {
    if (i % 50 == 0) {
      Do("search --onlyvisible --name '^stiction$' windowfocus || true");
      Do("mousemove 100 100 key --delay 100 Escape");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(old.code(), 2);
}

TEST_F(Window, AModelOpensInItsKeyframeHome) {
  std::string scene = kScene;
  scene.insert(scene.find("<key name"), "<key name=\"home\" qpos=\"0 0 1 1 0 0 0 -0.5\" ctrl=\"2\"/>");
  Write("things.xml", scene);
  OpenFile("things.xml");
  EXPECT_EQ(Elbow(State()), -0.5);
  EXPECT_EQ(State()["ctrl"][0], 2.0);
  Click("Simulation/Keyframe");
  ClickEntry("/bent");
  ASSERT_TRUE(Wait([](const Json& s) { return Elbow(s) == 1.25; }));
  Press("BackSpace");
  ASSERT_TRUE(Wait([](const Json& s) { return Elbow(s) == -0.5; }));
  Click("Simulation/Keyframe");
  ClickEntry("/as in the file");
  EXPECT_TRUE(Wait([](const Json& s) { return Elbow(s) == 0.0 && s["ctrl"][0] == 0.0; }));
  Open({"things.xml", "--paused", "--keyframe", "bent"});
  EXPECT_EQ(Elbow(State()), 1.25);
}

TEST_F(Window, AFileThatIsMissingEndsBeforeThereIsAWindow) {
  const testing::Process process(
      {std::filesystem::path(STICTION_RUNNER).parent_path() / "stiction-view", "none.xml"}, folder(),
      "out.txt", {"DISPLAY="});
  auto& running = const_cast<testing::Process&>(process);
  for (int i = 0; i < testing::kPatience && running.is_running(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(running.code(), 3);
  EXPECT_NE(Read("out.txt").find("none.xml"), std::string::npos);
}

TEST_F(Window, TenThousandShapesAreShown) {
  std::string scene = "<mujoco model=\"many\"><worldbody><geom type=\"plane\" size=\"9 9 1\"/>";
  for (int i = 0; i < 100; ++i)
    for (int k = 0; k < 100; ++k)
      scene += "<geom type=\"box\" size=\".04 .04 .04\" pos=\"" + std::to_string(0.1 * i) + " " +
               std::to_string(0.1 * k) + " .04\"/>";
  Write("many.xml", scene + "</worldbody></mujoco>");
  Open({"many.xml"});
  EXPECT_TRUE(Wait([](const Json& s) { return s["steps"] > 5; }));
  EXPECT_EQ(State()["notice"].get<std::string>().rfind("nothing can move", 0), 0u) << State()["notice"];
  EXPECT_EQ(State()["gl_errors"], 0);
}

}  // namespace
}  // namespace stiction

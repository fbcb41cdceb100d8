// The viewer's window, driven by pointer and keys under a virtual display: what happens to the simulation,
// what is written to files, what is seen.
#include "window.h"

#include <cmath>

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
  const auto before = Look().at(static_cast<int>(x), static_cast<int>(y));
  EXPECT_GT(before[2], before[0]) << "the ball is blue";
  ClickAt(x, y);
  EXPECT_EQ(State()["selected_body"], 1);
  const auto after = Look().at(static_cast<int>(x), static_cast<int>(y));
  EXPECT_GT(after[0], before[0] + 20) << "what is selected is brighter";
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

TEST_F(Window, ControlAndRightDragPullsABody) {
  OpenThings();
  Press("space");
  const auto [x, y] = Seen(State(), 0.0, 0.0);
  Do("keydown ctrl");
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
  const auto [x, y] = Find("Controls/elbow", 0.75);
  ClickAt(x, y);
  EXPECT_TRUE(Wait([](const Json& s) { return std::abs(Elbow(s) - 1.0) < 0.15; })) << Elbow(State());
  const auto [ux, uy] = Find("Controls/push", 0.25);
  ClickAt(ux, uy);
  EXPECT_TRUE(Wait([](const Json& s) { return std::abs(s["ctrl"][0].get<double>() + 1.5) < 0.2; }));
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
  EXPECT_TRUE(State()["controls"].contains("Certificate/budget"));
  Click("Solver/Solver");
  ClickEntry("/canal");
  EXPECT_TRUE(Wait([](const Json& s) { return s["solver"] == "canal" && s["budget"] == 1e-8; }));
  Open({"stack.xml", "--paused", "--budget", "1e-5"});
  Click("Solver/Solver");
  ClickEntry("/canal");
  EXPECT_TRUE(Wait([](const Json& s) { return s["solver"] == "canal" && s["budget"] == 1e-5; }));
  Open({"stack.xml", "--paused", "--budget", "none"});
  EXPECT_TRUE(State()["budget"].is_null());
  EXPECT_TRUE(State()["controls"].contains("Certificate/budget: none"));
}

TEST_F(Window, ShadowSolversJudgeTheSameSteps) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused"});
  Press("ctrl+8");
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

TEST_F(Window, EveryPanelOpensAndDraws) {
  Write("stack.xml", kStack);
  Open({"stack.xml"});
  // All at once, then one by one: each has something to show, and none disturbs OpenGL.
  for (const char* key : {"7", "8", "9", "0"}) Press(std::string("ctrl+") + key);
  Press("F1");
  ASSERT_TRUE(Wait([](const Json& s) { return s["steps"] > 100; }));
  const Json panels = State()["panels"];
  EXPECT_EQ(panels.size(), 11u);
  for (const auto& [name, is_open] : panels.items()) EXPECT_EQ(is_open, true) << name;
  EXPECT_EQ(State()["gl_errors"], 0);
  Press("F1");
  const PictureFile all = Look();
  Press("Tab");
  const PictureFile none = Look();
  const auto is_dark = [](int r, int g, int b) { return r + g + b < 90; };
  EXPECT_GT(all.Count(is_dark), 300000);
  EXPECT_LT(none.Count(is_dark), 50000);
  Press("Tab");
  Press("F1");
  for (const char* key : {"1", "2", "3", "4", "5", "6", "7", "8", "9", "0"})
    Press(std::string("ctrl+") + key);
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
  Press("ctrl+r");
  for (int i = 0; i < 5; ++i) WaitForFrame();
  Press("ctrl+r");
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
  Click("Keep/Stop log");
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
  const Json controls = State()["controls"];
  for (const char* plot :
       {"Certificate/ncp", "Diagnostics/energy", "Diagnostics/penetration", "Diagnostics/step"})
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
  const Json controls = State()["controls"];
  for (const char* words :
       {"Diagnostics/energy: not in this log", "Diagnostics/step: not in this log",
        "View/Points, forces: not in this log", "Certificate/ncp", "Diagnostics/contacts"})
    EXPECT_TRUE(controls.contains(words)) << words << " is not among " << controls.dump();
  EXPECT_FALSE(controls.contains("Diagnostics/energy"));
}

TEST_F(Window, ASavedStateIsOpenedWithItsModel) {
  OpenThings();
  for (int i = 0; i < 3; ++i) Press("Right");
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
  // Every panel is inside of the window, and those at its sides and below fill all but the picture.
  void ExpectPanelsFit() {
    const Json state = State();
    const double width = state["window"][0], height = state["window"][1];
    double area = state["picture"][2].get<double>() * state["picture"][3].get<double>();
    for (const auto& [name, place] : state["places"].items()) {
      EXPECT_GE(place[0], 0.0) << name;
      EXPECT_GE(place[1], 18.0) << name;
      EXPECT_LE(place[0].get<double>() + place[2].get<double>(), width) << name;
      EXPECT_LE(place[1].get<double>() + place[3].get<double>(), height) << name;
      area += place[2].get<double>() * place[3].get<double>();
    }
    EXPECT_NEAR(area, width * (height - 19.0), 0.002 * width * height) << "dead or doubly used";
  }
};

TEST_F(LargeWindow, PanelsFollowItsSize) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused"});
  ExpectPanelsFit();
  const Json at_first = State()["places"];
  for (const auto& [width, height] : {std::pair(1000, 600), {2560, 1440}, {1920, 1080}, {800, 1200}}) {
    Resize(width, height);
    ExpectPanelsFit();
  }
  Resize(1280, 720);
  EXPECT_EQ(State()["places"], at_first);
  EXPECT_EQ(State()["gl_errors"], 0);
}

// Also those that are opened, or started, in a window of another size.
TEST_F(LargeWindow, APanelThatWasMovedKeepsItsPlace) {
  Write("stack.xml", kStack);
  Open({"stack.xml", "--paused", "--size", "1600x900"});
  ExpectPanelsFit();
  Press("ctrl+7");
  const Json before = State()["places"]["Diagnostics"];
  DragFrom(before[0].get<double>() + 200.0, before[1].get<double>() + 8.0, 150, 60, 1);
  const Json moved = State()["places"]["Diagnostics"];
  EXPECT_EQ(moved,
            Json({before[0].get<double>() + 150.0, before[1].get<double>() + 60.0, before[2], before[3]}));
  Resize(1000, 600);
  EXPECT_NE(State()["places"]["Diagnostics"], moved);
  Resize(1600, 900);
  EXPECT_EQ(State()["places"]["Diagnostics"], moved);
  const Json all = State()["places"];
  Do("key ctrl+q");
  ASSERT_TRUE(WaitForEnd());
  Open({"stack.xml", "--paused"});
  EXPECT_EQ(State()["window"], Json({1600, 900}));
  EXPECT_EQ(State()["places"], all);
  ClickEntry("/Panels menu");
  ClickEntry("/All where they were at first");
  EXPECT_TRUE(Wait([&](const Json& s) { return !s["places"].contains("Diagnostics"); }));
  ExpectPanelsFit();
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
  EXPECT_EQ(State()["places"].size(), 6u);
}

TEST_F(Window, TheStartPageOffersDemonstrations) {
  Open({"--paused"});
  Press("ctrl+9");
  EXPECT_EQ(State()["places"].size(), 1u) << "what needs no model opens beside it";
  Press("ctrl+9");
  Click("Start/Arm beside a stack");
  EXPECT_TRUE(Wait([](const Json& s) { return s["model"] == "arm_beside_stack"; })) << State()["notice"];
  EXPECT_NEAR(State()["qpos"][3].get<double>(), 1.6, 1e-12) << "in its keyframe";
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
  EXPECT_EQ(State()["notice"], "");
}

}  // namespace
}  // namespace stiction

// Scenarios through the program: the shipped ones pass, wrong ones are refused, failed ones are told.
#include <cmath>

#include "tests/integration/run_program.h"

namespace stiction {
namespace {

using nlohmann::json;

// A ball that falls from rest at 1 m: z = 1 − g n(n+1)/2 dt² after n steps of dt.
constexpr const char* kDrop = R"(<scenario name="drop" duration="0.2" timestep="0.01">
  <model file="ball.xml" pos="0 0 1"/>
  <record bodies="ball" every="5"/>
  <expect what="position" of="ball" axis="z" at="end" min="0.79398" max="0.79400"/>
  <expect what="speed" of="ball" max="1.5"/>
</scenario>
)";

class ScenarioRun : public ProgramTest {
 protected:
  ScenarioRun() {
    Write("ball.xml", R"(<mujoco model="ball"><worldbody><body name="ball"><freejoint/>
        <geom type="sphere" size="0.1" mass="1"/></body></worldbody>
      <keyframe><key name="high" qpos="0 0 9 1 0 0 0"/></keyframe></mujoco>)");
    Write("drop.xml", kDrop);
  }
  // The scenario with `elements` on line 3.
  void ExpectRefused(const std::string& attributes, const std::string& elements, const std::string& message) {
    Write("bad.xml",
          "<scenario " + attributes + ">\n<model file='ball.xml'/>\n" + elements + "\n</scenario>");
    ExpectError("run bad.xml", 3, message);
    ExpectError("inspect bad.xml", 3, message);
  }
};

class ShippedScenario : public ProgramTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(ShippedScenario, Passes) {
  const ProgramResult result = Run("run " STICTION_SOURCE_DIR "/assets/scenarios/" + std::string(GetParam()) +
                                   ".xml --strict --json -");
  EXPECT_EQ(result.code, 0) << result.err;
  const json o = result.Json();
  EXPECT_EQ(o["budget_misses"], 0);
  ASSERT_GE(o["expectations"].size(), 5u);
  for (const json& expectation : o["expectations"]) EXPECT_EQ(expectation["ok"], true) << expectation;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, ShippedScenario,
                         ::testing::Values("stack", "incline", "pinch", "surfaces", "rolling", "cup", "peg",
                                           "nut", "nut_at_rest", "nut_assembly", "peg_assembly", "pour_9",
                                           "bullets", "dishes", "four_bar", "floating_four_bar",
                                           "arm_trajectory", "push", "grip", "grip_midpoint", "ropes",
                                           "friction_moments", "spring_cylinder", "hydroelastic", "soft_grip",
                                           "sleep"),
                         [](const auto& shipped) { return std::string(shipped.param); });

// What users complain of, and what a paper simulates, shortly: whatever of the scenario has been measured by
// then holds. All of it takes minutes: `stiction run`.
struct ShortForm {
  const char* scenario;
  double time;        // [s]
  std::size_t least;  // expectations that are measured by then
  bool is_strict = true;
};
class ShippedShortForm : public ProgramTest, public ::testing::WithParamInterface<ShortForm> {};

TEST_P(ShippedShortForm, HoldsSoFar) {
  const ShortForm& form = GetParam();
  const ProgramResult result =
      Run("run " STICTION_SOURCE_DIR "/assets/scenarios/" + std::string(form.scenario) +
          ".xml --json - --quiet --time " + std::to_string(form.time) + (form.is_strict ? " --strict" : ""));
  ASSERT_LE(result.code, 1) << result.err;
  const json o = result.Json();
  EXPECT_EQ(o["budget_misses"], 0);
  std::size_t measured = 0;
  for (const json& expectation : o["expectations"]) {
    if (expectation["measured"].is_null()) continue;
    ++measured;
    EXPECT_EQ(expectation["ok"], true) << expectation;
  }
  EXPECT_GE(measured, form.least);
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, ShippedShortForm,
    ::testing::Values(ShortForm{"grip_limit", 0.6, 9}, ShortForm{"incline_limit", 2.0, 8},
                      ShortForm{"mass_ratio", 1.1, 10}, ShortForm{"loose_stacks", 1.1, 9},
                      ShortForm{"arch", 0.2, 5}, ShortForm{"card_house", 0.3, 8}, ShortForm{"kapla", 0.12, 7},
                      ShortForm{"domino", 0.7825, 6}, ShortForm{"turn_part", 17.5, 6},
                      ShortForm{"conveyor", 2.1, 8}, ShortForm{"quadruped_stands", 6.0, 8, false},
                      ShortForm{"quadruped_trots", 2.4, 8, false}, ShortForm{"humanoid_stands", 6.0, 3},
                      ShortForm{"sphere_stack_a", 2.0, 8}, ShortForm{"sphere_stack_b", 0.5, 7},
                      ShortForm{"nut_shaken", 0.52, 4}, ShortForm{"robot_pushes", 3.0, 10},
                      ShortForm{"pile_asleep", 6.0, 6}, ShortForm{"slip_control", 0.2, 2}),
    [](const auto& form) { return std::string(form.param.scenario); });

// The long tasks' beginnings: so many phases have ended by then, and every step was exact.
struct TaskStart {
  const char* scenario;
  double time;  // [s]
  int phases;
};
class ShippedTask : public ProgramTest, public ::testing::WithParamInterface<TaskStart> {};

TEST_P(ShippedTask, Begins) {
  const TaskStart& start = GetParam();
  const ProgramResult result =
      Run("run " STICTION_SOURCE_DIR "/assets/scenarios/" + std::string(start.scenario) +
          ".xml --strict --json - --quiet --time " + std::to_string(start.time));
  const json o = result.Json();
  EXPECT_EQ(o["budget_misses"], 0);
  for (const json& task : o["tasks"]) {
    EXPECT_NE(task["status"], "failed") << task;
    EXPECT_GE(task["phases_ended"], start.phases) << task;
  }
}

// A bowl lies in the other; both cups are lifted; the jar is open; the plug is locked in its socket; the bit
// is in the screw.
INSTANTIATE_TEST_SUITE_P(Tasks, ShippedTask,
                         ::testing::Values(TaskStart{"pile_dishes", 8.3, 8}, TaskStart{"pour_27", 3.3, 4},
                                           TaskStart{"jar", 7.3, 8}, TaskStart{"bayonet", 10.0, 8},
                                           TaskStart{"driver_assembly", 4.6, 3}),
                         [](const auto& shipped) { return std::string(shipped.param.scenario); });

TEST_F(ScenarioRun, ReportsEveryExpectation) {
  const ProgramResult result = Run("run drop.xml --json -");
  EXPECT_EQ(result.code, 1);  // 9.81 · 0.2 s is faster than 1.5 m/s
  const json o = result.Json();
  EXPECT_EQ(o["model"], "drop");
  EXPECT_EQ(o["steps"], 20);
  ASSERT_EQ(o["expectations"].size(), 2u);
  const json& position = o["expectations"][0];
  EXPECT_EQ(position["what"], "position");
  EXPECT_EQ(position["of"], "ball");
  EXPECT_EQ(position["axis"], "z");
  EXPECT_NEAR(position["measured"].get<double>(), 1.0 - 9.81 * 0.5 * 20 * 21 * 1e-4, 1e-12);
  EXPECT_EQ(position["min"], 0.79398);
  EXPECT_EQ(position["ok"], true);
  EXPECT_EQ(position["line"], 4);
  EXPECT_EQ(o["expectations"][1]["min"], nullptr);
  EXPECT_EQ(o["expectations"][1]["ok"], false);
  EXPECT_NEAR(o["expectations"][1]["measured"].get<double>(), 9.81 * 0.2, 1e-12);
  EXPECT_NE(result.err.find("failed: drop.xml:5: speed of ball: 1.962 m/s, max 1.5"), std::string::npos);
}

TEST_F(ScenarioRun, PrintsOneLineAnExpectation) {
  const ProgramResult result = Run("run drop.xml");
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find("expect       ok      position of ball along z at the end: 0.79399"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("expect       FAILED  speed of ball: 1.962 m/s, max 1.5  (drop.xml:5)"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("<record> is without effect"), std::string::npos);
  EXPECT_EQ(result.err, "");
  const ProgramResult quiet = Run("run drop.xml --quiet");
  EXPECT_EQ(quiet.out, "");
  EXPECT_EQ(quiet.err.find("failed: drop.xml:5: "), 0u) << quiet.err;
}

TEST_F(ScenarioRun, FlagsOverrideTheScenario) {
  const json o = Run("run drop.xml --time 0.1 --dt 0.005 --solver nbgs_c --ground 0.85 --json -").Json();
  EXPECT_EQ(o["dt"], 0.005);
  EXPECT_EQ(o["steps"], 20);
  EXPECT_EQ(o["solver"], "nbgs_c");
  EXPECT_GT(o["contacts"]["max"].get<double>(), 0.0);
  const json high = Run("run drop.xml --time 0 --keyframe ball/high --json -").Json();
  EXPECT_EQ(high["final"]["bodies"]["ball/ball"]["pos"][2], 10.0);  // 9 m, and the model's place
  ExpectError("run drop.xml --floating-base", 2, "--floating-base: a scenario says itself what floats");
  ExpectError("run drop.xml --keyframe high", 2, "known: start, ball/high");
  ExpectError("run drop.xml --solver magic", 2, "there is no solver 'magic'");
  ExpectError("run drop.xml --json ball.xml", 2, "ball.xml is the input");
}

TEST_F(ScenarioRun, LogsWhatTheRecordSays) {
  Run("run drop.xml --quiet --log run.csv");
  const std::string log = Read("run.csv");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1 + 4);  // a header, and every fifth of 20 steps
  EXPECT_NE(log.substr(0, log.find('\n')).find("ball"), std::string::npos);
}

// 2 N for 0.1 s lift 1 kg against nothing: z = 2 n(n+1)/2 dt² while it acts, then 0.2 m/s.
TEST_F(ScenarioRun, RunsControllersOfValuesAndTables) {
  Write("slider.xml",
        R"(<mujoco model="slider"><worldbody><body name="block"><joint name="x" type="slide" axis="1 0 0"/>
      <geom type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>)");
  Write("way.csv", "time,x\n0,0\n1,0.5\n");
  Write("moved.xml", R"(<scenario duration="1" timestep="0.01" gravity="0 0 0"><model file="ball.xml"/>
    <model file="slider.xml" pos="0 5 0"/>
    <controller type="wrench" of="ball" force="0 0 2" to="0.1"/>
    <controller type="joint_pd" model="slider" kp="1e6" kd="1e4" target="way.csv"/>
    <expect what="speed" of="ball" axis="z" at="end" min="0.1999999" max="0.2000001"/>
    <expect what="position" of="slider/block" axis="x" at="0.5" min="0.2499" max="0.2501"/></scenario>)");
  const ProgramResult result = Run("run moved.xml --strict --json -");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NEAR(result.Json()["final"]["qpos"][2].get<double>(), 2.0 * 55e-4 + 0.2 * 0.9, 1e-12);
  ExpectError("run moved.xml --json way.csv", 2, "way.csv is the input");
  Write("way.csv", "time,x\n0,0\n0,1\n");
  ExpectError("run moved.xml", 3, "way.csv:3: the time 0 is not later than the one before");
}

TEST_F(ScenarioRun, AMissedBudgetOfTheScenarioFails) {
  // Nothing that takes a division is solved to 1e-300 m/s.
  Write("boxes.xml", kBoxes);
  Write("strict.xml", R"(<scenario duration="0.1" budget="1e-300"><model file="boxes.xml"/></scenario>)");
  EXPECT_EQ(Run("run strict.xml --quiet").code, 1);
  EXPECT_EQ(Run("run strict.xml --quiet --budget 1").code, 0);
}

TEST_F(ScenarioRun, InspectsTheMergedModel) {
  Write("two.xml", R"(<scenario name="two"><ground/><model file="ball.xml" name="a" pos="0 0 0.1"/>
    <model file="ball.xml" name="b" pos="1 0 0" keyframe="high"/></scenario>)");
  const ProgramResult result = Run("inspect two.xml --json -");
  EXPECT_EQ(result.code, 0) << result.err;
  const json o = result.Json();
  EXPECT_EQ(o["model"], "two");
  EXPECT_EQ(o["nq"], 14);
  EXPECT_EQ(o["bodies"][0]["name"], "a/ball");
  EXPECT_EQ(o["bodies"][1]["pos"], json({1, 0, 9}));
  ASSERT_EQ(o["contacts"].size(), 1u);
  EXPECT_EQ(o["contacts"][0]["a"], "ground");
}

TEST_F(ScenarioRun, RefusesWrongScenarios) {
  ExpectRefused("", "<model file='missing.xml'/>", "bad.xml:3: <model>: no such file");
  ExpectRefused("", "<model file='ball.xml'/>",
                "bad.xml:3: <model>: the model on line 2 has the name \"ball\"");
  ExpectRefused("", "<expect what='drift' of='cup' max='1'/>",
                "bad.xml:3: <expect>: there is no body or frame");
  ExpectRefused("", "<controller type='wrench' of='cup' force='1 0 0'/>",
                "bad.xml:3: <controller type=\"wrench\">: there is no body or frame \"cup\"");
  ExpectRefused("", "<expect what='ncp' maximum='1'/>", "bad.xml:3: <expect>: unknown attribute \"maximum\"");
  ExpectRefused("", "<model file='bad.xml' name='self'/>", "a scenario, not a model");
  ExpectRefused("solver='magic'", "", "bad.xml:1: <scenario>: there is no solver \"magic\"; known: auto");
  ExpectRefused("duration='-1'", "", "bad.xml:1: <scenario>: duration must be positive");
  ExpectRefused("timestep='fast'", "", "bad.xml:1: <scenario>: timestep: \"fast\" is not a number");
  Write("cut.xml", std::string(kDrop).substr(0, 150));
  ExpectError("run cut.xml", 3, "cut.xml:");
}

// A task that cannot be done ends the run, with what it waited for and the state in which it was.
TEST_F(ScenarioRun, AFailedTaskIsToldAndItsStateIsSaved) {
  Write("press.xml",
        R"(<mujoco model="press"><worldbody><body name="ram"><joint name="x" type="slide" axis="1 0 0"/>
      <geom type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>)");
  const auto scenario = [&](const std::string& distance) {
    Write("press_it.xml",
          R"(<scenario duration="3" timestep="0.01"><model file="press.xml"/><task name="press" model="press">
        <controller name="ram" type="joint_pd" joints="x" kp="100" kd="20"/>
        <phase name="out" timeout="1"><move what="ram" values="0.2" duration="0.5"/>
          <until what="position" of="ram" axis="x" min=")" +
              distance + R"("/></phase></task><expect what="speed" of="press/ram" max="100"/></scenario>)");
  };
  scenario("0.3");
  const ProgramResult failed = Run("run press_it.xml --json - --quiet");
  EXPECT_EQ(failed.code, 1);
  EXPECT_NE(failed.err.find("task press failed in phase \"out\""), std::string::npos) << failed.err;
  EXPECT_NE(failed.err.find("position of ram along x: 0.2"), std::string::npos) << failed.err;
  const json o = failed.Json();
  EXPECT_NE(failed.err.find("max 100, but the run ended before its time"), std::string::npos) << failed.err;
  EXPECT_EQ(o["tasks"][0]["status"], "failed");
  EXPECT_LT(o["sim_time_s"], 1.1);
  ASSERT_TRUE(Exists("press_it.unfinished_task_state.json"));
  const json state = json::parse(Read("press_it.unfinished_task_state.json"));
  EXPECT_NEAR(state["q"][0], 0.2, 1e-2);
  EXPECT_FALSE(state["memory"].empty());
  scenario("0.199");
  const ProgramResult done = Run("run press_it.xml --json - --quiet");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.Json()["tasks"][0]["status"], "done");
}

// Two fields that are linked at the start, and what touches or does not.
TEST_F(ScenarioRun, ADeepOverlapAtTheStartIsTold) {
  Write("ring.xml",
        "<mujoco><worldbody><body name='ring'><freejoint/><geom type='sdf' resolution='0.004' "
        "field='difference(cylinder(0.03, 0.01), cylinder(0.02, 0.02))'/></body></worldbody></mujoco>");
  const auto run = [&](const std::string& place) {
    Write("rings.xml",
          "<scenario gravity='0 0 0' duration='0.02' timestep='0.002'>"
          "<model file='ring.xml' name='a'/><model file='ring.xml' name='b' pos='" +
              place + "'/></scenario>");
    return Run("run rings.xml").out;
  };
  const std::string linked = run("0.03 0 0");
  EXPECT_NE(linked.find("a/ring and b/ring start 0.0"), std::string::npos) << linked;
  EXPECT_NE(linked.find(" m deep in one another"), std::string::npos) << linked;
  EXPECT_EQ(run("0 0 0.01999").find("deep in one another"), std::string::npos);
  EXPECT_EQ(run("0 0 0.05").find("deep in one another"), std::string::npos);
}

TEST_F(ScenarioRun, DivergenceIsTold) {
  Write("wild.xml", R"(<scenario gravity="0 0 -1e200"><model file="ball.xml"/>
    <expect what="speed" at="end" max="1"/></scenario>)");
  const ProgramResult result = Run("run wild.xml --json -");
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.Json()["expectations"][0]["ok"], false);
}

}  // namespace
}  // namespace stiction

// `stiction run` from outside: exit codes, streams, files, JSON keys.
#include <cmath>

#include "tests/integration/run_program.h"

namespace stiction {
namespace {

using nlohmann::json;

// Falls so hard that its speed leaves every bound in the first step.
constexpr const char* kDiverging = R"(<mujoco model="diverging">
  <option gravity="0 0 -1e200"/>
  <worldbody>
    <body name="meteor" pos="0 0 1"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body>
  </worldbody>
</mujoco>
)";

class Runner : public ProgramTest {
 protected:
  Runner() { Write("boxes.xml", kBoxes); }
};

void ExpectKeys(const json& object, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) EXPECT_TRUE(object.contains(key)) << key;
}

TEST_F(Runner, JsonHasTheStableKeys) {
  const ProgramResult result = Run("run boxes.xml --time 0.1 --json -");
  ASSERT_EQ(result.code, 0) << result.err;
  const json o = result.Json();
  ExpectKeys(o, {"model", "solver", "dt", "steps", "sim_time_s", "wall_time_s", "real_time_factor", "step_us",
                 "contacts", "iterations", "certificate", "penetration_max_m", "energy", "budget_misses",
                 "state_hash", "final", "warnings"});
  ExpectKeys(o["step_us"], {"mean", "median", "p99", "max", "kinematics", "collision", "dynamics", "assembly",
                            "solve", "correction", "integration"});
  ExpectKeys(o["certificate"],
             {"ncp_max", "ncp_mean", "canal_mean", "own_law_max", "momentum_max", "loop_max"});
  for (const char* key : {"contacts", "iterations"}) ExpectKeys(o[key], {"mean", "max"});
  ExpectKeys(o["energy"], {"start", "end"});
  ExpectKeys(o["final"], {"time", "qpos", "qvel", "bodies", "sensors"});
  EXPECT_EQ(o["model"], "boxes");
  EXPECT_EQ(o["solver"], "auto");
  EXPECT_EQ(o["steps"], 50);
  EXPECT_EQ(o["final"]["qpos"].size(), 15u);
  EXPECT_EQ(o["final"]["qvel"].size(), 13u);
  EXPECT_EQ(o["state_hash"].get<std::string>().size(), 16u);
  EXPECT_FALSE(o.contains("error"));
}

TEST_F(Runner, ListsFinalPosesByName) {
  const json bodies = Run("run boxes.xml --time 0.1 --json -").Json()["final"]["bodies"];
  ASSERT_EQ(bodies.size(), 3u);  // the world is not one of them
  ExpectKeys(bodies, {"lower", "body2", "arm"});
  EXPECT_NEAR(bodies["body2"]["pos"][2].get<double>(), 0.3, 1e-6);
  EXPECT_NEAR(bodies["lower"]["quat"][0].get<double>(), 1.0, 1e-6);
}

TEST_F(Runner, SameInputSameBits) {
  const std::string first = Run("run boxes.xml --time 0.2 --json -").Json()["state_hash"];
  EXPECT_EQ(Run("run boxes.xml --time 0.2 --json -").Json()["state_hash"], first);
  EXPECT_EQ(Run("run boxes.xml --time 0.2 --threads 3 --json -").Json()["state_hash"], first);
  EXPECT_NE(Run("run boxes.xml --time 0.202 --json -").Json()["state_hash"], first);
}

TEST_F(Runner, StepsAreTimeOverDtRounded) {
  EXPECT_EQ(Run("run boxes.xml --time 0.1 --dt 0.003 --json -").Json()["steps"], 33);
  EXPECT_EQ(Run("run boxes.xml --time 0.0 --json -").Json()["steps"], 0);
  EXPECT_EQ(Run("run boxes.xml --time 0.1 --dt 0.003 --json -").Json()["dt"], 0.003);
}

TEST_F(Runner, StartsFromAKeyframe) {
  const json final = Run("run boxes.xml --time 0 --keyframe apart --json -").Json()["final"];
  EXPECT_EQ(final["qpos"][8], 1.0);
  EXPECT_EQ(final["qpos"][14], -0.5);
  ExpectError("run boxes.xml --keyframe nowhere", 2, "known: rest, apart");
}

TEST_F(Runner, PrintsATableUnlessQuiet) {
  const ProgramResult table = Run("run boxes.xml --time 0.1");
  EXPECT_EQ(table.code, 0);
  for (const char* word : {"boxes", "auto", "real time", "contacts", "ncp max", "penetration", "energy"})
    EXPECT_NE(table.out.find(word), std::string::npos) << word;
  EXPECT_EQ(table.err, "");
  const ProgramResult quiet = Run("run boxes.xml --time 0.1 --quiet --json answer.json");
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_EQ(json::parse(Read("answer.json"))["steps"], 50);
}

TEST_F(Runner, AddsGround) {
  Write("ball.xml", R"(<mujoco><worldbody><body name="ball" pos="0 0 1"><freejoint/>
      <geom type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>)");
  const auto height = [&](const std::string& flags) {
    return Run("run " + flags + " --time 2 --json -")
        .Json()["final"]["bodies"]["ball"]["pos"][2]
        .get<double>();
  };
  EXPECT_LT(height("ball.xml"), -5.0);
  EXPECT_NEAR(height("ball.xml --ground"), 0.1, 1e-5);
  EXPECT_NEAR(height("--ground ball.xml"), 0.1, 1e-5);  // the file is not taken for a height
  EXPECT_NEAR(height("--ground -0.5 ball.xml"), -0.4, 1e-5);
  EXPECT_NEAR(height("ball.xml --ground=0.25"), 0.35, 1e-5);
  // What starts inside of it is told from what stands on it.
  const std::string buried = Run("run ball.xml --ground 1.45 --time 0.01").out;
  EXPECT_NE(buried.find("ball starts 0.55 m below the ground: --ground 0."), std::string::npos) << buried;
  EXPECT_EQ(Run("run ball.xml --ground 0.9 --time 0.01").out.find("below the ground"), std::string::npos);
}

TEST_F(Runner, AModelInWhichNothingMovesIsSaidToBeOne) {
  Write("still.xml", "<mujoco><worldbody><body><geom size='0.1'/></body></worldbody></mujoco>");
  Write("still.urdf", R"(<robot name="r"><link name="a"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)");
  for (const std::string file : {"still.xml", "still.urdf"}) {
    const std::string out = Run("run " + file + " --time 0.01").out;
    EXPECT_NE(out.find("note         nothing can move"), std::string::npos) << out;
    const json warnings = Run("run " + file + " --time 0.01 --json -").Json()["warnings"];
    EXPECT_NE(warnings.dump().find("nothing can move"), std::string::npos) << warnings;
  }
  EXPECT_EQ(Run("run still.urdf --time 0.01 --floating-base").out.find("nothing can move"),
            std::string::npos);
}

TEST_F(Runner, UsageErrorsExitWith2) {
  ExpectError("fly", 2, "there is no command 'fly'");
  ExpectError("run", 2, "FILE");
  ExpectError("run boxes.xml --speed 3", 2, "--speed");
  ExpectError("run boxes.xml --solver magic", 2, "there is no solver 'magic'; known: auto");
  ExpectError("run boxes.xml --set tolerance", 2, "'tolerance' is not option=value");
  ExpectError("run boxes.xml --set colour=3", 2, "colour");
  ExpectError("run boxes.xml --set tolerance=small", 2, "tolerance");
  ExpectError("run boxes.xml --on-miss explode", 2, "--on-miss");
  ExpectError("run boxes.xml --threads 0", 2, "--threads");
  ExpectError("run boxes.xml --threads 100000", 2, "--threads");
  ExpectError("run boxes.xml --log run.txt", 2, "run.txt: the name of a log ends in .csv, .h5 or .hdf5");
  ExpectError("run boxes.xml --problems p.txt", 2, "ends in .json, .h5 or .hdf5");
  ExpectError("run boxes.xml --problems no/p.h5", 2, "no/p.h5");
  ExpectError("run boxes.xml --every 3", 2, "--problems");
  ExpectError("run boxes.xml --problems p.json --every 0", 2, "--every");
  for (const char* number : {"nan", "inf", "1e999", "1s", "0x10", "-1", "''"}) {
    ExpectError("run boxes.xml --time=" + std::string(number), 2, "--time");
    ExpectError("run boxes.xml --dt=" + std::string(number), 2, "--dt");
    ExpectError("run boxes.xml --budget=" + std::string(number), 2, "--budget");
  }
  ExpectError("run boxes.xml --dt 0", 2, "--dt");
  ExpectError("run boxes.xml --time 1 --dt 1e-300", 2, "steps");
  ExpectError("run boxes.xml --dt 1e300", 2, "a timestep of 1e+300 s is too long for a run of 5 s");
  ExpectError("run boxes.xml --time 1e-6 --json -", 2, "give a shorter --dt, or a longer --time");
  EXPECT_EQ(Run("run boxes.xml --time 0").code, 0);
  EXPECT_EQ(Run("run --set sweeps=7 --set c=100 boxes.xml --threads 1 --time 0.01").code, 0);
}

TEST_F(Runner, HelpIsNoError) {
  for (const char* arguments : {"--help", "run --help", "inspect --help", "solve --help", "list --help"}) {
    const ProgramResult help = Run(arguments);
    EXPECT_EQ(help.code, 0) << arguments;
    EXPECT_NE(help.out.find("--help"), std::string::npos) << arguments;
  }
}

TEST_F(Runner, BadFilesExitWith3AndTouchNothing) {
  Write("broken.xml", "<mujoco>\n  <worldbody>\n");
  Write("kept.json", "kept");
  ExpectError("run broken.xml --json kept.json --log run.csv --problems p.json", 3, "broken.xml:");
  EXPECT_EQ(Read("kept.json"), "kept");
  EXPECT_FALSE(Exists("run.csv") || Exists("p.json"));
  ExpectError("run absent.xml --json -", 3, "absent.xml");
}

TEST_F(Runner, OutputsThatCannotBeWrittenAreUsageErrors) {
  ExpectError("run boxes.xml --json no/such/folder/a.json", 2, "cannot write no/such/folder/a.json");
  ExpectError("run boxes.xml --log no/such/folder/a.csv", 2, "cannot write");
  ExpectError("run boxes.xml --json boxes.xml", 2, "is the input");
  EXPECT_EQ(Read("boxes.xml"), kBoxes);
  ExpectError("run scene:chain --json no/such/folder/a.json", 2, "cannot write no/such/folder/a.json");
  ExpectError("run boxes.xml --json a.json --problems ./a.json", 2, "./a.json is also the file of --json");
  EXPECT_FALSE(Exists("a.json"));
}

TEST_F(Runner, StrictRefusesWhatWouldBeIgnored) {
  Write("hologram.xml", R"(<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody>
  <hologram brightness="3"/></mujoco>)");
  const ProgramResult loose = Run("run hologram.xml --time 0.01 --json -");
  ASSERT_EQ(loose.code, 0) << loose.err;
  EXPECT_NE(loose.Json()["warnings"].dump().find("hologram"), std::string::npos);
  ExpectError("run hologram.xml --time 0.01 --strict --json -", 3, "hologram.xml:2: <hologram>: ignored");
  EXPECT_EQ(Run("run boxes.xml --time 0.01 --strict").code, 0);
}

// On standard error, whatever else is asked for, and in the JSON answer; what is harmless is only counted.
TEST_F(Runner, PhysicalLossesAreToldOneByOne) {
  Write("cloth.xml", R"(<mujoco>
  <asset><texture builtin="flat"/></asset>
  <worldbody>
    <light/><light/>
    <flexcomp name="cloth"/>
    <body><joint name="a" springy="1 1"/><geom size="0.1"/>
      <body pos="0 0 1"><joint name="b" springy="1 1"/><geom size="0.1"/></body></body>
  </worldbody>
</mujoco>)");
  Write("cloth_scenario.xml", "<scenario duration='0.01'><model name='m' file='cloth.xml'/></scenario>");
  const std::string cloth = "cloth.xml:5: flexcomp ignored: deformable bodies are not simulated\n";
  const std::string spring = "cloth.xml:6: joint[@springy] ignored: not an attribute that this engine knows";
  for (const std::string file : {"cloth.xml", "cloth_scenario.xml"}) {
    for (const std::string& command :
         {"run " + file + " --time 0.01 --quiet", "run " + file + " --time 0.01 --json -",
          "bench " + file + " --time 0.01 --solver auto,pgs_ncp"}) {
      const ProgramResult result = Run(command);
      SCOPED_TRACE(command + "\n" + result.err);
      ASSERT_EQ(result.code, 0);
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 2);
      EXPECT_EQ(result.err.find("warning: "), 0u);
      EXPECT_NE(result.err.find(cloth), std::string::npos);
      EXPECT_NE(result.err.find(spring), std::string::npos);
      EXPECT_NE(result.err.find("(x2, first here)"), std::string::npos);
    }
  }
  const nlohmann::json answer = Run("run cloth.xml --time 0.01 --json -").Json();
  ASSERT_EQ(answer["losses"].size(), 2u);
  EXPECT_EQ(answer["losses"][0].get<std::string>() + "\n", cloth);
  EXPECT_NE(answer["warnings"].dump().find("texture"), std::string::npos);
  EXPECT_EQ(Run("run boxes.xml --time 0.01 --quiet").err, "");
}

TEST_F(Runner, SceneWordsThatASceneDoesNotHaveAreUsageErrors) {
  ExpectError("run scene:nut:count=3 --time 0", 2, "it has: air, speed=, spin=");
  ExpectError("run scene:walker:count=3 --time 0", 2, "no 'count='");
  ExpectError("inspect scene:stack:seed=3", 2, "no 'seed='");
  ExpectError("inspect scene:arm7d:speed=1", 2, "no 'speed='");
  EXPECT_EQ(Run("inspect scene:quadruped:count=8 --json -").Json()["bodies"].size(), 8u * 13u);
  EXPECT_EQ(Run("inspect scene:brick_wall:count=60 --json -").Json()["bodies"].size(), 61u);
}

// One sweep cannot place the weight of two boxes to the last bit; a retry takes four.
constexpr const char* kPoor =
    "run boxes.xml --time 0.05 --keyframe rest --solver nbgs_c --set max_sweeps=1 --json -";

TEST_F(Runner, SolverThatIsNamedAndDoesNotConvergeExitsWith1) {
  const ProgramResult held = Run(kPoor);
  EXPECT_EQ(held.code, 1);
  const json o = held.Json();
  EXPECT_EQ(o["budget"], 1e-8);
  EXPECT_GT(o["budget_misses"], 0);
  EXPECT_EQ(o["unconverged_steps"], o["budget_misses"]);
  EXPECT_NE(held.err.find("warning: budget: "), std::string::npos) << held.err;
  EXPECT_NE(o["warnings"].dump().find("nbgs_c did not converge"), std::string::npos) << o["warnings"];
  EXPECT_NE(Run(std::string(kPoor) + " --quiet").err.find("warning: budget: "), std::string::npos);
  Write("poor.xml", R"(<scenario duration="0.05" solver="nbgs_c"><option name="max_sweeps" value="1"/>
  <model file="boxes.xml" keyframe="rest"/></scenario>)");
  EXPECT_EQ(Run("run poor.xml").code, 1);
}

TEST_F(Runner, SolverThatIsMeantToStopEarlySaysSo) {
  const ProgramResult free = Run(std::string(kPoor) + " --budget none");
  EXPECT_EQ(free.code, 0);
  EXPECT_EQ(free.Json()["budget"], nullptr);
  EXPECT_EQ(free.Json()["budget_misses"], 0);
  EXPECT_GT(free.Json()["certificate"]["ncp_max"], 1e-8);
  EXPECT_EQ(free.err.find("warning: budget"), std::string::npos) << free.err;
  Write("poor.xml", R"(<scenario duration="0.05" solver="nbgs_c" budget="none">
  <option name="max_sweeps" value="1"/><model file="boxes.xml" keyframe="rest"/></scenario>)");
  const ProgramResult scenario = Run("run poor.xml");
  EXPECT_EQ(scenario.code, 0);
  EXPECT_NE(scenario.out.find("budget       none"), std::string::npos) << scenario.out;
  ExpectError("run boxes.xml --budget nothing", 2, "--budget: 'nothing' is not a number");
  Write("wrong.xml", R"(<scenario budget="nothing"><model file="boxes.xml"/></scenario>)");
  ExpectError("run wrong.xml", 3, "budget");
}

TEST_F(Runner, BudgetMayBeRelative) {
  const json strict = Run("run boxes.xml --time 0.05 --json -").Json();
  EXPECT_EQ(strict["budget_relative"], 0.0);
  const json loose = Run("run boxes.xml --time 0.05 --json - --budget 1e-9+1e-6v").Json();
  EXPECT_EQ(loose["budget"], 1e-9);
  EXPECT_EQ(loose["budget_relative"], 1e-6);
  EXPECT_EQ(loose["budget_misses"], 0);
  EXPECT_NE(Run("run boxes.xml --time 0.01 --budget 1e-9+1e-6v").out.find("budget       1e-09+1e-06v m/s"),
            std::string::npos);
  ExpectError("run boxes.xml --budget 1e-8+1e-6", 2, "'1e-8+1e-6' is not a number > 0 [m/s] as 1e-8");
}

TEST_F(Runner, SolverBudgetCutsStepsShort) {
  const std::string run = "run boxes.xml --time 0.1 --solver pgs_ncp --json - --solver-budget-iterations ";
  const ProgramResult cut = Run(run + "1");
  EXPECT_EQ(cut.code, 1);  // the accuracy was asked for, too
  const json o = cut.Json();
  EXPECT_EQ(o["solver_budget_iterations"], 1);
  EXPECT_EQ(o["solver_budget_us"], nullptr);
  EXPECT_GT(o["cut_steps"], 0);
  EXPECT_GE(o["cut_solves"], o["cut_steps"]);
  EXPECT_GE(o["budget_misses"], o["cut_steps"]);
  // One in each solve: a step whose answer brings contacts about is solved twice.
  EXPECT_LE(o["iterations"]["max"], 2);
  EXPECT_EQ(Run(run + "1").Json()["state_hash"], o["state_hash"]);
  EXPECT_EQ(Run(run + "1 --threads 3").Json()["state_hash"], o["state_hash"]);
  EXPECT_EQ(Run(run + "1 --budget none").code, 0);
  EXPECT_EQ(Run(run + "1 --budget none").Json()["cut_steps"], o["cut_steps"]);
  const json enough = Run(run + "1000000 --solver-budget-us 1e9").Json();
  EXPECT_EQ(enough["cut_steps"], 0);
  EXPECT_EQ(enough["state_hash"],
            Run("run boxes.xml --time 0.1 --solver pgs_ncp --json -").Json()["state_hash"]);
  const std::string out = Run("run boxes.xml --time 0.1 --solver-budget-us 1e9").out;
  EXPECT_NE(out.find("solver time  1e+09 us a step; cut short in 0 of 50 steps"), std::string::npos) << out;
}

TEST_F(Runner, SolverBudgetOfNothingIsToldAndEnds) {
  const ProgramResult nothing = Run("run boxes.xml --time 0.1 --solver-budget-us 0 --json -");
  EXPECT_EQ(nothing.code, 1);
  EXPECT_NE(nothing.err.find("warning: solver budget: with none at all"), std::string::npos) << nothing.err;
  EXPECT_EQ(nothing.Json()["solver_budget_us"], 0.0);
  EXPECT_EQ(nothing.Json()["iterations"]["max"], 0);
  EXPECT_GT(nothing.Json()["cut_steps"], 0);
  Write("hurried.xml",
        R"(<scenario duration="0.05" solver_budget_us="0"><model file="boxes.xml"/></scenario>)");
  EXPECT_EQ(Run("run hurried.xml").code, 1);
  EXPECT_EQ(Run("run hurried.xml --solver-budget-us 1e9").code, 0);
  ExpectError("run boxes.xml --solver-budget-us -1", 2, "--solver-budget-us");
  ExpectError("run boxes.xml --solver-budget-us soon", 2, "--solver-budget-us");
  ExpectError("run boxes.xml --solver-budget-iterations -1", 2, "--solver-budget-iterations");
  Write("wrong.xml", R"(<scenario solver_budget_us="-1"><model file="boxes.xml"/></scenario>)");
  ExpectError("run wrong.xml", 3, "solver_budget_us must not be negative");
}

// A box slides: sap meets the convex law, which is not the exact one.
TEST_F(Runner, MissOfAConvexSolverIsToldAndNoError) {
  Write("slide.xml", R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody>
  <keyframe><key name="push" qpos="0 0 0.1 1 0 0 0" qvel="2 0 0 0 0 0"/></keyframe></mujoco>)");
  const std::string slide = "run slide.xml --keyframe push --time 0.02 --solver sap --json -";
  const ProgramResult loose = Run(slide);
  EXPECT_EQ(loose.code, 0) << loose.err;
  EXPECT_GT(loose.Json()["budget_misses"], 0);
  EXPECT_EQ(loose.Json()["unconverged_steps"], 0);
  EXPECT_NE(loose.err.find("sap met its own law"), std::string::npos) << loose.err;
  EXPECT_EQ(Run(slide + " --budget 1e-8").code, 1);  // which asks for the exact law
}

TEST_F(Runner, BudgetThatIsGivenAndMissedExitsWith1) {
  EXPECT_EQ(Run("run boxes.xml --time 0.05 --budget 1e-8").code, 0);
  EXPECT_EQ(Run("run boxes.xml --time 0.05 --budget 1e-300").code, 1);
  const ProgramResult stopped = Run(std::string(kPoor) + " --budget 1e-16 --on-miss stop");
  EXPECT_EQ(stopped.code, 1);
  EXPECT_LT(stopped.Json()["steps"], 25);
  EXPECT_EQ(stopped.Json()["budget_misses"], 1);
}

// What `auto` misses of the budget that nobody asked for is counted and told.
TEST_F(Runner, MissOfTheDefaultSolverIsNoErrorUnlessABudgetIsGiven) {
  const std::string hasty =
      "run boxes.xml --time 0.02 --keyframe rest --set sweeps=0 --set primal_dual_steps=0 --set max_newton=1 "
      "--set retry_newton=0 --set retry_sweeps=0 --set path_newton=0 --set walk_newton=0 --set last_sweeps=0 "
      "--json -";
  const ProgramResult result = Run(hasty);
  EXPECT_EQ(result.code, 0);
  EXPECT_GT(result.Json()["budget_misses"], 0);
  EXPECT_NE(result.err.find("warning: budget: "), std::string::npos) << result.err;
  EXPECT_EQ(Run(hasty + " --budget 1e-8").code, 1);
}

TEST_F(Runner, FallbackSavesAPoorSolver) {
  for (const std::string budget : {"1e-8", "1e-11"}) {
    const ProgramResult result =
        Run("run boxes.xml --time 0.1 --keyframe rest --solver nbgs_c --set max_sweeps=1 --on-miss fallback "
            "--json - --budget " +
            budget);
    EXPECT_EQ(result.code, 0) << result.out;
    EXPECT_LE(result.Json()["certificate"]["ncp_max"], std::stod(budget));
  }
}

TEST_F(Runner, DivergenceExitsWith4AndSavesTheLastGoodState) {
  Write("diverging.xml", kDiverging);
  const ProgramResult result = Run("run diverging.xml --json -");
  EXPECT_EQ(result.code, 4) << result.err;
  const json o = result.Json();
  ExpectKeys(o, {"error", "final", "certificate", "state_hash"});
  EXPECT_NE(o["error"].get<std::string>().find("t = 0"), std::string::npos) << o["error"];
  EXPECT_NE(o["error"].get<std::string>().find("'meteor'"), std::string::npos) << o["error"];
  EXPECT_EQ(o["last_good_state"], "diverging.last_good_state.json");
  EXPECT_NE(result.err.find("diverging.last_good_state.json"), std::string::npos);
  EXPECT_EQ(json::parse(Read("diverging.last_good_state.json"))["q"][2], 1.0);
}

// Squares of such speeds are infinite.
TEST_F(Runner, SpeedsBeyondAllSquaresEndLikeAnyDivergence) {
  Write("fast.xml", R"(<mujoco model="fast"><worldbody>
    <body name="a" pos="0 0 1"><freejoint/><geom size="0.1" mass="1"/></body>
    <body name="b"><joint axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0" mass="1"/></body>
  </worldbody><keyframe><key name="spin" qvel="0 0 0 0 0 0 1e200"/></keyframe></mujoco>)");
  const ProgramResult run = Run("run fast.xml --keyframe spin --time 0.01 --json -");
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_NE(run.Json()["error"].get<std::string>().find("'b'"), std::string::npos);
  for (const char* speed : {"1e160", "1e300", "-1e308"}) {
    const ProgramResult inspect = Run("inspect fast.xml --json - --qvel=0,0,0,0,0,0," + std::string(speed));
    EXPECT_EQ(inspect.code, 0) << speed << inspect.err;
    EXPECT_EQ(inspect.Json()["qvel"][6], std::stod(speed));
  }
}

TEST_F(Runner, LogsARowAStep) {
  ASSERT_EQ(Run("run boxes.xml --time 0.02 --log run.csv --quiet").code, 0);
  std::istringstream log(Read("run.csv"));
  std::string header, row;
  std::getline(log, header);
  EXPECT_EQ(header.find("time,q:lower_free.x,q:lower_free.y,"), 0u) << header;
  EXPECT_NE(header.find(",q:hinge,v:lower_free.vx,"), std::string::npos) << header;
  EXPECT_NE(header.find(",v:hinge,contacts,iterations,ncp_max,"), std::string::npos) << header;
  int rows = 0;
  while (std::getline(log, row)) {
    ++rows;
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(header.begin(), header.end(), ','));
  }
  EXPECT_EQ(rows, 10);
}

TEST_F(Runner, FreezesProblemsThatSolveReads) {
  ASSERT_EQ(Run("run boxes.xml --time 0.02 --problems last.json --quiet").code, 0);
  ASSERT_EQ(Run("run boxes.xml --time 0.02 --problems p.json --every 4 --quiet").code, 0);
  EXPECT_TRUE(Exists("p_000004.json") && Exists("p_000008.json"));
  EXPECT_FALSE(Exists("p.json") || Exists("p_000010.json"));
  const ProgramResult solved = Run("solve last.json p_000004.json p_000008.json --json -");
  ASSERT_EQ(solved.code, 0) << solved.err;
  for (const json& result : solved.Json()["results"]) EXPECT_LE(result["certificate"]["ncp_max"], 1e-8);
}

TEST_F(Runner, SaysThatWithoutAStepThereIsNoProblem) {
  const ProgramResult result = Run("run boxes.xml --time 0 --problems p.json --json -");
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.Json()["warnings"].dump().find("--problems"), std::string::npos);
  EXPECT_FALSE(Exists("p.json"));
}

TEST_F(Runner, FreezesProblemsIntoOneHdf5File) {
  const ProgramResult frozen =
      Run("run boxes.xml --solver nbgs_c --time 0.2 --problems p.h5 --every 40 --quiet");
  if (frozen.err.find("no HDF5") != std::string::npos) GTEST_SKIP() << frozen.err;
  ASSERT_EQ(frozen.code, 0) << frozen.err;
  ASSERT_EQ(Run("run boxes.xml --solver nbgs_c --time 0.16 --problems p.json --quiet").code, 0);
  json cold = json::parse(Read("p.json"));
  ASSERT_EQ(cold.erase("warm_start"), 1u);
  Write("cold.json", cold.dump());
  const ProgramResult solved = Run("solve p.h5 p.json cold.json --solver nbgs_c --full --json -");
  ASSERT_EQ(solved.code, 0) << solved.err;
  const json results = solved.Json()["results"];
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0]["problem"], "p.h5:step_000000040");
  EXPECT_EQ(results[1]["problem"], "p.h5:step_000000080");
  EXPECT_EQ(results[1]["lambda"], results[2]["lambda"]);  // step 80 again
  // Two boxes at rest: the warm start of a step is its solution, nearly. Sweeps stop at the tolerance, so
  // that rounding decides whether the next step needs a few again.
  EXPECT_LT(2 * results[1]["iterations"].get<int>(), results[3]["iterations"].get<int>());
}

TEST_F(Runner, FreezesProblemsForFclib) {
  const ProgramResult frozen = Run("run boxes.xml --time 0.02 --problems p.fclib.h5 --every 5 --quiet");
  if (frozen.err.find("no HDF5") != std::string::npos) GTEST_SKIP() << frozen.err;
  ASSERT_EQ(frozen.code, 0) << frozen.err;
  const ProgramResult solved = Run("solve p_000005.fclib.h5 p_000010.fclib.h5 --json -");
  ASSERT_EQ(solved.code, 0) << solved.err;
  for (const json& result : solved.Json()["results"]) EXPECT_LE(result["certificate"]["ncp_max"], 1e-8);
}

// Once the log shows that it steps.
TEST_F(Runner, CtrlCReportsWhatIsDone) {
  Write("interrupt.sh", R"sh("$@" & run=$!
while [ "$(wc -l < run.csv 2> /dev/null || echo 0)" -lt 2 ] && kill -0 $run; do sleep 0.02; done
kill -INT $run
wait $run
)sh");
  const ProgramResult result = Run("run boxes.xml --time 1e6 --json - --log run.csv", "sh interrupt.sh");
  EXPECT_EQ(result.code, 130);
  const json o = result.Json();
  EXPECT_GT(o["steps"], 0);
  EXPECT_NE(o["warnings"].dump().find("interrupted"), std::string::npos);
}

}  // namespace
}  // namespace stiction

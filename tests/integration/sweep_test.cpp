// `stiction sweep`: cases, tables, and what survives a kill.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "run_program.h"
#include "shell.h"
#include "tests/support/python.h"

namespace stiction {
namespace {

using SweepRow = std::map<std::string, std::string>;

// Cells of a table of which none holds a comma.
std::vector<SweepRow> ReadTable(const std::string& text) {
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    return cells;
  };
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> title = split(line);
  std::vector<SweepRow> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = split(line);
    EXPECT_EQ(cells.size(), title.size()) << line;
    SweepRow row;
    for (std::size_t i = 0; i < std::min(cells.size(), title.size()); ++i) row[title[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

// What does not change from run to run.
std::vector<SweepRow> WithoutTimes(std::vector<SweepRow> rows) {
  for (SweepRow& row : rows) row.erase("wall_time_s");
  return rows;
}

class Sweep : public ProgramTest {
 protected:
  std::vector<SweepRow> RunSweep(const std::string& arguments, const std::string& out = "sweep.csv") const {
    const ProgramResult result = Run("sweep " + arguments + (out == "sweep.csv" ? "" : " --out " + out));
    EXPECT_EQ(result.code, 0) << arguments << "\n" << result.err;
    return ReadTable(Read(out));
  }
  // The lines of a record behind its first, and whether each case stands there once.
  std::vector<nlohmann::json> ReadRecord(const std::string& name) const {
    std::istringstream in(Read(name));
    std::vector<nlohmann::json> lines;
    std::set<int> cases;
    for (std::string line; std::getline(in, line);) {
      lines.push_back(nlohmann::json::parse(line));
      if (lines.size() > 1) {
        EXPECT_TRUE(cases.insert(lines.back()["case"].get<int>()).second) << line;
      }
    }
    if (!lines.empty()) lines.erase(lines.begin());
    return lines;
  }
};

const std::string kPinch = "'" STICTION_SOURCE_DIR "/assets/scenarios/pinch.xml'";

TEST_F(Sweep, GridHasARowACaseWithTheNumbersOfRun) {
  Write("boxes.xml", kBoxes);
  const std::vector<SweepRow> rows =
      RunSweep("boxes.xml --time 0.1 --vary solver=auto,canal --vary dt=0.001:0.003:3");
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[1].at("case"), "1");
  EXPECT_EQ(rows[1].at("solver"), "auto");
  EXPECT_EQ(rows[1].at("dt"), "0.002");  // the last one changes first
  EXPECT_EQ(rows[5].at("solver"), "canal");
  for (const SweepRow& row : rows) {
    const auto run =
        Run("run boxes.xml --time 0.1 --json - --solver " + row.at("solver") + " --dt " + row.at("dt"))
            .Json();
    EXPECT_EQ(row.at("state_hash"), run["state_hash"]);
    EXPECT_EQ(std::stoi(row.at("steps")), run["steps"]);
    EXPECT_EQ(std::stod(row.at("ncp_max")), run["certificate"]["ncp_max"]);
    EXPECT_EQ(std::stod(row.at("energy_end")), run["energy"]["end"]);
    EXPECT_EQ(row.at("status"), "ok");
  }
}

TEST_F(Sweep, VariesWordsOfScenes) {
  const std::vector<SweepRow> rows =
      RunSweep("scene:clutter:count=3 --time 0.1 --vary seed=1:3 --vary set.sweeps=5,50");
  ASSERT_EQ(rows.size(), 6u);
  std::set<std::string> hashes;
  for (const SweepRow& row : rows) {
    const auto run = Run("run scene:clutter:count=3:seed=" + row.at("seed") +
                         " --time 0.1 --json - --set sweeps=" + row.at("set.sweeps"))
                         .Json();
    EXPECT_EQ(row.at("state_hash"), run["state_hash"]);
    hashes.insert(row.at("state_hash"));
  }
  EXPECT_GE(hashes.size(), 3u);
}

// A brick of friction 0.1 slides, and one of 1 does not; expectations become columns.
TEST_F(Sweep, VariesFrictionAndMeasuresExpectations) {
  const std::vector<SweepRow> rows =
      RunSweep("'" STICTION_SOURCE_DIR "/assets/scenarios/incline.xml' --vary friction=0.1:1:2 --time 1");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("status"), "expectation_failed");
  EXPECT_EQ(rows[0].at("expect1_met"), "0");
  EXPECT_GT(std::stod(rows[0].at("expect1_drift")), 0.1);
  EXPECT_LT(std::stod(rows[1].at("expect1_drift")), 1e-6);
}

// What the fingers hold goes with them, and does not creep against them, however all of it was pushed at
// first.
TEST_F(Sweep, AGripHoldsFromDisturbedStarts) {
  const std::vector<SweepRow> rows =
      RunSweep(kPinch + " --vary spread=0.01,0.1,0.3 --vary seed=0:2 --vary integrator=euler,midpoint");
  ASSERT_EQ(rows.size(), 18u);
  for (const SweepRow& row : rows)
    EXPECT_EQ(row.at("status"), "ok")
        << row.at("spread") << ' ' << row.at("seed") << ' ' << row.at("integrator");
}

TEST_F(Sweep, SeedDisturbsTheStartOfWhatHasNone) {
  Write("boxes.xml", kBoxes);
  const std::vector<SweepRow> rows = RunSweep("boxes.xml --time 0.05 --vary spread=0,0.1 --vary seed=0:2");
  ASSERT_EQ(rows.size(), 6u);
  std::set<std::string> still, moving;
  for (const SweepRow& row : rows) (row.at("spread") == "0" ? still : moving).insert(row.at("state_hash"));
  EXPECT_EQ(still.size(), 1u);
  EXPECT_EQ(moving.size(), 3u);
  EXPECT_EQ(*still.begin(), Run("run boxes.xml --time 0.05 --json -").Json()["state_hash"]);
}

TEST_F(Sweep, ThreadsDoNotChangeTheTable) {
  const std::string sweep = kPinch + " --time 0.02 --vary friction=0.1:1:10 --vary seed=0:3";
  const auto one = WithoutTimes(RunSweep(sweep));
  ASSERT_EQ(one.size(), 40u);
  EXPECT_EQ(WithoutTimes(RunSweep(sweep + " --threads 4", "four.csv")), one);
}

// Killed in the middle, its last line torn, and started again: nothing is lost, and nothing done twice.
TEST_F(Sweep, GoesOnAfterAKill) {
  const std::string sweep =
      "sweep " + kPinch + " --time 0.02 --vary friction=0.1:1:10 --vary seed=0:99 --threads 2 --quiet";
  const std::string record = "sweep.csv.cases.jsonl";
  const auto kill_at = [&](int lines) {
    const ShellOutcome outcome =
        RunShell("cd " + Quote(folder()) + " && { '" STICTION_RUNNER "' " + sweep + " & } && pid=$! && " +
                 "for i in $(seq 3000); do [ \"$(cat " + record + " 2>/dev/null | wc -l)\" -ge " +
                 std::to_string(lines) + " ] && break; sleep 0.01; done; kill -9 $pid; wait $pid; echo $?");
    EXPECT_NE(outcome.out.find("137"), std::string::npos) << "it ended before the kill: " << outcome.out;
    EXPECT_FALSE(Exists("sweep.csv"));
  };
  kill_at(200);
  const std::size_t first = ReadRecord(record).size();
  EXPECT_GE(first, 199u);
  EXPECT_LT(first, 1000u);
  const std::string before = Read(record);
  Write(record, before + "{\"case\":999,\"status\":\"o");
  kill_at(500);
  EXPECT_EQ(Read(record).compare(0, before.size(), before), 0);

  const ProgramResult rest = Run(sweep);
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(Read(record).compare(0, before.size(), before), 0);
  EXPECT_EQ(ReadRecord(record).size(), 1000u);
  const std::vector<SweepRow> rows = ReadTable(Read("sweep.csv"));
  ASSERT_EQ(rows.size(), 1000u);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(rows[i].at("case"), std::to_string(i));
    ASSERT_EQ(rows[i].at("seed"), std::to_string(i % 100));
  }
  // And again: nothing is left to do.
  const std::string whole = Read(record);
  EXPECT_EQ(Run(sweep).code, 0);
  EXPECT_EQ(Read(record), whole);
  EXPECT_EQ(ReadTable(Read("sweep.csv")), rows);
  // As if it had never been killed.
  const auto part = WithoutTimes(RunSweep(
      kPinch + " --time 0.02 --vary friction=0.1:1:10 --vary seed=0:99 --part 0/1 --threads 2", "again.csv"));
  EXPECT_EQ(part, WithoutTimes(rows));
}

TEST_F(Sweep, CtrlCEndsItAtOnceWithWhatIsFinished) {
  Write("boxes.xml", kBoxes);
  const ShellOutcome outcome = RunShell(
      "cd " + Quote(folder()) +
      " && { '" STICTION_RUNNER
      "' sweep boxes.xml --vary time=0.01,0.02,1000000 & } && pid=$! && "
      "for i in $(seq 3000); do [ \"$(cat sweep.csv.cases.jsonl 2>/dev/null | wc -l)\" = 3 ] && break; "
      "sleep 0.01; done; kill -INT $pid; wait $pid");
  EXPECT_EQ(outcome.code, 130) << outcome.out;
  EXPECT_NE(outcome.out.find("the same command goes on"), std::string::npos) << outcome.out;
  EXPECT_EQ(ReadRecord("sweep.csv.cases.jsonl").size(), 2u);
}

TEST_F(Sweep, ARecordBelongsToOneSweepAndOneWriter) {
  Write("boxes.xml", kBoxes);
  RunSweep("boxes.xml --time 0.01 --vary dt=0.001,0.002");
  ExpectError("sweep boxes.xml --time 0.02 --vary dt=0.001,0.002", 2, "`time` was 0.01 and is 0.02");
  ExpectError("sweep boxes.xml --time 0.01 --vary dt=0.001,0.003", 2, "another run: `vary`");
  std::string changed = kBoxes;
  Write("boxes.xml", changed.replace(changed.find("mass=\"10\""), 9, "mass=\"11\""));
  ExpectError("sweep boxes.xml --time 0.01 --vary dt=0.001,0.002", 2, "another run: `contents`");
  Write("boxes.xml", kBoxes);
  std::string record = Read("sweep.csv.cases.jsonl");
  Write("sweep.csv.cases.jsonl", record.insert(record.find('\n') + 1, "garbage\n"));
  ExpectError("sweep boxes.xml --time 0.01 --vary dt=0.001,0.002", 2, "sweep.csv.cases.jsonl:2");

  const ShellOutcome two = RunShell(
      "cd " + Quote(folder()) +
      " && { '" STICTION_RUNNER
      "' sweep boxes.xml --vary seed=0:9 --time 1000 --out long.csv --quiet & } && pid=$! && "
      "for i in $(seq 3000); do [ -s long.csv.cases.jsonl ] && break; sleep 0.01; done; '" STICTION_RUNNER
      "' sweep boxes.xml --vary seed=0:9 --time 1000 --out long.csv; kill -9 $pid; wait $pid");
  EXPECT_NE(two.out.find("another process is writing it"), std::string::npos) << two.out;
}

TEST_F(Sweep, SampleDrawsWithinItsBoundsAndRepeatsItself) {
  Write("boxes.xml", kBoxes);
  const std::string sweep =
      "boxes.xml --time 0.004 --sample 200 --vary friction=0.2:0.8:uniform --vary dt=0.0005:0.002:loguniform "
      "--vary seed=0:9";
  const std::vector<SweepRow> rows = RunSweep(sweep);
  ASSERT_EQ(rows.size(), 200u);
  double mean = 0.0, mean_log = 0.0;
  std::set<std::string> seeds, frictions;
  for (const SweepRow& row : rows) {
    const double friction = std::stod(row.at("friction")), dt = std::stod(row.at("dt"));
    EXPECT_TRUE(friction >= 0.2 && friction <= 0.8) << friction;
    EXPECT_TRUE(dt >= 0.0005 && dt <= 0.002) << dt;
    mean += friction / 200.0;
    mean_log += std::log(dt) / 200.0;
    seeds.insert(row.at("seed"));
    frictions.insert(row.at("friction"));
  }
  // Four standard deviations of the mean of 200 uniform numbers: 0.082 of the range.
  EXPECT_NEAR(mean, 0.5, 0.082 * 0.6);
  EXPECT_NEAR(mean_log, std::log(0.001), 0.082 * std::log(4.0));
  EXPECT_EQ(seeds.size(), 10u);
  EXPECT_EQ(frictions.size(), 200u);
  EXPECT_EQ(WithoutTimes(RunSweep(sweep + " --threads 3", "again.csv")), WithoutTimes(rows));
  EXPECT_NE(RunSweep(sweep + " --sample-seed 1", "other.csv")[0].at("friction"), rows[0].at("friction"));
}

// Parts share the cases out; the last one to end writes the table; a part that was lost can be run again.
TEST_F(Sweep, PartsMakeOneTable) {
  const std::string sweep = kPinch + " --time 0.02 --vary friction=0.1:1:10 --vary seed=0:1";
  const auto whole = WithoutTimes(RunSweep(sweep));
  const std::string parts = "sweep " + sweep + " --out parts.csv";
  EXPECT_EQ(Run(parts + " --part 0/3").code, 0);
  EXPECT_EQ(Run(parts + " --part 2/3").code, 0);
  EXPECT_FALSE(Exists("parts.csv"));
  const ProgramResult early = Run(parts + " --merge");
  EXPECT_EQ(early.code, 1);
  EXPECT_NE(early.out.find("13 of 20 cases are done"), std::string::npos) << early.out;
  EXPECT_EQ(Run(parts + " --part 1/3").code, 0);
  EXPECT_EQ(WithoutTimes(ReadTable(Read("parts.csv"))), whole);
  std::filesystem::remove(folder() / "parts.csv");
  EXPECT_EQ(Run(parts + " --merge").code, 0);
  EXPECT_EQ(WithoutTimes(ReadTable(Read("parts.csv"))), whole);
  // Shared out in another way, only what was lost is run again.
  std::filesystem::remove(folder() / "parts.csv.cases-1-of-3.jsonl");
  EXPECT_EQ(Run(parts).code, 0);
  EXPECT_EQ(ReadRecord("parts.csv.cases.jsonl").size(), 7u);
  EXPECT_EQ(WithoutTimes(ReadTable(Read("parts.csv"))), whole);
}

TEST_F(Sweep, RanksOfMpirunAreParts) {
  const std::string sweep = kPinch + " --time 0.02 --vary friction=0.1:1:10 --vary seed=0:1";
  const auto whole = WithoutTimes(RunSweep(sweep));
  if (RunShell("mpirun --version").code != 0) GTEST_SKIP() << "mpirun is not installed";
  const ProgramResult result =
      Run("sweep " + sweep + " --out ranks.csv",
          "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(WithoutTimes(ReadTable(Read("ranks.csv"))), whole);
  EXPECT_EQ(ReadRecord("ranks.csv.cases-0-of-2.jsonl").size(), 10u);
  EXPECT_EQ(ReadRecord("ranks.csv.cases-1-of-2.jsonl").size(), 10u);
}

// The script as Slurm runs it, job by job.
TEST_F(Sweep, SlurmScriptRunsTheParts) {
  const std::string sweep = kPinch + " --time 0.02 --vary friction=0.1:1:10 --vary seed=0:1 --budget none";
  const auto whole = WithoutTimes(RunSweep(sweep));
  ASSERT_EQ(Run("sweep " + sweep + " --out jobs.csv --slurm job.sh --parts 2 --threads 2").code, 0);
  EXPECT_FALSE(Exists("jobs.csv.cases.jsonl"));
  const std::string script = Read("job.sh");
  EXPECT_NE(script.find("#SBATCH --array=0-1\n"), std::string::npos) << script;
  EXPECT_NE(script.find("#SBATCH --cpus-per-task=2\n"), std::string::npos) << script;
  for (const char* job : {"0", "1"}) {
    const ShellOutcome outcome = RunShell("cd " + Quote(folder()) + " && SLURM_ARRAY_TASK_ID=" + job +
                                          " SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=2 bash job.sh");
    EXPECT_EQ(outcome.code, 0) << outcome.out;
  }
  EXPECT_EQ(WithoutTimes(ReadTable(Read("jobs.csv"))), whole);
}

// The same by a controller and a node of Slurm's own.
TEST_F(Sweep, SlurmRunsTheJobArray) {
  const std::string sweep = kPinch + " --time 0.02 --vary friction=0.1:1:10 --vary seed=0:1";
  const auto whole = WithoutTimes(RunSweep(sweep));
  ASSERT_EQ(Run("sweep " + sweep + " --out jobs.csv --slurm job.sh --parts 3").code, 0);
  const ShellOutcome outcome = RunShell("cd " + Quote(folder()) +
                                        " && bash '" STICTION_SOURCE_DIR
                                        "/tests/tools/slurm_here.sh' timeout 120 sbatch --wait job.sh");
  if (outcome.code == 77) GTEST_SKIP() << outcome.out;
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_EQ(WithoutTimes(ReadTable(Read("jobs.csv"))), whole);
  EXPECT_EQ(ReadRecord("jobs.csv.cases-1-of-3.jsonl").size(), 7u);
}

#ifdef STICTION_WITH_HDF5
TEST_F(Sweep, TableInHdf5HoldsTheSame) {
  Write("boxes.xml", kBoxes);
  const std::string sweep = "boxes.xml --time 0.01 --vary solver=auto,pgs_ncp --vary seed=0:1";
  const std::vector<SweepRow> rows = RunSweep(sweep);
  ASSERT_EQ(Run("sweep " + sweep + " --out sweep.h5").code, 0);
  Write("compare.py",
        "import csv, h5py\n"
        "rows, file = list(csv.DictReader(open('sweep.csv'))), h5py.File('sweep.h5')\n"
        "assert list(rows[0]) and set(rows[0]) == set(file), list(file)\n"
        "for name in rows[0]:\n"
        "    for row, value in zip(rows, file[name]):\n"
        "        if name == 'wall_time_s': continue\n"
        "        same = row[name] == value.decode() if isinstance(value, bytes) else float(row[name]) == "
        "value\n"
        "        assert same, (name, row[name], value)\n");
  const ShellOutcome outcome =
      RunShell("cd " + Quote(folder()) + " && " + stiction::testing::kPython + " compare.py");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
}
#endif

TEST_F(Sweep, SaysWhatCameOfHardCases) {
  const std::vector<SweepRow> rows = RunSweep(
      "scene:stack:count=6 --time 0.05 --solver nbgs_c --set max_sweeps=1 --vary on-miss=accept,stop --vary "
      "budget=1e-9,none");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].at("status"), "budget_missed");
  EXPECT_GT(std::stoi(rows[0].at("budget_misses")), 1);
  EXPECT_EQ(rows[1].at("status"), "ok");
  EXPECT_EQ(rows[2].at("budget_misses"), "1");
  EXPECT_LT(std::stoi(rows[2].at("steps")), std::stoi(rows[0].at("steps")));
}

TEST_F(Sweep, BadArgumentsAreNamed) {
  Write("boxes.xml", kBoxes);
  const auto refuse = [&](const std::string& vary, const std::string& message) {
    ExpectError("sweep boxes.xml --time 0.01 --vary " + vary, 2, message);
  };
  refuse("friction", "not NAME=VALUES");
  refuse("=3", "not NAME=VALUES");
  refuse("friction=", "not NAME=VALUES");
  refuse("friction=1,,2", "a value is missing");
  refuse("friction=0.1:0.9", "whole numbers from A to B");
  refuse("seed=5:1", "no numbers from A up to B");
  refuse("friction=0:1:0", "'0' is no number of values");
  refuse("friction=0:1:-3", "'-3' is no number of values");
  refuse("friction=0:1:5:log", "ends > 0");
  refuse("friction=0:1:uniform", "--sample");
  refuse("friction=0:x:3", "'x' is not a finite number");
  refuse("friction=0:1:2:3:4", "too many ':'");
  refuse("friction=-0.5", "'-0.5' is not a finite number >= 0");
  refuse("friction=nan", "'nan' is not a finite number");
  refuse("dt=0", "'0' is not a finite number > 0");
  refuse("colour=red", "no parameter 'colour'");
  refuse("solver=newton", "there is no solver 'newton'");
  refuse("integrator=rk5", "'rk5' is none of euler");
  refuse("friction.nobody=1", "there is no such body");
  refuse("set.nonsense=1", "nonsense");
  refuse("keyframe=rest,nowhere", "case 1 (keyframe=nowhere)");
  refuse("friction=1 --vary friction=2", "given twice");
  refuse("seed=0:1 --threads 0", "--threads");
  refuse("seed=0:1 --threads -1", "--threads");
  refuse("seed=0:1 --threads 100000", "--threads");
  refuse("seed=0:1 --part 3/3", "'3/3' is not K/N");
  refuse("seed=0:1 --part x", "'x' is not K/N");
  refuse("seed=0:1 --out table.txt", ".csv, .h5 or .hdf5");
  refuse("seed=0:1 --out missing/sweep.csv", "missing/sweep.csv");
  refuse("seed=0:99999 --vary dt=1:99999:99999", "more than 1e9 cases");
  ExpectError("sweep scene:clutter:seed=1 --vary seed=0:3", 2, "says it already");
  ExpectError("sweep scene:stack --vary seed=0:3 --vary nonsense=1", 2, "nonsense");
  ExpectError("sweep boxes.xml", 2, "--vary");
  ExpectError("sweep nowhere.xml --vary seed=0:1", 3, "nowhere.xml");
}

}  // namespace
}  // namespace stiction

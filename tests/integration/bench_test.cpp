// `stiction bench`: the tables that it prints.
#include <cstdlib>
#include <map>

#include "run_program.h"

namespace stiction {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> SplitLine(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

// Rows under the table's title. No cell here holds a comma.
std::vector<Row> ParseTable(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> title = SplitLine(line);
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = SplitLine(line);
    EXPECT_EQ(cells.size(), title.size()) << line;
    Row row;
    for (std::size_t i = 0; i < std::min(cells.size(), title.size()); ++i) row[title[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

class Bench : public ProgramTest {};

TEST_F(Bench, CollisionTimesEveryPairOfShapes) {
  const ProgramResult result = Run("bench collision --repeats 3");
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<Row> rows = ParseTable(result.out);
  // 10 shapes: 55 pairs without the 3 of two grounds; two pairs and two scenes of fields; the broadphase.
  ASSERT_EQ(rows.size(), 57u);
  for (const char* name : {"bolt-nut", "bowl-bowl", "scene:nut", "scene:dishes"}) {
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const Row& one) { return one.at("pair") == name; });
    ASSERT_NE(row, rows.end()) << name;
    EXPECT_LE(std::stod(row->at("points_mean")), 120.0) << name;
  }
  int beside_fcl = 0;
  for (const Row& row : rows) {
    beside_fcl += !row.at("fcl_us_median").empty();
    const double fastest = std::stod(row.at("us_min")), median = std::stod(row.at("us_median"));
    EXPECT_GT(fastest, 0.0) << row.at("pair");
    EXPECT_LE(fastest, median) << row.at("pair");
    EXPECT_GE(std::stod(row.at("points_mean")), 0.99) << row.at("pair");
    EXPECT_NE(row.at("compiler"), "");
    EXPECT_NE(row.at("commit"), "");
    EXPECT_EQ(row.at("fcl_call").empty(), row.at("fcl_us_median").empty());
  }
  EXPECT_EQ(beside_fcl, 11);  // half-spaces and spheres with primitives, boxes and hulls
}

// The same numbers as `run` gives, a row a solver.
TEST_F(Bench, ScenesHaveARowASolver) {
  Write("boxes.xml", kBoxes);
  const ProgramResult result = Run("bench boxes.xml --time 0.2 --keyframe rest --solver auto,pgs_ncp");
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<Row> rows = ParseTable(result.out);
  ASSERT_EQ(rows.size(), 2u);
  for (const Row& row : rows) {
    const auto run =
        Run("run boxes.xml --time 0.2 --keyframe rest --json - --solver " + row.at("solver")).Json();
    EXPECT_EQ(row.at("scene"), "boxes");
    EXPECT_EQ(std::stoi(row.at("steps")), run["steps"]);
    EXPECT_EQ(row.at("state_hash"), run["state_hash"]);
    EXPECT_NEAR(std::stod(row.at("contacts_mean")), run["contacts"]["mean"].get<double>(), 0.01);
    const double ncp_max = run["certificate"]["ncp_max"];
    EXPECT_NEAR(std::stod(row.at("ncp_max")), ncp_max, 1e-3 * ncp_max);  // four digits
    EXPECT_LE(std::stod(row.at("us_min")), std::stod(row.at("us_median")));
    EXPECT_LE(std::stod(row.at("us_median")), std::stod(row.at("us_p99")));
  }
}

// One world after another, and all at once on so many threads: the same bits.
TEST_F(Bench, WorldsHaveARowANumberOfThreads) {
  Write("boxes.xml", kBoxes);
  const ProgramResult result = Run("bench boxes.xml --time 0.1 --worlds 5 --threads 1,3");
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<Row> rows = ParseTable(result.out);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].at("by"), "run");
  EXPECT_EQ(rows[2].at("by"), "rollout");
  EXPECT_EQ(rows[2].at("threads"), "3");
  for (const Row& row : rows) {
    EXPECT_EQ(row.at("steps"), "50");
    EXPECT_EQ(row.at("state_hash"), rows[0].at("state_hash"));
    EXPECT_EQ(row.at("ncp_max"), rows[0].at("ncp_max"));
    EXPECT_GT(std::stod(row.at("s_min")), 0.0);
    EXPECT_LE(std::stod(row.at("s_min")), std::stod(row.at("s_median")));
  }
  ExpectError("bench boxes.xml --worlds 5 --threads -2", 2, "-2");
  ExpectError("bench boxes.xml --worlds 0", 2, "--worlds");
}

// One world, whose steps are shared by so many threads: the same bits as `run` on one.
TEST_F(Bench, ThreadsHaveARowEach) {
  Write("boxes.xml", kBoxes);
  const ProgramResult result = Run("bench boxes.xml --time 0.1 --threads 1,3 --repeats 2");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto run = Run("run boxes.xml --time 0.1 --json -").Json();
  const std::vector<Row> rows = ParseTable(result.out);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("threads"), "1");
  EXPECT_EQ(rows[0].at("speedup"), "1.000");
  EXPECT_EQ(rows[1].at("threads"), "3");
  for (const Row& row : rows) {
    EXPECT_EQ(row.at("scene"), "boxes");
    EXPECT_EQ(row.at("status"), "ok");
    EXPECT_EQ(std::stoi(row.at("steps")), run["steps"]);
    EXPECT_EQ(row.at("state_hash"), run["state_hash"]);
    EXPECT_GT(std::stod(row.at("us_step")), 0.0);
  }
  ExpectError("bench boxes.xml --threads 0", 2, "--threads");
}

// Both coordinates of thirteen systems; every solver judged by the same budget.
TEST_F(Bench, LoopsHaveARowASceneCoordinatesAndSolver) {
  const ProgramResult result = Run("bench loops --time 0.002 --limit 1000 --ratio 30 --solver auto,pgs_ncp");
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<Row> rows = ParseTable(result.out);
  ASSERT_EQ(rows.size(), 13u * 2 * 2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    SCOPED_TRACE(row.at("scene") + " " + row.at("coordinates") + " " + row.at("solver"));
    EXPECT_EQ(row.at("coordinates"), i / 2 % 2 == 0 ? "reduced" : "maximal");
    EXPECT_EQ(row.at("mass_ratio"), row.at("scene") == "box_on_plane" ? "1" : "30");
    EXPECT_EQ(row.at("steps"), "2");
    EXPECT_LE(std::stoi(row.at("rank")), std::stoi(row.at("rows")));
    EXPECT_GE(std::stod(row.at("iterations_max")), std::stod(row.at("iterations_mean")));
    const bool is_exact = std::stod(row.at("ncp_max")) <= 1e-8;
    EXPECT_EQ(row.at("budget"), "1e-08");
    EXPECT_EQ(row.at("budget_misses") == "0", is_exact);
    if (row.at("solver") == "auto") {
      EXPECT_TRUE(is_exact);
    }
    if (row.at("scene") == "walker" && row.at("coordinates") == "maximal") {
      EXPECT_EQ(row.at("rows"), "180");
      EXPECT_EQ(row.at("rank"), "162");
      EXPECT_EQ(row.at("bodies"), "31");
    }
  }
}

// Without a subject, too.
TEST_F(Bench, SpeedHasARowAScene) {
  for (const char* subject : {"", "speed"}) {
    const ProgramResult result = Run("bench --time 0.02 " + std::string(subject));
    ASSERT_EQ(result.code, 0) << result.err;
    std::string scenes;
    for (const Row& row : ParseTable(result.out)) {
      scenes += row.at("scene") + " ";
      EXPECT_EQ(row.at("solver"), "auto");
      EXPECT_EQ(row.at("status"), "ok") << row.at("scene");
      EXPECT_LE(std::stod(row.at("ncp_max")), 1e-8) << row.at("scene");
    }
    EXPECT_EQ(scenes, "quadruped walker chain stack stack:ratio=1000 clutter layers ");
  }
}

TEST_F(Bench, PapersHaveARowASceneAndSolver) {
  const ProgramResult result = Run("bench papers --time 0.02");
  ASSERT_EQ(result.code, 0) << result.err;
  std::map<std::string, int> scenes, papers;
  for (const Row& row : ParseTable(result.out)) {
    ++scenes[row.at("scene")];
    ++papers[row.at("paper")];
    EXPECT_GT(std::stoi(row.at("steps")), 0);
    EXPECT_EQ(row.at("budget"), "1e-08");
    EXPECT_EQ(row.at("budget_misses") == "0", std::stod(row.at("ncp_max")) <= 1e-8)
        << row.at("scene") << " " << row.at("solver");
    if (row.at("solver") == "auto") {
      EXPECT_LE(std::stod(row.at("ncp_max")), 1e-8) << row.at("scene");
    }
  }
  EXPECT_EQ(scenes.size(), 5u + 13u);
  EXPECT_EQ(papers, (std::map<std::string, int>{
                        {"Castro 2022", 2}, {"Lee 2024", 6}, {"Tasora 2021", 10}, {"Tsounis 2025", 65}}));
  const ProgramResult chosen = Run("bench papers --time 0.001 --solver sap");
  EXPECT_EQ(ParseTable(chosen.out).size(), 5u + 13u);
}

TEST_F(Bench, BudgetOfNoneStandsInTheTable) {
  const ProgramResult result = Run("bench scene:stack --time 0.02 --solver subadmm --budget none");
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<Row> rows = ParseTable(result.out);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("budget"), "none");
  EXPECT_EQ(rows[0].at("budget_misses"), "0");
}

TEST_F(Bench, BuiltInScenesAreTimedAsFilesAre) {
  const ProgramResult result = Run("bench scene:fourbar_fixed:maximal --time 0.01");
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<Row> rows = ParseTable(result.out);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("scene"), "fourbar_fixed_maximal");
  EXPECT_EQ(rows[0].at("steps"), "10");
}

TEST_F(Bench, WrongSubjectsAreErrors) {
  Write("boxes.xml", kBoxes);
  ExpectError("bench colision", 2, "speed, collision, loops, `papers`, `duals`");
  ExpectError("bench loops --ratio 0.5", 2, "--ratio");
  ExpectError("bench boxes.xml --solver magic", 2, "magic");
}

// A folder with a package and a `node` that says what MuJoCo would.
class Race : public Bench {
 protected:
  std::string WritePeer(const std::string& answer, int code) const {
    const std::filesystem::path bin = folder() / "bin";
    std::filesystem::create_directories(bin);
    std::filesystem::create_directories(folder() / "node_modules/@mujoco/mujoco");
    Write("bin/node", "#!/bin/sh\n[ $# -gt 1 ] || exit 0\nprintf '%s\\n' \"$@\" > '" +
                          (folder() / "asked").string() + "'\necho '" + answer + "'\nexit " +
                          std::to_string(code) + "\n");
    std::filesystem::permissions(bin / "node", std::filesystem::perms::owner_all);
    return "STICTION_PEERS_DIR='" + folder().string() + "' PATH='" + bin.string() + "':\"$PATH\"";
  }
};

constexpr const char* kRace = "bench speed --peers --scenes built_in_stack --time 0.05 --repeats 1";

TEST_F(Race, HasBothEnginesInARow) {
  const ProgramResult result = Run(kRace, WritePeer(R"({"us": 1234.5, "version": "9.9"})", 0));
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<Row> rows = ParseTable(result.out);
  ASSERT_EQ(rows.size(), 1u);
  const Row& row = rows[0];
  EXPECT_EQ(row.at("scene"), "built_in_stack");
  EXPECT_EQ(row.at("steps"), "10");
  EXPECT_EQ(row.at("peer"), "MuJoCo 9.9 (WebAssembly)");
  EXPECT_EQ(row.at("peer_us"), "1234.50");
  EXPECT_NEAR(std::stod(row.at("ratio")) * std::stod(row.at("us")), 1234.5, 15.0);  // of rounded numbers
  EXPECT_EQ(row.at("native_ratio"), "");                                            // not measured there
  EXPECT_GT(std::stod(row.at("newton_mean")) + std::stod(row.at("sweeps_mean")), 0.0);
  EXPECT_GT(std::stod(row.at("solved")), 0.0);
  EXPECT_LE(std::stod(row.at("ncp_max")), 1e-8);
  EXPECT_EQ(row.at("budget_misses"), "0");
  EXPECT_EQ(row.at("state_hash"), Run("run scene:stack:count=20 --time 0.05 --json -").Json()["state_hash"]);
  // The peer was given the scene as MJCF, the script before it.
  const std::string asked = Read("asked");
  EXPECT_NE(asked.find("mj_loadXML"), std::string::npos);
  EXPECT_NE(asked.find("built_in_stack/scene.xml\n0.05"), std::string::npos) << asked;
  EXPECT_NE(asked.find("\ncg\nelliptic\n"), std::string::npos) << asked;
}

TEST_F(Race, GivesOurRowsWithoutAPeer) {
  const ProgramResult absent = Run(kRace, "STICTION_PEERS_DIR=/nonexistent");
  ASSERT_EQ(absent.code, 0) << absent.err;
  EXPECT_NE(absent.err.find("npm install --prefix '/nonexistent' @mujoco/mujoco"), std::string::npos);
  EXPECT_EQ(ParseTable(absent.out).at(0).at("peer_us"), "");
  const ProgramResult broken = Run(kRace, WritePeer("no such thing", 3));
  ASSERT_EQ(broken.code, 0) << broken.err;
  EXPECT_NE(broken.err.find("ended with code 3: no such thing"), std::string::npos) << broken.err;
  EXPECT_EQ(ParseTable(broken.out).at(0).at("ratio"), "");
}

TEST_F(Race, SkipsScenesWhoseFilesAreNotThere) {
  std::filesystem::create_directory(folder() / "none");
  const ProgramResult result = Run("bench speed --peers --scenes humanoid --models none");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(ParseTable(result.out).size(), 0u);
  EXPECT_NE(result.err.find("humanoid is skipped: there is no none/models/"), std::string::npos)
      << result.err;
}

TEST_F(Race, RefusesWhatItCannotDo) {
  ExpectError("bench speed --peers --scenes stacks", 2,
              "there is no scene 'stacks' in the race; known: humanoid");
  ExpectError("bench loops --peers", 2, "--peers: goes with the suite `speed` alone");
  ExpectError("bench speed --peers --solver canal", 2, "--peers: races the default solver");
}

// The table that is kept has the columns that are printed, and rows of scenes that are raced.
TEST_F(Race, HistoryHasItsColumns) {
  const std::string history = ReadAll(STICTION_SOURCE_DIR "/tests/speed/history.csv");
  const std::string title = history.substr(0, history.find('\n') + 1);
  std::filesystem::create_directory(folder() / "none");
  EXPECT_EQ(title, Run("bench speed --peers --scenes humanoid --models none").out);
  for (const Row& row : ParseTable(history)) {
    EXPECT_LE(std::stod(row.at("ncp_max")), 1e-8) << row.at("scene");
    EXPECT_GT(std::stod(row.at("us")), 0.0) << row.at("scene");
  }
}

// tests/speed/compare.py: tables, and executables, here scripts that are slow or not.
class Compare : public Bench {
 protected:
  ProgramResult Call(const std::string& arguments) const {
    ProgramResult result = {};
    const std::string command = "cd '" + folder().string() +
                                "' && python3 '" STICTION_SOURCE_DIR "/tests/speed/compare.py' " + arguments +
                                " > out.txt 2>&1";
    const int status = std::system(command.c_str());
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.out = Read("out.txt");
    return result;
  }
  void WriteTable(const std::string& name, double us, const std::string& machine = "fast") const {
    Write(name, "scene,us,state_hash,machine,commit\nstack," + std::to_string(us) + ",0a," + machine +
                    ",c\nclutter,10,0a,fast,c\n");
  }
  // Simulates so many rounds of nothing.
  void WriteProgram(const std::string& name, int rounds) const {
    Write(name,
          "#!/usr/bin/env python3\nimport sys\nif sys.argv[sys.argv.index('--time') + 1] != '0':\n"
          "  for _ in range(" +
              std::to_string(rounds) +
              " * 20000): pass\n"
              "print('{\"steps\": 10, \"state_hash\": \"0a\"}')\n");
    std::filesystem::permissions(folder() / name, std::filesystem::perms::owner_all);
  }
};

TEST_F(Compare, FailsOnALossInATable) {
  WriteTable("old.csv", 100.0), WriteTable("good.csv", 104.0), WriteTable("bad.csv", 106.0);
  WriteTable("other.csv", 100.0, "slow");
  EXPECT_EQ(Call("old.csv good.csv").code, 0);
  const ProgramResult bad = Call("old.csv bad.csv");
  EXPECT_EQ(bad.code, 1);
  EXPECT_NE(bad.out.find("lost more than 5 %: stack\n"), std::string::npos) << bad.out;
  EXPECT_EQ(Call("old.csv bad.csv --limit 7").code, 0);
  EXPECT_EQ(Call("old.csv bad.csv --scenes clutter").code, 0);
  EXPECT_NE(Call("old.csv other.csv").out.find("different machines"), std::string::npos);
  EXPECT_EQ(Call("old.csv nothing.csv").code, 2);
}

// One takes sixteen times as long: on a machine that others use, the same work takes up to twice as long.
TEST_F(Compare, FailsOnALossOfAnExecutable) {
  WriteProgram("quick", 25), WriteProgram("slow", 400);
  const ProgramResult bad = Call("./quick ./slow --scenes scene:stack --repeats 2");
  EXPECT_EQ(bad.code, 1) << bad.out;
  EXPECT_EQ(Call("./slow ./quick --scenes scene:stack --repeats 2").code, 0);
}

}  // namespace
}  // namespace stiction

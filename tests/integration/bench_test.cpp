// `stiction bench`: the tables that it prints.
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
  const ProgramResult result = Run("bench collision");
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<Row> rows = ParseTable(result.out);
  ASSERT_EQ(rows.size(), 53u);  // 10 shapes: 55 pairs without the 3 of two grounds, and the broadphase
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
  ExpectError("bench colision", 2, "speed, collision, loops, papers");
  ExpectError("bench loops --ratio 0.5", 2, "--ratio");
  ExpectError("bench boxes.xml --solver magic", 2, "magic");
}

}  // namespace
}  // namespace stiction

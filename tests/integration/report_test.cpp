// `stiction bench --all`: rows that are processes, a record that survives, pages; and the suites behind it.
#include <algorithm>
#include <set>

#include "run_program.h"
#include "shell.h"

namespace stiction {
namespace {

class Report : public ProgramTest {
 protected:
  // Two rows without pictures.
  static constexpr const char* kTwo = "bench --all --out report --only truth.flip,truth.impact";

  // Names of the rows in the record, in its order.
  std::vector<std::string> ReadRows() const {
    std::istringstream in(Read("report/report.cases.jsonl"));
    std::vector<std::string> names;
    std::string line;
    std::getline(in, line);  // what run it is of
    while (std::getline(in, line)) names.push_back(nlohmann::json::parse(line)["name"]);
    return names;
  }
  void ExpectHolds(const std::string& file, const std::string& text, bool holds = true) const {
    EXPECT_EQ(Read(file).find(text) != std::string::npos, holds) << file << ": " << text;
  }
  // A folder with MuJoCo's package, and a `node` that does so.
  std::string WriteNode(const std::string& script) const {
    std::filesystem::create_directories(folder() / "bin");
    std::filesystem::create_directories(folder() / "node_modules/@mujoco/mujoco");
    Write("bin/node", "#!/bin/sh\n[ $# -gt 1 ] || exit 0\n" + script + "\n");
    std::filesystem::permissions(folder() / "bin/node", std::filesystem::perms::owner_all);
    return "STICTION_PEERS_DIR='" + folder().string() + "' PATH='" + (folder() / "bin").string() +
           "':\"$PATH\"";
  }
};

TEST_F(Report, IsOnePageOfAllRowsAndGoesOn) {
  const ProgramResult first = Run(kTwo);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.out.find("[2/2] truth.impact: 3 held"), std::string::npos) << first.out;
  EXPECT_EQ(ReadRows(), (std::vector<std::string>{"truth.flip", "truth.impact"}));
  const std::string page = Read("report/report.html");
  for (const char* part :
       {"id=\"truth.flip\"", "id=\"truth.impact\"", "<svg", "stiction bench truth --only truth.flip"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  for (const char* outside : {"src=\"http", "href=\"http", "<link", "<script", "@import"})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  ExpectHolds("report/report.md", "![");
  ExpectHolds("report/summary.md", "| Problems with known answers | 2 |");
  ExpectHolds("report/figures.csv", "truth.impact,");
  EXPECT_TRUE(Exists("report/truth_flip/truth_flip_angular_velocity.svg"));
  // The same again runs nothing; more rows join those that are there.
  EXPECT_EQ(Run(kTwo).out.find("["), std::string::npos);
  const ProgramResult more = Run("bench --all --out report --only truth.top");
  EXPECT_NE(more.out.find("[1/1] truth.top"), std::string::npos) << more.out;
  EXPECT_NE(more.out.find("3 rows: "), std::string::npos) << more.out;
  ExpectHolds("report/report.html", "id=\"truth.flip\"");
  ExpectHolds("report/report.html", "id=\"truth.top\"");
}

TEST_F(Report, KilledRunGoesOnWithWhatIsLeft) {
  const std::string kill =
      "cd '" + folder().string() +
      "' && { '" STICTION_RUNNER
      "' bench --all --out report --only admm.stack_b,truth.windows > /dev/null 2>&1 & } ; pid=$!; "
      "for i in $(seq 500); do grep -q admm.stack_b report/report.cases.jsonl 2> /dev/null && break; sleep "
      "0.02; done; "
      "kill -9 $pid; wait $pid; echo ended with $?";
  EXPECT_NE(RunShell(kill).out.find("ended with 137"), std::string::npos);
  ASSERT_EQ(ReadRows(), std::vector<std::string>{"admm.stack_b"});
  // And as if it had been killed while it wrote: the piece of a line goes, the row runs again.
  Write("report/report.cases.jsonl", Read("report/report.cases.jsonl") + R"({"case": 3, "name": "tru)");
  const std::string left = "bench --all --out report --only admm.stack_b,truth.impact";
  const ProgramResult result = Run(left);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out.find("admm.stack_b:"), std::string::npos) << result.out;
  EXPECT_EQ(ReadRows(), (std::vector<std::string>{"admm.stack_b", "truth.impact"}));
  EXPECT_EQ(Run(left).code, 0);
}

// A row that does not come to its end is told, costs the others nothing, and is tried again.
TEST_F(Report, FailedRowIsSaidAndTheOthersStand) {
  // Hundreds of times longer than the limit: a short row may be done before anyone looks at the clock.
  const std::string rows = "bench --all --quick --out report --only truth.flip,truth.pendulum";
  ASSERT_EQ(Run("bench --all --quick --out report --only truth.flip").code, 0);
  const ProgramResult late = Run(rows + " --row-limit 0.001");
  EXPECT_EQ(late.code, 1);
  EXPECT_NE(late.out.find("truth.pendulum: 1 failed to run: took longer than 0.001 s, and was stopped"),
            std::string::npos)
      << late.out;
  ExpectHolds("report/report.html", "This row failed to run: took longer than 0.001 s");
  ExpectHolds("report/report.html", "id=\"truth.flip\"");
  ExpectHolds("report/report.md", "**This row failed to run**");
  ExpectHolds("report/figures.csv", "truth.pendulum,,,,,,failed to run");
  EXPECT_EQ(Run(rows).code, 0);
  ExpectHolds("report/report.html", "failed to run", false);
}

TEST_F(Report, FullDiskLosesNothingThatWasFinished) {
  ASSERT_EQ(Run("bench --all --out report --only truth.flip").code, 0);
  const std::string page = Read("report/report.html");
  std::filesystem::create_symlink("/dev/full", folder() / "report/report.html.new");
  const ProgramResult full = Run(kTwo);
  EXPECT_EQ(full.code, 2);
  EXPECT_NE(full.err.find("cannot write report/report.html; rows that were finished stay"), std::string::npos)
      << full.err;
  EXPECT_EQ(Read("report/report.html"), page);
  EXPECT_EQ(ReadRows(), (std::vector<std::string>{"truth.flip", "truth.impact"}));
  EXPECT_EQ(Run(kTwo).code, 0);
}

TEST_F(Report, RefusesWhatItCannotDo) {
  ExpectError("bench --all", 2, "--all: name a folder for the report by --out DIR");
  ExpectError("bench --all --out report --only truth.flop", 2,
              "there is no experiment 'truth.flop'; known: papers, canal");
  EXPECT_FALSE(Exists("report"));
  ExpectError("bench --all --out report --cases 3", 2, "--cases goes with one suite");
  Write("taken", "");
  ExpectError("bench --all --out taken/report --only truth.flip", 2,
              "--out: cannot make the folder taken/report");
  std::filesystem::create_directory(folder() / "report");
  std::filesystem::create_directory(folder() / "report/report.cases.jsonl");
  ExpectError(kTwo, 2, "--out: cannot write report/report.cases.jsonl");
  std::filesystem::remove(folder() / "report/report.cases.jsonl");
  Write("report/report.cases.jsonl",
        "{\"stiction_report\":1,\"commit\":\"none\",\"quick\":false}\n{\"case\":0,\"name\":\"x\"}\n");
  ExpectError(kTwo, 2, "is the record of another run: `commit` was \"none\"");
  ExpectError("bench complaints --only complaints.stak", 2, "known: complaints, complaints.pinch");
}

// What is refuted is neither held nor not held, and stands in all that is written.
TEST_F(Report, CountsWhatIsRefuted) {
  ASSERT_EQ(Run(kTwo).code, 0);
  std::string record = Read("report/report.cases.jsonl");
  const std::size_t at = record.find("\"verdict\":\"held\"");
  ASSERT_NE(at, std::string::npos) << record.substr(0, 400);
  Write("report/report.cases.jsonl", record.replace(at, 16, "\"verdict\":\"refuted\""));
  const ProgramResult again = Run(kTwo);
  EXPECT_NE(again.out.find(" held, 1 refuted"), std::string::npos) << again.out;
  ExpectHolds("report/summary.md", "| Chapter | Rows | Held | Not held | Refuted |");
  ExpectHolds("report/report.html", "<td class=\"verdict open\">refuted</td>");
  ExpectHolds("report/report.md", "**refuted**");
  ExpectHolds("report/figures.csv", ",refuted,");
}

// Each expectation of the scenario is a figure; and none is held where its bound is broken.
TEST_F(Report, ComplaintsAreJudgedByTheirExpectations) {
  const ProgramResult result = Run("bench complaints --only complaints.bullets --json -");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto row = result.Json()["experiments"][0];
  EXPECT_EQ(row["name"], "complaints.bullets");
  EXPECT_NE(row["about"].get<std::string>().find("wall of 1 mm"), std::string::npos);
  const auto run = Run("run '" STICTION_SOURCE_DIR "/assets/scenarios/bullets.xml' --json - --quiet").Json();
  ASSERT_EQ(row["figures"].size(), run["expectations"].size() + 1);
  for (const auto& figure : row["figures"]) EXPECT_EQ(figure["verdict"], "held") << figure;
  EXPECT_EQ(row["figures"].back()["ours"], "0");  // steps that missed the budget
  EXPECT_EQ(row["plots"].size(), 1u);
}

// Another engine that crashes is told by its name, and how; our row and the others' stand.
TEST_F(Report, PeerThatCrashesLeavesTheRowsOfTheOthers) {
  const ProgramResult result = Run("bench peers --only peers.rest --json -", WriteNode("kill -SEGV $$"));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("MuJoCo (as it is) on rest is skipped: ended by signal 11"), std::string::npos)
      << result.err;
  const auto table = result.Json()["experiments"][0]["tables"][0]["rows"];
  ASSERT_EQ(table.size(), 8u);
  EXPECT_EQ(table[0][0], "Stiction 0.1.0");
  EXPECT_LE(std::stod(table[0][2].get<std::string>()), 1e-9);  // creep
  EXPECT_EQ(table[1][2], "skipped");
  EXPECT_NE(table[1][1].get<std::string>().find("signal 11"), std::string::npos);
  for (int i = 3; i < 8; ++i) {  // Bullet and ODE, where they are built
    const bool is_skipped = table[i][2] == "skipped";
    EXPECT_EQ(is_skipped, table[i][1].get<std::string>().find("apt-get install") != std::string::npos);
    if (is_skipped) continue;
    EXPECT_LE(std::stod(table[i][3].get<std::string>()), 0.05) << table[i];  // penetration
  }
  const ProgramResult babble = Run("bench peers --only peers.rest --json -", WriteNode("echo no answer"));
  EXPECT_NE(babble.err.find("its answer is not that of a simulation: no answer"), std::string::npos)
      << babble.err;
}

TEST_F(Report, SummaryGoesIntoAReadmeBetweenItsMarks) {
  ASSERT_EQ(Run(kTwo).code, 0);
  const std::string script = "cd '" + folder().string() +
                             "' && python3 '" STICTION_SOURCE_DIR
                             "/tests/tools/readme_report.py' report README.md";
  const std::string readme =
      "above\n<!-- report: begin; written by tests/tools/readme_report.py -->\nold\n<!-- report: end "
      "-->\nbelow\n";
  Write("README.md", readme);
  EXPECT_EQ(RunShell(script).code, 0);
  ExpectHolds("README.md", "| Problems with known answers | 2 |");
  ExpectHolds("README.md", "old", false);
  const std::string once = Read("README.md");
  EXPECT_EQ(once.find("above\n"), 0u);
  EXPECT_NE(once.find("<!-- report: end -->\nbelow\n"), std::string::npos);
  EXPECT_EQ(RunShell(script).code, 0);
  EXPECT_EQ(Read("README.md"), once);
  Write("README.md", "no marks\n");
  const ShellOutcome unmarked = RunShell(script);
  EXPECT_EQ(unmarked.code, 2);
  EXPECT_NE(unmarked.out.find("have to be there once"), std::string::npos) << unmarked.out;
  EXPECT_EQ(Read("README.md"), "no marks\n");
}

}  // namespace
}  // namespace stiction

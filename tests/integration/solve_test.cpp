// `stiction solve` from outside: files of all formats, wrong files, options, tables and profiles.
#include <algorithm>
#include <cmath>
#include <functional>

#include "apps/runner/solve_profile.h"
#include "stiction/io/problem_file.h"
#include "tests/integration/run_program.h"
#include "tests/support/contact_problems.h"
#ifdef STICTION_WITH_HDF5
#include "tests/io/hdf5_edit.h"
#endif

namespace stiction {
namespace {

using nlohmann::json;
using runner::CalcProfiles;
using runner::ProfileCurve;
using testing::MakeRandomProblem;
using testing::MakeStack;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Solve : public ProgramTest {
 protected:
  Solve() {
    stack_ = MakeStack(4, 10.0);
    WriteProblemJson(folder() / "stack.json", stack_, {});
    WriteProblemJson(folder() / "mixed.json", MakeRandomProblem(3, 4, 12), {});
  }
  // The stack with one key changed, or removed.
  void ExpectJsonError(const std::string& key, const json& value, const std::string& message) const {
    json document = json::parse(Read("stack.json"));
    if (value.is_discarded())
      document.erase(key);
    else
      document[key] = value;
    Write("wrong.json", document.dump());
    ExpectError("solve stack.json wrong.json --json -", 3, "wrong.json: \"" + message);
  }
  json SolveToJson(const std::string& arguments) const {
    const ProgramResult result = Run("solve " + arguments + " --json -");
    EXPECT_EQ(result.code, 0) << result.err;
    return result.code == 0 ? result.Json() : json();
  }

  ContactProblem stack_;
};

TEST_F(Solve, WrongProblemsExitWith3) {
  ExpectJsonError("mu", {0.5, 0.5, 0.5, -0.5}, "mu\" is -0.5 in constraint 3 (contact), row 9");
  ExpectJsonError("mu", {0.5}, "mu\" holds 1 values; it needs 4");
  ExpectJsonError("e", std::vector<double>(13), "e\" holds 13 values; it needs 12");
  ExpectJsonError("nv", 23, "subsystem_of_dof\" holds 24 values; nv is 23");
  ExpectJsonError("n_contact", 5, "e\" holds 12 values; it needs 15");
  ExpectJsonError("b", std::vector<std::string>(24, "NaN"),
                  "b\" holds something that is not a finite number");
  ExpectJsonError("J", json::value_t::discarded, "J\" is missing");
  json A = json::parse(Read("stack.json"))["A"];
  A["values"][3] = -1.0;
  ExpectJsonError("A", A, "A\" is not positive definite");
  Write("nan.json", R"({"nv": 1, "b": [NaN]})");
  ExpectError("solve nan.json", 3, "nan.json:1: not JSON");
}

#ifdef STICTION_WITH_HDF5
TEST_F(Solve, ReadsEveryFormatAlike) {
  const std::string path = folder();
  WriteProblemFclib(path + "/stack.hdf5", stack_, {});
  CreateProblemHdf5(path + "/two.h5");
  AppendProblemHdf5(path + "/two.h5", "a", stack_, {});
  AppendProblemHdf5(path + "/two.h5", "b", MakeRandomProblem(3, 4, 12), {});
  const json results =
      SolveToJson("stack.json stack.hdf5 two.h5 mixed.json --solver nbgs_c --full")["results"];
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results[1]["problem"], "stack.hdf5");
  EXPECT_EQ(results[2]["problem"], "two.h5:a");
  EXPECT_EQ(results[3]["problem"], "two.h5:b");
  EXPECT_EQ(results[0]["lambda"], results[2]["lambda"]);
  EXPECT_EQ(results[3]["lambda"], results[4]["lambda"]);
  for (std::size_t i = 0; i < results[0]["lambda"].size(); ++i)  // v* = A⁻¹ b loses the last bits
    EXPECT_NEAR(results[0]["lambda"][i].get<double>(), results[1]["lambda"][i].get<double>(), 1e-7);
}

TEST_F(Solve, FilesThatLieExitWith3) {
  const auto expect = [&](const std::function<void(Hdf5Edit&)>& edit, const std::string& message) {
    const std::string path = folder() / "lies.hdf5";
    WriteProblemFclib(path, stack_, {});
    {
      Hdf5Edit hdf5(path);
      edit(hdf5);
    }
    ExpectError("solve lies.hdf5 --json -", 3, "lies.hdf5: \"fclib_global/" + message);
  };
  expect([](Hdf5Edit& h) { h.Replace("fclib_global/H/nzmax", std::vector{1 << 30}); },
         "H/nzmax\" is 1073741824");
  expect([](Hdf5Edit& h) { h.Replace("fclib_global/H/nzmax", std::vector{4}); }, "H/x\" holds");
  expect([](Hdf5Edit& h) { h.Replace("fclib_global/M/n", std::vector{2}); },
         "M/p\" holds 25 values; it needs 3");
  expect([](Hdf5Edit& h) { h.Replace("fclib_global/spacedim", std::vector{2}); }, "spacedim\" is 2");
  expect([](Hdf5Edit& h) { h.Remove("fclib_global/vectors/mu"); }, "vectors/mu\" is missing");
  expect([](Hdf5Edit& h) { h.Replace("fclib_global/vectors/f", std::vector<double>(24, std::nan(""))); },
         "vectors/f\" holds something that is not a finite number");
}
#endif

TEST_F(Solve, TextNamedHdf5ExitsWith3) {
  Write("text.hdf5", Read("stack.json"));
  ExpectError("solve text.hdf5", 3, "text.hdf5: is not an HDF5 file");
}

TEST_F(Solve, SetsOptionsOfTheSolversThatHaveThem) {
  json results = SolveToJson("stack.json --solver auto,nbgs_c --set max_sweeps=2")["results"];
  EXPECT_EQ(results[1]["iterations"], 2);
  EXPECT_EQ(results[1]["status"], "max_iterations");
  EXPECT_EQ(results[0]["status"], "converged");
  ExpectError("solve stack.json --solver auto,nbgs_c --set magic=1", 2,
              "none of the solvers has an option 'magic'");
  ExpectError("solve stack.json --solver nbgs_c --set max_sweeps=many", 2, "'many' is not a number");
  ExpectError("solve stack.json --solver nbgs_c --set max_sweeps", 2, "is not option=value");
}

TEST_F(Solve, ToleranceEndsSolversEarlier) {
  const json loose = SolveToJson("stack.json --solver nbgs_c --tolerance 1e-3")["results"][0];
  const json tight = SolveToJson("stack.json --solver nbgs_c")["results"][0];
  EXPECT_LT(loose["iterations"], tight["iterations"]);
  EXPECT_LE(loose["certificate"]["ncp_max"], 1e-3);
  ExpectError("solve stack.json --tolerance 0", 2, "--tolerance");
}

TEST_F(Solve, WritesATableOfTheSolvers) {
  ASSERT_EQ(Run("solve stack.json mixed.json --solver all --markdown table.md").code, 0);
  const std::string table = Read("table.md");
  EXPECT_EQ(table.find("2 problems; residuals in m/s."), 0u);
  EXPECT_NE(table.find("| `auto` | 2 | 2 | 2 | 2 |"), std::string::npos) << table;
  // One row a solver, under a head of two lines.
  const std::size_t num_solvers = Run("list --json -").Json()["solvers"].size();
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')), num_solvers + 4);
  ExpectError("solve stack.json --markdown stack.json", 2, "is the input");
}

TEST_F(Solve, WritesProfiles) {
  const json answer = SolveToJson(
      "stack.json mixed.json --solver auto,nbgs_c --profile p.csv --profile p.svg --profile-metric "
      "iterations");
  EXPECT_EQ(answer["profile"]["metric"], "iterations");
  EXPECT_EQ(answer["profile"]["solvers"]["auto"]["rho_inf"], 1.0);
  EXPECT_EQ(Read("p.csv").find("ratio,auto,nbgs_c\n1,"), 0u);
  const std::string svg = Read("p.svg");
  EXPECT_EQ(svg.find("<?xml"), 0u);
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  EXPECT_NE(svg.find(">nbgs_c</text>"), std::string::npos);
  EXPECT_NE(Run("solve stack.json --profile p.svg").out.find("rho(10)"), std::string::npos);
  ExpectError("solve stack.json --profile p.png", 2, "ends in .csv or .svg");
  ExpectError("solve stack.json --profile p.svg --profile-metric luck", 2, "--profile-metric");
}

// By hand: two problems that both solve, one that only b solves, one that nobody does.
TEST(SolveProfile, CountsProblemsWithinEachRatio) {
  const std::vector<ProfileCurve> curves =
      CalcProfiles({{"a", {1.0, 6.0, kInfinity, kInfinity}}, {"b", {4.0, 2.0, 5.0, kInfinity}}});
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].At(1.0), 0.25);
  EXPECT_EQ(curves[0].At(2.9), 0.25);
  EXPECT_EQ(curves[0].At(3.0), 0.5);
  EXPECT_EQ(curves[0].At(kInfinity), 0.5);
  EXPECT_EQ(curves[1].At(1.0), 0.5);
  EXPECT_EQ(curves[1].At(4.0), 0.75);
  EXPECT_EQ(curves[1].At(kInfinity), 0.75);
  EXPECT_EQ(runner::FormatCsv(curves), "ratio,a,b\n1,0.25,0.5\n3,0.5,0.5\n4,0.5,0.75\n");
}

TEST(SolveProfile, DrawsWhatNobodySolved) {
  const std::string svg = runner::DrawSvg(CalcProfiles({{"<a&b>", {kInfinity}}}), "time", 1e-6);
  EXPECT_NE(svg.find("&lt;a&amp;b&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace stiction

// Generated and stored problems through the default solver, judged by dense matrices.
#include "tests/support/problem_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <utility>
#include <vector>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/io/problem_file.h"
#include "tests/support/contact_problems.h"
#include "tests/support/dense_certificate.h"
#include "tests/support/random_numbers.h"
#include "tests/support/shared_files.h"

namespace stiction {
namespace {

constexpr double kBudget = 1e-8;  // the accuracy that `auto` promises [m/s]

std::vector<std::filesystem::path> ListProblems(const char* folder) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path root = SharedPath(folder);
  if (!std::filesystem::exists(root)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Solves with `auto`; returns whether it met the budget. A miss has to be flagged, and the certificate has to
// be right.
bool SolveAndCheck(const std::string& name, const ContactProblem& problem, Solution solution = {}) {
  const auto solver = MakeSolver("auto");
  ProblemSolver workspace;
  const ProblemReport report = workspace.Solve(problem, *solver, solution);
  const auto dense = stiction::testing::CalcDenseCertificate(problem, solution.lambda);
  const double ncp_max = dense.ncp.maxCoeff();
  // Both routes solve with A; velocities are of order one, masses spread over four decades.
  EXPECT_NEAR(report.certificate.ncp_max, ncp_max, 1e-10);
  EXPECT_NEAR(report.certificate.ncp_mean, dense.ncp.mean(), 1e-10);
  EXPECT_LT((solution.v - dense.v).norm(), 1e-10 * (1.0 + dense.v.norm()));
  const bool is_solved = ncp_max <= kBudget;
  EXPECT_EQ(report.solve.status == SolveStatus::kConverged, is_solved) << ToString(report.solve.status);
  if (!is_solved) ::testing::Test::RecordProperty(name, std::to_string(ncp_max * 1e9) + " nm/s");
  return is_solved;
}
bool SolveAndCheck(const std::filesystem::path& file) {
  const ProblemFile stored = ReadProblemJson(file.string());
  return SolveAndCheck(file.stem().string(), stored.problem, stored.warm_start);
}

TEST(ProblemSets, AutoSolvesProblemsOfEveryKind) {
  using namespace stiction::testing;
  for (unsigned k = 0; k < 4; ++k) {
    SCOPED_TRACE(k);
    const StackOrder order = StackOrder(k % 3);
    EXPECT_TRUE(SolveAndCheck("settled", MakeDishes(100 + k, kSettled)));
    EXPECT_TRUE(SolveAndCheck("moving", MakeDishes(300 + k, kMoving)));
    EXPECT_TRUE(SolveAndCheck("nut", MakeNut(400 + k)));
    EXPECT_TRUE(SolveAndCheck("slide", MakeSlidingTower(500 + k, 0.3 + 0.4 * k)));
    EXPECT_TRUE(SolveAndCheck("straight", MakePushedStack(600 + k, 1e3, order, false)));
    EXPECT_TRUE(SolveAndCheck("zigzag", MakePushedStack(600 + k, 1e2, order, true)));
    EXPECT_TRUE(SolveAndCheck("mixed", MakeMixedChain(700 + k)));
  }
}

TEST(ProblemSets, AutoSolvesEveryReferenceProblem) {
  const auto files = ListProblems("problems");
  if (files.empty()) GTEST_SKIP() << "no reference problems";
  EXPECT_EQ(files.size(), 20u);
  for (const auto& file : files) {
    SCOPED_TRACE(file.stem().string());
    EXPECT_TRUE(SolveAndCheck(file));
  }
}

TEST(ProblemSets, AutoMissesFewProblemsOfRealStepsAndSaysSo) {
  const auto files = ListProblems("problems/real");
  if (files.empty()) GTEST_SKIP() << "no problems of real steps";
  EXPECT_EQ(files.size(), 40u);
  int misses = 0;
  for (const auto& file : files) {
    SCOPED_TRACE(file.stem().string());
    misses += !SolveAndCheck(file);
  }
  EXPECT_LE(misses, 2);  // which of the hard ones are missed depends on rounding
}

// Three to eleven bodies of a gram to ten kilograms among one another and walls in all directions, from
// nothing.
ProblemFile MakeJam(unsigned seed) {
  stiction::testing::RandomNumbers random(seed);
  stiction::testing::ProblemSketch sketch;
  std::vector<Vector3d> p;
  const int num_bodies = 3 + static_cast<int>(seed % 9);
  for (int b = 0; b < num_bodies; ++b) {
    p.push_back(random.NormalVector(3) * 0.1);
    const double mass = std::pow(10.0, random.Uniform(-3.0, 1.0));
    Vector6d v = random.NormalVector(6) * 0.3;
    v[2] -= 0.05;
    sketch.AddFreeBody(mass, Vector3d::Constant(1e-3 * mass).asDiagonal(), p.back(), v);
  }
  const double mu = 0.3 + 0.2 * (seed % 7);
  const auto add = [&](int a, int b) {
    const Vector3d n = random.NormalVector(3).normalized();
    const Vector3d at = p[b] - 0.05 * n;
    sketch.AddContact(a, b, at, n, mu, seed % 3 == 0 ? 0.0 : random.Uniform(0.0, 0.05));
  };
  for (int b = 0; b < num_bodies; ++b) {
    for (int k = 0; k < 3; ++k) add(-1, b);
    for (int k = 0; b > 0 && k < 2; ++k) add(random.Index(b), b);
  }
  ProblemFile jam;
  jam.problem = sketch.Build();
  return jam;
}

// From the warm start of the file, by `auto` with some of its options.
ProblemReport SolveStored(const ProblemFile& stored,
                          std::initializer_list<std::pair<const char*, const char*>> options,
                          bool is_last_chance = true) {
  const auto solver = MakeSolver("auto");
  for (const auto& [name, value] : options) EXPECT_EQ(SetSolverOption(*solver, name, value), "");
  solver->set_is_last_chance(is_last_chance);
  ProblemSolver workspace;
  Solution solution = stored.warm_start;
  return workspace.Solve(stored.problem, *solver, solution);
}

// What full primal-dual steps, CANAL and its walks all fail at, damped steps solve.
TEST(ProblemSets, DampedStepsFindWhatWasForLastResorts) {
  const std::filesystem::path file = SharedPath("problems/real/clutter40_worst_00.json");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no problems of real steps";
  const ProblemFile stored = ReadProblemJson(file.string());
  const auto solve = [&](const char* damped_steps) {
    return SolveStored(stored, {{"damped_steps", damped_steps}, {"path_newton", "0"}});
  };
  const ProblemReport with = solve("200"), without = solve("0");
  EXPECT_LE(with.certificate.ncp_max, kBudget);
  EXPECT_LT(with.solve.stage, without.solve.stage);  // 2 or, as rounding will have it, 4; and 5
  EXPECT_LT(10 * with.solve.newton_steps, without.solve.newton_steps);
}

// So does the central path, without walks and sweeps.
TEST(ProblemSets, ThePathFindsWhatWasForLastResorts) {
  const std::filesystem::path file = SharedPath("problems/real/clutter40_worst_00.json");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no problems of real steps";
  const ProblemFile stored = ReadProblemJson(file.string());
  const auto solve = [&](const char* path_newton) {
    return SolveStored(stored, {{"damped_steps", "0"}, {"path_newton", path_newton}});
  };
  const ProblemReport with = solve("1000"), without = solve("0");
  EXPECT_LE(with.certificate.ncp_max, kBudget);
  EXPECT_EQ(with.solve.stage, 4);
  EXPECT_LT(3 * with.solve.newton_steps, without.solve.newton_steps);
}

// Many contacts of this heap are about to stick.
TEST(ProblemSets, SweepsLeadNewtonToWhatItDoesNotFindAlone) {
  const std::filesystem::path file = SharedPath("problems/real/clutter40_worst_00.json");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no problems of real steps";
  const ProblemFile stored = ReadProblemJson(file.string());
  const auto solve = [&](const char* last_sweeps) {
    return SolveStored(
        stored,
        {{"damped_steps", "0"}, {"path_newton", "0"}, {"walk_newton", "0"}, {"last_sweeps", last_sweeps}});
  };
  EXPECT_GT(solve("0").certificate.ncp_max, 1e-6);
  const ProblemReport found = solve("5000");
  EXPECT_LE(found.certificate.ncp_max, kBudget);
  EXPECT_EQ(found.solve.stage, 5);
}

// A step that is divided if it misses does not wait for all of the last resorts.
TEST(ProblemSets, LastResortsAreForTheLastChance) {
  const std::filesystem::path file = SharedPath("problems/real/clutter40_worst_00.json");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no problems of real steps";
  const ProblemFile stored = ReadProblemJson(file.string());
  const auto solve = [&](bool is_last, const char* walk_newton) {
    return SolveStored(stored, {{"damped_steps", "0"}, {"path_newton", "0"}, {"walk_newton", walk_newton}},
                       is_last);
  };
  const ProblemReport last = solve(true, "0"), early = solve(false, "0");
  EXPECT_EQ(last.solve.stage, 5);
  EXPECT_LE(last.certificate.ncp_max, kBudget);
  EXPECT_LT(early.solve.stage, 5);
  EXPECT_GT(early.certificate.ncp_max, kBudget);
  EXPECT_LT(solve(false, "8000").solve.newton_steps, solve(true, "8000").solve.newton_steps);
}

// Jams that full Newton steps and CANAL fail at: of an island that half a step comes after, few steps are
// lost to those, to CANAL's retry and to a short walk.
TEST(ProblemSets, JamsThatAreDividedAreGivenUpSoon) {
  for (const unsigned seed : {555u, 608u, 705u, 1286u}) {
    const ProblemFile jam = MakeJam(seed);
    const ProblemReport early = SolveStored(jam, {}, false);
    EXPECT_GT(early.certificate.ncp_max, kBudget) << seed;
    EXPECT_LT(early.solve.newton_steps, 2000) << seed;
    EXPECT_LE(SolveStored(jam, {}).certificate.ncp_max, kBudget) << seed;
  }
}

// Small islands follow the central path twice as far: this one for 197 factorisations.
TEST(ProblemSets, ThePathIsFollowedFurtherInSmallIslands) {
  const auto solve = [](const char* path_newton) {
    return SolveStored(MakeJam(705),
                       {{"path_newton", path_newton}, {"walk_newton", "0"}, {"last_sweeps", "0"}});
  };
  EXPECT_GT(solve("50").certificate.ncp_max, kBudget);
  EXPECT_LE(solve("150").certificate.ncp_max, kBudget);
}

// Last resorts take thousands of steps. Where speeds are such that their rounding is far above what is asked
// for, they are not for the step to wait for.
TEST(ProblemSets, NoLastResortIsTriedOnWhatRoundingForbids) {
  const std::filesystem::path file = SharedPath("problems/real/clutter40_worst_00.json");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no problems of real steps";
  ProblemFile stored = ReadProblemJson(file.string());
  const auto solver = MakeSolver("auto");
  EXPECT_EQ(SetSolverOption(*solver, "damped_steps", "0"), "");
  EXPECT_EQ(SetSolverOption(*solver, "walk_newton", "0"), "");
  const auto solve = [&] {
    ProblemSolver workspace;
    Solution solution = stored.warm_start;
    return workspace.Solve(stored.problem, *solver, solution).solve;
  };
  EXPECT_GE(solve().stage, 4);
  stored.problem.v_star *= 1e12;
  stored.warm_start.lambda *= 1e12;
  for (double& e : stored.problem.e) e *= 1e12;
  EXPECT_LT(solve().stage, 4);
}

// Random problems, many of them infeasible: whatever the solver, a status of converged is true of the law
// that it solves, and nothing overflows.
TEST(ProblemSets, ConvergedIsNeverALie) {
  for (const SolverEntry& entry : ListSolvers()) {
    const auto solver = entry.Make();
    ProblemSolver workspace;
    int converged = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(std::string(entry.name) + " " + std::to_string(seed));
      const ContactProblem problem = stiction::testing::MakeRandomProblem(seed, 8, 8);
      Solution solution;
      const ProblemReport report = workspace.Solve(problem, *solver, solution);
      const double ncp_max = stiction::testing::CalcDenseCertificate(problem, solution.lambda).ncp.maxCoeff();
      EXPECT_TRUE(solution.lambda.allFinite());
      if (report.solve.status != SolveStatus::kConverged) continue;
      ++converged;
      EXPECT_LE(report.certificate.own_law, kBudget);
      EXPECT_TRUE(solver->law().is_convex || ncp_max <= kBudget) << ncp_max;
    }
    EXPECT_GE(converged, 15) << entry.name;  // maximum dissipation has no fixed point where it slides
  }
}

}  // namespace
}  // namespace stiction

#include "solve_result.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

namespace stiction::runner {
namespace {

// A solve shorter than this is repeated, and the median time reported. [s]
constexpr double kRepeatBelow = 0.02;
constexpr int kRepeats = 5;

bool SupportsAll(const ContactSolver& solver, const ContactProblem& problem) {
  return std::all_of(problem.constraints.begin(), problem.constraints.end(),
                     [&](const Constraint& c) { return solver.Supports(c.type); });
}

// The file's name without its extension, and the group.
std::string ShortName(const Problem& problem) {
  const std::string stem = std::filesystem::path(problem.path).stem().string();
  return problem.file.group.empty() ? stem : stem + ":" + problem.file.group;
}

}  // namespace

std::unique_ptr<ContactSolver> SolverChoice::Make() const {
  std::unique_ptr<ContactSolver> solver = MakeSolver(name);
  for (const auto& [option, value] : settings) {
    const std::string wrong = SetSolverOption(*solver, option, value);
    if (!wrong.empty()) throw UsageError("--set: " + name + ": " + wrong);
  }
  if (tolerance) solver->set_tolerance(*tolerance);
  return solver;
}

SolveResult SolveOne(const Problem& problem, const SolverChoice& choice) {
  using Clock = std::chrono::steady_clock;
  SolveResult result;
  result.problem = &problem;
  result.solver = choice.name;
  const std::unique_ptr<ContactSolver> solver = choice.Make();
  if (!SupportsAll(*solver, problem.file.problem)) {
    result.report.solve.status = SolveStatus::kUnsupported;
    return result;
  }
  ProblemSolver problem_solver;
  problem_solver.set_one_island(choice.one_island);
  std::vector<double> times;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    result.solution = problem.file.warm_start;
    const auto start = Clock::now();
    result.report = problem_solver.Solve(problem.file.problem, *solver, result.solution);
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    if (times.back() > kRepeatBelow) break;
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  result.time_us = 1e6 * times[times.size() / 2];
  return result;
}

Json MakeAnswer(const SolveResult& result, bool full) {
  const SolveReport& solve = result.report.solve;
  Json out{{"problem", result.problem->label},
           {"solver", result.solver},
           {"status", ToString(solve.status)},
           {"iterations", solve.iterations},
           {"iterations_sum", solve.iterations_sum},
           {"factorisations", solve.factorizations},
           {"back_solves", solve.back_solves},
           {"newton_steps", solve.newton_steps},
           {"inner_problems", solve.inner_problems},
           {"inner_failures", solve.inner_failures},
           {"time_us", result.time_us}};
  const Certificate& c = result.report.certificate;
  out["certificate"] = {{"ncp_max", c.ncp_max},
                        {"ncp_mean", c.ncp_mean},
                        {"canal", c.canal},
                        {"own_law", c.own_law},
                        {"momentum", c.momentum}};
  if (!result.is_supported())  // no impulses to judge
    for (auto& value : out["certificate"]) value = nullptr;
  if (full && result.is_supported()) {
    out["v"] = ToJson(result.solution.v);
    out["lambda"] = ToJson(VectorXd(result.solution.lambda));
  }
  return out;
}

void PrintHeader() {
  std::printf("%-26s %-12s %-14s %10s %8s %12s %10s %10s %10s\n", "problem", "solver", "status", "iterations",
              "factors", "time [us]", "ncp [m/s]", "canal", "momentum");
}

void PrintRow(const SolveResult& result) {
  const SolveReport& solve = result.report.solve;
  const Certificate& c = result.report.certificate;
  std::printf("%-26s %-12s %-14s", ShortName(*result.problem).c_str(), result.solver.c_str(),
              ToString(solve.status));
  if (result.is_supported())
    std::printf(" %10d %8d %12.1f %10.1e %10.1e %10.1e", solve.iterations, solve.factorizations,
                result.time_us, c.ncp_max, c.canal, c.momentum);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace stiction::runner

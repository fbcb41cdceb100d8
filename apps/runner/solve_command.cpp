// `stiction solve`: contact problems from files through one solver or several, side by side.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "command.h"
#include "json_output.h"

namespace stiction::runner {
namespace {

// A solve shorter than this is repeated, and the median time reported. [s]
constexpr double kRepeatBelow = 0.02;
constexpr int kRepeats = 5;

struct SolveArguments {
  std::vector<std::string> paths;
  std::string solvers = "auto";
  JsonTarget json;
  bool full = false;
};

struct Problem {
  std::string path;
  std::string label;  // the path, and behind a colon the group of a file of several
  ProblemFile file;
};

struct Result {
  const Problem* problem = nullptr;
  std::string solver;
  ProblemReport report;
  double time_us = 0.0;
  Solution solution;
};

std::vector<std::string> ListNames(const std::string& text) {
  std::vector<std::string> names;
  for (const std::string& name : SplitCommas(text)) {
    if (name == "all")
      for (const SolverEntry& entry : ListSolvers()) names.push_back(entry.name);
    else
      names.push_back(MakeKnownSolver(name)->name());
  }
  return names;
}

std::vector<Problem> ReadAll(const std::vector<std::string>& paths) {
  std::vector<Problem> problems;
  for (const std::string& path : paths) {
    for (ProblemFile& file : ReadProblems(path)) {
      const std::string label = file.group.empty() ? path : path + ":" + file.group;
      problems.push_back({path, label, std::move(file)});
    }
  }
  return problems;
}

bool SupportsAll(const ContactSolver& solver, const ContactProblem& problem) {
  return std::all_of(problem.constraints.begin(), problem.constraints.end(),
                     [&](const Constraint& c) { return solver.Supports(c.type); });
}

Result SolveOne(const Problem& problem, const std::string& name) {
  using Clock = std::chrono::steady_clock;
  Result result;
  result.problem = &problem;
  result.solver = name;
  const std::unique_ptr<ContactSolver> solver = MakeSolver(name);
  if (!SupportsAll(*solver, problem.file.problem)) {
    result.report.solve.status = SolveStatus::kUnsupported;
    return result;
  }
  ProblemSolver problem_solver;
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

Json MakeResult(const Result& result, bool full) {
  const SolveReport& solve = result.report.solve;
  Json out{{"problem", result.problem->label},       {"solver", result.solver},
           {"status", ToString(solve.status)},       {"iterations", solve.iterations},
           {"factorisations", solve.factorizations}, {"time_us", result.time_us}};
  const Certificate& c = result.report.certificate;
  out["certificate"] = {{"ncp_max", c.ncp_max},
                        {"ncp_mean", c.ncp_mean},
                        {"canal", c.canal},
                        {"own_law", c.own_law},
                        {"momentum", c.momentum}};
  const bool unsupported = solve.status == SolveStatus::kUnsupported;
  if (unsupported)  // no impulses to judge
    for (auto& value : out["certificate"]) value = nullptr;
  if (full && !unsupported) {
    out["v"] = ToJson(result.solution.v);
    out["lambda"] = ToJson(VectorXd(result.solution.lambda));
  }
  return out;
}

// The file's name without its extension, and the group.
std::string ShortName(const Problem& problem) {
  const std::string stem = std::filesystem::path(problem.path).stem().string();
  return problem.file.group.empty() ? stem : stem + ":" + problem.file.group;
}

void PrintHeader() {
  std::printf("%-26s %-12s %-14s %10s %8s %12s %10s %10s %10s\n", "problem", "solver", "status", "iterations",
              "factors", "time [us]", "ncp [m/s]", "canal", "momentum");
}

void PrintRow(const Result& result) {
  const SolveReport& solve = result.report.solve;
  const Certificate& c = result.report.certificate;
  std::printf("%-26s %-12s %-14s", ShortName(*result.problem).c_str(), result.solver.c_str(),
              ToString(solve.status));
  if (solve.status != SolveStatus::kUnsupported)
    std::printf(" %10d %8d %12.1f %10.1e %10.1e %10.1e", solve.iterations, solve.factorizations,
                result.time_us, c.ncp_max, c.canal, c.momentum);
  std::printf("\n");
  std::fflush(stdout);
}

int Solve(const SolveArguments& arguments) {
  const std::vector<std::string> names = ListNames(arguments.solvers);
  const std::vector<Problem> problems = ReadAll(arguments.paths);
  for (const Problem& problem : problems) CheckOutput("--json", arguments.json.path, problem.path);
  Json results = Json::array();
  const bool print = !arguments.json.is_stdout();
  if (print) PrintHeader();
  for (const Problem& problem : problems) {
    for (const std::string& name : names) {
      const Result result = SolveOne(problem, name);
      if (print) PrintRow(result);
      if (arguments.json.wanted()) results.push_back(MakeResult(result, arguments.full));
    }
  }
  if (arguments.json.wanted()) Write(arguments.json, {{"results", std::move(results)}});
  return kOk;
}

}  // namespace

void AddSolveCommand(CLI::App& app, Command& command) {
  CLI::App* solve = app.add_subcommand("solve", "Solve contact problems from files and judge the answers");
  auto arguments = std::make_shared<SolveArguments>();
  solve->add_option("FILES", arguments->paths, "Contact problems: JSON or HDF5, ours or FCLib's")->required();
  solve->add_option("--solver", arguments->solvers, "Solvers, or `all` (see `stiction list`)")
      ->option_text("A,B,... [auto]");
  AddJsonOption(*solve, arguments->json);
  solve->add_flag("--full", arguments->full, "With --json: velocities and impulses too, rows as in the file");
  solve->callback([&command, arguments] { command = [arguments] { return Solve(*arguments); }; });
}

}  // namespace stiction::runner

// `stiction solve`: contact problems from files through one solver or several, side by side.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

#include "command.h"
#include "json_output.h"
#include "run_plan.h"
#include "solve_profile.h"
#include "solve_result.h"
#include "solve_summary.h"

namespace stiction::runner {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct SolveArguments {
  std::vector<std::string> paths;
  std::string solvers = kDefaultSolver;
  std::vector<std::string> settings;  // option=value
  bool one_island = false;
  std::optional<double> tolerance;  // [m/s]
  JsonTarget json;
  bool full = false;
  std::string markdown;
  std::vector<std::string> profiles;
  std::string profile_metric = "time";
  double profile_tolerance = 1e-6;  // [m/s]
};

std::vector<SolverChoice> ListChoices(const std::string& text) {
  std::vector<SolverChoice> choices;
  const auto add = [&](const std::string& name) {
    const auto is_same = [&](const SolverChoice& choice) { return choice.name == name; };
    if (std::none_of(choices.begin(), choices.end(), is_same)) choices.push_back({name, {}, {}});
  };
  for (const std::string& name : SplitCommas(text)) {
    if (name == "all")
      for (const SolverEntry& entry : ListSolvers()) add(entry.name);
    else
      add(MakeKnownSolver(name)->name());
  }
  return choices;
}

// Gives the setting to all solvers that have such an option.
void ApplySetting(const std::string& setting, std::vector<SolverChoice>& choices) {
  const size_t equals = setting.find('=');
  if (equals == std::string::npos) throw UsageError("--set: '" + setting + "' is not option=value");
  const std::string option = setting.substr(0, equals);
  bool is_known = false;
  for (SolverChoice& choice : choices) {
    const std::vector<SolverOption> options = MakeSolver(choice.name)->ListOptions();
    if (std::none_of(options.begin(), options.end(), [&](const SolverOption& o) { return o.name == option; }))
      continue;
    is_known = true;
    choice.settings.emplace_back(option, setting.substr(equals + 1));
    choice.Make();  // checks the value
  }
  if (!is_known)
    throw UsageError("--set: none of the solvers has an option '" + option + "' (see `stiction list`)");
}

std::vector<SolverChoice> MakeChoices(const SolveArguments& arguments) {
  std::vector<SolverChoice> choices = ListChoices(arguments.solvers);
  for (const std::string& setting : arguments.settings) ApplySetting(setting, choices);
  for (SolverChoice& choice : choices) {
    choice.tolerance = arguments.tolerance;
    choice.one_island = arguments.one_island;
  }
  return choices;
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

void CheckFiles(const SolveArguments& arguments) {
  for (const std::string& path : arguments.profiles) {
    if (!HasExtension(path, {".csv", ".svg"}))
      throw UsageError("--profile: " + path + ": give a file that ends in .csv or .svg");
  }
  std::vector<OutputFile> outputs{{"--json", arguments.json.path}, {"--markdown", arguments.markdown}};
  for (const std::string& path : arguments.profiles) outputs.push_back({"--profile", path});
  CheckOutputs(outputs, arguments.paths);
}

// t_ps: what it costs to reach the profile's tolerance, with that as the solver's target.
double CalcCost(const SolveArguments& arguments, const Problem& problem, SolverChoice choice) {
  choice.tolerance = arguments.profile_tolerance;
  const SolveResult result = SolveOne(problem, choice);
  const bool is_reached =
      result.is_supported() && result.report.certificate.ncp_max <= arguments.profile_tolerance;
  if (!is_reached) return kInfinity;
  // Solved by the warm start alone: no iterations, and no ratio of them.
  return arguments.profile_metric == "time" ? result.time_us : std::max(1, result.report.solve.iterations);
}

void PrintProfiles(const SolveArguments& arguments, const std::vector<ProfileCurve>& curves) {
  std::printf("\n%s to ncp <= %g m/s, relative to the best solver\n", arguments.profile_metric.c_str(),
              arguments.profile_tolerance);
  std::printf("%-14s %8s %8s %8s\n", "solver", "rho(1)", "rho(10)", "rho(inf)");
  for (const ProfileCurve& curve : curves)
    std::printf("%-14s %8.3f %8.3f %8.3f\n", curve.solver.c_str(), curve.At(1.0), curve.At(10.0),
                curve.At(kInfinity));
}

Json MakeProfileAnswer(const SolveArguments& arguments, const std::vector<ProfileCurve>& curves) {
  Json solvers = Json::object();
  for (const ProfileCurve& curve : curves)
    solvers[curve.solver] = {
        {"rho_1", curve.At(1.0)}, {"rho_10", curve.At(10.0)}, {"rho_inf", curve.At(kInfinity)}};
  return {{"metric", arguments.profile_metric},
          {"tolerance", arguments.profile_tolerance},
          {"solvers", std::move(solvers)}};
}

void WriteProfiles(const SolveArguments& arguments, const std::vector<ProfileCurve>& curves) {
  for (const std::string& path : arguments.profiles) {
    std::ofstream out(path);
    out << (HasExtension(path, {".csv"})
                ? FormatCsv(curves)
                : DrawSvg(curves, arguments.profile_metric, arguments.profile_tolerance));
    out.close();
    if (!out) throw UsageError("--profile: cannot write " + path);
  }
}

int Solve(const SolveArguments& arguments) {
  const std::vector<SolverChoice> choices = MakeChoices(arguments);
  const std::vector<Problem> problems = ReadAll(arguments.paths);
  CheckFiles(arguments);
  const bool print = !arguments.json.is_stdout();
  std::vector<SolveResult> results;
  std::vector<SolverCosts> costs;
  for (const SolverChoice& choice : choices) costs.push_back({choice.name, {}});
  Json answer{{"results", Json::array()}};
  if (print) PrintHeader();
  for (const Problem& problem : problems) {
    for (std::size_t s = 0; s < choices.size(); ++s) {
      results.push_back(SolveOne(problem, choices[s]));
      if (print) PrintRow(results.back());
      if (arguments.json.wanted()) answer["results"].push_back(MakeAnswer(results.back(), arguments.full));
      results.back().solution = {};  // large, and told
      if (!arguments.profiles.empty()) costs[s].costs.push_back(CalcCost(arguments, problem, choices[s]));
    }
  }
  if (!arguments.profiles.empty()) {
    const std::vector<ProfileCurve> curves = CalcProfiles(costs);
    WriteProfiles(arguments, curves);
    if (print) PrintProfiles(arguments, curves);
    answer["profile"] = MakeProfileAnswer(arguments, curves);
  }
  if (!arguments.markdown.empty()) WriteMarkdown(arguments.markdown, results);
  if (arguments.json.wanted()) Write(arguments.json, answer);
  return kOk;
}

}  // namespace

void AddSolveCommand(CLI::App& app, Command& command) {
  CLI::App* solve = app.add_subcommand("solve", "Solve contact problems from files and judge the answers");
  auto arguments = std::make_shared<SolveArguments>();
  SolveArguments& a = *arguments;
  solve->add_option("FILES", a.paths, "Contact problems: JSON or HDF5, ours or FCLib's")->required();
  solve->add_option("--solver", a.solvers, "Solvers, or `all` (see `stiction list`)")
      ->option_text(std::string("A,B,... [") + kDefaultSolver + "]");
  solve->add_option("--set", a.settings, "Set an option of all the solvers that have it; may be repeated")
      ->option_text("option=value")
      ->allow_extra_args(false);  // or it would take the FILES that follow
  solve->add_option("--tolerance", a.tolerance, "Residual at which solvers stop, instead of their own [m/s]")
      ->check(Above(0.0))
      ->option_text("TOL");
  AddOneIslandFlag(*solve, a.one_island);
  AddJsonOption(*solve, a.json);
  solve->add_flag("--full", a.full, "With --json: velocities and impulses too, rows as in the file");
  solve->add_option("--markdown", a.markdown, "Write a table of the solvers over all problems")
      ->option_text("FILE");
  solve
      ->add_option("--profile", a.profiles,
                   "Write performance profiles (Dolan and More): every problem is also solved to the "
                   "tolerance below; may be repeated")
      ->option_text("FILE.csv|FILE.svg")
      ->allow_extra_args(false);
  solve->add_option("--profile-metric", a.profile_metric, "What a solve costs")
      ->check(CLI::IsMember({"time", "iterations"}))
      ->option_text("time|iterations [time]");
  solve->add_option("--profile-tolerance", a.profile_tolerance, "Certificate ncp that counts as solved [m/s]")
      ->check(Above(0.0))
      ->option_text("TOL [1e-6]");
  solve->callback([&command, arguments] { command = [arguments] { return Solve(*arguments); }; });
}

}  // namespace stiction::runner

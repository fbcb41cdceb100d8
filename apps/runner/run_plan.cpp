#include "run_plan.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "problem_output.h"
#include "scenario_input.h"
#include "stiction/model/integrator.h"
#include "stiction/sim/controller.h"
#include "stiction/sim/scenario.h"

namespace stiction::runner {
namespace {

std::string Seconds(double time) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", time);
  return text;
}

OnMiss ParseOnMiss(const std::string& text) {
  if (text == "accept") return OnMiss::kAccept;
  return text == "stop" ? OnMiss::kStop : text == "fallback" ? OnMiss::kFallback : OnMiss::kRetry;
}

// Sets the flags over the options, and checks that the solver takes them.
void ApplySolverFlags(const RunArguments& arguments, WorldOptions& options) {
  // A scenario's options are those of its solver.
  if (arguments.solver && *arguments.solver != options.solver) options.solver_options.clear();
  options.solver = arguments.solver.value_or(options.solver);
  const std::unique_ptr<ContactSolver> solver = MakeKnownSolver(options.solver);
  for (const std::string& setting : arguments.settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos) throw UsageError("--set: '" + setting + "' is not option=value");
    options.solver_options.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    const auto& [name, value] = options.solver_options.back();
    const std::string wrong = SetSolverOption(*solver, name, value);
    if (!wrong.empty()) throw UsageError("--set: " + wrong);
  }
}

void CheckFileNames(const RunArguments& arguments) {
  if (!arguments.log.empty()) LogWriter::CheckName(arguments.log);
  if (!arguments.problems.empty()) ProblemOutput::CheckName(arguments.problems);
  if (arguments.every > 0 && arguments.problems.empty()) throw UsageError("--every: needs --problems");
  if (!arguments.report.empty() && !HasExtension(arguments.report, {".html"}))
    throw UsageError("--report: '" + arguments.report + "' does not end in .html");
}

WorldOptions ApplyFlags(const RunArguments& arguments, WorldOptions options) {
  ApplySolverFlags(arguments, options);
  CheckFileNames(arguments);
  if (arguments.budget) options.budget = arguments.budget;
  options.one_island = arguments.one_island;
  if (arguments.solver_budget_us) options.solver_budget.seconds = 1e-6 * *arguments.solver_budget_us;
  if (arguments.solver_budget_iterations)
    options.solver_budget.iterations = *arguments.solver_budget_iterations;
  if (arguments.dt) options.timestep = arguments.dt;
  if (!arguments.integrator.empty()) options.integrator = FindIntegrator(arguments.integrator);
  if (arguments.sleep) options.sleep = true;
  options.num_threads = arguments.threads;
  options.on_miss = ParseOnMiss(arguments.on_miss);
  options.halvings = arguments.halvings;
  options.skips_still = arguments.problems.empty();  // who looks at problems wants all rows
  return options;
}

RunPlan PlanModel(const RunArguments& arguments, ImportReport& report) {
  RunPlan plan;
  plan.options = ApplyFlags(arguments, {});
  plan.model = LoadReported(arguments.model, report);
  if (IsSceneText(arguments.model.path)) {
    plan.keyframe = kStartKeyframe;
  } else {
    plan.inputs = {arguments.model.path};
  }
  return plan;
}

RunPlan PlanScenario(const RunArguments& arguments, ImportReport& report) {
  if (arguments.solver) MakeKnownSolver(*arguments.solver);
  Scenario scenario = LoadReportedScenario(arguments.model, report);
  RunPlan plan;
  plan.options = ApplyFlags(arguments, MakeWorldOptions(scenario));
  scenario.timestep = *plan.options.timestep;
  plan.model = BuildModel(scenario, &report);
  plan.inputs = {arguments.model.path};
  for (const ScenarioModel& model : scenario.models) plan.inputs.push_back(model.file);
  for (const ControllerDescription& controller : scenario.controllers) {
    if (controller.target.table) plan.inputs.push_back(controller.target.table->file);
  }
  plan.duration = scenario.duration;
  plan.keyframe = kStartKeyframe;
  plan.controllers = scenario.controllers;
  plan.tasks = scenario.tasks;
  plan.record = scenario.record;
  plan.expectations = scenario.expectations;
  return plan;
}

}  // namespace

RunPlan MakeRunPlan(const RunArguments& arguments, ImportReport& report) {
  const std::string& path = arguments.model.path;
  const bool is_scenario = !IsSceneText(path) && IsScenario(path);
  RunPlan plan = is_scenario ? PlanScenario(arguments, report) : PlanModel(arguments, report);
  plan.model_name = plan.model.name.empty() ? std::filesystem::path(path).stem().string() : plan.model.name;
  plan.duration = arguments.time.value_or(plan.duration);
  if (!arguments.model.keyframe.empty()) plan.keyframe = arguments.model.keyframe;
  return plan;
}

World MakeWorld(RunPlan& plan) {
  World world(std::move(plan.model), plan.options);
  if (!plan.keyframe.empty()) world.SetKeyframe(FindKnownKeyframe(world.model(), plan.keyframe));
  AttachControllers(world, plan.controllers, plan.tasks);
  return world;
}

long long CountSteps(const RunPlan& plan, const World& world) {
  const double num_steps = std::round(plan.duration / world.timestep());
  if (num_steps > 1e12) throw UsageError("--time: more than 1e12 steps");
  if (num_steps == 0.0 && plan.duration > 0.0) {
    throw UsageError("a timestep of " + Seconds(world.timestep()) + " is too long for a run of " +
                     Seconds(plan.duration) +
                     ", in which it is taken not once: give a shorter --dt, or a longer --time");
  }
  return static_cast<long long>(num_steps);
}

const std::vector<std::string>& ListIntegratorNames() {
  static const std::vector<std::string> names{"euler", "explicit", "implicit", "midpoint", "rk4"};
  return names;
}

const std::vector<std::string>& ListOnMissNames() {
  static const std::vector<std::string> names{"retry", "fallback", "stop", "accept"};
  return names;
}

void AddSimulationArguments(CLI::App& command, RunArguments& arguments) {
  AddModelArguments(command, arguments.model);
  AddKeyframeArgument(command, arguments.model);
  command.add_option("--solver", arguments.solver, "Contact solver (see `stiction list`)")
      ->option_text(std::string("NAME [") + kDefaultSolver + ", or the scenario's]");
  command.add_option("--set", arguments.settings, "Set an option of the solver; may be repeated")
      ->option_text("option=value")
      ->allow_extra_args(false);  // or it would take the FILE that follows
  command.add_option("--time", arguments.time, "Simulated time; round(S / dt) steps are taken")
      ->check(AtLeast(0.0))
      ->option_text("S [5, or the scenario's]");
  command.add_option("--dt", arguments.dt, "Timestep, instead of the file's")
      ->check(Above(0.0))
      ->option_text("S");
  command.add_option("--integrator", arguments.integrator, "How a step advances the state")
      ->check(CLI::IsMember(ListIntegratorNames()))
      ->option_text("NAME [euler, or the file's]");
  command.add_flag("--sleep", arguments.sleep, "Let bodies at rest fall asleep until something touches them");
}

void AddSolverBudgetArguments(CLI::App& command, RunArguments& arguments) {
  command
      .add_option(
          "--solver-budget-us", arguments.solver_budget_us,
          "Time for the solver in a step, retries included; when it is over, the best impulses so far "
          "are taken, the step's first being those of the step before. States then differ from run "
          "to run")
      ->check(AtLeast(0.0))
      ->option_text("N [none, or the scenario's]");
  command
      .add_option("--solver-budget-iterations", arguments.solver_budget_iterations,
                  "The same in iterations of each island: Newton steps, sweeps, what the method counts")
      ->check(CLI::Range(0, 1'000'000'000))
      ->option_text("N [none, or the scenario's]");
}

void AddOneIslandFlag(CLI::App& command, bool& one_island) {
  command.add_flag("--one-island", one_island,
                   "Solve all that touches together, as methods that know no islands do: for comparisons");
}

void AddBudgetArguments(CLI::App& command, RunArguments& arguments) {
  AddBudgetOption(
      command, arguments.budget,
      "Largest certificate ncp of an island [m/s], to which NCP+Rv adds R times the largest speed at which "
      "something in it approaches; exit code 1 when missed. `none`: the solver is meant to stop early");
  command
      .add_option("--on-miss", arguments.on_miss,
                  "After a missed budget: retry harder, also try another solver, stop, or accept what the "
                  "first try gave")
      ->check(CLI::IsMember(ListOnMissNames()))
      ->option_text("retry|fallback|stop|accept [retry]");
  command
      .add_option(
          "--halvings", arguments.halvings,
          "How often a step that misses the budget may be halved: it is taken as 2, 4 or more steps of "
          "a fraction of the timestep, each with its certificate. Never with --solver-budget-us and "
          "-iterations, where misses are accepted, and in steps that move mocap bodies")
      ->check(CLI::Range(0, kMostHalvings))
      ->option_text("N [" + std::to_string(kAutoHalvings) + "; 0 with a named --solver]");
  AddSolverBudgetArguments(command, arguments);
}

bool HasExtension(const std::string& path, std::initializer_list<const char*> extensions) {
  const std::string extension = std::filesystem::path(path).extension();
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

}  // namespace stiction::runner

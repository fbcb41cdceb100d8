// What `stiction run` is to do: the flags, over what a scenario says, over the defaults.
#pragma once

#include "command.h"
#include "json_output.h"
#include "stiction/io/scenario.h"

namespace stiction::runner {

struct RunArguments {
  ModelArguments model;
  std::optional<std::string> solver;
  std::vector<std::string> settings;  // option=value
  std::optional<double> time;         // [s]
  std::optional<double> dt;           // [s]
  std::string integrator;             // empty: the file's
  int threads = 1;
  bool sleep = false;  // true: Options::sleep
  JsonTarget json;
  std::string log, problems;
  std::string report;   // page of the run; empty: none
  long long every = 0;  // 0: the last step alone
  std::optional<Budget> budget;
  bool one_island = false;
  std::optional<double> solver_budget_us;
  std::optional<int> solver_budget_iterations;
  std::string on_miss = "retry";
  std::optional<int> halvings;
  bool quiet = false;
  bool strict = false;
  bool force = false;  // overwrites a log that exists
  bool watches = false;
};

// What --integrator and --on-miss may be.
const std::vector<std::string>& ListIntegratorNames();
const std::vector<std::string>& ListOnMissNames();

// The flags of every command that simulates: the model's, --solver, --set, --time and --dt.
void AddSimulationArguments(CLI::App& command, RunArguments& arguments);

// --one-island.
void AddOneIslandFlag(CLI::App& command, bool& one_island);

// --solver-budget-us and --solver-budget-iterations.
void AddSolverBudgetArguments(CLI::App& command, RunArguments& arguments);

// Those, --budget, --on-miss and --halvings, of commands that hold steps to a budget.
void AddBudgetArguments(CLI::App& command, RunArguments& arguments);

struct RunPlan {
  Model model;
  std::string model_name;
  std::vector<std::string> inputs;  // files that no output may overwrite
  WorldOptions options;
  double duration = 5.0;  // [s]
  std::string keyframe;   // in which the model starts; empty: as in the file
  std::vector<ControllerDescription> controllers;
  std::vector<TaskDescription> tasks;
  std::optional<RecordOptions> record;
  std::vector<Expectation> expectations;
};

// round(duration / timestep). Throws UsageError if they are more than 1e12, or none though there is time.
long long CountSteps(const RunPlan& plan, const World& world);

// The World of the plan, in its keyframe and with its controllers. Takes the model out of the plan. Throws
// UsageError: there is no such keyframe.
World MakeWorld(RunPlan& plan);

// Throws UsageError, before any model is read where that is possible, and LoadError. `report` receives what
// the readers say.
RunPlan MakeRunPlan(const RunArguments& arguments, ImportReport& report);

// Whether the name of a file ends so.
bool HasExtension(const std::string& path, std::initializer_list<const char*> extensions);

}  // namespace stiction::runner

// `stiction run`: simulate without a window.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "command.h"
#include "file_watch.h"
#include "json_output.h"
#include "problem_output.h"
#include "program.h"
#include "progress_bar.h"
#include "report_text.h"
#include "run_answer.h"
#include "run_plan.h"
#include "run_report.h"
#include "run_start.h"
#include "stiction/math/num_threads.h"
#include "stiction/sim/open_equality.h"
#include "stiction/sim/passed_limit.h"
#include "stiction/sim/recorder.h"

namespace stiction::runner {
namespace {

volatile std::sig_atomic_t interrupted = 0;  // by this signal

// A first Ctrl-C, or SIGTERM, ends the run after the current step; a second one ends the program.
void HandleInterrupt(int signal) {
  interrupted = signal;
  std::signal(signal, SIG_DFL);
}

// To a file in the present folder, which the outcome names; what became of it, for a message.
std::string SaveState(const World& world, const ModelArguments& model, const char* kind,
                      RunOutcome& outcome) {
  const std::string file = std::filesystem::path(model.path).stem().string() + "." + kind + "_state.json";
  try {
    WriteState(file, world.model(), world.state(), model.source());
    outcome.last_good_state = file;
    return "is in " + file;
  } catch (const std::runtime_error&) {
    return "could not be written to " + file;
  }
}

// Names time and body, and saves the state from before the step.
void ReportDivergence(const World& world, const ModelArguments& model, RunOutcome& outcome) {
  const StepReport& report = world.report();
  char time[32];
  std::snprintf(time, sizeof time, "%g", world.time());
  outcome.error = report.status == StepStatus::kSingularMass
                      ? "the mass matrix became singular at t = " + std::string(time) + " s"
                      : "the simulation diverged at t = " + std::string(time) + " s";
  if (report.bad_body >= 0) outcome.error += ", body '" + world.model().DisplayName(report.bad_body) + "'";
  outcome.error += "; the last good state " + SaveState(world, model, "last_good", outcome);
}

// Says which tasks are not done, and saves the state in which they are.
void ReportTasks(const World& world, const TaskSet& tasks, const ModelArguments& model, RunOutcome& outcome) {
  outcome.tasks = tasks.ReadProgress(world);
  std::string text;
  for (const TaskProgress& task : outcome.tasks) {
    if (task.status != TaskStatus::kDone) text += Describe(task) + "; ";
  }
  if (!text.empty() && outcome.error.empty())
    outcome.warnings.push_back(text + "the state " + SaveState(world, model, "unfinished_task", outcome));
}

// After a step: whether Ctrl-C or a missed budget with --on-miss stop ends the run, with a note that says so.
bool EndsEarly(const World& world, long long step, long long num_steps, RunOutcome& outcome) {
  const bool missed =
      world.report().status == StepStatus::kBudgetMissed && world.options().on_miss == OnMiss::kStop;
  if (!interrupted && !missed) return false;
  outcome.notes.push_back(std::string(interrupted ? "interrupted" : "stopped at a missed budget") +
                          " after " + std::to_string(step) + " of " + std::to_string(num_steps) + " steps");
  return true;
}

// What a log holds where no scenario says it: HDF5 everything; CSV, as a table, no contact points, and poses
// only in so far as q does.
RecordOptions DefaultRecord(bool is_table) {
  return {.all_bodies = !is_table, .contacts = !is_table, .energy = true, .sensors = true};
}

std::optional<Recorder> OpenLog(const RunArguments& arguments, const RunPlan& plan, const World& world,
                                RunOutcome& outcome) {
  if (arguments.log.empty()) {
    if (plan.record) outcome.notes.push_back("<record> is without effect: no --log names a file");
    return std::nullopt;
  }
  const bool is_table = HasExtension(arguments.log, {".csv"});
  if (is_table && plan.record && plan.record->contacts)
    outcome.notes.push_back("a CSV log holds no contacts, which <record> asks for; name an HDF5 file");
  RecordOptions record = plan.record.value_or(DefaultRecord(is_table));
  record.source = arguments.model.source();
  return std::optional<Recorder>(std::in_place, arguments.log, world, record);
}

// Takes up to `num_steps` steps. Ends early on divergence, Ctrl-C, a failed task, a missed budget with
// --on-miss stop, and a change of a file that is watched: then returns false.
bool Simulate(const RunArguments& arguments, long long num_steps, World& world, Recorder* log,
              ProblemOutput* problems, RunReport* page, ExpectationMonitor& monitor, const TaskSet& tasks,
              FileWatch* watch, RunOutcome& outcome) {
  using Clock = std::chrono::steady_clock;
  ProgressBar bar(!arguments.quiet, num_steps);
  for (long long step = 1; step <= num_steps; ++step) {
    const Clock::time_point start = Clock::now();
    const StepReport& report = world.Step();
    const double step_time = std::chrono::duration<double>(Clock::now() - start).count();
    if (report.status == StepStatus::kDiverged || report.status == StepStatus::kSingularMass) {
      ReportDivergence(world, arguments.model, outcome);
      break;
    }
    outcome.statistics.Add(report, step_time);
    monitor.Observe(world);
    if (log) log->Record(world);
    if (page) page->Add(world, monitor);
    const bool ends_early = EndsEarly(world, step, num_steps, outcome) || tasks.HaveFailed(world.state());
    const bool is_last = ends_early || step == num_steps;
    if (problems && problems->wants(step, is_last)) problems->Freeze(world, outcome.model_name, step);
    if (ends_early) break;
    if (watch && watch->HasChanged()) {
      outcome.notes.push_back("a file changed after " + std::to_string(step) + " of " +
                              std::to_string(num_steps) + " steps");
      break;
    }
    bar.Update(step, world.time());
  }
  if (log) log->Close();
  return outcome.statistics.steps == num_steps;
}

// Failed expectations stand in the table; where there is none, they are told by themselves.
void PrintFailures(const RunOutcome& outcome) {
  for (const ExpectationResult& result : outcome.expectations) {
    const Expectation& e = result.expectation;
    if (!result.is_met)
      std::fprintf(stderr, "failed: %s:%d: %s\n", e.file.c_str(), e.line, Describe(result).c_str());
  }
}

int ChooseExitCode(const RunPlan& plan, const RunOutcome& outcome) {
  if (!outcome.error.empty()) return kDiverged;
  if (interrupted) return interrupted == SIGTERM ? kTerminated : kInterrupted;
  const bool is_missed = IsBudgetMissed(plan.options, outcome.statistics);
  const auto& expectations = outcome.expectations;
  const bool is_met = std::all_of(expectations.begin(), expectations.end(),
                                  [](const ExpectationResult& result) { return result.is_met; });
  const bool is_done = std::all_of(outcome.tasks.begin(), outcome.tasks.end(),
                                   [](const TaskProgress& task) { return task.status == TaskStatus::kDone; });
  return is_missed || !is_met || !is_done ? kMissed : kOk;
}

//   watch  receives the files that were read; null: they are not watched
int Run(RunArguments arguments, FileWatch* watch) {
  if (!arguments.report.empty()) arguments.model.visuals = true;
  if (watch) watch->Watch({arguments.model.path});
  RunOutcome outcome;
  RunPlan plan = MakeRunPlan(arguments, outcome.report);
  if (watch) watch->Watch(ListReadFiles(arguments.model.path, plan.inputs, outcome.report));
  if (arguments.strict) RefuseIgnored(outcome.report);
  WarnOfLosses(outcome.report);
  outcome.model_name = plan.model_name;
  const std::string start = DescribeStart(plan, arguments.model);
  if (!start.empty()) outcome.notes.push_back(start);
  World world = MakeWorld(plan);
  const long long num_steps = CountSteps(plan, world);
  CheckOutputs({{"--json", arguments.json.path},
                {"--log", arguments.log},
                {"--problems", arguments.problems},
                {"--report", arguments.report}},
               plan.inputs);
  if (!arguments.force) RefuseOverwriting("--log", arguments.log);

  for (const OpenEquality& open : FindOpenEqualities(world.model(), world.input(), world.state()))
    outcome.notes.push_back(Describe(world.model(), open));
  for (const PassedLimit& passed : FindPassedLimits(world.model(), world.input(), world.state()))
    outcome.notes.push_back(Describe(world.model(), passed));
  outcome.start_time = world.time();
  outcome.energy_start = world.CalcEnergy().total();
  std::signal(SIGINT, HandleInterrupt);
  std::signal(SIGTERM, HandleInterrupt);
  std::optional<Recorder> log = OpenLog(arguments, plan, world, outcome);
  std::optional<ProblemOutput> problems;
  if (!arguments.problems.empty()) problems.emplace(arguments.problems, arguments.every);
  if (problems && num_steps < std::max(1LL, arguments.every))
    outcome.notes.push_back("too few steps for --problems to write any");
  ExpectationMonitor monitor(world, plan.expectations);
  const TaskSet tasks(world.model(), plan.tasks);
  std::optional<RunReport> page;
  if (!arguments.report.empty()) page.emplace(world, plan.duration);
  const bool reached_end =
      Simulate(arguments, num_steps, world, log ? &*log : nullptr, problems ? &*problems : nullptr,
               page ? &*page : nullptr, monitor, tasks, watch, outcome);
  outcome.expectations = monitor.results(reached_end);
  world.Refresh();
  outcome.energy_end = world.CalcEnergy().total();

  const bool has_table = !arguments.quiet && !arguments.json.is_stdout();
  outcome.warnings = ListMisses(world, outcome.statistics);
  ReportTasks(world, tasks, arguments.model, outcome);
  if (arguments.json.wanted()) Write(arguments.json, MakeRunAnswer(world, outcome));
  if (has_table) PrintRunTable(world, outcome);
  if (!has_table) PrintFailures(outcome);
  for (const std::string& warning : outcome.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
  if (!outcome.error.empty()) std::fprintf(stderr, "error: %s\n", outcome.error.c_str());
  const int code = ChooseExitCode(plan, outcome);
  if (page) page->Write(arguments.report, world, outcome, code == kOk);
  return code;
}

// What was logged before a change is of the same session, and goes.
int RunAgainAndAgain(RunArguments arguments) {
  if (IsSceneText(arguments.model.path)) throw UsageError(kNothingToWatch);
  return RunWatching([&arguments](FileWatch& watch) {
    const int code = Run(arguments, &watch);
    arguments.force = true;
    return code;
  });
}

}  // namespace

void AddRunCommand(CLI::App& app, Command& command) {
  CLI::App* run = app.add_subcommand("run", "Simulate a model or a scenario without a window");
  auto arguments = std::make_shared<RunArguments>();
  RunArguments& a = *arguments;
  AddSimulationArguments(*run, a);
  run->add_option("--threads", a.threads, "Threads that share a step; the result is the same for any number")
      ->check(CLI::Range(1, kMaxThreads))
      ->option_text("N [1]");
  AddJsonOption(*run, a.json);
  run->add_option("--log", a.log,
                  "Write time, q, v, energy, sensors and the certificate of every step; HDF5 also poses and "
                  "contacts; "
                  "for a scenario what its <record> says")
      ->option_text("FILE.csv|FILE.h5");
  run->add_option("--report", a.report,
                  "Write a page that plays the run offline in a browser, with its curves and what a scenario "
                  "expects")
      ->option_text("FILE.html");
  run->add_option(
         "--problems", a.problems,
         "Write the contact problem of the last step, or of every N-th, with its warm start: to "
         "FILE_<step>.json, to one FILE.h5 in a group per step, or for FCLib to FILE_<step>.fclib.h5")
      ->option_text("FILE.json|FILE.h5");
  run->add_option("--every", a.every, "With --problems: every N-th step")
      ->check(CLI::Range(1LL, 1'000'000'000'000LL))
      ->option_text("N");
  AddBudgetArguments(*run, a);
  AddOneIslandFlag(*run, a.one_island);
  run->add_flag("--force", a.force, "Overwrite a log that exists");
  AddWatchFlag(*run, a.watches);
  run->add_flag("--quiet", a.quiet, "No table and no progress bar");
  run->add_flag("--strict", a.strict, "Refuse a file of which anything would be ignored (exit code 3)");
  run->callback([&command, arguments] {
    command = [arguments] {
      return arguments->watches ? RunAgainAndAgain(*arguments) : Run(*arguments, nullptr);
    };
  });
}

}  // namespace stiction::runner

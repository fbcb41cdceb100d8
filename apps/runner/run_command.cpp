// `stiction run`: simulate without a window.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "command.h"
#include "json_output.h"
#include "progress_bar.h"
#include "run_answer.h"
#include "stiction/sim/recorder.h"

namespace stiction::runner {
namespace {

struct RunArguments {
  ModelArguments model;
  std::string solver = "auto";
  std::vector<std::string> settings;  // option=value
  double time = 5.0;                  // [s]
  std::optional<double> dt;           // [s]
  JsonTarget json;
  std::string log, problems;
  long long every = 0;           // 0: the last step alone
  std::optional<double> budget;  // [m/s]
  std::string on_miss = "retry";
  bool quiet = false;
  bool strict = false;
};

volatile std::sig_atomic_t interrupted = 0;

// A first Ctrl-C ends the run after the current step; a second one ends the program.
void HandleInterrupt(int) {
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
}

bool HasExtension(const std::string& path, std::initializer_list<const char*> extensions) {
  const std::string extension = std::filesystem::path(path).extension();
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

OnMiss ParseOnMiss(const std::string& text) {
  return text == "stop" ? OnMiss::kStop : text == "fallback" ? OnMiss::kFallback : OnMiss::kRetry;
}

// Everything that can be judged without the model, so that a wrong flag is reported before a file is read.
WorldOptions CheckArguments(const RunArguments& arguments) {
  WorldOptions options;
  options.solver = arguments.solver;
  const std::unique_ptr<ContactSolver> solver = MakeKnownSolver(arguments.solver);
  for (const std::string& setting : arguments.settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos) throw UsageError("--set: '" + setting + "' is not option=value");
    options.solver_options.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    const auto& [name, value] = options.solver_options.back();
    const std::string wrong = SetSolverOption(*solver, name, value);
    if (!wrong.empty()) throw UsageError("--set: " + wrong);
  }
  options.budget = arguments.budget;
  options.on_miss = ParseOnMiss(arguments.on_miss);
  options.timestep = arguments.dt;
  if (!arguments.log.empty()) LogWriter::CheckName(arguments.log);
  if (HasExtension(arguments.problems, {".h5", ".hdf5"}))
    throw UsageError("--problems: this build writes problems as JSON only; give a .json file");
  if (arguments.every > 0 && arguments.problems.empty()) throw UsageError("--every: needs --problems");
  return options;
}

void RefuseIgnored(const ImportReport& report) {
  const auto is_ignored = [](const ImportItem& item) { return item.status == ImportStatus::kIgnored; };
  const auto first = std::find_if(report.items.begin(), report.items.end(), is_ignored);
  if (first == report.items.end()) return;
  const auto count = std::count_if(first, report.items.end(), is_ignored);
  throw LoadError(first->file, first->line, first->item,
                  "ignored: " + first->why + " (--strict; " + std::to_string(count) + " ignored in all)");
}

void CheckOutputs(const RunArguments& arguments) {
  CheckOutput("--json", arguments.json.path, arguments.model.path);
  CheckOutput("--log", arguments.log, arguments.model.path);
  CheckOutput("--problems", arguments.problems, arguments.model.path);
}

// --problems p.json --every 10 writes p_000010.json, p_000020.json, ...
void FreezeProblem(const RunArguments& arguments, const World& world, const std::string& model_name,
                   long long step) {
  char number[32];
  std::snprintf(number, sizeof number, "_%06lld", step);
  std::filesystem::path path(arguments.problems);
  if (arguments.every > 0) path.replace_filename(path.stem().string() + number + path.extension().string());
  ContactProblem problem = world.problem();
  problem.name = model_name + number;
  // Without a warm start: the impulses at hand are the solution already.
  WriteProblemJson(path, problem, {});
}

// Names time and body, and saves the state from before the step.
void ReportDivergence(const World& world, const std::string& model_path, RunOutcome& outcome) {
  const StepReport& report = world.report();
  char time[32];
  std::snprintf(time, sizeof time, "%g", world.time());
  outcome.error = report.status == StepStatus::kSingularMass
                      ? "the mass matrix became singular at t = " + std::string(time) + " s"
                      : "the simulation diverged at t = " + std::string(time) + " s";
  if (report.bad_body >= 0) outcome.error += ", body '" + world.model().DisplayName(report.bad_body) + "'";
  const std::string file = std::filesystem::path(model_path).stem().string() + ".last_good_state.json";
  try {
    WriteState(file, world.model(), world.state());
    outcome.last_good_state = file;
    outcome.error += "; the last good state is in " + file;
  } catch (const std::runtime_error&) {
    outcome.error += "; the last good state could not be written to " + file;
  }
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

// HDF5 holds everything; CSV, as a table, no contact points, and poses only in so far as q does.
std::optional<Recorder> OpenLog(const std::string& path, const World& world) {
  if (path.empty()) return std::nullopt;
  const bool is_table = HasExtension(path, {".csv"});
  return std::optional<Recorder>(
      std::in_place, path, world,
      RecordOptions{.all_bodies = !is_table, .contacts = !is_table, .energy = true});
}

// Takes up to `num_steps` steps. Ends early on divergence, Ctrl-C, and a missed budget with --on-miss stop.
void Simulate(const RunArguments& arguments, long long num_steps, World& world, Recorder* log,
              RunOutcome& outcome) {
  using Clock = std::chrono::steady_clock;
  ProgressBar bar(!arguments.quiet, num_steps);
  for (long long step = 1; step <= num_steps; ++step) {
    const Clock::time_point start = Clock::now();
    const StepReport& report = world.Step();
    const double step_time = std::chrono::duration<double>(Clock::now() - start).count();
    if (report.status == StepStatus::kDiverged || report.status == StepStatus::kSingularMass) {
      ReportDivergence(world, arguments.model.path, outcome);
      break;
    }
    outcome.statistics.Add(report, step_time);
    if (log) log->Record(world);
    const bool ends_early = EndsEarly(world, step, num_steps, outcome);
    const bool is_last = ends_early || step == num_steps;
    if (!arguments.problems.empty() && (arguments.every > 0 ? step % arguments.every == 0 : is_last))
      FreezeProblem(arguments, world, outcome.model_name, step);
    if (ends_early) break;
    bar.Update(step, world.time());
  }
  if (log) log->Close();
}

int ChooseExitCode(const RunArguments& arguments, const RunOutcome& outcome) {
  if (!outcome.error.empty()) return kDiverged;
  if (interrupted) return kInterrupted;
  return arguments.budget && outcome.statistics.budget_misses > 0 ? kBudgetMissed : kOk;
}

int Run(const RunArguments& arguments) {
  const WorldOptions options = CheckArguments(arguments);
  RunOutcome outcome;
  Model model = LoadReported(arguments.model, outcome.report);
  if (arguments.strict) RefuseIgnored(outcome.report);
  outcome.model_name =
      model.name.empty() ? std::filesystem::path(arguments.model.path).stem().string() : model.name;
  outcome.has_budget = options.budget || options.solver == "auto";
  World world(std::move(model), options);
  if (!arguments.model.keyframe.empty())
    world.SetKeyframe(FindKnownKeyframe(world.model(), arguments.model.keyframe));
  const double num_steps = std::round(arguments.time / world.timestep());
  if (num_steps > 1e12) throw UsageError("--time: more than 1e12 steps");
  CheckOutputs(arguments);

  outcome.start_time = world.time();
  outcome.energy_start = world.CalcEnergy().total();
  std::signal(SIGINT, HandleInterrupt);
  std::optional<Recorder> log = OpenLog(arguments.log, world);
  Simulate(arguments, static_cast<long long>(num_steps), world, log ? &*log : nullptr, outcome);
  world.Refresh();
  outcome.energy_end = world.CalcEnergy().total();

  if (arguments.json.wanted()) Write(arguments.json, MakeRunAnswer(world, outcome));
  if (!arguments.quiet && !arguments.json.is_stdout()) PrintRunTable(world, outcome);
  if (!outcome.error.empty()) std::fprintf(stderr, "error: %s\n", outcome.error.c_str());
  return ChooseExitCode(arguments, outcome);
}

}  // namespace

void AddRunCommand(CLI::App& app, Command& command) {
  CLI::App* run = app.add_subcommand("run", "Simulate a model without a window");
  auto arguments = std::make_shared<RunArguments>();
  RunArguments& a = *arguments;
  AddModelArguments(*run, a.model);
  run->add_option("--solver", a.solver, "Contact solver (see `stiction list`)")->option_text("NAME [auto]");
  run->add_option("--set", a.settings, "Set an option of the solver; may be repeated")
      ->option_text("option=value")
      ->allow_extra_args(false);  // or it would take the FILE that follows
  run->add_option("--time", a.time, "Simulated time; round(S / dt) steps are taken")
      ->check(AtLeast(0.0))
      ->option_text("S [5]");
  run->add_option("--dt", a.dt, "Timestep, instead of the file's")->check(Above(0.0))->option_text("S");
  run->add_option("--threads", "Number of threads; steps run on one")
      ->check(CLI::Validator(
          [](std::string& n) { return n == "1" ? "" : "steps run on one thread: N has to be 1"; }, ""))
      ->option_text("N [1]");
  AddJsonOption(*run, a.json);
  run->add_option("--log", a.log,
                  "Write time, q, v, energy and the certificate of every step; HDF5 also poses and contacts")
      ->option_text("FILE.csv|FILE.h5");
  run->add_option("--problems", a.problems,
                  "Write the contact problem of the last step, or of every N-th to FILE_<step>.json")
      ->option_text("FILE.json");
  run->add_option("--every", a.every, "With --problems: every N-th step")
      ->check(CLI::Range(1LL, 1'000'000'000'000LL))
      ->option_text("N");
  run->add_option("--budget", a.budget, "Largest certificate ncp of a step [m/s]; exit code 1 when missed")
      ->check(Above(0.0))
      ->option_text("NCP");
  run->add_option("--on-miss", a.on_miss,
                  "After a missed budget: retry harder, also try another solver, or stop")
      ->check(CLI::IsMember({"retry", "fallback", "stop"}))
      ->option_text("retry|fallback|stop [retry]");
  run->add_flag("--quiet", a.quiet, "No table and no progress bar");
  run->add_flag("--strict", a.strict, "Refuse a file of which anything would be ignored (exit code 3)");
  run->callback([&command, arguments] { command = [arguments] { return Run(*arguments); }; });
}

}  // namespace stiction::runner

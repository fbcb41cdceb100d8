// `stiction sweep`: runs a grid or a random sample of parameters.
#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "command.h"
#include "program.h"
#include "progress_bar.h"
#include "stiction/sim/batch.h"
#include "sweep_case.h"
#include "sweep_slurm.h"
#include "sweep_table.h"

namespace stiction::runner {
namespace {

std::atomic<bool> sweep_interrupted = false;

// A first Ctrl-C ends the sweep at once, with what is finished; a second one ends the program.
void HandleSweepInterrupt(int) {
  sweep_interrupted = true;
  std::signal(SIGINT, SIG_DFL);
}

struct SweepArguments {
  RunArguments run;
  std::vector<std::string> variations;
  long long samples = 0;
  std::uint64_t sample_seed = 0;
  std::string out = "sweep.csv";
  int threads = 1;
  std::string part;  // "K/N"
  bool merge = false;
  SlurmJob slurm;
};

SweepCases MakeCases(const SweepArguments& arguments) {
  SweepCases cases{.samples = arguments.samples, .seed = arguments.sample_seed};
  for (const std::string& text : arguments.variations) cases.variations.push_back(ParseVariation(text));
  cases.Check();
  // Every value can be one of its parameter; of what is drawn, the ends.
  for (const Variation& variation : cases.variations) {
    for (const std::string& value : variation.values) {
      SweepCase trial{.run = arguments.run};
      ApplyParameter(variation.name, value, trial);
    }
  }
  return cases;
}

SweepCase MakeCase(const SweepArguments& arguments, const SweepCases& cases, long long index) {
  SweepCase out{.run = arguments.run};
  const std::vector<std::string> values = cases.ValuesOf(index);
  for (std::size_t i = 0; i < values.size(); ++i) ApplyParameter(cases.variations[i].name, values[i], out);
  return out;
}

std::string Describe(const SweepCases& cases, long long index) {
  const std::vector<std::string> values = cases.ValuesOf(index);
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i > 0 ? ", " : "") + cases.variations[i].name + "=" + values[i];
  return "case " + std::to_string(index) + " (" + text + ")";
}

// 64-bit FNV-1a of the files' contents.
std::string HashFiles(const std::vector<std::string>& files) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    for (char c; in.get(c);) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

// What has to be the same for a record to be gone on with.
Json DescribeSweep(const SweepArguments& arguments, const std::vector<std::string>& inputs) {
  const RunArguments& run = arguments.run;
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"stiction_sweep", 1},
          {"file", run.model.path},
          {"contents", HashFiles(inputs)},
          {"vary", arguments.variations},
          {"sample", arguments.samples},
          {"sample_seed", arguments.sample_seed},
          {"solver", run.solver.value_or("")},
          {"set", run.settings},
          {"time", number(run.time)},
          {"dt", number(run.dt)},
          {"integrator", run.integrator},
          {"sleep", run.sleep},
          {"budget", run.budget ? Json(ToString(*run.budget)) : Json()},
          {"on_miss", run.on_miss},
          {"package_path", run.model.package_paths},
          {"floating_base", run.model.floating_base},
          {"ground", number(run.model.ground)},
          {"contact", run.model.contact},
          {"infer_inertia", number(run.model.repairs.infer_inertia)},
          {"skip_missing_meshes", run.model.repairs.skip_missing_meshes},
          {"repair_inertia", run.model.repairs.repair_inertia},
          {"several_roots", run.model.repairs.several_roots},
          {"xacro_arguments", run.model.xacro_arguments},
          {"keyframe", run.model.keyframe}};
}

std::optional<int> ReadVariable(const char* name) {
  const char* text = std::getenv(name);
  const std::optional<double> number = text ? ParseNumber(text) : std::nullopt;
  return number ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

// Of --part; else of the launcher: Open MPI's mpirun, or one that speaks PMI (MPICH's).
SweepPart FindPart(const SweepArguments& arguments) {
  if (!arguments.part.empty()) {
    const std::size_t slash = arguments.part.find('/');
    const auto number = ParseNumber(arguments.part.substr(0, slash));
    const auto count =
        slash == std::string::npos ? std::nullopt : ParseNumber(arguments.part.substr(slash + 1));
    const bool is_good = number && count && *number >= 0 && *number < *count && *count <= 1e6 &&
                         *number == static_cast<int>(*number) && *count == static_cast<int>(*count);
    if (!is_good) throw UsageError("--part: '" + arguments.part + "' is not K/N with 0 <= K < N");
    return {static_cast<int>(*number), static_cast<int>(*count)};
  }
  for (const auto& [rank_name, size_name] :
       {std::pair("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), std::pair("PMI_RANK", "PMI_SIZE")}) {
    const auto rank = ReadVariable(rank_name), size = ReadVariable(size_name);
    if (rank && size && *rank >= 0 && *rank < *size) return {*rank, *size};
  }
  return {};
}

// Writes the table if all is done.
int Finish(const SweepArguments& arguments, const SweepCases& cases, const Json& sweep, bool is_quiet) {
  const FinishedCases finished = ReadRecords(arguments.out, sweep);
  const auto num_finished = static_cast<long long>(finished.size());
  if (num_finished < cases.count()) {
    if (!is_quiet)
      std::printf("%lld of %lld cases are done; the table is written when all are\n", num_finished,
                  cases.count());
    return arguments.merge ? kMissed : kOk;
  }
  WriteTable(arguments.out, MakeTable(cases, finished));
  if (!is_quiet)
    std::printf("%lld cases: %s; the table is %s\n", num_finished, SummarizeStatuses(finished).c_str(),
                arguments.out.c_str());
  return kOk;
}

// Returns false after Ctrl-C.
bool RunCases(const SweepArguments& arguments, const SweepCases& cases, const std::vector<long long>& todo,
              long long num_done, bool has_bar, SweepRecord& record) {
  ProgressBar bar(has_bar, num_done + static_cast<long long>(todo.size()));
  std::mutex bar_mutex;
  long long done = num_done;
  std::atomic<bool> has_failed = false;
  const auto stop = [&] { return sweep_interrupted || has_failed; };
  std::signal(SIGINT, HandleSweepInterrupt);
  ForEachTask(static_cast<int>(todo.size()), arguments.threads, [&](int task) {
    const long long index = todo[task];
    if (stop()) return;
    try {
      const std::optional<Json> row = RunCase(MakeCase(arguments, cases, index), stop);
      if (!row) return;
      record.Append(index, *row);
    } catch (const UsageError& error) {
      has_failed = true;
      throw UsageError(Describe(cases, index) + ": " + error.what());
    } catch (const std::invalid_argument& error) {  // of World: a value that only it refuses
      has_failed = true;
      throw UsageError(Describe(cases, index) + ": " + error.what());
    } catch (...) {
      has_failed = true;
      throw;
    }
    const std::lock_guard lock(bar_mutex);
    bar.UpdateCases(++done, num_done);
  });
  return !sweep_interrupted;
}

int Sweep(const SweepArguments& arguments) {
  CheckTableName(arguments.out);
  const SweepCases cases = MakeCases(arguments);
  // The first case as an example: what is wrong with the files shows before anything runs.
  ImportReport report;
  const std::vector<std::string> inputs = MakeStart(MakeCase(arguments, cases, 0), report).plan.inputs;
  CheckOutputs({{"--out", arguments.out}, {"--slurm", arguments.slurm.script}}, inputs);
  if (!arguments.slurm.script.empty()) {
    WriteSlurmScript(arguments.slurm);
    std::printf("%s: submit it with `sbatch %s`\n", arguments.slurm.script.c_str(),
                arguments.slurm.script.c_str());
    return kOk;
  }
  const Json sweep = DescribeSweep(arguments, inputs);
  const SweepPart part = FindPart(arguments);
  const bool is_quiet = arguments.run.quiet;
  if (arguments.merge) return Finish(arguments, cases, sweep, is_quiet);
  if (part.number == 0) WarnOfLosses(report);

  SweepRecord record(arguments.out, sweep, part);
  const FinishedCases finished = ReadRecords(arguments.out, sweep);
  std::vector<long long> todo;
  long long num_done = 0;
  for (long long index = part.number; index < cases.count(); index += part.count) {
    if (finished.contains(index))
      ++num_done;
    else
      todo.push_back(index);
  }
  if (!RunCases(arguments, cases, todo, num_done, !is_quiet && part.number == 0, record)) {
    std::fprintf(stderr, "interrupted; the same command goes on with what is left\n");
    return kInterrupted;
  }
  return Finish(arguments, cases, sweep, is_quiet);
}

void AddSharingArguments(CLI::App& sweep, SweepArguments& a) {
  sweep.add_option("--threads", a.threads, "Cases that run at a time")
      ->check(CLI::Range(1, kMaxThreads))
      ->option_text("N [1]");
  sweep
      .add_option(
          "--part", a.part,
          "Run case K, K + N, K + 2 N, ... alone; the last part to end writes the table. Under mpirun "
          "each rank is a part")
      ->option_text("K/N");
  sweep.add_flag("--merge", a.merge, "Run nothing: write the table from what all parts have done");
  sweep.add_option("--slurm", a.slurm.script, "Run nothing: write a script for Slurm, a job per part")
      ->option_text("SCRIPT");
  sweep.add_option("--parts", a.slurm.parts, "With --slurm: number of jobs")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N [10]");
}

}  // namespace

void AddSweepCommand(CLI::App& app, Command& command) {
  CLI::App* sweep =
      app.add_subcommand("sweep", "Run a grid or a random sample of parameters, a case each, into one table");
  auto arguments = std::make_shared<SweepArguments>();
  SweepArguments& a = *arguments;
  AddSimulationArguments(*sweep, a.run);
  AddBudgetArguments(*sweep, a.run);
  sweep
      ->add_option(
          "--vary", a.variations,
          "What changes from case to case; may be repeated: all combinations. VALUES: a,b,c; A:B whole "
          "numbers; A:B:N, N numbers, with :log in equal ratios; with --sample A:B:uniform or "
          "A:B:loguniform")
      ->option_text("NAME=VALUES")
      ->allow_extra_args(false)
      ->required();
  sweep->add_option("--sample", a.samples, "Instead of the grid: N cases, each value drawn at random")
      ->check(CLI::Range(1LL, 1'000'000'000LL))
      ->option_text("N");
  sweep->add_option("--sample-seed", a.sample_seed, "Of what is drawn")->option_text("SEED [0]");
  sweep
      ->add_option(
          "--out", a.out,
          "The table, a row per case. Finished cases are recorded beside it: a sweep that was killed "
          "goes on with the same command")
      ->option_text("FILE.csv|FILE.h5 [sweep.csv]");
  AddSharingArguments(*sweep, a);
  sweep->add_flag("--quiet", a.run.quiet, "No summary and no progress bar");
  sweep->footer(DescribeParameters() +
                "Exit code 0 once all cases have run, whatever came of them: the table's `status` says it.");
  sweep->callback([&command, arguments, sweep] {
    arguments->slurm.arguments = ListArguments(*sweep);
    arguments->slurm.threads = arguments->threads;
    arguments->slurm.table = arguments->out;
    command = [arguments] { return Sweep(*arguments); };
  });
}

}  // namespace stiction::runner

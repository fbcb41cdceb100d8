#include "bench_threads.h"

#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>

#include "bench_table.h"
#include "run_statistics.h"

namespace stiction::runner {
namespace {

// The fastest run on a number of threads.
struct Fastest {
  std::string model, status;
  RunStatistics statistics;
  std::uint64_t hash = 0;
};

bool IsTaken(StepStatus status) {
  return status == StepStatus::kOk || status == StepStatus::kBudgetMissed;
}

// One run of the scene. False if it diverged.
bool RunOnce(RunArguments run, int threads, ImportReport& report, Fastest& fastest) {
  using Clock = std::chrono::steady_clock;
  report.items.clear();
  run.threads = threads;
  RunPlan plan = MakeRunPlan(run, report);
  World world = MakeWorld(plan);
  RunStatistics statistics;
  bool is_good = true;
  const long long steps = std::llround(plan.duration / world.timestep());
  for (long long step = 0; step < steps && is_good; ++step) {
    const Clock::time_point start = Clock::now();
    const StepReport& step_report = world.Step();
    statistics.Add(step_report, std::chrono::duration<double>(Clock::now() - start).count());
    is_good = IsTaken(step_report.status);
  }
  if (fastest.statistics.steps == 0 || statistics.wall_time < fastest.statistics.wall_time)
    fastest = {plan.model_name, ToString(world.report().status), statistics, Hash(world.state())};
  return is_good;
}

void PrintRow(int threads, const Fastest& run, double first_time) {
  const RunStatistics& s = run.statistics;
  const double time = s.step_times.mean();
  PrintCells("%s,%d,%lld,%s,%.2f,%.3f", Cell(run.model).c_str(), threads, s.steps, run.status.c_str(),
             1e6 * time, first_time / time);
  for (const Series& phase : s.phases) PrintCells(",%.2f", 1e6 * phase.mean());
  PrintCells(",%.3e,%lld,%016" PRIx64, s.ncp_max.max(), s.budget_misses, run.hash);
  PrintBuild();
}

}  // namespace

bool BenchThreads(const RunArguments& run, const BenchThreadsOptions& options, ImportReport& report) {
  PrintCells("scene,threads,steps,status,us_step,speedup");
  for (const StepPhase& phase : kStepPhases) PrintCells(",%s_us", phase.name);
  PrintCells(",ncp_max,budget_misses,state_hash");
  PrintBuildTitle();
  std::vector<Fastest> fastest(options.threads.size());
  bool is_good = true;
  for (int turn = 0; turn < options.repeats; ++turn) {
    for (std::size_t i = 0; i < fastest.size(); ++i)
      is_good = RunOnce(run, options.threads[i], report, fastest[i]) && is_good;
  }
  for (std::size_t i = 0; i < fastest.size(); ++i)
    PrintRow(options.threads[i], fastest[i], fastest[0].statistics.step_times.mean());
  return is_good;
}

}  // namespace stiction::runner

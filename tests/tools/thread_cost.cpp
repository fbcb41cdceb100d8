// What the thread of a window's simulation costs beside `stiction run`: processor time of the thread a step,
// as fast as it can, while snapshots are taken 60 times a second, over that of the same steps as `stiction
// run` takes them. Both are read from the clock of their own thread, so that other work on the machine does
// not count; caches that other work empties do, which the least times of many rounds are nearly free of. By
// hand:
//
//   thread_cost [--seconds S] [--rounds N] [--profile] FILE...
//
// FILE is a model, a scenario or a scene:NAME; S is simulated time, 20 s if not given: 2 s of a robot are a
// hundredth of a second of work, in which the start and what else runs count for several percent.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "live/simulation.h"
#include "program.h"
#include "run_plan.h"
#include "run_statistics.h"
#include "stiction/sim/expectation.h"

namespace {

using namespace stiction;
using namespace stiction::viewer;

double ThreadTime() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

runner::RunPlan ReadPlan(const std::string& path) {
  runner::RunArguments arguments;
  arguments.model.path = path;
  ImportReport report;
  return runner::MakeRunPlan(arguments, report);
}

struct Cost {
  long long steps = 0;
  double time = 0.0;  // of the thread's processor [s]
};

// Until the simulated time is over, or the run has stopped.
Cost PlayInThread(const std::string& path, double seconds) {
  runner::RunPlan plan = ReadPlan(path);
  Simulation simulation;
  const auto keyframe = plan.keyframe;
  simulation.Show({std::move(plan.model),
                   plan.options,
                   keyframe,
                   1,
                   std::move(plan.controllers),
                   std::move(plan.tasks),
                   {},
                   std::move(plan.expectations),
                   {}});
  double start = 0.0, end = 0.0;
  Snapshot snapshot;
  std::atomic<bool> has_ended = false;
  simulation.Do([&](Player& player) {
    player.SetSpeed(0.0);
    player.Run(true);
    start = ThreadTime();
  });
  do {
    std::this_thread::sleep_for(std::chrono::microseconds(16667));
    simulation.Take(snapshot);
  } while (snapshot.time < seconds && (snapshot.is_running || snapshot.num_steps == 0));
  Cost cost;
  simulation.Do([&](Player& player) {
    end = ThreadTime();
    player.Run(false);
    player.Fill(snapshot);
    cost.steps = snapshot.num_steps;
    has_ended = true;
  });
  while (!has_ended) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  cost.time = end - start;
  return cost;
}

// As `stiction run` does without a log. Not inlined: --toggle-collect of valgrind's callgrind knows it by its
// name.
[[gnu::noinline]] void TakeStepsAlone(World& world, long long steps, ExpectationMonitor& monitor,
                                      runner::RunStatistics& statistics) {
  using Clock = std::chrono::steady_clock;
  for (long long step = 0; step < steps; ++step) {
    const Clock::time_point before = Clock::now();
    const StepReport& report = world.Step();
    statistics.Add(report, std::chrono::duration<double>(Clock::now() - before).count());
    monitor.Observe(world);
  }
}

Cost RunAlone(const std::string& path, long long steps) {
  runner::RunPlan plan = ReadPlan(path);
  World world = runner::MakeWorld(plan);
  runner::RunStatistics statistics;
  ExpectationMonitor monitor(world, plan.expectations);
  const double start = ThreadTime();
  TakeStepsAlone(world, steps, monitor, statistics);
  return {steps, ThreadTime() - start};
}

void Measure(const std::string& path, double seconds, int rounds) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  double worst = -kNever, least_thread = kNever, least_alone = kNever;  // [%], [s a step]
  for (int round = 0; round < rounds; ++round) {
    const Cost thread = PlayInThread(path, seconds);
    const Cost alone = RunAlone(path, thread.steps);
    const double more = 100.0 * (thread.time / alone.time - 1.0);
    worst = std::max(worst, more);
    least_thread = std::min(least_thread, thread.time / static_cast<double>(thread.steps));
    least_alone = std::min(least_alone, alone.time / static_cast<double>(alone.steps));
    std::printf("%s: %lld steps, %.2f us a step, %.2f us alone: %+.1f %%\n", path.c_str(), thread.steps,
                1e6 * thread.time / static_cast<double>(thread.steps),
                1e6 * alone.time / static_cast<double>(thread.steps), more);
  }
  std::printf("%s: of %d rounds the least times: %+.1f %%; the worst round: %+.1f %%\n", path.c_str(), rounds,
              100.0 * (least_thread / least_alone - 1.0), worst);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 20.0;
  int rounds = 3;
  bool profiles = false;  // the thread alone
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--seconds" && i + 1 < argc)
      seconds = std::atof(argv[++i]);
    else if (word == "--rounds" && i + 1 < argc)
      rounds = std::atoi(argv[++i]);
    else if (word == "--profile")
      profiles = true;
    else
      files.push_back(word);
  }
  if (files.empty() || rounds < 1 || !(seconds > 0.0)) return 2;
  for (const std::string& file : files) {
    if (profiles)
      PlayInThread(file, seconds);
    else
      Measure(file, seconds, rounds);
  }
  return 0;
}

#include "bench_rollout.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "bench_table.h"
#include "random_state.h"
#include "stiction/sim/batch.h"
#include "stiction/sim/controller.h"

namespace stiction::runner {
namespace {

constexpr int kRepetitions = 5;
constexpr double kSpread = 0.1;  // of velocities at the start [m/s or rad/s]

struct Measurement {
  std::vector<double> wall{}, cpu{};  // [s]
  double ncp_max = 0.0;
  int diverged = 0;              // worlds
  std::uint64_t hash = 0;        // of all final states
  std::unique_ptr<Batch> batch;  // null: the loop of `run`
};

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<State> MakeStarts(const World& world, int count) {
  std::vector<State> starts(count, world.state());
  State random = world.state();
  for (int i = 0; i < count; ++i) {
    SetRandom(world.model(), static_cast<std::uint64_t>(i), random);
    starts[i].v += kSpread * random.v;
  }
  return starts;
}

// The rest of one hash follows upon the other.
void Join(const State& state, std::uint64_t& hash) {
  hash = (hash ^ Hash(state)) * 0x100000001b3;
}

void StepOneByOne(const std::vector<State>& starts, int steps, const Input& input, World& world,
                  Measurement& m) {
  for (const State& start : starts) {
    world.input() = input;
    world.set_state(start);
    for (int k = 0; k < steps; ++k) {
      const StepReport& report = world.Step();
      m.ncp_max = std::max(m.ncp_max, report.certificate.ncp_max);
      if (report.status == StepStatus::kOk || report.status == StepStatus::kBudgetMissed) continue;
      ++m.diverged;
      break;
    }
    Join(world.state(), m.hash);
  }
}

void RollOut(const std::vector<State>& starts, int steps, std::vector<double>& ncp, std::vector<State>& ends,
             Measurement& m) {
  const RolloutReport report =
      m.batch->Rollout({.num_worlds = static_cast<int>(starts.size()), .num_steps = steps, .states = starts},
                       {.ncp = ncp, .final_states = ends});
  for (const double value : ncp) m.ncp_max = std::max(m.ncp_max, value);
  for (const WorldTrouble& trouble : report.troubles) m.diverged += trouble.num_failed > 0;
  for (const State& end : ends) Join(end, m.hash);
}

void PrintRow(const std::string& name, const World& world, int worlds, int steps, const Measurement& m,
              double s_of_run) {
  const double s_median = Median(m.wall);
  PrintCells("%s,%s,%s,%d,%d,%d,%.6f,%.6f,%.6f,%.2f,%.3f,%d,%.3e,%016" PRIx64, Cell(name).c_str(),
             world.options().solver.c_str(), m.batch ? "rollout" : "run",
             m.batch ? m.batch->options().num_threads : 1, worlds, steps,
             *std::min_element(m.wall.begin(), m.wall.end()), s_median, Median(m.cpu),
             1e6 * Median(m.cpu) / (static_cast<double>(worlds) * steps), s_of_run / s_median, m.diverged,
             m.ncp_max, m.hash);
  PrintBuild();
}

}  // namespace

bool BenchRollout(const RunArguments& run, const BenchRolloutOptions& options, ImportReport& report) {
  using Clock = std::chrono::steady_clock;
  RunPlan plan = MakeRunPlan(run, report);
  const std::vector<ControllerDescription> controllers = plan.controllers;
  const std::vector<TaskDescription> tasks = plan.tasks;
  World world = MakeWorld(plan);
  const int steps = static_cast<int>(std::llround(plan.duration / world.timestep()));
  const Input input = world.input();
  const std::vector<State> starts = MakeStarts(world, options.worlds);
  std::vector<double> ncp(starts.size() * steps);
  std::vector<State> ends(starts.size());

  std::vector<Measurement> measurements(1);
  for (const int threads : options.threads) {
    measurements.emplace_back();
    measurements.back().batch = std::make_unique<Batch>(
        world.model(),
        BatchOptions{.world = world.options(), .num_threads = threads, .prepare = [&](World& w) {
                       w.input() = input;
                       AttachControllers(w, controllers, tasks);
                     }});
  }
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    for (Measurement& m : measurements) {
      m.diverged = 0, m.ncp_max = 0.0, m.hash = 0;
      const Clock::time_point start = Clock::now();
      const std::clock_t cpu = std::clock();
      if (m.batch)
        RollOut(starts, steps, ncp, ends, m);
      else
        StepOneByOne(starts, steps, input, world, m);
      m.wall.push_back(std::chrono::duration<double>(Clock::now() - start).count());
      m.cpu.push_back(static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
    }
  }
  PrintCells(
      "scene,solver,by,threads,worlds,steps,s_min,s_median,cpu_s_median,cpu_us_step,speedup,diverged,ncp_max,"
      "state_hash");
  PrintBuildTitle();
  for (const Measurement& m : measurements)
    PrintRow(plan.model_name, world, options.worlds, steps, m, Median(measurements[0].wall));
  return measurements[0].diverged == 0;
}

}  // namespace stiction::runner

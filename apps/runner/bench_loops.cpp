#include "bench_loops.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "bench_table.h"
#include "command.h"
#include "stiction/contact/bilateral_rank.h"
#include "stiction/contact/registry.h"
#include "stiction/io/scenario.h"
#include "stiction/scenes/scenes.h"

namespace stiction::runner {
namespace {

constexpr double kLoopSpeed = 0.3;  // [m/s]

struct LoopCase {
  const SceneEntry* entry;
  SceneParameters options;
  Model model;
  double ratio;  // of masses
  int rows, rank;
};

double CalcMassRatio(const Model& model) {
  double least = model.bodies[1].inertia.mass, largest = least;
  for (int body = 2; body < model.num_bodies(); ++body) {
    least = std::min(least, model.bodies[body].inertia.mass);
    largest = std::max(largest, model.bodies[body].inertia.mass);
  }
  return largest / least;
}

World StartWorld(const LoopCase& loop, const std::string& solver, const std::optional<Budget>& budget = {}) {
  WorldOptions options;
  options.solver = solver;
  options.budget = budget;
  options.on_miss = IsDefaultSolver(solver) ? OnMiss::kRetry : OnMiss::kAccept;
  World world(loop.model, options);
  world.SetKeyframe(*world.model().FindKeyframe(kStartKeyframe));
  return world;
}

LoopCase MakeCase(const SceneEntry& entry, Coordinates coordinates, double ratio) {
  LoopCase loop{.entry = &entry, .options = {}, .model = {}, .ratio = 1.0, .rows = 0, .rank = 0};
  loop.options = {.coordinates = coordinates,
                  .mass_ratio = entry.has_ratio ? ratio : 0.0,
                  .speed = entry.is_held ? 0.0 : kLoopSpeed};
  loop.model = MakeScene(entry.name, loop.options);
  loop.ratio = CalcMassRatio(loop.model);
  World world = StartWorld(loop, kDefaultSolver);
  world.Step();
  loop.rows = world.report().num_equality_rows;
  loop.rank = CalcBilateralRank(world.problem());
  return loop;
}

// Steps until the time is over, or the limit; returns the status.
std::string Simulate(World& world, const BenchLoopsOptions& options, RunStatistics& statistics) {
  using Clock = std::chrono::steady_clock;
  const long long steps = std::llround(options.time / world.timestep());
  for (long long step = 0; step < steps; ++step) {
    if (statistics.wall_time > options.limit) return "time_limit";
    const Clock::time_point start = Clock::now();
    const StepReport& report = world.Step();
    const double time = std::chrono::duration<double>(Clock::now() - start).count();
    if (report.status != StepStatus::kOk && report.status != StepStatus::kBudgetMissed) break;
    statistics.Add(report, time);
  }
  return ToString(world.report().status);
}

void BenchCase(const LoopCase& loop, const std::string& solver, const BenchLoopsOptions& options) {
  World world = StartWorld(loop, solver, options.budget);
  RunStatistics statistics;
  const bool is_able = loop.rows == 0 || MakeSolver(solver)->Supports(ConstraintType::kBilateral);
  const std::string status = is_able ? Simulate(world, options, statistics) : "unsupported";
  PrintScene(loop.entry->name, solver, status, world, statistics);
  PrintCells(",%s,%d,%d,%d,%.8g,%g,%.3e", ToString(loop.options.coordinates), loop.entry->num_bodies,
             loop.rows, loop.rank, loop.ratio, statistics.iterations.max(), statistics.loop.max());
  PrintBuild();
}

}  // namespace

void BenchLoops(const BenchLoopsOptions& options) {
  std::vector<std::string> solvers = options.solvers;
  if (solvers.empty()) {
    for (const SolverEntry& entry : ListSolvers()) solvers.push_back(entry.name);
  }
  const std::vector<double> ratios = options.ratios.empty() ? std::vector<double>{0.0} : options.ratios;
  PrintSceneTitle();
  PrintCells(",coordinates,bodies,rows,rank,mass_ratio,iterations_max,loop_max");
  PrintBuildTitle();
  for (const SceneEntry& entry : ListScenes()) {
    if (!entry.is_of_table) continue;
    for (const double ratio : ratios) {
      for (const Coordinates coordinates : {Coordinates::kReduced, Coordinates::kMaximal}) {
        const LoopCase loop = MakeCase(entry, coordinates, ratio);
        for (const std::string& solver : solvers) BenchCase(loop, solver, options);
      }
    }
  }
}

}  // namespace stiction::runner

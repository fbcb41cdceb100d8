#include "sweep_case.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "random_state.h"
#include "run_answer.h"
#include "stiction/sim/expectation.h"

namespace stiction::runner {
namespace {

void SetFriction(const std::string& body, double friction, Model& model) {
  const int index = body.empty() ? -1 : model.FindBody(body);
  if (!body.empty() && index < 0) throw UsageError("--vary friction." + body + ": there is no such body");
  for (Geom& geom : model.geoms) {
    if (body.empty() || geom.body == index) geom.friction = friction;
  }
  if (!body.empty()) return;
  for (ContactPair& pair : model.contact_pairs) pair.friction.sliding = friction;
}

// Adds a random velocity to what the model starts with.
void Disturb(std::uint64_t seed, double spread, World& world) {
  State state = world.state();
  DisturbVelocities(world.model(), seed, spread, state);
  world.set_state(state);
}

const char* StatusOf(const World& world, const RunStatistics& statistics,
                     const std::vector<ExpectationResult>& expectations, const TaskSet& tasks) {
  const StepStatus status = world.report().status;
  if (status != StepStatus::kOk && status != StepStatus::kBudgetMissed) return ToString(status);
  if (IsBudgetMissed(world.options(), statistics)) return ToString(StepStatus::kBudgetMissed);
  const bool is_met = std::all_of(expectations.begin(), expectations.end(),
                                  [](const ExpectationResult& result) { return result.is_met; });
  const std::vector<TaskProgress> progress = tasks.ReadProgress(world);
  const bool is_done = std::all_of(progress.begin(), progress.end(),
                                   [](const TaskProgress& task) { return task.status == TaskStatus::kDone; });
  return !is_met ? "expectation_failed" : is_done ? ToString(StepStatus::kOk) : "task_unfinished";
}

Json Answer(const World& world, const RunStatistics& s, const std::vector<ExpectationResult>& expectations,
            const TaskSet& tasks, double start_time, double start_energy) {
  Json out{{"status", StatusOf(world, s, expectations, tasks)},
           {"steps", s.steps},
           {"sim_time_s", world.time() - start_time},
           {"contacts_mean", s.contacts.mean()},
           {"contacts_max", s.contacts.max()},
           {"iterations_mean", s.iterations.mean()},
           {"iterations_max", s.iterations.max()},
           {"ncp_max", s.ncp_max.max()},
           {"ncp_mean", s.ncp_mean.mean()},
           {"loop_max", s.loop.max()},
           {"penetration_max_m", s.penetration.max()},
           {"budget_misses", s.budget_misses},
           {"energy_start", start_energy},
           {"energy_end", world.CalcEnergy().total()},
           {"state_hash", HashText(world.state())}};
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    const std::string name = "expect" + std::to_string(i + 1) + "_";
    const ExpectationResult& result = expectations[i];
    out[name + ToString(result.expectation.what)] = result.measured;
    out[name + "met"] = result.is_met ? 1 : 0;
  }
  out["wall_time_s"] = s.wall_time;
  return out;
}

}  // namespace

CaseStart MakeStart(const SweepCase& sweep_case, ImportReport& report) {
  RunPlan plan = MakeRunPlan(sweep_case.run, report);
  for (const auto& [body, friction] : sweep_case.frictions) SetFriction(body, friction, plan.model);
  World world = MakeWorld(plan);
  if (sweep_case.seed) Disturb(*sweep_case.seed, sweep_case.spread, world);
  return {std::move(plan), std::move(world)};
}

std::optional<Json> RunCase(const SweepCase& sweep_case, const std::function<bool()>& stop) {
  using Clock = std::chrono::steady_clock;
  ImportReport report;
  auto [plan, world] = MakeStart(sweep_case, report);
  const double start_time = world.time(), start_energy = world.CalcEnergy().total();
  const long long num_steps = CountSteps(plan, world);
  ExpectationMonitor monitor(world, plan.expectations);
  const TaskSet tasks(world.model(), plan.tasks);
  RunStatistics statistics;
  bool goes_on = true;
  while (goes_on && statistics.steps < num_steps) {
    if (stop()) return std::nullopt;
    const Clock::time_point start = Clock::now();
    const StepReport& step = world.Step();
    const double step_time = std::chrono::duration<double>(Clock::now() - start).count();
    const bool is_missed = step.status == StepStatus::kBudgetMissed;
    if (step.status != StepStatus::kOk && !is_missed) break;
    statistics.Add(step, step_time);
    monitor.Observe(world);
    goes_on = (!is_missed || world.options().on_miss != OnMiss::kStop) && !tasks.HaveFailed(world.state());
  }
  return Answer(world, statistics, monitor.results(statistics.steps == num_steps), tasks, start_time,
                start_energy);
}

}  // namespace stiction::runner

#include "study_run.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace stiction::runner {

StudyRun RunStudy(const RunArguments& arguments) {
  using Clock = std::chrono::steady_clock;
  ImportReport report;
  RunPlan plan = MakeRunPlan(arguments, report);
  World world = MakeWorld(plan);
  const long long num_steps = CountSteps(plan, world);
  ExpectationMonitor monitor(world, plan.expectations);
  const TaskSet tasks(world.model(), plan.tasks);
  StudyRun run;
  run.num_dofs = world.model().nv();
  run.values.resize(plan.expectations.size());
  while (run.statistics.steps < num_steps && !tasks.HaveFailed(world.state())) {
    const std::clock_t used = std::clock();
    const Clock::time_point start = Clock::now();
    const StepReport& step = world.Step();
    const double time = std::chrono::duration<double>(Clock::now() - start).count();
    const double processor_time = static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC;
    if (step.status != StepStatus::kOk && step.status != StepStatus::kBudgetMissed) break;
    run.statistics.Add(step, time);
    monitor.Observe(world);
    run.time.push_back(world.time());
    run.ncp.push_back(step.certificate.ncp_max);
    run.solve_time.push_back(step.phases.solve * std::min(1.0, processor_time / time));
    const std::vector<double> values = monitor.values();
    for (std::size_t i = 0; i < values.size(); ++i) run.values[i].push_back(values[i]);
  }
  run.reached_end = run.statistics.steps == num_steps;
  run.status = ToString(world.report().status);
  run.results = monitor.results(run.reached_end);
  run.tasks = tasks.ReadProgress(world);
  run.budget = world.budget();
  return run;
}

}  // namespace stiction::runner

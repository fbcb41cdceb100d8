#include "render_page.h"

#include <cmath>
#include <cstdio>

#include "live/recording.h"
#include "page/page.h"
#include "run_report.h"

namespace stiction::viewer {
namespace {

runner::PageContent DescribePage(const runner::RunPlan& plan, const World& world) {
  return {.title = plan.model_name, .facts = runner::DescribeWorld(world), .budget = world.budget()};
}

// The rows of the log, as far as they are asked for.
int RenderLogPage(const runner::RunPlan& plan, const RenderArguments& arguments, World& world) {
  const Recording recording = ReadRecording(arguments.recorded, world.model());
  if (recording.moments.empty()) throw LoadError(arguments.recorded, 0, "", "a log without rows");
  const auto show = [&](const Moment& moment) {
    world.set_state(moment.state);
    world.Refresh();
  };
  show(recording.moments.front());
  const double dt = recording.timestep.value_or(world.timestep());
  runner::PageRecorder recorder(world, recording.moments.back().state.time - world.time());
  for (const Moment& moment : recording.moments) {
    if (arguments.log_time && moment.state.time > *arguments.log_time) break;
    show(moment);
    recorder.Add(world, moment.contacts, moment.report, dt);
  }
  runner::PageContent content = DescribePage(plan, world);
  if (!recording.solver.empty()) content.facts.front().second = recording.solver;
  content.budget = recording.budget;
  content.facts.emplace_back("log", arguments.recorded);
  if (!recording.has_contacts) content.notes.push_back("the log holds no contact forces");
  WritePage(arguments.out, recorder, content);
  return runner::kOk;
}

}  // namespace

int RenderPage(const runner::RunPlan& plan, const RenderArguments& arguments, World& world) {
  if (FindFileKind(arguments.recorded) == FileKind::kLog) return RenderLogPage(plan, arguments, world);
  runner::PageRecorder recorder(world, plan.duration);
  recorder.Add(world);
  const long long steps = runner::CountSteps(plan, world);
  bool is_good = true;
  for (long long step = 0; step < steps && is_good; ++step) {
    const StepStatus status = world.Step().status;
    is_good = status != StepStatus::kDiverged && status != StepStatus::kSingularMass;
    if (is_good) recorder.Add(world);
  }
  WritePage(arguments.out, recorder, DescribePage(plan, world));
  if (is_good) return runner::kOk;
  std::fprintf(stderr, "error: the simulation diverged at t = %g s; the page ends before\n", world.time());
  return runner::kDiverged;
}

}  // namespace stiction::viewer

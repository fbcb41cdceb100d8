#include "run_answer.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>

#include "report_text.h"
#include "stiction/sim/sensors.h"
#include "stiction/sim/springs.h"

namespace stiction::runner {
namespace {

double RealTimeFactor(double sim_time, double wall_time) {
  return wall_time > 0.0 ? sim_time / wall_time : 0.0;
}

Json StepTimes(const RunStatistics& s) {
  Json out{{"mean", s.steps == 0 ? 0.0 : 1e6 * s.wall_time / static_cast<double>(s.steps)},
           {"median", 1e6 * s.step_times.Quantile(0.5)},
           {"p99", 1e6 * s.step_times.Quantile(0.99)},
           {"max", 1e6 * s.step_times.Quantile(1.0)}};
  for (int i = 0; i < kNumStepPhases; ++i) out[kStepPhases[i].name] = 1e6 * s.phases[i].mean();
  return out;
}

Json StageJson(const StageStatistics& stage) {
  return {{"solves", stage.solves}, {"misses", stage.misses}, {"residual_max", stage.residual_max}};
}

Json SensorValues(const World& world) {
  Json sensors = Json::object();
  for (int s = 0; s < static_cast<int>(world.model().sensors.size()); ++s)
    sensors[SensorDisplayName(world.model(), s)] = ToJson(VectorXd(world.sensor(s)));
  return sensors;
}

Json FinalState(const World& world) {
  Json bodies = Json::object();
  for (int i = 1; i < world.model().num_bodies(); ++i)
    bodies[world.model().DisplayName(i)] = ToJson(world.body_poses()[i]);
  return {{"time", world.time()},
          {"qpos", ToJson(world.q())},
          {"qvel", ToJson(world.v())},
          {"bodies", bodies},
          {"sensors", SensorValues(world)}};
}

Json Warnings(const RunOutcome& outcome) {
  Json warnings = Json::array();
  for (const ImportItem& item : outcome.report.items) {
    if (item.status == ImportStatus::kHonoured) continue;
    warnings.push_back(Describe(item));
  }
  for (const std::string& note : outcome.notes) warnings.push_back(note);
  for (const std::string& warning : outcome.warnings) warnings.push_back(warning);
  return warnings;
}

// Only symplectic Euler treats some springs in one way and some in another.
std::vector<Spring> FindSpringsOf(const World& world) {
  if (world.integrator() != Integrator::kSymplecticEuler) return {};
  return FindSprings(world.model(), world.timestep());
}

Json Expectations(const std::vector<ExpectationResult>& results) {
  constexpr const char* kAxes[] = {"x", "y", "z", ""};
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  Json out = Json::array();
  for (const ExpectationResult& result : results) {
    const Expectation& e = result.expectation;
    out.push_back({{"what", ToString(e.what)},
                   {"of", e.of},
                   {"in", e.in},
                   {"by", e.by},
                   {"axis", kAxes[static_cast<int>(e.axis)]},
                   {"measured", number(result.measured)},
                   {"time", result.time},
                   {"min", number(e.min)},
                   {"max", number(e.max)},
                   {"ok", result.is_met},
                   {"file", e.file},
                   {"line", e.line}});
  }
  return out;
}

Json Tasks(const std::vector<TaskProgress>& tasks) {
  Json out = Json::array();
  for (const TaskProgress& task : tasks) {
    out.push_back({{"name", task.name},
                   {"status", ToString(task.status)},
                   {"phase", task.phase},
                   {"phases_ended", task.num_ended},
                   {"since", task.since},
                   {"missing", task.missing}});
  }
  return out;
}

void PrintExpectations(const std::vector<ExpectationResult>& results) {
  for (const ExpectationResult& result : results) {
    const Expectation& e = result.expectation;
    std::printf("expect       %-6s  %s  (%s:%d)\n", result.is_met ? "ok" : "FAILED", Describe(result).c_str(),
                e.file.c_str(), e.line);
  }
}

void PrintBudget(const World& world, const RunStatistics& s) {
  if (world.budget().is_none()) {
    std::printf("budget       none\n");
    return;
  }
  std::printf("budget       %s m/s, missed in %lld of %lld steps", ToString(world.budget()).c_str(),
              s.budget_misses, s.steps);
  if (s.budget_misses > 0) std::printf("; not converged in %lld", s.unconverged_steps);
  if (s.divided_steps > 0)
    std::printf("; %lld taken in parts of up to 1/%d of a step", s.divided_steps, s.most_parts);
  std::printf("\n");
}

std::string Format(const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

bool IsWithoutTime(const SolverBudget& budget) {
  return budget.seconds == 0.0 || budget.iterations == 0;
}

// "500 us", "20 iterations", or both.
std::string DescribeSolverBudget(const SolverBudget& budget) {
  std::string text;
  if (budget.has_time()) text = Format("%g us", 1e6 * budget.seconds);
  if (budget.has_iterations()) text += Format("%s%d iterations", text.empty() ? "" : ", ", budget.iterations);
  return text;
}

void PrintSolverBudget(const World& world, const RunStatistics& s) {
  const SolverBudget& budget = world.options().solver_budget;
  if (budget.is_none()) return;
  std::printf("solver time  %s a step; cut short in %lld of %lld steps, %lld solves of islands\n",
              DescribeSolverBudget(budget).c_str(), s.cut_steps, s.steps, s.cut_solves);
}

void PrintAccuracy(const World& world, const RunOutcome& outcome) {
  const RunStatistics& s = outcome.statistics;
  std::printf("contacts     mean %.1f, max %.0f\n", s.contacts.mean(), s.contacts.max());
  if (s.sleeping.max() > 0.0)
    std::printf("asleep       mean %.1f trees, max %.0f, at the end %d\n", s.sleeping.mean(),
                s.sleeping.max(), s.sleeping_at_end);
  std::printf("iterations   largest island: mean %.1f, max %.0f; all islands: mean %.1f, max %.0f\n",
              s.iterations.mean(), s.iterations.max(), s.iterations_sum.mean(), s.iterations_sum.max());
  std::printf("certificate  ncp max %.1e m/s, mean %.1e; momentum %.1e; loop %.1e\n", s.ncp_max.max(),
              s.ncp_mean.mean(), s.momentum.max(), s.loop.max());
  PrintBudget(world, s);
  PrintSolverBudget(world, s);
  std::printf("penetration  max %.3g um\n", 1e6 * s.penetration.max());
  std::printf("energy       %.6g J -> %.6g J\n", outcome.energy_start, outcome.energy_end);
}

void PrintImport(const ImportReport& report) {
  const auto count = [&](ImportStatus status) {
    return std::count_if(report.items.begin(), report.items.end(),
                         [=](const ImportItem& item) { return item.status == status; });
  };
  const auto approximated = count(ImportStatus::kApproximated), ignored = count(ImportStatus::kIgnored);
  if (approximated + ignored > 0)
    std::printf("import       %td approximated, %td ignored (`stiction inspect` lists them)\n", approximated,
                ignored);
}

std::string DescribeMisses(const World& world, const RunStatistics& s) {
  std::string text = Format("budget: %lld of %lld steps missed %s m/s; the largest ncp was %.1e m/s; ",
                            s.budget_misses, s.steps, ToString(world.budget()).c_str(), s.ncp_max.max());
  const std::string& solver = world.options().solver;
  if (s.unconverged_steps == 0)
    return text + solver + " met its own law in all of them, which is not the exact one";
  text += Format("%s did not converge in %lld", solver.c_str(), s.unconverged_steps);
  if (!world.options().budget && !IsDefaultSolver(solver))
    text += " (--budget none says that it is meant to stop early)";
  return text;
}

void AddMisses(const char* name, const char* unit, const StageStatistics& stage,
               std::vector<std::string>& misses) {
  if (stage.misses == 0) return;
  misses.push_back(Format("%s: %lld of %lld solves missed %g %s, the worst by %.1e", name, stage.misses,
                          stage.solves, stage.tolerance, unit, stage.residual_max));
}

}  // namespace

bool IsBudgetMissed(const WorldOptions& options, const RunStatistics& s) {
  if (options.budget || !options.solver_budget.is_none()) return s.budget_misses > 0;
  return !IsDefaultSolver(options.solver) && s.unconverged_steps > 0;
}

std::string HashText(const State& state) {
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, Hash(state));
  return text;
}

std::vector<std::string> ListMisses(const World& world, const RunStatistics& s) {
  std::vector<std::string> misses;
  if (s.budget_misses > 0) misses.push_back(DescribeMisses(world, s));
  if (IsWithoutTime(world.options().solver_budget))
    misses.push_back(
        "solver budget: with none at all no solver does anything; every island keeps the impulses "
        "of the step before, which at the start of a run are zero");
  // Not the ghost filter: it is loose by design, and what it leaves out the step's own velocity admits.
  AddMisses("position stage (removal of penetration)", "m or rad", s.position_stage, misses);
  return misses;
}

Json MakeRunAnswer(const World& world, const RunOutcome& outcome) {
  const RunStatistics& s = outcome.statistics;
  const double sim_time = world.time() - outcome.start_time;
  Json out;
  if (!outcome.error.empty()) out["error"] = outcome.error;
  if (!outcome.last_good_state.empty()) out["last_good_state"] = outcome.last_good_state;
  out["model"] = outcome.model_name;
  out["solver"] = world.options().solver;
  out["dt"] = world.timestep();
  out["integrator"] = ToString(world.integrator());
  if (const std::vector<Spring> springs = FindSpringsOf(world); !springs.empty())
    out["springs"] = ToJson(world.model(), springs);
  out["steps"] = s.steps;
  out["sim_time_s"] = sim_time;
  out["wall_time_s"] = s.wall_time;
  out["real_time_factor"] = RealTimeFactor(sim_time, s.wall_time);
  out["step_us"] = StepTimes(s);
  out["contacts"] = {{"mean", s.contacts.mean()}, {"max", s.contacts.max()}};
  if (s.sleeping.max() > 0.0)
    out["sleeping_trees"] = {
        {"mean", s.sleeping.mean()}, {"max", s.sleeping.max()}, {"end", s.sleeping_at_end}};
  out["iterations"] = {{"mean", s.iterations.mean()}, {"max", s.iterations.max()}};
  out["iterations_sum"] = {{"mean", s.iterations_sum.mean()}, {"max", s.iterations_sum.max()}};
  for (const auto& [key, counts] : {std::pair{"newton_steps", &s.newton_steps}, {"sweeps", &s.sweeps}})
    out[key] = {{"mean", counts->mean()}, {"p99", counts->Quantile(0.99)}, {"max", counts->Quantile(1.0)}};
  out["solved_steps"] = s.solved_steps;
  out["still_steps"] = s.still_steps;
  out["divided_steps"] = s.divided_steps;
  out["certificate"] = {{"ncp_max", s.ncp_max.max()},       {"ncp_mean", s.ncp_mean.mean()},
                        {"canal_mean", s.canal.mean()},     {"own_law_max", s.own_law.max()},
                        {"momentum_max", s.momentum.max()}, {"loop_max", s.loop.max()}};
  out["penetration_max_m"] = s.penetration.max();
  out["energy"] = {{"start", outcome.energy_start}, {"end", outcome.energy_end}};
  out["budget"] = world.budget().is_none() ? Json(nullptr) : Json(world.budget().absolute);
  out["budget_relative"] = world.budget().relative;
  out["budget_misses"] = s.budget_misses;
  out["unconverged_steps"] = s.unconverged_steps;
  const SolverBudget& limit = world.options().solver_budget;
  out["solver_budget_us"] = limit.has_time() ? Json(1e6 * limit.seconds) : Json(nullptr);
  out["solver_budget_iterations"] = limit.has_iterations() ? Json(limit.iterations) : Json(nullptr);
  out["cut_steps"] = s.cut_steps;
  out["cut_solves"] = s.cut_solves;
  out["stages"] = {{"ghost_filter", StageJson(s.ghost_filter)},
                   {"position_stage", StageJson(s.position_stage)}};
  out["state_hash"] = HashText(world.state());
  out["final"] = FinalState(world);
  out["expectations"] = Expectations(outcome.expectations);
  if (!outcome.tasks.empty()) out["tasks"] = Tasks(outcome.tasks);
  out["warnings"] = Warnings(outcome);
  out["losses"] = DescribeLosses(outcome.report);
  return out;
}

void PrintRunTable(const World& world, const RunOutcome& outcome) {
  const RunStatistics& s = outcome.statistics;
  const double sim_time = world.time() - outcome.start_time;
  std::printf("model        %s, %d dofs, solver %s\n", outcome.model_name.c_str(), world.model().nv(),
              world.options().solver.c_str());
  std::printf("speed        %lld steps of %g ms: %.4g s simulated in %.3g s, %.3g x real time\n", s.steps,
              1e3 * world.timestep(), sim_time, s.wall_time, RealTimeFactor(sim_time, s.wall_time));
  std::printf("step         median %.1f us, p99 %.1f, max %.1f", 1e6 * s.step_times.Quantile(0.5),
              1e6 * s.step_times.Quantile(0.99), 1e6 * s.step_times.Quantile(1.0));
  for (int i = 0; i < kNumStepPhases; ++i)
    std::printf("%s%s %.1f", i == 0 ? "\n             mean: " : ", ", kStepPhases[i].name,
                1e6 * s.phases[i].mean());
  std::printf("\n");
  PrintAccuracy(world, outcome);
  const std::string springs = DescribeSprings(world.model(), FindSpringsOf(world), 4);
  if (!springs.empty()) std::printf("springs      %s\n", springs.c_str());
  std::printf("state hash   %s\n", HashText(world.state()).c_str());
  PrintImport(outcome.report);
  for (const TaskProgress& task : outcome.tasks) std::printf("task         %s\n", Describe(task).c_str());
  PrintExpectations(outcome.expectations);
  for (const std::string& note : outcome.notes) std::printf("note         %s\n", note.c_str());
}

}  // namespace stiction::runner

// Tasks of an arm within a budget [Lee 2024, §VII-A.2 and B.2]: a nut is screwed on its bolt, dishes are
// piled. The paper gives its solvers 0.5 and 1 ms a step. Here SubADMM and PGS have the hundred iterations of
// its §VII-C, CANAL 60 Newton steps, so that what comes out is the same on any machine.
#include <algorithm>

#include "assets_folder.h"
#include "canal_experiments.h"
#include "complaints/study_run.h"
#include "single_step.h"

namespace stiction::runner {
namespace {

struct Budgeted {
  const char* solver;
  int iterations;  // of an island; Newton steps of canal
};
constexpr Budgeted kJudged[] = {{"canal", 60}, {"subadmm", 100}, {"pgs_ncp", 100}};
constexpr Budgeted kTighter[] = {{"canal", 25},   {"subadmm", 50}, {"pgs_ncp", 50},
                                 {"pgs_ncp", 20}, {"pgs_ncp", 10}, {"pgs_ncp", 5}};
constexpr double kAtRest = 1e-5;    // of the dishes' speeds [m/s]
constexpr double kShortTime = 1.0;  // of a short look, in which nothing is judged [s]

struct Task {
  const char* file;  // below assets/scenarios
  const char* source;
  const char* failure;  // of PGS, as the paper tells it
  double time_us;       // that the paper gives its solvers for a step
  bool ends_at_rest;    // and says how fast things may be then
};
constexpr Task kTasks[] = {{"nut_assembly.xml", "§VII-A.2", "penetrates, fails", 500.0, false},
                           {"pile_dishes.xml", "§VII-B.2", "fails", 1000.0, true}};

struct TaskRun {
  Budgeted budget;
  StudyRun run;
  const RunStatistics& statistics() const { return run.statistics; }
  const TaskProgress& task() const { return run.tasks.front(); }

  // Done, and things are where they should be, and were in one another no deeper than the scenario allows.
  bool IsDone() const {
    return task().status == TaskStatus::kDone &&
           std::all_of(run.results.begin(), run.results.end(), [](const ExpectationResult& result) {
             const Quantity what = result.expectation.what;
             return (what != Quantity::kPosition && what != Quantity::kPenetration) || result.is_met;
           });
  }
  const char* Tell() const {
    if (IsDone()) return "succeeds";
    return task().status == TaskStatus::kRunning ? "is not done" : "fails";
  }
  // The largest speed at the end that it says something of [m/s].
  double FindLastSpeed() const {
    double largest = 0.0;
    for (const ExpectationResult& result : run.results)
      if (result.expectation.what == Quantity::kSpeed) largest = std::max(largest, result.measured);
    return largest;
  }
  // What the solver takes in a step, but for one step of a hundred, which something else may have delayed.
  double FindSolveTime() const { return 1e6 * QuantileOf(run.solve_time, 0.99); }  // [µs]
};

TaskRun RunTask(const Task& task, const Budgeted& budget, bool is_short) {
  RunArguments arguments;
  arguments.model.path = FindAsset(std::string("scenarios/") + task.file);
  arguments.solver = budget.solver;
  arguments.solver_budget_iterations = budget.iterations;
  // SubADMM leaves its penalty as it is in the second half of them.
  if (budget.solver == std::string_view("subadmm"))
    arguments.settings = {"max_iterations=" + std::to_string(budget.iterations)};
  arguments.budget = kNoBudget;
  if (is_short) arguments.time = kShortTime;
  return {budget, RunStudy(arguments)};
}

// That a solver fails in the time that the paper gives is refuted where it does the task in no more.
//   runs  by that solver, the last of them of the fewest iterations
void JudgeInTime(const Task& task, const std::vector<TaskRun>& runs, PaperFigure& figure) {
  std::string failed;
  const TaskRun* fewest = nullptr;  // that succeeds
  for (const TaskRun& run : runs) {
    if (run.IsDone())
      fewest = &run;
    else
      failed += (failed.empty() ? "; fails with " : ", ") + std::to_string(run.budget.iterations);
  }
  if (fewest != nullptr) {
    figure.remark += "; succeeds with " + std::to_string(fewest->budget.iterations) +
                     FormatNumber(" in at most %.0f µs", fewest->FindSolveTime()) +
                     FormatNumber(" in 99 %% of the steps, of %.0f", task.time_us) + " that the paper gives";
    if (figure.verdict == PaperVerdict::kNotHeld)
      figure.verdict = Judge(false, fewest->FindSolveTime() <= task.time_us);
  }
  figure.remark += failed;
}

PaperFigure JudgeTask(const Task& task, const TaskRun& run, bool is_done_in_paper) {
  return {.source = task.source,
          .quantity = std::string(task.file) + " by " + run.budget.solver + ", " +
                      std::to_string(run.budget.iterations) + " iterations",
          .paper = is_done_in_paper ? "succeeds" : task.failure,
          .ours = run.Tell(),
          .verdict = run.task().status == TaskStatus::kRunning ? PaperVerdict::kNotMeasured
                                                               : Judge(run.IsDone() == is_done_in_paper),
          .remark = (run.task().status == TaskStatus::kFailed ? Describe(run.task()) + "; " : "") +
                    FormatNumber("%.2e m deep at most", run.statistics().penetration.max()) +
                    FormatNumber(", ncp %.1e m/s on average", run.statistics().ncp_max.mean()) +
                    FormatNumber(", %.1e at worst", run.statistics().ncp_max.max())};
}

// What is piled stands, or jitters.
PaperFigure JudgeRest(const Task& task, const TaskRun& run, bool is_at_rest_in_paper) {
  const double speed = run.FindLastSpeed();
  return {.source = task.source,
          .quantity = std::string("largest speed of what is piled, at the end, by ") + run.budget.solver,
          .paper = is_at_rest_in_paper ? "stands" : "jitters",
          .ours = FormatNumber("%.1e m/s", speed),
          .verdict = run.task().status == TaskStatus::kRunning
                         ? PaperVerdict::kNotMeasured
                         : Judge((speed <= kAtRest) == is_at_rest_in_paper),
          .remark = "at rest up to " + FormatNumber("%.0e", kAtRest) +
                    (is_at_rest_in_paper && speed > kAtRest
                         ? "; contact points of distance fields change from step to step"
                         : "")};
}

void AddRow(const char* file, const TaskRun& run, PaperTable& table) {
  table.rows.push_back({file, run.budget.solver, std::to_string(run.budget.iterations), run.Tell(),
                        FormatNumber("%.2e", run.statistics().penetration.max()),
                        FormatNumber("%.1e", run.statistics().ncp_max.mean()),
                        FormatNumber("%.1e", run.statistics().ncp_max.max()),
                        FormatNumber("%.1e", run.FindLastSpeed())});
}

}  // namespace

PaperOutcome MeasureCanalTasks(const PaperOptions& options) {
  const bool is_short = options.cases > 0 || options.is_quick;
  PaperOutcome outcome;
  outcome.about =
      "The scenarios nut_assembly.xml and pile_dishes.xml, whole, with so many iterations an island in every "
      "solve (Newton steps of canal): a solver that has done them ends with its best iterate, whatever the "
      "certificate says of it. Each step starts from the impulses of the one before, and solves on where its "
      "answer brings about contacts that were not seen.";
  PaperTable table{"Tasks within a budget of iterations",
                   {"task", "solver", "iterations", "outcome", "deepest [m]", "ncp, mean [m/s]",
                    "ncp, largest [m/s]", "largest speed at the end [m/s]"},
                   {}};
  for (const Task& task : kTasks) {
    std::size_t pgs = 0;  // its figure
    std::vector<TaskRun> pgs_runs;
    const auto take = [&](TaskRun run) {
      AddRow(task.file, run, table);
      if (run.budget.solver == std::string_view("pgs_ncp")) pgs_runs.push_back(std::move(run));
    };
    for (const Budgeted& budget : kJudged) {
      TaskRun run = RunTask(task, budget, is_short);
      const bool is_good_in_paper = budget.solver != std::string_view("pgs_ncp");
      outcome.figures.push_back(JudgeTask(task, run, is_good_in_paper));
      if (!is_good_in_paper) pgs = outcome.figures.size() - 1;
      if (task.ends_at_rest) outcome.figures.push_back(JudgeRest(task, run, is_good_in_paper));
      take(std::move(run));
    }
    if (is_short) continue;
    for (const Budgeted& budget : kTighter) take(RunTask(task, budget, false));
    JudgeInTime(task, pgs_runs, outcome.figures[pgs]);
  }
  outcome.tables = {std::move(table)};
  return outcome;
}

}  // namespace stiction::runner

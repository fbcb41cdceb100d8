#include "single_step.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "stiction/contact/auxiliary_dofs.h"
#include "stiction/contact/island.h"
#include "stiction/contact/registry.h"

namespace stiction::runner {
namespace {

// The options by which solvers count, and by which they look at the residual in between.
struct LimitOptions {
  const char* solver;
  const char* limit;
  const char* interval;
};
constexpr LimitOptions kLimitOptions[] = {
    {"canal", "max_al", nullptr},
    {"canal_paper", "max_al", nullptr},
    {"al_trdogleg", "max_al", nullptr},
    {"al_dampedsn", "max_al", nullptr},
    {"subadmm", "max_iterations", "check_interval"},
    {"admm_nobody", "max_iterations", "check_interval"},
    {"admm_nosub", "max_iterations", "check_interval"},
    {"pgs_ncp", "max_sweeps", "check_interval"},
    {"nbgs_c", "max_sweeps", nullptr},
    {"admm", "max_iterations", nullptr},
    {"padmm", "max_iterations", nullptr},
    {"fadmm", "max_iterations", nullptr},
    {"pfadmm", "max_iterations", nullptr},
    {"jacobi", "max_iterations", "check_interval"},
    {"apgd", "max_iterations", "check_interval"},
    {"spg", "max_iterations", "check_interval"},
};

void Set(ContactSolver& solver, const std::string& option, const std::string& value) {
  const std::string wrong = SetSolverOption(solver, option, value);
  if (!wrong.empty()) throw std::invalid_argument(wrong);
}

// Processor time of this thread, which others on the machine do not lengthen [s].
double ReadThreadTime() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// All that constraints touch.
IslandPartition MakeOneIsland(const ContactProblem& problem) {
  IslandPartition partition;
  partition.Assign(problem);
  if (partition.num_islands == 0) return partition;
  partition.num_islands = 1;
  for (int& island : partition.island_of_subsystem) island = std::min(island, 0);
  std::sort(partition.constraints.begin(), partition.constraints.end());
  std::sort(partition.subsystems.begin(), partition.subsystems.end());
  partition.first_constraint = {0, static_cast<int>(partition.constraints.size())};
  partition.first_subsystem = {0, static_cast<int>(partition.subsystems.size())};
  return partition;
}

constexpr double kSolved = 1e-8;  // the paper's residual

// The largest −(J v + e)_n over all contacts; 0 where none is positive [m/s].
double CalcViolation(const ContactProblem& problem, const VectorXd& v) {
  double violation = 0.0;
  for (const Constraint& c : problem.constraints) {
    if (c.type != ConstraintType::kContact) continue;
    const int normal = c.row + c.dim() - 1;
    violation = std::max(violation, -(problem.MultiplyLastRow(c, v.data()) + problem.e[normal]));
  }
  return violation;
}

}  // namespace

StepCase TakeCase(World& world, const State& state, const Matrix6Xd& wrench) {
  world.set_state(state);
  world.input().applied_wrench = wrench;
  world.Step();
  return {world.problem()};
}

double Normal(Random& random) {
  const double u = Uniform(random, 1e-12, 1.0), angle = Uniform(random, 0.0, 2.0 * std::numbers::pi);
  return std::sqrt(-2.0 * std::log(u)) * std::cos(angle);
}

std::string StepSolver::Label() const {
  std::string label = name;
  for (const auto& [option, value] : settings) label += " " + option + "=" + value;
  return label;
}

std::unique_ptr<ContactSolver> MakeLimitedSolver(const StepSolver& solver, int limit) {
  const auto known = std::find_if(std::begin(kLimitOptions), std::end(kLimitOptions),
                                  [&](const LimitOptions& options) { return solver.name == options.solver; });
  if (known == std::end(kLimitOptions))
    throw std::invalid_argument("no limit of iterations is known of solver '" + solver.name + "'");
  std::unique_ptr<ContactSolver> made = MakeSolver(solver.name);
  for (const auto& [option, value] : solver.settings) Set(*made, option, value);
  Set(*made, known->limit, std::to_string(limit));
  if (known->interval != nullptr) Set(*made, known->interval, std::to_string(limit));
  made->set_tolerance(0.0);
  return made;
}

StepResult SolveCase(const StepCase& step, ContactSolver& solver, int repeats) {
  const ContactProblem& problem = step.problem;
  if (AuxiliaryDofs::AreNeeded(problem))
    throw std::invalid_argument("a step with friction moments or compliance");
  BranchSparseFactor factor;
  if (factor.Factor(problem.A) >= 0) throw std::invalid_argument("a step whose mass matrix is singular");
  ScaledProblem scaled;
  scaled.Assign(problem, factor);
  Island island;
  const IslandPartition partition = MakeOneIsland(problem);
  if (partition.num_islands > 0) island.Assign(problem, scaled, partition, 0);
  // Rows in the island's order, which is the problem's, without constraints that touch nothing.
  std::vector<double> start(island.num_rows(), 0.0), lambda;
  for (const IslandConstraint& c : island.constraints) {
    for (int r = 0; r < c.dim() && step.lambda.size() > 0; ++r)
      start[c.row + r] = step.lambda[problem.constraints[c.source].row + r];
  }
  StepResult result;
  result.time_us = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < repeats; ++repeat) {
    lambda = start;
    const double begin = ReadThreadTime();
    result.report = solver.Solve(island, lambda.data());
    result.time_us = std::min(result.time_us, 1e6 * (ReadThreadTime() - begin));
  }
  VectorXd impulses = VectorXd::Zero(problem.num_rows());
  for (const IslandConstraint& c : island.constraints)
    for (int r = 0; r < c.dim(); ++r) impulses[problem.constraints[c.source].row + r] = lambda[c.row + r];
  VectorXd v;
  const Certificate certificate =
      Certifier().Certify(problem, factor, scaled.scale, impulses, &v, nullptr, solver.law());
  result.canal = certificate.canal;
  result.ncp = certificate.ncp_max;
  result.own_law = certificate.own_law;
  result.violation = CalcViolation(problem, v);
  return result;
}

double QuantileOf(std::vector<double> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(share * static_cast<double>(values.size())) - 1.0;
  return values[static_cast<std::size_t>(std::clamp(rank, 0.0, static_cast<double>(values.size() - 1)))];
}

double FitExponent(const std::vector<std::pair<double, double>>& points) {
  double x_mean = 0.0, y_mean = 0.0, xx = 0.0, xy = 0.0;
  for (const auto& [x, y] : points) {
    x_mean += std::log(x) / static_cast<double>(points.size());
    y_mean += std::log(y) / static_cast<double>(points.size());
  }
  for (const auto& [x, y] : points) {
    xx += (std::log(x) - x_mean) * (std::log(x) - x_mean);
    xy += (std::log(x) - x_mean) * (std::log(y) - y_mean);
  }
  return xy / xx;
}

double StepTrace::Quantile(std::size_t limit, double share, double StepResult::*what) const {
  std::vector<double> values;
  for (const StepResult& result : results.at(limit)) values.push_back(result.*what);
  return QuantileOf(std::move(values), share);
}

int StepTrace::FindReached(double residual) const {
  for (std::size_t i = 0; i < results.size(); ++i)
    if (Median(i, &StepResult::canal) <= residual) return static_cast<int>(i);
  return -1;
}

int StepTrace::FindWithin(double time_us) const {
  int found = -1;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (Median(i, &StepResult::time_us) <= time_us) found = static_cast<int>(i);
  return found;
}

std::size_t StepTrace::IndexOf(int limit) const {
  const auto found = std::find(solver.limits.begin(), solver.limits.end(), limit);
  if (found == solver.limits.end()) throw std::out_of_range("no such limit of iterations");
  return static_cast<std::size_t>(found - solver.limits.begin());
}

double StepTrace::CalcShareAbove(std::size_t limit, double residual) const {
  const std::vector<StepResult>& all = results.at(limit);
  const auto count =
      std::count_if(all.begin(), all.end(), [&](const StepResult& r) { return !(r.canal <= residual); });
  return 100.0 * static_cast<double>(count) / static_cast<double>(all.size());
}

double StepTrace::CalcTimePerIteration(int from, int to) const {
  return (Median(IndexOf(to), &StepResult::time_us) - Median(IndexOf(from), &StepResult::time_us)) /
         (to - from);
}

const StepTrace& FindTrace(const std::vector<StepTrace>& traces, const std::string& label) {
  for (const StepTrace& trace : traces)
    if (trace.solver.Label() == label) return trace;
  throw std::out_of_range("no trace of solver '" + label + "'");
}

StepTrace TraceSolver(const std::vector<StepCase>& cases, const StepSolver& solver, int repeats) {
  StepTrace trace{solver, {}};
  for (const int limit : solver.limits) {
    const std::unique_ptr<ContactSolver> limited = MakeLimitedSolver(solver, limit);
    std::vector<StepResult> results;
    for (const StepCase& step : cases) results.push_back(SolveCase(step, *limited, repeats));
    trace.results.push_back(std::move(results));
  }
  return trace;
}

std::vector<StepTrace> TraceSolvers(const std::vector<StepCase>& cases,
                                    const std::vector<StepSolver>& solvers, int repeats) {
  std::vector<StepTrace> traces;
  for (const StepSolver& solver : solvers) traces.push_back(TraceSolver(cases, solver, repeats));
  return traces;
}

PlotPanel MakeTracePanel(const std::vector<StepTrace>& traces, bool is_over_time, double StepResult::*what,
                         const std::string& y_title) {
  PlotPanel panel{.y_title = y_title, .y_scale = PlotScale::kLogarithmic};
  for (const StepTrace& trace : traces) {
    panel.curves.push_back({trace.solver.Label(), {}});
    for (std::size_t i = 0; i < trace.results.size(); ++i)
      panel.curves.back().points.emplace_back(
          is_over_time ? trace.Median(i, &StepResult::time_us) : trace.solver.limits[i],
          trace.Median(i, what));
  }
  return panel;
}

std::vector<PaperPlot> PlotTraces(const std::string& title, const std::vector<StepTrace>& traces) {
  const char *const residual = "median residual ‖J v − z‖ / contacts", *const time =
                                                                           "median time of a solve [µs]";
  std::vector<PaperPlot> plots{{"iterations", MakeLogFigure(title, "iterations", residual)},
                               {"time", MakeLogFigure(title, time, residual)},
                               {"time_iterations", MakeLogFigure(title, "iterations", time)}};
  plots[0].plot.panels = {MakeTracePanel(traces, false, &StepResult::canal, residual)};
  plots[1].plot.panels = {MakeTracePanel(traces, true, &StepResult::canal, residual)};
  plots[2].plot.panels = {MakeTracePanel(traces, false, &StepResult::time_us, time)};
  return plots;
}

PaperTable TabulateTraces(const std::string& title, const std::vector<StepTrace>& traces) {
  PaperTable table{title,
                   {"solver", "iterations", "residual p10", "median", "p90", "max", "above 1e-8 [%]",
                    "ncp median [m/s]", "time median [µs]"},
                   {}};
  for (const StepTrace& trace : traces) {
    for (std::size_t i = 0; i < trace.results.size(); ++i) {
      const auto quantile = [&](double share) {
        return FormatNumber("%.2e", trace.Quantile(i, share, &StepResult::canal));
      };
      table.rows.push_back({trace.solver.Label(), std::to_string(trace.solver.limits[i]), quantile(0.1),
                            quantile(0.5), quantile(0.9), quantile(1.0),
                            FormatNumber("%.1f", trace.CalcShareAbove(i, kSolved)),
                            FormatNumber("%.2e", trace.Median(i, &StepResult::ncp)),
                            FormatNumber("%.0f", trace.Median(i, &StepResult::time_us))});
    }
  }
  return table;
}

std::string FormatNumber(const char* format, double number) {
  char text[48];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

}  // namespace stiction::runner

// Single steps: contact problems of a simulation, put to solvers that are stopped after so many iterations.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench_poses.h"
#include "paper_experiment.h"
#include "stiction/contact/problem.h"
#include "stiction/contact/solve.h"
#include "stiction/sim/world.h"

namespace stiction::runner {

// A step to be taken: its problem, and from where the solver starts (empty: from zero).
struct StepCase {
  ContactProblem problem;
  GrowingVector lambda{};
};

// The same state and the same input for every call.
//   wrench  6 x num_bodies, Input::applied_wrench
StepCase TakeCase(World& world, const State& state, const Matrix6Xd& wrench);

// Standard normal, the same on every platform.
double Normal(Random& random);

// A solver that does as many iterations as it is told, and no test in between that would end it.
struct StepSolver {
  std::string name;                                             // in the registry
  std::vector<int> limits{};                                    // numbers of iterations, ascending
  std::vector<std::pair<std::string, std::string>> settings{};  // option, value
  // "subadmm beta=100".
  std::string Label() const;
};

// AL methods count outer iterations, ADMM iterations, Gauss-Seidel sweeps. Tolerance 0. Throws
// std::invalid_argument of a solver whose limit is not known.
std::unique_ptr<ContactSolver> MakeLimitedSolver(const StepSolver& solver, int limit);

struct StepResult {
  double canal = 0.0;    // Certificate::canal
  double ncp = 0.0;      // Certificate::ncp_max [m/s]
  double own_law = 0.0;  // Certificate::own_law [m/s]
  // Fastest approach that contacts let through, the largest −(J v + e)_n; 0: none does [m/s].
  double violation = 0.0;
  double time_us = 0.0;  // processor time of the solver, without scaling the problem and judging it; least of
                         // `repeats`
  SolveReport report;
};

// The whole problem as one island: the papers' solvers know no others. Throws std::invalid_argument of
// friction moments and compliance.
StepResult SolveCase(const StepCase& step, ContactSolver& solver, int repeats);

// Results of one solver by limit and case.
struct StepTrace {
  StepSolver solver;
  std::vector<std::vector<StepResult>> results;  // by limit, by case

  // By limit.
  double Quantile(std::size_t limit, double share, double StepResult::*what) const;
  double Median(std::size_t limit, double StepResult::*what) const { return Quantile(limit, 0.5, what); }
  // The index of the smallest limit at which the median is at most `residual`; -1: at none.
  int FindReached(double residual) const;
  // The index of the largest limit that takes no longer than that; -1: none does.
  int FindWithin(double time_us) const;
  std::size_t IndexOf(int limit) const;  // throws std::out_of_range
  // Share of cases whose residual is above that [%].
  double CalcShareAbove(std::size_t limit, double residual) const;
  // Median time that an iteration takes, from one limit to another [µs].
  double CalcTimePerIteration(int from, int to) const;
};

StepTrace TraceSolver(const std::vector<StepCase>& cases, const StepSolver& solver, int repeats);
// Of the solver with that label; throws std::out_of_range.
const StepTrace& FindTrace(const std::vector<StepTrace>& traces, const std::string& label);
std::vector<StepTrace> TraceSolvers(const std::vector<StepCase>& cases,
                                    const std::vector<StepSolver>& solvers, int repeats);

// One panel, medians: what comes out over the iterations, or over the time of a solve.
PlotPanel MakeTracePanel(const std::vector<StepTrace>& traces, bool is_over_time, double StepResult::*what,
                         const std::string& y_title);
// Residual over iterations, residual over time, and time over iterations, medians.
std::vector<PaperPlot> PlotTraces(const std::string& title, const std::vector<StepTrace>& traces);
// A row a solver and limit: 10th percentile, median, 90th percentile and maximum of the residual, share of
// cases above 1e-8, median ncp, median time.
PaperTable TabulateTraces(const std::string& title, const std::vector<StepTrace>& traces);

// The share `share` of the values from below, by the nearest rank.
double QuantileOf(std::vector<double> values, double share);
// Slope of log y over log x by least squares.
double FitExponent(const std::vector<std::pair<double, double>>& points);

// "%.2e" and the like.
std::string FormatNumber(const char* format, double number);

}  // namespace stiction::runner

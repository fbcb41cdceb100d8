// What the steps of a run add up to.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "stiction/sim/step_report.h"

namespace stiction::runner {

// The solves within steps that one stage asked for.
struct StageStatistics {
  long long solves = 0;
  long long misses = 0;
  double residual_max = 0.0;  // in the unit of the stage
  double tolerance = 0.0;

  void Add(const StageSolve& solve);
};

// Mean and maximum of one quantity. A NaN stays: a run must not look better than its worst step.
class Series {
 public:
  void Add(double value);
  double mean() const { return count_ == 0 ? 0.0 : sum_ / static_cast<double>(count_); }
  double max() const { return count_ == 0 ? 0.0 : max_; }

 private:
  double sum_ = 0.0;
  double max_ = -std::numeric_limits<double>::infinity();
  long long count_ = 0;
};

// The same where quantiles are asked for: keeps all values.
class Sample {
 public:
  void Add(double value) { values_.push_back(value); }
  double mean() const;
  // The value that a fraction of them does not exceed; 0 where there are none.
  double Quantile(double fraction) const;

 private:
  std::vector<double> values_;
};

struct RunStatistics {
  long long steps = 0;
  long long budget_misses = 0;
  long long solved_steps = 0;       // in which an island was not accepted as it was
  long long still_steps = 0;        // that only repeat the one before
  long long unconverged_steps = 0;  // StepReport::is_converged is false
  long long divided_steps = 0;      // taken in parts,
  int most_parts = 1;               // and the most of one step
  long long cut_steps = 0;          // in which the solver budget cut an island short
  long long cut_solves = 0;         // those islands
  StageStatistics ghost_filter, position_stage;
  double wall_time = 0.0;       // [s], of the steps alone: logs and the progress bar are not in it
  Sample step_times;            // [s], one per step
  Sample newton_steps, sweeps;  // of a step, over all islands
  std::array<Series, kNumStepPhases> phases;  // [s]
  Series contacts;
  Series iterations, iterations_sum;  // of the island with the most, and over all islands
  Series sleeping;                    // trees
  int sleeping_at_end = 0;
  Series ncp_max, ncp_mean, canal, own_law, momentum, loop, penetration;

  // A step that was taken, and the wall time of it [s].
  void Add(const StepReport& report, double step_time);
};

}  // namespace stiction::runner

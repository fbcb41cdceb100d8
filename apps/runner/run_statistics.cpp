#include "run_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stiction::runner {

void Series::Add(double value) {
  sum_ += value;
  if (std::isnan(value) || value > max_) max_ = value;
  ++count_;
}

void StageStatistics::Add(const StageSolve& solve) {
  if (!solve.has_run) return;
  ++solves;
  misses += solve.missed();
  tolerance = solve.tolerance;
  if (!(solve.residual <= residual_max) && !std::isnan(residual_max)) residual_max = solve.residual;
}

void RunStatistics::Add(const StepReport& report, double step_time) {
  ++steps;
  if (report.status == StepStatus::kBudgetMissed) ++budget_misses;
  if (report.solve.iterations_sum > 0) ++solved_steps;
  if (report.is_still) ++still_steps;
  if (report.num_parts > 1) ++divided_steps;
  most_parts = std::max(most_parts, report.num_parts);
  if (!report.is_converged) ++unconverged_steps;
  if (report.solve.num_cut > 0) ++cut_steps;
  cut_solves += report.solve.num_cut;
  ghost_filter.Add(report.ghost_filter);
  position_stage.Add(report.position_stage);
  wall_time += step_time;
  step_times.Add(step_time);
  newton_steps.Add(report.solve.newton_steps);
  sweeps.Add(report.solve.sweeps);
  for (int i = 0; i < kNumStepPhases; ++i) phases[i].Add(report.phases.*kStepPhases[i].time);
  contacts.Add(report.num_contacts);
  sleeping.Add(report.num_sleeping);
  sleeping_at_end = report.num_sleeping;
  iterations.Add(report.solve.iterations);
  iterations_sum.Add(report.solve.iterations_sum);
  const Certificate& certificate = report.certificate;
  ncp_max.Add(certificate.ncp_max);
  ncp_mean.Add(certificate.ncp_mean);
  canal.Add(certificate.canal);
  own_law.Add(certificate.own_law);
  momentum.Add(certificate.momentum);
  loop.Add(report.loop);
  penetration.Add(report.penetration);
}

double Sample::mean() const {
  if (values_.empty()) return 0.0;
  return std::accumulate(values_.begin(), values_.end(), 0.0) / static_cast<double>(values_.size());
}

double Sample::Quantile(double fraction) const {
  if (values_.empty()) return 0.0;
  std::vector<double> values = values_;
  const auto rank = static_cast<size_t>(std::ceil(fraction * static_cast<double>(values.size())));
  const auto nth =
      values.begin() + static_cast<std::ptrdiff_t>(std::clamp<size_t>(rank, 1, values.size()) - 1);
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

}  // namespace stiction::runner

#include "recording.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "stiction/io/log_reader.h"

namespace stiction::viewer {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

PhaseTimes MakePhases(const std::vector<std::string>& names, const std::vector<double>& times) {
  PhaseTimes phases;
  const auto find = [&](const char* name) {
    const auto i = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    return i < times.size() ? times[i] : kUnknown;
  };
  for (const StepPhase& phase : kStepPhases) phases.*phase.time = find(phase.name);
  phases.total = find("total");
  return phases;
}

StepReport MakeReport(const LogRow& row, const std::vector<std::string>& phases) {
  StepReport report;
  report.status = static_cast<StepStatus>(row.step_status);
  report.solve = row.solve;
  report.certificate = row.certificate;
  report.num_contacts = row.num_contacts;
  report.num_limits = row.num_limits;
  report.num_islands = row.num_islands;
  report.penetration = row.penetration;
  report.loop = row.loop;
  report.correction = row.correction;
  report.phases = MakePhases(phases, row.phases);
  return report;
}

}  // namespace

Recording ReadRecording(const std::string& path, const Model& model) {
  Log log = ReadLog(path, model);
  Recording recording{
      .solver = log.solver, .timestep = log.timestep, .budget = log.budget, .has_contacts = log.has_contacts};
  const VectorXd mocap = Input::Default(model).mocap;
  for (LogRow& row : log.rows) {
    const StepReport report = MakeReport(row, log.phases);
    recording.samples.push_back(
        MakeSample(row.time, report, {row.kinetic, row.potential}, report.phases.total));
    if (row.step_status == kNotLogged) recording.budget_misses = kNotLogged;
    if (recording.budget_misses >= 0) recording.budget_misses += report.status == StepStatus::kBudgetMissed;
    Moment moment;
    moment.state = State::Default(model);
    moment.state.time = row.time;
    moment.state.q = std::move(row.q);
    moment.state.v = std::move(row.v);
    moment.ctrl = std::move(row.ctrl);
    moment.mocap = mocap;
    moment.report = report;
    for (const LogContact& contact : row.contacts)
      moment.contacts.push_back({contact.geom_a, contact.geom_b, contact.p_W, contact.n_W, contact.gap,
                                 contact.impulse_W, contact.moment_W});
    recording.moments.push_back(std::move(moment));
  }
  return recording;
}

}  // namespace stiction::viewer

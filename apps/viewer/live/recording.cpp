#include "recording.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "stiction/dynamics/energy.h"
#include "stiction/io/log_reader.h"
#include "stiction/io/log_table.h"
#include "stiction/sim/sensors.h"
#include "touch_counter.h"

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
  report.num_parts = row.num_parts;
  report.penetration = row.penetration;
  report.loop = row.loop;
  report.correction = row.correction;
  report.phases = MakePhases(phases, row.phases);
  return report;
}

// Of a log that holds none.
Energy CalcMomentEnergy(const Model& model, const Moment& moment, Kinematics& kin) {
  CalcPositionKinematics(model, moment.state.q, moment.mocap, kin);
  CalcVelocityKinematics(model, moment.state.v, kin);
  return CalcEnergy(model, kin, moment.state.q, moment.state.v);
}

// The columns of the names, one after another; those that the log does not have stay as they are.
//   out  a value of every column a row
template <typename Names>
bool ReadColumns(const LogTable& table, const Names& names, const char* prefix,
                 const std::function<VectorXd&(std::size_t)>& out) {
  bool has_any = false;
  for (std::size_t k = 0; k < names.size(); ++k) {
    for (std::size_t i = 0; i < table.series().size(); ++i) {
      if (table.series()[i].name != prefix + names[k]) continue;
      const std::vector<double> values = table.Read(i);
      for (std::size_t row = 0; row < values.size(); ++row)
        out(row)[static_cast<Eigen::Index>(k)] = values[row];
      has_any = true;
    }
  }
  return has_any;
}

// By the names of their bodies, in the order of Input::mocap.
std::vector<std::string> ListMocapColumns(const Model& model) {
  std::vector<std::string> names;
  for (int b = 0; b < model.num_bodies(); ++b) {
    if (!model.bodies[static_cast<std::size_t>(b)].is_mocap) continue;
    for (const char* end : {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"})
      names.push_back(model.DisplayName(b) + end);
  }
  return names;
}

// What ReadLog leaves out: sensors, and the poses of mocap bodies.
void ReadMoreColumns(const std::string& path, const Model& model, std::vector<Moment>& moments) {
  const std::vector<std::string> sensors = SensorValueNames(model), mocap = ListMocapColumns(model);
  if ((sensors.empty() && mocap.empty()) || moments.empty()) return;
  const LogTable table(path);
  // A log that is being written may have grown since.
  VectorXd unused = VectorXd::Zero(static_cast<Eigen::Index>(std::max(sensors.size(), mocap.size())));
  for (Moment& moment : moments)
    moment.sensors = VectorXd::Constant(static_cast<Eigen::Index>(sensors.size()), kUnknown);
  const bool has_sensors = ReadColumns(table, sensors, "sensor:", [&](std::size_t i) -> VectorXd& {
    return i < moments.size() ? moments[i].sensors : unused;
  });
  for (Moment& moment : moments)
    if (!has_sensors) moment.sensors.resize(0);
  ReadColumns(table, mocap, "body:", [&](std::size_t i) -> VectorXd& {
    return i < moments.size() ? moments[i].mocap : unused;
  });
}

PullView MakeRowPull(const LogPull& pull) {
  return {.is_active = pull.body >= 0,
          .p_W = pull.p_W,
          .target_W = pull.p_W,
          .force_W = pull.force_W,
          .torque_W = pull.torque_W,
          .is_past = true};
}

Moment MakeRowMoment(const Model& model, const VectorXd& mocap, const StepReport& report, LogRow& row) {
  Moment moment;
  moment.state = State::Default(model);
  moment.state.time = row.time;
  moment.state.q = std::move(row.q);
  moment.state.v = std::move(row.v);
  moment.ctrl = std::move(row.ctrl);
  moment.mocap = mocap;
  moment.report = report;
  moment.pull = MakeRowPull(row.pull);
  for (const LogContact& contact : row.contacts)
    moment.contacts.push_back({contact.geom_a, contact.geom_b, contact.p_W, contact.n_W, contact.gap,
                               contact.impulse_W, contact.moment_W, contact.area});
  return moment;
}

// How often the budget was missed until each row; kNotLogged from where the log does not say.
void CountMisses(const Budget& budget, std::vector<Moment>& moments) {
  RunCounts counts;
  for (Moment& moment : moments) {
    const int status = static_cast<int>(moment.report.status);
    ++counts.steps, ++counts.judged;
    if (status == kNotLogged) counts.misses = kNotLogged;
    if (counts.misses != kNotLogged) counts.misses += moment.report.status == StepStatus::kBudgetMissed;
    const double ncp = moment.report.certificate.ncp_max;
    if (std::isnan(ncp)) counts.over = kNotLogged;
    if (counts.over != kNotLogged) counts.over += ncp > budget.absolute;
    moment.counts = counts;
  }
}

}  // namespace

Recording ReadRecording(const std::string& path, const Model& model) {
  Log log = ReadLog(path, model);
  Recording recording{
      .solver = log.solver, .timestep = log.timestep, .budget = log.budget, .has_contacts = log.has_contacts};
  const VectorXd mocap = Input::Default(model).mocap;
  for (LogRow& row : log.rows)
    recording.moments.push_back(MakeRowMoment(model, mocap, MakeReport(row, log.phases), row));
  ReadMoreColumns(path, model, recording.moments);
  const Budget budget = log.budget.value_or(kDefaultBudget);
  CountMisses(budget.is_none() ? kDefaultBudget : budget, recording.moments);
  if (!recording.moments.empty()) recording.budget_misses = recording.moments.back().counts.misses;
  Kinematics kin;
  kin.Resize(model);
  TouchCounter touches;
  for (std::size_t i = 0; i < log.rows.size(); ++i) {
    Moment& moment = recording.moments[i];
    moment.solver = log.solver;
    moment.timestep = log.timestep.value_or(0.0);
    LogRow& row = log.rows[i];
    if (std::isnan(row.kinetic + row.potential)) {
      const Energy energy = CalcMomentEnergy(model, moment, kin);
      row.kinetic = energy.kinetic, row.potential = energy.potential;
    }
    const StepReport& report = moment.report;
    Sample sample = MakeSample(row.time, report, {row.kinetic, row.potential}, report.phases.total);
    if (row.step_status == kNotLogged) sample.missed = kNotLogged;
    sample.impacts = log.has_contacts ? touches.Count(row.time, moment.contacts) : kNotLogged;
    sample.pull = log.has_pulls ? MakeSamplePull(moment.pull) : kUnknown;
    recording.samples.push_back(sample);
  }
  return recording;
}

}  // namespace stiction::viewer

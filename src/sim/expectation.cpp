#include "stiction/sim/expectation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "sim/measurement.h"

namespace stiction {
namespace {

Frame FindNamed(const Model& model, const std::string& name) {
  if (name.empty()) return {.name = "", .body = -1, .X_BF = {}};
  Frame frame = model.FindBodyOrFrame(name);
  if (frame.body < 0)
    throw std::invalid_argument("an expectation concerns '" + name + "', but there is no such body or frame");
  return frame;
}

double Component(const Vector3d& vector, Axis axis) {
  return axis == Axis::kNorm ? vector.norm() : vector[static_cast<int>(axis)];
}

// How far inside of the bounds the value lies. No number is as far outside as can be.
double CalcSlack(const Expectation& expectation, double value) {
  double slack = std::numeric_limits<double>::infinity();
  if (std::isnan(value)) return -slack;
  if (expectation.min) slack = std::min(slack, value - *expectation.min);
  if (expectation.max) slack = std::min(slack, *expectation.max - value);
  return slack;
}

// Steps are not at the very times that they should be, to rounding: half a timestep, and a little.
double HalfStep(double timestep) {
  return 0.51 * timestep;
}

}  // namespace

std::string Describe(const ExpectationResult& result) {
  const Expectation& expectation = result.expectation;
  std::string text = Describe(expectation) + ": ";
  char number[48];
  const auto append = [&](const char* format, double value) {
    std::snprintf(number, sizeof number, format, value);
    text += number;
  };
  const std::string unit = UnitOf(expectation.what);
  if (std::isnan(result.measured)) {
    text += "not measured";
  } else {
    append("%.8g", result.measured);
    if (!unit.empty()) text += " " + unit;
  }
  if (expectation.min) append(", min %.10g", *expectation.min);
  if (expectation.max) append(", max %.10g", *expectation.max);
  const bool is_within = (!expectation.min || result.measured >= *expectation.min) &&
                         (!expectation.max || result.measured <= *expectation.max);
  if (is_within && !result.is_met) text += ", but the run ended before its time";
  return text;
}

ExpectationMonitor::ExpectationMonitor(const World& world, const std::vector<Expectation>& expectations)
    : start_time_(world.time()), timestep_(world.timestep()) {
  std::vector<Watch> watches;
  for (const Expectation& expectation : expectations) {
    watches.push_back({.expectation = expectation,
                       .of = FindNamed(world.model(), expectation.of),
                       .in = FindNamed(world.model(), expectation.in),
                       .by = FindNamed(world.model(), expectation.by)});
  }
  progress_.resize(watches.size());
  watches_ = std::make_shared<const std::vector<Watch>>(std::move(watches));
  ObserveAll(world, nullptr, true);
}

void ExpectationMonitor::Observe(const World& world) {
  ObserveAll(world, nullptr, false);
}

void ExpectationMonitor::Observe(const World& world, const RecordedStep& step) {
  ObserveAll(world, &step, false);
}

bool ExpectationMonitor::IsDue(const Watch& watch, const Progress& progress, double time) const {
  const Expectation& e = watch.expectation;
  const double half = HalfStep(timestep_);
  if (e.from == kScenarioEnd) return true;  // any step may be the last
  if (e.from == e.to) return !progress.sample && time > e.from - half && start_time_ < e.from + half;
  return time > e.from - half && time < e.to + half;
}

void ExpectationMonitor::ObserveAll(const World& world, const RecordedStep* step, bool is_start) {
  last_time_ = world.time();
  for (std::size_t i = 0; i < progress_.size(); ++i) {
    const Watch& watch = (*watches_)[i];
    Progress& progress = progress_[i];
    const Expectation& e = watch.expectation;
    progress.value = std::numeric_limits<double>::quiet_NaN();
    if ((is_start && IsOfStep(e.what)) || !IsDue(watch, progress, last_time_)) continue;
    const double value = progress.value = Measure(world, step, watch, progress);
    if (step && std::isnan(value)) continue;
    const Sample sample{.value = value, .slack = CalcSlack(e, value), .time = last_time_};
    const bool replaces = !progress.sample || e.from == kScenarioEnd || sample.slack < progress.sample->slack;
    if (replaces) progress.sample = sample;
  }
}

double ExpectationMonitor::Measure(const World& world, const RecordedStep* step, const Watch& watch,
                                   Progress& progress) {
  const Expectation& e = watch.expectation;
  const StepReport& report = step ? step->report : world.report();
  const std::vector<Contact>* const recorded = step ? step->contacts : nullptr;
  const bool has_loads = !step || recorded;
  switch (e.what) {
    case Quantity::kPosition:
      return Component(MeasurePosition(world, watch.of, watch.in), e.axis);
    case Quantity::kDrift: {
      const Vector3d p_IF = MeasurePosition(world, watch.of, watch.in);
      if (!progress.reference_position) progress.reference_position = p_IF;
      return Component(p_IF - *progress.reference_position, e.axis);
    }
    case Quantity::kSpeed:
      return e.of.empty() ? MeasureLargestSpeed(world)
                          : Component(MeasureVelocity(world, watch.of, watch.in), e.axis);
    case Quantity::kPenetration:
      if (watch.of.body < 0) return report.penetration;
      if (has_loads)
        return MeasurePenetration(world.model(), recorded ? *recorded : world.contacts(), watch.of);
      break;
    case Quantity::kNcp:
      return report.certificate.ncp_max;
    case Quantity::kLoop:
      return report.loop;
    case Quantity::kEnergyDrift: {
      const double energy = world.CalcEnergy().total();
      if (!progress.reference_energy) progress.reference_energy = energy;
      return std::abs(energy - *progress.reference_energy);
    }
    case Quantity::kContacts:
      if (has_loads) return CountLoadedContacts(world, watch.of, watch.by, recorded);
      break;
    case Quantity::kForce:
      if (!has_loads) break;
      return Component(MeasureImpulse(world, watch.of, watch.in, watch.by, recorded) /
                           (step ? step->timestep : world.timestep()),
                       e.axis);
    case Quantity::kTime:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> ExpectationMonitor::values() const {
  std::vector<double> values;
  for (const Progress& progress : progress_) values.push_back(progress.value);
  return values;
}

std::vector<ExpectationResult> ExpectationMonitor::results(bool reached_end) const {
  std::vector<ExpectationResult> results;
  for (std::size_t i = 0; i < progress_.size(); ++i) {
    const Expectation& e = (*watches_)[i].expectation;
    const std::optional<Sample>& sample = progress_[i].sample;
    ExpectationResult& result = results.emplace_back();
    result.expectation = e;
    result.measured = sample ? sample->value : std::numeric_limits<double>::quiet_NaN();
    result.time = sample ? sample->time : last_time_;
    const bool is_complete = e.to == kScenarioEnd ? reached_end : last_time_ > e.to - HalfStep(timestep_);
    result.is_met = sample && is_complete && sample->slack >= 0.0;
  }
  return results;
}

}  // namespace stiction

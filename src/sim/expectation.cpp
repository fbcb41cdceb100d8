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
  return text;
}

ExpectationMonitor::ExpectationMonitor(const World& world, const std::vector<Expectation>& expectations)
    : start_time_(world.time()), timestep_(world.timestep()) {
  for (const Expectation& expectation : expectations) {
    watches_.push_back({.expectation = expectation,
                        .of = FindNamed(world.model(), expectation.of),
                        .in = FindNamed(world.model(), expectation.in),
                        .by = FindNamed(world.model(), expectation.by)});
  }
  ObserveAll(world, true);
}

void ExpectationMonitor::Observe(const World& world) {
  ObserveAll(world, false);
}

bool ExpectationMonitor::IsDue(const Watch& watch, double time) const {
  const Expectation& e = watch.expectation;
  const double half = HalfStep(timestep_);
  if (e.from == kScenarioEnd) return true;  // any step may be the last
  if (e.from == e.to) return !watch.sample && time > e.from - half;
  return time > e.from - half && time < e.to + half;
}

void ExpectationMonitor::ObserveAll(const World& world, bool is_start) {
  last_time_ = world.time() - start_time_;
  for (Watch& watch : watches_) {
    const Expectation& e = watch.expectation;
    watch.value = std::numeric_limits<double>::quiet_NaN();
    if ((is_start && IsOfStep(e.what)) || !IsDue(watch, last_time_)) continue;
    const double value = watch.value = Measure(world, watch);
    const Sample sample{.value = value, .slack = CalcSlack(e, value), .time = last_time_};
    const bool replaces = !watch.sample || e.from == kScenarioEnd || sample.slack < watch.sample->slack;
    if (replaces) watch.sample = sample;
  }
}

double ExpectationMonitor::Measure(const World& world, Watch& watch) {
  const Expectation& e = watch.expectation;
  switch (e.what) {
    case Quantity::kPosition:
      return Component(MeasurePosition(world, watch.of, watch.in), e.axis);
    case Quantity::kDrift: {
      const Vector3d p_IF = MeasurePosition(world, watch.of, watch.in);
      if (!watch.reference_position) watch.reference_position = p_IF;
      return Component(p_IF - *watch.reference_position, e.axis);
    }
    case Quantity::kSpeed:
      return e.of.empty() ? MeasureLargestSpeed(world)
                          : Component(MeasureVelocity(world, watch.of, watch.in), e.axis);
    case Quantity::kPenetration:
      return MeasurePenetration(world, watch.of);
    case Quantity::kNcp:
      return world.report().certificate.ncp_max;
    case Quantity::kLoop:
      return world.report().loop;
    case Quantity::kEnergyDrift: {
      const double energy = world.CalcEnergy().total();
      if (!watch.reference_energy) watch.reference_energy = energy;
      return std::abs(energy - *watch.reference_energy);
    }
    case Quantity::kContacts:
      return CountLoadedContacts(world, watch.of, watch.by);
    case Quantity::kForce:
      return Component(MeasureForce(world, watch.of, watch.in, watch.by), e.axis);
    case Quantity::kTime:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> ExpectationMonitor::values() const {
  std::vector<double> values;
  for (const Watch& watch : watches_) values.push_back(watch.value);
  return values;
}

std::vector<ExpectationResult> ExpectationMonitor::results(bool reached_end) const {
  std::vector<ExpectationResult> results;
  for (const Watch& watch : watches_) {
    const Expectation& e = watch.expectation;
    ExpectationResult& result = results.emplace_back();
    result.expectation = e;
    result.measured = watch.sample ? watch.sample->value : std::numeric_limits<double>::quiet_NaN();
    result.time = watch.sample ? watch.sample->time : last_time_;
    const bool is_complete = e.to == kScenarioEnd ? reached_end : last_time_ > e.to - HalfStep(timestep_);
    result.is_met = watch.sample && is_complete && watch.sample->slack >= 0.0;
  }
  return results;
}

}  // namespace stiction

// Whether a simulation does what a scenario expects (scenario/scenario.h).
//
// Quantities of the state (position, drift, speed, energy) are measured at the start and after every step,
// those of a step (penetration, ncp, loop, contacts) after every step, and belong to the time at its end. A
// time that falls between two steps means the nearest one; for quantities of a step, the start means the
// first step. Times are those of the simulation, as for controllers: of one that goes on from a saved state,
// what was due before is not measured, and a span begins with it.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "stiction/scenario/scenario.h"
#include "stiction/sim/world.h"

namespace stiction {

struct ExpectationResult {
  Expectation expectation;
  // The value nearest to, or furthest beyond, one of the bounds; NaN if the simulation did not reach the
  // time.
  double measured = 0.0;
  double time = 0.0;    // of that value [s]
  bool is_met = false;  // false too if the simulation ended before `to`
};

// "drift of cup in arm/hand: 3.2e-07 m, max 1e-05".
std::string Describe(const ExpectationResult& result);

// What is known of a step that another World took: of a log. NaN in the report is not known.
struct RecordedStep {
  const StepReport& report;
  const std::vector<Contact>* contacts = nullptr;  // null: not known
  double timestep = 0.0;                           // [s]
};

// A copy shares what is expected with the one that it is of, and is cheap.
class ExpectationMonitor {
 public:
  // At the start of the simulation. Throws std::invalid_argument if a body or frame does not exist.
  ExpectationMonitor(const World& world, const std::vector<Expectation>& expectations);

  // After each step. Reads the World, changes nothing in it, and allocates nothing.
  void Observe(const World& world);
  // The same of a step whose end is the World's state, but which it did not take itself. What is not known is
  // not measured.
  void Observe(const World& world, const RecordedStep& step);

  // As of the steps observed, the last of which is the end; or, if the simulation stopped before its time,
  // the end was never reached, and nothing that concerns it is met.
  std::vector<ExpectationResult> results(bool reached_end = true) const;
  bool empty() const { return watches_->empty(); }

  // What the last Observe() measured of each expectation; NaN where it was not due.
  std::vector<double> values() const;

 private:
  // A value and how far inside of the bounds it lies; negative: outside.
  struct Sample {
    double value = 0.0;
    double slack = 0.0;
    double time = 0.0;
  };
  struct Watch {
    Expectation expectation;
    Frame of, in, by;  // body = -1: not given
  };
  struct Progress {
    std::optional<Vector3d> reference_position{};  // at `from`, of a drift [m]
    std::optional<double> reference_energy{};      // at `from` [J]
    std::optional<Sample> sample{};
    double value = std::numeric_limits<double>::quiet_NaN();  // of the last Observe()
  };
  //   step  null: the World's own, as of its last step
  void ObserveAll(const World& world, const RecordedStep* step, bool is_start);
  static double Measure(const World& world, const RecordedStep* step, const Watch& watch, Progress& progress);
  // Whether `time` is one at which the expectation holds.
  bool IsDue(const Watch& watch, const Progress& progress, double time) const;

  std::shared_ptr<const std::vector<Watch>> watches_;
  std::vector<Progress> progress_;  // one a watch
  double start_time_ = 0.0;         // [s]
  double last_time_ = 0.0;          // of the last sample [s]
  double timestep_ = 0.0;           // [s]
};

}  // namespace stiction

// Steps that are taken in parts.
//
// A step whose solver misses the budget, with all its retries, is not taken: it is taken as two of half the
// timestep, and what misses there as two again. Each part is a step of its own, with contacts found anew and
// laws met, and the step's certificate is that of its worst part: a finer time axis where the motion asks for
// it, as integrators of variable step choose one. What makes such steps hard are impacts in heaps, where many
// contacts are about to stick or to open at once; another instant is another problem. The solver's
// last resorts are mostly left to the smallest parts (ContactSolver::is_last_chance): two parts cost less.
// Once one of these has missed, so has the step, and the others do without.
//
// Only contacts have a step divided: loops that miss their budget are at what rounding leaves. Bodies and
// targets that are moved in a step are moved at once: such steps are not divided.
//
// Impulses that are kept (State), and those of contacts, are the last part's times the number of parts like
// it in a step: over the timestep they give its forces, and the next step starts from what it will need. A
// part starts from its share of them. Both are by powers of two, and lose no bit.
#pragma once

#include "stiction/model/state.h"
#include "stiction/sim/step_report.h"

namespace stiction {

class StepParts {
 public:
  // A step of dt begins, as one part.
  //   most  parts of one size that it may be divided into: a power of two
  void Begin(double dt, int most);
  bool is_done() const { return has_stopped_ || num_taken_ == num_parts_; }
  // Its last part could not be taken.
  bool has_stopped() const { return has_stopped_; }
  bool may_divide() const { return num_parts_ < most_; }
  // A part that was taken missed its budget: so does the step.
  bool has_missed() const {
    return num_parts_ > 1 && num_taken_ > 0 && report_.status == StepStatus::kBudgetMissed;
  }
  // Of the next part's size in a step; once done, of the last one's.
  int num_parts() const { return num_parts_; }
  double dt() const { return dt_ / num_parts_; }  // [s]

  // The next part starts here.
  void Start(const State& state);
  // The state becomes that at the start of the step, whose last part could not be taken.
  void Restore(State& state) const;
  // It missed, and two take its place. The state, where it starts, keeps half its impulses.
  void Divide(const StepReport& missed, State& state);
  // It was taken, or left the state as it was.
  void Add(const StepReport& part);

  // Of all parts so far, and the work on those that were divided; where there are several.
  const StepReport& report() const { return report_; }
  // Configuration and velocity at the start of the last part, where there are several.
  const VectorXd& q_start() const { return q_start_; }
  const VectorXd& v_start() const { return v_start_; }

 private:
  double dt_ = 0.0;
  int most_ = 1, num_parts_ = 1, num_taken_ = 0;
  bool has_stopped_ = false;
  StepReport report_;
  VectorXd q_start_, v_start_;
  State step_start_;  // where there are several parts
};

// Impulses that a part ended with become those of a whole step.
//   factor  the number of parts of its size in a step
void ScaleImpulses(double factor, State& state);

}  // namespace stiction

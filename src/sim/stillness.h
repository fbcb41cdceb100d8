// Steps that change nothing but the time, and are not taken again.
//
// A step is a function of model, input and state, the time aside. Once one has left the state as it was, down
// to the last bit, every further one with the same input does, and finds the same contacts, impulses and
// certificate: there is nothing to compute until the state or the input differ. What is held comes to such a
// rest by itself (sim/rest_stage.h): stacks and heaps that stand, and mechanisms that balance.
//
// Nothing is given up for it, unlike for sleep (sim/sleep.h): there is no tolerance, and results are those of
// a world that does not look. It is the whole world that has to be still; where something moves, islands that
// do not are left out by themselves (sim/still_islands.h).
#pragma once

#include "stiction/model/input.h"
#include "stiction/model/state.h"
#include "stiction/sim/step_report.h"

namespace stiction {

// Whether all that a step reads, or writes, is the same to the last bit: the time is neither. A zero differs
// from one of the other sign.
bool HaveSameBits(const State& a, const State& b);
bool HaveSameBits(const Input& a, const Input& b);
bool HaveSameBits(const VectorXd& a, const VectorXd& b);
bool HaveSameBits(const ContactMemory& a, const ContactMemory& b);
bool HaveSameBits(const LimitMemory& a, const LimitMemory& b);

class Stillness {
 public:
  // At the start of a step: whether it would only repeat the last one, which ended where this one starts.
  //   is_kept  nobody but the last step has written what the state remembers, which is most of it: contacts.
  //            To look at all of it again would be most of what such a step costs.
  bool Begin(const Input& input, const State& state, bool is_kept);
  // At its end, where Begin said no.
  //   is_unmoved  the step left q and v as they were
  void End(const Input& input, const State& state, const StepReport& report, bool is_unmoved);
  // What the workspace was left with by the last step is no longer there.
  void Forget() { is_known_ = is_still_ = false; }

  // Of the step that is repeated.
  const StepReport& report() const { return report_; }

 private:
  bool is_known_ = false;      // input_ and state_ are those that the last step ended with, q and v unmoved
  bool is_still_ = false;      // and it started there
  bool starts_known_ = false;  // the step that runs
  bool has_ended_ = false;     // the last step came to its end, or was not taken
  Input input_;
  State state_;
  StepReport report_;
};

}  // namespace stiction

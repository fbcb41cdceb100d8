#include "sim/step_parts.h"

#include <algorithm>

#include "math/assert.h"

namespace stiction {
namespace {

bool IsTaken(StepStatus status) {
  return status == StepStatus::kOk || status == StepStatus::kBudgetMissed;
}

// The effort of one part is part of the whole's.
void AddWork(const StepReport& part, StepReport& whole) {
  const SolveReport last = part.solve;
  SolveReport& solve = whole.solve;
  const int num_left = solve.num_left + last.num_left;
  solve.Merge(last);
  solve.penalty = last.penalty;
  solve.num_left = num_left;
  whole.correction_newton += part.correction_newton;
  for (const StepPhase& phase : kStepPhases) whole.phases.*phase.time += part.phases.*phase.time;
}

void KeepWorse(const StageSolve& part, StageSolve& whole) {
  if (part.has_run && !(whole.has_run && part.residual <= whole.residual)) whole = part;
}

void KeepWorse(const Certificate& part, Certificate& whole) {
  if (!(part.ncp_max <= whole.ncp_max)) {
    whole.ncp_max = part.ncp_max;
    whole.worst_constraint = part.worst_constraint;
  }
  for (double Certificate::*number : {&Certificate::ncp_mean, &Certificate::canal, &Certificate::own_law,
                                      &Certificate::momentum, &Certificate::loop}) {
    if (!(part.*number <= whole.*number)) whole.*number = part.*number;
  }
}

}  // namespace

void StepParts::Begin(double dt, int most) {
  STICTION_ASSERT(most >= 1);
  dt_ = dt;
  most_ = most;
  num_parts_ = 1;
  num_taken_ = 0;
  has_stopped_ = false;
}

void StepParts::Start(const State& state) {
  if (num_parts_ == 1) return;
  q_start_ = state.q;
  v_start_ = state.v;
}

void StepParts::Restore(State& state) const {
  if (num_parts_ > 1) state = step_start_;
}

void StepParts::Divide(const StepReport& missed, State& state) {
  if (num_parts_ == 1) {
    step_start_ = state;
    report_ = StepReport{};
  }
  ScaleImpulses(0.5, state);
  const SolveStatus status = report_.solve.status;
  AddWork(missed, report_);
  report_.solve.status = status;  // nothing came of the miss
  num_parts_ *= 2;
  num_taken_ *= 2;
}

void StepParts::Add(const StepReport& part) {
  has_stopped_ = !IsTaken(part.status);
  ++num_taken_;
  if (num_parts_ == 1) return;
  const StepReport before = report_;
  report_ = part;
  report_.solve = before.solve;
  report_.phases = before.phases;
  report_.correction_newton = before.correction_newton;
  AddWork(part, report_);
  report_.num_parts = num_parts_;
  if (num_taken_ == 1) return;  // nothing was taken before
  report_.status = std::max(before.status, part.status);
  report_.is_converged = before.is_converged && part.is_converged;
  KeepWorse(before.certificate, report_.certificate);
  KeepWorse(before.ghost_filter, report_.ghost_filter);
  KeepWorse(before.position_stage, report_.position_stage);
  report_.penetration = std::max(before.penetration, part.penetration);
  report_.loop = std::max(before.loop, part.loop);
  report_.correction = std::max(before.correction, part.correction);
}

void ScaleImpulses(double factor, State& state) {
  for (ContactMemory& contact : state.contacts) {
    contact.impulse_W *= factor;
    contact.change_W *= factor * factor;  // of a step that is shorter, too
    contact.moment_W *= factor;
  }
  for (LimitMemory& limit : state.limits) {
    limit.lower_impulse *= factor;
    limit.upper_impulse *= factor;
    limit.lower_change *= factor * factor;
    limit.upper_change *= factor * factor;
  }
  state.equality_impulses *= factor;
  state.friction_impulses *= factor;
}

}  // namespace stiction

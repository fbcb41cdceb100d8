// Explicit Euler: all at the start of the step, and positions with its velocity.
#include "sim/free_motion.h"

namespace stiction {

bool FreeMotion::RunExplicitEuler(const Model& model, const Input& input, const State& state,
                                  const StepFrame& frame, ContactProblem& problem, int& bad_body) {
  CalcTerms(model, input, state, frame, frame.kin, state.q, state.v);
  if (!FactorSlopes(model, {}, frame, problem, bad_body)) return false;
  const JointForces& f = forces_;
  force_ = frame.dt * (f.passive + f.actuation + f.applied - bias_);
  SolveForce(model, frame);
  problem.v_star = state.v + force_;
  free_advance_ = frame.dt * state.v;
  return true;
}

}  // namespace stiction

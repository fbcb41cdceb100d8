// Runge-Kutta's method of fourth order, of the smooth motion between impulses.
#include "sim/free_motion.h"

namespace stiction {

bool FreeMotion::RunRungeKutta(const Model& model, const Input& input, const State& state,
                               const StepFrame& frame, ContactProblem& problem, int& bad_body) {
  constexpr double kStage[4] = {0.0, 0.5, 0.5, 1.0};
  constexpr double kWeight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  const double dt = frame.dt;
  VectorXd& v_star = problem.v_star;
  v_star = state.v;
  free_advance_.setZero(model.nv());
  force_.setZero(model.nv());
  trial_v_ = state.v;
  for (int i = 0; i < 4; ++i) {
    trial_q_ = state.q;
    // The stage's position follows the velocity of the stage before it.
    IntegrateConfiguration(model, frame.sleep.awake(), trial_v_, kStage[i] * dt, trial_q_);
    trial_v_ = state.v + kStage[i] * dt * force_;
    MoveMiddle(model, input, frame);
    CalcTerms(model, input, state, frame, middle_, trial_q_, trial_v_);
    if (!FactorSlopes(model, {}, frame, problem, bad_body)) return false;
    const JointForces& f = forces_;
    force_ = f.passive + f.actuation + f.applied - bias_;
    SolveForce(model, frame);
    v_star += kWeight[i] * dt * force_;
    free_advance_ += kWeight[i] * dt * trial_v_;
  }
  // Impulses act with the inertia, and at the rows, of the start.
  CalcMassMatrix(model, frame.sleep.computed(model), frame.kin, crba_, M_);
  return FactorSlopes(model, {}, frame, problem, bad_body);
}

}  // namespace stiction

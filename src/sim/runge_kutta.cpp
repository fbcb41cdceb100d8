// Runge-Kutta's method of fourth order, of the smooth motion between impulses.
#include "sim/free_motion.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// rate <- the rate of the rotation vectors θ from the start, of all joints that turn freely, in place of
// their angular velocities ω (body axes): θ' = ω + θ × ω / 2 + θ × (θ × ω) / 12 + O(θ⁴). Other coordinates
// have v.
//   turn  θ, and the displacement of the others
void CalcCoordinateRate(const Model& model, const TreeSet& trees, const VectorXd& turn, VectorXd& rate) {
  for (const IndexRange& range : trees.joints) {
    for (int j = range.begin; j < range.end; ++j) {
      const Joint& joint = model.joints[j];
      const int quaternion = joint.traits().quaternion;
      if (quaternion < 0) continue;
      const int first = joint.v_address + quaternion;
      const Vector3d theta = turn.segment<3>(first), omega = rate.segment<3>(first);
      const Vector3d cross = theta.cross(omega);
      rate.segment<3>(first) += 0.5 * cross + theta.cross(cross) / 12.0;
    }
  }
}

}  // namespace

// A of the start, with which impulses act, and its factor.
bool FreeMotion::FactorStart(const Model& model, const StepFrame& frame, ContactProblem& problem,
                             int& bad_body) {
  CalcMassMatrix(model, frame.sleep.computed(model), frame.kin, crba_, M_);
  return FactorSlopes(model, {}, frame, problem, bad_body);
}

bool FreeMotion::RunRungeKutta(const Model& model, const Input& input, const State& state,
                               const StepFrame& frame, const Loops& loops, ContactProblem& problem,
                               int& bad_body) {
  constexpr double kStage[4] = {0.0, 0.5, 0.5, 1.0};
  constexpr double kWeight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  const double dt = frame.dt;
  const TreeSet& awake = frame.sleep.awake();
  VectorXd& v_star = problem.v_star;
  if (closes_loops_) {
    if (!FactorStart(model, frame, problem, bad_body)) return false;
    start_factor_ = factor_;
    loops.stage.CorrectVelocity(model, frame.sleep, factor_, frame.kin, state.q, dt, v_star);
  }
  const VectorXd& v_start = change_ = v_star;
  free_advance_.setZero(model.nv());
  force_.setZero(model.nv());
  rate_.setZero(model.nv());
  for (int i = 0; i < 4; ++i) {
    // The stage's position follows the velocity of the stage before it.
    const VectorXd& turn = turn_ = kStage[i] * dt * rate_;
    trial_q_ = state.q;
    IntegrateConfiguration(model, awake, turn, 1.0, trial_q_);
    if (closes_loops_ && i > 0)
      loops.stage.Project(model, input, frame.sleep, start_factor_, frame.kin, state.q, kStage[i],
                          loops.probe, trial_q_);
    trial_v_ = v_start + kStage[i] * dt * force_;
    stage_time_ = kStage[i] * dt;
    MoveMiddle(model, input, frame);
    CalcTerms(model, input, state, frame, middle_, trial_q_, trial_v_);
    if (!FactorSlopes(model, {}, frame, problem, bad_body)) return false;
    const JointForces& f = forces_;
    force_ = f.passive + f.actuation + f.applied - bias_;
    SolveForce(model, frame);
    if (closes_loops_)
      loops.stage.CorrectAcceleration(model, input, frame.sleep, factor_, middle_, trial_q_, trial_v_,
                                      kWeight[i] * dt, loops.probe, force_);
    v_star += kWeight[i] * dt * force_;
    rate_ = trial_v_;
    CalcCoordinateRate(model, awake, turn, rate_);
    free_advance_ += kWeight[i] * dt * rate_;
  }
  // Impulses act at the rows of the start too.
  return FactorStart(model, frame, problem, bad_body);
}

}  // namespace stiction

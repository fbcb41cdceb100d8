// The θ-scheme with θ = θ_vq: implicit Euler (1) and the midpoint rule (1/2), by Newton's method.
#include <algorithm>
#include <limits>

#include "sim/effort_limits.h"
#include "sim/free_motion.h"

namespace stiction {
namespace {

constexpr int kMaxSpeedNewton = 10;
constexpr double kSpeedConverged = 1e-13;  // relative to the largest velocity
// Newton's method whose steps grow so much over the least of them leads away, unless all are small: springs
// and motors far from linear. Its first step from the start of the step is then what is taken.
constexpr double kLost = 10.0;
constexpr double kSmall = 1e-6;  // likewise relative

}  // namespace

// force_ becomes the step of Newton's method from the forces at the middle.
bool FreeMotion::SolveThetaStep(const Model& model, const StepFrame& frame, ContactProblem& problem,
                                int& bad_body) {
  const JointForces& f = forces_;
  if (!FactorSlopes(model, CalcSlopeFactors(frame.scheme, frame.dt), frame, problem, bad_body)) return false;
  M_.Multiply(change_.data(), force_.data());
  force_ = frame.dt * (f.passive + f.actuation + f.applied - bias_) + impulse_ - force_;
  SolveForce(model, frame);
  return true;
}

// The same with those that have a range on the sides of it to which that step leads. On the sides where they
// are, they would have no slope beyond their range, and a light body would be thrown from one end of it to
// the other for ever.
bool FreeMotion::CalcThetaStep(const Model& model, const Input& input, const State& state,
                               const StepFrame& frame, ContactProblem& problem, int& bad_body) {
  const double dt = frame.dt;
  const SlopeFactors factors = CalcSlopeFactors(frame.scheme, dt);
  if (!SolveThetaStep(model, frame, problem, bad_body)) return false;
  const EffortEnd end{
      .v = force_, .is_change = true, .damping = factors.damping / dt, .stiffness = factors.stiffness / dt};
  for (int round = 0; round < kMaxEffortRounds; ++round) {
    if (!UpdateSides(model, end, round, false, forces_)) break;
    CalcForces(model, input, state, frame, middle_, trial_q_, trial_v_);
    if (!SolveThetaStep(model, frame, problem, bad_body)) return false;
  }
  return true;
}

bool FreeMotion::RunTheta(double theta, const Model& model, const Input& input, const State& state,
                          const StepFrame& frame, ContactProblem& problem, int& bad_body) {
  const double dt = frame.dt;
  stage_time_ = theta < 1.0 ? theta * dt : 0.0;  // of first order Euler's activation will do
  VectorXd& v = problem.v_star;
  const double small = kSmall * (1.0 + state.v.lpNorm<Eigen::Infinity>());
  double least = std::numeric_limits<double>::infinity();
  bool is_lost = false;
  forces_.has_sides = false;
  for (int i = 0; i < (is_lost ? 1 : kMaxSpeedNewton); ++i) {
    trial_v_ = theta * v + (1.0 - theta) * state.v;
    trial_q_ = state.q;
    IntegrateConfiguration(model, frame.sleep.awake(), trial_v_, theta * dt, trial_q_);
    MoveMiddle(model, input, frame);
    CalcTerms(model, input, state, frame, middle_, trial_q_, trial_v_);
    change_ = v - state.v;
    if (!CalcThetaStep(model, input, state, frame, problem, bad_body)) return false;
    evaluated_v_ = v;
    v += force_;
    const double change = force_.lpNorm<Eigen::Infinity>();
    if (change <= kSpeedConverged * (1.0 + v.lpNorm<Eigen::Infinity>())) break;
    if (!is_lost && !(change <= kLost * std::max(least, small))) {
      v = state.v;
      is_lost = true;
      i = -1;
    }
    least = std::min(least, change);
  }
  row_q_ = trial_q_;
  if (!free_bodies_.empty()) converged_v_ = v;
  factor_.Solve(impulse_.data());
  v -= impulse_;
  FinishTheta(theta, model, state, frame, problem);
  return true;
}

// With v* of all but free bodies.
void FreeMotion::FinishTheta(double theta, const Model& model, const State& state, const StepFrame& frame,
                             ContactProblem& problem) {
  const double dt = frame.dt;
  if (!free_bodies_.empty()) {
    // What their forces add. Their slopes count from the velocity that the forces were found at.
    const JointForces& f = forces_;
    force_ = dt * (f.passive + f.actuation + f.applied - bias_);
    TakeBiasOut(model, state, converged_v_, frame, problem);
    SolveForce(model, frame);
    AddFlights(model, frame, problem);
  }
  free_advance_ = dt * (theta * problem.v_star + (1.0 - theta) * state.v);
}

// From the forces where they were evaluated last, whose slopes lead to where the impulses do.
Refinement FreeMotion::SettleSides(const Model& model, const Input& input, const State& state,
                                   const StepFrame& frame, const Solution& solution, int round,
                                   ContactProblem& problem, int& bad_body) {
  if (frame.scheme != Integrator::kImplicitEuler && frame.scheme != Integrator::kMidpoint)
    return Refinement::kNotNeeded;
  if (forces_.limited.empty() || solution.lambda.isZero(0.0)) return Refinement::kNotNeeded;
  const double dt = frame.dt, theta = CalcImpulseShare(frame.scheme);
  const SlopeFactors factors = CalcSlopeFactors(frame.scheme, dt);
  change_ = solution.v - evaluated_v_;
  const EffortEnd end{
      .v = change_, .is_change = true, .damping = factors.damping / dt, .stiffness = factors.stiffness / dt};
  if (!UpdateSides(model, end, round, false, forces_)) return Refinement::kNotNeeded;
  trial_v_ = theta * evaluated_v_ + (1.0 - theta) * state.v;
  trial_q_ = state.q;
  IntegrateConfiguration(model, frame.sleep.awake(), trial_v_, theta * dt, trial_q_);
  CalcForces(model, input, state, frame, middle_, trial_q_, trial_v_);
  change_ = evaluated_v_ - state.v;
  impulse_.setZero(model.nv());
  if (!SolveThetaStep(model, frame, problem, bad_body)) return Refinement::kSingularMass;
  problem.v_star = evaluated_v_ + force_;
  FinishTheta(theta, model, state, frame, problem);
  return Refinement::kDone;
}

Refinement FreeMotion::Refine(const Model& model, const Input& input, const State& state,
                              const StepFrame& frame, const Loops& loops, const Solution& solution,
                              ContactProblem& problem, int& bad_body) {
  if (frame.scheme != Integrator::kImplicitEuler && frame.scheme != Integrator::kMidpoint)
    return Refinement::kNotNeeded;
  if (!IsRefined(model) || solution.lambda.isZero(0.0)) return Refinement::kNotNeeded;
  impulse_.setZero(model.nv());
  problem.AddJTransposed(solution.lambda.data(), impulse_.data());
  const double theta = CalcImpulseShare(frame.scheme);
  foreseen_ = frame.dt * (theta * solution.v + (1.0 - theta) * state.v);
  problem.v_star = solution.v;
  if (!RunTheta(theta, model, input, state, frame, problem, bad_body)) return Refinement::kSingularMass;
  if (has_loops_) PlaceRows(model, input, state, frame, loops);
  return Refinement::kDone;
}

// The first guess of where the step leads: along the loops, of which v* knows nothing. Near a singular
// configuration all else is exaggerated.
void FreeMotion::ForeseeLoops(const Model& model, const State& state, const StepFrame& frame) {
  foreseen_ = frame.dt * state.v;
  row_q_ = state.q;
  IntegrateConfiguration(model, frame.sleep.awake(), foreseen_, CalcImpulseShare(frame.scheme), row_q_);
}

// Rows of loops are at row_q_. On the loops, if a little off them there are more independent rows than at the
// start. Only then: two bodies that float keep their angular momentum to rounding where each is in the middle
// of its own path.
void FreeMotion::PlaceRows(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                           const Loops& loops) {
  EqualityStage& stage = loops.stage;
  const auto move = [&] {
    CalcPositionKinematics(model, frame.sleep.awake(), row_q_, input.mocap, row_kin_);
  };
  move();
  const int rank = stage.CalcRank(model, frame.sleep, factor_, frame.kin, state.q);
  if (stage.CalcRank(model, frame.sleep, factor_, row_kin_, row_q_) <= rank) return;
  stage.Project(model, input, frame.sleep, factor_, frame.kin, state.q, CalcImpulseShare(frame.scheme),
                loops.probe, row_q_);
  move();
}

}  // namespace stiction

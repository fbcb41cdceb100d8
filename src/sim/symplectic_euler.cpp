// Symplectic Euler: all at the start of the step, and positions with the velocity of its end.
#include <algorithm>

#include "sim/effort_limits.h"
#include "sim/free_motion.h"
#include "stiction/sim/springs.h"

namespace stiction {
namespace {

constexpr std::size_t kMostSteps = 8;  // whose springs are known: a step, its half, ...

// τ += Jᵀ f of a slope row.
void AddSlopeForce(const JointForces& forces, const SlopeRow& row, double f, VectorXd& tau) {
  for (int b = row.first_block; b < row.first_block + row.num_blocks; ++b) {
    const TendonWorkspace::Block& block = forces.slope_blocks[b];
    for (int k = block.first; k < block.first + block.num_dofs; ++k)
      tau[forces.slope_dofs[k]] += f * forces.slope_values[k];
  }
}

}  // namespace

const ExplicitSprings& FreeMotion::FindSpringsOf(const Model& model, const StepFrame& frame) {
  const auto is_known = [&](const StepSprings& known) { return known.dt == frame.dt; };
  const auto found = std::find_if(springs_of_steps_.begin(), springs_of_steps_.end(), is_known);
  if (found != springs_of_steps_.end()) return found->springs;
  if (springs_of_steps_.size() == kMostSteps) springs_of_steps_.clear();
  springs_of_steps_.push_back({frame.dt, FindExplicitSprings(model, frame.scheme, frame.dt)});
  return springs_of_steps_.back().springs;
}

bool FreeMotion::RunSymplecticEuler(const Model& model, const Input& input, const State& state,
                                    const StepFrame& frame, const Loops& loops, ContactProblem& problem,
                                    int& bad_body) {
  if (springs_dt_ != frame.dt) {
    forces_.explicit_springs = FindSpringsOf(model, frame);
    springs_dt_ = frame.dt;
  }
  CalcTerms(model, input, state, frame, frame.kin, state.q, state.v);
  if (!FinishEuler(model, state, frame, problem, bad_body)) return false;
  AverageBias(model, input, state, frame, loops, problem);
  if (mean_bias_.Limit(model, frame, factor_, bias_)) CalcFreeVelocity(model, state, frame, problem);
  for (int round = 0; round < kMaxEffortRounds; ++round) {
    const EffortEnd end{.v = problem.v_star, .is_change = false, .stiffness = frame.dt};
    if (!UpdateSides(model, end, round, false, forces_)) break;
    if (!Repeat(model, input, state, frame, problem, bad_body)) return false;
  }
  return true;
}

// What is foreseen of the end of the step with the bias of its start is of first order, and of second with
// what comes of that.
void FreeMotion::AverageBias(const Model& model, const Input& input, const State& state,
                             const StepFrame& frame, const Loops& loops, ContactProblem& problem) {
  if (!mean_bias_.Find(model, state, frame)) return;
  if (has_loops_) {
    loops.stage.CalcRows(model, input, state, frame.sleep, factor_, foreseen_, frame.kin, frame.kin, state.q,
                         CalcImpulseShare(frame.scheme), frame.dt, loops.probe);
    has_loop_rows_ = true;
    mean_bias_.LeaveTied(loops.stage.rows());
  }
  const VectorXd& friction = mean_bias_.CalcFriction(state, frame, factor_);
  bool is_rough = true;
  for (int pass = 0; is_rough && pass < 2; ++pass) {
    trial_v_ = problem.v_star + friction;
    if (has_loops_) loops.stage.Lead(factor_, trial_v_);
    is_rough = mean_bias_.Apply(model, frame, trial_v_, factor_, bias_, problem.v_star);
  }
  // As Repeat finds it, to the last bit: that is asked for by whichever tree has a force at its limit.
  CalcFreeVelocity(model, state, frame, problem);
}

bool FreeMotion::Repeat(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                        ContactProblem& problem, int& bad_body) {
  has_loop_rows_ = false;
  CalcForces(model, input, state, frame, frame.kin, state.q, state.v);
  return FinishEuler(model, state, frame, problem, bad_body);
}

// From forces, M and bias at the start.
bool FreeMotion::FinishEuler(const Model& model, const State& state, const StepFrame& frame,
                             ContactProblem& problem, int& bad_body) {
  if (!FactorSlopes(model, CalcSlopeFactors(frame.scheme, frame.dt), frame, problem, bad_body)) return false;
  CalcFreeVelocity(model, state, frame, problem);
  return true;
}

void FreeMotion::CalcFreeVelocity(const Model& model, const State& state, const StepFrame& frame,
                                  ContactProblem& problem) {
  const JointForces& f = forces_;
  const double dt = frame.dt;
  force_ = dt * (f.passive + f.actuation + f.applied - bias_ - dt * f.stiffness.cwiseProduct(state.v));
  for (const SlopeRow& row : f.slope_rows) {
    if (row.is_one_branch) AddSlopeForce(f, row, -dt * dt * row.stiffness * row.rate, force_);
  }
  TakeBiasOut(model, state, state.v, frame, problem);
  SolveForce(model, frame);
  problem.v_star = state.v + force_;
  AddFlights(model, frame, problem);
  foreseen_ = dt * state.v;
}

}  // namespace stiction

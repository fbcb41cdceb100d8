#include "sim/free_velocity.h"

#include <algorithm>
#include <cmath>

#include "sim/adhesion.h"
#include "sim/effort_limits.h"
#include "stiction/sim/springs.h"

namespace stiction {
namespace {

constexpr int kMaxSpeedNewton = 10;
constexpr double kConverged = 1e-13;  // relative to the largest velocity

void CalcForces(const Model& model, const Input& input, const State& state, const Kinematics& kin,
                const VectorXd& q, const VectorXd& v, StepWorkspace& ws) {
  CalcJointForces(model, kin, q, v, state.activation, input, ws.forces);
  AddAdhesion(model, ws.kin, ws.contacts, ws.forces);
}

// M, bias and joint forces at `kin`, which is that of q and v.
void CalcTerms(const Model& model, const Input& input, const State& state, const Kinematics& kin,
               const VectorXd& q, const VectorXd& v, StepWorkspace& ws) {
  const TreeSet& trees = ws.sleep.computed(model);
  CalcMassMatrix(model, trees, kin, ws.crba, ws.M);
  CalcBias(model, trees, kin, v, model.options.gravity, ws.rnea, ws.bias);
  CalcForces(model, input, state, kin, q, v, ws);
}

// Slopes that couple the dofs of one branch.
void AddBranchSlopes(StepWorkspace& ws, const SlopeFactors& factors) {
  const JointForces& forces = ws.forces;
  BranchSparseMatrix& A = ws.problem.A;
  for (const SlopeRow& row : forces.slope_rows) {
    if (!row.is_one_branch) continue;
    const double slope = factors.damping * row.damping + factors.stiffness * row.stiffness;
    const TendonWorkspace::Block& block = forces.slope_blocks[row.first_block];
    // The rows of those who sleep have it already.
    if (!ws.sleep.is_refresh() && !ws.sleep.IsAwake(block.tree)) continue;
    const int* dofs = forces.slope_dofs.data() + block.first;
    const double* value = forces.slope_values.data() + block.first;
    for (int i = 0; i < block.num_dofs; ++i) {
      double* entries = A.row(dofs[i]);
      for (int j = 0; j <= i; ++j) entries[j] += slope * value[i] * value[j];
    }
  }
}

// A and its factor; false as CalcFreeVelocity.
bool FactorSlopes(const Model& model, const SlopeFactors& factors, StepWorkspace& ws, int& bad_body) {
  const std::vector<IndexRange>& rows = ws.sleep.computed(model).dofs;
  ws.problem.A.CopyRows(ws.M, rows);
  for (const IndexRange& range : rows) {
    for (int k = range.begin; k < range.end; ++k)
      ws.problem.A.diagonal(k) +=
          factors.damping * ws.forces.damping[k] + factors.stiffness * ws.forces.stiffness[k];
  }
  AddBranchSlopes(ws, factors);
  const int bad_row = ws.factor.Factor(ws.problem.A, rows);
  if (bad_row >= 0) bad_body = model.joints[model.dof_joint[bad_row]].body;
  return bad_row < 0;
}

// Free bodies: gyroscopic terms by the midpoint rule, so that the bias leaves their force. Before the solve.
void TakeBiasOut(const Model& model, const State& state, StepWorkspace& ws) {
  for (std::size_t i = 0; i < ws.free_bodies.size(); ++i) {
    const FreeBody& free_body = ws.free_bodies[i];
    if (!ws.sleep.IsAwake(free_body.tree)) continue;
    const int first = model.trees[free_body.tree].first_dof;
    ws.flights[i] = CalcFreeFlight(free_body, ws.kin.X_WB[free_body.body].R, state.v.data() + first, ws.dt);
    ws.force.segment<6>(first) += ws.dt * ws.bias.segment<6>(first);
  }
}

// v* of free bodies from what the forces add, ws.force, after the solve.
void AddFlights(const Model& model, StepWorkspace& ws) {
  for (std::size_t i = 0; i < ws.free_bodies.size(); ++i) {
    if (!ws.sleep.IsAwake(ws.free_bodies[i].tree)) continue;
    const int first = model.trees[ws.free_bodies[i].tree].first_dof;
    ws.problem.v_star.segment<6>(first) = ws.flights[i] + ws.force.segment<6>(first);
    ws.problem.v_star.segment<3>(first) += ws.dt * model.options.gravity;
  }
}

// τ += Jᵀ f of a slope row.
void AddSlopeForce(const JointForces& forces, const SlopeRow& row, double f, VectorXd& tau) {
  for (int b = row.first_block; b < row.first_block + row.num_blocks; ++b) {
    const TendonWorkspace::Block& block = forces.slope_blocks[b];
    for (int k = block.first; k < block.first + block.num_dofs; ++k)
      tau[forces.slope_dofs[k]] += f * forces.slope_values[k];
  }
}

// From forces, M and bias at the start.
bool FinishEuler(const Model& model, const State& state, StepWorkspace& ws, int& bad_body) {
  const JointForces& f = ws.forces;
  const double dt = ws.dt;
  ws.force = dt * (f.passive + f.actuation + f.applied - ws.bias - dt * f.stiffness.cwiseProduct(state.v));
  for (const SlopeRow& row : f.slope_rows) {
    if (row.is_one_branch) AddSlopeForce(f, row, -dt * dt * row.stiffness * row.rate, ws.force);
  }
  if (!FactorSlopes(model, CalcSlopeFactors(ws.integrator, ws.dt), ws, bad_body)) return false;
  TakeBiasOut(model, state, ws);
  ws.sleep.ClearSleeping(ws.force);
  ws.factor.Solve(ws.force.data());
  ws.problem.v_star = state.v + ws.force;
  AddFlights(model, ws);
  ws.free_advance = dt * ws.problem.v_star;
  return true;
}

bool RunEuler(const Model& model, const Input& input, const State& state, StepWorkspace& ws, int& bad_body) {
  if (ws.springs_dt != ws.dt) {
    ws.forces.explicit_springs = FindExplicitSprings(model, ws.integrator, ws.dt);
    ws.springs_dt = ws.dt;
  }
  CalcTerms(model, input, state, ws.kin, state.q, state.v, ws);
  if (!FinishEuler(model, state, ws, bad_body)) return false;
  for (int round = 0; round < kMaxEffortRounds; ++round) {
    if (!UpdateSides(model, ws.problem.v_star, ws.dt, round, ws.forces)) break;
    if (!RepeatEuler(model, input, state, ws, bad_body)) return false;
  }
  return true;
}

// The θ-scheme with θ = θ_vq, from v in problem.v_star, under the impulse ws.impulse (size nv).
bool RunTheta(double theta, const Model& model, const Input& input, const State& state, StepWorkspace& ws,
              int& bad_body) {
  const double dt = ws.dt;
  VectorXd& v = ws.problem.v_star;
  for (int i = 0; i < kMaxSpeedNewton; ++i) {
    ws.trial_v = theta * v + (1.0 - theta) * state.v;
    ws.trial_q = state.q;
    IntegrateConfiguration(model, ws.sleep.awake(), ws.trial_v, theta * dt, ws.trial_q);
    CalcPositionKinematics(model, ws.sleep.awake(), ws.trial_q, input.mocap, ws.middle);
    CalcVelocityKinematics(model, ws.sleep.awake(), ws.trial_v, ws.middle);
    CalcTerms(model, input, state, ws.middle, ws.trial_q, ws.trial_v, ws);
    if (!FactorSlopes(model, CalcSlopeFactors(ws.integrator, ws.dt), ws, bad_body)) return false;
    const JointForces& f = ws.forces;
    ws.advance = v - state.v;
    ws.M.Multiply(ws.advance.data(), ws.force.data());
    ws.force = dt * (f.passive + f.actuation + f.applied - ws.bias) + ws.impulse - ws.force;
    ws.sleep.ClearSleeping(ws.force);
    ws.factor.Solve(ws.force.data());
    v += ws.force;
    const double change = ws.force.lpNorm<Eigen::Infinity>();
    if (!(change > kConverged * (1.0 + v.lpNorm<Eigen::Infinity>()))) break;
  }
  ws.middle_q = ws.trial_q;
  ws.factor.Solve(ws.impulse.data());
  v -= ws.impulse;
  if (!ws.free_bodies.empty()) {
    // What their forces add, at the start of the step.
    const JointForces& f = ws.forces;
    ws.force = dt * (f.passive + f.actuation + f.applied - ws.bias);
    TakeBiasOut(model, state, ws);
    ws.sleep.ClearSleeping(ws.force);
    ws.factor.Solve(ws.force.data());
    AddFlights(model, ws);
  }
  ws.free_advance = dt * (theta * v + (1.0 - theta) * state.v);
  return true;
}

bool RunRungeKutta(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                   int& bad_body) {
  constexpr double kStage[4] = {0.0, 0.5, 0.5, 1.0};
  constexpr double kWeight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  const double dt = ws.dt;
  VectorXd& v_star = ws.problem.v_star;
  v_star = state.v;
  ws.free_advance.setZero(model.nv());
  ws.force.setZero(model.nv());
  ws.trial_v = state.v;
  for (int i = 0; i < 4; ++i) {
    ws.trial_q = state.q;
    // The stage's position follows the velocity of the stage before it.
    IntegrateConfiguration(model, ws.sleep.awake(), ws.trial_v, kStage[i] * dt, ws.trial_q);
    ws.trial_v = state.v + kStage[i] * dt * ws.force;
    CalcPositionKinematics(model, ws.sleep.awake(), ws.trial_q, input.mocap, ws.middle);
    CalcVelocityKinematics(model, ws.sleep.awake(), ws.trial_v, ws.middle);
    CalcTerms(model, input, state, ws.middle, ws.trial_q, ws.trial_v, ws);
    if (!FactorSlopes(model, {}, ws, bad_body)) return false;
    const JointForces& f = ws.forces;
    ws.force = f.passive + f.actuation + f.applied - ws.bias;
    ws.sleep.ClearSleeping(ws.force);
    ws.factor.Solve(ws.force.data());
    v_star += kWeight[i] * dt * ws.force;
    ws.free_advance += kWeight[i] * dt * ws.trial_v;
  }
  // Impulses act with the inertia, and at the rows, of the start.
  ws.middle = ws.kin;
  ws.middle_q = state.q;
  CalcMassMatrix(model, ws.sleep.computed(model), ws.kin, ws.crba, ws.M);
  return FactorSlopes(model, {}, ws, bad_body);
}

}  // namespace

SlopeFactors CalcSlopeFactors(Integrator scheme, double dt) {
  if (scheme == Integrator::kRungeKutta4) return {};
  const double step = CalcImpulseShare(scheme) * dt;
  return {step, step * step};
}

double CalcSlopeRate(const JointForces& forces, int first_block, int num_blocks, const VectorXd& v) {
  double rate = 0.0;
  for (int b = first_block; b < first_block + num_blocks; ++b) {
    const TendonWorkspace::Block& block = forces.slope_blocks[b];
    for (int k = block.first; k < block.first + block.num_dofs; ++k)
      rate += forces.slope_values[k] * v[forces.slope_dofs[k]];
  }
  return rate;
}

double CalcImpulseShare(Integrator integrator) {
  return integrator == Integrator::kMidpoint ? 0.5 : 1.0;
}

bool RepeatEuler(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                 int& bad_body) {
  CalcForces(model, input, state, ws.kin, state.q, state.v, ws);
  return FinishEuler(model, state, ws, bad_body);
}

Refinement RefineFreeVelocity(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                              int& bad_body) {
  if (ws.integrator != Integrator::kImplicitEuler && ws.integrator != Integrator::kMidpoint)
    return Refinement::kNotNeeded;
  if (ws.free_bodies.size() == model.trees.size() || ws.solution.lambda.isZero(0.0))
    return Refinement::kNotNeeded;
  ws.impulse.setZero(model.nv());
  ws.problem.AddJTransposed(ws.solution.lambda.data(), ws.impulse.data());
  const double theta = CalcImpulseShare(ws.integrator);
  ws.foreseen = ws.dt * (theta * ws.solution.v + (1.0 - theta) * state.v);
  ws.problem.v_star = ws.solution.v;
  return RunTheta(theta, model, input, state, ws, bad_body) ? Refinement::kDone : Refinement::kSingularMass;
}

bool CalcFreeVelocity(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                      int& bad_body) {
  ws.forces.has_sides = false;
  ws.problem.v_star = state.v;
  ws.impulse.setZero(model.nv());
  switch (ws.integrator) {
    case Integrator::kSymplecticEuler:
      return RunEuler(model, input, state, ws, bad_body);
    case Integrator::kImplicitEuler:
      return RunTheta(1.0, model, input, state, ws, bad_body);
    case Integrator::kMidpoint:
      return RunTheta(0.5, model, input, state, ws, bad_body);
    case Integrator::kRungeKutta4:
      return RunRungeKutta(model, input, state, ws, bad_body);
  }
  return false;
}

}  // namespace stiction

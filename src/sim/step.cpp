#include "stiction/sim/step.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sim/effort_limits.h"
#include "sim/free_velocity.h"
#include "sim/step_workspace.h"

namespace stiction {
namespace {

constexpr double kDivergence = 1e10;  // [m/s or rad/s]

class PhaseTimer {
 public:
  // Adds the time since the last call to `phase`.
  void Charge(double& phase) {
    const auto now = std::chrono::steady_clock::now();
    phase += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Keeps the worse of two solves of the same stage.
void Keep(const StageSolve& solve, StageSolve& worst) {
  if (!solve.has_run || (worst.has_run && solve.residual <= worst.residual)) return;
  worst = solve;
}

// Poses, velocities and tendons at the start of the step. Needs SleepStage::Begin.
void CalcStart(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  const TreeSet& trees = ws.sleep.computed(model);
  CalcPositionKinematics(model, trees, state.q, input.mocap, ws.kin);
  CalcVelocityKinematics(model, trees, state.v, ws.kin);
  if (model.num_tendons() > 0) CalcTendons(model, ws.kin, state.q, ws.tendons);
  if (!ws.sleep.is_refresh()) return;
  // Where other configurations are tried, those who sleep stay as they are.
  ws.probe = ws.kin;
  ws.middle = ws.kin;
  ws.ghost_filter.Refresh(ws.kin);
}

// Finds contacts, wakes whom something awake reaches, and looks again; then limits.
void Detect(const Model& model, State& state, StepWorkspace& ws) {
  DetectionScope scope = ws.sleep.scope();
  ws.detector.Detect(model, ws.kin, scope, state.contacts, ws.dt, ws.contacts);
  while (ws.sleep.WakeTouched(model, ws.contacts, state)) {
    scope.still_moved = false;
    ws.detector.Detect(model, ws.kin, scope, state.contacts, ws.dt, ws.contacts);
  }
  ws.sleep.Summarize(model, ws.kin, state.sleep);
  FindLimits(model, ws.sleep.awake(), state.q, state.v, ws.tendons, ws.dt, ws.limits);
}

// The rows of all exact equalities and their bias, for the displacement ws.foreseen.
void CalcEqualityRows(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  const bool is_explicit = ws.integrator == Integrator::kSymplecticEuler;
  ws.equality_stage.CalcRows(model, input, state, ws.sleep, ws.factor, ws.foreseen, ws.kin,
                             is_explicit ? ws.kin : ws.middle, is_explicit ? state.q : ws.middle_q,
                             CalcImpulseShare(ws.integrator), ws.dt, ws.probe);
}

// All rows of the problem, and the warm start of its solution.
//   keeps_impulses  SolveStage::Begin
void Assemble(const Model& model, const Input& input, const State& state, bool keeps_impulses,
              StepWorkspace& ws, StepReport& report) {
  const StepFrame frame = ws.frame();
  if (ws.equality_stage.is_needed()) {
    ws.foreseen = ws.free_advance;
    if (ws.integrator == Integrator::kSymplecticEuler) ws.foreseen = ws.dt * state.v;
    CalcEqualityRows(model, input, state, ws);
  }
  ws.slip.Recall(model, frame, state.contacts);
  ws.assembler.Assemble(model, input, state, frame, ws.motion(), ws.equality_stage, ws.slip,
                        ws.solve.solver->uses_bodies());
  Keep(ws.ghost_filter.Run(model, input, state, frame, ws.rows, ws.factor, ws.admitted), report.ghost_filter);
  ws.assembler.AddContacts(model, state, frame, ws.motion(), ws.slip, ws.admitted);
  ws.solve.Begin(ws.rows.warm_start, state.penalties, keeps_impulses);
}

void Solve(StepWorkspace& ws, StepReport& report) {
  ws.solve.Solve(ws.frame(), ws.factor, ws.rows, ws.slip, report);
}

// Solves again while impulses put a limited force on another side of its range. What cannot be settled is in
// the certificate. False if A is singular on one of the sides.
[[nodiscard]] bool SettleEfforts(const Model& model, const Input& input, const State& state,
                                 StepWorkspace& ws, StepReport& report) {
  if (ws.integrator != Integrator::kSymplecticEuler || ws.forces.limited.empty()) return true;
  for (int round = 0; round < kMaxEffortRounds; ++round) {
    if (!UpdateSides(model, ws.solution.v, ws.dt, round, ws.forces)) break;
    if (!RepeatEuler(model, input, state, ws, report.bad_body)) return false;
    // Slopes along several joints may be rows of the problem, which come and go with their forces.
    const auto& limited = ws.forces.limited;
    if (std::any_of(limited.begin(), limited.end(), [](const LimitedForce& f) { return f.dof < 0; }))
      Assemble(model, input, state, true, ws, report);
    Solve(ws, report);
  }
  const double residual = CalcEffortResidual(model, ws);
  report.certificate.ncp_max = std::max(report.certificate.ncp_max, residual);
  if (!(residual <= ws.solve.budget)) {
    report.status = StepStatus::kBudgetMissed;
    report.is_converged = false;
  }
  RecordEfforts(model, ws.forces);
  return true;
}

// ws.advance: where the step leads, dt v⁺ or what the integrator makes of it [m or rad].
void CalcAdvance(StepWorkspace& ws) {
  ws.advance = ws.dt * ws.solution.v;
  if (ws.integrator == Integrator::kSymplecticEuler || ws.integrator == Integrator::kImplicitEuler) return;
  ws.advance = ws.free_advance + 0.5 * ws.dt * (ws.solution.v - ws.problem.v_star);
  if (ws.integrator == Integrator::kMidpoint || !ws.equality_stage.is_needed()) return;
  // The other half of what bilateral rows do, whose bias counts on all of it.
  ws.impulse.setZero(ws.problem.nv());
  for (const Constraint& c : ws.problem.constraints) {
    if (c.type != ConstraintType::kBilateral) continue;
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const JacobianBlock& block = ws.problem.blocks[b];
      for (int k = 0; k < block.num_dofs; ++k)
        ws.impulse[ws.problem.block_dofs[block.first_dof + k]] +=
            ws.problem.jacobian[block.first_value + k] * ws.solution.lambda[c.row];
    }
  }
  ws.factor.Solve(ws.impulse.data());
  ws.advance += 0.5 * ws.dt * ws.impulse;
}

// The body of the first number that is not finite or beyond any physical speed, -1 if there is none.
int FindBadBody(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& v) {
  for (const IndexRange& range : trees.joints) {
    for (int j = range.begin; j < range.end; ++j) {
      const Joint& joint = model.joints[j];
      for (int i = 0; i < joint.nv(); ++i) {
        if (!(std::abs(v[joint.v_address + i]) < kDivergence)) return joint.body;
      }
      for (int i = 0; i < joint.nq(); ++i) {
        if (!std::isfinite(q[joint.q_address + i])) return joint.body;
      }
    }
  }
  return -1;
}

// ws.trial_q and ws.trial_v become the end of the step.
void Integrate(const Model& model, const State& state, StepWorkspace& ws) {
  ws.tree_has_impulse.assign(model.num_trees(), 0);
  for (const Constraint& c : ws.problem.constraints) {
    if (ws.solution.lambda.segment(c.row, c.dim()).isZero(0.0)) continue;
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      ws.tree_has_impulse[ws.problem.blocks[b].subsystem] = 1;
    }
  }
  ws.trial_v = ws.solution.v;
  ws.trial_q = state.q;
  CalcAdvance(ws);
  ws.advance += ws.position_stage.displacement();
  IntegrateConfiguration(model, ws.sleep.awake(), ws.advance, 1.0, ws.trial_q);
  for (std::size_t i = 0; i < ws.free_bodies.size(); ++i) {
    const FreeBody& free_body = ws.free_bodies[i];
    if (!ws.sleep.IsAwake(free_body.tree)) continue;
    const Joint& joint = model.joints[free_body.joint];
    double* q = ws.trial_q.data() + joint.q_address;
    std::copy_n(state.q.data() + joint.q_address, FreeJoint::kNq, q);
    AdvanceFreeBody(free_body, !ws.tree_has_impulse[free_body.tree], state.v.data() + joint.v_address,
                    ws.flights[i].data(), ws.position_stage.displacement().data() + joint.v_address, ws.dt,
                    CalcImpulseShare(ws.integrator), q, ws.trial_v.data() + joint.v_address);
  }
}

void CloseLoops(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                StepReport& report) {
  ws.loop_correction = 0.0;
  if (!ws.equality_stage.is_needed() || !ws.trial_q.allFinite()) return;
  ws.loop_correction =
      ws.equality_stage.Project(model, input, ws.sleep, ws.factor, ws.kin, state.q, ws.probe, ws.trial_q);
  report.correction = std::max(report.correction, ws.loop_correction);
  report.loop = ws.equality_stage.residual();
}

// What floats ends the step with the momentum that it has.
void KeepMomentum(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  if (ws.integrator == Integrator::kRungeKutta4) return;
  const bool is_euler = ws.integrator == Integrator::kSymplecticEuler;
  const FloatingMomentum::Step step{.dt = ws.dt,
                                    .theta = CalcImpulseShare(ws.integrator),
                                    .mocap = input.mocap,
                                    .v_start = state.v,
                                    .awake = ws.sleep.awake(),
                                    .start = ws.kin,
                                    .middle = is_euler ? ws.kin : ws.middle,
                                    .M = ws.M,
                                    .bias = ws.bias,
                                    .flights = ws.flights,
                                    .problem = ws.problem,
                                    .lambda = ws.solution.lambda,
                                    .displacement = ws.position_stage.displacement(),
                                    .scratch = ws.force};
  ws.floating_momentum.Restore(model, step, ws.probe, ws.trial_q, ws.trial_v);
}

// The laws once more where the integrator's free velocity goes by the velocity that the first solve gave.
// False if A is singular at the velocity that the first solve gave.
[[nodiscard]] bool SolveRefined(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                                PhaseTimer& timer, StepReport& report) {
  const Refinement refinement = RefineFreeVelocity(model, input, state, ws, report.bad_body);
  if (refinement != Refinement::kDone) return refinement == Refinement::kNotNeeded;
  if (ws.equality_stage.is_needed()) {
    CalcEqualityRows(model, input, state, ws);
    ws.equality_stage.UpdateRows(ws.problem);
  }
  timer.Charge(report.phases.dynamics);
  Solve(ws, report);
  timer.Charge(report.phases.solve);
  return true;
}

// Removes penetration, without changing any velocity.
void CorrectPositions(StepWorkspace& ws, StepReport& report) {
  CalcAdvance(ws);
  report.position_stage = ws.position_stage.Correct(ws.frame(), ws.rows, ws.factor, ws.advance);
  if (!report.position_stage.has_run) return;
  report.correction_newton = ws.position_stage.newton_steps();
  report.correction = ws.position_stage.displacement().lpNorm<Eigen::Infinity>();
}

// The state becomes that of the end of the step.
void Advance(const Model& model, const Input& input, StepWorkspace& ws, State& state) {
  const StepFrame frame = ws.frame();
  ws.slip.Remember(model, frame, ws.rows, ws.solution, state.contacts);
  RememberJointImpulses(model, frame, ws.rows, ws.solution.lambda, state);
  state.penalties = ws.solution.penalty;
  AdvanceActivations(model, input, ws.dt, state.activation);
  state.equality_target = input.equality_target;
  state.mocap = input.mocap;
  state.q.swap(ws.trial_q);
  state.v.swap(ws.trial_v);
  state.time += ws.dt;
}

// How many rows there were, and how deep bodies were in one another.
void ReportRows(const Model& model, const StepWorkspace& ws, StepReport& report) {
  report.num_limits = static_cast<int>(ws.limits.size());
  for (const RowSource& source : ws.rows.sources) {
    report.num_contacts += source.contact >= 0;
    report.num_equality_rows += source.equality_row >= 0;
  }
  for (const DetectedContact& contact : ws.contacts) {
    const double moved =
        CalcMocapStep(model, ws.frame(), contact).displacement.dot(contact.tracked.point.n_W);
    report.penetration = std::max(report.penetration, moved - contact.tracked.point.gap);
  }
}

// Puts to sleep who has been at rest for long enough, and reports on all who sleep.
void LetSleep(const Model& model, const Input& input, StepWorkspace& ws, StepReport& report, State& state) {
  if (!ws.sleep.is_enabled) return;
  const SleepStage::Motion motion{ws.M,        ws.advance, ws.loop_correction, ws.start_activation,
                                  ws.contacts, ws.dt};
  if (ws.sleep.CountRest(model, input, motion, state)) {
    const std::vector<double>& ncp = ws.solve.CalcTreeResiduals(model, ws.problem);
    ws.sleep.PutToSleep(model, ws.contacts, ncp, ws.solve.budget, state);
  }
  report.num_sleeping = ws.sleep.num_sleeping();
  report.penetration = std::max(report.penetration, ws.sleep.penetration());
  if (!(ws.sleep.ncp() > report.certificate.ncp_max)) return;
  report.certificate.ncp_max = ws.sleep.ncp();
  report.certificate.worst_constraint = -1;
}

}  // namespace

void Step(const Model& model, const Input& input, State& state, StepWorkspace& ws, StepReport& report) {
  report = StepReport{};
  PhaseTimer timer, total;
  ws.mocap_motion.Update(state.mocap, input.mocap);
  ws.sleep.Begin(model, input, state);
  if (ws.sleep.is_enabled) ws.start_activation = state.activation;
  CalcStart(model, input, state, ws);
  timer.Charge(report.phases.kinematics);

  Detect(model, state, ws);
  timer.Charge(report.phases.collision);

  if (!CalcFreeVelocity(model, input, state, ws, report.bad_body)) {
    report.status = StepStatus::kSingularMass;
    return;
  }
  timer.Charge(report.phases.dynamics);

  Assemble(model, input, state, false, ws, report);
  timer.Charge(report.phases.assembly);

  Solve(ws, report);
  const bool is_settled = SettleEfforts(model, input, state, ws, report);
  timer.Charge(report.phases.solve);
  if (!is_settled || !SolveRefined(model, input, state, ws, timer, report)) {
    report.status = StepStatus::kSingularMass;
    return;
  }

  CorrectPositions(ws, report);
  timer.Charge(report.phases.correction);

  Integrate(model, state, ws);
  CloseLoops(model, input, state, ws, report);
  KeepMomentum(model, input, state, ws);
  report.bad_body = FindBadBody(model, ws.sleep.awake(), ws.trial_q, ws.trial_v);
  if (report.bad_body >= 0) {
    report.status = StepStatus::kDiverged;
    return;
  }
  Advance(model, input, ws, state);
  ReportRows(model, ws, report);
  LetSleep(model, input, ws, report, state);
  timer.Charge(report.phases.integration);
  total.Charge(report.phases.total);
}

}  // namespace stiction

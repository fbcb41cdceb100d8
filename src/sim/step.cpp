#include "stiction/sim/step.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "sim/step_rows.h"
#include "sim/step_sleep.h"
#include "stiction/sim/contact_memory.h"
#include "stiction/sim/effort_limits.h"
#include "stiction/sim/free_velocity.h"

namespace stiction {
namespace {

constexpr double kDivergence = 1e10;  // [m/s or rad/s]
constexpr double kLimitSlop = 1e-5;   // penetration of a limit that the position stage leaves [rad or m]
constexpr double kLimitPush = 0.01;   // its largest correction in a step [rad or m]

// Of the loose solve that decides which far contacts come about [m/s].
constexpr double kGhostTolerance = 1e-6;

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

// Solves, and after a missed budget tries again: without slip where there was any, with more effort, then
// with the fallback.
void SolveContacts(StepWorkspace& ws, StepReport& report) {
  if (ws.problem.num_constraints() == 0) {
    ws.solution.lambda.resize(0);
    ws.solution.penalty.resize(ws.problem.subsystems.size(), 0.0);
    ws.solution.v = ws.problem.v_star.array() + 0.0;  // as a solver would return it: no zero is negative
    ws.knows_residuals = true;
    return;
  }
  const auto attempt = [&](ContactSolver& solver, double effort) {
    solver.set_effort(effort);
    const double before = report.certificate.ncp_max;
    Solution& trial = ws.trial_solution;
    trial = ws.solution;
    const ProblemReport result = ws.problem_solver.Solve(ws.problem, ws.factor, solver, trial);
    report.solve.Merge(result.solve);
    ws.knows_residuals = result.certificate.ncp_max < before;
    if (ws.knows_residuals) {
      ws.solution = trial;
      report.certificate = result.certificate;
      report.solve.status = result.solve.status;
    }
  };
  ws.solver->set_effort(ws.first_effort);
  const ProblemReport result = ws.problem_solver.Solve(ws.problem, ws.factor, *ws.solver, ws.solution);
  report.solve.Merge(result.solve);
  report.solve.status = result.solve.status;
  report.certificate = result.certificate;
  report.status = StepStatus::kOk;
  ws.knows_residuals = true;
  report.num_islands = result.num_islands;
  if (report.certificate.ncp_max <= ws.budget) return;
  if (ForgetSlip(ws)) report.certificate.ncp_max = std::numeric_limits<double>::infinity();
  attempt(*ws.solver, ws.retry_effort);
  if (ws.fallback && !(report.certificate.ncp_max <= ws.budget)) attempt(*ws.fallback, 1.0);
  if (!(report.certificate.ncp_max <= ws.budget)) report.status = StepStatus::kBudgetMissed;
}

// Slopes along several joints may be rows of the problem, which come and go with their forces.
void AssembleAgain(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  ws.trial_solution.lambda = ws.solution.lambda;
  AssembleProblem(model, input, state, ws);
  AdmitFarContacts(model, input, state, ws);
  if (ws.trial_solution.lambda.size() == ws.solution.lambda.size())
    ws.solution.lambda = ws.trial_solution.lambda;
}

// Solves again while impulses put a limited force on another side of its range. What cannot be settled is in
// the certificate.
void SettleEfforts(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                   StepReport& report) {
  if (ws.integrator != Integrator::kSymplecticEuler || ws.forces.limited.empty()) return;
  for (int round = 0; round < kMaxEffortRounds; ++round) {
    if (!UpdateSides(model, ws.solution.v, ws.dt, round, ws.forces)) break;
    if (!RepeatEuler(model, input, state, ws, report.bad_body)) break;
    const auto& limited = ws.forces.limited;
    if (std::any_of(limited.begin(), limited.end(), [](const LimitedForce& f) { return f.dof < 0; }))
      AssembleAgain(model, input, state, ws);
    SolveContacts(ws, report);
  }
  double& ncp = report.certificate.ncp_max;
  ncp = std::max(ncp, CalcEffortResidual(model, ws));
  if (!(ncp <= ws.budget)) report.status = StepStatus::kBudgetMissed;
  RecordEfforts(model, ws.forces);
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

// ws.displacement becomes δ, or zero.
void CorrectPositions(const Model& model, StepWorkspace& ws, StepReport& report) {
  std::vector<GapRow>& rows = ws.position_stage.rows;
  rows.clear();
  for (std::size_t i = 0; i < ws.sources.size(); ++i) {
    const RowSource& source = ws.sources[i];
    if (source.contact < 0 && source.limit < 0) continue;
    // Of a contact that gives way, penetration is part of the law.
    if (ws.problem.constraints[i].compliance_n > 0.0) continue;
    GapRow row;
    row.constraint = static_cast<int>(i);
    row.may_overshoot = ws.integrator == Integrator::kMidpoint || ws.integrator == Integrator::kRungeKutta4;
    if (source.contact >= 0) {
      const TrackedContact& contact = ws.contacts[source.contact].tracked;
      const double thickness = ws.detector.CalcPairThickness(contact.geom_a, contact.geom_b);
      row.gap = contact.point.gap;
      row.slop = std::clamp(1e-4 * thickness, 1e-7, 1e-5);
      row.max_push = 0.2 * ws.detector.CalcMinMargin(contact.geom_a, contact.geom_b);
    } else {
      row.gap = ws.limits[source.limit].gap;
      row.slop = kLimitSlop;
      row.max_push = kLimitPush;
    }
    rows.push_back(row);
  }
  ws.displacement.setZero(model.nv());
  CalcAdvance(ws);
  if (ws.position_stage.Run(ws.problem, ws.factor, rows, ws.advance)) {
    ws.displacement = ws.position_stage.displacement();
    report.correction_newton = ws.position_stage.newton_steps();
    report.correction = ws.displacement.lpNorm<Eigen::Infinity>();
  }
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
  ws.advance += ws.displacement;
  IntegrateConfiguration(model, ws.sleep.awake(), ws.advance, 1.0, ws.trial_q);
  for (std::size_t i = 0; i < ws.free_bodies.size(); ++i) {
    const FreeBody& free_body = ws.free_bodies[i];
    if (!ws.sleep.IsAwake(free_body.tree)) continue;
    const Joint& joint = model.joints[free_body.joint];
    double* q = ws.trial_q.data() + joint.q_address;
    std::copy_n(state.q.data() + joint.q_address, FreeJoint::kNq, q);
    AdvanceFreeBody(free_body, !ws.tree_has_impulse[free_body.tree], state.v.data() + joint.v_address,
                    ws.flights[i].data(), ws.displacement.data() + joint.v_address, ws.dt,
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
                                    .displacement = ws.displacement,
                                    .scratch = ws.force};
  ws.floating_momentum.Restore(model, step, ws.probe, ws.trial_q, ws.trial_v);
}

// The laws once more where the integrator's free velocity goes by the velocity that the first solve gave.
void SolveRefined(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                  PhaseTimer& timer, StepReport& report) {
  if (!RefineFreeVelocity(model, input, state, ws)) return;
  if (ws.equality_stage.is_needed()) {
    CalcEqualityRows(model, input, state, ws);
    ws.equality_stage.UpdateRows(ws.problem);
  }
  timer.Charge(report.phases.dynamics);
  SolveContacts(ws, report);
  timer.Charge(report.phases.solve);
}

// The state becomes that of the end of the step.
void Advance(const Model& model, const Input& input, StepWorkspace& ws, State& state) {
  Remember(model, ws, state);
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
  for (const RowSource& source : ws.sources) {
    report.num_contacts += source.contact >= 0;
    report.num_equality_rows += source.equality_row >= 0;
  }
  for (const DetectedContact& contact : ws.contacts) {
    const double moved =
        CalcMocapStep(model, ws, contact.tracked).displacement.dot(contact.tracked.point.n_W);
    report.penetration = std::max(report.penetration, moved - contact.tracked.point.gap);
  }
}

}  // namespace

StepWorkspace::StepWorkspace(const Model& model)
    : sleep(model),
      mocap_motion(model),
      detector(model),
      pattern(MakeMassMatrixPattern(model)),
      M(pattern),
      ghost_solver(MakeSolver("nbgs_c")),
      floating_momentum(model) {
  kin.Resize(model);
  probe.Resize(model);
  forces.Resize(model);
  InitializeProblem(model, pattern, problem);
  bias.setZero(model.nv());
  force.setZero(model.nv());
  tendons.Resize(model);
  equality_stage.Initialize(model, pattern);
  middle.Resize(model);
  free_advance.setZero(model.nv());
  set_integrator(model, model.options.integrator);
  SetSolverOption(*ghost_solver, "max_sweeps", "50");
  ghost_solver->set_tolerance(kGhostTolerance);
}

void StepWorkspace::set_integrator(const Model& model, Integrator scheme) {
  integrator = scheme;
  forces.explicit_springs = {};
  springs_dt = 0.0;
  free_bodies.clear();
  if (scheme != Integrator::kRungeKutta4) free_bodies = FindFreeBodies(model);
  flights.resize(free_bodies.size());
}

void DetectAll(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  CalcPositionKinematics(model, state.q, input.mocap, ws.kin);
  CalcVelocityKinematics(model, state.v, ws.kin);
  if (model.num_tendons() > 0) CalcTendons(model, ws.kin, state.q, ws.tendons);
  ws.detector.Detect(model, ws.kin, {}, state.contacts, ws.dt, ws.contacts);
  ws.sleep.Invalidate();
  FindLimits(model, model.all_trees, state.q, state.v, ws.tendons, ws.dt, ws.limits);
}

void Step(const Model& model, const Input& input, State& state, StepWorkspace& ws, StepReport& report) {
  report = StepReport{};
  PhaseTimer timer, total;
  ws.mocap_motion.Update(state.mocap, input.mocap);
  ws.sleep.Begin(model, input, state);
  if (ws.sleep.is_enabled) ws.start_activation = state.activation;
  CalcStart(model, input, state, ws);
  timer.Charge(report.phases.kinematics);

  DetectContacts(model, state, ws);
  FindLimits(model, ws.sleep.awake(), state.q, state.v, ws.tendons, ws.dt, ws.limits);
  timer.Charge(report.phases.collision);

  if (!CalcFreeVelocity(model, input, state, ws, report.bad_body)) {
    report.status = StepStatus::kSingularMass;
    return;
  }
  timer.Charge(report.phases.dynamics);

  AssembleProblem(model, input, state, ws);
  AdmitFarContacts(model, input, state, ws);
  timer.Charge(report.phases.assembly);

  SolveContacts(ws, report);
  SettleEfforts(model, input, state, ws, report);
  timer.Charge(report.phases.solve);
  SolveRefined(model, input, state, ws, timer, report);

  CorrectPositions(model, ws, report);
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

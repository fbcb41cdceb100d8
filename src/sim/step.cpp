#include "stiction/sim/step.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "stiction/math/cone.h"
#include "stiction/sim/contact_memory.h"
#include "stiction/sim/free_velocity.h"

namespace stiction {
namespace {

// Below this gap a contact counts as closed. The dead band is deliberate: a landing body is brought to φ = 0
// ± 1e-10, and φ/dt noise would reopen the problem each step.
constexpr double kClosedGap = 1e-6;   // [m or rad]
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

// Velocity of B relative to A along the normal, for generalised velocity v. [m/s]
double CalcNormalVelocity(const Model& model, const Kinematics& kin, const BranchPattern& pattern,
                          const TrackedContact& contact, const VectorXd& v) {
  double speed = 0.0;
  for (const auto& [geom, sign] : {std::pair{contact.geom_a, -1.0}, std::pair{contact.geom_b, 1.0}}) {
    const Body& body = model.bodies[model.geoms[geom].body];
    if (body.tree < 0) continue;
    const Vector3d p_TQ = contact.point.p_W - kin.p_WT[body.tree];
    const Vector3d moment = p_TQ.cross(contact.point.n_W);
    const int* dofs = pattern.columns(body.last_dof);
    for (int i = 0; i < pattern.row_length(body.last_dof); ++i) {
      const auto S = kin.S.col(dofs[i]);
      speed += sign * v[dofs[i]] * (S.tail<3>().dot(contact.point.n_W) + S.head<3>().dot(moment));
    }
  }
  return speed;
}

// e of a gap [m/s]: speculative while open, zero once closed; penetration is the position stage's affair.
double CalcGapBias(double gap, double dt) {
  return gap > kClosedGap ? gap / dt : 0.0;
}

void AddContact(const Model& model, const State& state, StepWorkspace& ws, int index) {
  const DetectedContact& contact = ws.contacts[index];
  const ManifoldPoint& point = contact.tracked.point;
  ContactProblem& problem = ws.problem;
  AddContactRows(model, ws.kin, ws.pattern, contact, problem);
  ws.contact_constraint[index] = problem.num_constraints() - 1;
  if (ws.solver->uses_bodies())
    AddBodyContact(model, ws.kin, contact, problem.num_constraints() - 1, problem);
  ws.sources.push_back({.contact = index});

  const Matrix3d R_WC = MakeContactFrame(point.n_W);
  const Vector3d slip_C = R_WC.transpose() * ws.slip_W[index];
  problem.SetBias(0, slip_C[0] / ws.dt);
  problem.SetBias(1, slip_C[1] / ws.dt);
  double e_n = CalcGapBias(point.gap, ws.dt);
  if (contact.restitution > 0.0) {
    const double speed = CalcNormalVelocity(model, ws.kin, ws.pattern, contact.tracked, state.v);
    const double threshold = 2.0 * model.options.gravity.norm() * ws.dt;
    if (speed < -threshold && point.gap + ws.dt * speed <= 0.0)
      e_n = std::min(e_n, contact.restitution * speed);
  }
  problem.SetBias(2, e_n);

  Vector3d warm = Vector3d::Zero();
  if (contact.tracked.memory >= 0) {
    warm = ClampCone(R_WC.transpose() * state.contacts[contact.tracked.memory].impulse_W, contact.friction);
  }
  ws.warm_start.insert(ws.warm_start.end(), warm.data(), warm.data() + 3);
}

void AddLimit(const Model& model, const State& state, StepWorkspace& ws, int index) {
  const LimitRow& limit = ws.limits[index];
  AddLimitRow(model, ws.pattern, ws.tendons, limit, ws.problem);
  ws.problem.SetBias(0, CalcGapBias(limit.gap, ws.dt));
  ws.sources.push_back({.limit = index});
  double warm = 0.0;
  if (static_cast<int>(state.limits.size()) == model.num_joints() + model.num_tendons()) {
    const LimitMemory& memory =
        state.limits[limit.joint >= 0 ? limit.joint : model.num_joints() + limit.tendon];
    warm = limit.is_upper ? memory.upper_impulse : memory.lower_impulse;
  }
  ws.warm_start.push_back(std::max(0.0, warm));
}

// The rows of all active equalities and their bias, in ws.equality_stage.
void CalcEqualityRows(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  const bool is_explicit = ws.integrator == Integrator::kSymplecticEuler;
  ws.equality_stage.CalcRows(model, input, state, ws.factor, ws.foreseen, ws.kin,
                             is_explicit ? ws.kin : ws.middle, is_explicit ? state.q : ws.middle_q,
                             CalcImpulseShare(ws.integrator), ws.dt, ws.probe);
}

// Equalities come first in the problem, so that RefineRows finds them; then dry friction.
void AddJointRows(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  if (ws.equality_stage.is_needed()) {
    ws.foreseen = ws.free_advance;
    if (ws.integrator == Integrator::kSymplecticEuler) ws.foreseen = ws.dt * state.v;
    CalcEqualityRows(model, input, state, ws);
    ws.equality_stage.AddRows(ws.problem);
    const bool is_warm = state.equality_impulses.size() == model.num_equality_rows;
    for (const int row : ws.equality_stage.model_rows()) {
      ws.sources.push_back({.equality_row = row});
      ws.warm_start.push_back(is_warm ? state.equality_impulses[row] : 0.0);
    }
  }
  const bool friction_is_warm = state.friction_impulses.size() == model.nv() + model.num_tendons();
  for (const Joint& joint : model.joints) {
    if (joint.friction_loss == 0.0) continue;
    const double bound = ws.dt * joint.friction_loss;
    for (int k = joint.v_address; k < joint.v_address + joint.nv(); ++k) {
      AddFrictionRow(model, ws.pattern, k, bound, ws.problem);
      ws.sources.push_back({.friction = k});
      ws.warm_start.push_back(friction_is_warm ? std::clamp(state.friction_impulses[k], -bound, bound) : 0.0);
    }
  }
}

// Dry friction of tendons, and slopes of forces that A has no place for.
void AddTendonRows(const Model& model, const State& state, StepWorkspace& ws) {
  const bool is_warm = state.friction_impulses.size() == model.nv() + model.num_tendons();
  for (int t = 0; t < model.num_tendons(); ++t) {
    if (model.tendons[t].friction_loss == 0.0) continue;
    const double bound = ws.dt * model.tendons[t].friction_loss;
    const int place = model.nv() + t;
    AddTendonFrictionRow(ws.tendons, t, bound, ws.problem);
    ws.sources.push_back({.friction = place});
    ws.warm_start.push_back(is_warm ? std::clamp(state.friction_impulses[place], -bound, bound) : 0.0);
  }
  const auto [damping, stiffness] = CalcSlopeFactors(ws);
  if (damping == 0.0) return;
  for (const SlopeRow& row : ws.forces.slope_rows) {
    if (row.is_one_branch) continue;
    // Forces were evaluated at the rate of the start by Euler's rule, and at that of v* by the others.
    const double slope = damping * row.damping + stiffness * row.stiffness;
    double rate = ws.integrator == Integrator::kSymplecticEuler
                      ? damping * row.damping * row.rate / slope
                      : CalcSlopeRate(ws.forces, row, ws.problem.v_star);
    AddSlopeRow(ws.forces, row, slope, rate, ws.problem);
    ws.sources.push_back({});
    ws.warm_start.push_back(0.0);
  }
}

// Everything but far contacts, which wait for AdmitFarContacts.
void AssembleProblem(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  ws.problem.ClearConstraints();
  ws.solution.penalty = state.penalties;
  if (ws.solver->uses_bodies()) ws.problem.motion = ws.kin.S;
  ws.sources.clear();
  ws.warm_start.clear();
  ws.contact_constraint.assign(ws.contacts.size(), -1);
  ws.slip_W.resize(ws.contacts.size());
  ws.slip_pause.assign(ws.contacts.size(), 0);
  AddJointRows(model, input, state, ws);
  AddTendonRows(model, state, ws);
  for (std::size_t i = 0; i < ws.contacts.size(); ++i) {
    const TrackedContact& tracked = ws.contacts[i].tracked;
    ws.slip_W[i] = CalcSlip(model, ws, tracked, state.contacts);
    if (tracked.is_same) ws.slip_pause[i] = std::max(0, state.contacts[tracked.memory].slip_pause - 1);
    if (!ws.contacts[i].is_far) AddContact(model, state, ws, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < ws.limits.size(); ++i) AddLimit(model, state, ws, static_cast<int>(i));
  ws.solution.lambda = Eigen::Map<const VectorXd>(ws.warm_start.data(), ws.problem.num_rows());
}

// A far contact acts only if its pair would really overlap at the end of a step without it, or was found to
// meet on its way: a body that passes an edge closely would otherwise be deflected by a contact that never
// happens.
void AdmitFarContacts(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  const bool any_far =
      std::any_of(ws.contacts.begin(), ws.contacts.end(), [](const DetectedContact& c) { return c.is_far; });
  if (!any_far) return;
  // Into a copy: the warm start of islands without far contacts must not know of this.
  ws.ghost_solution.lambda = ws.solution.lambda;
  ws.ghost_solution.penalty = ws.solution.penalty;
  ws.problem_solver.Solve(ws.problem, ws.factor, *ws.ghost_solver, ws.ghost_solution);
  const VectorXd& v = ws.ghost_solution.v;
  const int count = static_cast<int>(ws.contacts.size());
  const auto same_pair = [&](int i, int j) {
    return ws.contacts[i].tracked.geom_a == ws.contacts[j].tracked.geom_a &&
           ws.contacts[i].tracked.geom_b == ws.contacts[j].tracked.geom_b;
  };
  bool probe_is_ready = false;
  for (int begin = 0, end = 0; begin < count; begin = end) {
    bool reached = false;
    for (end = begin; end < count && same_pair(begin, end); ++end) {
      const TrackedContact& contact = ws.contacts[end].tracked;
      reached = reached ||
                (ws.contacts[end].is_far &&
                 contact.point.gap + ws.dt * CalcNormalVelocity(model, ws.kin, ws.pattern, contact, v) < 0.0);
    }
    if (!reached) continue;
    if (!probe_is_ready) {
      ws.trial_q = state.q;
      IntegrateConfiguration(model, v, ws.dt, ws.trial_q);
      CalcPositionKinematics(model, ws.trial_q, input.mocap, ws.probe);
      probe_is_ready = true;
    }
    const TrackedContact& contact = ws.contacts[begin].tracked;
    if (!ws.contacts[begin].is_swept &&
        !ws.detector.Overlaps(model, ws.probe, contact.geom_a, contact.geom_b))
      continue;
    for (int i = begin; i < end; ++i) {
      if (ws.contacts[i].is_far) AddContact(model, state, ws, i);
    }
  }
  ws.solution.lambda = Eigen::Map<const VectorXd>(ws.warm_start.data(), ws.problem.num_rows());
}

// Solves, and after a missed budget tries again: without slip where there was any, with more effort, then
// with the fallback.
void SolveContacts(StepWorkspace& ws, StepReport& report) {
  const auto attempt = [&](ContactSolver& solver, double effort) {
    solver.set_effort(effort);
    const double before = report.certificate.ncp_max;
    Solution& trial = ws.trial_solution;
    trial = ws.solution;
    const ProblemReport result = ws.problem_solver.Solve(ws.problem, ws.factor, solver, trial);
    report.solve.Merge(result.solve);
    if (result.certificate.ncp_max < before) {
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
  report.num_islands = result.num_islands;
  if (report.certificate.ncp_max <= ws.budget) return;
  if (ForgetSlip(ws)) report.certificate.ncp_max = std::numeric_limits<double>::infinity();
  attempt(*ws.solver, ws.retry_effort);
  if (ws.fallback && !(report.certificate.ncp_max <= ws.budget)) attempt(*ws.fallback, 1.0);
  if (!(report.certificate.ncp_max <= ws.budget)) report.status = StepStatus::kBudgetMissed;
}

// ws.advance: where the step leads, dt v⁺ or what the integrator makes of it [m or rad].
void CalcAdvance(StepWorkspace& ws) {
  ws.advance = ws.dt * ws.solution.v;
  if (ws.integrator == Integrator::kSymplecticEuler || ws.integrator == Integrator::kImplicitEuler) return;
  const double share = CalcImpulseShare(ws.integrator) * ws.dt;
  ws.advance = ws.free_advance + share * (ws.solution.v - ws.problem.v_star);
}

// ws.displacement becomes δ, or zero.
void CorrectPositions(const Model& model, StepWorkspace& ws, StepReport& report) {
  std::vector<GapRow>& rows = ws.position_stage.rows;
  rows.clear();
  for (std::size_t i = 0; i < ws.sources.size(); ++i) {
    const RowSource& source = ws.sources[i];
    if (source.contact < 0 && source.limit < 0) continue;
    GapRow row;
    row.constraint = static_cast<int>(i);
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
int FindBadBody(const Model& model, const VectorXd& q, const VectorXd& v) {
  for (const Joint& joint : model.joints) {
    for (int i = 0; i < joint.nv(); ++i) {
      if (!(std::abs(v[joint.v_address + i]) < kDivergence)) return joint.body;
    }
    for (int i = 0; i < joint.nq(); ++i) {
      if (!std::isfinite(q[joint.q_address + i])) return joint.body;
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
  IntegrateConfiguration(model, ws.advance, 1.0, ws.trial_q);
  for (std::size_t i = 0; i < ws.free_bodies.size(); ++i) {
    const FreeBody& free_body = ws.free_bodies[i];
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
  if (!ws.equality_stage.is_needed() || !ws.trial_q.allFinite()) return;
  const double moved =
      ws.equality_stage.Project(model, input, ws.factor, ws.kin, state.q, ws.probe, ws.trial_q);
  report.correction = std::max(report.correction, moved);
  report.loop = ws.equality_stage.residual();
}

}  // namespace

StepWorkspace::StepWorkspace(const Model& model)
    : detector(model), pattern(MakeMassMatrixPattern(model)), M(pattern), ghost_solver(MakeSolver("nbgs_c")) {
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
  free_bodies.clear();
  if (scheme != Integrator::kRungeKutta4) free_bodies = FindFreeBodies(model);
  flights.resize(free_bodies.size());
}

void DetectAll(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  CalcPositionKinematics(model, state.q, input.mocap, ws.kin);
  CalcVelocityKinematics(model, state.v, ws.kin);
  if (model.num_tendons() > 0) CalcTendons(model, ws.kin, state.q, ws.tendons);
  ws.detector.Detect(model, ws.kin, state.contacts, ws.dt, ws.contacts);
  FindLimits(model, state.q, state.v, ws.tendons, ws.dt, ws.limits);
}

void Step(const Model& model, const Input& input, State& state, StepWorkspace& ws, StepReport& report) {
  report = StepReport{};
  PhaseTimer timer, total;
  CalcPositionKinematics(model, state.q, input.mocap, ws.kin);
  CalcVelocityKinematics(model, state.v, ws.kin);
  if (model.num_tendons() > 0) CalcTendons(model, ws.kin, state.q, ws.tendons);
  timer.Charge(report.phases.kinematics);

  ws.detector.Detect(model, ws.kin, state.contacts, ws.dt, ws.contacts);
  FindLimits(model, state.q, state.v, ws.tendons, ws.dt, ws.limits);
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
  timer.Charge(report.phases.solve);

  if (RefineFreeVelocity(model, input, state, ws)) {
    if (ws.equality_stage.is_needed()) {
      CalcEqualityRows(model, input, state, ws);
      ws.equality_stage.UpdateRows(ws.problem);
    }
    timer.Charge(report.phases.dynamics);
    SolveContacts(ws, report);
    timer.Charge(report.phases.solve);
  }

  CorrectPositions(model, ws, report);
  timer.Charge(report.phases.correction);

  Integrate(model, state, ws);
  CloseLoops(model, input, state, ws, report);
  report.bad_body = FindBadBody(model, ws.trial_q, ws.trial_v);
  if (report.bad_body >= 0) {
    report.status = StepStatus::kDiverged;
    return;
  }
  Remember(model, ws, state);
  AdvanceActivations(model, input, ws.dt, state.activation);
  state.equality_target = input.equality_target;
  state.mocap = input.mocap;
  state.q.swap(ws.trial_q);
  state.v.swap(ws.trial_v);
  state.time += ws.dt;
  timer.Charge(report.phases.integration);

  report.num_limits = static_cast<int>(ws.limits.size());
  for (const RowSource& source : ws.sources) {
    report.num_contacts += source.contact >= 0;
    report.num_equality_rows += source.equality_row >= 0;
  }
  for (const DetectedContact& contact : ws.contacts) {
    report.penetration = std::max(report.penetration, -contact.tracked.point.gap);
  }
  total.Charge(report.phases.total);
}

}  // namespace stiction

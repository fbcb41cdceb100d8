#include "sim/step_rows.h"

#include <algorithm>

#include "sim/step_soft_rows.h"
#include "stiction/math/cone.h"
#include "stiction/sim/contact_memory.h"
#include "stiction/sim/free_velocity.h"

namespace stiction {
namespace {

// Below this gap a contact counts as closed. The dead band is deliberate: a landing body is brought to φ = 0
// ± 1e-10, and φ/dt noise would reopen the problem each step.
constexpr double kClosedGap = 1e-6;  // [m or rad]

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

// Torsional and rolling friction of a contact, whose rows are the last of the problem.
//   w_mocap_C  what mocap bodies add to the relative angular velocity J v, in the contact frame [rad/s]
void AddMoments(const Model& model, const State& state, StepWorkspace& ws, int index,
                const Vector3d& w_mocap_C, double normal_impulse) {
  const DetectedContact& contact = ws.contacts[index];
  const int constraint = ws.contact_constraint[index];
  const int count = AddFrictionMoments(model, ws.kin, ws.pattern, contact, constraint, ws.problem);
  if (count == 0) return;
  Vector3d warm = Vector3d::Zero();
  if (contact.tracked.memory >= 0) {
    warm = MakeContactFrame(contact.tracked.point.n_W).transpose() *
           state.contacts[contact.tracked.memory].moment_W;
  }
  for (int i = constraint + 1; i <= constraint + count; ++i) {
    const Constraint& c = ws.problem.constraints[i];
    const double limit = c.mu * normal_impulse;
    ws.sources.push_back({.moment = index});
    const int first_axis = c.type == ConstraintType::kTorsional ? 2 : 0;
    for (int r = 0; r < c.dim(); ++r) ws.problem.e[c.row + r] = w_mocap_C[first_axis + r];
    if (c.type == ConstraintType::kTorsional) {
      ws.warm_start.push_back(std::clamp(warm[2], -limit, limit));
      continue;
    }
    const double size = warm.head<2>().norm(), scale = size > limit ? limit / size : 1.0;
    for (int r = 0; r < 2; ++r) ws.warm_start.push_back(scale * warm[r]);
  }
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
  // Of mocap bodies, by which the gap was another at the start [m]. The laws are about J v and their
  // velocity.
  const MocapStep step = CalcMocapStep(model, ws, contact.tracked);
  const Vector3d carried_C = R_WC.transpose() * step.displacement;
  const Vector3d v_mocap_C = carried_C / ws.dt;
  const double gap = point.gap - carried_C[2];
  Vector3d e_C(slip_C[0] / ws.dt, slip_C[1] / ws.dt, CalcGapBias(gap, ws.dt));
  if (contact.restitution > 0.0) {
    const double speed =
        CalcNormalVelocity(model, ws.kin, ws.pattern, contact.tracked, state.v) + v_mocap_C[2];
    const double threshold = 2.0 * model.options.gravity.norm() * ws.dt;
    if (speed < -threshold && gap + ws.dt * speed <= 0.0)
      e_C[2] = std::min(e_C[2], contact.restitution * speed);
  }
  if (model.options.contact_model != ContactModel::kRigid)
    SoftenContact(model, state, ws, contact.tracked, gap, v_mocap_C, e_C);
  for (int r = 0; r < 3; ++r) problem.SetBias(r, e_C[r] + v_mocap_C[r]);

  Vector3d warm = Vector3d::Zero();
  if (contact.tracked.memory >= 0) {
    warm = ClampCone(R_WC.transpose() * state.contacts[contact.tracked.memory].impulse_W,
                     contact.friction.sliding);
  }
  ws.warm_start.insert(ws.warm_start.end(), warm.data(), warm.data() + 3);
  AddMoments(model, state, ws, index, R_WC.transpose() * step.turn / ws.dt, warm[2]);
}

void AddLimit(const Model& model, const State& state, StepWorkspace& ws, int index) {
  const LimitRow& limit = ws.limits[index];
  AddLimitRow(model, ws.pattern, ws.tendons, limit, ws.problem);
  ws.problem.SetBias(0, CalcGapBias(limit.gap, ws.dt));
  SoftenLimit(model, state, ws, limit);
  ws.sources.push_back({.limit = index});
  double warm = 0.0;
  if (static_cast<int>(state.limits.size()) == model.num_joints() + model.num_tendons()) {
    const LimitMemory& memory =
        state.limits[limit.joint >= 0 ? limit.joint : model.num_joints() + limit.tendon];
    warm = limit.is_upper ? memory.upper_impulse : memory.lower_impulse;
  }
  ws.warm_start.push_back(std::max(0.0, warm));
}

// Equalities, first in the problem, then dry friction of joints.
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
  AddSoftEqualities(model, input, state, ws);
  const bool friction_is_warm = state.friction_impulses.size() == model.nv() + model.num_tendons();
  for (const IndexRange& range : ws.sleep.awake().dofs) {
    for (int k = range.begin; k < range.end; ++k) {
      const double loss = model.joints[model.dof_joint[k]].friction_loss;
      if (loss == 0.0) continue;
      const double bound = ws.dt * loss;
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
    if (model.tendons[t].friction_loss == 0.0 || !ws.sleep.IsTendonAwake(t)) continue;
    const double bound = ws.dt * model.tendons[t].friction_loss;
    const int place = model.nv() + t;
    AddTendonFrictionRow(ws.tendons, t, bound, ws.problem);
    ws.sources.push_back({.friction = place});
    ws.warm_start.push_back(is_warm ? std::clamp(state.friction_impulses[place], -bound, bound) : 0.0);
  }
  const auto [damping, stiffness] = CalcSlopeFactors(ws);
  if (damping == 0.0) return;
  for (const SlopeRow& row : ws.forces.slope_rows) {
    if (row.is_one_branch || !ws.sleep.IsAwake(ws.forces.slope_blocks[row.first_block].tree)) continue;
    // Forces were evaluated at the rate of the start by Euler's rule, and at that of v* by the others.
    const double slope = damping * row.damping + stiffness * row.stiffness;
    double rate = ws.integrator == Integrator::kSymplecticEuler
                      ? damping * row.damping * row.rate / slope
                      : CalcSlopeRate(ws.forces, row.first_block, row.num_blocks, ws.problem.v_star);
    AddSlopeRow(ws.forces, row, slope, rate, ws.problem);
    ws.sources.push_back({});
    ws.warm_start.push_back(0.0);
  }
}

}  // namespace

MocapStep CalcMocapStep(const Model& model, const StepWorkspace& ws, const TrackedContact& contact) {
  const MocapMotion& motion = ws.mocap_motion;
  if (!motion.is_moving()) return {};
  const int A = model.geoms[contact.geom_a].body, B = model.geoms[contact.geom_b].body;
  const Vector3d u_A = motion.CalcDisplacement(A, contact.point.p_W);
  const Vector3d u_B = motion.CalcDisplacement(B, contact.point.p_W);
  const double reach = 0.5 * ws.detector.CalcPairThickness(contact.geom_a, contact.geom_b);
  if (std::max(u_A.norm(), u_B.norm()) > reach) return {};  // a jump
  return {u_B - u_A, motion.CalcTurn(B) - motion.CalcTurn(A)};
}

void CalcEqualityRows(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  const bool is_explicit = ws.integrator == Integrator::kSymplecticEuler;
  ws.equality_stage.CalcRows(model, input, state, ws.sleep, ws.factor, ws.foreseen, ws.kin,
                             is_explicit ? ws.kin : ws.middle, is_explicit ? state.q : ws.middle_q,
                             CalcImpulseShare(ws.integrator), ws.dt, ws.probe);
}

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
    ws.slip_W[i].setZero();
    if (model.options.contact_model != ContactModel::kSoft)
      ws.slip_W[i] = CalcSlip(model, ws, tracked, state.contacts);
    if (tracked.is_same) ws.slip_pause[i] = std::max(0, state.contacts[tracked.memory].slip_pause - 1);
    if (!ws.contacts[i].is_far) AddContact(model, state, ws, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < ws.limits.size(); ++i) AddLimit(model, state, ws, static_cast<int>(i));
  ws.solution.lambda = Eigen::Map<const VectorXd>(ws.warm_start.data(), ws.problem.num_rows());
}

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
      IntegrateConfiguration(model, ws.sleep.awake(), v, ws.dt, ws.trial_q);
      CalcPositionKinematics(model, ws.sleep.awake(), ws.trial_q, input.mocap, ws.probe);
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

}  // namespace stiction

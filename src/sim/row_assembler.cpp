#include "sim/row_assembler.h"

#include <algorithm>
#include <utility>

#include "math/assert.h"
#include "sim/effort_limits.h"
#include "sim/free_motion.h"
#include "sim/soft_rows.h"
#include "stiction/math/cone.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Below this gap a contact counts as closed. The dead band is deliberate: a landing body is brought to φ = 0
// ± 1e-10, and φ/dt noise would reopen the problem each step.
constexpr double kClosedGap = 1e-6;  // [m or rad]

// e of a gap [m/s]: that which closes it while open, zero once closed.
double CalcGapBias(double gap, double dt, double penetration_time) {
  if (gap < 0.0 && penetration_time > 0.0) return gap / penetration_time;
  return gap > kClosedGap ? gap / dt : 0.0;
}

// The gap of the point of a manifold that closes with this one: the closest one of those on the same plane
// that are closer by no more than the dead band, if either carried load in the last step. Two faces that lie
// flat on each other to within it then stay closed at all of their points at once. Otherwise the closest
// point alone would carry a load that its face shares, and a single point resists no turning about its
// normal: a part would pivot between the pads of a gripper.
double FindClosingGap(const std::vector<DetectedContact>& contacts, const State& state, int index) {
  constexpr double kSamePlane = 1.0 - 1e-6;          // cosine between the normals
  constexpr double kSoonClosed = 10.0 * kClosedGap;  // those further away come within it before they close
  const TrackedContact& tracked = contacts[index].tracked;
  const double gap = tracked.point.gap;
  if (gap <= kClosedGap || gap > kSoonClosed) return gap;
  double closing = gap;
  const auto was_loaded = [&](const TrackedContact& point) {
    return point.memory >= 0 && !state.contacts[point.memory].impulse_W.isZero(0.0);
  };
  const bool is_loaded = was_loaded(tracked);
  const auto consider = [&](const TrackedContact& other) {
    const double closer = other.point.gap;
    if (closer < closing && closer >= gap - kClosedGap && (is_loaded || was_loaded(other)) &&
        other.point.n_W.dot(tracked.point.n_W) > kSamePlane)
      closing = closer;
  };
  const auto is_of_pair = [&](int i) {
    return contacts[i].tracked.geom_a == tracked.geom_a && contacts[i].tracked.geom_b == tracked.geom_b;
  };
  for (int i = index - 1; i >= 0 && is_of_pair(i); --i) consider(contacts[i].tracked);
  for (int i = index + 1; i < static_cast<int>(contacts.size()) && is_of_pair(i); ++i)
    consider(contacts[i].tracked);
  return closing;
}

// Of a vector in world axes, those in the contact's: R_WCᵀ x.
Vector3d InFrame(const Matrix3d& R_WC, const Vector3d& x_W) {
  return {R_WC.col(0).dot(x_W), R_WC.col(1).dot(x_W), R_WC.col(2).dot(x_W)};
}

// How the load of a contact has turned since the last step: as that one of its bodies which turned less.
// Where both turn together, as in a hand or on a turning table, friction turns with them, and what points of
// a face hold against one another does; what rolls or tumbles over something else leaves its load where it
// is. Loads that stayed would be pulled apart in every step, more and more of the friction that has to hold
// the bodies.
Matrix3d CalcLoadTurn(const StepFrame& frame, const TrackedContact& contact) {
  constexpr double kNoTurn = 1e-9;  // [rad]
  const Vector3d turn_A = frame.dt * CalcAngularVelocity(frame.kin, frame.chains[contact.geom_a].body);
  const Vector3d turn_B = frame.dt * CalcAngularVelocity(frame.kin, frame.chains[contact.geom_b].body);
  const Vector3d& turn = turn_A.squaredNorm() < turn_B.squaredNorm() ? turn_A : turn_B;
  if (turn.squaredNorm() < kNoTurn * kNoTurn) return Matrix3d::Identity();
  return QuaternionExp(turn).toRotationMatrix();
}

// Room for so many contacts of each geom that moves: a box among boxes has five. Where bodies land together,
// rows come by the thousand in one step, and memory that grows again and again is copied and asked for anew
// each time. What is not written costs nothing.
constexpr int kRoomPerGeom = 6;

void ReserveContacts(const Model& model, const BranchPattern& pattern, StepRows& rows) {
  std::size_t count = 0, num_dofs = 0;  // of contacts, and in their rows
  for (const Geom& geom : model.geoms) {
    const Body& body = model.bodies[geom.body];
    if (body.last_dof < 0) continue;
    count += kRoomPerGeom;
    num_dofs += 2 * kRoomPerGeom * pattern.row_length(body.last_dof);
  }
  rows.problem.constraints.reserve(count);
  rows.problem.blocks.reserve(2 * count);
  rows.problem.block_dofs.reserve(num_dofs);
  rows.problem.jacobian.reserve(3 * num_dofs);
  rows.problem.e.reserve(3 * count);
  rows.sources.reserve(count);
  for (std::vector<double>* by_row : {&rows.warm_start, &rows.first_start, &rows.remembered, &rows.trend})
    by_row->reserve(3 * count);
  for (std::vector<int>* contacts : {&rows.contact_constraint, &rows.acting}) contacts->reserve(count);
}

bool FrictionIsWarm(const Model& model, const State& state) {
  return state.friction_impulses.size() == model.nv() + model.num_tendons();
}

}  // namespace

RowAssembler::RowAssembler(const Model& model, const BranchPattern& pattern) : weights_(model) {
  InitializeProblem(model, pattern, rows_.problem);
  ReserveContacts(model, pattern, rows_);
  for (int k = 0; k < model.nv(); ++k) {
    if (model.joints[model.dof_joint[k]].friction_loss != 0.0) friction_dofs_.push_back(k);
  }
  has_model_rows_ = model.num_equalities() > 0 || !friction_dofs_.empty() ||
                    std::any_of(model.tendons.begin(), model.tendons.end(),
                                [](const Tendon& tendon) { return tendon.friction_loss != 0.0; });
}

void RowAssembler::Assemble(const Model& model, const Input& input, const State& state,
                            const StepFrame& frame, const Motion& motion, const EqualityStage& equalities,
                            const SlipMemory& slip, const SolvedLaw& law, bool has_bodies) {
  STICTION_ASSERT(rows_.problem.A.size() == model.nv() && rows_.problem.nv() == model.nv());
  STICTION_ASSERT(frame.dt > 0.0);
  AssembleNone(frame, law, has_bodies);
  rows_.contact_constraint.assign(frame.contacts.size(), -1);
  AddExactEqualities(model, state, equalities);
  AddSoftEqualities(model, input, state, frame, motion);
  AddJointFriction(model, state, frame);
  AddTendonFriction(model, state, frame);
  AddSlopes(frame, motion);
  AddEfforts(model, frame, motion);
  near_.clear();
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    if (!frame.contacts[i].is_far) near_.push_back(static_cast<int>(i));
  }
  AddContacts(model, state, frame, motion, slip, near_);
  for (std::size_t i = 0; i < frame.limits.size(); ++i)
    AddLimit(model, state, frame, motion, static_cast<int>(i));
}

void RowAssembler::AssembleNone(const StepFrame& frame, const SolvedLaw& law, bool has_bodies) {
  rows_.problem.ClearConstraints();
  rows_.penetration_time = law.gives_way() ? (1.0 + law.dissipation) * frame.dt : 0.0;
  has_bodies_ = has_bodies;
  if (has_bodies) rows_.problem.motion = frame.kin.S;
  rows_.sources.clear();
  rows_.warm_start.clear();
  rows_.first_start.clear();
  rows_.remembered.clear();
  rows_.trend.clear();
  rows_.contact_constraint.clear();
  rows_.acting.clear();
  rows_.ForgetIslands();
}

void RowAssembler::AddContacts(const Model& model, const State& state, const StepFrame& frame,
                               const Motion& motion, const SlipMemory& slip,
                               const std::vector<int>& contacts) {
  if (contacts.empty()) return;
  rows_.ForgetIslands();
  PlaceContacts(frame, contacts);
  for (std::vector<double>* by_row : {&rows_.warm_start, &rows_.remembered, &rows_.trend})
    by_row->resize(rows_.problem.num_rows());
  const auto fill = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) FillContact(model, state, frame, motion, slip, contacts[i]);
  };
  const int count = static_cast<int>(contacts.size());
  // Soft ones share scratch.
  if (model.options.contact_model == ContactModel::kRigid) {
    frame.pool.ForPieces(count, kLeastWholeContacts, fill);
  } else {
    fill(0, count);
  }
  ListActing();
}

// Appends the constraints of contacts, and room for what FillContact writes.
void RowAssembler::PlaceContacts(const StepFrame& frame, const std::vector<int>& contacts) {
  ContactProblem& problem = rows_.problem;
  const auto for_pieces = [&](const auto& work) {
    frame.pool.ForNumberedPieces(static_cast<int>(contacts.size()), kLeastWholeContacts, work);
  };
  extents_.resize(frame.pool.CountPieces(static_cast<int>(contacts.size()), kLeastWholeContacts));
  for_pieces([&](int piece, int begin, int end) {
    RowExtent sum;
    for (int i = begin; i < end; ++i) sum += CalcContactExtent(frame, contacts[i]);
    extents_[piece] = sum;
  });
  RowExtent all = CalcExtent(problem);
  for (RowExtent& extent : extents_) all += std::exchange(extent, all);
  Resize(all, problem);
  rows_.sources.resize(all.constraints);
  const std::size_t first_on_bodies = problem.body_contacts.size();
  if (has_bodies_) problem.body_contacts.resize(first_on_bodies + contacts.size());
  for_pieces([&](int piece, int begin, int end) {
    RowExtent at = extents_[piece];
    for (int i = begin; i < end; ++i) {
      const int contact = contacts[i], first = at.constraints;
      at = PlaceContactRows(frame, contact, at, problem);
      rows_.contact_constraint[contact] = first;
      rows_.sources[first] = {.contact = contact};
      for (int c = first + 1; c < at.constraints; ++c) rows_.sources[c] = {.moment = contact};
      if (has_bodies_) problem.body_contacts[first_on_bodies + i] = MakeBodyContact(frame, contact, first);
    }
  });
}

void RowAssembler::ListActing() {
  rows_.acting.clear();
  for (std::size_t i = 0; i < rows_.contact_constraint.size(); ++i) {
    if (rows_.contact_constraint[i] >= 0) rows_.acting.push_back(static_cast<int>(i));
  }
}

void RowAssembler::AddExactEqualities(const Model& model, const State& state,
                                      const EqualityStage& equalities) {
  if (!equalities.is_needed()) return;
  equalities.AddRows(rows_.problem);
  const bool is_warm = state.equality_impulses.size() == model.num_equality_rows;
  for (const int row : equalities.model_rows()) {
    rows_.sources.push_back({.equality_row = row});
    rows_.warm_start.push_back(is_warm ? state.equality_impulses[row] : 0.0);
  }
}

void RowAssembler::AddJointFriction(const Model& model, const State& state, const StepFrame& frame) {
  const bool is_warm = FrictionIsWarm(model, state);
  for (const int k : friction_dofs_) {
    if (!frame.sleep.IsAwake(model.dof_tree[k])) continue;
    const double bound = frame.dt * model.joints[model.dof_joint[k]].friction_loss;
    AddFrictionRow(model, frame.pattern, k, bound, rows_.problem);
    rows_.sources.push_back({.friction = k});
    rows_.warm_start.push_back(is_warm ? std::clamp(state.friction_impulses[k], -bound, bound) : 0.0);
  }
}

void RowAssembler::AddTendonFriction(const Model& model, const State& state, const StepFrame& frame) {
  const bool is_warm = FrictionIsWarm(model, state);
  for (int t = 0; t < model.num_tendons(); ++t) {
    if (model.tendons[t].friction_loss == 0.0 || !frame.sleep.IsTendonAwake(t)) continue;
    const double bound = frame.dt * model.tendons[t].friction_loss;
    const int place = model.nv() + t;
    AddTendonFrictionRow(frame.tendons, t, bound, rows_.problem);
    rows_.sources.push_back({.friction = place});
    rows_.warm_start.push_back(is_warm ? std::clamp(state.friction_impulses[place], -bound, bound) : 0.0);
  }
}

void RowAssembler::AddSlopes(const StepFrame& frame, const Motion& motion) {
  const auto [damping, stiffness] = CalcSlopeFactors(frame.scheme, frame.dt);
  if (damping == 0.0) return;
  const JointForces& forces = motion.forces;
  for (const SlopeRow& row : forces.slope_rows) {
    if (row.is_one_branch || !frame.sleep.IsAwake(forces.slope_blocks[row.first_block].tree)) continue;
    // Forces were evaluated at the rate of the start by Euler's rule, and at that of v* by the others.
    const double slope = damping * row.damping + stiffness * row.stiffness;
    const double rate = frame.scheme == Integrator::kSymplecticEuler
                            ? damping * row.damping * row.rate / slope
                            : CalcSlopeRate(forces, row.first_block, row.num_blocks, rows_.problem.v_star);
    AddSlopeRow(forces, row, slope, rate, rows_.problem);
    rows_.sources.push_back({});
    rows_.warm_start.push_back(0.0);
  }
}

void RowAssembler::AddEfforts(const Model& model, const StepFrame& frame, const Motion& motion) {
  const JointForces& forces = motion.forces;
  if (!forces.has_open) return;
  for (std::size_t i = 0; i < forces.limited.size(); ++i) {
    const LimitedForce& limited = forces.limited[i];
    if (!IsOpen(model, forces, limited)) continue;
    AddEffortRow(model, frame.pattern, forces, limited, frame.dt, rows_.problem);
    rows_.sources.push_back({.effort = static_cast<int>(i)});
    rows_.warm_start.push_back(frame.dt * limited.share *
                               std::clamp(limited.force, limited.lower, limited.upper));
  }
}

// Torsional and rolling friction of a contact.
//   w_mocap_C  what mocap bodies add to the relative angular velocity J v, in the contact frame [rad/s]
void RowAssembler::FillMoments(const State& state, const StepFrame& frame, int index,
                               const Vector3d& w_mocap_C, double normal_impulse) {
  const int contact = rows_.contact_constraint[index], memory = frame.contacts[index].tracked.memory;
  const std::vector<Constraint>& constraints = rows_.problem.constraints;
  const int count = rows_.problem.num_constraints();
  if (contact + 1 == count || constraints[contact + 1].contact != contact) return;
  Vector3d warm = Vector3d::Zero();
  if (memory >= 0) {
    const Matrix3d turn = CalcLoadTurn(frame, frame.contacts[index].tracked);
    warm = InFrame(frame.R_WC[index], turn * state.contacts[memory].moment_W);
  }
  for (int i = contact + 1; i < count && constraints[i].contact == contact; ++i) {
    const Constraint& c = constraints[i];
    const double limit = c.mu * normal_impulse;
    const int first_axis = c.type == ConstraintType::kTorsional ? 2 : 0;
    for (int r = 0; r < c.dim(); ++r) rows_.problem.e[c.row + r] = w_mocap_C[first_axis + r];
    double* impulse = rows_.warm_start.data() + c.row;
    if (c.type == ConstraintType::kTorsional) {
      impulse[0] = std::clamp(warm[2], -limit, limit);
      continue;
    }
    const double size = warm.head<2>().norm(), scale = size > limit ? limit / size : 1.0;
    for (int r = 0; r < 2; ++r) impulse[r] = scale * warm[r];
  }
}

void RowAssembler::FillContact(const Model& model, const State& state, const StepFrame& frame,
                               const Motion& motion, const SlipMemory& slip, int index) {
  const DetectedContact& contact = frame.contacts[index];
  ContactProblem& problem = rows_.problem;
  const int constraint = rows_.contact_constraint[index];
  FillContactRows(frame, index, constraint, problem);
  Constraint& c = problem.constraints[constraint];

  const Matrix3d& R_WC = frame.R_WC[index];
  const Vector3d slip_C = InFrame(R_WC, slip.undo_W(index));
  // Of mocap bodies, by which the gap was another at the start. The laws are about J v and their velocity.
  double gap = FindClosingGap(frame.contacts, state, index);  // [m]
  Vector3d v_mocap_C = Vector3d::Zero(), turn_C = Vector3d::Zero();
  if (frame.mocap.is_moving()) {
    const MocapStep step = CalcMocapStep(frame, contact);
    gap -= step.displacement.dot(contact.tracked.point.n_W);
    v_mocap_C = InFrame(R_WC, step.travel) / frame.dt;
    turn_C = InFrame(R_WC, step.turn);
  }
  // What a bend drives in is no approach that the velocity may pay for: sim/position_stage.h takes it out.
  double bias = CalcGapBias(gap, frame.dt, rows_.penetration_time);
  if (contact.bend != 0.0) bias = std::max(bias - contact.bend / frame.dt, 0.0);
  Vector3d e_C(slip_C[0] / frame.dt, slip_C[1] / frame.dt, bias);
  if (contact.restitution > 0.0) {
    const double speed = CalcNormalVelocity(frame, contact.tracked, state.v) + v_mocap_C[2];
    const double threshold = 2.0 * model.options.gravity.norm() * frame.dt;
    if (speed < -threshold && gap + frame.dt * speed <= 0.0)
      e_C[2] = std::min(e_C[2], contact.restitution * speed);
  }
  if (contact.stiffness > 0.0) {
    const SoftRow row = CalcCompliantRow(contact.stiffness, contact.dissipation_time, gap, frame.dt);
    c.compliance_n = row.R;
    e_C[2] = row.e;
  } else if (model.options.contact_model != ContactModel::kRigid) {
    SoftenContact(model, state, frame, motion, contact.tracked, gap, v_mocap_C, c, e_C);
  }
  for (int r = 0; r < 3; ++r) problem.e[c.row + r] = e_C[r] + v_mocap_C[r];

  Vector3d warm = Vector3d::Zero();
  if (contact.tracked.memory >= 0) {
    const ContactMemory& memory = state.contacts[contact.tracked.memory];
    const Matrix3d turn = CalcLoadTurn(frame, contact.tracked);
    const Vector3d last = InFrame(R_WC, turn * memory.impulse_W);
    const Vector3d change = InFrame(R_WC, turn * memory.change_W);
    std::copy_n(last.data(), 3, rows_.remembered.data() + c.row);
    std::copy_n(change.data(), 3, rows_.trend.data() + c.row);
    warm = ClampCone(last, contact.friction.sliding);
  }
  std::copy_n(warm.data(), 3, rows_.warm_start.data() + c.row);
  FillMoments(state, frame, index, turn_C / frame.dt, warm[2]);
}

void RowAssembler::AddLimit(const Model& model, const State& state, const StepFrame& frame,
                            const Motion& motion, int index) {
  const LimitRow& limit = frame.limits[index];
  AddLimitRow(model, frame.pattern, frame.tendons, limit, rows_.problem);
  rows_.problem.SetBias(0, CalcGapBias(limit.gap, frame.dt, rows_.penetration_time));
  SoftenLimit(model, state, frame, motion, limit);
  rows_.sources.push_back({.limit = index});
  double last = 0.0, change = 0.0;
  if (static_cast<int>(state.limits.size()) == model.num_limits()) {
    const LimitMemory& memory = state.limits[limit.memory];
    last = limit.is_upper ? memory.upper_impulse : memory.lower_impulse;
    change = limit.is_upper ? memory.upper_change : memory.lower_change;
  }
  rows_.warm_start.push_back(std::max(0.0, last));
  for (std::vector<double>* by_row : {&rows_.remembered, &rows_.trend})
    by_row->resize(rows_.problem.num_rows());
  rows_.remembered.back() = last;
  rows_.trend.back() = change;
}

}  // namespace stiction

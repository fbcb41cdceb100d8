#include "stiction/sim/contact_memory.h"

#include <algorithm>

#include "sim/step_rows.h"

namespace stiction {
namespace {

constexpr double kStickMargin = 1e-7;  // relative distance from the friction limit that counts as sticking
constexpr double kSlidingError =
    0.5;                         // of the allowed slide; a larger difference from it means: held, not slid
constexpr int kSlipPause = 100;  // steps before contacts whose slip had to be forgotten count it again

// |ω_B − ω_A| [rad/s].
double CalcRelativeSpin(const Model& model, const Kinematics& kin, const TrackedContact& contact) {
  const Vector3d w_A = CalcAngularVelocity(kin, model.geoms[contact.geom_a].body);
  return (CalcAngularVelocity(kin, model.geoms[contact.geom_b].body) - w_A).norm();
}

// Impulses of limits, dry friction and equalities, but those that hold who sleeps.
void ForgetJointImpulses(const Model& model, const SleepStage& sleep, State& state) {
  const int num_joints = model.num_joints(), nv = model.nv();
  state.limits.resize(num_joints + model.num_tendons());
  // Eigen would reallocate where the size is right already.
  if (state.friction_impulses.size() != nv + model.num_tendons())
    state.friction_impulses.setZero(nv + model.num_tendons());
  if (state.equality_impulses.size() != model.num_equality_rows)
    state.equality_impulses.setZero(model.num_equality_rows);
  for (const IndexRange& range : sleep.awake().joints)
    std::fill(state.limits.begin() + range.begin, state.limits.begin() + range.end, LimitMemory{});
  for (const IndexRange& range : sleep.awake().dofs)
    state.friction_impulses.segment(range.begin, range.size()).setZero();
  for (int t = 0; t < model.num_tendons(); ++t) {
    if (!sleep.IsTendonAwake(t)) continue;
    state.limits[num_joints + t] = LimitMemory{};
    state.friction_impulses[nv + t] = 0.0;
  }
  for (int i = 0; i < model.num_equalities(); ++i) {
    const Equality& equality = model.equalities[i];
    if (sleep.IsEqualityAwake(i))
      state.equality_impulses.segment(equality.first_row, equality.num_rows).setZero();
  }
}

// Where a geom stood at the start of the step: mocap bodies are at its end already.
RigidTransform StartPose(const Model& model, const StepWorkspace& ws, int geom) {
  return ws.mocap_motion.CalcStart(model.geoms[geom].body, ws.kin.X_WG[geom]);
}

// What a sliding contact moves tangentially in the step, the slip that it undoes included [m].
Vector3d CalcSlide(const Model& model, const StepWorkspace& ws, int index) {
  const TrackedContact& tracked = ws.contacts[index].tracked;
  const Matrix3d R_WC = MakeContactFrame(tracked.point.n_W);
  const int row = ws.problem.constraints[ws.contact_constraint[index]].row;
  const Vector3d carried = CalcMocapStep(model, ws, tracked).displacement;
  Vector3d slide = ws.dt * (R_WC.col(0) * ws.row_velocity[row] + R_WC.col(1) * ws.row_velocity[row + 1]) +
                   ws.slip_W[index];
  slide += carried - carried.dot(tracked.point.n_W) * tracked.point.n_W;
  return slide;
}

// Puts the anchors on the surfaces where the contact acts. Those of a point that was not found again stay, so
// that drift counts from when it was last found; CalcSlip adds their separation, and what of it is there
// already must not count twice. Returns that, tangential [m].
//   contacts  of the last step
Vector3d PlaceAnchors(const TrackedContact& tracked, const RigidTransform& X_WA, const RigidTransform& X_WB,
                      const std::vector<ContactMemory>& contacts, ContactMemory& memory) {
  const Vector3d& n_W = tracked.point.n_W;
  if (tracked.is_kept) {
    const ContactMemory& old = contacts[tracked.memory];
    memory.p_A = old.p_A;
    memory.p_B = old.p_B;
    memory.n_A = old.n_A;
    const Vector3d apart = X_WB * old.p_B - X_WA * old.p_A;
    return apart - apart.dot(n_W) * n_W;
  }
  const Vector3d half = 0.5 * tracked.point.gap * n_W;
  memory.p_A = X_WA.Inverse() * Vector3d(tracked.point.p_W - half);
  memory.p_B = X_WB.Inverse() * Vector3d(tracked.point.p_W + half);
  memory.n_A = X_WA.R.transpose() * n_W;
  return Vector3d::Zero();
}

// What the next step has to know of a contact that was admitted.
//   contacts  of the last step
ContactMemory MakeMemory(const Model& model, const StepWorkspace& ws,
                         const std::vector<ContactMemory>& contacts, int index) {
  const DetectedContact& contact = ws.contacts[index];
  const TrackedContact& tracked = contact.tracked;
  const Vector3d lambda =
      ws.solution.lambda.segment<3>(ws.problem.constraints[ws.contact_constraint[index]].row);
  const bool presses = lambda[2] > 0.0;
  ContactMemory memory;
  memory.geom_a = tracked.geom_a;
  memory.geom_b = tracked.geom_b;
  memory.feature = tracked.point.feature;
  memory.slip_pause = ws.slip_pause[index];
  memory.impulse_W = MakeContactFrame(tracked.point.n_W) * lambda;
  memory.moment_W = CalcFrictionMoment(ws, index);
  memory.stuck =
      presses && lambda.head<2>().norm() < contact.friction.sliding * lambda[2] * (1.0 - kStickMargin);
  const RigidTransform X_WA = StartPose(model, ws, tracked.geom_a);
  const RigidTransform X_WB = StartPose(model, ws, tracked.geom_b);
  Vector3d slip = presses ? ws.slip_W[index] : Vector3d::Zero();
  slip -= PlaceAnchors(tracked, X_WA, X_WB, contacts, memory);
  memory.slip_A = X_WA.R.transpose() * slip;
  Vector3d slide = Vector3d::Zero();
  if (presses && !memory.stuck) slide = CalcSlide(model, ws, index);
  memory.slide_A = X_WA.R.transpose() * slide;
  return memory;
}

void RememberContacts(const Model& model, StepWorkspace& ws, State& state) {
  ws.row_velocity.resize(ws.problem.num_rows());
  ws.problem.MultiplyJ(ws.solution.v.data(), ws.row_velocity.data());
  ws.next_contacts.clear();
  for (std::size_t i = 0; i < ws.contacts.size(); ++i) {
    if (ws.contact_constraint[i] >= 0)
      ws.next_contacts.push_back(MakeMemory(model, ws, state.contacts, static_cast<int>(i)));
  }
  state.contacts.swap(ws.next_contacts);
}

// Warm start of equalities, dry friction and limits.
void RememberJointImpulses(const Model& model, const StepWorkspace& ws, State& state) {
  ForgetJointImpulses(model, ws.sleep, state);
  for (std::size_t i = 0; i < ws.sources.size(); ++i) {
    const RowSource& source = ws.sources[i];
    const double impulse = ws.solution.lambda[ws.problem.constraints[i].row];
    if (source.equality_row >= 0) state.equality_impulses[source.equality_row] = impulse;
    if (source.friction >= 0) state.friction_impulses[source.friction] = impulse;
    if (source.limit < 0) continue;
    const LimitRow& limit = ws.limits[source.limit];
    LimitMemory& memory = state.limits[limit.joint >= 0 ? limit.joint : model.num_joints() + limit.tendon];
    (limit.is_upper ? memory.upper_impulse : memory.lower_impulse) = impulse;
  }
}

}  // namespace

Vector3d CalcSlip(const Model& model, const StepWorkspace& ws, const TrackedContact& contact,
                  const std::vector<ContactMemory>& memory) {
  if (!contact.is_same || contact.memory < 0) return Vector3d::Zero();
  const ContactMemory& old = memory[contact.memory];
  // What moved while nothing pressed, moved freely.
  if (old.slip_pause > 0 || old.impulse_W.isZero(0.0)) return Vector3d::Zero();
  const RigidTransform X_WA = StartPose(model, ws, contact.geom_a);
  const RigidTransform X_WB = StartPose(model, ws, contact.geom_b);
  const Vector3d& n = contact.point.n_W;
  const auto tangential = [&n](const Vector3d& x) { return Vector3d(x - x.dot(n) * n); };
  Vector3d moved = tangential(X_WB * old.p_B - X_WA * old.p_A);
  if (model.options.contact_model == ContactModel::kCompliant) {
    // The law acts on the points halfway between the surfaces, the anchors are on these: deep overlaps tell
    // one from the other as soon as the bodies turn.
    const Vector3d w_AB = CalcAngularVelocity(ws.kin, model.geoms[contact.geom_a].body) +
                          CalcAngularVelocity(ws.kin, model.geoms[contact.geom_b].body);
    moved -= tangential(0.5 * ws.dt * contact.point.gap * w_AB.cross(n));
  }
  const Vector3d slip = tangential(X_WA.R * old.slip_A);
  // While the contact point travels over both surfaces, displacements up to |θ| times its way belong to the
  // finite rotation θ of the step: the lowest point of a rolling ball moves by r (θ − sin θ) without any
  // slip.
  const Vector3d half = 0.5 * contact.point.gap * n;
  const double on_A = (X_WA.Inverse() * Vector3d(contact.point.p_W - half) - old.p_A).norm();
  const double on_B = (X_WB.Inverse() * Vector3d(contact.point.p_W + half) - old.p_B).norm();
  const double rolling = ws.dt * CalcRelativeSpin(model, ws.kin, contact) * std::min(on_A, on_B);
  if (old.stuck) return moved.norm() <= rolling ? slip : Vector3d(slip + moved);
  const Vector3d slide = tangential(X_WA.R * old.slide_A);
  const Vector3d error = moved - slide;
  if (error.norm() <= std::max(rolling, kSlidingError * slide.norm())) return Vector3d::Zero();
  return slip + error;
}

Vector3d CalcFrictionMoment(const StepWorkspace& ws, int contact) {
  const int constraint = ws.contact_constraint[contact];
  const int count = ws.problem.num_constraints();
  if (constraint + 1 >= count || ws.problem.constraints[constraint + 1].contact != constraint)
    return Vector3d::Zero();
  Vector3d moment_C = Vector3d::Zero();
  for (int i = constraint + 1; i < count && ws.problem.constraints[i].contact == constraint; ++i) {
    const Constraint& c = ws.problem.constraints[i];
    moment_C.segment(c.type == ConstraintType::kTorsional ? 2 : 0, c.dim()) =
        ws.solution.lambda.segment(c.row, c.dim());
  }
  return MakeContactFrame(ws.contacts[contact].tracked.point.n_W) * moment_C;
}

bool ForgetSlip(StepWorkspace& ws) {
  const std::vector<double>& residuals = ws.problem_solver.residuals();
  const IslandPartition& partition = ws.problem_solver.partition();
  bool any = false;
  for (int island = 0; island < partition.num_islands; ++island) {
    bool missed = false, has_slip = false;
    const auto begin = partition.constraints.begin() + partition.first_constraint[island];
    const auto end = partition.constraints.begin() + partition.first_constraint[island + 1];
    for (auto i = begin; i != end; ++i) {
      missed = missed || !(residuals[*i] <= ws.budget);
      const int contact = ws.sources[*i].contact;
      has_slip = has_slip || (contact >= 0 && !ws.slip_W[contact].isZero(0.0));
    }
    if (!missed || !has_slip) continue;
    any = true;
    for (auto i = begin; i != end; ++i) {
      const Constraint& c = ws.problem.constraints[*i];
      ws.solution.lambda.segment(c.row, c.dim()).setZero();
      const int contact = ws.sources[*i].contact;
      if (contact < 0) continue;
      const Matrix3d R_WC = MakeContactFrame(ws.contacts[contact].tracked.point.n_W);
      const Vector3d slip_C = R_WC.transpose() * ws.slip_W[contact];
      for (int r = 0; r < 2; ++r) ws.problem.e[c.row + r] -= slip_C[r] / ws.dt;
      ws.slip_W[contact].setZero();
      ws.slip_pause[contact] = kSlipPause;
    }
  }
  return any;
}

void Remember(const Model& model, StepWorkspace& ws, State& state) {
  RememberContacts(model, ws, state);
  state.penalties = ws.solution.penalty;
  RememberJointImpulses(model, ws, state);
}

}  // namespace stiction

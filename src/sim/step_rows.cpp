#include "sim/step_rows.h"

#include <algorithm>

#include "sim/contact_rows.h"

namespace stiction {
namespace {

// Impulses of limits, dry friction and equalities, but those that hold who sleeps.
void ForgetJointImpulses(const Model& model, const SleepStage& sleep, State& state) {
  const int nv = model.nv();
  state.limits.resize(model.num_limits());
  // Eigen would reallocate where the size is right already.
  if (state.friction_impulses.size() != nv + model.num_tendons())
    state.friction_impulses.setZero(nv + model.num_tendons());
  if (state.equality_impulses.size() != model.num_equality_rows)
    state.equality_impulses.setZero(model.num_equality_rows);
  if (sleep.num_absent() == 0) {
    std::fill(state.limits.begin(), state.limits.end(), LimitMemory{});
    state.friction_impulses.setZero();
    state.equality_impulses.setZero();
    return;
  }
  for (const IndexRange& range : sleep.awake().joints) {
    for (int j = range.begin; j < range.end; ++j)
      std::fill_n(state.limits.begin() + model.joints[j].limit_address, model.joints[j].num_limits(),
                  LimitMemory{});
  }
  for (const IndexRange& range : sleep.awake().dofs)
    state.friction_impulses.segment(range.begin, range.size()).setZero();
  for (int t = 0; t < model.num_tendons(); ++t) {
    if (!sleep.IsTendonAwake(t)) continue;
    state.limits[model.num_joint_limits + t] = LimitMemory{};
    state.friction_impulses[nv + t] = 0.0;
  }
  for (int i = 0; i < model.num_equalities(); ++i) {
    const Equality& equality = model.equalities[i];
    if (sleep.IsEqualityAwake(i))
      state.equality_impulses.segment(equality.first_row, equality.num_rows).setZero();
  }
}

}  // namespace

void StepRows::MakePlace(int place) {
  contact_constraint.insert(contact_constraint.begin() + place, -1);
  for (RowSource& source : sources) {
    source.contact += source.contact >= place;
    source.moment += source.moment >= place;
  }
  for (int& contact : acting) contact += contact >= place;
}

const IslandPartition& StepRows::Islands() {
  if (!has_islands_) islands_.Assign(problem);
  has_islands_ = true;
  return islands_;
}

void AddBodies(const StepFrame& frame, const StepRows& rows, ContactProblem& problem) {
  problem.motion = frame.kin.S;
  problem.body_contacts.clear();
  for (std::size_t i = 0; i < rows.sources.size(); ++i) {
    if (const int contact = rows.sources[i].contact; contact >= 0)
      problem.body_contacts.push_back(MakeBodyContact(frame, contact, static_cast<int>(i)));
  }
}

Vector3d CalcFrictionMoment(const StepRows& rows, const GrowingVector& lambda, const Matrix3d& R_WC,
                            int constraint) {
  const std::vector<Constraint>& constraints = rows.problem.constraints;
  const int count = rows.problem.num_constraints();
  if (constraint + 1 >= count || constraints[constraint + 1].contact != constraint) return Vector3d::Zero();
  Vector3d moment_C = Vector3d::Zero();
  for (int i = constraint + 1; i < count && constraints[i].contact == constraint; ++i) {
    const Constraint& c = constraints[i];
    moment_C.segment(c.type == ConstraintType::kTorsional ? 2 : 0, c.dim()) = lambda.segment(c.row, c.dim());
  }
  return R_WC * moment_C;
}

void RememberJointImpulses(const Model& model, const StepFrame& frame, const StepRows& rows,
                           const GrowingVector& lambda, State& state) {
  ForgetJointImpulses(model, frame.sleep, state);
  for (std::size_t i = 0; i < rows.sources.size(); ++i) {
    const RowSource& source = rows.sources[i];
    if (source.contact >= 0) continue;
    const double impulse = lambda[rows.problem.constraints[i].row];
    if (source.equality_row >= 0) state.equality_impulses[source.equality_row] = impulse;
    if (source.friction >= 0) state.friction_impulses[source.friction] = impulse;
    if (source.limit < 0) continue;
    const LimitRow& limit = frame.limits[source.limit];
    LimitMemory& memory = state.limits[limit.memory];
    (limit.is_upper ? memory.upper_impulse : memory.lower_impulse) = impulse;
    const double last = rows.remembered[rows.problem.constraints[i].row];
    if (impulse > 0.0 && last > 0.0)
      (limit.is_upper ? memory.upper_change : memory.lower_change) = impulse - last;
  }
}

}  // namespace stiction

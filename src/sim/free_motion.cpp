#include "sim/free_motion.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "math/assert.h"
#include "sim/adhesion.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Fewer are not worth handing to another thread.
constexpr int kLeastFreeBodies = 32;
constexpr int kLeastJoints = 128;

// value <- max(value, other).
void RaiseTo(int other, std::atomic<int>& value) {
  int now = value;
  while (other > now && !value.compare_exchange_weak(now, other)) {
  }
}

}  // namespace

double CalcImpulseShare(Integrator scheme) {
  return scheme == Integrator::kMidpoint ? 0.5 : 1.0;
}

SlopeFactors CalcSlopeFactors(Integrator scheme, double dt) {
  if (scheme == Integrator::kRungeKutta4 || scheme == Integrator::kExplicitEuler) return {};
  const double step = CalcImpulseShare(scheme) * dt;
  return {step, step * step};
}

ActivationRule GetActivationRule(Integrator scheme) {
  const bool is_of_first_order = scheme != Integrator::kMidpoint && scheme != Integrator::kRungeKutta4;
  return is_of_first_order ? ActivationRule::kEuler : ActivationRule::kAccurate;
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

FreeMotion::FreeMotion(const Model& model, const BranchPattern& pattern) : M_(pattern), end_M_(pattern), mean_bias_(model) {
  forces_.Resize(model);
  middle_.Resize(model);
  row_kin_.Resize(model);
  // Before threads share them.
  crba_.composite.resize(model.num_bodies());
  rnea_.acceleration.resize(model.num_bodies());
  rnea_.force.resize(model.num_bodies());
  crba_.tendon_gradients.resize(model.tendon_inertia.dofs.size());
  rnea_.tendon_gradients.resize(model.tendon_inertia.dofs.size());
  for (VectorXd* scratch : {&bias_, &force_, &impulse_, &free_advance_, &foreseen_})
    scratch->setZero(model.nv());
  has_loops_ = std::any_of(model.equalities.begin(), model.equalities.end(), IsExact);
  set_integrator(model, model.options.integrator);
}

void FreeMotion::set_integrator(const Model& model, Integrator scheme) {
  forces_.explicit_springs = {};
  springs_dt_ = stage_time_ = 0.0;
  springs_of_steps_.clear();
  is_at_start_ = scheme != Integrator::kImplicitEuler && scheme != Integrator::kMidpoint;
  free_bodies_.clear();
  if (scheme != Integrator::kRungeKutta4 && scheme != Integrator::kExplicitEuler)
    free_bodies_ = FindFreeBodies(model);
  flights_.resize(free_bodies_.size());
  is_factored_.assign(free_bodies_.size(), 0);
  bias_.setZero(model.nv());
  activation_.setZero(model.na());
  has_sets_ = false;
  computed_.reserve(model.trees.size());
  jointed_.Reserve(model);
  other_joints_.clear();
  std::vector<char> is_of_free_body(model.joints.size(), 0);
  for (const FreeBody& free_body : free_bodies_) is_of_free_body[free_body.joint] = 1;
  for (int j = 0; j < model.num_joints(); ++j) {
    if (is_of_free_body[j] == 0) other_joints_.push_back(j);
  }
}

template <typename Work>
void FreeMotion::ForParts(const Model& model, const StepFrame& frame, const Work& work) {
  parts_.ForEach(model, frame.sleep.computed(model), frame.pool, work);
}

template <typename Work>
void FreeMotion::ForFreeBodies(const StepFrame& frame, const Work& work) const {
  frame.pool.ForPieces(static_cast<int>(free_bodies_.size()), kLeastFreeBodies, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      if (frame.sleep.IsAwake(free_bodies_[i].tree)) work(i);
    }
  });
}

template <typename Work>
void FreeMotion::ForFreeBodies(const TreeSet& trees, const StepFrame& frame, const Work& work) const {
  frame.pool.ForPieces(static_cast<int>(free_bodies_.size()), kLeastFreeBodies, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      if (trees.contains[free_bodies_[i].tree] != 0) work(i);
    }
  });
}

void FreeMotion::UpdateSets(const Model& model, const StepFrame& frame, const ContactProblem& problem) {
  const TreeSet& computed = frame.sleep.computed(model);
  if (computed_ == computed.contains && has_sets_) return;
  has_sets_ = true;
  factor_.Adopt(problem.A, computed.dofs);
  computed_ = computed.contains;
  if (has_closed_form(frame)) {
    for (const FreeBody& free_body : free_bodies_) computed_[free_body.tree] = 0;
  }
  jointed_.Assign(model, computed_, computed.has_fixed);
  computed_ = computed.contains;
}

bool FreeMotion::Calc(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                      const Loops& loops, ContactProblem& problem, int& bad_body) {
  UpdateSets(model, frame, problem);
  forces_.has_sides = forces_.has_open = false;
  has_loop_rows_ = false;
  closes_loops_ = has_loops_ && frame.scheme == Integrator::kRungeKutta4 && loops.stage.can_close_in_stages();
  STICTION_ASSERT(state.q.size() == model.nq() && state.v.size() == model.nv());
  STICTION_ASSERT(frame.dt > 0.0);
  problem.v_star = state.v;
  impulse_.setZero(model.nv());
  const auto run = [&] {
    switch (frame.scheme) {
      case Integrator::kSymplecticEuler:
        return RunSymplecticEuler(model, input, state, frame, loops, problem, bad_body);
      case Integrator::kExplicitEuler:
        return RunExplicitEuler(model, input, state, frame, problem, bad_body);
      case Integrator::kImplicitEuler:
        return RunTheta(1.0, model, input, state, frame, problem, bad_body);
      case Integrator::kMidpoint:
        return RunTheta(0.5, model, input, state, frame, problem, bad_body);
      case Integrator::kRungeKutta4:
        return RunRungeKutta(model, input, state, frame, loops, problem, bad_body);
    }
    return false;
  };
  if (!run()) return false;
  if (frame.scheme != Integrator::kSymplecticEuler) foreseen_ = free_advance_;
  if (has_loops_ && !is_at_start_) {
    if (IsRefined(model)) ForeseeLoops(model, state, frame);
    PlaceRows(model, input, state, frame, loops);
  }
  return true;
}

void FreeMotion::AlignWithLoops(const Model& model, const StepFrame& frame, const Kinematics& kin,
                                const VectorXd& q, EqualityStage& stage, VectorXd& v) {
  if (!stage.can_close_in_stages()) return;
  const TreeSet& trees = frame.sleep.computed(model);
  CalcMassMatrix(model, trees, kin, crba_, end_M_);
  start_factor_.Adopt(end_M_, trees.dofs);
  if (start_factor_.FactorRows(end_M_, trees.dofs) < 0)
    stage.CorrectVelocity(model, frame.sleep, start_factor_, kin, q, frame.dt, v);
}

void FreeMotion::FindImpulses(const ContactProblem& problem, const Solution& solution) {
  if (free_bodies_.empty()) return;
  tree_has_impulse_.assign(problem.subsystems.size(), 0);
  for (const Constraint& c : problem.constraints) {
    if (solution.lambda.segment(c.row, c.dim()).isZero(0.0)) continue;
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b)
      tree_has_impulse_[problem.blocks[b].subsystem] = 1;
  }
}

void FreeMotion::CalcAdvance(const StepFrame& frame, const ContactProblem& problem, const Solution& solution,
                             VectorXd& advance) {
  FindImpulses(problem, solution);
  advance = frame.dt * solution.v;
  if (frame.scheme == Integrator::kSymplecticEuler || frame.scheme == Integrator::kImplicitEuler) return;
  advance = free_advance_;
  if (frame.scheme == Integrator::kExplicitEuler) return;
  advance += 0.5 * frame.dt * (solution.v - problem.v_star);
  if (frame.scheme == Integrator::kMidpoint || !has_loops_ || closes_loops_) return;
  // The other half of what bilateral rows do, whose bias counts on all of it.
  impulse_.setZero(problem.nv());
  for (const Constraint& c : problem.constraints) {
    if (c.type != ConstraintType::kBilateral) continue;
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const JacobianBlock& block = problem.blocks[b];
      for (int k = 0; k < block.num_dofs; ++k)
        impulse_[problem.block_dofs[block.first_dof + k]] +=
            problem.jacobian[block.first_value + k] * solution.lambda[c.row];
    }
  }
  factor_.Solve(impulse_.data());
  advance += 0.5 * frame.dt * impulse_;
}

void FreeMotion::AdvanceJoints(const Model& model, const StepFrame& frame, const VectorXd& advance,
                               VectorXd& q) const {
  frame.pool.ForPieces(static_cast<int>(other_joints_.size()), kLeastJoints, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Joint& joint = model.joints[other_joints_[i]];
      if (!frame.sleep.IsAwake(model.dof_tree[joint.v_address])) continue;
      const double* joint_v = advance.data() + joint.v_address;
      double* joint_q = q.data() + joint.q_address;
      std::visit([&](const auto& kind) { kind.Integrate(joint_v, 1.0, joint_q); }, joint.kind);
    }
  });
}

void FreeMotion::AdvanceFreeBodies(const Model& model, const State& state, const StepFrame& frame,
                                   const VectorXd& displacement, VectorXd& q, VectorXd& v) const {
  ForFreeBodies(frame, [&](int i) {
    const FreeBody& free_body = free_bodies_[i];
    const Joint& joint = model.joints[free_body.joint];
    AdvanceFreeBody(free_body, !tree_has_impulse_[free_body.tree], state.v.data() + joint.v_address,
                    flights_[i].data(), displacement.data() + joint.v_address, frame.dt,
                    CalcImpulseShare(frame.scheme), q.data() + joint.q_address, v.data() + joint.v_address);
  });
}

void FreeMotion::KeepCentreVelocities(const Model& model, const StepFrame& frame, const VectorXd& q_before,
                                      const VectorXd& q, VectorXd& v) const {
  ForFreeBodies(frame, [&](int i) {
    const Joint& joint = model.joints[free_bodies_[i].joint];
    const Vector3d spin = v.segment<3>(joint.v_address + 3).cross(free_bodies_[i].inertia.p_BBcm);
    const double* before = q_before.data() + joint.q_address + 3;
    const double* now = q.data() + joint.q_address + 3;
    if (std::equal(before, before + 4, now)) return;
    v.segment<3>(joint.v_address) += QuaternionFromWxyz(before) * spin - QuaternionFromWxyz(now) * spin;
  });
}

void FreeMotion::CalcForces(const Model& model, const Input& input, const State& state,
                            const StepFrame& frame, const Kinematics& kin, const VectorXd& q,
                            const VectorXd& v) {
  forces_.dt = frame.dt;
  if (stage_time_ > 0.0 && model.na() > 0) {
    activation_ = state.activation;
    AdvanceActivations(model, input, stage_time_, ActivationRule::kAccurate, activation_);
    CalcJointForces(model, kin, q, v, activation_, input, forces_);
  } else {
    CalcJointForces(model, kin, q, v, state.activation, input, forces_);
  }
  AddAdhesion(model, frame.kin, frame.contacts, forces_);
}

// M, bias and joint forces at `kin`, which is that of q and v.
void FreeMotion::CalcTerms(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                           const Kinematics& kin, const VectorXd& q, const VectorXd& v) {
  parts_.ForEachBeside(
      model, jointed_, frame.pool, [&] { CalcForces(model, input, state, frame, kin, q, v); },
      [&](const TreeSet& part) {
        if (part.dofs.empty()) return;
        CalcMassMatrix(model, part, kin, crba_, M_);
        CalcBias(model, part, kin, v, model.options.gravity, rnea_, bias_);
      });
  if (!has_closed_form(frame)) return;
  ForFreeBodies(frame.sleep.computed(model), frame, [&](int i) {
    const FreeBody& free_body = free_bodies_[i];
    if (free_body.is_centred && is_factored_[i] != 0) return;  // M stays what it was
    CalcFreeBodyMass(free_body, kin.X_WB[free_body.body].R, M_.row(model.trees[free_body.tree].first_dof));
  });
}

// middle_ to trial_q_ and trial_v_.
void FreeMotion::MoveMiddle(const Model& model, const Input& input, const StepFrame& frame) {
  CalcPositionKinematics(model, frame.sleep.awake(), trial_q_, input.mocap, middle_);
  CalcVelocityKinematics(model, frame.sleep.awake(), trial_v_, middle_);
}

// Slopes that couple the dofs of one branch.
void FreeMotion::AddBranchSlopes(const SlopeFactors& factors, const StepFrame& frame,
                                 BranchSparseMatrix& A) const {
  for (const SlopeRow& row : forces_.slope_rows) {
    if (!row.is_one_branch) continue;
    const double slope = factors.damping * row.damping + factors.stiffness * row.stiffness;
    const TendonWorkspace::Block& block = forces_.slope_blocks[row.first_block];
    // The rows of those who sleep have it already.
    if (!frame.sleep.is_refresh() && !frame.sleep.IsAwake(block.tree)) continue;
    const int* dofs = forces_.slope_dofs.data() + block.first;
    const double* value = forces_.slope_values.data() + block.first;
    for (int i = 0; i < block.num_dofs; ++i) {
      double* entries = A.row(dofs[i]);
      for (int j = 0; j <= i; ++j) entries[j] += slope * value[i] * value[j];
    }
  }
}

void FreeMotion::AddDiagonal(const SlopeFactors& factors, IndexRange dofs, BranchSparseMatrix& A) const {
  for (int k = dofs.begin; k < dofs.end; ++k)
    A.diagonal(k) += factors.damping * forces_.damping[k] + factors.stiffness * forces_.stiffness[k];
}

// Of a free body's rows: they are mostly those of the step before, and so is the factor. Returns the row of a
// pivot that is not positive, -1 on success.
int FreeMotion::FactorFreeBody(const Model& model, const SlopeFactors& factors, int i,
                               BranchSparseMatrix& A) {
  constexpr int kNumEntries = 21;
  const int first = model.trees[free_bodies_[i].tree].first_dof;
  double before[kNumEntries];
  double* rows = A.row(first);
  const bool has_slopes = HasSlopes(first);
  if (!has_slopes && is_factored_[i] != 0 && std::memcmp(rows, M_.row(first), sizeof before) == 0) return -1;
  std::copy_n(rows, kNumEntries, before);
  A.CopyRows(M_, IndexRange{first, first + 6});
  if (has_slopes) AddDiagonal(factors, {first, first + 6}, A);
  if (is_factored_[i] != 0 && std::memcmp(rows, before, sizeof before) == 0) return -1;
  const int bad_row = factor_.FactorRows(A, IndexRange{first, first + 6});
  is_factored_[i] = bad_row < 0 ? 1 : 0;
  return bad_row;
}

// A and its factor; false as Calc.
bool FreeMotion::FactorSlopes(const Model& model, const SlopeFactors& factors, const StepFrame& frame,
                              ContactProblem& problem, int& bad_body) {
  std::atomic<int> bad_row = -1;
  const auto factor = [&](const TreeSet& part) {
    RaiseTo(factor_.FactorRows(problem.A, part.dofs), bad_row);
  };
  const auto assemble = [&](const TreeSet& part) {
    problem.A.CopyRows(M_, part.dofs);
    for (const IndexRange& range : part.dofs) AddDiagonal(factors, range, problem.A);
  };
  if (forces_.slope_rows.empty()) {
    parts_.ForEach(model, jointed_, frame.pool, [&](const TreeSet& part) { assemble(part), factor(part); });
    if (has_closed_form(frame))
      ForFreeBodies(frame.sleep.computed(model), frame,
                    [&](int i) { RaiseTo(FactorFreeBody(model, factors, i, problem.A), bad_row); });
  } else {
    std::fill(is_factored_.begin(), is_factored_.end(), 0);
    ForParts(model, frame, assemble);
    AddBranchSlopes(factors, frame, problem.A);
    ForParts(model, frame, factor);
  }
  if (bad_row >= 0) bad_body = model.joints[model.dof_joint[bad_row]].body;
  return bad_row < 0;
}

// force_ ← A⁻¹ force_ of the awake.
void FreeMotion::SolveForce(const Model& model, const StepFrame& frame) {
  const auto solve = [this](IndexRange dofs) {
    factor_.SolveTransposed(force_.data(), dofs.begin, dofs.end);
    factor_.SolveLower(force_.data(), dofs.begin, dofs.end);
  };
  if (frame.sleep.num_absent() > 0) frame.sleep.ClearSleeping(force_);
  parts_.ForEach(model, jointed_, frame.pool, [&](const TreeSet& part) {
    for (const IndexRange& range : part.dofs) solve(range);
  });
  if (!has_closed_form(frame)) return;
  // Nothing acts on most free bodies: gravity is in their flight.
  ForFreeBodies(frame, [&](int i) {
    const int first = model.trees[free_bodies_[i].tree].first_dof;
    if (!force_.segment<6>(first).isZero(0.0)) solve({first, first + 6});
  });
}

// Free bodies: gyroscopic terms by the midpoint rule, so that the bias leaves their force. Before the solve.
// With u the velocity of their flight, M (v* − u) = dt f − S (v* − v_force), S = A − M, where the slopes hold
// f from v_force: A (v* − u) = dt f − S (u − v_force).
void FreeMotion::TakeBiasOut(const Model& model, const State& state, const VectorXd& v_force,
                             const StepFrame& frame, const ContactProblem& problem) {
  ForFreeBodies(frame, [&](int i) {
    const FreeBody& free_body = free_bodies_[i];
    const int first = model.trees[free_body.tree].first_dof;
    flights_[i] =
        CalcFreeFlight(free_body, frame.kin.X_WB[free_body.body].R, state.v.data() + first, frame.dt);
    force_.segment<6>(first) += frame.dt * bias_.segment<6>(first);
    if (!HasSlopes(first)) return;
    Vector6d change = flights_[i] - v_force.segment<6>(first);
    change.head<3>() += frame.dt * model.options.gravity;
    force_.segment<6>(first) -= CalcSlopes(problem.A, first) * change;
  });
}

bool FreeMotion::HasSlopes(int first) const {
  if (!forces_.is_written) return false;
  return !forces_.slope_rows.empty() || !forces_.damping.segment<6>(first).isZero(0.0) ||
         !forces_.stiffness.segment<6>(first).isZero(0.0);
}

// A − M of a free body.
Matrix6d FreeMotion::CalcSlopes(const BranchSparseMatrix& A, int first) const {
  Matrix6d slopes;
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c <= r; ++c) slopes(r, c) = slopes(c, r) = A.row(first + r)[c] - M_.row(first + r)[c];
  }
  return slopes;
}

// v* of free bodies from what the forces add, force_, after the solve.
void FreeMotion::AddFlights(const Model& model, const StepFrame& frame, ContactProblem& problem) const {
  ForFreeBodies(frame, [&](int i) {
    const int first = model.trees[free_bodies_[i].tree].first_dof;
    problem.v_star.segment<6>(first) = flights_[i] + force_.segment<6>(first);
    problem.v_star.segment<3>(first) += frame.dt * model.options.gravity;
  });
}

}  // namespace stiction

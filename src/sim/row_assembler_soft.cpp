// The rows that give way (sim/soft_rows.h).
#include <algorithm>
#include <cmath>

#include "sim/inverse_weights.h"
#include "sim/row_assembler.h"
#include "sim/soft_rows.h"

namespace stiction {
namespace {

// Row r of J_i v [m/s or rad/s].
double CalcRowVelocity(const ContactProblem& problem, const Constraint& c, int r, const VectorXd& v) {
  double sum = 0.0;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const int* dofs = problem.block_dofs.data() + block.first_dof;
    const double* value = problem.jacobian.data() + block.first_value;
    for (int k = 0; k < block.num_dofs; ++k) sum += v[dofs[k]] * value[c.dim() * k + r];
  }
  return sum;
}

// W of row r of an equality, 0 where MJCF has no such rows.
double CalcEqualityWeight(const InverseWeights& weights, const EqualityKind& kind, int r) {
  if (const auto* joints = std::get_if<JointPolynomial>(&kind))
    return weights.Joints(joints->joint, joints->of_joint);
  if (const auto* tendons = std::get_if<TendonPolynomial>(&kind))
    return weights.Tendons(tendons->tendon, tendons->of_tendon);
  const auto* lock = std::get_if<FrameLock>(&kind);
  if (lock == nullptr) return 0.0;
  const auto num_rotations = std::count(lock->locked.begin(), lock->locked.begin() + 3, true);
  // MuJoCo's error is half the angle, whose row has half the Jacobian.
  return r < num_rotations ? 4.0 * weights.Rotation(lock->a.body, lock->b.body)
                           : weights.Translation(lock->a.body, lock->b.body);
}

}  // namespace

// Σ over the blocks of row r of ‖L⁻ᵀ Jᵀ‖², with A = LᵀL: the row's Delassus diagonal.
double RowAssembler::CalcDelassusDiagonal(const Constraint& c, int r, const BranchSparseFactor& factor) {
  const ContactProblem& problem = rows_.problem;
  double sum = 0.0;
  row_.setZero(problem.nv());
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const Subsystem& subsystem = problem.subsystems[block.subsystem];
    const int* dofs = problem.block_dofs.data() + block.first_dof;
    const double* value = problem.jacobian.data() + block.first_value;
    for (int k = 0; k < block.num_dofs; ++k) row_[dofs[k]] = value[c.dim() * k + r];
    factor.SolveTransposed(row_.data(), subsystem.first_dof, subsystem.first_dof + subsystem.num_dofs);
    for (int k = 0; k < block.num_dofs; ++k) sum += row_[dofs[k]] * row_[dofs[k]];
  }
  return sum;
}

void RowAssembler::SoftenContact(const Model& model, const State& state, const StepFrame& frame,
                                 const Motion& motion, const TrackedContact& contact, double gap,
                                 const Vector3d& v_mocap_C, Constraint& c, Vector3d& e_C) {
  if (model.options.contact_model == ContactModel::kCompliant) {
    const Geom &a = model.geoms[contact.geom_a], &b = model.geoms[contact.geom_b];
    const double stiffness = CalcPairStiffness(a, b);
    if (!std::isfinite(stiffness)) return;
    const SoftRow row = CalcCompliantRow(stiffness, CalcPairDissipation(a, b), gap, frame.dt);
    c.compliance_n = row.R;
    e_C[2] = row.e;
    return;
  }
  const Softness softness = CalcSoftness(model, contact.geom_a, contact.geom_b);
  Vector3d v_C = v_mocap_C;
  for (int r = 0; r < 3; ++r) v_C[r] += CalcRowVelocity(rows_.problem, c, r, state.v);
  double W = weights_.Translation(model.geoms[contact.geom_a].body, model.geoms[contact.geom_b].body);
  if (!(W > 0.0)) W = CalcDelassusDiagonal(c, 2, motion.factor);
  const SoftRow row = CalcSoftGapRow(softness, gap, v_C[2], W, frame.dt);
  c.compliance_n = c.compliance_t = row.R;
  const double rate = CalcTangentialBiasRate(softness, gap, frame.dt);
  e_C = {rate * v_C[0], rate * v_C[1], row.e};
}

void RowAssembler::SoftenLimit(const Model& model, const State& state, const StepFrame& frame,
                               const Motion& motion, const LimitRow& limit) {
  const std::optional<Softness>& softness = limit.joint >= 0 ? model.joints[limit.joint].limit_softness
                                                             : model.tendons[limit.tendon].limit_softness;
  if (!softness) return;
  Constraint& c = rows_.problem.constraints.back();
  const double v = CalcRowVelocity(rows_.problem, c, 0, state.v);
  double W = limit.joint >= 0 ? weights_.Joints(limit.joint) : weights_.Tendons(limit.tendon);
  if (!(W > 0.0)) W = CalcDelassusDiagonal(c, 0, motion.factor);
  const SoftRow row = CalcSoftGapRow(*softness, limit.gap, v, W, frame.dt);
  c.compliance_n = row.R;
  rows_.problem.SetBias(0, row.e);
}

void RowAssembler::AddSoftEqualities(const Model& model, const Input& input, const State& state,
                                     const StepFrame& frame, const Motion& motion) {
  ContactProblem& problem = rows_.problem;
  const bool is_warm = state.equality_impulses.size() == model.num_equality_rows;
  for (int i = 0; i < model.num_equalities(); ++i) {
    const Equality& equality = model.equalities[i];
    if (!equality.is_active || !equality.softness || !frame.sleep.IsEqualityAwake(i)) continue;
    const int first = problem.num_constraints();
    AddEqualityRows(model, frame.kin, frame.pattern, state.q, frame.tendons, i, problem);
    soft_error_.resize(equality.num_rows);
    CalcEqualityResidual(model, frame.kin, state.q, frame.tendons, i, input.equality_target[i],
                         soft_error_.data());
    double size = 0.0;
    for (const double error : soft_error_) size = std::hypot(size, error);
    for (int r = 0; r < equality.num_rows; ++r) {
      Constraint& c = problem.constraints[first + r];
      const double v = CalcRowVelocity(problem, c, 0, state.v);
      double W = CalcEqualityWeight(weights_, equality.kind, r);
      if (!(W > 0.0)) W = CalcDelassusDiagonal(c, 0, motion.factor);
      const SoftRow row = CalcSoftRow(*equality.softness, soft_error_[r], size, v, W, frame.dt);
      c.compliance_n = row.R;
      problem.e[c.row] = row.e;
      rows_.sources.push_back({.equality_row = equality.first_row + r});
      rows_.warm_start.push_back(is_warm ? state.equality_impulses[equality.first_row + r] : 0.0);
    }
  }
}

}  // namespace stiction

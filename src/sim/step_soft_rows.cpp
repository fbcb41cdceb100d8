#include "sim/step_soft_rows.h"

#include <cmath>

#include "stiction/sim/soft_rows.h"

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

// Σ over the blocks of row r of ‖L⁻ᵀ Jᵀ‖², with A = LᵀL: the row's Delassus diagonal.
double CalcDelassusDiagonal(const Constraint& c, int r, StepWorkspace& ws) {
  const ContactProblem& problem = ws.problem;
  double sum = 0.0;
  ws.row.setZero(problem.nv());
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const Subsystem& subsystem = problem.subsystems[block.subsystem];
    const int* dofs = problem.block_dofs.data() + block.first_dof;
    const double* value = problem.jacobian.data() + block.first_value;
    for (int k = 0; k < block.num_dofs; ++k) ws.row[dofs[k]] = value[c.dim() * k + r];
    ws.factor.SolveTransposed(ws.row.data(), subsystem.first_dof, subsystem.first_dof + subsystem.num_dofs);
    for (int k = 0; k < block.num_dofs; ++k) sum += ws.row[dofs[k]] * ws.row[dofs[k]];
  }
  return sum;
}

}  // namespace

void SoftenContact(const Model& model, const State& state, StepWorkspace& ws, const TrackedContact& contact,
                   double gap, const Vector3d& v_mocap_C, Vector3d& e_C) {
  Constraint& c = ws.problem.constraints.back();
  if (model.options.contact_model == ContactModel::kCompliant) {
    const Geom &a = model.geoms[contact.geom_a], &b = model.geoms[contact.geom_b];
    const double stiffness = CalcPairStiffness(a, b);
    if (!std::isfinite(stiffness)) return;
    const SoftRow row = CalcCompliantRow(stiffness, CalcPairDissipation(a, b), gap, ws.dt);
    c.compliance_n = row.R;
    e_C[2] = row.e;
    return;
  }
  const Softness softness = CalcSoftness(model, contact.geom_a, contact.geom_b);
  Vector3d v_C = v_mocap_C;
  for (int r = 0; r < 3; ++r) v_C[r] += CalcRowVelocity(ws.problem, c, r, state.v);
  const SoftRow row = CalcSoftGapRow(softness, gap, v_C[2], CalcDelassusDiagonal(c, 2, ws), ws.dt);
  c.compliance_n = c.compliance_t = row.R;
  const double rate = CalcTangentialBiasRate(softness, gap, ws.dt);
  e_C = {rate * v_C[0], rate * v_C[1], row.e};
}

void SoftenLimit(const Model& model, const State& state, StepWorkspace& ws, const LimitRow& limit) {
  const std::optional<Softness>& softness = limit.joint >= 0 ? model.joints[limit.joint].limit_softness
                                                             : model.tendons[limit.tendon].limit_softness;
  if (!softness) return;
  Constraint& c = ws.problem.constraints.back();
  const double v = CalcRowVelocity(ws.problem, c, 0, state.v);
  const SoftRow row = CalcSoftGapRow(*softness, limit.gap, v, CalcDelassusDiagonal(c, 0, ws), ws.dt);
  c.compliance_n = row.R;
  ws.problem.SetBias(0, row.e);
}

void AddSoftEqualities(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  ContactProblem& problem = ws.problem;
  const bool is_warm = state.equality_impulses.size() == model.num_equality_rows;
  for (int i = 0; i < model.num_equalities(); ++i) {
    const Equality& equality = model.equalities[i];
    if (!equality.is_active || !equality.softness || !ws.sleep.IsEqualityAwake(i)) continue;
    const int first = problem.num_constraints();
    AddEqualityRows(model, ws.kin, ws.pattern, state.q, ws.tendons, i, problem);
    ws.soft_error.resize(equality.num_rows);
    CalcEqualityResidual(model, ws.kin, state.q, ws.tendons, i, input.equality_target[i],
                         ws.soft_error.data());
    double size = 0.0;
    for (const double error : ws.soft_error) size = std::hypot(size, error);
    for (int r = 0; r < equality.num_rows; ++r) {
      Constraint& c = problem.constraints[first + r];
      const double v = CalcRowVelocity(problem, c, 0, state.v), W = CalcDelassusDiagonal(c, 0, ws);
      const SoftRow row = CalcSoftRow(*equality.softness, ws.soft_error[r], size, v, W, ws.dt);
      c.compliance_n = row.R;
      problem.e[c.row] = row.e;
      ws.sources.push_back({.equality_row = equality.first_row + r});
      ws.warm_start.push_back(is_warm ? state.equality_impulses[equality.first_row + r] : 0.0);
    }
  }
}

}  // namespace stiction

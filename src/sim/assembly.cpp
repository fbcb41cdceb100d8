#include "sim/assembly.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "math/assert.h"
#include "sim/row_dofs.h"

namespace stiction {
namespace {

constexpr double kLimitReach = 0.2;  // [rad or m]

// A limit with a gap below it is within reach [rad or m].
double CalcReach(double speed, double time) {
  return std::max(kLimitReach, time * speed);
}

// Puts a limit in its place, unless it is there.
bool AddLimit(const LimitRow& limit, std::vector<LimitRow>& limits) {
  const auto is_before = [](const LimitRow& a, const LimitRow& b) {
    return std::tie(a.memory, a.is_upper) < std::tie(b.memory, b.is_upper);
  };
  auto place = limits.end();
  if (!limits.empty() && !is_before(limits.back(), limit))
    place = std::lower_bound(limits.begin(), limits.end(), limit, is_before);
  if (place != limits.end() && !is_before(limit, *place)) return false;
  limits.insert(place, limit);
  return true;
}

// Adds the limits of a joint that are within reach.
bool AddJointLimits(const Model& model, int j, const VectorXd& q, const VectorXd& v, double time,
                    std::vector<LimitRow>& limits) {
  const Joint& joint = model.joints[j];
  if (!std::isfinite(joint.lower) && !std::isfinite(joint.upper)) return false;
  const double *joint_q = q.data() + joint.q_address, *joint_v = v.data() + joint.v_address;
  if (joint.is_scalar()) {  // most are far from both limits
    const double reach = CalcReach(std::abs(*joint_v), time);
    if (*joint_q - joint.lower >= reach && joint.upper - *joint_q >= reach) return false;
  }
  const JointLimits found = std::visit(
      [&](const auto& kind) { return kind.FindLimits(joint_q, joint_v, joint.lower, joint.upper); },
      joint.kind);
  bool any = false;
  for (const JointLimit& limit : found) {
    if (!(limit.gap < CalcReach(limit.speed, time)) || limit.slope.isZero(0.0)) continue;
    any |= AddLimit({.joint = j,
                     .memory = joint.limit_address + limit.memory,
                     .is_upper = limit.is_upper,
                     .gap = limit.gap,
                     .first_dof = joint.v_address + limit.first,
                     .num_dofs = limit.count,
                     .slope = limit.slope},
                    limits);
  }
  return any;
}

void AddSlopeBlocks(const JointForces& forces, int first, int count, ContactProblem& problem) {
  for (int b = first; b < first + count; ++b) {
    const TendonWorkspace::Block& block = forces.slope_blocks[b];
    double* value = problem.AddBlock(block.tree, forces.slope_dofs.data() + block.first, block.num_dofs);
    std::copy_n(forces.slope_values.data() + block.first, block.num_dofs, value);
  }
}

}  // namespace

bool AddLimits(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& v,
               const TendonWorkspace& tendons, double time, std::vector<LimitRow>& limits) {
  bool any = false;
  for (const IndexRange& range : trees.joints) {
    for (int j = range.begin; j < range.end; ++j) any |= AddJointLimits(model, j, q, v, time, limits);
  }
  for (int t = 0; t < model.num_tendons(); ++t) {
    const Tendon& tendon = model.tendons[t];
    if (!std::isfinite(tendon.lower) && !std::isfinite(tendon.upper)) continue;
    const int first = tendons.first_block[t];
    if (first < tendons.first_block[t + 1] && trees.contains[tendons.blocks[first].tree] == 0) continue;
    const int memory = model.num_joint_limits + t;
    const double length = tendons.length[t];
    const double reach = CalcReach(std::abs(CalcTendonRate(tendons, t, v)), time);
    const double lower_gap = length - tendon.lower, upper_gap = tendon.upper - length;
    if (lower_gap < reach)
      any |= AddLimit({.tendon = t, .memory = memory, .is_upper = false, .gap = lower_gap}, limits);
    if (upper_gap < reach)
      any |= AddLimit({.tendon = t, .memory = memory, .is_upper = true, .gap = upper_gap}, limits);
  }
  return any;
}

void FindLimits(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& v,
                const TendonWorkspace& tendons, double dt, std::vector<LimitRow>& limits) {
  limits.clear();
  AddLimits(model, trees, q, v, tendons, 2.0 * dt, limits);
}

void InitializeProblem(const Model& model, const BranchPattern& pattern, ContactProblem& problem) {
  problem.name = model.name;
  problem.subsystems.clear();
  for (const Tree& tree : model.trees) problem.subsystems.push_back({tree.first_dof, tree.num_dofs});
  problem.A.Resize(pattern);
  problem.v_star.setZero(model.nv());
  problem.ClearConstraints();
}

void AddLimitRow(const Model& model, const BranchPattern& pattern, const TendonWorkspace& tendons,
                 const LimitRow& limit, ContactProblem& problem) {
  if (limit.tendon >= 0) {
    problem.AddConstraint(ConstraintType::kUnilateral);
    return AddTendonBlocks(tendons, limit.tendon, limit.is_upper ? -1.0 : 1.0, -1, 0.0, problem);
  }
  const int last = limit.first_dof + limit.num_dofs - 1;
  const int count = pattern.row_length(last);
  problem.AddConstraint(ConstraintType::kUnilateral);
  double* value = problem.AddBlock(model.dof_tree[last], pattern.columns(last), count);
  std::copy_n(limit.slope.data(), limit.num_dofs, value + count - limit.num_dofs);
}

void AddFrictionRow(const Model& model, const BranchPattern& pattern, int dof, double bound,
                    ContactProblem& problem) {
  const int count = pattern.row_length(dof);
  STICTION_ASSERT(bound > 0.0);
  problem.AddConstraint(ConstraintType::kBounded);
  problem.SetBounds(-bound, bound);
  problem.AddBlock(model.dof_tree[dof], pattern.columns(dof), count)[count - 1] = 1.0;
}

void AddTendonFrictionRow(const TendonWorkspace& tendons, int tendon, double bound, ContactProblem& problem) {
  problem.AddConstraint(ConstraintType::kBounded);
  problem.SetBounds(-bound, bound);
  AddTendonBlocks(tendons, tendon, 1.0, -1, 0.0, problem);
}

void AddSlopeRow(const JointForces& forces, const SlopeRow& row, double damping, double rate,
                 ContactProblem& problem) {
  problem.AddConstraint(ConstraintType::kSoft, 0.0, 1.0, damping);
  problem.SetBias(0, -damping * rate);
  AddSlopeBlocks(forces, row.first_block, row.num_blocks, problem);
}

void AddEffortRow(const Model& model, const BranchPattern& pattern, const JointForces& forces,
                  const LimitedForce& limited, double dt, ContactProblem& problem) {
  const double slope = limited.damping + dt * limited.stiffness, unit = dt * limited.share;
  STICTION_ASSERT(slope > 0.0 && unit > 0.0);
  problem.AddConstraint(ConstraintType::kBounded);
  problem.SetBounds(unit * limited.lower, unit * limited.upper);
  problem.SetBias(0, -(limited.force + limited.damping * limited.rate) / slope);
  problem.constraints.back().compliance_n = 1.0 / (unit * slope);
  if (limited.dof < 0) return AddSlopeBlocks(forces, limited.first_block, limited.num_blocks, problem);
  const int count = pattern.row_length(limited.dof);
  problem.AddBlock(model.dof_tree[limited.dof], pattern.columns(limited.dof), count)[count - 1] =
      limited.gear;
}

}  // namespace stiction

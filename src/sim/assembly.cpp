#include "sim/assembly.h"

#include <algorithm>
#include <cmath>

#include "math/assert.h"
#include "sim/row_dofs.h"

namespace stiction {
namespace {

constexpr double kLimitReach = 0.2;  // [rad or m]

// Which relative velocity of two bodies rows are about.
enum class RelativeMotion { kPoint, kAngular };

// Adds the rows of ± the velocity of `body` that every dof moving it causes, in the columns of `dofs`: of its
// material point at p_WQ, or angular.
//   axes  3 x dim, world: one axis a row
template <int kDim>
void AddColumns(const Model& model, const Kinematics& kin, const BranchPattern& pattern, int body,
                double sign, RelativeMotion motion, const Vector3d& p_WQ,
                const Eigen::Matrix<double, kDim, 3>& axes, const int* dofs, double* value) {
  const Body& b = model.bodies[body];
  const Vector3d p_TQ = p_WQ - kin.p_WT[b.tree];
  const int* chain = pattern.columns(b.last_dof);
  const int length = pattern.row_length(b.last_dof);
  int slot = 0;
  for (int i = 0; i < length; ++i) {
    while (dofs[slot] != chain[i]) ++slot;
    const auto S = kin.S.col(chain[i]);
    Vector3d velocity = S.template head<3>();
    if (motion == RelativeMotion::kPoint) velocity = S.template tail<3>() + velocity.cross(p_TQ);
    const Eigen::Matrix<double, kDim, 1> column = axes * velocity;
    for (int r = 0; r < kDim; ++r) value[kDim * slot + r] += sign * column[r];
  }
}

// Adds the blocks of the last constraint: rows of the velocity of B relative to A.
template <int kDim>
void AddRelativeBlocks(const Model& model, const Kinematics& kin, const BranchPattern& pattern,
                       const TrackedContact& contact, RelativeMotion motion,
                       const Eigen::Matrix<double, kDim, 3>& axes, ContactProblem& problem) {
  AddPairBlocks(model, pattern, model.geoms[contact.geom_a].body, model.geoms[contact.geom_b].body, problem,
                [&](int body, double sign, const int* dofs, double* value) {
                  AddColumns<kDim>(model, kin, pattern, body, sign, motion, contact.point.p_W, axes, dofs,
                                   value);
                });
}

// Appends the limits of a joint that are within reach.
void FindJointLimits(const Model& model, int j, const VectorXd& q, const VectorXd& v, double dt,
                     std::vector<LimitRow>& limits) {
  const Joint& joint = model.joints[j];
  if (!std::isfinite(joint.lower) && !std::isfinite(joint.upper)) return;
  const double *joint_q = q.data() + joint.q_address, *joint_v = v.data() + joint.v_address;
  const JointLimits found = std::visit(
      [&](const auto& kind) { return kind.FindLimits(joint_q, joint_v, joint.lower, joint.upper); },
      joint.kind);
  for (const JointLimit& limit : found) {
    const double reach = std::max(kLimitReach, 2.0 * dt * limit.speed);
    if (!(limit.gap < reach) || limit.slope.isZero(0.0)) continue;
    limits.push_back({.joint = j,
                      .memory = joint.limit_address + limit.memory,
                      .is_upper = limit.is_upper,
                      .gap = limit.gap,
                      .first_dof = joint.v_address + limit.first,
                      .num_dofs = limit.count,
                      .slope = limit.slope});
  }
}

}  // namespace

void FindLimits(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& v,
                const TendonWorkspace& tendons, double dt, std::vector<LimitRow>& limits) {
  limits.clear();
  for (const IndexRange& range : trees.joints) {
    for (int j = range.begin; j < range.end; ++j) FindJointLimits(model, j, q, v, dt, limits);
  }
  for (int t = 0; t < model.num_tendons(); ++t) {
    const Tendon& tendon = model.tendons[t];
    if (!std::isfinite(tendon.lower) && !std::isfinite(tendon.upper)) continue;
    const int first = tendons.first_block[t];
    if (first < tendons.first_block[t + 1] && trees.contains[tendons.blocks[first].tree] == 0) continue;
    const int memory = model.num_joint_limits + t;
    const double length = tendons.length[t];
    const double reach = std::max(kLimitReach, 2.0 * dt * std::abs(CalcTendonRate(tendons, t, v)));
    if (length - tendon.lower < reach)
      limits.push_back({.tendon = t, .memory = memory, .is_upper = false, .gap = length - tendon.lower});
    if (tendon.upper - length < reach)
      limits.push_back({.tendon = t, .memory = memory, .is_upper = true, .gap = tendon.upper - length});
  }
}

void InitializeProblem(const Model& model, const BranchPattern& pattern, ContactProblem& problem) {
  problem.name = model.name;
  problem.subsystems.clear();
  for (const Tree& tree : model.trees) problem.subsystems.push_back({tree.first_dof, tree.num_dofs});
  problem.A.Resize(pattern);
  problem.v_star.setZero(model.nv());
  problem.ClearConstraints();
}

void AddContactRows(const Model& model, const Kinematics& kin, const BranchPattern& pattern,
                    const DetectedContact& contact, ContactProblem& problem) {
  const Matrix3d R_CW = MakeContactFrame(contact.tracked.point.n_W).transpose();
  problem.AddConstraint(ConstraintType::kContact, contact.friction.sliding);
  AddRelativeBlocks<3>(model, kin, pattern, contact.tracked, RelativeMotion::kPoint, R_CW, problem);
}

int AddFrictionMoments(const Model& model, const Kinematics& kin, const BranchPattern& pattern,
                       const DetectedContact& contact, int constraint, ContactProblem& problem) {
  const PairFriction& friction = contact.friction;
  if (friction.torsional == 0.0 && friction.rolling == 0.0) return 0;
  const Matrix3d R_CW = MakeContactFrame(contact.tracked.point.n_W).transpose();
  int count = 0;
  if (friction.torsional > 0.0) {
    problem.AddFrictionMoment(ConstraintType::kTorsional, constraint, friction.torsional);
    AddRelativeBlocks<1>(model, kin, pattern, contact.tracked, RelativeMotion::kAngular, R_CW.row(2),
                         problem);
    ++count;
  }
  if (friction.rolling > 0.0) {
    problem.AddFrictionMoment(ConstraintType::kRolling, constraint, friction.rolling);
    AddRelativeBlocks<2>(model, kin, pattern, contact.tracked, RelativeMotion::kAngular, R_CW.topRows<2>(),
                         problem);
    ++count;
  }
  return count;
}

void AddBodyContact(const Model& model, const Kinematics& kin, const DetectedContact& contact, int constraint,
                    ContactProblem& problem) {
  const ManifoldPoint& point = contact.tracked.point;
  STICTION_ASSERT(problem.constraints[constraint].type == ConstraintType::kContact);
  STICTION_ASSERT(problem.body_contacts.empty() || problem.body_contacts.back().constraint < constraint);
  BodyContact& out = problem.body_contacts.emplace_back();
  out.constraint = constraint;
  out.R_CW = MakeContactFrame(point.n_W).transpose();
  const auto place = [&](int geom, int& dof, Vector3d& p) {
    const Body& body = model.bodies[model.geoms[geom].body];
    if (body.tree < 0) return;
    dof = body.last_dof;
    p = point.p_W - kin.p_WT[body.tree];
  };
  place(contact.tracked.geom_a, out.dof_A, out.p_A);
  place(contact.tracked.geom_b, out.dof_B, out.p_B);
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
  for (int b = row.first_block; b < row.first_block + row.num_blocks; ++b) {
    const TendonWorkspace::Block& block = forces.slope_blocks[b];
    double* value = problem.AddBlock(block.tree, forces.slope_dofs.data() + block.first, block.num_dofs);
    std::copy_n(forces.slope_values.data() + block.first, block.num_dofs, value);
  }
}

}  // namespace stiction

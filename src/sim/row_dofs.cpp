#include "sim/row_dofs.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <span>

namespace stiction {
namespace {

// The dofs at and above one, ascending; -1: none.
std::span<const int> ChainOf(const BranchPattern& pattern, int dof) {
  if (dof < 0) return {};
  return {pattern.columns(dof), static_cast<std::size_t>(pattern.row_length(dof))};
}

// Adds sign times the row's value of every dof that moves `body` into the slots of `dofs`, but for the first
// `num_common` of them, which move the other body likewise: their difference would be rounding.
void AddColumns(const Model& model, const Kinematics& kin, const BranchPattern& pattern, int body,
                double sign, const Vector3d& p_WQ, const Vector3d& n_ang, const Vector3d& n_lin,
                int num_common, const int* dofs, double* value) {
  const Body& b = model.bodies[body];
  const Vector3d moment = n_ang + (p_WQ - kin.p_WT[b.tree]).cross(n_lin);
  const int* chain = pattern.columns(b.last_dof);
  int slot = num_common;
  for (int i = num_common; i < pattern.row_length(b.last_dof); ++i) {
    while (dofs[slot] != chain[i]) ++slot;
    const auto S = kin.S.col(chain[i]);
    value[slot] += sign * (S.head<3>().dot(moment) + S.tail<3>().dot(n_lin));
  }
}

// How many dofs move both bodies.
int CountCommonDofs(const Model& model, const BranchPattern& pattern, int body_a, int body_b) {
  const Body &A = model.bodies[body_a], &B = model.bodies[body_b];
  if (A.tree != B.tree || A.tree < 0) return 0;
  const int* a = pattern.columns(A.last_dof);
  const int* b = pattern.columns(B.last_dof);
  const int most = std::min(pattern.row_length(A.last_dof), pattern.row_length(B.last_dof));
  return static_cast<int>(std::mismatch(a, a + most, b).first - a);
}

}  // namespace

const std::vector<int>& MergeChains(const BranchPattern& pattern, int dof_a, int dof_b) {
  thread_local std::vector<int> merged;  // keeps its memory: no allocation in a step
  merged.resize(CountMergedChains(pattern, dof_a, dof_b));
  MergeChains(pattern, dof_a, dof_b, merged.data());
  return merged;
}

int CountMergedChains(const BranchPattern& pattern, int dof_a, int dof_b) {
  const std::span<const int> a = ChainOf(pattern, dof_a), b = ChainOf(pattern, dof_b);
  // Chains that have parted do not meet again.
  const auto [end_a, end_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<int>(a.size() + (b.end() - end_b));
}

void MergeChains(const BranchPattern& pattern, int dof_a, int dof_b, int* merged) {
  const std::span<const int> a = ChainOf(pattern, dof_a), b = ChainOf(pattern, dof_b);
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), merged);
}

void AddPairRow(const Model& model, const Kinematics& kin, const BranchPattern& pattern, int body_a,
                int body_b, const Vector3d& p_WQ, const Vector3d& n_ang, const Vector3d& n_lin,
                ContactProblem& problem) {
  problem.AddConstraint(ConstraintType::kBilateral);
  const int num_common = CountCommonDofs(model, pattern, body_a, body_b);
  AddPairBlocks(model, pattern, body_a, body_b, problem,
                [&](int body, double sign, const int* dofs, double* value) {
                  AddColumns(model, kin, pattern, body, sign, p_WQ, n_ang, n_lin, num_common, dofs, value);
                });
}

void AddJointRow(const Model& model, const BranchPattern& pattern, int joint_a, double factor_a, int joint_b,
                 double factor_b, ContactProblem& problem) {
  problem.AddConstraint(ConstraintType::kBilateral);
  const int dof_a = model.joints[joint_a].v_address;
  const int dof_b = joint_b < 0 ? -1 : model.joints[joint_b].v_address;
  const int tree_a = model.dof_tree[dof_a], tree_b = dof_b < 0 ? -1 : model.dof_tree[dof_b];
  if (tree_a == tree_b) {
    const std::vector<int>& dofs = MergeChains(pattern, dof_a, dof_b);
    double* value = problem.AddBlock(tree_a, dofs.data(), static_cast<int>(dofs.size()));
    const auto slot = [&](int dof) { return std::lower_bound(dofs.begin(), dofs.end(), dof) - dofs.begin(); };
    value[slot(dof_a)] += factor_a;
    value[slot(dof_b)] += factor_b;
    return;
  }
  const auto add_alone = [&](int dof, int tree, double factor) {
    const int count = pattern.row_length(dof);
    problem.AddBlock(tree, pattern.columns(dof), count)[count - 1] = factor;
  };
  add_alone(dof_a, tree_a, factor_a);
  if (dof_b >= 0) add_alone(dof_b, tree_b, factor_b);
}

void AddTendonBlocks(const TendonWorkspace& tendons, int tendon_a, double factor_a, int tendon_b,
                     double factor_b, ContactProblem& problem) {
  thread_local std::vector<int> merged;
  const auto find = [&](int tendon, int tree) -> const TendonWorkspace::Block* {
    if (tendon < 0) return nullptr;
    for (int b = tendons.first_block[tendon]; b < tendons.first_block[tendon + 1]; ++b) {
      if (tendons.blocks[b].tree == tree) return &tendons.blocks[b];
    }
    return nullptr;
  };
  const auto add_values = [&](const TendonWorkspace::Block& block, double factor, double* value) {
    std::size_t slot = 0;
    for (int k = block.first; k < block.first + block.num_dofs; ++k) {
      while (merged[slot] != tendons.dofs[k]) ++slot;
      value[slot] += factor * tendons.values[k];
    }
  };
  const auto add = [&](const TendonWorkspace::Block& block, double factor,
                       const TendonWorkspace::Block* other, double other_factor) {
    const int* dofs = tendons.dofs.data() + block.first;
    merged.assign(dofs, dofs + block.num_dofs);
    if (other != nullptr) {
      const int* more = tendons.dofs.data() + other->first;
      merged.resize(block.num_dofs + other->num_dofs);
      merged.erase(std::set_union(dofs, dofs + block.num_dofs, more, more + other->num_dofs, merged.begin()),
                   merged.end());
    }
    double* value = problem.AddBlock(block.tree, merged.data(), static_cast<int>(merged.size()));
    add_values(block, factor, value);
    if (other != nullptr) add_values(*other, other_factor, value);
  };
  for (int b = tendons.first_block[tendon_a]; b < tendons.first_block[tendon_a + 1]; ++b)
    add(tendons.blocks[b], factor_a, find(tendon_b, tendons.blocks[b].tree), factor_b);
  if (tendon_b < 0) return;
  for (int b = tendons.first_block[tendon_b]; b < tendons.first_block[tendon_b + 1]; ++b) {
    if (find(tendon_a, tendons.blocks[b].tree) == nullptr) add(tendons.blocks[b], factor_b, nullptr, 0.0);
  }
}

}  // namespace stiction

#include "sim/equality_basis.h"

#include <algorithm>

namespace stiction {

void EqualityBasis::Initialize(const Model& model, const BranchPattern& pattern) {
  pattern_ = pattern;
  rows_.subsystems.clear();
  for (const Tree& tree : model.trees) rows_.subsystems.push_back({tree.first_dof, tree.num_dofs});
  rows_.v_star.setZero(model.nv());
  has_tendons_ = std::any_of(model.equalities.begin(), model.equalities.end(), [](const Equality& equality) {
    return IsExact(equality) && std::holds_alternative<TendonPolynomial>(equality.kind);
  });
  if (has_tendons_) tendons_.Resize(model);
}

void EqualityBasis::MoveTo(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& mocap,
                           Kinematics& kin) const {
  has_tendons_ ? CalcPositionKinematics(model, trees, q, mocap, kin)
               : CalcBodyPoses(model, trees, q, mocap, kin);
}

void EqualityBasis::Measure(const Model& model, const Kinematics& kin, const VectorXd& q,
                            const VectorXd& targets, VectorXd& residual) {
  if (has_tendons_) CalcTendons(model, kin, q, tendons_);
  CalcEqualityResiduals(model, kin, q, tendons_, targets, residual);
}

void EqualityBasis::CalcRows(const Model& model, const SleepStage& sleep, const Kinematics& kin,
                             const VectorXd& q) {
  if (has_tendons_) CalcTendons(model, kin, q, tendons_);
  rows_.ClearConstraints();
  for (int i = 0; i < model.num_equalities(); ++i) {
    if (IsExact(model.equalities[i]) && sleep.IsEqualityAwake(i))
      AddEqualityRows(model, kin, pattern_, q, tendons_, i, rows_);
  }
}

void EqualityBasis::Factor(const BranchSparseFactor& factor) {
  scaled_.Assign(rows_, factor);
  GatherAll();
  island_.Assign(rows_, scaled_, partition_, 0);
  basis_.Assign(island_);
  island_rows_.resize(rows_.num_rows());
}

// One island of all: the basis finds its own clusters.
void EqualityBasis::GatherAll() {
  partition_.constraints.clear();
  partition_.subsystems.clear();
  is_touched_.assign(rows_.subsystems.size(), 0);
  for (int i = 0; i < rows_.num_constraints(); ++i) {
    const Constraint& c = rows_.constraints[i];
    if (c.num_blocks > 0) partition_.constraints.push_back(i);
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b)
      is_touched_[rows_.blocks[b].subsystem] = 1;
  }
  for (std::size_t s = 0; s < is_touched_.size(); ++s) {
    if (is_touched_[s] != 0) partition_.subsystems.push_back(static_cast<int>(s));
  }
  partition_.num_islands = 1;
  partition_.first_constraint.assign({0, static_cast<int>(partition_.constraints.size())});
  partition_.first_subsystem.assign({0, static_cast<int>(partition_.subsystems.size())});
}

void EqualityBasis::CalcMotion(const BranchSparseFactor& factor, const std::vector<double>& wanted,
                               VectorXd& motion) {
  for (const IslandConstraint& c : island_.constraints) island_rows_[c.row] = wanted[c.source];
  island_motion_.assign(island_.num_dofs(), 0.0);
  basis_.AddMotion(island_rows_.data(), island_motion_.data());
  motion.setZero(rows_.nv());
  for (std::size_t node = 0; node < island_.nodes.size(); ++node) {
    const Subsystem& to = rows_.subsystems[island_.node_source[node]];
    for (int k = 0; k < to.num_dofs; ++k)
      motion[to.first_dof + k] = island_motion_[island_.nodes[node].first_dof + k];
    factor.SolveLower(motion.data(), to.first_dof, to.first_dof + to.num_dofs);
  }
}

void EqualityBasis::CalcImpulses(std::vector<double>& impulses) {
  std::fill(island_rows_.begin(), island_rows_.end(), 0.0);
  basis_.CalcImpulses(island_motion_.data(), island_rows_.data());
  impulses.resize(rows_.num_rows());
  for (const IslandConstraint& c : island_.constraints) impulses[c.source] = island_rows_[c.row];
}

void EqualityBasis::Restrict(std::vector<double>& wanted) {
  for (const IslandConstraint& c : island_.constraints) island_rows_[c.row] = wanted[c.source];
  basis_.ProjectRows(island_rows_.data());
  for (const IslandConstraint& c : island_.constraints) wanted[c.source] = island_rows_[c.row];
}

}  // namespace stiction

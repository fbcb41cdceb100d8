#include "sim/equality_stage.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kClosed = 1e-12;          // residual at which nothing is left to do [m or rad]
constexpr double kNegligibleBias = 1e-12;  // [m/s or rad/s]
constexpr int kMaxNewton = 12;
constexpr double kProgress = 0.5;  // J is kept while a Newton step leaves less than this share

}  // namespace

void EqualityStage::Initialize(const Model& model, const BranchPattern& pattern) {
  is_needed_ = std::any_of(model.equalities.begin(), model.equalities.end(),
                           [](const Equality& equality) { return IsExact(equality); });
  if (!is_needed_) return;
  pattern_ = pattern;
  rows_.subsystems.clear();
  for (const Tree& tree : model.trees) rows_.subsystems.push_back({tree.first_dof, tree.num_dofs});
  rows_.v_star.setZero(model.nv());
  has_tendons_ = std::any_of(model.equalities.begin(), model.equalities.end(), [](const Equality& equality) {
    return IsExact(equality) && std::holds_alternative<TendonPolynomial>(equality.kind);
  });
  if (has_tendons_) tendons_.Resize(model);
  model_row_.reserve(model.num_equality_rows);
}

void EqualityStage::Measure(const Model& model, const Kinematics& kin, const VectorXd& q,
                            const VectorXd& targets, VectorXd& residual) {
  if (has_tendons_) CalcTendons(model, kin, q, tendons_);
  CalcEqualityResiduals(model, kin, q, tendons_, targets, residual);
}

void EqualityStage::CalcRowsAt(const Model& model, const SleepStage& sleep, const Kinematics& kin,
                               const VectorXd& q) {
  if (has_tendons_) CalcTendons(model, kin, q, tendons_);
  rows_.ClearConstraints();
  for (int i = 0; i < model.num_equalities(); ++i) {
    if (IsExact(model.equalities[i]) && sleep.IsEqualityAwake(i))
      AddEqualityRows(model, kin, pattern_, q, tendons_, i, rows_);
  }
}

void EqualityStage::ListRows(const Model& model, const SleepStage& sleep) {
  model_row_.clear();
  for (int i = 0; i < model.num_equalities(); ++i) {
    const Equality& equality = model.equalities[i];
    if (!IsExact(equality) || !sleep.IsEqualityAwake(i)) continue;
    for (int r = 0; r < equality.num_rows; ++r) model_row_.push_back(equality.first_row + r);
  }
}

double EqualityStage::CalcAwakeNorm() const {
  double norm = 0.0;
  for (const int row : model_row_) {
    // A NaN is the largest of all.
    if (!(std::abs(moved_[row]) <= norm)) norm = std::abs(moved_[row]);
  }
  return norm;
}

double EqualityStage::CalcSleepingNorm(const Model& model, const SleepStage& sleep) const {
  double norm = 0.0;
  for (int i = 0; i < model.num_equalities(); ++i) {
    const Equality& equality = model.equalities[i];
    if (IsExact(equality) && !sleep.IsEqualityAwake(i) && equality.num_rows > 0)
      norm = std::max(norm, moved_.segment(equality.first_row, equality.num_rows).lpNorm<Eigen::Infinity>());
  }
  return norm;
}

void EqualityStage::CalcRows(const Model& model, const Input& input, const State& state,
                             const SleepStage& sleep, const BranchSparseFactor& factor,
                             const VectorXd& advance, const Kinematics& kin, const Kinematics& row_kin,
                             const VectorXd& row_q, double theta, double dt, Kinematics& probe) {
  Measure(model, kin, state.q, input.equality_target, start_);
  trial_q_ = state.q;
  IntegrateConfiguration(model, sleep.awake(), advance, 1.0, trial_q_);
  CalcPositionKinematics(model, sleep.awake(), trial_q_, input.mocap, probe);
  Measure(model, probe, trial_q_, input.equality_target, moved_);
  moved_ -= start_;

  ListRows(model, sleep);
  CalcRowsAt(model, sleep, row_kin, row_q);
  row_change_.resize(rows_.num_rows());
  motion_ = (1.0 - theta) * dt * state.v - advance;
  rows_.MultiplyJ(motion_.data(), row_change_.data());
  for (std::size_t i = 0; i < model_row_.size(); ++i)
    rows_.e[i] = (moved_[model_row_[i]] + row_change_[i]) / (theta * dt);
  MakeConsistent(factor);
  basis_is_of_start_ = basis_is_of_start_ && &row_kin == &kin;

  const bool has_last = state.mocap.size() == input.mocap.size() &&
                        state.equality_target.size() == input.equality_target.size();
  if (has_last && !(state.mocap == input.mocap && state.equality_target == input.equality_target)) {
    CalcPositionKinematics(model, sleep.awake(), state.q, state.mocap, probe);
    Measure(model, probe, state.q, state.equality_target, moved_);
    moved_ = start_ - moved_;
    for (std::size_t i = 0; i < model_row_.size(); ++i) rows_.e[i] += moved_[model_row_[i]] / (theta * dt);
  }
}

// A displacement that is not quite along the equalities bends dependent rows in ways that no motion can
// follow. What follows from prescribed motion stays, so that a contradiction there shows in the certificate.
void EqualityStage::MakeConsistent(const BranchSparseFactor& factor) {
  basis_is_of_start_ = false;
  const auto is_negligible = [](double e) { return std::abs(e) < kNegligibleBias; };
  if (std::all_of(rows_.e.begin(), rows_.e.end(), is_negligible)) return;
  AssignBasis(factor);
  basis_is_of_start_ = true;
  for (const IslandConstraint& c : island_.constraints) wanted_[c.row] = rows_.e[c.source];
  basis_.ProjectRows(wanted_.data());
  for (const IslandConstraint& c : island_.constraints) rows_.e[c.source] = wanted_[c.row];
}

void EqualityStage::AddRows(ContactProblem& problem) const {
  problem.constraints = rows_.constraints;
  problem.blocks = rows_.blocks;
  problem.block_dofs = rows_.block_dofs;
  problem.jacobian = rows_.jacobian;
  problem.e = rows_.e;
}

void EqualityStage::UpdateRows(ContactProblem& problem) const {
  std::copy(rows_.jacobian.begin(), rows_.jacobian.end(), problem.jacobian.begin());
  std::copy(rows_.e.begin(), rows_.e.end(), problem.e.begin());
}

void EqualityStage::AssignIsland(const Model& model, const SleepStage& sleep,
                                 const BranchSparseFactor& factor, const Kinematics& kin, const VectorXd& q) {
  CalcRowsAt(model, sleep, kin, q);
  AssignBasis(factor);
}

void EqualityStage::AssignBasis(const BranchSparseFactor& factor) {
  wanted_.resize(rows_.num_rows());
  scaled_.Assign(rows_, factor);
  partition_.Assign(rows_);
  // One island of all: the basis finds its own clusters.
  partition_.num_islands = 1;
  partition_.first_constraint = {0, static_cast<int>(partition_.constraints.size())};
  partition_.first_subsystem = {0, static_cast<int>(partition_.subsystems.size())};
  std::sort(partition_.constraints.begin(), partition_.constraints.end());
  std::sort(partition_.subsystems.begin(), partition_.subsystems.end());
  island_.Assign(rows_, scaled_, partition_, 0);
  basis_.Assign(island_);
}

double EqualityStage::Project(const Model& model, const Input& input, const SleepStage& sleep,
                              const BranchSparseFactor& factor, const Kinematics& kin,
                              const VectorXd& q_start, Kinematics& probe, VectorXd& q) {
  const auto measure = [&](const VectorXd& at) {
    CalcPositionKinematics(model, sleep.awake(), at, input.mocap, probe);
    Measure(model, probe, at, input.equality_target, moved_);
    return CalcAwakeNorm();
  };
  ListRows(model, sleep);
  residual_norm_ = measure(q);
  sleeping_norm_ = CalcSleepingNorm(model, sleep);
  if (residual_norm_ <= kClosed) return 0.0;
  if (!basis_is_of_start_) AssignIsland(model, sleep, factor, kin, q_start);
  double pushed = 0.0;
  best_q_ = q;
  trial_q_ = q;
  bool is_fresh = false;  // J is that of best_q_
  double damping = 1.0;   // share of a Newton step that is taken
  for (int step = 0; step < kMaxNewton && pushed < kMaxPush; ++step) {
    for (const IslandConstraint& c : island_.constraints) wanted_[c.row] = -moved_[model_row_[c.source]];
    scaled_motion_.assign(island_.num_dofs(), 0.0);
    basis_.AddMotion(wanted_.data(), scaled_motion_.data());
    motion_.setZero(model.nv());
    for (std::size_t node = 0; node < island_.nodes.size(); ++node) {
      const Subsystem& to = rows_.subsystems[island_.node_source[node]];
      for (int k = 0; k < to.num_dofs; ++k)
        motion_[to.first_dof + k] = scaled_motion_[island_.nodes[node].first_dof + k];
      factor.SolveLower(motion_.data(), to.first_dof, to.first_dof + to.num_dofs);
    }
    const double largest = motion_.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(largest) || largest == 0.0) break;
    const double share = std::min(damping, (kMaxPush - pushed) / largest);
    trial_q_ = best_q_;
    IntegrateConfiguration(model, sleep.awake(), motion_, share, trial_q_);
    const double before = residual_norm_, now = measure(trial_q_);
    const bool is_better = now < before;
    if (is_better) {
      pushed += share * largest;
      residual_norm_ = now;
      best_q_ = trial_q_;
      is_fresh = false;
      if (now <= kClosed) break;
    }
    if (now < kProgress * before) continue;
    // Near a singular configuration J changes within the step: compute it anew, then go more slowly.
    if (!is_better && is_fresh) damping *= 0.25;
    residual_norm_ = measure(best_q_);
    if (!is_fresh) AssignIsland(model, sleep, factor, probe, best_q_);
    is_fresh = true;
  }
  q = best_q_;
  return pushed;
}

}  // namespace stiction

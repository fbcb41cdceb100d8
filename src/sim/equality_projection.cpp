// Project, of the equality stage: what removes from positions the rest that velocities leave.
#include <algorithm>
#include <cmath>

#include "sim/equality_stage.h"

namespace stiction {
namespace {

constexpr double kClosed = 1e-12;    // residual at which nothing is left to do [m or rad]
constexpr double kNoMotion = 1e-15;  // rounding of what no motion closes [m or rad]
constexpr int kMaxNewton = 12;
constexpr double kProgress = 0.5;        // J is kept while a Newton step leaves less than this share
constexpr int kMaxCuts = 8;              // of the reach of a motion that draws, by 4 each
constexpr double kLeastProgress = 1e-4;  // relative, of such a motion that limits hold
constexpr double kMaxReturn = 0.32;      // of a motion that brings joints back [m or rad]
constexpr int kMaxRounds = 6;            // of Newton's steps in it
constexpr double kHeld = 1e-9;           // to which it has to keep loops closed [m or rad]

}  // namespace

double EqualityStage::CalcNearNorm() const {
  double norm = 0.0;
  for (std::size_t i = 0; i < model_row_.size(); ++i) {
    if (is_apart_[i] == 0 && !(std::abs(moved_[model_row_[i]]) <= norm))
      norm = std::abs(moved_[model_row_[i]]);
  }
  return norm;
}

double EqualityStage::CalcLength(std::span<const int> rows) const {
  double sum = 0.0;
  for (const int i : rows) sum += open_[i] * open_[i];
  return std::sqrt(sum);
}

bool EqualityStage::IsAnyBeyond(const Model& model, const TreeSet& trees, const VectorXd& q) {
  for (const IndexRange& range : trees.joints) {
    for (int j = range.begin; j < range.end; ++j)
      if (CalcBeyond(model.joints[j], q) > kMaxPush) return true;
  }
  return false;
}

bool EqualityStage::IsBeyond(const Model& model, int island, const VectorXd& q) const {
  for (const int s : partition_.subsystems_of(island)) {
    const Tree& tree = model.trees[s];
    for (int i = tree.first_dof; i < tree.first_dof + tree.num_dofs; ++i)
      if (CalcBeyond(model.joints[model.dof_joint[i]], q) > kMaxPush) return true;
  }
  return false;
}

double EqualityStage::Project(const Model& model, const Input& input, const SleepStage& sleep,
                              const BranchSparseFactor& factor, const Kinematics& kin,
                              const VectorXd& q_start, double when, Kinematics& probe, VectorXd& q) {
  const Projection at{model, sleep, factor, kin, q_start, input.mocap, probe};
  targets_ = input.equality_target;
  if (when < 1.0) targets_ -= (1.0 - when) * target_step_;
  displacement_.setZero(model.nv());
  is_apart_.assign(model_row_.size(), 0);
  Measure(at, q);
  residual_norm_ = CalcAwakeNorm();
  sleeping_norm_ = CalcSleepingNorm(model, sleep);
  double moved = 0.0;
  if (residual_norm_ > kMaxPush || IsAnyBeyond(model, sleep.awake(), q)) {
    moved = MoveFarIslands(at, kMaxPush, q);
    Measure(at, q);
    residual_norm_ = CalcAwakeNorm();
  }
  const double near = CalcNearNorm();
  moved = std::max(moved, Close(at, q));
  if (residual_norm_ > kMaxPush || residual_norm_ <= std::max(kHeld, kProgress * near)) return moved;
  // Newton's steps have come to a singular place.
  Measure(at, q);
  moved += MoveFarIslands(at, kHeld, q);
  Measure(at, q);
  residual_norm_ = CalcAwakeNorm();
  return moved;
}

void EqualityStage::Measure(const Projection& at, const VectorXd& q) {
  basis_.MoveTo(at.model, at.sleep.awake(), q, at.mocap, at.probe);
  basis_.Measure(at.model, at.probe, q, targets_, moved_);
}

double EqualityStage::MoveFarIslands(const Projection& at, double far, VectorXd& q) {
  MeasureRows(at, q);
  Linearize(at, q);
  partition_.Assign(basis_.rows());
  double moved = 0.0;
  for (int island = 0; island < partition_.num_islands; ++island) {
    const std::span<const int> rows = partition_.constraints_of(island);
    const auto is_far = [&](int i) { return std::abs(open_[i]) > far; };
    if (std::any_of(rows.begin(), rows.end(), is_far)) {
      drawing_.Assign(basis_.rows(), partition_, island, open_, at.factor);
      moved = std::max(moved, Draw(at, rows, q));
      MeasureRows(at, q);
    } else if (IsBeyond(at.model, island, q)) {
      drawing_.Assign(basis_.rows(), partition_, island, open_, at.factor);
      moved = std::max(moved, Return(at, island, q));
    }
  }
  return moved;
}

void EqualityStage::MeasureRows(const Projection& at, const VectorXd& q) {
  Measure(at, q);
  open_.resize(model_row_.size());
  for (std::size_t i = 0; i < model_row_.size(); ++i) open_[i] = moved_[model_row_[i]];
}

void EqualityStage::Linearize(const Projection& at, const VectorXd& q) {
  CalcPositionKinematics(at.model, at.sleep.awake(), q, at.mocap, at.probe);
  basis_.CalcRows(at.model, at.sleep, at.probe, q);
  basis_is_of_start_ = false;
}

// An island that is too far open for Newton's steps.
double EqualityStage::Draw(const Projection& at, std::span<const int> rows, VectorXd& q) {
  for (const int i : rows) is_apart_[i] = 1;
  const double length = CalcLength(rows);
  for (const auto limits : {LoopDrawing::Limits::kNotPassed, LoopDrawing::Limits::kIgnored}) {
    double reach = kMaxPush;
    for (int i = 0; i < kMaxCuts; ++i, reach *= 0.25) {
      drawing_.Bound(at.model, q, reach, limits);
      drawing_.CalcShortMotion(reach, motion_);
      trial_q_ = q;
      IntegrateConfiguration(at.model, at.sleep.awake(), motion_, 1.0, trial_q_);
      MeasureRows(at, trial_q_);
      // What limits hardly let go on is as good as standing still.
      const double least = drawing_.IsHeld(reach) ? kLeastProgress : 0.0;
      if (CalcLength(rows) < (1.0 - least) * length) return Move(at, q);
    }
  }
  return 0.0;
}

// An island whose joints are beyond their limits, where rows of its loops and limits contradict one another:
// at dead centres they do, and no more on the other side. Only to where its loops are closed.
double EqualityStage::Return(const Projection& at, int island, VectorXd& q) {
  const std::span<const int> rows = partition_.constraints_of(island);
  start_q_ = q;
  start_displacement_ = displacement_;
  for (double reach = kMaxPush; reach <= kMaxReturn; reach *= 2.0) {
    drawing_.Bound(at.model, q, reach, LoopDrawing::Limits::kSought);
    for (int round = 0; round < kMaxRounds; ++round) {
      drawing_.CalcMotion(motion_);
      Move(at, q);
      MeasureRows(at, q);
      if (CalcLength(rows) <= kHeld) return reach;
      Linearize(at, q);
      drawing_.Assign(basis_.rows(), partition_, island, open_, at.factor);
    }
    q = start_q_;
    displacement_ = start_displacement_;
    MeasureRows(at, q);
    Linearize(at, q);
    drawing_.Assign(basis_.rows(), partition_, island, open_, at.factor);
  }
  return 0.0;
}

double EqualityStage::Move(const Projection& at, VectorXd& q) {
  IntegrateConfiguration(at.model, at.sleep.awake(), motion_, 1.0, q);
  displacement_ += motion_;
  return motion_.lpNorm<Eigen::Infinity>();
}

double EqualityStage::Close(const Projection& at, VectorXd& q) {
  double norm = CalcNearNorm();
  if (norm <= kClosed) return 0.0;
  if (!basis_is_of_start_) AssignBasis(at.model, at.sleep, at.factor, at.kin, at.q_start);
  double pushed = 0.0;
  best_q_ = q;
  trial_q_ = q;
  bool is_fresh = false;  // J is that of best_q_
  double damping = 1.0;   // share of a Newton step that is taken
  for (int step = 0; step < kMaxNewton && pushed < kMaxPush; ++step) {
    wanted_.resize(model_row_.size());
    for (std::size_t i = 0; i < model_row_.size(); ++i)
      wanted_[i] = is_apart_[i] != 0 ? 0.0 : -moved_[model_row_[i]];
    basis_.CalcMotion(at.factor, wanted_, motion_);
    const double largest = motion_.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(largest) || largest < kNoMotion) break;
    const double share = std::min(damping, (kMaxPush - pushed) / largest);
    trial_q_ = best_q_;
    IntegrateConfiguration(at.model, at.sleep.awake(), motion_, share, trial_q_);
    Measure(at, trial_q_);
    const double before = norm, now = CalcNearNorm();
    const bool is_better = now < before;
    if (is_better) {
      pushed += share * largest;
      displacement_ += share * motion_;
      norm = now;
      residual_norm_ = CalcAwakeNorm();
      best_q_ = trial_q_;
      is_fresh = false;
      if (now <= kClosed) break;
    }
    if (now < kProgress * before) continue;
    // Near a singular configuration J changes within the step: compute it anew, then go more slowly.
    if (!is_better && is_fresh) damping *= 0.25;
    Measure(at, best_q_);
    if (!is_fresh) CalcPositionKinematics(at.model, at.sleep.awake(), best_q_, at.mocap, at.probe);
    if (!is_fresh) AssignBasis(at.model, at.sleep, at.factor, at.probe, best_q_);
    is_fresh = true;
  }
  q = best_q_;
  return pushed;
}

}  // namespace stiction

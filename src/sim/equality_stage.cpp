#include "sim/equality_stage.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kNegligibleBias = 1e-12;  // [m/s or rad/s]
constexpr double kForesight = 1.0;         // turn of a body in a step, up to which a bend is foreseen [rad]
constexpr double kDriven = 1e-3;           // of the energy: more is no error of the order of the step
// Likewise where nothing blocks: the share that the bend of a pendulum adds to v* which turns by kForesight.
constexpr double kBent = 0.25 * kForesight * kForesight;
constexpr double kTurn = 1e-5;  // of a dof, to take J's derivative by [m or rad]

// Whether a step before this one had targets and mocap poses.
bool HasLast(const Input& input, const State& state) {
  return state.mocap.size() == input.mocap.size() &&
         state.equality_target.size() == input.equality_target.size();
}

}  // namespace

void EqualityStage::Initialize(const Model& model, const BranchPattern& pattern) {
  is_needed_ = std::any_of(model.equalities.begin(), model.equalities.end(),
                           [](const Equality& equality) { return IsExact(equality); });
  if (!is_needed_) return;
  basis_.Initialize(model, pattern);
  stage_basis_.Initialize(model, pattern);
  model_row_.reserve(model.num_equality_rows);
  is_drawn_.reserve(model.num_equality_rows);
}

void EqualityStage::Begin(const Model& model, const Input& input, const State& state,
                          const SleepStage& sleep) {
  basis_is_of_start_ = false;
  const bool has_last = HasLast(input, state);
  mocap_moves_ = has_last && state.mocap != input.mocap;
  is_still_ = !mocap_moves_ && (!has_last || state.equality_target == input.equality_target);
  target_step_.setZero(input.equality_target.size());
  if (has_last) target_step_ = input.equality_target - state.equality_target;
  ListRows(model, sleep);
  stage_impulses_.assign(model_row_.size(), 0.0);
}

void EqualityStage::ListRows(const Model& model, const SleepStage& sleep) {
  model_row_.clear();
  is_drawn_.clear();
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
  basis_.Measure(model, kin, state.q, input.equality_target, start_);
  last_ = start_;
  if (!is_still_) {
    basis_.MoveTo(model, sleep.awake(), state.q, state.mocap, probe);
    basis_.Measure(model, probe, state.q, state.equality_target, last_);
  }
  trial_q_ = state.q;
  IntegrateConfiguration(model, sleep.awake(), advance, 1.0, trial_q_);
  basis_.MoveTo(model, sleep.awake(), trial_q_, input.mocap, probe);
  basis_.Measure(model, probe, trial_q_, input.equality_target, moved_);
  moved_ -= start_;

  basis_.CalcRows(model, sleep, row_kin, row_q);
  std::vector<double>& e = basis_.rows().e;
  row_change_.resize(e.size());
  motion_ = (1.0 - theta) * dt * state.v - advance;
  basis_.rows().MultiplyJ(motion_.data(), row_change_.data());
  for (std::size_t i = 0; i < model_row_.size(); ++i)
    e[i] = (moved_[model_row_[i]] + row_change_[i]) / (theta * dt);
  ForgetBends(model, sleep, kin, dt);
  MakeConsistent(factor);
  bend_ = e;
  basis_is_of_start_ = basis_is_of_start_ && &row_kin == &kin;

  if (!is_still_) {
    moved_ = start_ - last_;
    for (std::size_t i = 0; i < model_row_.size(); ++i) e[i] += moved_[model_row_[i]] / (theta * dt);
  }
}

// What is left where a step leads beyond may be of any size and sign, and would do work.
void EqualityStage::ForgetBends(const Model& model, const SleepStage& sleep, const Kinematics& kin,
                                double dt) {
  std::vector<double>::iterator bias = basis_.rows().e.begin();
  is_drawn_.clear();
  for (int i = 0; i < model.num_equalities(); ++i) {
    const Equality& equality = model.equalities[i];
    if (!IsExact(equality) || !sleep.IsEqualityAwake(i)) continue;
    const double open = equality.num_rows == 0
                            ? 0.0
                            : last_.segment(equality.first_row, equality.num_rows).lpNorm<Eigen::Infinity>();
    const bool is_drawn = open > kMaxPush;
    is_drawn_.insert(is_drawn_.end(), equality.num_rows, is_drawn ? 1 : 0);
    if (is_drawn || CalcReachTaken(model, kin, equality, dt) > 1.0)
      std::fill(bias, bias + equality.num_rows, 0.0);
    bias += equality.num_rows;
  }
}

void EqualityStage::Lead(const BranchSparseFactor& factor, VectorXd& v) {
  if (!basis_is_of_start_) basis_.Factor(factor);
  basis_is_of_start_ = true;
  const std::vector<double>& e = basis_.rows().e;
  wanted_.resize(model_row_.size());
  basis_.rows().MultiplyJ(v.data(), wanted_.data());
  for (std::size_t i = 0; i < wanted_.size(); ++i) wanted_[i] = -e[i] - wanted_[i];
  basis_.CalcMotion(factor, wanted_, motion_);
  v += motion_;
}

int EqualityStage::CalcRank(const Model& model, const SleepStage& sleep, const BranchSparseFactor& factor,
                            const Kinematics& kin, const VectorXd& q) {
  stage_basis_.CalcRows(model, sleep, kin, q);
  stage_basis_.Factor(factor);
  return stage_basis_.rank();
}

void EqualityStage::CorrectVelocity(const Model& model, const SleepStage& sleep,
                                    const BranchSparseFactor& factor, const Kinematics& kin,
                                    const VectorXd& q, double dt, VectorXd& v) {
  AssignBasis(model, sleep, factor, kin, q);
  basis_is_of_start_ = true;
  wanted_.resize(model_row_.size());
  basis_.rows().MultiplyJ(v.data(), wanted_.data());
  for (double& value : wanted_) value = -value;
  std::size_t row = 0;
  for (int i = 0; i < model.num_equalities(); ++i) {
    const Equality& equality = model.equalities[i];
    if (!IsExact(equality) || !sleep.IsEqualityAwake(i)) continue;
    if (!std::holds_alternative<FrameLock>(equality.kind)) wanted_[row] += target_step_[i] / dt;
    row += static_cast<std::size_t>(equality.num_rows);
  }
  basis_.CalcMotion(factor, wanted_, motion_);
  v += motion_;
  basis_.CalcImpulses(row_change_);
  for (std::size_t i = 0; i < wanted_.size(); ++i) stage_impulses_[i] += row_change_[i];
}

void EqualityStage::CorrectAcceleration(const Model& model, const Input& input, const SleepStage& sleep,
                                        const BranchSparseFactor& factor, const Kinematics& kin,
                                        const VectorXd& q, const VectorXd& v, double dt, Kinematics& probe,
                                        VectorXd& acceleration) {
  // J v along the motion, by central differences: kTurn is of the order of the cube root of the rounding.
  const double time = kTurn / std::max(1.0, v.lpNorm<Eigen::Infinity>());
  wanted_.assign(model_row_.size(), 0.0);
  row_change_.resize(model_row_.size());
  for (const double sign : {1.0, -1.0}) {
    trial_q_ = q;
    IntegrateConfiguration(model, sleep.awake(), v, sign * time, trial_q_);
    CalcPositionKinematics(model, sleep.awake(), trial_q_, input.mocap, probe);
    stage_basis_.CalcRows(model, sleep, probe, trial_q_);
    stage_basis_.rows().MultiplyJ(v.data(), row_change_.data());
    for (std::size_t i = 0; i < wanted_.size(); ++i) wanted_[i] -= sign * row_change_[i] / (2.0 * time);
  }
  stage_basis_.CalcRows(model, sleep, kin, q);
  stage_basis_.Factor(factor);
  stage_basis_.rows().MultiplyJ(acceleration.data(), row_change_.data());
  for (std::size_t i = 0; i < wanted_.size(); ++i) wanted_[i] -= row_change_[i];
  stage_basis_.CalcMotion(factor, wanted_, motion_);
  acceleration += motion_;
  stage_basis_.CalcImpulses(row_change_);
  for (std::size_t i = 0; i < wanted_.size(); ++i) stage_impulses_[i] += dt * row_change_[i];
}

void EqualityStage::CalcRowsOf(const Model& model, const SleepStage& sleep, const Kinematics& kin,
                               const VectorXd& q, const VectorXd& v_star) {
  basis_.CalcRows(model, sleep, kin, q);
  bend_.clear();
  std::vector<double>& e = basis_.rows().e;
  basis_.rows().MultiplyJ(v_star.data(), e.data());
  for (double& value : e) value = -value;
}

void EqualityStage::AddStageImpulses(VectorXd& impulses) const {
  for (std::size_t i = 0; i < model_row_.size(); ++i) impulses[model_row_[i]] += stage_impulses_[i];
}

// A displacement that is not quite along the equalities bends dependent rows in ways that no motion can
// follow. What follows from prescribed motion stays, so that a contradiction there shows in the certificate.
void EqualityStage::MakeConsistent(const BranchSparseFactor& factor) {
  basis_is_of_start_ = false;
  std::vector<double>& e = basis_.rows().e;
  const auto is_negligible = [](double value) { return std::abs(value) < kNegligibleBias; };
  if (std::all_of(e.begin(), e.end(), is_negligible)) return;
  basis_.Factor(factor);
  basis_is_of_start_ = true;
  basis_.Restrict(e);
}

bool EqualityStage::ForgetDriving(const ContactProblem& problem, const IslandPartition& partition,
                                  const Solution& solution, int missed) {
  bool has_changed = false;
  for (int island = 0; island < partition.num_islands; ++island) {
    if (!IsDriving(problem, partition, island, solution, missed)) continue;
    for (const int i : partition.constraints_of(island)) {
      if (i >= static_cast<int>(bend_.size())) continue;
      basis_.rows().e[i] -= bend_[i];
      bend_[i] = 0.0;
    }
    has_changed = true;
  }
  return has_changed;
}

// By E⁺ − E* = λᵀ J (v⁺ + v*)/2.
bool EqualityStage::IsDriving(const ContactProblem& problem, const IslandPartition& partition, int island,
                              const Solution& solution, int missed) {
  const std::span<const int> constraints = partition.constraints_of(island);
  const auto is_bent = [&](int i) { return i < static_cast<int>(bend_.size()) && bend_[i] != 0.0; };
  if (std::none_of(constraints.begin(), constraints.end(), is_bent)) return false;
  double gain = 0.0, bent = 0.0;  // by all impulses, and by bends: by prescribed motion, too, energy grows
  bool is_blocked = false, is_missed = false;
  for (const int i : constraints) {
    is_missed = is_missed || i == missed;
    const Constraint& c = problem.constraints[i];
    Vector3d now = Vector3d::Zero(), free = Vector3d::Zero();
    problem.MultiplyRows(c, solution.v.data(), now.data());
    problem.MultiplyRows(c, problem.v_star.data(), free.data());
    const auto lambda = solution.lambda.segment(c.row, c.dim());
    gain += 0.5 * lambda.dot((now + free).head(c.dim()));
    if (is_bent(i)) bent -= lambda[0] * bend_[i];
    const bool may_block = c.type == ConstraintType::kContact || c.type == ConstraintType::kUnilateral;
    is_blocked = is_blocked || (may_block && !lambda.isZero(0.0));
  }
  if (is_blocked && is_missed) return true;
  if (!(gain > 0.0)) return false;
  motion_.resize(problem.nv());
  problem.A.Multiply(problem.v_star.data(), motion_.data());
  double energy = 0.0;
  for (const int s : partition.subsystems_of(island)) {
    const Subsystem& dofs = problem.subsystems[s];
    energy += 0.5 * motion_.segment(dofs.first_dof, dofs.num_dofs)
                        .dot(problem.v_star.segment(dofs.first_dof, dofs.num_dofs));
  }
  return is_blocked ? gain > kDriven * energy : std::min(gain, bent) > kBent * energy;
}

void EqualityStage::AddRows(ContactProblem& problem) const {
  const ContactProblem& rows = basis_.rows();
  problem.constraints = rows.constraints;
  problem.blocks = rows.blocks;
  problem.block_dofs = rows.block_dofs;
  problem.jacobian = rows.jacobian;
  problem.e = rows.e;
}

void EqualityStage::UpdateRows(ContactProblem& problem) const {
  const ContactProblem& rows = basis_.rows();
  std::copy(rows.jacobian.begin(), rows.jacobian.end(), problem.jacobian.begin());
  std::copy(rows.e.begin(), rows.e.end(), problem.e.begin());
}

void EqualityStage::AssignBasis(const Model& model, const SleepStage& sleep, const BranchSparseFactor& factor,
                                const Kinematics& kin, const VectorXd& q) {
  basis_.CalcRows(model, sleep, kin, q);
  basis_.Factor(factor);
}

}  // namespace stiction

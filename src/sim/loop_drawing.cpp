#include "sim/loop_drawing.h"

#include <algorithm>

namespace stiction {
namespace {

constexpr double kDamping = 1e-6;  // of the mean curvature, at first
constexpr double kMoreDamping = 4.0;
constexpr int kMaxDampings = 40;
constexpr int kNumBisections = 4;    // after which a motion is within a tenth of the longest
constexpr double kRounding = 1e-12;  // of the mean curvature, so that H has a factor whatever A is

bool IsBounded(const Joint& joint) {
  return joint.traits().limits == JointLimitKind::kRange && !joint.limit_softness;
}

}  // namespace

double CalcBeyond(const Joint& joint, const VectorXd& q) {
  double beyond = 0.0;
  for (int i = 0; i < joint.nv() && IsBounded(joint); ++i) {
    const double at = q[joint.q_address + i];
    beyond = std::max({beyond, joint.lower - at, at - joint.upper});
  }
  return beyond;
}

void LoopDrawing::Assign(const ContactProblem& rows, const IslandPartition& partition, int island,
                         const std::vector<double>& residual, const BranchSparseFactor& factor) {
  dofs_.clear();
  place_.assign(rows.nv(), -1);
  for (const int s : partition.subsystems_of(island)) {
    const Subsystem& tree = rows.subsystems[s];
    for (int i = tree.first_dof; i < tree.first_dof + tree.num_dofs; ++i) {
      place_[i] = static_cast<int>(dofs_.size());
      dofs_.push_back(i);
    }
  }
  const auto n = static_cast<Eigen::Index>(dofs_.size());
  JJ_.setZero(n, n);
  g_.setZero(n);
  for (const int c : partition.constraints_of(island))
    AddRow(rows, rows.constraints[c], residual[rows.constraints[c].row]);
  AddMetric(factor);
  reach_ = 0.0;
}

void LoopDrawing::AddRow(const ContactProblem& rows, const Constraint& row, double residual) {
  row_.setZero(g_.size());
  for (int b = row.first_block; b < row.first_block + row.num_blocks; ++b) {
    const JacobianBlock& block = rows.blocks[b];
    for (int k = 0; k < block.num_dofs; ++k)
      row_[place_[rows.block_dofs[block.first_dof + k]]] += rows.jacobian[block.first_value + k];
  }
  JJ_.selfadjointView<Eigen::Lower>().rankUpdate(row_);
  g_ += residual * row_;
}

void LoopDrawing::AddMetric(const BranchSparseFactor& factor) {
  const BranchSparseMatrix& L = factor.L();
  const double curvature = std::max(JJ_.trace(), 1e-300);
  A_.setZero(JJ_.rows(), JJ_.cols());
  for (const int k : dofs_) {
    const int length = L.pattern().row_length(k);
    const int* columns = L.pattern().columns(k);
    const double* values = L.row(k);
    for (int i = 0; i < length; ++i)
      for (int j = 0; j <= i; ++j) A_(place_[columns[i]], place_[columns[j]]) += values[i] * values[j];
  }
  A_ *= curvature / A_.trace();
  JJ_.diagonal().array() += kRounding * curvature;
  JJ_.triangularView<Eigen::StrictlyUpper>() = JJ_.transpose();
  A_.triangularView<Eigen::StrictlyUpper>() = A_.transpose();
}

void LoopDrawing::Bound(const Model& model, const VectorXd& q, double reach, Limits limits) {
  lower_.setConstant(g_.size(), -reach);
  upper_.setConstant(g_.size(), reach);
  is_limited_ = false;
  const double back = limits == Limits::kSought ? 0.5 * reach : 0.0;
  for (std::size_t i = 0; i < dofs_.size() && limits != Limits::kIgnored; ++i) {
    const Joint& joint = model.joints[model.dof_joint[dofs_[i]]];
    if (!IsBounded(joint)) continue;
    const double at = q[joint.q_address + dofs_[i] - joint.v_address];
    lower_[i] = std::clamp(joint.lower - at, -reach, back);
    upper_[i] = std::clamp(joint.upper - at, -back, reach);
    is_limited_ = is_limited_ || lower_[i] > -reach || upper_[i] < reach;
  }
  // What is too small within a longer reach is so within a shorter one.
  if (limits != limits_ || reach > reach_) {
    cut_ = 0.0;
    damping_ = kDamping;
  }
  limits_ = limits;
  reach_ = reach;
}

void LoopDrawing::CalcMotion(VectorXd& motion) {
  if (!MinimizeFreely(kDamping)) MinimizeInBox();
  lower_ -= delta_;
  upper_ -= delta_;
  Spread(delta_, motion);
}

void LoopDrawing::CalcShortMotion(double reach, VectorXd& motion) {
  for (int i = 0; i < kMaxDampings && IsCut(damping_, reach); ++i, damping_ *= kMoreDamping) cut_ = damping_;
  double cut = cut_;
  for (int i = 0; i < kNumBisections && cut > 0.0; ++i) {
    const double middle = std::sqrt(cut * damping_);
    (IsCut(middle, reach) ? cut : damping_) = middle;
  }
  if (!MinimizeFreely(damping_)) MinimizeInBox();
  Spread(delta_, motion);
}

bool LoopDrawing::IsHeld(double reach) const {
  for (Eigen::Index i = 0; i < delta_.size(); ++i) {
    if (delta_[i] <= lower_[i] && lower_[i] > -reach) return true;
    if (delta_[i] >= upper_[i] && upper_[i] < reach) return true;
  }
  return false;
}

// Whether reach cuts off the motion of a dof.
bool LoopDrawing::IsCut(double damping, double reach) {
  if (MinimizeFreely(damping)) return false;
  if (!is_limited_) return true;
  MinimizeInBox();
  for (Eigen::Index i = 0; i < delta_.size(); ++i)
    if (std::abs(delta_[i]) >= reach && lower_[i] < upper_[i]) return true;
  return false;
}

bool LoopDrawing::MinimizeFreely(double damping) {
  H_ = JJ_ + damping * A_;
  H_factor_.compute(H_);
  delta_ = -g_;
  H_factor_.solveInPlace(delta_);
  return (delta_.array() >= lower_.array()).all() && (delta_.array() <= upper_.array()).all();
}

void LoopDrawing::MinimizeInBox() {
  delta_.setZero(g_.size());
  minimum_.Find(H_, g_, lower_, upper_, delta_);
}

void LoopDrawing::Spread(const VectorXd& delta, VectorXd& motion) const {
  motion.setZero(static_cast<Eigen::Index>(place_.size()));
  for (std::size_t i = 0; i < dofs_.size(); ++i) motion[dofs_[i]] = delta[i];
}

}  // namespace stiction

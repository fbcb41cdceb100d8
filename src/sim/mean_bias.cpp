#include "sim/mean_bias.h"

#include <algorithm>
#include <cmath>

#include "math/spatial_algebra.h"
#include "sim/coarse_motion.h"

namespace stiction {
namespace {

constexpr int kLeastJointed = 2;  // trees: fewer are not worth handing to another thread
// Of the velocity: a mean that changes it by less is not found again, since that would change the mean by the
// same small share.
constexpr double kFine = 1e-4;

constexpr double kMostChange = 0.5;  // of a velocity by h

// Whether a body of the tree turns faster than that.
bool DoesTurn(const Model& model, int tree, const Kinematics& kin, double speed) {
  for (int b = model.trees[tree].root_body; b < model.num_bodies() && model.bodies[b].tree == tree; ++b) {
    if (kin.V_WB[b].head<3>().lpNorm<Eigen::Infinity>() > speed) return true;
  }
  return false;
}

// Vᵀ M V of the bodies [J].
double CalcTwiceEnergy(const Model& model, int tree, const Kinematics& kin) {
  double sum = 0.0;
  for (int b = model.trees[tree].root_body; b < model.num_bodies() && model.bodies[b].tree == tree; ++b)
    sum += kin.V_WB[b].dot(kin.M_B_W[b] * kin.V_WB[b]);
  return sum;
}

}  // namespace

MeanBias::MeanBias(const Model& model) : is_pressed_(model.num_trees(), 0), scratch_(model.num_bodies()) {
  for (int t = 0; t < model.num_trees(); ++t) {
    const Tree& tree = model.trees[t];
    if (tree.is_free_body || tree.num_dofs < 2 || tree.has_tendon_inertia) continue;
    const int end = tree.first_dof + tree.num_dofs;
    jointed_.push_back(
        {t, {tree.first_dof, end}, {model.dof_joint[tree.first_dof], model.dof_joint[end - 1] + 1}, false});
  }
  taking_.reserve(jointed_.size());
  if (jointed_.empty()) return;
  for (VectorXd* vector : {&start_bias_, &start_v_, &end_bias_, &change_, &friction_})
    vector->setZero(model.nv());
}

bool MeanBias::Find(const Model& model, const State& state, const StepFrame& frame) {
  taking_.clear();
  if (jointed_.empty()) return false;
  MarkPressed(model, state, frame);
  for (std::size_t i = 0; i < jointed_.size(); ++i) {
    const Jointed& jointed = jointed_[i];
    if (!frame.sleep.IsAwake(jointed.tree)) continue;
    if (HasLimitImpulse(model, state, jointed)) is_pressed_[jointed.tree] = 1;
    if (is_pressed_[jointed.tree] == 0 && DoesTurn(model, jointed.tree, frame.kin, 0.0))
      taking_.push_back(static_cast<int>(i));
  }
  is_first_ = true;
  return !taking_.empty();
}

bool MeanBias::HasLimitImpulse(const Model& model, const State& state, const Jointed& jointed) const {
  if (static_cast<int>(state.limits.size()) != model.num_limits()) return false;
  for (int j = jointed.joints.begin; j < jointed.joints.end; ++j) {
    const Joint& joint = model.joints[j];
    for (int i = 0; i < joint.num_limits(); ++i) {
      const LimitMemory& limit = state.limits[joint.limit_address + i];
      if (limit.lower_impulse != 0.0 || limit.upper_impulse != 0.0) return true;
    }
  }
  return false;
}

// By contacts and by tendons, whose limits and friction act on all of their trees.
void MeanBias::MarkPressed(const Model& model, const State& state, const StepFrame& frame) {
  std::fill(is_pressed_.begin(), is_pressed_.end(), 0);
  for (const ContactMemory& contact : state.contacts) {
    if (contact.impulse_W.isZero(0.0)) continue;
    for (const int geom : {contact.geom_a, contact.geom_b}) {
      if (const int tree = model.bodies[model.geoms[geom].body].tree; tree >= 0) is_pressed_[tree] = 1;
    }
  }
  const bool has_limits = static_cast<int>(state.limits.size()) == model.num_limits();
  const bool has_friction = state.friction_impulses.size() == model.nv() + model.num_tendons();
  for (int t = 0; t < model.num_tendons(); ++t) {
    const LimitMemory limit = has_limits ? state.limits[model.num_joint_limits + t] : LimitMemory{};
    const double friction = has_friction ? state.friction_impulses[model.nv() + t] : 0.0;
    if (limit.lower_impulse == 0.0 && limit.upper_impulse == 0.0 && friction == 0.0) continue;
    for (int b = frame.tendons.first_block[t]; b < frame.tendons.first_block[t + 1]; ++b)
      is_pressed_[frame.tendons.blocks[b].tree] = 1;
  }
}

void MeanBias::LeaveTied(const ContactProblem& rows) {
  for (bool has_spread = true; has_spread;) {
    has_spread = false;
    for (const Constraint& c : rows.constraints) {
      const auto first = rows.blocks.begin() + c.first_block, end = first + c.num_blocks;
      const auto is_pressed = [&](const JacobianBlock& block) { return is_pressed_[block.subsystem] != 0; };
      const auto num_pressed = std::count_if(first, end, is_pressed);
      if (num_pressed == 0 || num_pressed == c.num_blocks) continue;
      std::for_each(first, end, [&](const JacobianBlock& block) { is_pressed_[block.subsystem] = 1; });
      has_spread = true;
    }
  }
  std::erase_if(taking_, [&](int i) { return is_pressed_[jointed_[i].tree] != 0; });
}

const VectorXd& MeanBias::CalcFriction(const State& state, const StepFrame& frame,
                                       const BranchSparseFactor& factor) {
  const bool is_known = state.friction_impulses.size() >= friction_.size();
  friction_.setZero();  // that of trees of steps before
  frame.pool.ForPieces(static_cast<int>(taking_.size()), kLeastJointed, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const IndexRange& dofs = jointed_[taking_[i]].dofs;
      auto friction = friction_.segment(dofs.begin, dofs.size());
      if (is_known) friction = state.friction_impulses.segment(dofs.begin, dofs.size());
      if (friction.isZero(0.0)) continue;
      factor.SolveTransposed(friction_.data(), dofs.begin, dofs.end);
      factor.SolveLower(friction_.data(), dofs.begin, dofs.end);
    }
  });
  return friction_;
}

bool MeanBias::Apply(const Model& model, const StepFrame& frame, const VectorXd& v_end,
                     const BranchSparseFactor& factor, VectorXd& bias, VectorXd& v_star) {
  frame.pool.ForPieces(static_cast<int>(taking_.size()), kLeastJointed, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Jointed& jointed = jointed_[taking_[i]];
      if (is_first_) {
        Part(jointed, start_bias_) = Part(jointed, bias);
        Part(jointed, start_v_) = Part(jointed, v_star);
      }
      if (is_first_ || jointed.is_rough) ApplyTo(model, frame, v_end, factor, jointed, bias, v_star);
    }
  });
  is_first_ = false;
  return std::any_of(taking_.begin(), taking_.end(), [&](int i) { return jointed_[i].is_rough; });
}

bool MeanBias::Limit(const Model& model, const StepFrame& frame, const BranchSparseFactor& factor,
                     VectorXd& bias) {
  bool any = false;
  for (const Jointed& jointed : jointed_) {
    if (frame.sleep.IsAwake(jointed.tree) &&
        DoesTurn(model, jointed.tree, frame.kin, CoarseMotion::kTurn / frame.dt))
      any = LimitTree(model, frame, factor, jointed, bias) || any;
  }
  return any;
}

bool MeanBias::LimitTree(const Model& model, const StepFrame& frame, const BranchSparseFactor& factor,
                         const Jointed& jointed, VectorXd& bias) {
  const IndexRange& dofs = jointed.dofs;
  auto weight = Part(jointed, end_bias_), force = Part(jointed, start_bias_), change = Part(jointed, change_);
  change.setZero();
  CalcTreeBias(model, jointed.tree, frame.kin, change_, model.options.gravity, scratch_, end_bias_);
  force = Part(jointed, bias) - weight;
  change = frame.dt * force;
  factor.SolveTransposed(change_.data(), dofs.begin, dofs.end);
  factor.SolveLower(change_.data(), dofs.begin, dofs.end);
  const double size = std::sqrt(std::max(0.0, frame.dt * force.dot(change)));
  const double most = kMostChange * std::sqrt(CalcTwiceEnergy(model, jointed.tree, frame.kin));
  if (!(size > most)) return false;
  Part(jointed, bias) = weight + (most / size) * force;
  return true;
}

void MeanBias::ApplyTo(const Model& model, const StepFrame& frame, const VectorXd& v_end,
                       const BranchSparseFactor& factor, Jointed& jointed, VectorXd& bias, VectorXd& v_star) {
  const IndexRange& dofs = jointed.dofs;
  const auto change = Part(jointed, change_), start_bias = Part(jointed, start_bias_),
             end_bias = Part(jointed, end_bias_);
  CalcTreeBias(model, jointed.tree, frame.kin, v_end, model.options.gravity, scratch_, end_bias_);
  Part(jointed, change_) = -0.5 * frame.dt * (end_bias - start_bias);
  factor.SolveTransposed(change_.data(), dofs.begin, dofs.end);
  factor.SolveLower(change_.data(), dofs.begin, dofs.end);
  const double largest = v_end.segment(dofs.begin, dofs.size()).lpNorm<Eigen::Infinity>();
  const double changed = change.lpNorm<Eigen::Infinity>();
  jointed.is_rough = changed > kFine * largest;
  Part(jointed, bias) = start_bias;
  Part(jointed, v_star) = Part(jointed, start_v_);
  if (!(changed <= largest)) return;
  Part(jointed, bias) = 0.5 * (start_bias + end_bias);
  Part(jointed, v_star) += change;
}

}  // namespace stiction

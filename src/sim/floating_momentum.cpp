#include "sim/floating_momentum.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/spatial_algebra.h"

namespace stiction {
namespace {

constexpr int kLeastFloating = 4;  // fewer are not worth handing to another thread
constexpr int kBaseDofs = FreeJoint::kTraits.nv;

// Share of an impulse's entries that is rounding where it has no net wrench.
constexpr double kNoWrench = 1e-9;
// A row of a loop with entries below it does not move anything: rows that say what joints say already have
// Jacobians of rounding alone, whose entries do not cancel.
constexpr double kNoRow = 1e-12;
// Of the island's energy about C: that of a twist that is small against its motion. What it adds to the
// energy is less than twice the root of this.
constexpr double kSmallShare = 1e-3;
// Of the island's energy about C: what a twist may add to it where loops bend.
constexpr double kBentShare = 1e-2;
// Of how far the island reaches from the origin.
constexpr double kPlaceRounding = 4.0 * std::numeric_limits<double>::epsilon();
constexpr double kEnergyRounding = 1e-12;  // of the energy of C's motion, in that about C

// The rows of M x that are the free joint's, which stand first in all rows of their tree.
Vector6d MultiplyBaseRows(const BranchSparseMatrix& M, const Tree& tree, const VectorXd& x) {
  Vector6d y = Vector6d::Zero();
  for (int i = 0; i < tree.num_dofs; ++i) {
    const double* entries = M.row(tree.first_dof + i);
    const double xi = x[tree.first_dof + i];
    for (int j = 0; j < std::min(i + 1, kBaseDofs); ++j) y[j] += entries[j] * xi;
    if (i >= kBaseDofs) continue;
    for (int j = 0; j < i; ++j) y[i] += entries[j] * x[tree.first_dof + j];
  }
  return y;
}

}  // namespace

FloatingMomentum::FloatingMomentum(const Model& model)
    : floating_of_tree_(model.trees.size(), -1),
      parent_(model.trees.size()),
      is_tied_(model.trees.size()),
      has_impulse_(model.trees.size()),
      is_pressed_(model.trees.size()),
      is_bent_(model.trees.size()) {
  for (int t = 0; t < model.num_trees(); ++t) {
    const int root = model.trees[t].root_body;
    const int joint = model.bodies[root].first_joint;
    if (!model.joints[joint].is_free() || model.joints[joint].armature != 0.0) continue;
    if (model.trees[t].has_tendon_inertia) continue;
    int end = root;
    while (end < model.num_bodies() && model.bodies[end].tree == t) ++end;
    floating_of_tree_[t] = static_cast<int>(floating_.size());
    floating_.push_back({.tree = t, .joint = joint, .bodies = {root, end}});
  }
  const std::vector<FreeBody> free_bodies = FindFreeBodies(model);
  for (std::size_t i = 0; i < free_bodies.size(); ++i)
    floating_[floating_of_tree_[free_bodies[i].tree]].free_body = static_cast<int>(i);
  has_joints_ = free_bodies.size() < floating_.size();
  members_.reserve(floating_.size());
  first_member_.reserve(floating_.size() + 1);
  change_.setZero(model.nv());
  // Not first when something touches.
  parts_.emplace_back().trees.Reserve(model);
  parts_.back().contains.reserve(model.trees.size());
}

void FloatingMomentum::Restore(const Model& model, const SolvedStep& step, Kinematics& probe, VectorXd& q,
                               VectorXd& v) {
  // Free bodies alone that nothing touches are exact already.
  if (floating_.empty() || (!has_joints_ && step.problem.num_constraints() == 0)) return;
  FindMembers(model, step);
  if (members_.empty() || !q.allFinite() || !v.allFinite()) return;
  first_member_.clear();
  for (int i = 0; i < static_cast<int>(members_.size()); ++i) {
    if (i == 0 || FindRoot(members_[i - 1].tree) != FindRoot(members_[i].tree)) first_member_.push_back(i);
  }
  const int num_islands = static_cast<int>(first_member_.size());
  first_member_.push_back(static_cast<int>(members_.size()));
  const TaskPool& pool = step.frame.pool;
  while (static_cast<int>(parts_.size()) < pool.CountPieces(num_islands, kLeastFloating))
    parts_.emplace_back().trees.Reserve(model);
  pool.ForNumberedPieces(num_islands, kLeastFloating, [&](int piece, int begin, int end) {
    RestoreIslands(model, step, {begin, end}, parts_[piece], probe, q, v);
  });
}

void FloatingMomentum::RestoreIslands(const Model& model, const SolvedStep& step, IndexRange islands,
                                      Part& part, Kinematics& probe, VectorXd& q, VectorXd& v) {
  part.contains.assign(model.num_trees(), 0);
  for (int i = first_member_[islands.begin]; i < first_member_[islands.end]; ++i)
    part.contains[members_[i].tree] = 1;
  if (part.trees.contains != part.contains) {
    part.trees.Assign(model, part.contains, false);
    part.trees.geoms.clear();  // nobody asks where they are
  }
  CalcPositionKinematics(model, part.trees, q, step.mocap, probe);
  CalcVelocityKinematics(model, part.trees, v, probe);
  for (int island = islands.begin; island < islands.end; ++island) {
    const auto first = members_.begin() + first_member_[island];
    RestoreIsland(model, step, probe, {first, members_.begin() + first_member_[island + 1]}, q, v);
  }
}

void FloatingMomentum::RestoreIsland(const Model& model, const SolvedStep& step, const Kinematics& end,
                                     Island island, VectorXd& q, VectorXd& v) {
  const Sum before = AddUp<false>(model, step.frame.kin, island), after = AddUp<true>(model, end, island);
  const double mass = before.mass;
  // The point of the centre's path from which v⁺ leads on to where it is at the end.
  const Vector3d p = before.p_cm + ((1.0 - step.theta) * step.frame.dt / mass) * before.linear;
  const Impulse outside = CalcOutside(model, step, island, p);
  const Vector3d linear = before.linear + outside.f + (mass * step.frame.dt) * model.options.gravity;
  const Vector3d angular = before.angular + outside.m;

  const Vector3d shift = p + (step.theta * step.frame.dt / mass) * linear - after.p_cm;
  const Vector3d V = (linear - after.linear) / mass;
  const Vector3d w = after.I_cm.ldlt().solve(angular - after.angular);
  const double twist = 0.5 * (mass * V.squaredNorm() + w.dot(after.I_cm * w));
  const double rounding = kEnergyRounding * after.linear.squaredNorm() / mass;
  if (!(twist <= kSmallShare * after.CalcInnerEnergy() + rounding)) return;
  const double gain = twist + V.dot(after.linear) + w.dot(after.angular);
  // A displacement changes momentum too, and is not to bring energy in this way.
  if (IsDisplaced(model, step, island) && after.energy + gain > std::max(before.energy, after.energy)) return;
  if (gain > 0.0 && gain > CalcMostGain(model, step, after, island)) return;
  // What was looked at where v leads is looked at there, to the bit, where all else is rounding.
  const double size = after.p_cm.norm() + std::sqrt(after.I_cm.trace() / mass);
  const bool is_shifted = shift.norm() > kPlaceRounding * size;
  for (const Floating& floating : island) {
    const Joint& joint = model.joints[floating.joint];
    const RigidTransform& X_WB = end.X_WB[joint.body];
    if (is_shifted) q.segment<3>(joint.q_address) += shift;
    v.segment<3>(joint.v_address) += V + w.cross(X_WB.p - after.p_cm);
    v.segment<3>(joint.v_address + 3) += X_WB.R.transpose() * w;
  }
}

template <bool kWithInertia>
FloatingMomentum::Sum FloatingMomentum::AddUp(const Model& model, const Kinematics& kin, Island island) {
  Sum sum;
  for (const Floating& floating : island) {
    for (int b = floating.bodies.begin; b < floating.bodies.end; ++b) {
      const double mass = model.bodies[b].inertia.mass;
      sum.mass += mass;
      sum.p_cm += mass * kin.p_WBcm[b];
    }
  }
  sum.p_cm /= sum.mass;
  for (const Floating& floating : island) {
    // What stands in M_B_W and V_WB is about p_WT.
    const Vector3d p = kin.p_WT[floating.tree] - sum.p_cm;
    for (int b = floating.bodies.begin; b < floating.bodies.end; ++b) {
      const SpatialInertia& M = kin.M_B_W[b];
      const Vector6d h = M * kin.V_WB[b];
      sum.linear += h.tail<3>();
      sum.angular += h.head<3>() + p.cross(h.tail<3>());
      sum.energy += 0.5 * h.dot(kin.V_WB[b]);
      if constexpr (!kWithInertia) continue;
      const Vector3d c = 2.0 * M.first_moment + M.mass * p;
      sum.I_cm +=
          M.second_moment + c.dot(p) * Matrix3d::Identity() - 0.5 * (c * p.transpose() + p * c.transpose());
    }
  }
  return sum;
}

// What a twist may add to the energy of the island at most [J].
double FloatingMomentum::CalcMostGain(const Model& model, const SolvedStep& step, const Sum& after,
                                      Island island) {
  const double free_energy = CalcFreeEnergy(model, step, island);
  const int root = FindRoot(island.front().tree);
  const bool is_loop = is_bent_[root] != 0 && is_pressed_[root] == 0;
  if (is_loop && std::isfinite(free_energy)) return kBentShare * after.CalcInnerEnergy();
  return free_energy - after.energy;
}

// Whether the position stage moved some of it.
bool FloatingMomentum::IsDisplaced(const Model& model, const SolvedStep& step, Island island) {
  return std::any_of(island.begin(), island.end(), [&](const Floating& floating) {
    const Tree& tree = model.trees[floating.tree];
    return !step.displacement.segment(tree.first_dof, tree.num_dofs).isZero(0.0);
  });
}

// Of v* [J]. That of trees with joints is not what they have to begin with: their v* holds the error of the
// integrator, which the twist takes out.
double FloatingMomentum::CalcFreeEnergy(const Model& model, const SolvedStep& step, Island island) {
  double energy = 0.0;
  for (const Floating& floating : island) {
    if (floating.free_body < 0) return std::numeric_limits<double>::infinity();
    const Tree& tree = model.trees[floating.tree];
    change_.segment<6>(tree.first_dof) = step.problem.v_star.segment<6>(tree.first_dof);
    energy += 0.5 * MultiplyBaseRows(step.motion.M(), tree, change_).dot(change_.segment<6>(tree.first_dof));
  }
  return energy;
}

FloatingMomentum::Impulse FloatingMomentum::CalcOutside(const Model& model, const SolvedStep& step,
                                                        Island island, const Vector3d& p) {
  Impulse sum;
  for (const Floating& floating : island) {
    const Tree& tree = model.trees[floating.tree];
    const int first = tree.first_dof;
    // M (v* − v) + dt h = dt τ: the equations of the free joint have what acts on the tree as a whole.
    for (int k = first; k < first + tree.num_dofs; ++k) change_[k] = step.problem.v_star[k] - step.v_start[k];
    Vector6d F;
    if (floating.free_body >= 0) {
      change_.segment<6>(first) =
          step.problem.v_star.segment<6>(first) - step.motion.flights()[floating.free_body];
      change_.segment<3>(first) -= step.frame.dt * model.options.gravity;
      F = MultiplyBaseRows(step.motion.M(), tree, change_);
    } else {
      F = MultiplyBaseRows(step.motion.M(), tree, change_) +
          step.frame.dt * step.motion.bias().segment<6>(first);
    }
    const RigidTransform& X_WB = step.motion.middle(step.frame).X_WB[tree.root_body];
    sum.f += F.head<3>();
    sum.m += X_WB.R * F.tail<3>() + (X_WB.p - p).cross(F.head<3>());
  }
  return sum;
}

int FloatingMomentum::FindRoot(int tree) {
  while (parent_[tree] != tree) tree = parent_[tree] = parent_[parent_[tree]];
  return tree;
}

void FloatingMomentum::FindMembers(const Model& model, const SolvedStep& step) {
  std::iota(parent_.begin(), parent_.end(), 0);
  std::fill(is_tied_.begin(), is_tied_.end(), 0);
  std::fill(has_impulse_.begin(), has_impulse_.end(), 0);
  std::fill(is_pressed_.begin(), is_pressed_.end(), 0);
  std::fill(is_bent_.begin(), is_bent_.end(), 0);
  const bool is_displaced = !step.displacement.isZero(0.0);
  const int count = step.problem.num_constraints();
  acts_.resize(count);
  step.frame.pool.ForPieces(count, kLeastContacts, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Constraint& c = step.problem.constraints[i];
      acts_[i] = c.num_blocks > 0 && Acts(step, c, is_displaced) ? 1 : 0;
    }
  });
  for (int i = 0; i < count; ++i) {
    if (acts_[i] != 0) JoinTrees(step, step.problem.constraints[i]);
  }
  for (int i = 0; i < count; ++i) {
    if (acts_[i] == 0) continue;
    const Constraint& c = step.problem.constraints[i];
    const int root = FindRoot(step.problem.blocks[c.first_block].subsystem);
    if (is_tied_[root]) continue;
    if (IsTying(model, step, c) || step.loops.IsDrawn(i)) {
      is_tied_[root] = 1;
    } else {
      MarkRow(step, c, root);
    }
  }
  if (step.theta != 1.0) {
    for (const Floating& floating : floating_) {
      if (floating.free_body < 0) is_tied_[FindRoot(floating.tree)] = 1;
    }
  }
  members_.clear();
  for (const Floating& floating : floating_) {
    // A single body in flight is exact already.
    const bool is_done = floating.free_body >= 0 && !has_impulse_[floating.tree];
    if (is_done || !step.frame.sleep.awake().contains[floating.tree] || is_tied_[FindRoot(floating.tree)])
      continue;
    members_.push_back(floating);
  }
  std::sort(members_.begin(), members_.end(), [&](const Floating& a, const Floating& b) {
    return std::pair(FindRoot(a.tree), a.tree) < std::pair(FindRoot(b.tree), b.tree);
  });
}

// Loops close in any case, and move their trees together; so may the position stage, where a gap's impulse is
// zero.
bool FloatingMomentum::Acts(const SolvedStep& step, const Constraint& c, bool is_displaced) {
  if (c.type == ConstraintType::kBilateral || !step.solution.lambda.segment(c.row, c.dim()).isZero(0.0))
    return true;
  if (!is_displaced) return false;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const Subsystem& tree = step.problem.subsystems[step.problem.blocks[b].subsystem];
    if (!step.displacement.segment(tree.first_dof, tree.num_dofs).isZero(0.0)) return true;
  }
  return false;
}

// The trees of a row are of one island.
void FloatingMomentum::JoinTrees(const SolvedStep& step, const Constraint& c) {
  const JacobianBlock* blocks = step.problem.blocks.data() + c.first_block;
  has_impulse_[blocks[0].subsystem] = 1;
  if (c.num_blocks == 1) return;
  const int root = FindRoot(blocks[0].subsystem);
  for (int b = 1; b < c.num_blocks; ++b) {
    has_impulse_[blocks[b].subsystem] = 1;
    parent_[FindRoot(blocks[b].subsystem)] = root;
  }
}

// Whether a row ties its trees to the world: its impulse comes from there, or that of a loop would.
bool FloatingMomentum::IsTying(const Model& model, const SolvedStep& step, const Constraint& c) const {
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    if (floating_of_tree_[step.problem.blocks[b].subsystem] < 0) return true;
  }
  return !IsWithin(model, step, c, step.frame.kin) &&
         !IsWithin(model, step, c, step.motion.row_kin(step.frame));
}

// What the row says of the energy of its island.
void FloatingMomentum::MarkRow(const SolvedStep& step, const Constraint& c, int root) {
  if (c.type == ConstraintType::kBilateral) {
    if (step.problem.e[c.row] != 0.0) is_bent_[root] = 1;
  } else if (c.type == ConstraintType::kContact || c.type == ConstraintType::kUnilateral) {
    if (!step.solution.lambda.segment(c.row, c.dim()).isZero(0.0)) is_pressed_[root] = 1;
  }
}

// Whether the impulse is one that floating trees give each other: no wrench is left of it where its Jacobian
// is that of `kin`. Of a loop, which closes without an impulse too, and of a gap without one, which the
// position stage may push, that is a unit of it.
bool FloatingMomentum::IsWithin(const Model& model, const SolvedStep& step, const Constraint& c,
                                const Kinematics& kin) {
  Impulse sum;
  const bool is_loop = c.type == ConstraintType::kBilateral;
  const bool is_unit = is_loop || step.solution.lambda.segment(c.row, c.dim()).isZero(0.0);
  double size = is_loop ? kNoRow / kNoWrench : 0.0, reach = 1.0;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = step.problem.blocks[b];
    const double* J = step.problem.jacobian.data() + block.first_value;
    Vector6d base = Vector6d::Zero();
    for (int k = 0; k < block.num_dofs; ++k) {
      double entry = 0.0;
      for (int r = 0; r < c.dim(); ++r) entry += J[c.dim() * k + r] * step.solution.lambda[c.row + r];
      if (is_unit) entry = J[c.dim() * k + c.dim() - 1];
      size += std::abs(entry);
      if (k < kBaseDofs) base[k] = entry;
    }
    const RigidTransform& X_WB = kin.X_WB[model.trees[block.subsystem].root_body];
    sum.f += base.head<3>();
    sum.m += X_WB.R * base.tail<3>() + X_WB.p.cross(base.head<3>());
    reach = std::max(reach, X_WB.p.norm());
  }
  return sum.f.norm() <= kNoWrench * size && sum.m.norm() <= kNoWrench * reach * size;
}

}  // namespace stiction

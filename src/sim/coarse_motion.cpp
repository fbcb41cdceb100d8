#include "sim/coarse_motion.h"

#include <algorithm>
#include <cmath>

#include "math/spatial_algebra.h"

namespace stiction {
namespace {

// Of the energy, what a step may gain: where it nearly resolves the motion that comes and goes, and to take
// what comes would be a brake. Beyond a radian hardly anything, since all of it stays.
constexpr double kGain = 1e-2, kLeastGain = 1e-5, kUnresolved = 1.0;
// Turns of a body in a step from which the energy of its tree is looked at while something presses it [rad]:
// from the smaller one on, only what no resolved motion gains in a step is taken.
constexpr double kPressedTurn = 0.05, kSlightTurn = 0.01, kSlightGain = 0.1;

constexpr int kLeastCoarse = 2;  // trees; fewer are not worth handing to another thread

// xᵀ M y of a tree's dofs.
double CalcProduct(const BranchSparseMatrix& M, IndexRange dofs, const VectorXd& x, const VectorXd& y) {
  double sum = 0.0;
  for (int i = dofs.begin; i < dofs.end; ++i) {
    const double* row = M.row(i);
    const int* columns = M.pattern().columns(i);
    const int last = M.pattern().row_length(i) - 1;
    for (int k = 0; k < last; ++k) sum += row[k] * (x[i] * y[columns[k]] + x[columns[k]] * y[i]);
    sum += row[last] * x[i] * y[i];
  }
  return sum;
}

// Whether a body of a tree turns further in the step by the velocities of the start, or may by those of the
// end.
bool Turns(const SolvedStep& step, IndexRange bodies, IndexRange dofs, const VectorXd& v, double turn) {
  const double most = turn / step.frame.dt;
  if (v.segment(dofs.begin, dofs.size()).lpNorm<Eigen::Infinity>() > most) return true;
  const auto first = step.frame.kin.V_WB.begin() + bodies.begin;
  return std::any_of(first, first + bodies.size(),
                     [most](const Vector6d& V) { return V.head<3>().norm() > most; });
}

// Whether a displacement, which changes no velocity, moves a dof of a tree further than that [rad or m].
bool IsDisplaced(const SolvedStep& step, IndexRange dofs, double most) {
  return step.displacement.segment(dofs.begin, dofs.size()).lpNorm<Eigen::Infinity>() > most;
}

}  // namespace

CoarseMotion::CoarseMotion(const Model& model)
    : touched_(model.num_trees()), pressed_(model.num_trees()), tied_(model.num_trees()) {
  for (int t = 0; t < model.num_trees(); ++t) {
    const Tree& tree = model.trees[t];
    if (tree.is_free_body || tree.num_dofs < 2 || tree.has_tendon_inertia) continue;
    int end = tree.root_body;
    while (end < model.num_bodies() && model.bodies[end].tree == t) ++end;
    const Joint& root = model.joints[model.bodies[tree.root_body].first_joint];
    jointed_.push_back({t,
                        {tree.root_body, end},
                        {tree.first_dof, tree.first_dof + tree.num_dofs},
                        root.is_free() && root.armature == 0.0});
  }
  if (jointed_.empty()) return;
  coarse_.reserve(jointed_.size());
  AddPart(model);
}

void CoarseMotion::AddPart(const Model& model) {
  Part& part = parts_.emplace_back();
  part.trees.Reserve(model);
  part.contains.reserve(model.num_trees());
}

void CoarseMotion::Limit(const Model& model, const SolvedStep& step, const VectorXd& q, Kinematics& probe,
                         VectorXd& v) {
  if (jointed_.empty()) return;
  MarkTouched(step);
  FindCoarse(step, v);
  if (coarse_.empty() || !q.allFinite() || !v.allFinite()) return;
  const TaskPool& pool = step.frame.pool;
  const int count = static_cast<int>(coarse_.size());
  while (static_cast<int>(parts_.size()) < pool.CountPieces(count, kLeastCoarse)) AddPart(model);
  pool.ForNumberedPieces(count, kLeastCoarse, [&](int piece, int begin, int end) {
    LimitTrees(model, step, {begin, end}, q, parts_[piece], probe, v);
  });
}

void CoarseMotion::LimitTrees(const Model& model, const SolvedStep& step, IndexRange coarse,
                              const VectorXd& q, Part& part, Kinematics& probe, VectorXd& v) const {
  part.contains.assign(model.num_trees(), 0);
  for (int k = coarse.begin; k < coarse.end; ++k) part.contains[jointed_[coarse_[k]].tree] = 1;
  if (part.trees.contains != part.contains) {
    part.trees.Assign(model, part.contains, false);
    part.trees.geoms.clear();  // nobody asks where they are
  }
  CalcPositionKinematics(model, part.trees, q, step.mocap, probe);
  CalcVelocityKinematics(model, part.trees, v, probe);
  for (int k = coarse.begin; k < coarse.end; ++k) {
    const Jointed& jointed = jointed_[coarse_[k]];
    if (tied_[jointed.tree] == 0) LimitTree(model, step, jointed, probe, v);
  }
}

void CoarseMotion::FindCoarse(const SolvedStep& step, const VectorXd& v) {
  coarse_.clear();
  for (std::size_t i = 0; i < jointed_.size(); ++i) {
    const Jointed& jointed = jointed_[i];
    const double turn = pressed_[jointed.tree] != 0 ? kSlightTurn : kTurn;
    if (step.frame.sleep.IsAwake(jointed.tree) &&
        (Turns(step, jointed.bodies, jointed.dofs, v, turn) || IsDisplaced(step, jointed.dofs, kSlightTurn)))
      coarse_.push_back(static_cast<int>(i));
  }
}

void CoarseMotion::MarkTouched(const SolvedStep& step) {
  for (auto* marks : {&touched_, &pressed_, &tied_}) std::fill(marks->begin(), marks->end(), 0);
  for (const Constraint& c : step.problem.constraints) {
    const bool is_contact = c.type == ConstraintType::kContact,
               is_loop = c.type == ConstraintType::kBilateral;
    const bool may_press = is_contact || c.type == ConstraintType::kUnilateral;
    const bool may_touch = is_contact || c.num_blocks > 1;
    if (!may_press && !may_touch) continue;
    if (!is_loop && step.solution.lambda.segment(c.row, c.dim()).isZero(0.0)) continue;
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const int tree = step.problem.blocks[b].subsystem;
      if (may_press) pressed_[tree] = 1;
      if (may_touch) (is_loop ? tied_ : touched_)[tree] = 1;
    }
  }
}

CoarseMotion::Sum CoarseMotion::AddUp(const Model& model, const Kinematics& kin, const Jointed& jointed) {
  Sum sum;
  for (int b = jointed.bodies.begin; b < jointed.bodies.end; ++b) {
    const double mass = model.bodies[b].inertia.mass;
    const Vector6d h = kin.M_B_W[b] * kin.V_WB[b];
    sum.mass += mass;
    sum.p_cm += mass * kin.p_WBcm[b];
    sum.linear += h.tail<3>();
    sum.energy += 0.5 * h.dot(kin.V_WB[b]);
    sum.turning = std::max(sum.turning, kin.V_WB[b].head<3>().norm());
  }
  sum.p_cm /= sum.mass;
  return sum;
}

// (M (v⁺ − v) + dt h)ᵀ (v + v⁺)/2 [J].
double CoarseMotion::CalcWork(const SolvedStep& step, const Jointed& jointed) {
  const IndexRange dofs = jointed.dofs;
  const VectorXd &v = step.v_start, &v_end = step.solution.v;
  double sum = CalcProduct(step.motion.M(), dofs, v_end, v_end) - CalcProduct(step.motion.M(), dofs, v, v);
  for (int k = dofs.begin; k < dofs.end; ++k)
    sum += step.frame.dt * step.motion.bias()[k] * (v[k] + v_end[k]);
  return 0.5 * sum;
}

// M (v⁺ − v) + dt h is what acted on the tree, and the first rows of a free joint are those of its momentum.
Vector3d CoarseMotion::CalcCentreVelocity(const Model& model, const SolvedStep& step, const Jointed& jointed,
                                          const Sum& before) {
  const BranchSparseMatrix& M = step.motion.M();
  const int first = jointed.dofs.begin;
  const auto change = [&](int i) { return step.solution.v[first + i] - step.v_start[first + i]; };
  const Vector3d h = step.motion.bias().segment<3>(first);
  Vector3d linear = before.linear + step.frame.dt * (h + before.mass * model.options.gravity);
  for (int i = 0; i < jointed.dofs.size(); ++i) {
    const double* row = M.row(first + i);  // all begin with the free joint's columns
    for (int k = 0; k < std::min(i + 1, 3); ++k) linear[k] += row[k] * change(i);
    for (int k = 0; i < 3 && k < i; ++k) linear[i] += row[k] * change(k);
  }
  return linear / before.mass;
}

void CoarseMotion::LimitTree(const Model& model, const SolvedStep& step, const Jointed& jointed,
                             const Kinematics& end, VectorXd& v) const {
  const Sum before = AddUp(model, step.frame.kin, jointed), after = AddUp(model, end, jointed);
  double energy = after.energy, allowed = before.energy + CalcWork(step, jointed);
  for (int k = jointed.dofs.begin; k < jointed.dofs.end; ++k) {
    const double armature = model.joints[model.dof_joint[k]].armature;
    energy += 0.5 * armature * v[k] * v[k];
    allowed += 0.5 * armature * step.v_start[k] * step.v_start[k];
  }
  // Of the weight, which h holds too, what it did: along the mean of the ways at v and at v⁺.
  const Vector3d way = 0.5 * (after.p_cm - before.p_cm + (step.frame.dt / before.mass) * before.linear);
  allowed += before.mass * model.options.gravity.dot(way);
  Vector3d V = Vector3d::Zero(), V_end = V;  // of the mass centre, as it should be and as it is
  if (jointed.floats && touched_[jointed.tree] == 0) {
    V = CalcCentreVelocity(model, step, jointed, before);
    V_end = after.linear / after.mass;
    energy -= 0.5 * after.mass * V_end.squaredNorm();
    allowed -= 0.5 * after.mass * V.squaredNorm();
  }
  // The weight is that of places, and v⁺ stands for another way at each of them.
  const double weight = std::abs(
      model.options.gravity.dot(step.frame.dt * after.linear - after.mass * (after.p_cm - before.p_cm)));
  const bool is_lost = step.frame.dt * std::max(before.turning, after.turning) > kUnresolved;
  const bool is_slight = !Turns(step, jointed.bodies, jointed.dofs, v, kPressedTurn) &&
                         !IsDisplaced(step, jointed.dofs, kPressedTurn);
  const double gain = is_lost ? kLeastGain : is_slight ? kSlightGain : kGain;
  double share = 1.0;
  const double most = std::max(0.0, (1.0 + gain) * allowed + weight);
  if (energy > most)  // not where there is none, and what is allowed is less than none by rounding
    share = std::sqrt(std::max(0.0, allowed) / energy);
  v.segment(jointed.dofs.begin, jointed.dofs.size()) *= share;
  if (jointed.floats) v.segment<3>(jointed.dofs.begin) += V - share * V_end;
}

}  // namespace stiction

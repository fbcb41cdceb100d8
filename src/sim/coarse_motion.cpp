#include "sim/coarse_motion.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "math/spatial_algebra.h"

namespace stiction {
namespace {

// Of the energy, what a step may gain: where it nearly resolves the motion that comes and goes, and to take
// what comes would be a brake. Beyond a radian hardly anything, since all of it stays.
constexpr double kGain = 1e-2, kLeastGain = 1e-5, kUnresolved = 1.0;
// Turns of a body in a step from which the energy of its tree is looked at while something presses it [rad]:
// from the smaller one on, only what no resolved motion gains in a step is taken.
constexpr double kPressedTurn = 0.05, kSlightTurn = 0.01, kSlightGain = 0.1;
constexpr double kLoopedTurn = 0.1;  // likewise, while loops hold it; up to kTurn only that, too [rad]

constexpr int kLeftOut = -1;  // the place of a unit

constexpr int kLeastCoarse = 2;  // units; fewer are not worth handing to another thread

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

// xᵀ M y of a free body.
double CalcProduct(const BranchSparseMatrix& M, int first, const Vector6d& x, const Vector6d& y) {
  double sum = 0.0;
  for (int i = 0; i < 6; ++i) {
    const double* row = M.row(first + i);
    for (int k = 0; k < i; ++k) sum += row[k] * (x[i] * y[k] + x[k] * y[i]);
    sum += row[i] * x[i] * y[i];
  }
  return sum;
}

}  // namespace

CoarseMotion::CoarseMotion(const Model& model)
    : trees_(model.trees.size()),
      parent_(model.trees.size()),
      touched_(model.trees.size()),
      pressed_(model.trees.size()),
      looped_(model.trees.size()),
      held_(model.trees.size()) {
  for (int t = 0; t < model.num_trees(); ++t) {
    const Tree& tree = model.trees[t];
    int end = tree.root_body;
    while (end < model.num_bodies() && model.bodies[end].tree == t) ++end;
    const Joint& root = model.joints[model.bodies[tree.root_body].first_joint];
    are_carried_ = are_carried_ || model.bodies[tree.root_body].parent != 0;
    trees_[t] = {.bodies = {tree.root_body, end},
                 .dofs = {tree.first_dof, tree.first_dof + tree.num_dofs},
                 .floats = root.is_free() && root.armature == 0.0,
                 .is_exact = tree.is_free_body || tree.num_dofs < 2,
                 .has_more_inertia = tree.has_tendon_inertia};
  }
  const std::vector<FreeBody> free_bodies = FindFreeBodies(model);
  for (std::size_t i = 0; i < free_bodies.size(); ++i)
    trees_[free_bodies[i].tree].free_body = static_cast<int>(i);
  fixed_.Assign(model, std::vector<char>(model.trees.size(), 0));
  may_be_tied_ = model.num_equalities() > 0;
  std::iota(parent_.begin(), parent_.end(), 0);
  first_member_.reserve(trees_.size() + 1);
  members_.reserve(trees_.size());
  coarse_.reserve(trees_.size());
  FindUnits();
  if (first_member_.size() > 1 || may_be_tied_) AddPart(model);
}

void CoarseMotion::AddPart(const Model& model) {
  Part& part = parts_.emplace_back();
  part.trees.Reserve(model);
  part.contains.reserve(model.num_trees());
}

int CoarseMotion::FindRoot(int tree) {
  while (parent_[tree] != tree) tree = parent_[tree] = parent_[parent_[tree]];
  return tree;
}

void CoarseMotion::FindUnits() {
  const int num_trees = static_cast<int>(trees_.size());
  place_.assign(num_trees, 0);
  for (int t = 0; t < num_trees; ++t) ++place_[FindRoot(t)];
  for (int t = 0; t < num_trees; ++t) {
    const int root = FindRoot(t);
    if (trees_[t].has_more_inertia || (place_[root] == 1 && trees_[t].is_exact)) place_[root] = kLeftOut;
  }
  first_member_.assign(1, 0);
  int next = 0;
  for (int root = 0; root < num_trees; ++root) {
    if (parent_[root] != root || place_[root] == kLeftOut) continue;
    next += std::exchange(place_[root], next);
    first_member_.push_back(next);
  }
  members_.resize(next);
  for (int t = 0; t < num_trees; ++t) {
    if (int& place = place_[FindRoot(t)]; place != kLeftOut) members_[place++] = t;
  }
}

void CoarseMotion::Limit(const Model& model, const SolvedStep& step, const VectorXd& q, Kinematics& probe,
                         VectorXd& v) {
  if (first_member_.size() == 1 && !may_be_tied_) return;
  MarkTouched(step);
  FindCoarse(step, v);
  if (coarse_.empty() || !q.allFinite() || !v.allFinite()) return;
  const TaskPool& pool = step.frame.pool;
  const int count = static_cast<int>(coarse_.size());
  while (static_cast<int>(parts_.size()) < pool.CountPieces(count, kLeastCoarse)) AddPart(model);
  // Nobody else may have asked where those are in `probe`.
  if (are_carried_) CalcBodyPoses(model, fixed_, q, step.mocap, probe);
  pool.ForNumberedPieces(count, kLeastCoarse, [&](int piece, int begin, int end) {
    LimitUnits(model, step, {begin, end}, q, parts_[piece], probe, v);
  });
}

void CoarseMotion::LimitUnits(const Model& model, const SolvedStep& step, IndexRange coarse,
                              const VectorXd& q, Part& part, Kinematics& probe, VectorXd& v) const {
  part.contains.assign(model.num_trees(), 0);
  for (int k = coarse.begin; k < coarse.end; ++k) {
    for (const int tree : unit(coarse_[k])) part.contains[tree] = 1;
  }
  if (part.trees.contains != part.contains) {
    part.trees.Assign(model, part.contains, false);
    part.trees.geoms.clear();  // nobody asks where they are
  }
  CalcPositionKinematics(model, part.trees, q, step.mocap, probe);
  CalcVelocityKinematics(model, part.trees, v, probe);
  for (int k = coarse.begin; k < coarse.end; ++k) LimitUnit(model, step, unit(coarse_[k]), probe, v);
}

bool CoarseMotion::Any(Unit unit, const std::vector<char>& marks) {
  return std::any_of(unit.begin(), unit.end(), [&](int tree) { return marks[tree] != 0; });
}

// Whether a body turns further in the step by the velocities of the start, or may by those of the end.
bool CoarseMotion::Turns(const SolvedStep& step, Unit unit, const VectorXd& v, double turn) const {
  const double most = turn / step.frame.dt;
  return std::any_of(unit.begin(), unit.end(), [&](int t) {
    const Moving& tree = trees_[t];
    if (v.segment(tree.dofs.begin, tree.dofs.size()).lpNorm<Eigen::Infinity>() > most) return true;
    const auto first = step.frame.kin.V_WB.begin() + tree.bodies.begin;
    return std::any_of(first, first + tree.bodies.size(),
                       [most](const Vector6d& V) { return V.head<3>().norm() > most; });
  });
}

// Whether a displacement, which changes no velocity, moves a dof further than that [rad or m].
bool CoarseMotion::IsDisplaced(const SolvedStep& step, Unit unit, double most) const {
  return std::any_of(unit.begin(), unit.end(), [&](int tree) {
    const IndexRange dofs = trees_[tree].dofs;
    return step.displacement.segment(dofs.begin, dofs.size()).lpNorm<Eigen::Infinity>() > most;
  });
}

void CoarseMotion::FindCoarse(const SolvedStep& step, const VectorXd& v) {
  coarse_.clear();
  for (int i = 0; i + 1 < static_cast<int>(first_member_.size()); ++i) {
    const Unit trees = unit(i);
    const double turn = Any(trees, pressed_) ? kSlightTurn : Any(trees, looped_) ? kLoopedTurn : kTurn;
    if (step.frame.sleep.IsAwake(trees.front()) &&
        (Turns(step, trees, v, turn) || IsDisplaced(step, trees, kSlightTurn)))
      coarse_.push_back(i);
  }
}

void CoarseMotion::MarkTouched(const SolvedStep& step) {
  for (auto* marks : {&touched_, &pressed_, &looped_, &held_}) std::fill(marks->begin(), marks->end(), 0);
  const bool had_ties = has_ties_;
  if (had_ties) std::iota(parent_.begin(), parent_.end(), 0);
  has_ties_ = false;
  for (const Constraint& c : step.problem.constraints) {
    const bool is_loop = c.type == ConstraintType::kBilateral;
    const bool is_contact = c.type == ConstraintType::kContact;
    const bool may_press = is_contact || c.type == ConstraintType::kUnilateral;
    const bool may_touch = is_contact || (c.num_blocks > 1 && !is_loop);
    if (!may_press && !may_touch && !is_loop) continue;
    if (!is_loop && step.solution.lambda.segment(c.row, c.dim()).isZero(0.0)) continue;
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const int tree = step.problem.blocks[b].subsystem;
      if (may_press) pressed_[tree] = 1;
      if (may_touch) touched_[tree] = 1;
      if (!is_loop) continue;
      looped_[tree] = 1;
      if (c.num_blocks == 1) held_[tree] = 1;
      has_ties_ = has_ties_ || b > c.first_block;
      parent_[FindRoot(tree)] = FindRoot(step.problem.blocks[c.first_block].subsystem);
    }
  }
  if (had_ties || has_ties_) FindUnits();
}

CoarseMotion::Sum CoarseMotion::AddUp(const Model& model, const Kinematics& kin, Unit unit) const {
  Sum sum;
  for (const int tree : unit) {
    for (int b = trees_[tree].bodies.begin; b < trees_[tree].bodies.end; ++b) {
      const double mass = model.bodies[b].inertia.mass;
      const Vector6d h = kin.M_B_W[b] * kin.V_WB[b];
      sum.mass += mass;
      sum.p_cm += mass * kin.p_WBcm[b];
      sum.linear += h.tail<3>();
      sum.energy += 0.5 * h.dot(kin.V_WB[b]);
      sum.turning = std::max(sum.turning, kin.V_WB[b].head<3>().norm());
    }
  }
  sum.p_cm /= sum.mass;
  return sum;
}

// (M (v⁺ − v) + dt h)ᵀ (v + v⁺)/2 [J]; of a free body M (v⁺ − flight − dt g) stands for the first factor.
double CoarseMotion::CalcWork(const Model& model, const SolvedStep& step, Unit unit) const {
  const BranchSparseMatrix& M = step.motion.M();
  const VectorXd &v = step.v_start, &v_end = step.solution.v;
  double sum = 0.0;
  for (const int t : unit) {
    const Moving& tree = trees_[t];
    const IndexRange dofs = tree.dofs;
    if (tree.free_body >= 0) {
      Vector6d change = v_end.segment<6>(dofs.begin) - step.motion.flights()[tree.free_body];
      change.head<3>() -= step.frame.dt * model.options.gravity;
      sum += CalcProduct(M, dofs.begin, change, v.segment<6>(dofs.begin) + v_end.segment<6>(dofs.begin));
      continue;
    }
    sum += CalcProduct(M, dofs, v_end, v_end) - CalcProduct(M, dofs, v, v);
    for (int k = dofs.begin; k < dofs.end; ++k)
      sum += step.frame.dt * step.motion.bias()[k] * (v[k] + v_end[k]);
  }
  return 0.5 * sum;
}

// λᵀ J (v + v⁺)/2 of loops that nothing moves [J].
double CoarseMotion::CalcWorkOfLoops(const SolvedStep& step, Unit unit) const {
  if (!Any(unit, looped_) || !step.loops.is_still()) return 0.0;
  double sum = 0.0;
  for (int i = 0; i < step.loops.rows().num_constraints(); ++i) {
    const Constraint& c = step.problem.constraints[i];
    if (c.num_blocks == 0) continue;
    const int tree = step.problem.blocks[c.first_block].subsystem;
    if (std::find(unit.begin(), unit.end(), tree) == unit.end()) continue;
    double now = 0.0, before = 0.0;
    step.problem.MultiplyRows(c, step.solution.v.data(), &now);
    step.problem.MultiplyRows(c, step.v_start.data(), &before);
    sum += 0.5 * step.solution.lambda[c.row] * (now + before);
  }
  return sum;
}

// M (v⁺ − v) + dt h is what acted on the tree, and the first rows of a free joint are those of its momentum.
Vector3d CoarseMotion::CalcCentreVelocity(const Model& model, const SolvedStep& step, const Moving& tree,
                                          const Sum& before) {
  const BranchSparseMatrix& M = step.motion.M();
  const int first = tree.dofs.begin;
  const auto change = [&](int i) { return step.solution.v[first + i] - step.v_start[first + i]; };
  const Vector3d h = step.motion.bias().segment<3>(first);
  Vector3d linear = before.linear + step.frame.dt * (h + before.mass * model.options.gravity);
  for (int i = 0; i < tree.dofs.size(); ++i) {
    const double* row = M.row(first + i);  // all begin with the free joint's columns
    for (int k = 0; k < std::min(i + 1, 3); ++k) linear[k] += row[k] * change(i);
    for (int k = 0; i < 3 && k < i; ++k) linear[i] += row[k] * change(k);
  }
  return linear / before.mass;
}

void CoarseMotion::LimitUnit(const Model& model, const SolvedStep& step, Unit unit, const Kinematics& end,
                             VectorXd& v) const {
  const Sum before = AddUp(model, step.frame.kin, unit), after = AddUp(model, end, unit);
  double energy = after.energy;
  double allowed = before.energy + CalcWork(model, step, unit) - CalcWorkOfLoops(step, unit);
  for (const int tree : unit) {
    for (int k = trees_[tree].dofs.begin; k < trees_[tree].dofs.end; ++k) {
      const double armature = model.joints[model.dof_joint[k]].armature;
      energy += 0.5 * armature * v[k] * v[k];
      allowed += 0.5 * armature * step.v_start[k] * step.v_start[k];
    }
  }
  // Of the weight, which h holds too, what it did: along the mean of the ways at v and at v⁺.
  const Vector3d way = 0.5 * (after.p_cm - before.p_cm + (step.frame.dt / before.mass) * before.linear);
  allowed += before.mass * model.options.gravity.dot(way);
  Vector3d V = Vector3d::Zero(), V_end = V;  // of the mass centre, as it should be and as it is
  const bool floats = std::all_of(unit.begin(), unit.end(), [&](int tree) { return trees_[tree].floats; }) &&
                      !Any(unit, touched_) && (unit.size() == 1 || !Any(unit, held_));
  if (floats) {
    V_end = after.linear / after.mass;
    // Of several that loops tie, momentum is kept already (sim/floating_momentum.h).
    V = unit.size() > 1 ? V_end : CalcCentreVelocity(model, step, trees_[unit.front()], before);
    energy -= 0.5 * after.mass * V_end.squaredNorm();
    allowed -= 0.5 * after.mass * V.squaredNorm();
  }
  // The weight is that of places, and v⁺ stands for another way at each of them.
  const double weight = std::abs(
      model.options.gravity.dot(step.frame.dt * after.linear - after.mass * (after.p_cm - before.p_cm)));
  const bool is_lost = step.frame.dt * std::max(before.turning, after.turning) > kUnresolved;
  const auto is_below = [&](double turn, double moved) {
    return !Turns(step, unit, v, turn) && !IsDisplaced(step, unit, moved);
  };
  const bool is_slight =
      is_below(kPressedTurn, kPressedTurn) || (!Any(unit, pressed_) && is_below(kTurn, kSlightTurn));
  const double gain = is_lost ? kLeastGain : is_slight ? kSlightGain : kGain;
  double share = 1.0;
  const double most = std::max(0.0, (1.0 + gain) * allowed + weight);
  if (energy > most)  // not where there is none, and what is allowed is less than none by rounding
    share = std::sqrt(std::max(0.0, allowed) / energy);
  for (const int tree : unit) {
    const IndexRange dofs = trees_[tree].dofs;
    v.segment(dofs.begin, dofs.size()) *= share;
    if (trees_[tree].floats) v.segment<3>(dofs.begin) += V - share * V_end;
  }
}

}  // namespace stiction

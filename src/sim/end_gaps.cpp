#include "sim/end_gaps.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "sim/contact_rows.h"
#include "sim/copy_kinematics.h"
#include "stiction/collision/narrowphase.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr double kNoWay = 1e-4;        // dofs that go no further bend nothing [m or rad]
constexpr double kSameSide = 0.7;      // cosine between normals of what is one overlap, at start and end
constexpr double kOtherSide = -0.5;    // the other way out of a thin wall has less with all of the start
constexpr double kMostOfBend = 2.0;    // the factor of order one
constexpr double kDeepShare = 0.05;    // overlap, in thicknesses of the smaller shape
constexpr double kLeastRadius = 1e-3;  // of edges that slide along something round [m]
constexpr int kLeastPairs = 8;         // fewer are not worth handing to another thread
constexpr int kLeastBounds = 32;       // likewise, of pairs whose bend is bounded

bool HasFlatSides(const Shape& shape) {
  return std::holds_alternative<Plane>(shape) || std::holds_alternative<Box>(shape) ||
         std::holds_alternative<Hull>(shape) || std::holds_alternative<Mesh>(shape);
}

// Dofs that turn bodies, of a joint's.
IndexRange FindTurningDofs(const Joint& joint) {
  const int end = joint.v_address + joint.nv();
  if (joint.nv() == 6) return {joint.v_address + 3, end};
  if (joint.nv() == 1 && !joint.traits().is_angular) return {end, end};
  return {joint.v_address, end};
}

}  // namespace

EndGaps::EndGaps(const Model& model) : way_(model.num_trees()), turn_(model.num_trees()) {
  for (const Geom& geom : model.geoms) {
    Size size;
    if (!std::holds_alternative<Plane>(geom.shape))
      size.reach = geom.X_BG.p.norm() + CalcBoundingRadius(geom.shape);
    size.radius = HasFlatSides(geom.shape) ? std::numeric_limits<double>::infinity()
                                           : std::max(CalcSmallestRadius(geom.shape), kLeastRadius);
    size.is_field = std::holds_alternative<Field>(geom.shape);
    sizes_.push_back(size);
  }
  // As many as ever come about where all bodies tumble; what comes late would else be allocated late.
  const int room = std::max(16, 4 * model.num_trees());
  looked_at_.reserve(4 * room);
  contacts_.reserve(room);
  R_WC_.reserve(room);
  rows_.reserve(room);
  deep_.reserve(room);
  unseen_.reserve(room);
  pairs_.reserve(4 * room);
  contains_.reserve(model.num_trees());
  trees_.Reserve(model);
  there_.Reserve(model);
  elsewhere_.Reserve(model);
  probe_.Resize(model);
  looked_q_.resize(model.nq());
  looked_mocap_.resize(7 * model.num_mocap);
  is_there_.reserve(model.num_trees());
  is_elsewhere_.reserve(model.num_trees());
}

void EndGaps::FindTurns(const Model& model, const StepFrame& frame, const VectorXd& advance) {
  std::fill(way_.begin(), way_.end(), 0.0);
  std::fill(turn_.begin(), turn_.end(), 0.0);
  look_parts_.ForEach(model, frame.sleep.awake(), frame.pool, [&](const TreeSet& part) {
    for (const IndexRange& range : part.joints) {
      for (int j = range.begin; j < range.end; ++j) {
        const Joint& joint = model.joints[j];
        const int tree = model.dof_tree[joint.v_address];
        const auto way = advance.segment(joint.v_address, joint.nv());
        way_[tree] = std::max(way_[tree], way.lpNorm<Eigen::Infinity>());
        const IndexRange turning = FindTurningDofs(joint);
        turn_[tree] += advance.segment(turning.begin, turning.size()).norm();
      }
    }
  });
}

void EndGaps::ListPairs(const StepFrame& frame) {
  const std::vector<DetectedContact>& contacts = frame.contacts;
  const int count = static_cast<int>(contacts.size());
  const auto pair_of = [&](int i) {
    return std::pair(contacts[i].tracked.geom_a, contacts[i].tracked.geom_b);
  };
  pairs_.clear();
  for (int begin = 0, end = 0; begin < count; begin = end) {
    const std::pair<int, int> pair = pair_of(begin);
    for (end = begin; end < count && pair_of(end) == pair;) ++end;
    const bool are_fields = sizes_[pair.first].is_field && sizes_[pair.second].is_field;
    if (!are_fields && contacts[begin].tracked.point.patch == 0) pairs_.push_back({begin, end});
  }
}

// By what the two surfaces slide and turn along one another: an upper bound, but for factors of order one.
double EndGaps::BoundBend(const StepFrame& frame, const StepRows& rows, const VectorXd& advance,
                          int contact) const {
  const TrackedContact& tracked = frame.contacts[contact].tracked;
  const int tree_a = frame.chains[tracked.geom_a].tree, tree_b = frame.chains[tracked.geom_b].tree;
  double way = 0.0, turn = 0.0;
  for (const int tree : {tree_a, tree_a == tree_b ? -1 : tree_b}) {
    if (tree < 0) continue;
    way = std::max(way, way_[tree]);
    turn += turn_[tree];
  }
  if (way < kNoWay) return 0.0;
  double slide = 2.0 * way;  // where no row tells
  if (const int constraint = rows.contact_constraint[contact]; constraint >= 0) {
    double moved[3];
    rows.problem.MultiplyRows(rows.problem.constraints[constraint], advance.data(), moved);
    slide = std::sqrt(moved[0] * moved[0] + moved[1] * moved[1]);
  }
  const Size &a = sizes_[tracked.geom_a], &b = sizes_[tracked.geom_b];
  return turn * (0.5 * turn * (a.reach + b.reach) + slide) +
         0.5 * slide * slide / std::min(a.radius, b.radius);
}

void EndGaps::BoundBend(const StepFrame& frame, const StepRows& rows, const VectorXd& advance,
                        Pair& pair) const {
  for (int i = pair.begin; i < pair.end; ++i) {
    const double bend = BoundBend(frame, rows, advance, i);
    pair.bend = std::max(pair.bend, bend);
    // What did not act is far from one another where the step leads: sim/ghost_filter.h.
    const bool acts = rows.contact_constraint[i] >= 0;
    pair.is_looked_at = pair.is_looked_at || (acts && bend > frame.contacts[i].CalcSlop());
  }
}

bool EndGaps::MayBend(const Model& model, const StepFrame& frame, const StepRows& rows,
                      const VectorXd& advance) {
  contacts_.clear();
  R_WC_.clear();
  rows_.clear();
  deep_.clear();
  first_constraint_ = rows.problem.num_constraints();
  pairs_.clear();
  if (frame.contacts.empty()) return false;
  if (rows.penetration_time > 0.0) return false;  // overlap is what contacts press by
  if (!(advance.lpNorm<Eigen::Infinity>() >= kNoWay)) return false;
  FindTurns(model, frame, advance);
  ListPairs(frame);
  frame.pool.ForPieces(static_cast<int>(pairs_.size()), kLeastBounds, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) BoundBend(frame, rows, advance, pairs_[p]);
  });
  return std::any_of(pairs_.begin(), pairs_.end(), [](const Pair& pair) { return pair.is_looked_at; });
}

void EndGaps::AddMoved(const StepFrame& frame, const VectorXd& displacement, const ContactProblem& problem) {
  for (Pair& pair : pairs_) {
    const DetectedContact& contact = frame.contacts[pair.begin];
    for (const int geom : {contact.tracked.geom_a, contact.tracked.geom_b}) {
      const int tree = frame.chains[geom].tree;
      if (tree < 0) continue;
      const Subsystem& dofs = problem.subsystems[tree];
      const auto way = displacement.segment(dofs.first_dof, dofs.num_dofs);
      const double moved = way.lpNorm<Eigen::Infinity>();
      pair.is_looked_at = pair.is_looked_at || moved > contact.CalcSlop();
      pair.bend += moved;
    }
  }
}

// Threads share all that is awake, where most of it is looked at: its parts stay the same from step to step.
void EndGaps::MovePairs(const Model& model, const Input& input, const StepFrame& frame, const VectorXd& q) {
  const TreeSet& awake = frame.sleep.awake();
  contains_.assign(model.num_trees(), 0);
  int num_dofs = 0;
  for (const Pair& pair : pairs_) {
    if (!pair.is_looked_at) continue;
    const TrackedContact& contact = frame.contacts[pair.begin].tracked;
    for (const int geom : {contact.geom_a, contact.geom_b}) {
      const int tree = frame.chains[geom].tree;
      if (tree < 0 || !awake.contains[tree] || contains_[tree]) continue;
      contains_[tree] = 1;
      num_dofs += model.trees[tree].num_dofs;
    }
  }
  if (frame.pool.num_threads() > 1 && IsWorthParts(awake, num_dofs)) {
    contains_ = awake.contains;
    look_parts_.ForEach(model, awake, frame.pool, [&](const TreeSet& part) {
      CalcPositionKinematics(model, part, q, input.mocap, probe_);
    });
  } else {
    if (trees_.contains != contains_) trees_.Assign(model, contains_);
    CalcPositionKinematics(model, trees_, q, input.mocap, probe_);
  }
  has_looked_ = true;
  looked_q_ = q;
  looked_mocap_ = input.mocap;
}

// Whether a tree was looked at where it is at q, to the last bit.
bool EndGaps::IsThere(const Model& model, const VectorXd& q, int tree) const {
  if (!contains_[tree]) return false;
  const Tree& dofs = model.trees[tree];
  if (dofs.num_dofs == 0) return true;
  const Joint& first = model.joints[model.dof_joint[dofs.first_dof]];
  const Joint& last = model.joints[model.dof_joint[dofs.first_dof + dofs.num_dofs - 1]];
  const int begin = first.q_address, end = last.q_address + last.nq();
  return std::memcmp(q.data() + begin, looked_q_.data() + begin, (end - begin) * sizeof(double)) == 0;
}

// Of trees, those that are there, and the others.
void EndGaps::FindThere(const Model& model, const VectorXd& q, const TreeSet& trees) {
  is_there_.assign(model.num_trees(), 0);
  is_elsewhere_.assign(model.num_trees(), 0);
  for (int t = 0; t < model.num_trees(); ++t) {
    if (!trees.contains[t]) continue;
    (has_looked_ && IsThere(model, q, t) ? is_there_ : is_elsewhere_)[t] = 1;
  }
}

void EndGaps::CalcStart(const Model& model, const VectorXd& q, const VectorXd& mocap, const TreeSet& trees,
                        const TaskPool& pool, Kinematics& kin) {
  has_looked_ = has_looked_ && looked_mocap_ == mocap;
  if (!has_looked_ && pool.num_threads() == 1) return CalcPositionKinematics(model, trees, q, mocap, kin);
  if (pool.num_threads() == 1) {
    FindThere(model, q, trees);
    if (there_.contains != is_there_) there_.Assign(model, is_there_, false);
    if (elsewhere_.contains != is_elsewhere_) elsewhere_.Assign(model, is_elsewhere_);
    CopyPositions(there_, probe_, kin);
    CalcPositionKinematics(model, elsewhere_, q, mocap, kin);
  } else {
    start_parts_.ForEach(model, trees, pool, [&](const TreeSet& part) {
      bool is_there = has_looked_ && !part.has_fixed;
      for (int t = 0; t < model.num_trees() && is_there; ++t)
        is_there = !part.contains[t] || IsThere(model, q, t);
      if (is_there)
        CopyPositions(part, probe_, kin);
      else
        CalcPositionKinematics(model, part, q, mocap, kin);
    });
  }
  has_looked_ = false;
}

// What of the pair is deeper than it was at the start, on the same side.
void EndGaps::FindDeeper(const Model& model, const StepFrame& frame, int pair_index, Look& look) const {
  const Pair& pair = pairs_[pair_index];
  const DetectedContact& first = frame.contacts[pair.begin];
  const int a = first.tracked.geom_a, b = first.tracked.geom_b;
  CalcManifold(model.geoms[a].shape, probe_.X_WG[a], model.geoms[b].shape, probe_.X_WG[b], 0.0,
               look.manifold);
  for (int k = 0; k < look.manifold.num_points; ++k) {
    const ManifoldPoint& point = look.manifold.points[k];
    double before = 0.0, along = -1.0;
    for (int i = pair.begin; i < pair.end; ++i) {
      const ManifoldPoint& known = frame.contacts[i].tracked.point;
      const double cosine = known.n_W.dot(point.n_W);
      along = std::max(along, cosine);
      if (cosine > kSameSide) before = std::max(before, -known.gap);
    }
    const double added = -point.gap - before;
    if (!(added > first.CalcSlop()) || along < kOtherSide) continue;
    const bool is_bend = added <= kMostOfBend * pair.bend;
    if (is_bend) look.deeper.push_back({pair_index, point, before});
    if (!is_bend || added > kDeepShare * first.thickness) look.deep.push_back({pair_index, point, before});
  }
}

const std::vector<LateContact>& EndGaps::FindUnseen(const StepFrame& frame, const VectorXd& advance) {
  unseen_.clear();
  for (const auto& [pair_index, point, before] : deep_) {
    const Pair& pair = pairs_[pair_index];
    const DetectedContact& first = frame.contacts[pair.begin];
    const int a = first.tracked.geom_a, b = first.tracked.geom_b;
    DetectedContact contact =
        TakeToStart(first, point, {frame.kin.X_WG[a], frame.kin.X_WG[b]}, {probe_.X_WG[a], probe_.X_WG[b]});
    const double gap = contact.tracked.point.gap;
    const double end = gap + CalcNormalVelocity(frame, contact.tracked, advance);
    // Half of what is added, at least, is the velocity's own; the rest is a bend.
    if (gap < -before - first.CalcSlop() || end > -before - 0.5 * (-point.gap - before)) continue;
    contact.bend = end - point.gap;
    unseen_.push_back({contact, pair.end + static_cast<int>(unseen_.size())});
  }
  return unseen_;
}

// Appends to contacts_, R_WC_ and rows_, pair by pair whoever looks at them.
void EndGaps::LookAtPairs(const Model& model, const StepFrame& frame) {
  looked_at_.clear();
  deep_.clear();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (pairs_[i].is_looked_at) looked_at_.push_back(static_cast<int>(i));
  }
  const int count = static_cast<int>(looked_at_.size());
  const int num_looks = frame.pool.CountPieces(count, kLeastPairs);
  while (static_cast<int>(looks_.size()) < num_looks) {
    looks_.emplace_back().deeper.reserve(rows_.capacity());
    looks_.back().deep.reserve(rows_.capacity());
  }
  frame.pool.ForNumberedPieces(count, kLeastPairs, [&](int piece, int begin, int end) {
    looks_[piece].deeper.clear();
    looks_[piece].deep.clear();
    for (int i = begin; i < end; ++i) FindDeeper(model, frame, looked_at_[i], looks_[piece]);
  });
  for (int i = 0; i < num_looks; ++i) {
    deep_.insert(deep_.end(), looks_[i].deep.begin(), looks_[i].deep.end());
    for (const Deeper& deeper : looks_[i].deeper) {
      const DetectedContact& first = frame.contacts[pairs_[deeper.pair].begin];
      DetectedContact& contact = contacts_.emplace_back(first);  // what those of a pair have in common
      contact.tracked.point = deeper.point;
      contact.friction = {};
      R_WC_.push_back(MakeContactFrame(deeper.point.n_W));
      rows_.push_back({.gap = deeper.point.gap,
                       .slop = first.CalcSlop(),
                       .max_push = PositionStage::CalcMaxPush(first),
                       .before = deeper.before});
    }
  }
}

bool EndGaps::AddRows(const Model& model, const Input& input, const StepFrame& frame, const VectorXd& advance,
                      const VectorXd& q, ContactProblem& problem) {
  MovePairs(model, input, frame, q);
  const std::size_t known = rows_.size();
  LookAtPairs(model, frame);
  const StepFrame there{probe_,      frame.tendons, contacts_,     R_WC_,      frame.chains, frame.limits,
                        frame.mocap, frame.sleep,   frame.pattern, frame.pool, frame.dt,     frame.scheme};
  for (std::size_t i = known; i < rows_.size(); ++i) {
    GapRow& row = rows_[i];
    row.constraint = problem.num_constraints();
    AddContactRows(there, static_cast<int>(i), problem);
    FillContactRows(there, static_cast<int>(i), row.constraint, problem);
    row.gap -= problem.MultiplyLastRow(problem.constraints[row.constraint], advance.data());
  }
  return rows_.size() > known;
}

void EndGaps::RemoveRows(ContactProblem& problem) {
  if (rows_.empty()) return;
  const Constraint& c = problem.constraints[first_constraint_];
  const JacobianBlock& block = problem.blocks[c.first_block];
  problem.block_dofs.resize(block.first_dof);
  problem.jacobian.resize(block.first_value);
  problem.e.resize(c.row);
  problem.blocks.resize(c.first_block);
  problem.constraints.resize(first_constraint_);
}

}  // namespace stiction

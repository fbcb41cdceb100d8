#include "sim/rest_stage.h"

#include <algorithm>
#include <bitset>
#include <cmath>

#include "math/assert.h"

namespace stiction {
namespace {

constexpr double kRestSpeed = 1e-8;  // of a row: the budget of a solve [m/s or rad/s]
constexpr double kHoldMargin =
    1e-7;                            // relative distance from the limit of an impulse that counts as sticking
constexpr double kRank = 1e-6;       // a pivot's share of its diagonal entry that counts as rank
constexpr double kTold = 1e-6;       // a row's share of the fastest dof that tells the motion [1 or m]
constexpr double kIdleSpeed = 1e-9;  // of a dof: creep that is none [m/s or rad/s]
constexpr double kIdleShare = 1e-7;  // of the velocity without contacts
constexpr int kMaxDofs = 100;        // larger trees are not looked at: the cost grows with the cube
constexpr int kLeastTrees = 16;      // fewer are not worth handing to another thread

// Whether a contact presses at its friction limit, or without friction: nothing moves along its normal.
bool Presses(const Constraint& c, const double* lambda) {
  return c.type == ConstraintType::kContact && c.compliance_n == 0.0 && c.compliance_t == 0.0 &&
         lambda[2] > 0.0;
}

// Whether the law of a constraint demands that nothing moves along its rows: an impulse within its limits.
bool Sticks(const Constraint& c, const double* lambda) {
  if (c.compliance_n > 0.0 || c.compliance_t > 0.0) return false;
  switch (c.type) {
    case ConstraintType::kContact: {
      const double limit = c.mu * lambda[2] * (1.0 - kHoldMargin);
      return limit > 0.0 && lambda[0] * lambda[0] + lambda[1] * lambda[1] < limit * limit;
    }
    case ConstraintType::kUnilateral:
      return lambda[0] > 0.0;
    case ConstraintType::kBounded: {
      const double margin = kHoldMargin * (c.upper - c.lower);
      return c.lower + margin < lambda[0] && lambda[0] < c.upper - margin;
    }
    case ConstraintType::kBilateral:
      return true;
    default:
      return false;
  }
}

// Whether nothing moves along the rows of a constraint, and nothing has to.
bool IsStill(const ContactProblem& problem, const Constraint& c, const VectorXd& v) {
  double u[3];
  problem.MultiplyRows(c, v.data(), u);
  double moves = 0.0, has_to = 0.0;
  for (int r = 0; r < c.dim(); ++r) {
    moves += u[r] * u[r];
    has_to += problem.e[c.row + r] * problem.e[c.row + r];
  }
  return std::max(moves, has_to) <= kRestSpeed * kRestSpeed;
}

// gram += JᵀJ of one block from row `first` on, the lower triangle of it.
void AddGram(const ContactProblem& problem, const JacobianBlock& block, int first, int dim,
             const Subsystem& dofs, double* gram) {
  const double* J = problem.jacobian.data() + block.first_value;
  const int* index = problem.block_dofs.data() + block.first_dof;
  for (int j = 0; j < block.num_dofs; ++j) {
    double* column = gram + dofs.num_dofs * (index[j] - dofs.first_dof) - dofs.first_dof;
    for (int i = j; i < block.num_dofs; ++i) {
      double sum = 0.0;
      for (int r = first; r < dim; ++r) sum += J[dim * i + r] * J[dim * j + r];
      column[index[i]] += sum;
    }
  }
}

// The same of a body's contact, whose dofs are all six: both triangles, in whole vectors.
void AddBodyGram(const double* J, double* gram) {
  double rows[3][6];
  for (int k = 0; k < 6; ++k) {
    for (int r = 0; r < 3; ++r) rows[r][k] = J[3 * k + r];
  }
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) {
      double sum = gram[6 * j + i];
      for (int r = 0; r < 3; ++r) sum += rows[r][i] * rows[r][j];
      gram[6 * j + i] = sum;
    }
  }
}

}  // namespace

RestStage::RestStage(const Model& model) : support_(model.trees.size()), first_hold_(model.trees.size() + 1) {
  int num_values = 0;
  for (int t = 0; t < model.num_trees(); ++t) {
    const int n = model.trees[t].num_dofs;
    support_[t].first_value = num_values;
    if (n <= kMaxDofs) num_values += n * n;
  }
  gram_.resize(num_values);
  factor_.resize(num_values);
}

const std::vector<int>& RestStage::Find(const StepFrame& frame, StepRows& rows, const Solution& solution) {
  STICTION_ASSERT(rows.sources.size() == rows.problem.constraints.size());
  const ContactProblem& problem = rows.problem;
  held_.clear();
  if (problem.constraints.empty()) return held_;
  GatherHolds(frame, rows, solution);
  if (holds_.empty()) return held_;
  FindCandidates(frame, problem, solution.v);
  for (int wave = 0; !touched_.empty(); ++wave) {
    const std::size_t begin = held_.size();
    HoldBy(wave, frame, problem);
    FindTouched(wave, begin);
  }
  AddIdleIslands(rows, solution);
  return held_;
}

// Whether all that holds the tree, once others are held too, has as many rows as it has dofs, and moves each
// of them: else no rank is full. A robot that lies with its arms in the air is told by this alone.
bool RestStage::MayBeHeld(const ContactProblem& problem, int tree) const {
  const Subsystem& dofs = problem.subsystems[tree];
  if (dofs.num_dofs > kMaxDofs) return false;
  std::bitset<kMaxDofs> moved;
  int num_rows = 0;
  bool is_whole_moved = false;
  for (int h = first_hold_[tree]; h < first_hold_[tree + 1]; ++h) {
    const int constraint = holds_[hold_of_tree_[h]].constraint;
    const Constraint& c = problem.constraints[constraint];
    num_rows += holding_[constraint] == Rows::kNormal ? 1 : c.dim();
    for (int b = c.first_block; b < c.first_block + c.num_blocks && !is_whole_moved; ++b) {
      const JacobianBlock& block = problem.blocks[b];
      if (block.subsystem != tree) continue;
      is_whole_moved = block.num_dofs == dofs.num_dofs;
      const int* index = problem.block_dofs.data() + block.first_dof;
      for (int k = 0; k < block.num_dofs && !is_whole_moved; ++k) moved[index[k] - dofs.first_dof] = true;
    }
  }
  return num_rows >= dofs.num_dofs && (is_whole_moved || static_cast<int>(moved.count()) == dofs.num_dofs);
}

// Rows that hardly move where a dof does have no full rank, whatever the pivots of their products say: a limp
// robot that sways on contacts that stick is told by this, without the products.
bool RestStage::IsMotionTold(const ContactProblem& problem, int tree, const VectorXd& v) const {
  const Subsystem& dofs = problem.subsystems[tree];
  const double least = kTold * v.segment(dofs.first_dof, dofs.num_dofs).lpNorm<Eigen::Infinity>();
  if (least == 0.0) return true;
  for (int h = first_hold_[tree]; h < first_hold_[tree + 1]; ++h) {
    const int constraint = holds_[hold_of_tree_[h]].constraint;
    const Constraint& c = problem.constraints[constraint];
    const int dim = c.dim();
    double u[3] = {0.0, 0.0, 0.0};
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const JacobianBlock& block = problem.blocks[b];
      if (block.subsystem != tree) continue;
      const double* J = problem.jacobian.data() + block.first_value;
      for (int k = 0; k < block.num_dofs; ++k) {
        const double speed = v[problem.block_dofs[block.first_dof + k]];
        for (int r = 0; r < dim; ++r) u[r] += J[dim * k + r] * speed;
      }
    }
    for (int r = holding_[constraint] == Rows::kNormal ? 2 : 0; r < dim; ++r) {
      if (std::abs(u[r]) >= least) return true;
    }
  }
  return false;
}

// The trees that may be held, touched by what stands still.
void RestStage::FindCandidates(const StepFrame& frame, const ContactProblem& problem, const VectorXd& v) {
  const int num_trees = static_cast<int>(support_.size());
  frame.pool.ForPieces(num_trees, kLeastTrees, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      Support& support = support_[t];
      support.num_rows = 0;
      support.may_be_held = MayBeHeld(problem, t) && IsMotionTold(problem, t, v);
      support.is_full = false;
      support.wave = support.touched_in = kNone;
    }
  });
  touched_.clear();
  for (int t = 0; t < num_trees; ++t) {
    if (support_[t].may_be_held) touched_.push_back(t);
  }
}

// Adds what holds the touched trees in a wave, and holds those whose support then has full rank.
void RestStage::HoldBy(int wave, const StepFrame& frame, const ContactProblem& problem) {
  frame.pool.ForPieces(static_cast<int>(touched_.size()), kLeastTrees, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const int t = touched_[i];
      for (int h = first_hold_[t]; h < first_hold_[t + 1]; ++h) {
        const Hold& hold = holds_[hold_of_tree_[h]];
        const int other = hold.tree == t ? hold.other : hold.tree;
        if ((other < 0 ? 0 : support_[other].wave) == wave) AddHold(problem, hold.constraint, t);
      }
      support_[t].is_full = IsFull(problem.subsystems[t], t);
    }
  });
  for (const int t : touched_) {
    if (!support_[t].is_full) continue;
    support_[t].wave = wave + 1;
    held_.push_back(t);
  }
}

// The trees that may be held, by those that were held last: held_ from `begin` on.
void RestStage::FindTouched(int wave, std::size_t begin) {
  touched_.clear();
  for (std::size_t i = begin; i < held_.size(); ++i) {
    const int t = held_[i];
    for (int h = first_hold_[t]; h < first_hold_[t + 1]; ++h) {
      const Hold& hold = holds_[hold_of_tree_[h]];
      const int other = hold.tree == t ? hold.other : hold.tree;
      if (other < 0) continue;
      Support& support = support_[other];
      if (!support.may_be_held || support.is_full || support.touched_in == wave) continue;
      support.touched_in = wave;
      touched_.push_back(other);
    }
  }
}

// Whether the forces that would move the trees of an island are balanced, down to what counts as no motion.
// What is held one by one ends at rest whatever a solve makes of it.
bool RestStage::IsIdle(const StepRows& rows, const Solution& solution, std::span<const int> trees) const {
  double speed = 0.0, free_speed = 0.0;
  bool stands = false;  // on what stands still
  for (const int t : trees) {
    const Subsystem& dofs = rows.problem.subsystems[t];
    if (dofs.num_dofs == 0) continue;
    const auto speed_in = [&](const auto& v) {
      return v.segment(dofs.first_dof, dofs.num_dofs).template lpNorm<Eigen::Infinity>();
    };
    free_speed = std::max(free_speed, speed_in(rows.problem.v_star));
    stands = stands || support_[t].is_full;
    if (support_[t].is_full) continue;
    speed = std::max(speed, speed_in(solution.v));
    if (speed > kIdleSpeed) return false;
    for (int h = first_hold_[t]; h < first_hold_[t + 1]; ++h)
      stands = stands || holds_[hold_of_tree_[h]].other < 0;
  }
  return stands && 0.0 < speed && speed <= kIdleShare * free_speed;
}

void RestStage::AddIdleIslands(StepRows& rows, const Solution& solution) {
  // What every idle island has one of, whatever the others do: each island is a matter of its own.
  const auto is_slow = [&](int t) {
    const Subsystem& dofs = rows.problem.subsystems[t];
    if (support_[t].is_full || dofs.num_dofs == 0) return false;
    const double speed = solution.v.segment(dofs.first_dof, dofs.num_dofs).lpNorm<Eigen::Infinity>();
    return 0.0 < speed && speed <= kIdleSpeed;
  };
  const int num_trees = static_cast<int>(support_.size());
  bool any = false;
  for (int t = 0; t < num_trees && !any; ++t) any = is_slow(t);
  if (!any) return;
  const auto is_kept = [&](int i) {
    const Constraint& c = rows.problem.constraints[i];
    const double* lambda = solution.lambda.data() + c.row;
    return std::equal(lambda, lambda + c.dim(), rows.taken_over().data() + c.row);
  };
  const IslandPartition& islands = rows.Islands();
  for (int island = 0; island < islands.num_islands; ++island) {
    const std::span<const int> constraints = islands.constraints_of(island);
    const std::span<const int> trees = islands.subsystems_of(island);
    if (!IsIdle(rows, solution, trees)) continue;
    if (!std::all_of(constraints.begin(), constraints.end(), is_kept)) continue;
    for (const int t : trees) {
      if (!support_[t].is_full) held_.push_back(t);
    }
  }
}

// The constraints that hold.
void RestStage::FindHolding(const StepFrame& frame, const StepRows& rows, const Solution& solution) {
  const ContactProblem& problem = rows.problem;
  holding_.resize(problem.constraints.size());
  frame.pool.ForPieces(problem.num_constraints(), kLeastContacts, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Constraint& c = problem.constraints[i];
      const double* lambda = solution.lambda.data() + c.row;
      const Rows rows_held = Sticks(c, lambda)    ? Rows::kAll
                             : Presses(c, lambda) ? Rows::kNormal
                                                  : Rows::kNone;
      const bool holds = c.num_blocks > 0 && rows_held != Rows::kNone && IsStill(problem, c, solution.v);
      holding_[i] = holds ? rows_held : Rows::kNone;
    }
  });
}

void RestStage::GatherHolds(const StepFrame& frame, const StepRows& rows, const Solution& solution) {
  const ContactProblem& problem = rows.problem;
  FindHolding(frame, rows, solution);
  holds_.clear();
  std::fill(first_hold_.begin(), first_hold_.end(), 0);
  for (int i = 0; i < problem.num_constraints(); ++i) {
    const Constraint& c = problem.constraints[i];
    if (holding_[i] == Rows::kNone) continue;
    if (rows.sources[i].contact >= 0 && frame.mocap.is_moving()) {
      const MocapStep carried = CalcMocapStep(frame, frame.contacts[rows.sources[i].contact]);
      if (!carried.displacement.isZero(0.0) || !carried.turn.isZero(0.0)) continue;
    }
    const JacobianBlock* blocks = problem.blocks.data() + c.first_block;
    // Rows of more than two trees, as of a tendon, hold none by what one of the others does.
    if (c.num_blocks > 2) continue;
    holds_.push_back({i, blocks[0].subsystem, c.num_blocks == 2 ? blocks[1].subsystem : -1});
    for (int b = 0; b < c.num_blocks; ++b) ++first_hold_[blocks[b].subsystem + 1];
  }
  for (std::size_t t = 1; t < first_hold_.size(); ++t) first_hold_[t] += first_hold_[t - 1];
  hold_of_tree_.resize(first_hold_.back());
  for (int h = 0; h < static_cast<int>(holds_.size()); ++h) {
    hold_of_tree_[first_hold_[holds_[h].tree]++] = h;
    if (holds_[h].other >= 0) hold_of_tree_[first_hold_[holds_[h].other]++] = h;
  }
  // Each begin has moved on to the end, which is where the next one began.
  std::copy_backward(first_hold_.begin(), first_hold_.end() - 1, first_hold_.end());
  first_hold_[0] = 0;
}

void RestStage::AddHold(const ContactProblem& problem, int constraint, int tree) {
  const int n = problem.subsystems[tree].num_dofs;
  Support& support = support_[tree];
  double* gram = gram_.data() + support.first_value;
  if (support.num_rows == 0) std::fill(gram, gram + n * n, 0.0);
  const Constraint& c = problem.constraints[constraint];
  const int dim = c.dim(), first = holding_[constraint] == Rows::kNormal ? 2 : 0;
  support.num_rows += dim - first;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    if (block.subsystem != tree) continue;
    if (dim == 3 && first == 0 && n == 6 && block.num_dofs == 6) {
      AddBodyGram(problem.jacobian.data() + block.first_value, gram);
    } else {
      AddGram(problem, block, first, dim, problem.subsystems[tree], gram);
    }
  }
}

// Whether the tree's support has full rank.
bool RestStage::IsFull(const Subsystem& dofs, int tree) {
  const Support& support = support_[tree];
  const int n = dofs.num_dofs;
  if (support.num_rows < n || support.num_rows == 0) return false;
  const double* gram = gram_.data() + support.first_value;
  double* factor = factor_.data() + support.first_value;
  std::copy_n(gram, n * n, factor);
  for (int k = 0; k < n; ++k) {
    const double pivot = factor[n * k + k];
    if (!(pivot > kRank * gram[n * k + k])) return false;
    for (int j = k + 1; j < n; ++j) {
      const double l = factor[n * k + j] / pivot;
      if (l == 0.0) continue;
      for (int i = j; i < n; ++i) factor[n * j + i] -= l * factor[n * k + i];
    }
  }
  return true;
}

}  // namespace stiction

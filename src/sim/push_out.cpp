#include "sim/push_out.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/assert.h"

namespace stiction {
namespace {

constexpr int kMostAdded = 24;  // rows added until all are met

// Of the part of W_ii that the active rows do not have already, which below that is rounding.
constexpr double kDependent = 1e-10;

// x += Jᵀ of the last row of c.
void AddLastRow(const ContactProblem& problem, const Constraint& c, VectorXd& x) {
  const int dim = c.dim();
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const int* dofs = problem.block_dofs.data() + block.first_dof;
    const double* value = problem.jacobian.data() + block.first_value + dim - 1;
    for (int k = 0; k < block.num_dofs; ++k) x[dofs[k]] += value[dim * k];
  }
}

// The row that is met worst, and by how much.
struct Violation {
  int row = -1;
  double amount = -std::numeric_limits<double>::infinity();  // r − J δ [m or rad]
};

Violation FindWorst(const ContactProblem& problem, std::span<const PushOut::Row> rows,
                    const VectorXd& delta) {
  Violation worst;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double amount =
        rows[i].push - problem.MultiplyLastRow(problem.constraints[rows[i].constraint], delta.data());
    if (amount > worst.amount) worst = {static_cast<int>(i), amount};
  }
  return worst;
}

}  // namespace

bool PushOut::Run(const ContactProblem& problem, const BranchSparseFactor& factor, std::span<const Row> rows,
                  double tolerance, VectorXd& displacement, double& residual) {
  STICTION_ASSERT(displacement.size() == problem.nv() && factor.size() == problem.nv());
  active_.clear();
  values_.clear();
  subsystems_.clear();
  for (int added = 0; added <= kMostAdded; ++added) {
    const Violation worst = FindWorst(problem, rows, displacement);
    if (worst.amount <= tolerance) {
      residual = std::max(residual, worst.amount);
      return true;
    }
    if (!std::isfinite(worst.amount)) break;
    const Constraint& c = problem.constraints[rows[worst.row].constraint];
    if (!Activate(problem, MakeColumn(problem, factor, c), worst.amount)) break;
    Displace(problem, factor, displacement);
  }
  Clear(problem, displacement);
  return false;
}

PushOut::Column PushOut::MakeColumn(const ContactProblem& problem, const BranchSparseFactor& factor,
                                    const Constraint& c) {
  if (scratch_.size() != problem.nv()) scratch_.setZero(problem.nv());
  const Column column{&c, static_cast<int>(values_.size())};
  AddLastRow(problem, c, scratch_);
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const int index = problem.blocks[b].subsystem;
    const Subsystem& subsystem = problem.subsystems[index];
    const int begin = subsystem.first_dof, end = begin + subsystem.num_dofs;
    factor.SolveTransposed(scratch_.data(), begin, end);
    values_.insert(values_.end(), scratch_.data() + begin, scratch_.data() + end);
    scratch_.segment(begin, end - begin).setZero();
    if (std::find(subsystems_.begin(), subsystems_.end(), index) == subsystems_.end())
      subsystems_.push_back(index);
  }
  return column;
}

// J_a A⁻¹ J_bᵀ.
double PushOut::CalcW(const ContactProblem& problem, const Column& a, const Column& b) const {
  double sum = 0.0;
  const double* y_a = values_.data() + a.first_value;
  for (int i = 0; i < a.constraint->num_blocks; ++i) {
    const int subsystem = problem.blocks[a.constraint->first_block + i].subsystem;
    const int n = problem.subsystems[subsystem].num_dofs;
    const double* y_b = values_.data() + b.first_value;
    for (int k = 0; k < b.constraint->num_blocks; ++k) {
      const int other = problem.blocks[b.constraint->first_block + k].subsystem;
      if (other == subsystem)
        sum += Eigen::Map<const VectorXd>(y_a, n).dot(Eigen::Map<const VectorXd>(y_b, n));
      y_b += problem.subsystems[other].num_dofs;
    }
    y_a += n;
  }
  return sum;
}

// The row of the column becomes met, and those that push stay so; what would have to pull ceases to push
// [Goldfarb 1983]. False if no push does that, or too many rows push.
bool PushOut::Activate(const ContactProblem& problem, Column column, double violation) {
  const double own = CalcW(problem, column, column);
  SmallVector w(active_.size());
  for (Eigen::Index i = 0; i < w.size(); ++i) w[i] = CalcW(problem, active_[i], column);
  while (true) {
    const auto n = w.size();
    // For a unit of the new multiplier: what the others change by, and what the row gains.
    const SmallMatrix W = W_.topLeftCorner(n, n);
    const SmallVector change = -W.selfadjointView<Eigen::Lower>().llt().solve(w);
    const double gain = own + w.dot(change);
    double step = gain > kDependent * own ? violation / gain : std::numeric_limits<double>::infinity();
    int leaving = -1;
    for (int i = 0; i < n; ++i) {
      if (!(change[i] < 0.0) || !(-active_[i].lambda / change[i] < step)) continue;
      step = -active_[i].lambda / change[i];
      leaving = i;
    }
    if (!std::isfinite(step)) return false;
    column.lambda += step;
    violation -= step * gain;
    for (int i = 0; i < n; ++i) active_[i].lambda += step * change[i];
    if (leaving < 0) break;
    Deactivate(leaving);
    std::copy(w.begin() + leaving + 1, w.end(), w.begin() + leaving);
    w.conservativeResize(n - 1);
  }
  const auto n = w.size();
  W_.row(n).head(n) = w.transpose();
  W_(n, n) = own;
  active_.push_back(column);
  return static_cast<int>(active_.size()) <= kMostActive;
}

// The rows and columns of W_ behind it move up.
void PushOut::Deactivate(int index) {
  const int n = static_cast<int>(active_.size());
  for (int i = index; i + 1 < n; ++i) {
    for (int j = 0; j <= i; ++j) W_(i, j) = W_(i + 1, j < index ? j : j + 1);
  }
  active_.erase(active_.begin() + index);
}

// δ = L⁻¹ Σ λ L⁻ᵀ Jᵀ.
void PushOut::Displace(const ContactProblem& problem, const BranchSparseFactor& factor,
                       VectorXd& displacement) const {
  Clear(problem, displacement);
  for (const Column& column : active_) {
    const double* y = values_.data() + column.first_value;
    for (int i = 0; i < column.constraint->num_blocks; ++i) {
      const Subsystem& s = problem.subsystems[problem.blocks[column.constraint->first_block + i].subsystem];
      displacement.segment(s.first_dof, s.num_dofs) +=
          column.lambda * Eigen::Map<const VectorXd>(y, s.num_dofs);
      y += s.num_dofs;
    }
  }
  for (const int index : subsystems_) {
    const Subsystem& s = problem.subsystems[index];
    factor.SolveLower(displacement.data(), s.first_dof, s.first_dof + s.num_dofs);
  }
}

void PushOut::Clear(const ContactProblem& problem, VectorXd& displacement) const {
  for (const int index : subsystems_) {
    const Subsystem& s = problem.subsystems[index];
    displacement.segment(s.first_dof, s.num_dofs).setZero();
  }
}

}  // namespace stiction

#include "contact/sparse_hessian.h"

#include <algorithm>

#include "contact/sparse_problem.h"
#include "math/assert.h"

namespace stiction {

void SparseHessian::Assign(const Island& island) {
  STICTION_ASSERT(island.sparse != nullptr);
  island_ = &island;
  has_pattern_ = is_analyzed_ = false;
}

void SparseHessian::ListDofs(const ContactProblem& problem, const Constraint& c,
                             std::vector<int>& dofs) const {
  dofs.clear();
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    for (int k = 0; k < block.num_dofs; ++k)
      dofs.push_back(problem.block_dofs[block.first_dof + k] + shift_[block.subsystem]);
  }
}

void SparseHessian::MakePattern(const Island& island) {
  const ContactProblem& problem = island.sparse->original();
  const CompressedMatrix& A = problem.A_sparse;
  shift_.assign(problem.subsystems.size(), 0);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const Subsystem& from = problem.subsystems[island.node_source[n]];
    const int shift = shift_[island.node_source[n]] = island.nodes[n].first_dof - from.first_dof;
    for (int row = from.first_dof; row < from.first_dof + from.num_dofs; ++row) {
      for (int i = A.row_begin[row]; i < A.row_begin[row + 1]; ++i)
        entries.emplace_back(row + shift, A.columns[i] + shift, 0.0);
    }
  }
  const std::size_t num_dynamics = entries.size();
  std::vector<int> dofs;
  first_slot_.assign(1, 0);
  for (const IslandConstraint& c : island.constraints) {
    ListDofs(problem, problem.constraints[c.source], dofs);
    for (const int column : dofs)
      for (const int row : dofs) entries.emplace_back(row, column, 0.0);
    first_slot_.push_back(static_cast<int>(entries.size() - num_dynamics));
  }
  matrix_.resize(island.num_dofs(), island.num_dofs());
  matrix_.setFromTriplets(entries.begin(), entries.end());
  slot_.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const int* begin = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[entries[i].col()];
    const int* end = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[entries[i].col() + 1];
    slot_[i] = static_cast<int>(std::lower_bound(begin, end, entries[i].row()) - matrix_.innerIndexPtr());
  }
  dynamics_slot_.assign(slot_.begin(), slot_.begin() + static_cast<std::ptrdiff_t>(num_dynamics));
  slot_.erase(slot_.begin(), slot_.begin() + static_cast<std::ptrdiff_t>(num_dynamics));
  has_pattern_ = true;
}

void SparseHessian::AddDynamics(const Island& island) {
  const ContactProblem& problem = island.sparse->original();
  const CompressedMatrix& A = problem.A_sparse;
  std::size_t at = 0;
  for (const int s : island.node_source) {
    const Subsystem& from = problem.subsystems[s];
    for (int i = A.row_begin[from.first_dof]; i < A.row_begin[from.first_dof + from.num_dofs]; ++i)
      matrix_.valuePtr()[dynamics_slot_[at++]] = A.values[i];
  }
}

// K += J_cᵀ S J_c. A constraint's values are consecutive, block after block.
void SparseHessian::AddConstraint(const ContactProblem& problem, int index, const double* S,
                                  const int* slot) {
  const Constraint& c = problem.constraints[index];
  const int dim = c.dim();
  const double* J = problem.jacobian.data() + problem.blocks[c.first_block].first_value;
  int count = 0;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) count += problem.blocks[b].num_dofs;
  for (int column = 0; column < count; ++column) {
    double weighted[3] = {};
    for (int r = 0; r < dim; ++r)
      for (int q = 0; q < dim; ++q) weighted[r] += S[3 * r + q] * J[dim * column + q];
    for (int row = 0; row < count; ++row) {
      double sum = 0.0;
      for (int r = 0; r < dim; ++r) sum += J[dim * row + r] * weighted[r];
      matrix_.valuePtr()[*slot++] += sum;
    }
  }
}

bool SparseHessian::Factor(const Island& island, const std::vector<double>& weights,
                           const std::vector<char>& is_active, bool is_symmetric) {
  STICTION_ASSERT(island_ == &island);
  if (!has_pattern_) MakePattern(island);
  std::fill_n(matrix_.valuePtr(), matrix_.nonZeros(), 0.0);
  AddDynamics(island);
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (!is_active[i]) continue;
    AddConstraint(island.sparse->original(), island.constraints[i].source,
                  weights.data() + 9 * static_cast<std::size_t>(i), slot_.data() + first_slot_[i]);
  }
  const bool has_order = is_analyzed_ && is_symmetric == is_symmetric_;
  is_symmetric_ = is_symmetric;
  is_analyzed_ = true;
  if (is_symmetric) {
    if (!has_order) cholesky_.analyzePattern(matrix_);
    cholesky_.factorize(matrix_);
    if (cholesky_.info() != Eigen::Success) return false;
    triangle_.Assign(cholesky_.matrixL().nestedExpression());
    return true;
  }
  if (!has_order) lu_.analyzePattern(matrix_);
  lu_.factorize(matrix_);
  return lu_.info() == Eigen::Success;
}

void SparseHessian::SolveRight() {
  if (is_symmetric_) {
    const Matrix& L = cholesky_.matrixL().nestedExpression();
    const int n = static_cast<int>(right_.size());
    permuted_ = cholesky_.permutationP() * right_;
    triangle_.SolveLower(L, permuted_.data(), 0, n);
    triangle_.SolveTransposed(L, permuted_.data(), 0, n);
    solution_ = cholesky_.permutationPinv() * permuted_;
  } else {
    solution_ = lu_.solve(right_);
  }
}

void SparseHessian::SolveRows(const double* lambda, double* y) {
  const Island& island = *island_;
  const ContactProblem& problem = island.sparse->original();
  dofs_.setZero(problem.nv());
  for (const IslandConstraint& c : island.constraints)
    problem.AddRowsTransposed(problem.constraints[c.source], lambda + c.row, dofs_.data());
  right_.resize(island.num_dofs());
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const Subsystem &to = island.nodes[n], &from = problem.subsystems[island.node_source[n]];
    right_.segment(to.first_dof, to.num_dofs) = dofs_.segment(from.first_dof, from.num_dofs);
  }
  SolveRight();
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const Subsystem &to = island.nodes[n], &from = problem.subsystems[island.node_source[n]];
    dofs_.segment(from.first_dof, from.num_dofs) = solution_.segment(to.first_dof, to.num_dofs);
  }
  for (const IslandConstraint& c : island.constraints)
    problem.MultiplyRows(problem.constraints[c.source], dofs_.data(), y + c.row);
}

void SparseHessian::Solve(double* x) {
  const Island& island = *island_;
  const SparseFactor& L = island.sparse->factor();
  const ContactProblem& problem = island.sparse->original();
  places_.resize(L.size());
  dofs_.resize(L.size());
  right_.resize(island.num_dofs());
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const Subsystem &to = island.nodes[n], &from = problem.subsystems[island.node_source[n]];
    std::copy_n(x + to.first_dof, to.num_dofs, places_.data() + from.first_dof);
    L.MultiplyTransposed(places_.data(), dofs_.data(), from.first_dof, from.first_dof + from.num_dofs);
    right_.segment(to.first_dof, to.num_dofs) = dofs_.segment(from.first_dof, from.num_dofs);
  }
  SolveRight();
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const Subsystem &to = island.nodes[n], &from = problem.subsystems[island.node_source[n]];
    dofs_.segment(from.first_dof, from.num_dofs) = solution_.segment(to.first_dof, to.num_dofs);
    L.MultiplyLower(dofs_.data(), places_.data(), from.first_dof, from.first_dof + from.num_dofs);
    std::copy_n(places_.data() + from.first_dof, to.num_dofs, x + to.first_dof);
  }
}

}  // namespace stiction

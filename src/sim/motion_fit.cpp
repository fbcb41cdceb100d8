#include "sim/motion_fit.h"

#include <algorithm>
#include <cmath>

#include "math/assert.h"

namespace stiction {
namespace {

constexpr double kRoundingShare = 1e-24;  // of the squared size of the values: 1e-12 of it
constexpr double kDependentShare = 1e-6;  // of a squared length: what is left of a row that depends on others

double DotOf(const double* a, const double* b, int n) {
  return Eigen::Map<const VectorXd>(a, n).dot(Eigen::Map<const VectorXd>(b, n));
}

// y −= s x.
void Subtract(double s, const double* x, int n, double* y) {
  Eigen::Map<VectorXd>(y, n) -= s * Eigen::Map<const VectorXd>(x, n);
}

// Whether two constraints move with the same dofs: those of the same bodies.
bool HaveSameDofs(const ContactProblem& problem, const Constraint& a, const Constraint& b) {
  if (a.num_blocks != b.num_blocks) return false;
  for (int k = 0; k < a.num_blocks; ++k) {
    const JacobianBlock &block_a = problem.blocks[a.first_block + k],
                        &block_b = problem.blocks[b.first_block + k];
    const int* dofs_a = problem.block_dofs.data() + block_a.first_dof;
    const int* dofs_b = problem.block_dofs.data() + block_b.first_dof;
    if (block_a.num_dofs != block_b.num_dofs || !std::equal(dofs_a, dofs_a + block_a.num_dofs, dofs_b))
      return false;
  }
  return true;
}

}  // namespace

// Whether rows may depend on one another: two points between the same bodies do, and more rows than dofs.
// Others are taken to be independent: a robot on its feet need not be looked at.
bool MotionFit::MayDiffer(const ContactProblem& problem, std::span<const HeldRow> held,
                          std::span<const Wanted> wanted) {
  num_rows_of_.resize(problem.subsystems.size(), 0);
  bool is_full = false;
  const auto count = [&](const Constraint& c, int rows) {
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const int s = problem.blocks[b].subsystem;
      is_full = is_full || (num_rows_of_[s] += rows) > problem.subsystems[s].num_dofs;
    }
  };
  const auto forget = [&](const Constraint& c) {
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b)
      num_rows_of_[problem.blocks[b].subsystem] = 0;
  };
  const auto constraint_of = [&](const auto& row) -> const Constraint& {
    return problem.constraints[row.constraint];
  };
  for (const HeldRow& row : held) count(constraint_of(row), 1);
  for (std::size_t i = 0; i < wanted.size() && !is_full; ++i) {
    is_full = i > 0 && wanted[i - 1].constraint != wanted[i].constraint &&
              HaveSameDofs(problem, constraint_of(wanted[i - 1]), constraint_of(wanted[i]));
    count(constraint_of(wanted[i]), 1);
  }
  for (const HeldRow& row : held) forget(constraint_of(row));
  for (const Wanted& row : wanted) forget(constraint_of(row));
  return is_full;
}

// Gives the dofs that a constraint touches their places.
void MotionFit::PlaceDofs(const ContactProblem& problem, int constraint) {
  const Constraint& c = problem.constraints[constraint];
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    for (int k = block.first_dof; k < block.first_dof + block.num_dofs; ++k) {
      const int dof = problem.block_dofs[k];
      if (place_[dof] >= 0) continue;
      place_[dof] = static_cast<int>(dofs_.size());
      dofs_.push_back(dof);
      scale_.push_back(1.0 / std::sqrt(problem.DiagonalA(dof)));
    }
  }
}

void MotionFit::AddRow(const ContactProblem& problem, int constraint, int row, double scale) {
  double* to = rows_.data() + dofs_.size() * num_rows_++;
  const Constraint& c = problem.constraints[constraint];
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const int* dofs = problem.block_dofs.data() + block.first_dof;
    const double* value = problem.jacobian.data() + block.first_value + row;
    for (int k = 0; k < block.num_dofs; ++k) {
      const int place = place_[dofs[k]];
      to[place] += scale * scale_[place] * value[k * c.dim()];
    }
  }
}

void MotionFit::Resolve(int row) {
  const int size = static_cast<int>(basis_.size()), num_dofs = static_cast<int>(dofs_.size());
  double* along = factor_of(row);
  for (int k = num_resolved_[row]; k < size; ++k) {
    const double* other = factor_of(basis_[k]);
    along[k] = (DotOf(row_of(row), row_of(basis_[k]), num_dofs) - DotOf(along, other, k)) / other[k];
  }
  num_resolved_[row] = size;
}

bool MotionFit::Extend(int row) {
  const int size = static_cast<int>(basis_.size()), num_dofs = static_cast<int>(dofs_.size());
  double* along = factor_of(row);
  const double length = DotOf(row_of(row), row_of(row), num_dofs), left = length - DotOf(along, along, size);
  if (!(left > kDependentShare * length)) return false;
  along[size] = std::sqrt(left);
  basis_.push_back(row);
  return true;
}

// The motions that the held rows allow the known ones, and what they move along all of them.
void MotionFit::FindMotions(int num_held_rows, int num_known) {
  for (int row = 0; row < num_rows_; ++row) {
    Resolve(row);
    if (row < num_held_rows + num_known) Extend(row);
  }
  // Those that were found later: rows that the basis is made of have nothing along these.
  for (int row = num_held_rows; row < num_held_rows + num_known; ++row) {
    const int size = num_resolved_[row];
    if (size < static_cast<int>(basis_.size()) && basis_[size] != row) Resolve(row);
  }
}

// fitted_ becomes what of open_ the motions have, by the known rows alone, which come first.
void MotionFit::Fit(int first_row, int num_known, int first_vector) {
  const int num_rows = num_rows_ - first_row;
  const int num_motions = static_cast<int>(basis_.size()) - first_vector;
  fitted_.assign(num_rows, 0.0);
  columns_.resize(static_cast<std::size_t>(num_rows) * num_motions);
  for (int i = 0; i < num_rows; ++i) {
    const double* moved = factor_of(first_row + i) + first_vector;
    for (int k = 0; k < num_motions; ++k) columns_[num_rows * k + i] = moved[k];
  }
  for (int k = 0; k < num_motions; ++k) {
    double* q = &columns_[num_rows * k];
    Eigen::Map<VectorXd>(q, num_rows) /= std::sqrt(DotOf(q, q, num_known));
    const double share = DotOf(q, open_.data(), num_known);
    Subtract(share, q, num_known, open_.data());
    Subtract(-share, q, num_rows, fitted_.data());
    for (int j = k + 1; j < num_motions; ++j) {
      double* other = &columns_[num_rows * j];
      Subtract(DotOf(q, other, num_known), q, num_rows, other);
    }
  }
}

bool MotionFit::Run(const ContactProblem& problem, std::span<const HeldRow> held, std::span<Wanted> wanted,
                    int num_known, int most_dofs) {
  STICTION_ASSERT(0 < num_known && num_known <= static_cast<int>(wanted.size()));
  is_too_large_ = false;
  if (!MayDiffer(problem, held, wanted)) return false;
  if (place_.size() != static_cast<std::size_t>(problem.nv())) place_.assign(problem.nv(), -1);
  dofs_.clear();
  scale_.clear();
  const auto place = [&](const auto& row) {
    PlaceDofs(problem, row.constraint);
    is_too_large_ = static_cast<int>(dofs_.size()) > most_dofs;
    return !is_too_large_;
  };
  const bool differs = std::all_of(held.begin(), held.end(), place) &&
                       std::all_of(wanted.begin(), wanted.end(), place) &&
                       FitAll(problem, held, wanted, num_known);
  for (const int dof : dofs_) place_[dof] = -1;
  return differs;
}

bool MotionFit::FitAll(const ContactProblem& problem, std::span<const HeldRow> held, std::span<Wanted> wanted,
                       int num_known) {
  const int num_held = static_cast<int>(held.size()), num_rows = static_cast<int>(wanted.size());
  const std::size_t num_dofs = dofs_.size();
  num_rows_ = 0;
  rows_.assign(num_dofs * (num_held + num_rows), 0.0);
  for (const HeldRow& row : held) AddRow(problem, row.constraint, row.row, 1.0);
  for (const Wanted& row : wanted) AddRow(problem, row.constraint, row.row, row.scale);
  basis_.clear();
  num_resolved_.assign(num_rows_, 0);
  stride_ = std::min(static_cast<int>(num_dofs), num_held + num_known);
  factor_.assign(static_cast<std::size_t>(stride_) * num_rows_, 0.0);
  FindMotions(num_held, num_known);
  const int num_vectors = static_cast<int>(basis_.size());
  const int first_vector =
      static_cast<int>(std::lower_bound(basis_.begin(), basis_.end(), num_held) - basis_.begin());
  // Rows that are independent of one another have any values.
  if (num_vectors - first_vector == num_rows) return false;
  open_.resize(num_known);
  for (int i = 0; i < num_known; ++i) open_[i] = wanted[i].value;
  const double size = DotOf(open_.data(), open_.data(), num_known);
  Fit(num_held, num_known, first_vector);
  // What is left open by rounding alone is no difference.
  const bool has_them = DotOf(open_.data(), open_.data(), num_known) <= kRoundingShare * size;
  const int num_kept = has_them ? num_known : 0;
  for (int i = num_kept; i < num_rows; ++i) wanted[i].value = fitted_[i];
  return num_kept < num_rows;
}

}  // namespace stiction

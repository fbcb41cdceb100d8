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

void MotionFit::FillRow(const ContactProblem& problem, int constraint, int row, double scale) {
  row_.clear();
  const Constraint& c = problem.constraints[constraint];
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const int* dofs = problem.block_dofs.data() + block.first_dof;
    const double* value = problem.jacobian.data() + block.first_value + row;
    for (int k = 0; k < block.num_dofs; ++k) {
      const int place = place_[dofs[k]];
      row_.push_back({place, scale * scale_[place] * value[k * c.dim()]});
    }
  }
}

// along_ becomes the components of row_ along the vectors of the basis.
void MotionFit::Resolve() {
  for (int group = 0; kGroup * group < size_; ++group) {
    Group sum = Group::Zero();
    for (const Entry& entry : row_) sum += entry.value * entries_of(entry.dof, group);
    along(group) = sum;
  }
}

// Adds row_ to the basis if it does not depend on what is there: by what its components along that leave of
// its length. Where that is less than half of it, it is made orthogonal twice.
bool MotionFit::Extend() {
  double length = 0.0;
  for (const Entry& entry : row_) length += entry.value * entry.value;
  const double left = length - DotOf(along_.data(), along_.data(), size_);
  if (!(left > kDependentShare * length)) return false;
  left_.assign(num_dofs_, 0.0);
  for (const Entry& entry : row_) left_[entry.dof] = entry.value;
  RemoveAlong();
  if (left < 0.5 * length) {
    for (int group = 0; kGroup * group < size_; ++group) {
      Group sum = Group::Zero();
      for (int k = 0; k < num_dofs_; ++k) sum += left_[k] * entries_of(k, group);
      along(group) = sum;
    }
    RemoveAlong();
  }
  const double scale = 1.0 / std::sqrt(DotOf(left_.data(), left_.data(), num_dofs_));
  for (int k = 0; k < num_dofs_; ++k) basis_[stride_ * k + size_] = scale * left_[k];
  ++size_;
  return true;
}

// left_ loses its components along_.
void MotionFit::RemoveAlong() {
  const int num_groups = (size_ + kGroup - 1) / kGroup;
  for (int k = 0; k < num_dofs_; ++k) {
    Group products = Group::Zero();
    for (int group = 0; group < num_groups; ++group)
      products += entries_of(k, group).cwiseProduct(along(group));
    left_[k] -= products.sum();
  }
}

// The motions that the held rows, the basis so far, allow the known rows, and what they move along all of
// them.
int MotionFit::FindMotions(const ContactProblem& problem, std::span<const Wanted> wanted, int num_known) {
  const int num_rows = static_cast<int>(wanted.size()), num_held = size_;
  moved_.resize(num_rows * stride_);
  const auto resolve = [&](int i) {
    FillRow(problem, wanted[i].constraint, wanted[i].row, wanted[i].scale);
    Resolve();
    std::copy_n(along_.data() + num_held, size_ - num_held, moved_.data() + stride_ * i);
  };
  int last = -1;  // row that a motion was found by: those up to it do not know of all motions
  for (int i = 0; i < num_rows; ++i) {
    resolve(i);
    if (i < num_known && Extend()) last = i;
  }
  for (int i = 0; i <= last; ++i) resolve(i);
  return size_ - num_held;
}

// fitted_ becomes what of open_ the motions have, by the known rows alone, which come first.
void MotionFit::Fit(int num_rows, int num_known_rows, int num_motions) {
  fitted_.assign(num_rows, 0.0);
  columns_.resize(num_rows * num_motions);
  for (int k = 0; k < num_motions; ++k) {
    for (int i = 0; i < num_rows; ++i) columns_[num_rows * k + i] = moved_[stride_ * i + k];
  }
  for (int k = 0; k < num_motions; ++k) {
    double* q = &columns_[num_rows * k];
    Eigen::Map<VectorXd>(q, num_rows) /= std::sqrt(DotOf(q, q, num_known_rows));
    const double share = DotOf(q, open_.data(), num_known_rows);
    Subtract(share, q, num_known_rows, open_.data());
    Subtract(-share, q, num_rows, fitted_.data());
    for (int j = k + 1; j < num_motions; ++j) {
      double* other = &columns_[num_rows * j];
      Subtract(DotOf(q, other, num_known_rows), q, num_rows, other);
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
  num_dofs_ = static_cast<int>(dofs_.size());
  stride_ = (num_dofs_ + kGroup - 1) / kGroup * kGroup;
  basis_.assign(stride_ * num_dofs_, 0.0);
  along_.assign(stride_, 0.0);
  size_ = 0;
  for (const HeldRow& row : held) {
    FillRow(problem, row.constraint, row.row, 1.0);
    Resolve();
    Extend();
  }
  const int num_rows = static_cast<int>(wanted.size());
  const int num_motions = FindMotions(problem, wanted, num_known);
  if (num_motions == num_rows) return false;  // rows that are independent of one another have any values
  open_.resize(num_known);
  for (int i = 0; i < num_known; ++i) open_[i] = wanted[i].value;
  const double size = DotOf(open_.data(), open_.data(), num_known);
  Fit(num_rows, num_known, num_motions);
  // What is left open by rounding alone is no difference.
  const bool has_them = DotOf(open_.data(), open_.data(), num_known) <= kRoundingShare * size;
  const int num_kept = has_them ? num_known : 0;
  for (int i = num_kept; i < num_rows; ++i) wanted[i].value = fitted_[i];
  return num_kept < num_rows;
}

}  // namespace stiction

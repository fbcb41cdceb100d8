#include "contact/condensed_group.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "contact/local_contact.h"
#include "stiction/contact/laws.h"

namespace stiction {
namespace {

// More sweeps would bring a group further whose contacts do one another's work, but cost more than the Newton
// steps that they save.
constexpr int kMaxSweeps = 100;
constexpr double kSettled = 1e-10;     // [m/s]
constexpr double kInexactness = 1e-3;  // of the first sweep's change: the others are linearised anyway
// Of the trace of a contact's block, against that of contacts that cannot move.
constexpr double kDiagonalShift = 1e-12;

}  // namespace

void CondensedGroup::Reserve(const Island& island, int max_group) {
  const std::size_t rows = 3 * static_cast<std::size_t>(max_group);
  members_.reserve(max_group);
  coupling_.reserve(rows * rows);
  response_.reserve(island.num_dofs());
  for (auto* by_row : {&velocity_, &lambda_, &before_}) by_row->reserve(rows);
}

void CondensedGroup::MakeBlock(const IslandConstraint& c, Member& member) {
  if (c.type != ConstraintType::kContact) return;
  for (int s = 0; s < 3; ++s)
    member.D.col(s) = Eigen::Map<const Vector3d>(column(member.row + s) + member.row);
  member.D.diagonal().array() += kDiagonalShift * member.D.trace();
  member.D_inverse = member.D.inverse();
}

void CondensedGroup::Change(int row, double change) {
  if (change == 0.0) return;
  lambda_[row] += change;
  const double* C = column(row);
  for (int k = 0; k < num_rows_; ++k) velocity_[k] += C[k] * change;
}

double CondensedGroup::Sweep(const Island& island) {
  double largest = 0.0;
  for (const Member& member : members_) {
    const IslandConstraint& c = island.constraints[member.index];
    const int row = member.row;
    if (c.type == ConstraintType::kContact) {
      const Vector3d before(lambda_[row], lambda_[row + 1], lambda_[row + 2]);
      const Vector3d u(velocity_[row], velocity_[row + 1], velocity_[row + 2]);
      const Vector3d after =
          SolveSingleContact(member.D, member.D_inverse, u - member.D * before, c.mu, before);
      for (int r = 0; r < 3; ++r) Change(row + r, after[r] - before[r]);
      largest = std::max(largest, c.scale * (after - before).norm());
    } else if (const double w = column(row)[row]; w > 0.0) {
      const double change = ClampImpulse(c, lambda_[row] - velocity_[row] / w) - lambda_[row];
      Change(row, change);
      largest = std::max(largest, c.scale * std::abs(change));
    }
  }
  return largest;
}

void CondensedGroup::Solve(const Island& island, ScaledHessian& hessian, std::span<const int> group,
                           const double* lambda, const double* delta, double* delta_step,
                           double* lambda_step) {
  members_.clear();
  num_rows_ = 0;
  for (const int index : group) {
    Member& member = members_.emplace_back();
    member.index = index;
    member.row = num_rows_;
    num_rows_ += island.constraints[index].dim();
  }
  coupling_.resize(static_cast<std::size_t>(num_rows_) * num_rows_);
  hessian.CalcCoupling(island, group, coupling_.data());
  for (Member& member : members_) MakeBlock(island.constraints[member.index], member);
  lambda_.resize(num_rows_);
  velocity_.resize(num_rows_);
  for (const Member& member : members_) {
    const IslandConstraint& c = island.constraints[member.index];
    double* u = velocity_.data() + member.row;
    double change[3];
    island.ReadVelocity(c, delta, u);
    island.ReadChange(c, delta_step, change);
    for (int r = 0; r < c.dim(); ++r) u[r] += change[r];
    std::copy(lambda + c.row, lambda + c.row + c.dim(), lambda_.begin() + member.row);
  }
  before_ = lambda_;

  double settled = kSettled;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    const double change = Sweep(island);
    if (sweep == 0) settled = std::max(kSettled, kInexactness * change);
    if (change <= settled || members_.size() == 1) break;
  }

  response_.assign(island.num_dofs(), 0.0);
  for (const Member& member : members_) {
    const IslandConstraint& c = island.constraints[member.index];
    double* change = lambda_step + c.row;
    for (int r = 0; r < c.dim(); ++r) change[r] = lambda_[member.row + r] - before_[member.row + r];
    island.AddImpulse(c, change, response_.data());
  }
  hessian.Solve(response_.data());
  for (int k = 0; k < island.num_dofs(); ++k) delta_step[k] += response_[k];
}

}  // namespace stiction

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
  responses_.reserve(rows * island.num_dofs());
  coupling_.reserve(rows * rows);
  for (auto* by_row : {&velocity_, &lambda_, &before_}) by_row->reserve(rows);
}

void CondensedGroup::Condense(const Island& island, const ScaledHessian& hessian) {
  responses_.assign(static_cast<std::size_t>(num_rows_) * island.num_dofs(), 0.0);
  coupling_.resize(static_cast<std::size_t>(num_rows_) * num_rows_);
  for (const Member& member : members_) {
    const IslandConstraint& c = island.constraints[member.index];
    for (int r = 0; r < c.dim(); ++r) {
      double unit[3] = {0.0, 0.0, 0.0};
      unit[r] = 1.0;
      double* response = this->response(member.row + r, island);
      island.AddImpulse(c, unit, response);
      hessian.Solve(response);
      for (const Member& other : members_)
        island.ReadChange(island.constraints[other.index], response, column(member.row + r) + other.row);
    }
  }
  for (Member& member : members_) MakeBlock(island.constraints[member.index], member);
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

void CondensedGroup::Solve(const Island& island, const ScaledHessian& hessian, std::span<const int> group,
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
  Condense(island, hessian);
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

  for (const Member& member : members_) {
    const IslandConstraint& c = island.constraints[member.index];
    for (int r = 0; r < c.dim(); ++r) {
      const int row = member.row + r;
      const double change = lambda_step[c.row + r] = lambda_[row] - before_[row];
      const double* response = this->response(row, island);
      for (int k = 0; k < island.num_dofs(); ++k) delta_step[k] += change * response[k];
    }
  }
}

}  // namespace stiction

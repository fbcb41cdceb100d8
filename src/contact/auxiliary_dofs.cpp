#include "stiction/contact/auxiliary_dofs.h"

#include <algorithm>
#include <cmath>

#include "math/assert.h"

namespace stiction {
namespace {

// κ: 1/m of the dof between two normal rows, over the contact's Delassus scale. Sweeps contract by κ/(1 + κ)
// in it, and an error of the two normal impulses reads κ times smaller.
constexpr double kCoupling = 0.1;
// Of a tolerance, before rounding is all that is left of it.
constexpr double kLeastShare = 0.1;

// Of a dof's mass the inverse: less is none, and its inverse may be no number. A soft row that moves next to
// nothing has as little of it [1/kg].
constexpr double kLeastCompliance = 1e-300;

bool IsCompliant(const Constraint& c) {
  return c.compliance_n > kLeastCompliance || c.compliance_t > kLeastCompliance;
}

bool IsMoment(const Constraint& c) {
  return c.type == ConstraintType::kTorsional || c.type == ConstraintType::kRolling;
}

}  // namespace

bool AuxiliaryDofs::AreNeeded(const ContactProblem& problem, bool takes_compliance) {
  return std::any_of(problem.constraints.begin(), problem.constraints.end(), [&](const Constraint& c) {
    return IsMoment(c) || (!takes_compliance && IsCompliant(c));
  });
}

int AuxiliaryDofs::AddDof(double mass) {
  const int dof = static_cast<int>(parent_.size());
  parent_.push_back(-1);
  mass_.push_back(mass);
  extended_.subsystems.push_back({dof, 1});
  return dof;
}

void AuxiliaryDofs::LinkMoments(const ContactProblem& problem, const Eigen::Ref<const VectorXd>& scales) {
  const int count = problem.num_constraints();
  first_moment_.assign(count, -1);
  next_moment_.assign(count, -1);
  normal_dof_.assign(count, -1);
  length_.assign(count, 1.0);
  share_.assign(count, 1.0);
  for (int i = 0; i < count; ++i) {
    const Constraint& c = problem.constraints[i];
    if (!IsMoment(c)) continue;
    const double w = scales[c.contact];
    length_[i] = std::sqrt(w / scales[i]);
    share_[i] = std::max(kLeastShare, 1.0 / std::max(2.0, 1.0 + c.mu / (kCoupling * length_[i])));
    normal_dof_[i] = AddDof(1.0 / (kCoupling * w));
    next_moment_[i] = first_moment_[c.contact];
    first_moment_[c.contact] = i;
  }
}

double* AuxiliaryDofs::AddColumn(int dof) {
  return extended_.AddBlock(
      static_cast<int>(extended_.subsystems.size()) - 1 - (static_cast<int>(parent_.size()) - 1 - dof), &dof,
      1);
}

void AuxiliaryDofs::AddConstraint(const ContactProblem& problem, int index) {
  const Constraint& c = problem.constraints[index];
  extended_.AddConstraint(c.type, c.mu, c.stiffness, c.damping);
  extended_.SetBounds(c.lower, c.upper);
  for (int r = 0; r < c.dim(); ++r) extended_.SetBias(r, problem.e[c.row + r]);
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    double* value =
        extended_.AddBlock(block.subsystem, problem.block_dofs.data() + block.first_dof, block.num_dofs);
    std::copy_n(problem.jacobian.data() + block.first_value, c.dim() * block.num_dofs, value);
  }
  // What touches nothing that moves has no effect, and needs no dofs.
  if (c.num_blocks == 0) return;
  for (int m = first_moment_[index]; m >= 0; m = next_moment_[m]) AddColumn(normal_dof_[m])[2] = -1.0;
  const int normal = c.dim() - 1;
  if (c.compliance_n > kLeastCompliance) AddColumn(AddDof(1.0 / c.compliance_n))[normal] = 1.0;
  for (int r = 0; r < normal && c.compliance_t > kLeastCompliance; ++r)
    AddColumn(AddDof(1.0 / c.compliance_t))[r] = 1.0;
}

void AuxiliaryDofs::AddMoment(const ContactProblem& problem, int index, double scale) {
  const Constraint& c = problem.constraints[index];
  const double length = length_[index];
  extended_.AddConstraint(ConstraintType::kContact, c.mu / length);
  for (int r = 0; r < c.dim(); ++r) extended_.SetBias(r, length * problem.e[c.row + r]);
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const double* from = problem.jacobian.data() + block.first_value;
    double* to =
        extended_.AddBlock(block.subsystem, problem.block_dofs.data() + block.first_dof, block.num_dofs);
    for (int k = 0; k < block.num_dofs; ++k)
      for (int r = 0; r < c.dim(); ++r) to[3 * k + r] = length * from[c.dim() * k + r];
  }
  if (c.num_blocks == 0) return;
  AddColumn(normal_dof_[index])[2] = 1.0;
  if (c.type == ConstraintType::kTorsional) AddColumn(AddDof(1.0 / scale))[1] = 1.0;
}

void AuxiliaryDofs::Extend(const ContactProblem& problem, const Eigen::Ref<const VectorXd>& scales,
                           const Solution& warm_start) {
  STICTION_ASSERT(scales.size() == problem.num_constraints());
  extended_.name = problem.name;
  extended_.ClearConstraints();
  extended_.subsystems.assign(problem.subsystems.begin(), problem.subsystems.end());
  parent_.clear();
  mass_.clear();
  for (int k = 0; k < problem.nv(); ++k)
    parent_.push_back(problem.is_sparse() ? -1 : problem.A.pattern().parent(k));
  LinkMoments(problem, scales);
  for (int i = 0; i < problem.num_constraints(); ++i) {
    const Constraint& c = problem.constraints[i];
    if (IsMoment(c)) {
      AddMoment(problem, i, scales[c.contact]);
    } else {
      AddConstraint(problem, i);
    }
  }
  // Dofs that nothing acts on, so that the size only grows: contacts come and go, memory stays.
  while (mass_.size() < most_dofs_) AddDof(1.0);
  most_dofs_ = mass_.size();
  ExtendDynamics(problem);
  ExtendBodies(problem);
  ExtendSolution(problem, warm_start);
}

void AuxiliaryDofs::ExtendDynamics(const ContactProblem& problem) {
  const int nv = problem.nv(), added = static_cast<int>(mass_.size());
  if (problem.is_sparse()) {
    CompressedMatrix& A = extended_.A_sparse = problem.A_sparse;
    for (int k = 0; k < added; ++k) {
      A.columns.push_back(nv + k);
      A.values.push_back(mass_[k]);
      A.row_begin.push_back(A.num_entries());
    }
    extended_.A.Resize(BranchPattern());
  } else {
    pattern_.Assign(parent_);
    extended_.A.Resize(pattern_);
    for (int k = 0; k < nv; ++k)
      std::copy_n(problem.A.row(k), problem.A.pattern().row_length(k), extended_.A.row(k));
    for (int k = 0; k < added; ++k) extended_.A.diagonal(nv + k) = mass_[k];
    extended_.A_sparse = {};
  }
  extended_.v_star.resize(nv + added);
  extended_.v_star.head(nv) = problem.v_star;
  extended_.v_star.tail(added).setZero();
}

// Without the contacts whose rows know of other dofs than those of their bodies.
void AuxiliaryDofs::ExtendBodies(const ContactProblem& problem) {
  const Eigen::Index nv = problem.motion.cols();
  extended_.motion.setZero(6, nv > 0 ? extended_.nv() : 0);
  extended_.motion.leftCols(nv) = problem.motion;
  for (const BodyContact& contact : problem.body_contacts) {
    const Constraint& c = problem.constraints[contact.constraint];
    const bool is_extended = first_moment_[contact.constraint] >= 0 || IsCompliant(c);
    if (!is_extended) extended_.body_contacts.push_back(contact);
  }
}

void AuxiliaryDofs::ExtendSolution(const ContactProblem& problem, const Solution& warm_start) {
  solution_.penalty = warm_start.penalty;
  solution_.penalty.resize(extended_.subsystems.size(), 0.0);
  solution_.lambda.setZero(extended_.num_rows());
  // The velocity before, of the same problem: not what another one ended with.
  const bool has_velocity = warm_start.v.size() == problem.nv();
  solution_.v.setZero(has_velocity ? extended_.nv() : 0);
  if (has_velocity) solution_.v.head(problem.nv()) = warm_start.v;
  if (warm_start.lambda.size() == problem.num_rows())
    ExtendImpulses(problem, warm_start.lambda, solution_.lambda);
  const bool has_trend = warm_start.trend.size() == problem.num_rows();
  solution_.trend.setZero(has_trend ? extended_.num_rows() : 0);
  if (has_trend) ExtendImpulses(problem, warm_start.trend, solution_.trend);
}

void AuxiliaryDofs::ExtendImpulses(const ContactProblem& problem, const GrowingVector& impulses,
                                   GrowingVector& extended) const {
  for (int i = 0; i < problem.num_constraints(); ++i) {
    const Constraint& from = problem.constraints[i];
    double* to = extended.data() + extended_.constraints[i].row;
    for (int r = 0; r < from.dim(); ++r) to[r] = impulses[from.row + r] / length_[i];
    if (IsMoment(from)) to[2] = impulses[problem.constraints[from.contact].row + 2];
  }
}

void AuxiliaryDofs::Restrict(const ContactProblem& problem, Solution& solution) const {
  solution.lambda.resize(problem.num_rows());
  for (int i = 0; i < problem.num_constraints(); ++i) {
    const Constraint& to = problem.constraints[i];
    const double* from = solution_.lambda.data() + extended_.constraints[i].row;
    for (int r = 0; r < to.dim(); ++r) solution.lambda[to.row + r] = length_[i] * from[r];
  }
  const auto penalties = solution_.penalty.begin();
  solution.penalty.assign(penalties, penalties + static_cast<std::ptrdiff_t>(problem.subsystems.size()));
}

}  // namespace stiction

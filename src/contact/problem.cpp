#include "stiction/contact/problem.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "math/assert.h"

namespace stiction {
namespace {

// The sums stay in registers where their number is known.
template <int kDim>
void MultiplyRowsOf(const ContactProblem& problem, const Constraint& c, const double* v, double* out) {
  double sum[kDim] = {};
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const int* dofs = problem.block_dofs.data() + block.first_dof;
    const double* value = problem.jacobian.data() + block.first_value;
    for (int k = 0; k < block.num_dofs; ++k) {
      for (int i = 0; i < kDim; ++i) sum[i] += value[kDim * k + i] * v[dofs[k]];
    }
  }
  for (int i = 0; i < kDim; ++i) out[i] = sum[i];
}

template <int kDim>
void AddRowsTransposedOf(const ContactProblem& problem, const Constraint& c, const double* lambda,
                         double* out) {
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const int* dofs = problem.block_dofs.data() + block.first_dof;
    const double* value = problem.jacobian.data() + block.first_value;
    for (int k = 0; k < block.num_dofs; ++k) {
      double sum = 0.0;
      for (int i = 0; i < kDim; ++i) sum += value[kDim * k + i] * lambda[i];
      out[dofs[k]] += sum;
    }
  }
}

}  // namespace

const char* ToString(ConstraintType type) {
  switch (type) {
    case ConstraintType::kContact:
      return "contact";
    case ConstraintType::kUnilateral:
      return "unilateral";
    case ConstraintType::kBilateral:
      return "bilateral";
    case ConstraintType::kSoft:
      return "soft";
    case ConstraintType::kBounded:
      return "bounded";
    case ConstraintType::kTorsional:
      return "torsional";
    case ConstraintType::kRolling:
      return "rolling";
  }
  return "";
}

void ContactProblem::MultiplyA(const double* v, double* out) const {
  is_sparse() ? A_sparse.Multiply(v, out) : A.Multiply(v, out);
}

double ContactProblem::DiagonalA(int dof) const {
  return is_sparse() ? A_sparse.At(dof, dof) : A.diagonal(dof);
}

MatrixXd ContactProblem::DenseA() const {
  return is_sparse() ? A_sparse.ToDense() : A.ToDense();
}

void ContactProblem::MultiplyJ(const double* v, double* out) const {
  for (const Constraint& c : constraints) MultiplyRows(c, v, out + c.row);
}

void ContactProblem::MultiplyRows(const Constraint& c, const double* v, double* out) const {
  if (c.type == ConstraintType::kContact) return MultiplyRowsOf<3>(*this, c, v, out);
  if (c.type == ConstraintType::kRolling) return MultiplyRowsOf<2>(*this, c, v, out);
  MultiplyRowsOf<1>(*this, c, v, out);
}

double ContactProblem::MultiplyLastRow(const Constraint& c, const double* v) const {
  const int dim = c.dim();
  double sum = 0.0;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = blocks[b];
    const int* dofs = block_dofs.data() + block.first_dof;
    const double* value = jacobian.data() + block.first_value + dim - 1;
    for (int k = 0; k < block.num_dofs; ++k) sum += value[dim * k] * v[dofs[k]];
  }
  return sum;
}

void ContactProblem::AddJTransposed(const double* lambda, double* out) const {
  for (const Constraint& c : constraints) AddRowsTransposed(c, lambda + c.row, out);
}

void ContactProblem::AddRowsTransposed(const Constraint& c, const double* lambda, double* out) const {
  if (c.type == ConstraintType::kContact) return AddRowsTransposedOf<3>(*this, c, lambda, out);
  if (c.type == ConstraintType::kRolling) return AddRowsTransposedOf<2>(*this, c, lambda, out);
  AddRowsTransposedOf<1>(*this, c, lambda, out);
}

MatrixXd ContactProblem::DenseJ() const {
  MatrixXd J = MatrixXd::Zero(num_rows(), nv());
  for (const Constraint& c : constraints) {
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const JacobianBlock& block = blocks[b];
      const double* value = jacobian.data() + block.first_value;
      for (int k = 0; k < block.num_dofs; ++k) {
        for (int i = 0; i < c.dim(); ++i) J(c.row + i, block_dofs[block.first_dof + k]) += *value++;
      }
    }
  }
  return J;
}

void ContactProblem::ClearConstraints() {
  constraints.clear();
  blocks.clear();
  block_dofs.clear();
  jacobian.clear();
  e.clear();
  body_contacts.clear();
}

Constraint MakeConstraint(ConstraintType type, double mu, double k, double b) {
  STICTION_ASSERT(!(mu < 0.0) && !(k < 0.0) && !(b < 0.0));
  Constraint c;
  c.type = type;
  c.mu = mu;
  c.stiffness = k;
  c.damping = b;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (type != ConstraintType::kBounded) c.upper = kInfinity;
  const bool is_of_one_sign = type == ConstraintType::kContact || type == ConstraintType::kUnilateral;
  if (!is_of_one_sign && type != ConstraintType::kBounded) c.lower = -kInfinity;
  return c;
}

int ContactProblem::AddConstraint(ConstraintType type, double mu, double k, double b) {
  Constraint c = MakeConstraint(type, mu, k, b);
  c.row = num_rows();
  c.first_block = static_cast<int>(blocks.size());
  constraints.push_back(c);
  e.resize(e.size() + c.dim(), 0.0);
  return num_constraints() - 1;
}

int ContactProblem::AddFrictionMoment(ConstraintType type, int contact, double mu) {
  STICTION_ASSERT(type == ConstraintType::kTorsional || type == ConstraintType::kRolling);
  STICTION_ASSERT(contact >= 0 && contact < num_constraints());
  const int index = AddConstraint(type, mu);
  constraints.back().contact = contact;
  return index;
}

double* ContactProblem::AddBlock(int subsystem, const int* dofs, int num_dofs) {
  STICTION_ASSERT(!constraints.empty());
  STICTION_ASSERT(subsystem >= 0 && subsystem < static_cast<int>(subsystems.size()));
  STICTION_ASSERT(num_dofs > 0 &&
                  std::adjacent_find(dofs, dofs + num_dofs, std::greater_equal<int>()) == dofs + num_dofs);
  Constraint& c = constraints.back();
  JacobianBlock block;
  block.subsystem = subsystem;
  block.num_dofs = num_dofs;
  block.first_dof = static_cast<int>(block_dofs.size());
  block.first_value = static_cast<int>(jacobian.size());
  blocks.push_back(block);
  ++c.num_blocks;
  block_dofs.insert(block_dofs.end(), dofs, dofs + num_dofs);
  jacobian.resize(jacobian.size() + static_cast<size_t>(c.dim()) * num_dofs, 0.0);
  return jacobian.data() + block.first_value;
}

}  // namespace stiction

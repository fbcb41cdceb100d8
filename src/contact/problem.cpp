#include "stiction/contact/problem.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "math/assert.h"

namespace stiction {

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

namespace {

template <int kDim>
void AddBlockTimes(const double* value, const int* dofs, int count, const double* v, double* out) {
  double sum[kDim];
  for (int r = 0; r < kDim; ++r) sum[r] = out[r];
  for (int k = 0; k < count; ++k) {
    for (int r = 0; r < kDim; ++r) sum[r] += value[kDim * k + r] * v[dofs[k]];
  }
  for (int r = 0; r < kDim; ++r) out[r] = sum[r];
}

template <int kDim>
void AddBlockTransposedTimes(const double* value, const int* dofs, int count, const double* lambda,
                             double* out) {
  for (int k = 0; k < count; ++k) {
    double sum = 0.0;
    for (int r = 0; r < kDim; ++r) sum += value[kDim * k + r] * lambda[r];
    out[dofs[k]] += sum;
  }
}

}  // namespace

void ContactProblem::MultiplyJ(const double* v, double* out) const {
  for (const Constraint& c : constraints) MultiplyJ(c, v, out + c.row);
}

void ContactProblem::MultiplyJ(const Constraint& c, const double* v, double* out) const {
  const int dim = c.dim();
  for (int r = 0; r < dim; ++r) out[r] = 0.0;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = blocks[b];
    const double* value = jacobian.data() + block.first_value;
    const int* dofs = block_dofs.data() + block.first_dof;
    if (dim == 3) {
      AddBlockTimes<3>(value, dofs, block.num_dofs, v, out);
    } else if (dim == 1) {
      AddBlockTimes<1>(value, dofs, block.num_dofs, v, out);
    } else {
      AddBlockTimes<2>(value, dofs, block.num_dofs, v, out);
    }
  }
}

void ContactProblem::AddJTransposed(const double* lambda, double* out) const {
  for (const Constraint& c : constraints) AddJTransposed(c, lambda + c.row, out);
}

void ContactProblem::AddJTransposed(const Constraint& c, const double* lambda, double* out) const {
  const int dim = c.dim();
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = blocks[b];
    const double* value = jacobian.data() + block.first_value;
    const int* dofs = block_dofs.data() + block.first_dof;
    if (dim == 3) {
      AddBlockTransposedTimes<3>(value, dofs, block.num_dofs, lambda, out);
    } else if (dim == 1) {
      AddBlockTransposedTimes<1>(value, dofs, block.num_dofs, lambda, out);
    } else {
      AddBlockTransposedTimes<2>(value, dofs, block.num_dofs, lambda, out);
    }
  }
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

int ContactProblem::AddConstraint(ConstraintType type, double mu, double k, double b) {
  STICTION_ASSERT(!(mu < 0.0) && !(k < 0.0) && !(b < 0.0));
  Constraint c;
  c.type = type;
  c.row = num_rows();
  c.first_block = static_cast<int>(blocks.size());
  c.mu = mu;
  c.stiffness = k;
  c.damping = b;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (type != ConstraintType::kBounded) c.upper = kInfinity;
  if (type == ConstraintType::kBilateral || type == ConstraintType::kSoft) c.lower = -kInfinity;
  constraints.push_back(c);
  e.resize(e.size() + c.dim(), 0.0);
  return num_constraints() - 1;
}

int ContactProblem::AddFrictionMoment(ConstraintType type, int contact, double mu) {
  STICTION_ASSERT(type == ConstraintType::kTorsional || type == ConstraintType::kRolling);
  STICTION_ASSERT(contact >= 0 && contact < num_constraints());
  const int index = AddConstraint(type, mu);
  constraints.back().contact = contact;
  constraints.back().lower = -std::numeric_limits<double>::infinity();
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

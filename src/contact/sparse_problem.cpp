#include "contact/sparse_problem.h"

#include <algorithm>

#include "math/assert.h"

namespace stiction {
namespace {

void ListParts(const ContactProblem& problem, std::vector<IndexRange>& parts) {
  parts.clear();
  for (const Subsystem& subsystem : problem.subsystems)
    parts.push_back({subsystem.first_dof, subsystem.first_dof + subsystem.num_dofs});
}

}  // namespace

bool SparseProblem::Assign(const ContactProblem& problem) {
  STICTION_ASSERT(problem.A_sparse.size() == problem.nv());
  original_ = &problem;
  ListParts(problem, parts_);
  if (!factor_.Factor(problem.A_sparse, parts_)) return false;
  reduced_.name = problem.name;
  reduced_.subsystems = problem.subsystems;
  reduced_.A.Resize(BranchPattern(std::vector<int>(problem.nv(), -1)));
  for (int k = 0; k < problem.nv(); ++k) reduced_.A.diagonal(k) = 1.0;
  if (unit_factor_.Factor(reduced_.A) >= 0) return false;
  reduced_.v_star = problem.v_star;
  Reduce(reduced_.v_star);
  ReduceRows();
  return true;
}

void SparseProblem::ReduceRows() {
  const ContactProblem& problem = *original_;
  reduced_.ClearConstraints();
  for (const Constraint& from : problem.constraints) {
    reduced_.AddConstraint(from.type);
    for (int b = from.first_block; b < from.first_block + from.num_blocks; ++b) {
      const JacobianBlock& block = problem.blocks[b];
      factor_.ScaleRows(problem.block_dofs.data() + block.first_dof, block.num_dofs, from.dim(),
                        problem.jacobian.data() + block.first_value, places_, scaled_);
      double* to = reduced_.AddBlock(block.subsystem, places_.data(), static_cast<int>(places_.size()));
      std::copy(scaled_.begin(), scaled_.end(), to);
    }
    // All the rest of it is the same: the law, and where its row and its blocks are.
    reduced_.constraints.back() = from;
  }
  reduced_.e = problem.e;
}

void SparseProblem::Reduce(VectorXd& v) const {
  if (v.size() != factor_.size()) {
    v.resize(0);
    return;
  }
  const VectorXd by_dof = v;
  factor_.MultiplyLower(by_dof.data(), v.data(), 0, factor_.size());
}

void SparseProblem::MapImpulses(const Island& island, const double* lambda, double* delta) const {
  VectorXd by_dof = VectorXd::Zero(original_->nv()), by_place(original_->nv());
  for (const IslandConstraint& c : island.constraints)
    original_->AddRowsTransposed(original_->constraints[c.source], lambda + c.row, by_dof.data());
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const auto [first, count] = original_->subsystems[island.node_source[n]];
    factor_.SolveTransposed(by_dof.data(), by_place.data(), first, first + count);
    std::copy_n(by_place.data() + first, count, delta + island.nodes[n].first_dof);
  }
}

void SparseProblem::Multiply(const Island& island, const double* delta, double* y) const {
  VectorXd by_dof(original_->nv()), by_place(original_->nv());
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const auto [first, count] = original_->subsystems[island.node_source[n]];
    std::copy_n(delta + island.nodes[n].first_dof, count, by_place.data() + first);
    factor_.SolveLower(by_place.data(), by_dof.data(), first, first + count);
  }
  for (const IslandConstraint& c : island.constraints)
    original_->MultiplyRows(original_->constraints[c.source], by_dof.data(), y + c.row);
}

void SparseProblem::CalcVelocity(const Eigen::Ref<const VectorXd>& lambda, VectorXd& v) {
  v.setZero(original_->nv());
  original_->AddJTransposed(lambda.data(), v.data());
  factor_.Solve(v.data());
  v += original_->v_star;
}

VectorXd CalcScales(const ContactProblem& problem) {
  ScaledProblem scaled;
  if (problem.is_sparse()) {
    SparseProblem sparse;
    if (!sparse.Assign(problem)) return {};
    scaled.Assign(sparse.reduced(), sparse.unit_factor());
  } else {
    BranchSparseFactor factor;
    if (factor.Factor(problem.A) >= 0) return {};
    scaled.Assign(problem, factor);
  }
  return scaled.scale;
}

bool SolveDynamics(const ContactProblem& problem, VectorXd& v) {
  if (!problem.is_sparse()) {
    BranchSparseFactor factor;
    if (factor.Factor(problem.A) >= 0) return false;
    factor.Solve(v.data());
    return true;
  }
  std::vector<IndexRange> parts;
  ListParts(problem, parts);
  SparseFactor factor;
  if (!factor.Factor(problem.A_sparse, parts)) return false;
  factor.Solve(v.data());
  return true;
}

}  // namespace stiction

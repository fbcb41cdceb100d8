#include "sim/problem_part.h"

#include <algorithm>

#include "math/assert.h"

namespace stiction {

void ProblemPart::Assign(const ContactProblem& whole, const std::vector<char>& wanted) {
  STICTION_ASSERT(wanted.size() == whole.subsystems.size());
  partition_.Assign(whole);
  is_taken_.assign(partition_.num_islands, 0);
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    const int island = partition_.island_of_subsystem[s];
    if (wanted[s] != 0 && island >= 0) is_taken_[island] = 1;
  }
  const bool is_whole = std::all_of(whole.constraints.begin(), whole.constraints.end(),
                                    [&](const Constraint& c) { return IsTaken(whole, c); });
  whole_ = is_whole ? &whole : nullptr;
  if (is_whole) return;
  problem_.subsystems = whole.subsystems;
  problem_.A.CopyFrom(whole.A);
  problem_.v_star = whole.v_star;
  problem_.ClearConstraints();
  ReserveLike(whole.constraints, problem_.constraints);
  ReserveLike(whole.blocks, problem_.blocks);
  ReserveLike(whole.block_dofs, problem_.block_dofs);
  ReserveLike(whole.jacobian, problem_.jacobian);
  ReserveLike(whole.e, problem_.e);
  place_.assign(whole.constraints.size(), -1);
  row_of_whole_.clear();
  for (int i = 0; i < whole.num_constraints(); ++i) {
    if (IsTaken(whole, whole.constraints[i])) TakeConstraint(whole, i);
  }
}

bool ProblemPart::IsTaken(const ContactProblem& whole, const Constraint& c) const {
  if (c.num_blocks == 0) return false;
  return is_taken_[partition_.island_of_subsystem[whole.blocks[c.first_block].subsystem]] != 0;
}

// Copies as they stand, to new places.
void ProblemPart::TakeConstraint(const ContactProblem& whole, int i) {
  const Constraint& from = whole.constraints[i];
  place_[i] = problem_.num_constraints();
  Constraint c = from;
  c.row = problem_.num_rows();
  c.first_block = static_cast<int>(problem_.blocks.size());
  if (from.contact >= 0) c.contact = place_[from.contact];  // of the same island, and before it
  problem_.constraints.push_back(c);
  const int dim = c.dim();
  for (int r = 0; r < dim; ++r) {
    problem_.e.push_back(whole.e[from.row + r]);
    row_of_whole_.push_back(from.row + r);
  }
  for (int b = from.first_block; b < from.first_block + from.num_blocks; ++b) {
    JacobianBlock block = whole.blocks[b];
    const int* dofs = whole.block_dofs.data() + block.first_dof;
    const double* values = whole.jacobian.data() + block.first_value;
    block.first_dof = static_cast<int>(problem_.block_dofs.size());
    block.first_value = static_cast<int>(problem_.jacobian.size());
    problem_.blocks.push_back(block);
    problem_.block_dofs.insert(problem_.block_dofs.end(), dofs, dofs + block.num_dofs);
    problem_.jacobian.insert(problem_.jacobian.end(), values, values + dim * block.num_dofs);
  }
}

void ProblemPart::Gather(const std::vector<double>& whole, GrowingVector& part) const {
  if (whole_ != nullptr) {
    part = Eigen::Map<const VectorXd>(whole.data(), whole_->num_rows());
    return;
  }
  part.resize(static_cast<Eigen::Index>(row_of_whole_.size()));
  for (std::size_t r = 0; r < row_of_whole_.size(); ++r)
    part[static_cast<Eigen::Index>(r)] = whole[row_of_whole_[r]];
}

void ProblemPart::Scatter(const GrowingVector& part, std::vector<double>& whole) const {
  if (whole_ != nullptr) {
    std::copy_n(part.data(), whole_->num_rows(), whole.begin());
    return;
  }
  for (std::size_t r = 0; r < row_of_whole_.size(); ++r)
    whole[row_of_whole_[r]] = part[static_cast<Eigen::Index>(r)];
}

}  // namespace stiction

// What SubADMM's iterations read of an island: slots, bodies, and the weights of both.
#include <algorithm>
#include <cmath>

#include "contact/solvers/split_admm.h"
#include "stiction/contact/island.h"

namespace stiction {
namespace {

constexpr double kLeastShare = 1e-6;  // of w that a slot may have: a body that nothing moves

}  // namespace

void SolverSplitAdmm::Prepare(const Island& island) {
  const ContactProblem& problem = *island.problem;
  local_node_.resize(problem.subsystems.size());
  global_dof_.resize(island.num_dofs());
  node_sizes_.clear();
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const Subsystem& whole = problem.subsystems[island.node_source[n]];
    local_node_[island.node_source[n]] = static_cast<int>(n);
    node_sizes_.push_back(whole.num_dofs);
    for (int k = 0; k < whole.num_dofs; ++k) global_dof_[island.nodes[n].first_dof + k] = whole.first_dof + k;
  }
  is_dense_.assign(island.nodes.size(), split_ != AdmmSplit::kBody);
  slots_.clear();
  first_slot_.assign(1, 0);
  blocks_.clear();
  block_dofs_.clear();
  J_.clear();
  particles_.clear();
  body_contacts_.clear();
  row_constraints_.clear();
  for (int i = 0; i < island.num_constraints(); ++i) {
    AddSlots(island, i);
    first_slot_.push_back(static_cast<int>(slots_.size()));
  }
  CalcWeights(island);
  CopyRows(island);
  CopyContacts(island);
  BuildPattern(island);
  z_.assign(4 * slots_.size(), 0.0);
  y_.resize(z_.size());
  u_.resize(island.num_dofs() + RowChunks::kPadding);
  impulse_.resize(u_.size());
  int num_states = contacts_.num_states();
  for (const int i : row_constraints_) num_states += 4 * (first_slot_[i + 1] - first_slot_[i]);
  state_.resize(num_states);
  image_.resize(num_states);
  mixing_.Reserve(num_states, options_.anderson);
  is_mixing_ = false;
  modes_.assign(island.constraints.size(), SplitMode::kUnknown);
}

void SolverSplitAdmm::AddSlots(const Island& island, int index) {
  const ContactProblem& problem = *island.problem;
  const int source = island.constraints[index].source;
  const Constraint& c = problem.constraints[source];
  if (split_ == AdmmSplit::kBody && c.type == ConstraintType::kContact) {
    const auto contact = std::lower_bound(
        problem.body_contacts.begin(), problem.body_contacts.end(), source,
        [](const BodyContact& candidate, int wanted) { return candidate.constraint < wanted; });
    if (contact != problem.body_contacts.end() && contact->constraint == source) {
      body_contacts_.push_back({index, static_cast<int>(contact - problem.body_contacts.begin()),
                                static_cast<int>(particles_.size())});
      if (contact->dof_A >= 0) AddBodySlot(island, index, contact->dof_A, contact->p_A);
      if (contact->dof_B >= 0) AddBodySlot(island, index, contact->dof_B, contact->p_B);
      return;
    }
  }
  row_constraints_.push_back(index);
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    if (split_ != AdmmSplit::kNone || b == c.first_block) {
      slots_.push_back({index, static_cast<int>(blocks_.size()), 0});
    }
    ++slots_.back().num_blocks;
    AddBlock(island, c, problem.blocks[b]);
  }
}

// The slot of a contact on one body, which stands for the rows.
void SolverSplitAdmm::AddBodySlot(const Island& island, int index, int dof, const Vector3d& p) {
  const ContactProblem& problem = *island.problem;
  const auto subsystem = std::upper_bound(problem.subsystems.begin(), problem.subsystems.end(), dof,
                                          [](int k, const Subsystem& s) { return k < s.first_dof; });
  Block block;
  block.node = local_node_[subsystem - problem.subsystems.begin() - 1];
  block.is_inertia = true;
  const int shift = island.nodes[block.node].first_dof - std::prev(subsystem)->first_dof;
  particles_.push_back({dof + shift, p, static_cast<int>(slots_.size())});
  slots_.push_back({index, static_cast<int>(blocks_.size()), 1});
  blocks_.push_back(block);
}

void SolverSplitAdmm::AddBlock(const Island& island, const Constraint& c, const JacobianBlock& from) {
  const ContactProblem& problem = *island.problem;
  Block block;
  block.node = local_node_[from.subsystem];
  block.num_dofs = from.num_dofs;
  block.first_dof = static_cast<int>(block_dofs_.size());
  block.first_value = static_cast<int>(J_.size());
  const int shift = island.nodes[block.node].first_dof - problem.subsystems[from.subsystem].first_dof;
  const int* dofs = problem.block_dofs.data() + from.first_dof;
  for (int k = 0; k < from.num_dofs; ++k) block_dofs_.push_back(dofs[k] + shift);
  const double* value = problem.jacobian.data() + from.first_value;
  for (int r = 0; r < c.dim(); ++r) {
    for (int k = 0; k < from.num_dofs; ++k) J_.push_back(value[k * c.dim() + r]);
  }
  // A row across the branches of its tree fills entries that A does not have.
  if (from.num_dofs > 0 && problem.A.pattern().row_length(dofs[from.num_dofs - 1]) != from.num_dofs) {
    is_dense_[block.node] = 1;
  }
  blocks_.push_back(block);
}

void SolverSplitAdmm::CopyRows(const Island& island) {
  rows_.Clear();
  for (const Slot& slot : slots_) {
    rows_.AddSlot();
    for (int b = slot.first_block; b < slot.first_block + slot.num_blocks; ++b) {
      const Block& block = blocks_[b];
      rows_.AddColumns(block_dofs_.data() + block.first_dof, block.num_dofs, J_.data() + block.first_value,
                       island.constraints[slot.constraint].dim());
    }
  }
  g0_.assign(4 * island.constraints.size(), 0.0);
  count_.assign(island.constraints.size(), 0.0);
  inverse_count_.resize(island.constraints.size());
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    std::copy_n(island.g0.data() + c.row, c.dim(), g0_.data() + 4 * i);
    for (int s = first_slot_[i]; s < first_slot_[i + 1]; ++s) count_[i] += inverse_weight_[s];
    inverse_count_[i] = count_[i] > 0.0 ? 1.0 / count_[i] : 1.0;
  }
}

void SolverSplitAdmm::CopyContacts(const Island& island) {
  contacts_.Clear(static_cast<int>(body_contacts_.size()));
  if (body_contacts_.empty()) return;
  body_dofs_.clear();
  for (const Particle& particle : particles_) body_dofs_.push_back(particle.dof);
  bodies_.Assign(*island.problem, global_dof_, body_dofs_);
  for (const auto& [constraint, source, first] : body_contacts_) {
    const BodyContact& contact = island.problem->body_contacts[source];
    const IslandConstraint& c = island.constraints[constraint];
    int particle = first;
    const int body_A = contact.dof_A < 0 ? -1 : bodies_.body_of(particles_[particle++].dof);
    const int body_B = contact.dof_B < 0 ? -1 : bodies_.body_of(particles_[particle].dof);
    contacts_.Add(c, contact, body_A, body_B, &inverse_weight_[first_slot_[constraint]],
                  island.g0.data() + c.row);
  }
}

// w_s of a slot: what its body, or all of a slot that is not split, has in the constraint's w. Of a contact
// between two bodies of one tree, w itself.
double SolverSplitAdmm::CalcSlotScale(const Island& island, const Slot& slot) const {
  const IslandConstraint& c = island.constraints[slot.constraint];
  if (slot.num_blocks != 1) return c.scale;
  const int node = blocks_[slot.first_block].node;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const IslandBlock& block = island.blocks[b];
    if (block.node != node) continue;
    const Eigen::Map<const VectorXd> rows(island.Y.data() + block.first_value,
                                          static_cast<Eigen::Index>(c.dim()) * block.num_dofs);
    return std::max(rows.squaredNorm() / c.dim(), kLeastShare * c.scale);
  }
  return c.scale;
}

// 1/ω_s = (w_s / w̄)^spread, w̄ the geometric mean; and the effective mass per contact that β begins with:
// the geometric mean over slots of 1/(w_s n), n the slots of the tree.
void SolverSplitAdmm::CalcWeights(const Island& island) {
  slots_of_node_.assign(island.nodes.size(), 0);
  const auto count_of = [this](const Slot& slot, int change) {
    int largest = 1;
    for (int b = slot.first_block; b < slot.first_block + slot.num_blocks; ++b)
      largest = std::max(largest, slots_of_node_[blocks_[b].node] += change);
    return largest;
  };
  for (const Slot& slot : slots_) count_of(slot, 1);
  inverse_weight_.resize(slots_.size());
  double log_scale = 0.0, log_count = 0.0;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    inverse_weight_[s] = CalcSlotScale(island, slots_[s]);
    log_scale += std::log(inverse_weight_[s]);
    log_count += std::log(count_of(slots_[s], 0));
  }
  const double count = std::max(static_cast<double>(slots_.size()), 1.0);
  const double mean = std::exp(log_scale / count);
  for (double& weight : inverse_weight_) weight = std::pow(weight / mean, options_.spread);
  mass_per_contact_ = std::exp(-log_count / count) / mean;
}

}  // namespace stiction

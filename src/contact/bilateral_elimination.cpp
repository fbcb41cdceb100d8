#include "contact/bilateral_elimination.h"

#include <algorithm>

#include "math/assert.h"

namespace stiction {

// Clusters first, then the nodes that belong to none.
void BilateralElimination::AddNodes() {
  node_of_node_.assign(island_->nodes.size(), -1);
  dof_of_dof_.resize(island_->num_dofs());
  int next = 0;
  for (const BilateralBasis::Cluster& cluster : basis_.clusters()) {
    for (int k = 0; k < cluster.num_nodes; ++k)
      node_of_node_[basis_.nodes()[cluster.first_node + k]] = static_cast<int>(rest_.nodes.size());
    for (int k = 0; k < cluster.num_dofs; ++k) dof_of_dof_[basis_.dofs()[cluster.first_dof + k]] = next + k;
    rest_.node_source.push_back(island_->node_source[basis_.nodes()[cluster.first_node]]);
    rest_.nodes.push_back({next, cluster.num_dofs});
    // Loops tie all dofs of a cluster together.
    rest_.begins_chain.resize(next + cluster.num_dofs, 0);
    rest_.begins_chain[next] = 1;
    next += cluster.num_dofs;
  }
  for (std::size_t node = 0; node < island_->nodes.size(); ++node) {
    if (node_of_node_[node] >= 0) continue;
    const Subsystem& from = island_->nodes[node];
    node_of_node_[node] = static_cast<int>(rest_.nodes.size());
    for (int k = 0; k < from.num_dofs; ++k) dof_of_dof_[from.first_dof + k] = next + k;
    rest_.node_source.push_back(island_->node_source[node]);
    rest_.nodes.push_back({next, from.num_dofs});
    const auto chains = island_->begins_chain.begin() + from.first_dof;
    rest_.begins_chain.insert(rest_.begins_chain.end(), chains, chains + from.num_dofs);
    next += from.num_dofs;
  }
}

// Its blocks: one per node, those of a cluster projected and dense.
void BilateralElimination::AddRow(const IslandConstraint& from) {
  IslandConstraint c = from;
  const int dim = c.dim();
  c.row = rest_.num_rows();
  c.first_block = static_cast<int>(rest_.blocks.size());
  c.num_blocks = 0;
  double shift[3] = {0.0, 0.0, 0.0};
  island_->ReadChange(from, particular_.data(), shift);
  for (int r = 0; r < dim; ++r) rest_.g0.push_back(island_->g0[from.row + r] + shift[r]);
  for (int b = from.first_block; b < from.first_block + from.num_blocks; ++b) {
    const IslandBlock& block = island_->blocks[b];
    const double* y = island_->Y.data() + block.first_value;
    const int node = node_of_node_[block.node];
    const int cluster = basis_.cluster_of_node(block.node);
    const int first_dof = rest_.nodes[node].first_dof;
    IslandBlock* to = nullptr;
    for (int k = c.first_block; k < c.first_block + c.num_blocks; ++k) {
      if (rest_.blocks[k].node == node) to = &rest_.blocks[k];
    }
    if (!to) {
      ++c.num_blocks;
      to = &rest_.blocks.emplace_back();
      to->node = node;
      to->num_dofs = cluster >= 0 ? rest_.nodes[node].num_dofs : block.num_dofs;
      to->first_dof = static_cast<int>(rest_.block_dofs.size());
      to->first_value = static_cast<int>(rest_.Y.size());
      rest_.Y.resize(rest_.Y.size() + static_cast<std::size_t>(dim) * to->num_dofs, 0.0);
      for (int k = 0; k < to->num_dofs; ++k) {
        const int dof = cluster >= 0 ? first_dof + k : dof_of_dof_[island_->block_dofs[block.first_dof + k]];
        rest_.block_dofs.push_back(dof);
      }
    }
    double* values = rest_.Y.data() + to->first_value;
    for (int r = 0; r < dim; ++r) {
      for (int k = 0; k < block.num_dofs; ++k) {
        const int at = cluster >= 0 ? dof_of_dof_[island_->block_dofs[block.first_dof + k]] - first_dof : k;
        values[r * to->num_dofs + at] += y[r * block.num_dofs + k];
      }
    }
  }
  for (int k = c.first_block; k < c.first_block + c.num_blocks; ++k) {
    const IslandBlock& block = rest_.blocks[k];
    if (block.node >= static_cast<int>(basis_.clusters().size())) continue;
    for (int r = 0; r < dim; ++r)
      basis_.ProjectCluster(basis_.clusters()[block.node], rest_.Y.data() + block.first_value +
                                                               static_cast<std::size_t>(r) * block.num_dofs);
  }
  rest_.constraints.push_back(c);
  rest_.Complete(rest_.constraints.back());
}

void BilateralElimination::Assign(const Island& island) {
  island_ = &island;
  basis_.Assign(island);
  if (!is_needed()) return;
  bilateral_g0_.resize(island.num_rows());
  for (int i = 0; i < island.num_rows(); ++i) bilateral_g0_[i] = -island.g0[i];
  particular_.assign(island.num_dofs(), 0.0);
  basis_.AddMotion(bilateral_g0_.data(), particular_.data());
  rest_.Clear();
  rest_.problem = island.problem;
  rest_.warm_penalty = island.warm_penalty;
  rest_.rests = island.rests;
  rest_.clock = island.clock;
  rest_.pool = island.pool;
  AddNodes();
  rest_.set_num_dofs(island.num_dofs());
  for (const IslandConstraint& c : island.constraints) {
    if (c.type != ConstraintType::kBilateral) AddRow(c);
  }
  slabs_.Assign(rest_);
  rest_.slabs = slabs_.is_cut() ? &slabs_ : nullptr;
}

void BilateralElimination::Split(const double* lambda, std::vector<double>& rest_lambda) const {
  rest_lambda.clear();
  for (const IslandConstraint& c : island_->constraints) {
    if (c.type != ConstraintType::kBilateral)
      rest_lambda.insert(rest_lambda.end(), lambda + c.row, lambda + c.row + c.dim());
  }
}

void BilateralElimination::Join(const double* rest_lambda, double* lambda) {
  STICTION_ASSERT(island_ != nullptr && rest_lambda != lambda);
  motion_.assign(island_->num_dofs(), 0.0);
  for (const IslandConstraint& c : island_->constraints) {
    if (c.type == ConstraintType::kBilateral) {
      lambda[c.row] = 0.0;
      continue;
    }
    std::copy_n(rest_lambda, c.dim(), lambda + c.row);
    island_->AddImpulse(c, rest_lambda, motion_.data());
    rest_lambda += c.dim();
  }
  for (int k = 0; k < island_->num_dofs(); ++k) motion_[k] = particular_[k] - motion_[k];
  basis_.CalcImpulses(motion_.data(), lambda);
}

}  // namespace stiction

// The matrix A + β Σ JᵀJ of SubADMM and its ablations: its pattern, its factor, and solves with it.
#include <algorithm>
#include <cmath>

#include "contact/solvers/split_admm.h"
#include "stiction/contact/island.h"

namespace stiction {

void SolverSplitAdmm::BuildPattern(const Island& island) {
  const BranchPattern& whole = island.problem->A.pattern();
  if (split_ == AdmmSplit::kBody) {
    parent_.resize(island.num_dofs());
    for (std::size_t n = 0; n < island.nodes.size(); ++n) {
      const auto [first, count] = island.nodes[n];
      for (int k = first; k < first + count; ++k) {
        const int above = is_dense_[n] ? (k == first ? -1 : k - 1) : whole.parent(global_dof_[k]);
        parent_[k] = is_dense_[n] || above < 0 ? above : above - global_dof_[first] + first;
      }
    }
    pattern_.Assign(parent_);
    H_.Resize(pattern_);
    composite_.resize(island.num_dofs());
    return;
  }
  edges_.clear();
  for (const Slot& slot : slots_) {
    for (int a = slot.first_block; a < slot.first_block + slot.num_blocks; ++a) {
      for (int b = a + 1; b < slot.first_block + slot.num_blocks; ++b) {
        edges_.emplace_back(std::min(blocks_[a].node, blocks_[b].node),
                            std::max(blocks_[a].node, blocks_[b].node));
      }
    }
  }
  const int num_nodes = static_cast<int>(node_sizes_.size());
  for (int a = 0; options_.matrix == WholeMatrix::kFull && split_ == AdmmSplit::kNone && a < num_nodes; ++a) {
    for (int b = a + 1; b < num_nodes; ++b) edges_.emplace_back(a, b);
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  matrix_.Analyze(node_sizes_, edges_);
}

// Composite rigid body algorithm, dof by dof: a dof carries all particles beyond it.
void SolverSplitAdmm::AddParticles(const ContactProblem& problem, double beta) {
  if (particles_.empty()) return;
  std::fill(composite_.begin(), composite_.end(), SpatialInertia{});
  for (const Particle& particle : particles_) {
    composite_[particle.dof] +=
        MakeSpatialInertia(beta / inverse_weight_[particle.slot], particle.p, Matrix3d::Zero());
  }
  const BranchPattern& trees = problem.A.pattern();
  for (int k = static_cast<int>(composite_.size()) - 1; k >= 0; --k) {
    const SpatialInertia& beyond = composite_[k];
    if (!(beyond.mass > 0.0)) continue;
    const int global = global_dof_[k];
    const Vector6d F = beyond * Vector6d(problem.motion.col(global));
    const int* columns = trees.columns(global);
    const int shift = k - global;
    double* row = H_.row(k);
    const bool is_same = pattern_.row_length(k) == trees.row_length(global);
    const int first = pattern_.columns(k)[0];
    for (int i = 0; i < trees.row_length(global); ++i) {
      row[is_same ? i : columns[i] + shift - first] += problem.motion.col(columns[i]).dot(F);
    }
    if (trees.parent(global) >= 0) composite_[trees.parent(global) + shift] += beyond;
  }
}

// H += β JᵀJ of a block whose dofs are rows and columns of H's pattern.
void SolverSplitAdmm::AddOuterProduct(const Block& block, int dim, double beta) {
  const int n = block.num_dofs;
  const int* dofs = block_dofs_.data() + block.first_dof;
  const double* J = J_.data() + block.first_value;
  const bool is_dense = is_dense_[block.node];
  for (int a = 0; a < n; ++a) {
    double* row = H_.row(dofs[a]);
    const int first = pattern_.columns(dofs[a])[0];
    for (int b = 0; b <= a; ++b) {
      double sum = 0.0;
      for (int r = 0; r < dim; ++r) sum += J[r * n + a] * J[r * n + b];
      row[is_dense ? dofs[b] - first : b] += beta * sum;
    }
  }
}

void SolverSplitAdmm::AddDenseOuterProducts(const Island& island, const Slot& slot, double beta) {
  const int dim = island.constraints[slot.constraint].dim();
  const auto add = [&](const Block& R, const Block& C, double* K, int rows) {
    const double *JR = J_.data() + R.first_value, *JC = J_.data() + C.first_value;
    const int* row = block_dofs_.data() + R.first_dof;
    const int* column = block_dofs_.data() + C.first_dof;
    const int first_row = island.nodes[R.node].first_dof, first_column = island.nodes[C.node].first_dof;
    for (int b = 0; b < C.num_dofs; ++b) {
      double* to = K + static_cast<std::ptrdiff_t>(column[b] - first_column) * rows - first_row;
      for (int r = 0; r < dim; ++r) {
        const double factor = beta * JC[r * C.num_dofs + b];
        for (int a = 0; a < R.num_dofs; ++a) to[row[a]] += JR[r * R.num_dofs + a] * factor;
      }
    }
  };
  const int end = slot.first_block + slot.num_blocks;
  for (int a = slot.first_block; a < end; ++a) {
    const Block& A = blocks_[a];
    add(A, A, matrix_.Diagonal(A.node), node_sizes_[A.node]);
    for (int b = a + 1; b < end; ++b) {
      const Block& B = blocks_[b];
      const BlockSparseSolver::Edge edge = matrix_.FindEdge(A.node, B.node);
      const Block& R = edge.i_is_row ? A : B;
      add(R, edge.i_is_row ? B : A, matrix_.Lower(edge), node_sizes_[R.node]);
    }
  }
}

// The whole matrix entry by entry, its pattern and order found anew: what a library makes of it that is told
// nothing of trees.
bool SolverSplitAdmm::FactorEntries(const Island& island, double beta) {
  const BranchSparseMatrix& A = island.problem->A;
  std::vector<Eigen::Triplet<double>> lower;
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const auto [first, count] = island.nodes[n];
    for (int k = first; k < first + count; ++k) {
      const int global = global_dof_[k];
      for (int i = 0; i < A.pattern().row_length(global); ++i)
        lower.emplace_back(k, A.pattern().columns(global)[i] - global_dof_[first] + first, A.row(global)[i]);
    }
  }
  for (std::size_t s = 0; beta > 0.0 && s < slots_.size(); ++s) {
    const Slot& slot = slots_[s];
    const int dim = island.constraints[slot.constraint].dim();
    const double slot_beta = beta / inverse_weight_[s];
    const int end = slot.first_block + slot.num_blocks;
    for (int a = slot.first_block; a < end; ++a) {
      for (int b = slot.first_block; b < end; ++b) {
        const Block &R = blocks_[a], &C = blocks_[b];
        for (int i = 0; i < R.num_dofs; ++i) {
          for (int j = 0; j < C.num_dofs; ++j) {
            const int row = block_dofs_[R.first_dof + i], column = block_dofs_[C.first_dof + j];
            if (column > row) continue;
            double sum = 0.0;
            for (int r = 0; r < dim; ++r)
              sum += J_[R.first_value + r * R.num_dofs + i] * J_[C.first_value + r * C.num_dofs + j];
            lower.emplace_back(row, column, slot_beta * sum);
          }
        }
      }
    }
  }
  Eigen::SparseMatrix<double> whole(island.num_dofs(), island.num_dofs());
  whole.setFromTriplets(lower.begin(), lower.end());
  entries_.compute(whole);
  return entries_.info() == Eigen::Success;
}

bool SolverSplitAdmm::Factor(const Island& island, double beta) {
  if (split_ == AdmmSplit::kNone && options_.matrix == WholeMatrix::kEntries)
    return FactorEntries(island, beta);
  const BranchSparseMatrix& A = island.problem->A;
  const bool is_split = split_ == AdmmSplit::kBody;
  if (is_split) {
    H_.SetZero();
  } else {
    matrix_.SetIdentity(true);
  }
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const auto [first, count] = island.nodes[n];
    for (int k = first; k < first + count; ++k) {
      const int global = global_dof_[k];
      const int* columns = A.pattern().columns(global);
      const int length = A.pattern().row_length(global);
      if (is_split) {
        double* row = H_.row(k);
        for (int i = 0; i < length; ++i)
          row[is_dense_[n] ? columns[i] - global_dof_[first] : i] += A.row(global)[i];
        continue;
      }
      double* D = matrix_.Diagonal(static_cast<int>(n));
      const int r = k - first;
      for (int i = 0; i < length; ++i) {
        const int c = columns[i] - global_dof_[first];
        D[c * count + r] = D[r * count + c] = A.row(global)[i];
      }
    }
  }
  if (beta > 0.0) {
    if (is_split) AddParticles(*island.problem, beta);
    for (std::size_t s = 0; s < slots_.size(); ++s) {
      const Slot& slot = slots_[s];
      const double slot_beta = beta / inverse_weight_[s];
      if (!is_split) {
        AddDenseOuterProducts(island, slot, slot_beta);
      } else if (!blocks_[slot.first_block].is_inertia) {
        AddOuterProduct(blocks_[slot.first_block], island.constraints[slot.constraint].dim(), slot_beta);
      }
    }
  }
  if (!is_split) return matrix_.FactorCholesky();
  if (factor_.Factor(H_) >= 0) return false;
  chains_.Assign(factor_);
  return true;
}

void SolverSplitAdmm::SolveFactored(double* x) const {
  if (split_ == AdmmSplit::kBody) {
    chains_.Solve(x);
  } else if (split_ == AdmmSplit::kNone && options_.matrix == WholeMatrix::kEntries) {
    Eigen::Map<VectorXd> all(x, entries_.rows());
    all = entries_.solve(all);
  } else {
    matrix_.Solve(x);
  }
}

}  // namespace stiction

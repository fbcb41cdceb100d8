#include "contact/scaled_hessian.h"

#include <algorithm>
#include <cmath>

#include "math/assert.h"

namespace stiction {
namespace {

// End of the run of consecutive rows that begins at `first`.
int FindRunEnd(const int* rows, int first, int count) {
  int end = first + 1;
  while (end < count && rows[end] == rows[end - 1] + 1) ++end;
  return end;
}

// C += Aᵀ S B for 3-row blocks A, B (row-major, na and nb columns), scattered to rows `ra` and columns `rb`
// of C (leading dimension ldc). Rows come in runs: a tree's base, one leg.
void AddWeighted(double* __restrict C, int ldc, const double* __restrict A, const int* ra, int na,
                 const double* __restrict B, const int* rb, int nb, const double* S, bool transpose) {
  for (int first = 0, end = 0; first < na; first = end) {
    end = FindRunEnd(ra, first, na);
    const int length = end - first;
    const double *a0 = A + first, *a1 = a0 + na, *a2 = a1 + na;
    for (int j = 0; j < nb; ++j) {
      const double b0 = B[j], b1 = B[nb + j], b2 = B[2 * nb + j];
      double t[3];
      for (int r = 0; r < 3; ++r) {
        t[r] = transpose ? S[r] * b0 + S[3 + r] * b1 + S[6 + r] * b2
                         : S[3 * r] * b0 + S[3 * r + 1] * b1 + S[3 * r + 2] * b2;
      }
      double* column = C + static_cast<std::ptrdiff_t>(rb[j]) * ldc + ra[first];
      for (int i = 0; i < length; ++i) column[i] += a0[i] * t[0] + a1[i] * t[1] + a2[i] * t[2];
    }
  }
}

void AddWeightedRow(double* C, int ldc, const double* A, const int* ra, int na, const double* B,
                    const int* rb, int nb, double s) {
  for (int j = 0; j < nb; ++j) {
    double* column = C + static_cast<std::ptrdiff_t>(rb[j]) * ldc;
    const double t = s * B[j];
    for (int i = 0; i < na; ++i) column[ra[i]] += A[i] * t;
  }
}

}  // namespace

void ScaledHessian::Assign(const Island& island) {
  const int count = island.num_constraints();
  weight_.assign(9 * static_cast<std::size_t>(count), 0.0);
  is_active_.assign(count, 0);
  node_sizes_.clear();
  for (const Subsystem& node : island.nodes) node_sizes_.push_back(node.num_dofs);

  // Number the distinct node pairs.
  sorting_.clear();
  first_pair_.assign(count + 1, 0);
  for (int i = 0; i < count; ++i) {
    const IslandConstraint& c = island.constraints[i];
    first_pair_[i] = static_cast<int>(sorting_.size());
    for (int a = 0; a < c.num_blocks; ++a) {
      for (int b = a + 1; b < c.num_blocks; ++b) {
        const int p = island.blocks[c.first_block + a].node, q = island.blocks[c.first_block + b].node;
        sorting_.push_back({{std::min(p, q), std::max(p, q)}, static_cast<int>(sorting_.size())});
      }
    }
  }
  first_pair_[count] = static_cast<int>(sorting_.size());
  constraint_pairs_.assign(sorting_.size(), 0);
  std::sort(sorting_.begin(), sorting_.end());
  pairs_.clear();
  for (const auto& [pair, slot] : sorting_) {
    if (pairs_.empty() || pairs_.back() != pair) pairs_.push_back(pair);
    constraint_pairs_[slot] = static_cast<int>(pairs_.size()) - 1;
  }
  pair_in_pattern_.assign(pairs_.size(), 0);
  pair_edge_.resize(pairs_.size());
  pattern_.clear();
  matrix_.Analyze(node_sizes_, pattern_);
}

// Open contacts put nothing into K, so the pattern holds only pairs that have been active since Assign.
void ScaledHessian::ExtendPattern(const Island& island) {
  bool grown = false;
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (!is_active_[i]) continue;
    for (int p = first_pair_[i]; p < first_pair_[i + 1]; ++p) {
      char& present = pair_in_pattern_[constraint_pairs_[p]];
      if (present) continue;
      present = 1;
      grown = true;
      pattern_.push_back(pairs_[constraint_pairs_[p]]);
    }
  }
  if (!grown) return;
  matrix_.Analyze(node_sizes_, pattern_);
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    if (pair_in_pattern_[p]) pair_edge_[p] = matrix_.FindEdge(pairs_[p].first, pairs_[p].second);
  }
}

void ScaledHessian::Assemble(const Island& island, bool is_symmetric) {
  matrix_.SetIdentity();
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (!is_active_[i]) continue;
    const IslandConstraint& c = island.constraints[i];
    const double* S = weight_.data() + 9 * i;
    const bool is_contact = c.type == ConstraintType::kContact;
    int pair = first_pair_[i];
    for (int a = 0; a < c.num_blocks; ++a) {
      const IslandBlock& A = island.blocks[c.first_block + a];
      const double* YA = island.Y.data() + A.first_value;
      const int* rows_A = island.block_node_dofs.data() + A.first_dof;
      const int nA = node_sizes_[A.node];
      double* D = matrix_.Diagonal(A.node);
      if (is_contact) {
        AddWeighted(D, nA, YA, rows_A, A.num_dofs, YA, rows_A, A.num_dofs, S, false);
      } else {
        AddWeightedRow(D, nA, YA, rows_A, A.num_dofs, YA, rows_A, A.num_dofs, S[0]);
      }
      for (int b = a + 1; b < c.num_blocks; ++b, ++pair) {
        const IslandBlock& B = island.blocks[c.first_block + b];
        const BlockSparseSolver::Edge& edge = pair_edge_[constraint_pairs_[pair]];
        // The edge was asked for as (smaller node, larger node).
        const bool A_is_row = (A.node < B.node) == edge.i_is_row;
        const IslandBlock& R = A_is_row ? A : B;
        const IslandBlock& C = A_is_row ? B : A;
        const double* YR = island.Y.data() + R.first_value;
        const double* YC = island.Y.data() + C.first_value;
        const int* rows_R = island.block_node_dofs.data() + R.first_dof;
        const int* rows_C = island.block_node_dofs.data() + C.first_dof;
        const int nR = node_sizes_[R.node];
        if (is_contact) {
          AddWeighted(matrix_.Lower(edge), nR, YR, rows_R, R.num_dofs, YC, rows_C, C.num_dofs, S, false);
          if (!is_symmetric) {
            AddWeighted(matrix_.Upper(edge), nR, YR, rows_R, R.num_dofs, YC, rows_C, C.num_dofs, S, true);
          }
        } else {
          AddWeightedRow(matrix_.Lower(edge), nR, YR, rows_R, R.num_dofs, YC, rows_C, C.num_dofs, S[0]);
          if (!is_symmetric) {
            AddWeightedRow(matrix_.Upper(edge), nR, YR, rows_R, R.num_dofs, YC, rows_C, C.num_dofs, S[0]);
          }
        }
      }
    }
  }
}

bool ScaledHessian::Factor(const Island& island, bool is_symmetric) {
  STICTION_ASSERT(is_active_.size() == island.constraints.size());
  ExtendPattern(island);
  Assemble(island, is_symmetric);
  return is_symmetric ? matrix_.FactorCholesky() : matrix_.FactorLu();
}

}  // namespace stiction

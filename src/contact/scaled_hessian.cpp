#include "contact/scaled_hessian.h"

#include <algorithm>
#include <cmath>

#include "math/assert.h"

namespace stiction {
namespace {

// The values of one piece, dim rows that stand `stride` apart.
struct Rows {
  const double* value;
  int stride;
  int count;
};

// C += Aᵀ S B (or Aᵀ Sᵀ B) for 3-row A and B; C has the leading dimension ldc. kCount: of A, 0: any.
template <int kCount>
void AddWeighted(double* __restrict C, int ldc, const Rows& A, const Rows& B, const double* S,
                 bool transpose) {
  const int count = kCount > 0 ? kCount : A.count;
  const double *a0 = A.value, *a1 = a0 + A.stride, *a2 = a1 + A.stride;
  const double *b0 = B.value, *b1 = b0 + B.stride, *b2 = b1 + B.stride;
  const int across = transpose ? 1 : 3, down = transpose ? 3 : 1;
  for (int j = 0; j < B.count; ++j) {
    double t[3];
    for (int r = 0; r < 3; ++r)
      t[r] = S[across * r] * b0[j] + S[across * r + down] * b1[j] + S[across * r + 2 * down] * b2[j];
    double* column = C + static_cast<std::ptrdiff_t>(j) * ldc;
    for (int i = 0; i < count; ++i) column[i] += a0[i] * t[0] + a1[i] * t[1] + a2[i] * t[2];
  }
}

// The same for one row, and by the size of A.
void AddProduct(double* __restrict C, int ldc, const Rows& A, const Rows& B, const double* S, int dim,
                bool transpose) {
  if (dim == 3) {
    if (A.count == 6) return AddWeighted<6>(C, ldc, A, B, S, transpose);
    if (A.count == 4) return AddWeighted<4>(C, ldc, A, B, S, transpose);
    if (A.count == 3) return AddWeighted<3>(C, ldc, A, B, S, transpose);
    return AddWeighted<0>(C, ldc, A, B, S, transpose);
  }
  for (int j = 0; j < B.count; ++j) {
    double* column = C + static_cast<std::ptrdiff_t>(j) * ldc;
    const double t = S[0] * B.value[j];
    for (int i = 0; i < A.count; ++i) column[i] += A.value[i] * t;
  }
}

}  // namespace

void ScaledHessian::AddNodes(const Island& island) {
  node_sizes_.clear();
  first_dof_.clear();
  node_of_dof_.resize(island.num_dofs());
  for (int k = 0; k < island.num_dofs(); ++k) {
    if (island.begins_chain[k]) {
      node_sizes_.push_back(0);
      first_dof_.push_back(k);
    }
    ++node_sizes_.back();
    node_of_dof_[k] = static_cast<int>(node_sizes_.size()) - 1;
  }
}

void ScaledHessian::AddPieces(const Island& island, const IslandConstraint& c) {
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const IslandBlock& block = island.blocks[b];
    const int* dofs = island.block_dofs.data() + block.first_dof;
    for (int k = 0; k < block.num_dofs; ++k) {
      const int node = node_of_dof_[dofs[k]];
      if (k == 0 || dofs[k] != dofs[k - 1] + 1 || node != pieces_.back().node)
        pieces_.push_back({node, dofs[k] - first_dof_[node], 0, block.first_value + k, block.num_dofs});
      ++pieces_.back().count;
    }
  }
}

void ScaledHessian::Assign(const Island& island) {
  STICTION_ASSERT(static_cast<int>(island.begins_chain.size()) == island.num_dofs());
  const int count = island.num_constraints();
  weight_.assign(9 * static_cast<std::size_t>(count), 0.0);
  is_active_.assign(count, 0);
  AddNodes(island);
  pieces_.clear();
  first_piece_.clear();
  for (const IslandConstraint& c : island.constraints) {
    first_piece_.push_back(static_cast<int>(pieces_.size()));
    AddPieces(island, c);
  }
  first_piece_.push_back(static_cast<int>(pieces_.size()));
  NumberPairs();
  pair_in_pattern_.assign(pairs_.size(), 0);
  pair_edge_.resize(pairs_.size());
  pattern_.clear();
  matrix_.Analyze(node_sizes_, pattern_);
}

// Numbers the distinct node pairs.
void ScaledHessian::NumberPairs() {
  sorting_.clear();
  first_pair_.clear();
  int slot = 0;
  for (std::size_t i = 0; i + 1 < first_piece_.size(); ++i) {
    first_pair_.push_back(slot);
    for (int a = first_piece_[i]; a < first_piece_[i + 1]; ++a) {
      for (int b = a + 1; b < first_piece_[i + 1]; ++b, ++slot) {
        const auto [p, q] = std::minmax(pieces_[a].node, pieces_[b].node);
        if (p != q) sorting_.push_back({{p, q}, slot});
      }
    }
  }
  first_pair_.push_back(slot);
  constraint_pairs_.assign(slot, -1);
  std::sort(sorting_.begin(), sorting_.end());
  pairs_.clear();
  for (const auto& [pair, at] : sorting_) {
    if (pairs_.empty() || pairs_.back() != pair) pairs_.push_back(pair);
    constraint_pairs_[at] = static_cast<int>(pairs_.size()) - 1;
  }
}

// Open contacts put nothing into K, so the pattern holds only pairs that have been active since Assign.
void ScaledHessian::ExtendPattern() {
  bool grown = false;
  for (std::size_t i = 0; i < is_active_.size(); ++i) {
    if (!is_active_[i]) continue;
    for (int p = first_pair_[i]; p < first_pair_[i + 1]; ++p) {
      const int pair = constraint_pairs_[p];
      if (pair < 0 || pair_in_pattern_[pair]) continue;
      pair_in_pattern_[pair] = 1;
      grown = true;
      pattern_.push_back(pairs_[pair]);
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
  const auto rows = [&](const Piece& piece) {
    return Rows{island.Y.data() + piece.value, piece.stride, piece.count};
  };
  const auto offset = [&](const Piece& row, const Piece& column) {
    return static_cast<std::ptrdiff_t>(column.first) * node_sizes_[row.node] + row.first;
  };
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (!is_active_[i]) continue;
    const double* S = weight(i);
    const int dim = island.constraints[i].dim();
    const int* pair = constraint_pairs_.data() + first_pair_[i];
    for (int a = first_piece_[i]; a < first_piece_[i + 1]; ++a) {
      const Piece& A = pieces_[a];
      const int size = node_sizes_[A.node];
      double* D = matrix_.Diagonal(A.node);
      AddProduct(D + offset(A, A), size, rows(A), rows(A), S, dim, false);
      for (int b = a + 1; b < first_piece_[i + 1]; ++b, ++pair) {
        const Piece& B = pieces_[b];
        if (*pair < 0) {
          AddProduct(D + offset(A, B), size, rows(A), rows(B), S, dim, false);
          AddProduct(D + offset(B, A), size, rows(B), rows(A), S, dim, false);
          continue;
        }
        const BlockSparseSolver::Edge& edge = pair_edge_[*pair];
        // The edge was asked for as (smaller node, larger node).
        const bool A_is_row = (A.node < B.node) == edge.i_is_row;
        const Piece &R = A_is_row ? A : B, &C = A_is_row ? B : A;
        const int height = node_sizes_[R.node];
        AddProduct(matrix_.Lower(edge) + offset(R, C), height, rows(R), rows(C), S, dim, false);
        if (!is_symmetric)
          AddProduct(matrix_.Upper(edge) + offset(R, C), height, rows(R), rows(C), S, dim, true);
      }
    }
  }
}

bool ScaledHessian::Factor(const Island& island, bool is_symmetric) {
  STICTION_ASSERT(is_active_.size() == island.constraints.size());
  ExtendPattern();
  Assemble(island, is_symmetric);
  return is_symmetric ? matrix_.FactorCholesky() : matrix_.FactorLu();
}

}  // namespace stiction

// Repeated solves with one branch-sparse matrix, faster than BranchSparseFactor's by whole vector
// instructions and without divisions.
//
// Chains of dofs without branches (a floating base, a leg) are eliminated as blocks. With A = LᵀL, for the
// rows s of a chain and its ancestors a:
//
//   K_s = L_ss⁻¹ L_sa,   D_s = L_ss⁻¹ L_ss⁻ᵀ
//   up:    x_a -= K_sᵀ x_s        from the leaves
//   down:  x_s <- D_s x_s − K_s x_a
//
// D_s are explicit inverses of blocks of at most six rows: the error of a solution grows with their condition
// number, as it does for A.
#pragma once

#include <vector>

#include "stiction/math/row_chunks.h"
#include "stiction/math/branch_sparse.h"

namespace stiction {

class BranchChains {
 public:
  // Converts a factor.
  void Assign(const BranchSparseFactor& factor);
  // x <- A⁻¹ x; x has RowChunks::kPadding finite values behind its end.
  void Solve(double* x) const;

 private:
  static constexpr int kMaxSize = 6;
  struct Chain {
    int first = 0;
    int size = 0;
    RowChunks::Range ancestors{};  // −K_s
    RowChunks::Range path{};       // [−K_s D_s]
  };

  void AddChain(const BranchSparseFactor& factor, int first, int size);
  template <int size>
  void SolveUp(const Chain& chain, double* x) const;
  template <int size>
  void SolveDown(const Chain& chain, double* x) const;

  std::vector<Chain> chains_;
  std::vector<int> num_children_;
  std::vector<double> work_;  // rows of one chain
  RowChunks rows_;
};

}  // namespace stiction

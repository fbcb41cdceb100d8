// K = 1 + Yᵀ S Y over an island, S a small block a constraint: the matrix of every Newton step, and of every
// penalty method, in the scaled unknown δ (contact/island.h). One block row per chain of a kinematic tree (a
// base, a leg): δ knows no joints, so that chains need not stand together, and a foot on the floor fills two
// small blocks instead of its robot's. S = 0 (open contacts) leaves no trace. Where A is sparse in any way, K
// is factored in A's dofs instead (contact/sparse_hessian.h).
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "math/block_sparse.h"
#include "stiction/contact/island.h"

namespace stiction {

class SparseHessian;
class TaskPool;

class ScaledHessian {
 public:
  ScaledHessian();
  ~ScaledHessian();
  // Sizes everything for the island: all constraints inactive.
  void Assign(const Island& island);

  // S of constraint i: 3 x 3, row-major; one-row constraints use the first value. Ignored while inactive.
  double* weight(int i) { return weight_.data() + 9 * static_cast<std::size_t>(i); }
  bool is_active(int i) const { return is_active_[i] != 0; }
  void set_active(int i, bool is_active) { is_active_[i] = is_active; }

  // Assembles and factors, by the island's threads. False if a pivot vanishes or is not finite. The pattern
  // holds the pairs of chains that have been active since Assign; it is analysed again only when one is
  // added.
  //   is_symmetric  every S is symmetric and positive semidefinite: Cholesky; else LU, unless Cholesky does
  [[nodiscard]] bool Factor(const Island& island, bool is_symmetric);
  // 1 or -1: of det K, where A is a tree's.
  int CalcDeterminantSign() const { return matrix_.CalcDeterminantSign(); }
  // x <- K⁻¹ x, size num_dofs.
  void Solve(double* x) const { is_sparse_ ? SolveSparse(x) : matrix_.Solve(x, pool_); }
  // y = Y K⁻¹ Yᵀ λ, by rows: how velocities answer impulses through K.
  //   delta  room for num_dofs numbers
  void SolveRows(const Island& island, const double* lambda, double* delta, double* y) const;
  // Allocates for CalcCoupling of so many constraints of the island, so that none of them allocates later.
  void ReserveCoupling(int max_group);
  // C = Y_G K⁻¹ Y_Gᵀ of a few constraints: how their velocities answer their impulses through K.
  //   group  indices of constraints
  //   C      out: by rows of the group, column-major
  void CalcCoupling(const Island& island, std::span<const int> group, double* C);

 private:
  // What a row has in one chain: consecutive dofs of it.
  struct Piece {
    int node;   // chain
    int first;  // dof in it
    int count;
    int value;   // into Island::Y
    int stride;  // from one row's values to the next one's
  };

  struct Weighted {
    const double *plain, *transposed;
  };
  // S Y and Sᵀ Y of one constraint, with room for the longest.
  struct Scratch {
    std::vector<double> weighted, transposed;
  };

  void SolveSparse(double* x) const;
  void AddNodes(const Island& island);
  void AddPieces(const Island& island, const IslandConstraint& c);
  void NumberPairs();
  void ListPairs();
  void ExtendPattern();
  Weighted WeighPieces(const Island& island, int i, Scratch& scratch);
  void AddBlock(const Island& island, const Piece& R, const Piece& C, int dim, const double* T, double* block,
                double* twin = nullptr);
  void Assemble(const Island& island, bool is_symmetric);
  void ChooseRanges();
  // What active constraints put into the blocks of some nodes, [begin, end): those on the diagonal, and those
  // off it whose smaller node is one of them.
  void AssembleNodes(const Island& island, bool is_symmetric, int begin, int end, Scratch& scratch);
  void AssembleConstraint(const Island& island, bool is_symmetric, int i, int begin, int end,
                          Scratch& scratch);
  bool HasSymmetricWeights(const Island& island) const;
  // The first of the places of its nodes in the elimination tree.
  int FindPlace(int i) const;
  void ArrangeGroup(const Island& island, std::span<const int> group);
  void CalcSparseCoupling(const Island& island, std::span<const int> group, int num_rows, double* C);

  std::vector<double> weight_;
  std::vector<char> is_active_;
  BlockSparseSolver matrix_;
  std::vector<int> node_sizes_;
  std::vector<int> node_of_dof_, first_dof_;  // by dof; by node
  std::vector<Piece> pieces_;
  std::vector<int> first_piece_;            // one per constraint and one more, into pieces_
  std::vector<std::pair<int, int>> pairs_;  // distinct node pairs that share a constraint, the smaller first
  std::vector<char> pair_in_pattern_;
  std::vector<BlockSparseSolver::Edge> pair_edge_;
  std::vector<int> first_pair_;        // one per constraint, into constraint_pairs_; neighbours may share one
  std::vector<int> constraint_pairs_;  // pair ids for every two pieces of a constraint; -1: of the same node
  // To number them: the node pairs of constraint_pairs_, its indices by the larger node, and the latest id by
  // the smaller one.
  std::vector<std::pair<int, int>> named_;
  std::vector<int> first_gathered_, gathered_, number_;
  std::vector<std::pair<int, int>> pattern_;
  bool is_analyzed_ = false;        // what is in pattern_, by matrix_
  const TaskPool* pool_ = nullptr;  // the island's
  std::vector<Scratch> scratch_;    // one per range of nodes
  std::size_t scratch_size_ = 0;
  std::vector<int> range_begin_;  // nodes of about as many pieces each, a range per thread; and their number
  // Of a group whose coupling is asked for: its members as the matrix takes them, and their rows.
  struct Member {
    int constraint, place, row;
  };
  std::vector<Member> arranged_;
  std::vector<int> group_rows_;
  std::vector<BlockSparseSolver::NodeRows> group_nodes_;
  std::vector<double> response_;  // of a row, where A is sparse
  bool is_sparse_ = false;
  std::unique_ptr<SparseHessian> sparse_;  // once there was an island that needs it
};

}  // namespace stiction

// Direct solver for matrices of dense blocks with a symmetric block pattern: one block row per chain of a
// kinematic tree, one block off the diagonal for every two chains that share an active contact.
//
//   Analyze         elimination order by minimum degree, fill, storage and the list of updates: symbolic,
//                   once per contact graph
//   values          written by the caller through Diagonal(), Lower() and Upper()
//   FactorLu        K = (I + X)(D + U): K need not be symmetric; partial pivoting inside diagonal blocks
//   FactorCholesky  K symmetric positive definite: reads and writes the lower blocks only, half the work
//
// Off-diagonal blocks of the upper triangle are stored transposed, with the layout of their mirror image, so
// that one kernel, C −= A Bᵀ, does all the work:
//
//   column k:  [ D_k | L(i1,k) L(i2,k) ... ]
//
// each L(i,k) is n_i x n_k, column-major; U(k,i)ᵀ stands likewise in an array of its own.
//
// Of many nodes the order is such that threads can share the work: subtrees of the elimination tree, put
// together in shares of about equal work, stand one share after another, and what they have in common stands
// behind all of them. Shares are eliminated at the same time, but for what they are in the common columns;
// then each common column takes what all shares are in it; then the common columns are eliminated one after
// the other, the updates of each at the same time. Every block takes its updates in the order of the columns
// that they come from, whoever makes them: the bits are those of one thread.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "stiction/math/index_range.h"

namespace stiction {

class TaskPool;

class BlockSparseSolver {
 public:
  // sizes[i]: rows of block row i. edges: pairs (i, j), i != j, of block rows with off-diagonal blocks;
  // repetitions are allowed.
  void Analyze(const std::vector<int>& sizes, const std::vector<std::pair<int, int>>& edges);

  int num_nodes() const { return static_cast<int>(size_.size()); }
  // Doubles in one triangle, fill included.
  std::size_t num_values() const { return lower_.size(); }

  // Sets K to the identity. Where only FactorCholesky follows, `is_symmetric` leaves the upper blocks as they
  // are.
  void SetIdentity(bool is_symmetric = false, const TaskPool* pool = nullptr);
  // Column-major blocks to add to. Diagonal: n_i x n_i.
  double* Diagonal(int i) { return diagonal_.data() + diagonal_begin_[position_[i]]; }
  // A handle of the blocks of edge {i, j}, which must be one of Analyze's.
  struct Edge {
    std::size_t begin = 0;  // of the block in either array
    bool i_is_row = false;  // the block is stored as n_i x n_j (else n_j x n_i)
  };
  Edge FindEdge(int i, int j) const;
  // The stored blocks of an edge with row node r and column node c (r eliminated after c): Lower is K(r,c),
  // Upper is K(c,r)ᵀ, both n_r x n_c.
  double* Lower(const Edge& edge) { return lower_.data() + edge.begin; }
  double* Upper(const Edge& edge) { return upper_.data() + edge.begin; }

  // False if a pivot vanishes (or, for Cholesky, is not positive) or is not finite.
  //   pool  who shares the work; null: the caller's thread alone
  [[nodiscard]] bool FactorLu(const TaskPool* pool = nullptr);
  [[nodiscard]] bool FactorCholesky(const TaskPool* pool = nullptr);
  // 1 or -1: of det K, by the latest factorisation.
  int CalcDeterminantSign() const;
  // x <- K⁻¹ x with the latest factorisation; x in the caller's order of rows (block rows one after another).
  void Solve(double* x, const TaskPool* pool = nullptr) const;

  // C = R K⁻¹ Rᵀ of a few sparse rows R, by a forward substitution from either side: only the nodes of R and
  // what stands above them in the elimination tree are touched, and there only by the rows from the first to
  // the last that reach them: those that stand in the order of the places of their nodes are few. BeginRows,
  // then write through Rows, then CalcCoupling with the latest factorisation, which leaves nothing in Rows to
  // be used. What ReserveRows was told of allocates no more.
  //   nodes  the only ones where R is not zero, and the rows [begin, end) that are not zero there;
  //   repetitions
  //          are allowed
  //   count  rows of R
  //   size   of K, the sum of its nodes'
  struct NodeRows {
    int node, begin, end;
  };
  void ReserveRows(int size, int count);
  void BeginRows(std::span<const NodeRows> nodes, int count);
  // Of a node among all, where those of a subtree of the elimination tree stand together.
  int place(int node) const { return place_[position_[node]]; }
  // Rᵀ in a node: n_i lines, row_stride() apart, of a value per row of R; zero after BeginRows.
  double* Rows(int node) { return left_.data() + rows_begin_[position_[node]]; }
  int row_stride() const { return row_stride_; }
  //   rows  those of C that the rows of R become
  //   C     out: count x count, column-major
  void CalcCoupling(std::span<const int> rows, double* C);

 private:
  void Order(const std::vector<std::pair<int, int>>& edges);
  // Gives the node another degree.
  void Reenter(int node, std::uint32_t degree);
  // The positions of node_ become those of shares and common columns.
  void ShareOut();
  void MeasureSubtrees();
  void FillShares();
  void ListRows();
  void ListCommonUpdates();
  bool is_shared(const TaskPool* pool) const;
  [[nodiscard]] bool FactorTogether(const TaskPool& pool);
  template <int kSize>
  [[nodiscard]] bool DivideLu(int k);
  template <int kSize>
  [[nodiscard]] bool DivideCholesky(int k);
  // What the column at position k is in the columns of some of its blocks' rows, or of one's.
  void Update(int k, int begin, int end);
  template <int kSize>
  void UpdateLu(int k, int b);
  template <int kSize>
  void UpdateCholesky(int k, int b);
  [[nodiscard]] bool Divide(int k);
  [[nodiscard]] bool FactorAll(const TaskPool* pool);
  const int* FindTargets(int k, int b) const;
  void SubtractLower(int k, int begin, int end, double* x) const;
  template <int kSize>
  void SubtractLowerOf(int k, int begin, int end, double* x) const;
  template <int kSize>
  void SubtractUpper(int k, const double* upper, double* x) const;
  void SolveForward(int k, int end, double* x) const;
  void SolveBackward(int k, double* x) const;
  void NumberPlaces();
  void SubtractRows(int k, const double* blocks, std::vector<double>& rows) const;
  void DivideRows(int k, double* rows) const;
  void AddProduct(int k, const double* left, const double* right);

  std::vector<int> size_;                    // by node
  std::vector<int> begin_;                   // first row of a node in the caller's vectors
  std::vector<int> position_;                // elimination position of a node
  std::vector<int> node_;                    // node at a position
  std::vector<std::size_t> diagonal_begin_;  // by position
  std::vector<int> column_begin_;            // by position, into rows_ and block_begin_; size num_nodes + 1
  std::vector<int> rows_;                    // positions below the diagonal, ascending
  std::vector<std::size_t> block_begin_;     // of block (rows_[b], k) in lower_ and upper_
  std::vector<int> target_;        // update list: block index b, or -1 - position for a diagonal block
  std::vector<int> target_begin_;  // by position
  std::vector<std::uint64_t> adjacency_;
  // Entries of the nodes still to eliminate, from place num_nodes on; the lesser one of places 2k and 2k + 1
  // stands at k too, so that the least is at 1.
  std::vector<std::uint64_t> tournament_;
  // Shares of columns, by position; empty where they are few. All columns from first_common_ on are common.
  std::vector<int> share_begin_;  // one per share, and first_common_
  int first_common_ = 0;
  std::vector<int> common_block_;  // by position: a column's first block in a common row
  struct CommonUpdate {
    int column, block;
  };
  std::vector<CommonUpdate> common_updates_;  // of shares, by common column, ascending
  std::vector<int> common_begin_;             // by common column, into them
  // Scratch of ShareOut, by position.
  std::vector<int> parent_, share_, ordered_;
  std::vector<double> work_;
  std::vector<std::pair<double, int>> roots_;
  std::vector<double> diagonal_, lower_, upper_;
  std::vector<int> pivots_;  // row exchanges of the diagonal blocks
  std::vector<int> pivot_begin_;
  bool is_cholesky_ = false;
  std::vector<int> place_;               // by position
  std::vector<int> subtree_, free_end_;  // scratch of NumberPlaces: nodes; end of places not yet taken
  int num_rows_ = 0, row_stride_ = 0;    // of R; of its lines
  std::vector<IndexRange> touching_;     // by position: rows of R, in whole lanes; no end: none
  std::vector<std::size_t> rows_begin_;  // by position, of those touched, into left_ and right_
  std::vector<double> left_, right_;     // lines of Rᵀ
  std::vector<double> product_;          // C, its columns row_stride_ apart
};

}  // namespace stiction

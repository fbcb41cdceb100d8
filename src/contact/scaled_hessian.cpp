#include "contact/scaled_hessian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/sparse_hessian.h"
#include "math/assert.h"
#include "math/dense_block.h"
#include "math/task_pool.h"

namespace stiction {
namespace {

constexpr int kLeastNodes = 8;  // whose blocks are worth handing to another thread

// C += Aᵀ T for dim-row A and T; columns of C stand ldc apart, rows of A and T a_stride and t_stride.
// kRows, kColumns: of C, 0: any.
template <int dim, int kRows, int kColumns>
void AddProduct(double* __restrict C, int ldc, const double* __restrict A, int a_stride,
                const double* __restrict T, int t_stride, int num_rows, int num_columns) {
  const int columns = kColumns > 0 ? kColumns : num_columns;
  if constexpr (kRows > 0) {
    dense::Strip<kRows> rows[dim];
    dense::Unroll<dim>([&](auto r) { rows[r] = dense::Strip<kRows>::Load(A + r * a_stride); });
    for (int j = 0; j < columns; ++j) {
      double* column = C + static_cast<std::ptrdiff_t>(j) * ldc;
      auto product = rows[0];
      product *= T[j];
      dense::Unroll<dim - 1>([&](auto r) { product.AddTimes(rows[r + 1], T[(r + 1) * t_stride + j]); });
      auto sum = dense::Strip<kRows>::Load(column);
      sum += product;
      sum.Store(column);
    }
    return;
  }
  for (int j = 0; j < columns; ++j) {
    double* column = C + static_cast<std::ptrdiff_t>(j) * ldc;
    for (int i = 0; i < num_rows; ++i) {
      double sum = A[i] * T[j];
      for (int r = 1; r < dim; ++r) sum += A[r * a_stride + i] * T[r * t_stride + j];
      column[i] += sum;
    }
  }
}

// The same product added to two blocks of like layout.
template <int dim, int kRows, int kColumns>
void AddProductTwice(double* __restrict C, double* __restrict D, int ldc, const double* __restrict A,
                     int a_stride, const double* __restrict T, int t_stride, int num_rows, int num_columns) {
  if constexpr (kRows > 0 && kColumns > 0) {
    dense::Strip<kRows> rows[dim];
    dense::Unroll<dim>([&](auto r) { rows[r] = dense::Strip<kRows>::Load(A + r * a_stride); });
    for (int j = 0; j < kColumns; ++j) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(j) * ldc;
      auto product = rows[0];
      product *= T[j];
      dense::Unroll<dim - 1>([&](auto r) { product.AddTimes(rows[r + 1], T[(r + 1) * t_stride + j]); });
      for (double* column : {C + at, D + at}) {
        auto sum = dense::Strip<kRows>::Load(column);
        sum += product;
        sum.Store(column);
      }
    }
  } else {
    AddProduct<dim, kRows, kColumns>(C, ldc, A, a_stride, T, t_stride, num_rows, num_columns);
    AddProduct<dim, kRows, kColumns>(D, ldc, A, a_stride, T, t_stride, num_rows, num_columns);
  }
}

// T = S Y, or Sᵀ Y, for kCount columns, 0: any.
template <int kCount>
void Weigh(const double* __restrict S, bool transpose, const double* __restrict Y, int stride,
           int num_columns, double* __restrict T) {
  const int across = transpose ? 1 : 3, down = transpose ? 3 : 1;
  if constexpr (kCount > 0) {
    dense::Strip<kCount> rows[3];
    dense::Unroll<3>([&](auto r) { rows[r] = dense::Strip<kCount>::Load(Y + r * stride); });
    for (int r = 0; r < 3; ++r) {
      auto sum = rows[0];
      sum *= S[across * r];
      sum.AddTimes(rows[1], S[across * r + down]);
      sum.AddTimes(rows[2], S[across * r + 2 * down]);
      sum.Store(T + r * kCount);
    }
    return;
  }
  for (int r = 0; r < 3; ++r) {
    const double s0 = S[across * r], s1 = S[across * r + down], s2 = S[across * r + 2 * down];
    for (int k = 0; k < num_columns; ++k)
      T[r * num_columns + k] = s0 * Y[k] + s1 * Y[stride + k] + s2 * Y[2 * stride + k];
  }
}

bool IsSymmetric(const double* S) {
  return S[1] == S[3] && S[2] == S[6] && S[5] == S[7];
}

}  // namespace

ScaledHessian::ScaledHessian() = default;
ScaledHessian::~ScaledHessian() = default;

void ScaledHessian::SolveSparse(double* x) const {
  sparse_->Solve(x);
}

void ScaledHessian::SolveRows(const Island& island, const double* lambda, double* delta, double* y) const {
  if (is_sparse_) return sparse_->SolveRows(lambda, y);
  island.MapImpulses(lambda, delta);
  Solve(delta);
  island.Multiply(delta, y);
}

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
  std::size_t columns = 0;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const IslandBlock& block = island.blocks[b];
    const int* dofs = island.block_dofs.data() + block.first_dof;
    columns += block.num_dofs;
    for (int k = 0; k < block.num_dofs; ++k) {
      const int node = node_of_dof_[dofs[k]];
      if (k == 0 || dofs[k] != dofs[k - 1] + 1 || node != pieces_.back().node)
        pieces_.push_back({node, dofs[k] - first_dof_[node], 0, block.first_value + k, block.num_dofs});
      ++pieces_.back().count;
    }
  }
  scratch_size_ = std::max(scratch_size_, c.dim() * columns);
}

void ScaledHessian::ChooseRanges() {
  const int num_nodes = static_cast<int>(node_sizes_.size());
  const int num_ranges = pool_ == nullptr ? 1 : pool_->CountPieces(num_nodes, kLeastNodes);
  range_begin_.assign(1, 0);
  if (num_ranges > 1) {
    number_.assign(num_nodes, 0);  // of pieces
    for (const Piece& piece : pieces_) ++number_[piece.node];
    const double share = static_cast<double>(pieces_.size()) / num_ranges;
    int sum = 0;
    for (int node = 0; node < num_nodes; ++node) {
      if (sum >= share * static_cast<double>(range_begin_.size())) range_begin_.push_back(node);
      sum += number_[node];
    }
  }
  range_begin_.push_back(num_nodes);
  if (scratch_.size() + 1 < range_begin_.size()) scratch_.resize(range_begin_.size() - 1);
  for (Scratch& scratch : scratch_) {
    if (scratch.weighted.size() >= scratch_size_) continue;
    scratch.weighted.resize(scratch_size_);
    scratch.transposed.resize(scratch_size_);
  }
}

void ScaledHessian::Assign(const Island& island) {
  STICTION_ASSERT(static_cast<int>(island.begins_chain.size()) == island.num_dofs());
  const int count = island.num_constraints();
  weight_.assign(9 * static_cast<std::size_t>(count), 0.0);
  is_active_.assign(count, 0);
  is_sparse_ = island.sparse != nullptr;
  if (is_sparse_) {
    if (!sparse_) sparse_ = std::make_unique<SparseHessian>();
    sparse_->Assign(island);
    return;
  }
  pool_ = island.pool;
  AddNodes(island);
  pieces_.clear();
  first_piece_.clear();
  for (const IslandConstraint& c : island.constraints) {
    first_piece_.push_back(static_cast<int>(pieces_.size()));
    AddPieces(island, c);
  }
  first_piece_.push_back(static_cast<int>(pieces_.size()));
  ChooseRanges();
  NumberPairs();
  pair_in_pattern_.assign(pairs_.size(), 0);
  pair_edge_.resize(pairs_.size());
  pattern_.clear();
  is_analyzed_ = false;
}

// Numbers the distinct node pairs, in time linear in what the constraints name: those of one larger node are
// gathered, so that a number by the smaller one tells whether a pair is new. Contacts of the same two bodies
// follow one another, and share what is found.
void ScaledHessian::NumberPairs() {
  ListPairs();
  const int num_nodes = static_cast<int>(node_sizes_.size()), count = static_cast<int>(named_.size());
  gathered_.resize(count);
  for (int node = 0; node < num_nodes; ++node) first_gathered_[node + 1] += first_gathered_[node];
  for (int k = count - 1; k >= 0; --k) gathered_[--first_gathered_[named_[k].second + 1]] = k;
  constraint_pairs_.resize(count);
  pairs_.clear();
  number_.assign(num_nodes, -1);
  for (const int k : gathered_) {
    const auto& [low, high] = named_[k];
    if (low != high && (number_[low] < 0 || pairs_[number_[low]].second != high)) {
      number_[low] = static_cast<int>(pairs_.size());
      pairs_.push_back(named_[k]);
    }
    constraint_pairs_[k] = low == high ? -1 : number_[low];
  }
}

// The pairs that constraints name, the smaller node first, and how many have each larger node.
void ScaledHessian::ListPairs() {
  named_.clear();
  first_pair_.clear();
  first_gathered_.assign(node_sizes_.size() + 1, 0);
  const auto is_same_node = [](const Piece& a, const Piece& b) { return a.node == b.node; };
  const auto piece = [this](std::size_t i) { return pieces_.begin() + first_piece_[i]; };
  for (std::size_t i = 0; i + 1 < first_piece_.size(); ++i) {
    if (i > 0 && std::equal(piece(i - 1), piece(i), piece(i), piece(i + 1), is_same_node)) {
      first_pair_.push_back(first_pair_.back());
      continue;
    }
    first_pair_.push_back(static_cast<int>(named_.size()));
    for (auto a = piece(i); a < piece(i + 1); ++a) {
      for (auto b = a + 1; b < piece(i + 1); ++b) {
        named_.push_back(std::minmax(a->node, b->node));
        ++first_gathered_[named_.back().second + 1];
      }
    }
  }
}

// Open contacts put nothing into K, so the pattern holds only pairs that have been active since Assign.
void ScaledHessian::ExtendPattern() {
  bool grown = !is_analyzed_;
  for (std::size_t i = 0; i < is_active_.size(); ++i) {
    if (!is_active_[i]) continue;
    const int num_pieces = first_piece_[i + 1] - first_piece_[i], begin = first_pair_[i];
    for (int p = begin; p < begin + num_pieces * (num_pieces - 1) / 2; ++p) {
      const int pair = constraint_pairs_[p];
      if (pair < 0 || pair_in_pattern_[pair]) continue;
      pair_in_pattern_[pair] = 1;
      grown = true;
      pattern_.push_back(pairs_[pair]);
    }
  }
  if (!grown) return;
  is_analyzed_ = true;
  matrix_.Analyze(node_sizes_, pattern_);
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    if (pair_in_pattern_[p]) pair_edge_[p] = matrix_.FindEdge(pairs_[p].first, pairs_[p].second);
  }
}

// S Y and Sᵀ Y of the pieces of constraint i, one after another.
ScaledHessian::Weighted ScaledHessian::WeighPieces(const Island& island, int i, Scratch& scratch) {
  const double* S = weight(i);
  const int dim = island.constraints[i].dim();
  const bool is_same = dim == 1 || IsSymmetric(S);
  std::size_t at = 0;
  for (int a = first_piece_[i]; a < first_piece_[i + 1]; ++a) {
    const Piece& piece = pieces_[a];
    const double* Y = island.Y.data() + piece.value;
    dense::DispatchSize(piece.count, [&](auto count) {
      if (dim == 3) {
        Weigh<count()>(S, false, Y, piece.stride, piece.count, scratch.weighted.data() + at);
        if (!is_same) Weigh<count()>(S, true, Y, piece.stride, piece.count, scratch.transposed.data() + at);
      } else {
        for (int k = 0; k < piece.count; ++k) scratch.weighted[at + k] = S[0] * Y[k];
      }
    });
    at += dim * static_cast<std::size_t>(piece.count);
  }
  return {scratch.weighted.data(), is_same ? scratch.weighted.data() : scratch.transposed.data()};
}

// The block of R's node and C's gets Yᵀ T; so does its twin, if it is not null.
void ScaledHessian::AddBlock(const Island& island, const Piece& R, const Piece& C, int dim, const double* T,
                             double* block, double* twin) {
  const int height = node_sizes_[R.node];
  const std::ptrdiff_t corner = static_cast<std::ptrdiff_t>(C.first) * height + R.first;
  const double* Y = island.Y.data() + R.value;
  const auto add = [&](auto rows_of_c, auto rows, auto columns) {
    constexpr int kDim = rows_of_c(), kRows = rows(), kColumns = columns();
    if (twin == nullptr) {
      AddProduct<kDim, kRows, kColumns>(block + corner, height, Y, R.stride, T, C.count, R.count, C.count);
    } else {
      AddProductTwice<kDim, kRows, kColumns>(block + corner, twin + corner, height, Y, R.stride, T, C.count,
                                             R.count, C.count);
    }
  };
  dense::DispatchSize(R.count, [&](auto rows) {
    dense::DispatchSize(C.count, [&](auto columns) {
      if (dim == 3) {
        add(dense::Size<3>(), rows, columns);
      } else {
        add(dense::Size<1>(), rows, columns);
      }
    });
  });
}

// Each block takes what constraints put into it in their order, whoever does it.
void ScaledHessian::Assemble(const Island& island, bool is_symmetric) {
  matrix_.SetIdentity(is_symmetric, pool_);
  const int num_ranges = static_cast<int>(range_begin_.size()) - 1;
  const auto assemble = [&](int range) {
    AssembleNodes(island, is_symmetric, range_begin_[range], range_begin_[range + 1], scratch_[range]);
  };
  if (num_ranges == 1) return assemble(0);
  pool_->ForEach(num_ranges, assemble);
}

[[gnu::always_inline]] inline void ScaledHessian::AssembleConstraint(const Island& island, bool is_symmetric,
                                                                     int i, int begin, int end,
                                                                     Scratch& scratch) {
  const Weighted T = WeighPieces(island, i, scratch);
  const int dim = island.constraints[i].dim();
  const int* pair = constraint_pairs_.data() + first_pair_[i];
  const auto is_own = [&](int node) { return begin <= node && node < end; };
  std::size_t at_a = 0;
  for (int a = first_piece_[i]; a < first_piece_[i + 1]; ++a) {
    const Piece& A = pieces_[a];
    double* D = matrix_.Diagonal(A.node);
    if (is_own(A.node)) AddBlock(island, A, A, dim, T.plain + at_a, D);
    std::size_t at_b = at_a + dim * static_cast<std::size_t>(A.count);
    for (int b = a + 1; b < first_piece_[i + 1]; ++b, ++pair) {
      const Piece& B = pieces_[b];
      const std::size_t at = at_b;
      at_b += dim * static_cast<std::size_t>(B.count);
      if (!is_own(std::min(A.node, B.node))) continue;
      if (*pair < 0) {
        AddBlock(island, A, B, dim, T.plain + at, D);
        AddBlock(island, B, A, dim, T.plain + at_a, D);
        continue;
      }
      const BlockSparseSolver::Edge& edge = pair_edge_[*pair];
      // The edge was asked for as (smaller node, larger node).
      const bool A_is_row = (A.node < B.node) == edge.i_is_row;
      const Piece &R = A_is_row ? A : B, &C = A_is_row ? B : A;
      const std::size_t at_c = A_is_row ? at : at_a;
      double* upper = is_symmetric ? nullptr : matrix_.Upper(edge);
      const bool is_same = T.plain == T.transposed;
      AddBlock(island, R, C, dim, T.plain + at_c, matrix_.Lower(edge), is_same ? upper : nullptr);
      if (upper != nullptr && !is_same) AddBlock(island, R, C, dim, T.transposed + at_c, upper);
    }
    at_a += dim * static_cast<std::size_t>(A.count);
  }
}

void ScaledHessian::AssembleNodes(const Island& island, bool is_symmetric, int begin, int end,
                                  Scratch& scratch) {
  const bool is_all = begin == 0 && end == static_cast<int>(node_sizes_.size());
  const auto is_own = [&](const Piece& piece) { return begin <= piece.node && piece.node < end; };
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (!is_active_[i]) continue;
    const auto first = pieces_.begin() + first_piece_[i], last = pieces_.begin() + first_piece_[i + 1];
    if (is_all || std::any_of(first, last, is_own))
      AssembleConstraint(island, is_symmetric, i, begin, end, scratch);
  }
}

// Whether K is symmetric: no contact slides.
bool ScaledHessian::HasSymmetricWeights(const Island& island) const {
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (is_active_[i] && island.constraints[i].dim() == 3 &&
        !IsSymmetric(weight_.data() + 9 * std::size_t(i)))
      return false;
  }
  return true;
}

bool ScaledHessian::Factor(const Island& island, bool is_symmetric) {
  STICTION_ASSERT(is_active_.size() == island.constraints.size());
  if (is_sparse_) return sparse_->Factor(island, weight_, is_active_, is_symmetric);
  ExtendPattern();
  if (is_symmetric || HasSymmetricWeights(island)) {
    Assemble(island, true);
    if (matrix_.FactorCholesky(pool_)) return true;
    if (is_symmetric) return false;
  }
  Assemble(island, false);
  return matrix_.FactorLu(pool_);
}

void ScaledHessian::ReserveCoupling(int max_group) {
  if (is_sparse_ || max_group == 0) return;
  group_nodes_.reserve(pieces_.size());
  arranged_.reserve(max_group);
  group_rows_.reserve(3 * static_cast<std::size_t>(max_group));
  matrix_.ReserveRows(static_cast<int>(node_of_dof_.size()), 3 * max_group);
}

int ScaledHessian::FindPlace(int i) const {
  int first = std::numeric_limits<int>::max();
  for (int p = first_piece_[i]; p < first_piece_[i + 1]; ++p)
    first = std::min(first, matrix_.place(pieces_[p].node));
  return first;
}

// The members of a group in the order of their places, with the first row of each among those of the group.
void ScaledHessian::ArrangeGroup(const Island& island, std::span<const int> group) {
  arranged_.clear();
  int row = 0;
  for (const int i : group) {
    arranged_.push_back({i, FindPlace(i), row});
    row += island.constraints[i].dim();
  }
  std::sort(arranged_.begin(), arranged_.end(), [](const Member& a, const Member& b) {
    return a.place != b.place ? a.place < b.place : a.row < b.row;
  });
}

void ScaledHessian::CalcCoupling(const Island& island, std::span<const int> group, double* C) {
  int num_rows = 0;
  for (const int i : group) num_rows += island.constraints[i].dim();
  if (is_sparse_) return CalcSparseCoupling(island, group, num_rows, C);
  ArrangeGroup(island, group);
  group_nodes_.clear();
  group_rows_.clear();
  for (const Member& member : arranged_) {
    const int dim = island.constraints[member.constraint].dim();
    const int begin = static_cast<int>(group_rows_.size());
    for (int p = first_piece_[member.constraint]; p < first_piece_[member.constraint + 1]; ++p)
      group_nodes_.push_back({pieces_[p].node, begin, begin + dim});
    for (int r = 0; r < dim; ++r) group_rows_.push_back(member.row + r);
  }
  matrix_.BeginRows(group_nodes_, num_rows);
  int row = 0;
  for (const Member& member : arranged_) {
    const int dim = island.constraints[member.constraint].dim();
    for (int p = first_piece_[member.constraint]; p < first_piece_[member.constraint + 1]; ++p) {
      const Piece& piece = pieces_[p];
      double* line = matrix_.Rows(piece.node) + piece.first * matrix_.row_stride() + row;
      for (int k = 0; k < piece.count; ++k, line += matrix_.row_stride()) {
        for (int r = 0; r < dim; ++r) line[r] += island.Y[piece.value + r * piece.stride + k];
      }
    }
    row += dim;
  }
  matrix_.CalcCoupling(group_rows_, C);
}

void ScaledHessian::CalcSparseCoupling(const Island& island, std::span<const int> group, int num_rows,
                                       double* C) {
  for (const int i : group) {
    const IslandConstraint& c = island.constraints[i];
    for (int r = 0; r < c.dim(); ++r) {
      double unit[3] = {0.0, 0.0, 0.0};
      unit[r] = 1.0;
      response_.assign(island.num_dofs(), 0.0);
      island.AddImpulse(c, unit, response_.data());
      sparse_->Solve(response_.data());
      int row = 0;
      for (const int other : group) {
        island.ReadChange(island.constraints[other], response_.data(), C + row);
        row += island.constraints[other].dim();
      }
      C += num_rows;
    }
  }
}

}  // namespace stiction

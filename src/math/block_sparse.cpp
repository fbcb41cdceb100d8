#include "math/block_sparse.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "math/assert.h"
#include "math/dense_block.h"

namespace stiction {
namespace {

constexpr int kLanes = 8;  // of lines of sparse rows
using Lanes = Eigen::Array<double, kLanes, 1>;
constexpr int RoundUpToLanes(int count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

constexpr std::uint32_t kEliminated = ~std::uint32_t{0};  // a degree above all others

// Orders nodes by degree, then by number.
std::uint64_t MakeEntry(int node, std::uint32_t degree) {
  return static_cast<std::uint64_t>(degree) << 32 | static_cast<std::uint32_t>(node);
}

}  // namespace

void BlockSparseSolver::Analyze(const std::vector<int>& sizes,
                                const std::vector<std::pair<int, int>>& edges) {
  const int n = static_cast<int>(sizes.size());
  size_ = sizes;
  STICTION_ASSERT(std::all_of(sizes.begin(), sizes.end(), [](int size) { return size > 0; }));
  STICTION_ASSERT(std::all_of(edges.begin(), edges.end(), [n](const auto& edge) {
    return edge.first != edge.second && std::min(edge.first, edge.second) >= 0 &&
           std::max(edge.first, edge.second) < n;
  }));
  begin_.resize(n + 1);
  begin_[0] = 0;
  for (int i = 0; i < n; ++i) begin_[i + 1] = begin_[i] + size_[i];
  Order(edges);

  diagonal_begin_.resize(n);
  pivot_begin_.resize(n);
  std::size_t diagonal_values = 0;
  int pivots = 0;
  for (int k = 0; k < n; ++k) {
    const int m = size_[node_[k]];
    diagonal_begin_[k] = diagonal_values;
    pivot_begin_[k] = pivots;
    diagonal_values += static_cast<std::size_t>(m) * m;
    pivots += m;
  }
  std::size_t values = 0;
  block_begin_.resize(rows_.size());
  for (int k = 0; k < n; ++k) {
    for (int b = column_begin_[k]; b < column_begin_[k + 1]; ++b) {
      block_begin_[b] = values;
      values += static_cast<std::size_t>(size_[node_[rows_[b]]]) * size_[node_[k]];
    }
  }
  diagonal_.resize(diagonal_values);
  pivots_.resize(pivots);
  lower_.resize(values);
  upper_.resize(values);

  // Eliminating k updates block (i, j) for all i >= j below k.
  target_.clear();
  target_begin_.resize(n + 1);
  for (int k = 0; k < n; ++k) {
    target_begin_[k] = static_cast<int>(target_.size());
    for (int bj = column_begin_[k]; bj < column_begin_[k + 1]; ++bj) {
      const int j = rows_[bj];
      target_.push_back(-1 - j);
      int b = column_begin_[j];
      for (int bi = bj + 1; bi < column_begin_[k + 1]; ++bi) {
        while (rows_[b] != rows_[bi]) ++b;
        target_.push_back(b);
      }
    }
  }
  target_begin_[n] = static_cast<int>(target_.size());
}

// Exact minimum degree on bit sets: the graphs are contact graphs of at most a few thousand trees. Of equal
// degrees the first node is taken.
void BlockSparseSolver::Order(const std::vector<std::pair<int, int>>& edges) {
  const int n = num_nodes();
  const int words = (n + 63) / 64;
  adjacency_.assign(static_cast<std::size_t>(n) * words, 0);
  const auto row = [&](int i) { return adjacency_.data() + static_cast<std::size_t>(i) * words; };
  for (const auto& [i, j] : edges) {
    row(i)[j / 64] |= std::uint64_t{1} << (j % 64);
    row(j)[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  const auto count = [&](int i) {
    int bits = 0;
    for (int w = 0; w < words; ++w) bits += std::popcount(row(i)[w]);
    return bits;
  };
  tournament_.resize(2 * static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) tournament_[n + i] = MakeEntry(i, count(i));
  for (int k = n - 1; k > 0; --k) tournament_[k] = std::min(tournament_[2 * k], tournament_[2 * k + 1]);
  position_.resize(n);
  node_.resize(n);
  for (int k = 0; k < n; ++k) {
    const int best = static_cast<int>(static_cast<std::uint32_t>(tournament_[1]));
    Reenter(best, kEliminated);
    position_[best] = k;
    node_[k] = best;
    // The neighbours become a clique without the eliminated node. Its own row keeps them: the pattern of its
    // column.
    const std::uint64_t* eliminated = row(best);
    for (int w = 0; w < words; ++w) {
      for (std::uint64_t bits = eliminated[w]; bits != 0; bits &= bits - 1) {
        const int i = w * 64 + std::countr_zero(bits);
        std::uint64_t* neighbour = row(i);
        for (int u = 0; u < words; ++u) neighbour[u] |= eliminated[u];
        neighbour[i / 64] &= ~(std::uint64_t{1} << (i % 64));
        neighbour[best / 64] &= ~(std::uint64_t{1} << (best % 64));
        Reenter(i, count(i));
      }
    }
  }
  column_begin_.resize(n + 1);
  rows_.clear();
  for (int k = 0; k < n; ++k) {
    column_begin_[k] = static_cast<int>(rows_.size());
    const std::uint64_t* neighbours = row(node_[k]);
    for (int w = 0; w < words; ++w) {
      for (std::uint64_t bits = neighbours[w]; bits != 0; bits &= bits - 1) {
        rows_.push_back(position_[w * 64 + std::countr_zero(bits)]);
      }
    }
    std::sort(rows_.begin() + column_begin_[k], rows_.end());
  }
  column_begin_[n] = static_cast<int>(rows_.size());
}

void BlockSparseSolver::Reenter(int node, std::uint32_t degree) {
  int k = num_nodes() + node;
  tournament_[k] = MakeEntry(node, degree);
  while ((k /= 2) > 0) {
    const std::uint64_t winner = std::min(tournament_[2 * k], tournament_[2 * k + 1]);
    if (tournament_[k] == winner) break;
    tournament_[k] = winner;
  }
}

BlockSparseSolver::Edge BlockSparseSolver::FindEdge(int i, int j) const {
  const bool i_is_row = position_[i] > position_[j];
  const int column = i_is_row ? position_[j] : position_[i];
  const int wanted = i_is_row ? position_[i] : position_[j];
  const auto first = rows_.begin() + column_begin_[column], last = rows_.begin() + column_begin_[column + 1];
  const auto found = std::lower_bound(first, last, wanted);
  STICTION_ASSERT(found != last && *found == wanted);
  return {block_begin_[found - rows_.begin()], i_is_row};
}

void BlockSparseSolver::SetIdentity(bool is_symmetric) {
  std::fill(lower_.begin(), lower_.end(), 0.0);
  if (!is_symmetric) std::fill(upper_.begin(), upper_.end(), 0.0);
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  for (int i = 0; i < num_nodes(); ++i) {
    double* D = Diagonal(i);
    for (int r = 0; r < size_[i]; ++r) D[r * size_[i] + r] = 1.0;
  }
}

bool BlockSparseSolver::FactorLu() {
  is_cholesky_ = false;
  for (int k = 0; k < num_nodes(); ++k) {
    const bool is_regular =
        dense::DispatchSize(size_[node_[k]], [&](auto size) { return EliminateLu<size()>(k); });
    if (!is_regular) return false;
  }
  return true;
}

// kSize: of the node at position k, 0: any.
template <int kSize>
bool BlockSparseSolver::EliminateLu(int k) {
  const int m = kSize > 0 ? kSize : size_[node_[k]];
  double* D = diagonal_.data() + diagonal_begin_[k];
  int* pivots = pivots_.data() + pivot_begin_[k];
  if (!dense::FactorLu<kSize>(D, pivots, m)) return false;
  const int begin = column_begin_[k], end = column_begin_[k + 1];
  for (int b = begin; b < end; ++b) {
    const int ni = size_[node_[rows_[b]]];
    dense::DispatchSize(ni, [&](auto rows) {
      dense::DivideByLu<kSize, rows()>(lower_.data() + block_begin_[b], ni, D, pivots, m);
    });
  }
  const int* target = target_.data() + target_begin_[k];
  for (int bj = begin; bj < end; ++bj) {
    const int nj = size_[node_[rows_[bj]]];
    const double* Xj = lower_.data() + block_begin_[bj];
    const double* Uj = upper_.data() + block_begin_[bj];
    const int diagonal = -1 - *target++;
    dense::SubtractProduct<kSize>(diagonal_.data() + diagonal_begin_[diagonal], Xj, Uj, nj, nj, m);
    for (int bi = bj + 1; bi < end; ++bi, ++target) {
      const int ni = size_[node_[rows_[bi]]];
      const double* Xi = lower_.data() + block_begin_[bi];
      const double* Ui = upper_.data() + block_begin_[bi];
      dense::SubtractProduct<kSize>(lower_.data() + block_begin_[*target], Xi, Uj, ni, nj, m);
      dense::SubtractProduct<kSize>(upper_.data() + block_begin_[*target], Ui, Xj, ni, nj, m);
    }
  }
  return true;
}

bool BlockSparseSolver::FactorCholesky() {
  is_cholesky_ = true;
  for (int k = 0; k < num_nodes(); ++k) {
    const bool is_definite =
        dense::DispatchSize(size_[node_[k]], [&](auto size) { return EliminateCholesky<size()>(k); });
    if (!is_definite) return false;
  }
  return true;
}

// kSize: of the node at position k, 0: any.
template <int kSize>
bool BlockSparseSolver::EliminateCholesky(int k) {
  const int m = kSize > 0 ? kSize : size_[node_[k]];
  double* D = diagonal_.data() + diagonal_begin_[k];
  if (!dense::FactorCholesky<kSize>(D, m)) return false;
  const int begin = column_begin_[k], end = column_begin_[k + 1];
  for (int b = begin; b < end; ++b) {
    const int ni = size_[node_[rows_[b]]];
    dense::DispatchSize(ni, [&](auto rows) {
      dense::DivideByCholesky<kSize, rows()>(lower_.data() + block_begin_[b], ni, D, m);
    });
  }
  const int* target = target_.data() + target_begin_[k];
  for (int bj = begin; bj < end; ++bj) {
    const int nj = size_[node_[rows_[bj]]];
    const double* Lj = lower_.data() + block_begin_[bj];
    const int diagonal = -1 - *target++;
    dense::SubtractProduct<kSize>(diagonal_.data() + diagonal_begin_[diagonal], Lj, Lj, nj, nj, m);
    for (int bi = bj + 1; bi < end; ++bi, ++target) {
      const int ni = size_[node_[rows_[bi]]];
      dense::SubtractProduct<kSize>(lower_.data() + block_begin_[*target], lower_.data() + block_begin_[bi],
                                    Lj, ni, nj, m);
    }
  }
  return true;
}

void BlockSparseSolver::Solve(double* x) const {
  if (is_cholesky_) {
    SolveCholesky(x);
  } else {
    SolveLu(x);
  }
}

void BlockSparseSolver::SolveLu(double* x) const {
  const int n = num_nodes();
  for (int k = 0; k < n; ++k)
    dense::DispatchSize(size_[node_[k]], [&](auto size) { SubtractLower<size()>(k, x); });
  for (int k = n - 1; k >= 0; --k) {
    const int m = size_[node_[k]];
    double* xk = x + begin_[node_[k]];
    dense::DispatchSize(m, [&](auto size) {
      SubtractUpper<size()>(k, upper_.data(), x);
      dense::SolveLu<size()>(xk, diagonal_.data() + diagonal_begin_[k], pivots_.data() + pivot_begin_[k], m);
    });
  }
}

// What the node at position k is in the rows below it.
template <int kSize>
void BlockSparseSolver::SubtractLower(int k, double* x) const {
  const int m = kSize > 0 ? kSize : size_[node_[k]];
  const double* xk = x + begin_[node_[k]];
  for (int b = column_begin_[k]; b < column_begin_[k + 1]; ++b) {
    const int i = node_[rows_[b]], ni = size_[i];
    double* xi = x + begin_[i];
    const double* L = lower_.data() + block_begin_[b];
    dense::DispatchSize(ni, [&](auto rows) {
      if constexpr (rows() > 0 && kSize > 0) {
        dense::SubtractTimesFixed<rows(), kSize>(xi, L, xk);
      } else {
        dense::SubtractTimes(xi, L, ni, xk, ni, m);
      }
    });
  }
}

// What the rows below it are in the node at position k.
//   upper  blocks right of the diagonal, transposed
template <int kSize>
void BlockSparseSolver::SubtractUpper(int k, const double* upper, double* x) const {
  const int m = kSize > 0 ? kSize : size_[node_[k]];
  double* xk = x + begin_[node_[k]];
  for (int b = column_begin_[k]; b < column_begin_[k + 1]; ++b) {
    const int i = node_[rows_[b]], ni = size_[i];
    const double* xi = x + begin_[i];
    const double* U = upper + block_begin_[b];
    dense::DispatchSize(ni, [&](auto rows) {
      if constexpr (rows() > 0 && kSize > 0) {
        dense::SubtractTransposedTimesFixed<rows(), kSize>(xk, U, xi);
      } else {
        dense::SubtractTransposedTimes(xk, U, ni, xi, ni, m);
      }
    });
  }
}

void BlockSparseSolver::SolveCholesky(double* x) const {
  const int n = num_nodes();
  for (int k = 0; k < n; ++k) {
    const int m = size_[node_[k]];
    dense::DispatchSize(m, [&](auto size) {
      dense::SolveLower<size()>(x + begin_[node_[k]], diagonal_.data() + diagonal_begin_[k], m);
      SubtractLower<size()>(k, x);
    });
  }
  for (int k = n - 1; k >= 0; --k) {
    const int m = size_[node_[k]];
    dense::DispatchSize(m, [&](auto size) {
      SubtractUpper<size()>(k, lower_.data(), x);
      dense::SolveLowerTransposed<size()>(x + begin_[node_[k]], diagonal_.data() + diagonal_begin_[k], m);
    });
  }
}

void BlockSparseSolver::ReserveRows(int size, int count) {
  const std::size_t stride = RoundUpToLanes(count);
  left_.reserve(size * stride);
  right_.reserve(size * stride);
  product_.reserve(count * stride);
  is_touched_.reserve(size);
  rows_begin_.reserve(size);
}

// Marks what R reaches, node by node upwards, and clears the lines of it alone.
void BlockSparseSolver::BeginRows(std::span<const int> nodes, int count) {
  const int n = num_nodes();
  num_rows_ = count;
  row_stride_ = RoundUpToLanes(count);
  is_touched_.assign(n, 0);
  rows_begin_.resize(n);
  for (const int node : nodes) is_touched_[position_[node]] = 1;
  std::size_t lines = 0;
  for (int k = 0; k < n; ++k) {
    if (!is_touched_[k]) continue;
    rows_begin_[k] = lines * row_stride_;
    lines += size_[node_[k]];
    // Its first row is its parent in the elimination tree, below which all others stand.
    if (column_begin_[k] < column_begin_[k + 1]) is_touched_[rows_[column_begin_[k]]] = 1;
  }
  left_.assign(lines * row_stride_, 0.0);
  product_.assign(static_cast<std::size_t>(count) * row_stride_, 0.0);
}

void BlockSparseSolver::CalcCoupling(double* C) {
  if (!is_cholesky_) right_ = left_;
  for (int k = 0; k < num_nodes(); ++k) {
    if (!is_touched_[k]) continue;
    double* left = left_.data() + rows_begin_[k];
    if (is_cholesky_) {
      DivideRows(k, left);
      SubtractRows(k, lower_.data(), left_);
      AddProduct(k, left, left);
    } else {
      double* right = right_.data() + rows_begin_[k];
      SubtractRows(k, lower_.data(), right_);
      DivideRows(k, left);
      SubtractRows(k, upper_.data(), left_);
      AddProduct(k, left, right);
    }
  }
  for (int column = 0; column < num_rows_; ++column)
    std::copy_n(product_.data() + static_cast<std::size_t>(column) * row_stride_, num_rows_,
                C + static_cast<std::ptrdiff_t>(column) * num_rows_);
}

// What the lines of the node at position k are in those of the nodes below it.
void BlockSparseSolver::SubtractRows(int k, const double* blocks, std::vector<double>& rows) const {
  const int m = size_[node_[k]];
  const double* from = rows.data() + rows_begin_[k];
  for (int b = column_begin_[k]; b < column_begin_[k + 1]; ++b) {
    const int ni = size_[node_[rows_[b]]];
    const double* L = blocks + block_begin_[b];
    double* to = rows.data() + rows_begin_[rows_[b]];
    for (int i = 0; i < ni; ++i, to += row_stride_) {
      for (int lane = 0; lane < row_stride_; lane += kLanes) {
        Eigen::Map<Lanes> line(to + lane);
        Lanes sum = line;
        for (int p = 0; p < m; ++p)
          sum -= L[p * ni + i] * Eigen::Map<const Lanes>(from + p * row_stride_ + lane);
        line = sum;
      }
    }
  }
}

// The node's lines become L⁻¹ (Cholesky) or D⁻ᵀ (LU) times them.
void BlockSparseSolver::DivideRows(int k, double* rows) const {
  const int m = size_[node_[k]];
  const double* D = diagonal_.data() + diagonal_begin_[k];
  const auto line = [&](int i) { return Eigen::Map<Eigen::ArrayXd>(rows + i * row_stride_, row_stride_); };
  for (int i = 0; i < m; ++i) {  // L, or Uᵀ: the diagonal has reciprocals
    for (int p = 0; p < i; ++p) line(i) -= (is_cholesky_ ? D[p * m + i] : D[i * m + p]) * line(p);
    line(i) *= D[i * m + i];
  }
  if (is_cholesky_) return;
  const int* pivots = pivots_.data() + pivot_begin_[k];
  for (int i = m - 1; i >= 0; --i) {  // Lᵀ, of ones on its diagonal
    for (int p = i + 1; p < m; ++p) line(i) -= D[i * m + p] * line(p);
  }
  for (int i = m - 1; i >= 0; --i) {
    if (pivots[i] != i) line(i).swap(line(pivots[i]));
  }
}

// C += leftᵀ right over the lines of a node.
void BlockSparseSolver::AddProduct(int k, const double* left, const double* right) {
  const int m = size_[node_[k]];
  for (int column = 0; column < num_rows_; ++column) {
    double* to = product_.data() + static_cast<std::size_t>(column) * row_stride_;
    for (int lane = 0; lane < row_stride_; lane += kLanes) {
      Eigen::Map<Lanes> sum(to + lane);
      for (int p = 0; p < m; ++p)
        sum += right[p * row_stride_ + column] * Eigen::Map<const Lanes>(left + p * row_stride_ + lane);
    }
  }
}

}  // namespace stiction

#include "math/block_sparse.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>

#include "math/assert.h"
#include "math/dense_block.h"
#include "math/task_pool.h"

namespace stiction {
namespace {

// Nodes below which no thread could help, and what of it is worth handing to another one: columns that take
// updates of one, values to clear.
constexpr int kLeastShared = 128, kLeastUpdates = 12, kLeastCleared = 8192;
constexpr int kNumShares = 16;  // whoever works on them: the order of elimination depends on it

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
  ListCommonUpdates();
  NumberPlaces();
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
  ShareOut();
  ListRows();
}

// The pattern of all columns, from what Order left in adjacency_.
void BlockSparseSolver::ListRows() {
  const int n = num_nodes(), words = (n + 63) / 64;
  column_begin_.resize(n + 1);
  rows_.clear();
  for (int k = 0; k < n; ++k) {
    column_begin_[k] = static_cast<int>(rows_.size());
    const std::uint64_t* neighbours = adjacency_.data() + static_cast<std::size_t>(node_[k]) * words;
    for (int w = 0; w < words; ++w) {
      for (std::uint64_t bits = neighbours[w]; bits != 0; bits &= bits - 1) {
        rows_.push_back(position_[w * 64 + std::countr_zero(bits)]);
      }
    }
    std::sort(rows_.begin() + column_begin_[k], rows_.end());
  }
  column_begin_[n] = static_cast<int>(rows_.size());
}

// The parent of each column in the elimination tree, and the work of its subtree.
void BlockSparseSolver::MeasureSubtrees() {
  const int n = num_nodes(), words = (n + 63) / 64;
  parent_.assign(n, -1);
  work_.assign(n, 0.0);
  for (int k = 0; k < n; ++k) {
    const std::uint64_t* neighbours = adjacency_.data() + static_cast<std::size_t>(node_[k]) * words;
    double rows = 0.0;
    for (int w = 0; w < words; ++w) {
      for (std::uint64_t bits = neighbours[w]; bits != 0; bits &= bits - 1) {
        const int i = w * 64 + std::countr_zero(bits);
        rows += size_[i];
        if (parent_[k] < 0 || position_[i] < parent_[k]) parent_[k] = position_[i];
      }
    }
    const double m = size_[node_[k]];
    work_[k] += m * (m + rows) * (m + rows);
    if (parent_[k] >= 0) work_[parent_[k]] += work_[k];  // children stand before their parents
  }
}

// Subtrees of no more than a share's work, the largest first, each to the share that has least; columns above
// them are common.
void BlockSparseSolver::FillShares() {
  const int n = num_nodes();
  double whole = 0.0;
  for (int k = 0; k < n; ++k) {
    if (parent_[k] < 0) whole += work_[k];
  }
  const double limit = whole / kNumShares;
  const auto is_common = [&](int k) { return work_[k] > limit; };
  roots_.clear();
  roots_.reserve(n);
  for (int k = 0; k < n; ++k) {
    if (!is_common(k) && (parent_[k] < 0 || is_common(parent_[k]))) roots_.emplace_back(-work_[k], k);
  }
  std::sort(roots_.begin(), roots_.end());
  std::array<double, kNumShares> loads{};
  share_.assign(n, kNumShares);
  for (const auto& [work, root] : roots_) {
    const auto least = std::min_element(loads.begin(), loads.end());
    *least -= work;
    share_[root] = static_cast<int>(least - loads.begin());
  }
  for (int k = n - 1; k >= 0; --k) {
    if (!is_common(k) && parent_[k] >= 0 && !is_common(parent_[k])) share_[k] = share_[parent_[k]];
  }
}

void BlockSparseSolver::ShareOut() {
  share_begin_.clear();
  const int n = num_nodes();
  if (n < kLeastShared) return;
  MeasureSubtrees();
  FillShares();
  share_begin_.assign(kNumShares + 2, 0);
  for (const int share : share_) ++share_begin_[share + 1];
  for (int s = 0; s <= kNumShares; ++s) share_begin_[s + 1] += share_begin_[s];
  ordered_.resize(n);
  for (int k = 0; k < n; ++k) ordered_[share_begin_[share_[k]]++] = node_[k];
  for (int s = kNumShares + 1; s > 0; --s) share_begin_[s] = share_begin_[s - 1];
  share_begin_[0] = 0;
  share_begin_.pop_back();
  first_common_ = share_begin_.back();
  node_.swap(ordered_);
  for (int k = 0; k < n; ++k) position_[node_[k]] = k;
}

// What shares are in each common column.
void BlockSparseSolver::ListCommonUpdates() {
  if (share_begin_.empty()) return;
  const int num_common = num_nodes() - first_common_;
  // Another pattern of the same size cuts them elsewhere, and is to allocate nothing.
  common_block_.reserve(num_nodes());
  common_begin_.reserve(num_nodes() + 1);
  common_updates_.reserve(rows_.capacity());
  common_block_.resize(first_common_);
  common_begin_.assign(num_common + 1, 0);
  for (int k = 0; k < first_common_; ++k) {
    const auto begin = rows_.begin() + column_begin_[k], end = rows_.begin() + column_begin_[k + 1];
    common_block_[k] = static_cast<int>(std::lower_bound(begin, end, first_common_) - rows_.begin());
    for (int b = common_block_[k]; b < column_begin_[k + 1]; ++b)
      ++common_begin_[rows_[b] - first_common_ + 1];
  }
  for (int j = 0; j < num_common; ++j) common_begin_[j + 1] += common_begin_[j];
  common_updates_.resize(common_begin_[num_common]);
  for (int k = 0; k < first_common_; ++k) {
    for (int b = common_block_[k]; b < column_begin_[k + 1]; ++b)
      common_updates_[common_begin_[rows_[b] - first_common_]++] = {k, b};
  }
  for (int j = num_common; j > 0; --j) common_begin_[j] = common_begin_[j - 1];
  common_begin_[0] = 0;
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

bool BlockSparseSolver::is_shared(const TaskPool* pool) const {
  return pool != nullptr && pool->num_threads() > 1 && !share_begin_.empty();
}

void BlockSparseSolver::SetIdentity(bool is_symmetric, const TaskPool* pool) {
  const auto clear = [&](std::vector<double>& values) {
    if (!is_shared(pool)) {
      std::fill(values.begin(), values.end(), 0.0);
      return;
    }
    pool->ForPieces(static_cast<int>(values.size()), kLeastCleared, [&](int begin, int end) {
      std::fill(values.begin() + begin, values.begin() + end, 0.0);
    });
  };
  clear(lower_);
  if (!is_symmetric) clear(upper_);
  clear(diagonal_);
  for (int i = 0; i < num_nodes(); ++i) {
    double* D = Diagonal(i);
    for (int r = 0; r < size_[i]; ++r) D[r * size_[i] + r] = 1.0;
  }
}

bool BlockSparseSolver::FactorLu(const TaskPool* pool) {
  is_cholesky_ = false;
  return FactorAll(pool);
}

bool BlockSparseSolver::FactorCholesky(const TaskPool* pool) {
  is_cholesky_ = true;
  return FactorAll(pool);
}

int BlockSparseSolver::CalcDeterminantSign() const {
  if (is_cholesky_) return 1;
  bool is_negative = false;
  for (int k = 0; k < num_nodes(); ++k) {
    const int m = size_[node_[k]];
    const double* D = diagonal_.data() + diagonal_begin_[k];
    const int* pivots = pivots_.data() + pivot_begin_[k];
    for (int i = 0; i < m; ++i) is_negative ^= (D[i * m + i] < 0.0) != (pivots[i] != i);
  }
  return is_negative ? -1 : 1;
}

bool BlockSparseSolver::FactorAll(const TaskPool* pool) {
  if (is_shared(pool)) return FactorTogether(*pool);
  for (int k = 0; k < num_nodes(); ++k) {
    if (!Divide(k)) return false;
    Update(k, column_begin_[k], column_begin_[k + 1]);
  }
  return true;
}

bool BlockSparseSolver::FactorTogether(const TaskPool& pool) {
  const int num_shares = static_cast<int>(share_begin_.size()) - 1, num_common = num_nodes() - first_common_;
  std::atomic<bool> is_regular = true;
  pool.ForEach(num_shares, [&](int share) {
    for (int k = share_begin_[share]; k < share_begin_[share + 1]; ++k) {
      if (!Divide(k)) {
        is_regular.store(false, std::memory_order_relaxed);
        return;
      }
      Update(k, column_begin_[k], common_block_[k]);
    }
  });
  if (!is_regular.load(std::memory_order_relaxed)) return false;
  pool.ForEach(num_common, [&](int j) {
    for (int u = common_begin_[j]; u < common_begin_[j + 1]; ++u) {
      const auto [k, b] = common_updates_[u];
      Update(k, b, b + 1);
    }
  });
  for (int k = first_common_; k < num_nodes(); ++k) {
    if (!Divide(k)) return false;
    const int begin = column_begin_[k], count = column_begin_[k + 1] - begin;
    if (count < kLeastUpdates) {
      Update(k, begin, begin + count);
    } else {
      pool.ForEach(count, [&](int i) { Update(k, begin + i, begin + i + 1); });
    }
  }
  return true;
}

// Not inlined: the compiler rounds products and sums otherwise from one place to another, and all threads
// are to round alike. So it is below.
[[gnu::noinline]] bool BlockSparseSolver::Divide(int k) {
  return dense::DispatchSize(size_[node_[k]], [&](auto size) {
    return is_cholesky_ ? DivideCholesky<size()>(k) : DivideLu<size()>(k);
  });
}

void BlockSparseSolver::Update(int k, int begin, int end) {
  dense::DispatchSize(size_[node_[k]], [&](auto size) {
    for (int b = begin; b < end; ++b) is_cholesky_ ? UpdateCholesky<size()>(k, b) : UpdateLu<size()>(k, b);
  });
}

// kSize: of the node at position k, 0: any.
template <int kSize>
bool BlockSparseSolver::DivideLu(int k) {
  const int m = kSize > 0 ? kSize : size_[node_[k]];
  double* D = diagonal_.data() + diagonal_begin_[k];
  int* pivots = pivots_.data() + pivot_begin_[k];
  if (!dense::FactorLu<kSize>(D, pivots, m)) return false;
  for (int b = column_begin_[k]; b < column_begin_[k + 1]; ++b) {
    const int ni = size_[node_[rows_[b]]];
    dense::DispatchSize(ni, [&](auto rows) {
      dense::DivideByLu<kSize, rows()>(lower_.data() + block_begin_[b], ni, D, pivots, m);
    });
  }
  return true;
}

template <int kSize>
bool BlockSparseSolver::DivideCholesky(int k) {
  const int m = kSize > 0 ? kSize : size_[node_[k]];
  double* D = diagonal_.data() + diagonal_begin_[k];
  if (!dense::FactorCholesky<kSize>(D, m)) return false;
  for (int b = column_begin_[k]; b < column_begin_[k + 1]; ++b) {
    const int ni = size_[node_[rows_[b]]];
    dense::DispatchSize(ni, [&](auto rows) {
      dense::DivideByCholesky<kSize, rows()>(lower_.data() + block_begin_[b], ni, D, m);
    });
  }
  return true;
}

template <int kSize>
[[gnu::noinline]] void BlockSparseSolver::UpdateLu(int k, int b) {
  const int m = kSize > 0 ? kSize : size_[node_[k]];
  const int nj = size_[node_[rows_[b]]];
  const double* Xj = lower_.data() + block_begin_[b];
  const double* Uj = upper_.data() + block_begin_[b];
  const int* target = FindTargets(k, b);
  const int diagonal = -1 - *target++;
  dense::SubtractProduct<kSize>(diagonal_.data() + diagonal_begin_[diagonal], Xj, Uj, nj, nj, m);
  for (int bi = b + 1; bi < column_begin_[k + 1]; ++bi, ++target) {
    const int ni = size_[node_[rows_[bi]]];
    const double* Xi = lower_.data() + block_begin_[bi];
    const double* Ui = upper_.data() + block_begin_[bi];
    dense::SubtractProduct<kSize>(lower_.data() + block_begin_[*target], Xi, Uj, ni, nj, m);
    dense::SubtractProduct<kSize>(upper_.data() + block_begin_[*target], Ui, Xj, ni, nj, m);
  }
}

template <int kSize>
[[gnu::noinline]] void BlockSparseSolver::UpdateCholesky(int k, int b) {
  const int m = kSize > 0 ? kSize : size_[node_[k]];
  const int nj = size_[node_[rows_[b]]];
  const double* Lj = lower_.data() + block_begin_[b];
  const int* target = FindTargets(k, b);
  const int diagonal = -1 - *target++;
  dense::SubtractProduct<kSize>(diagonal_.data() + diagonal_begin_[diagonal], Lj, Lj, nj, nj, m);
  for (int bi = b + 1; bi < column_begin_[k + 1]; ++bi, ++target) {
    const int ni = size_[node_[rows_[bi]]];
    dense::SubtractProduct<kSize>(lower_.data() + block_begin_[*target], lower_.data() + block_begin_[bi], Lj,
                                  ni, nj, m);
  }
}

// Targets of column k's updates by its block b: those before it have one fewer each.
const int* BlockSparseSolver::FindTargets(int k, int b) const {
  const int count = column_begin_[k + 1] - column_begin_[k], t = b - column_begin_[k];
  return target_.data() + target_begin_[k] + t * count - t * (t - 1) / 2;
}

void BlockSparseSolver::Solve(double* x, const TaskPool* pool) const {
  const int n = num_nodes();
  if (!is_shared(pool)) {
    for (int k = 0; k < n; ++k) SolveForward(k, column_begin_[k + 1], x);
    for (int k = n - 1; k >= 0; --k) SolveBackward(k, x);
    return;
  }
  const int num_shares = static_cast<int>(share_begin_.size()) - 1;
  pool->ForEach(num_shares, [&](int share) {
    for (int k = share_begin_[share]; k < share_begin_[share + 1]; ++k) SolveForward(k, common_block_[k], x);
  });
  pool->ForEach(n - first_common_, [&](int j) {
    for (int u = common_begin_[j]; u < common_begin_[j + 1]; ++u) {
      const auto [k, b] = common_updates_[u];
      SubtractLower(k, b, b + 1, x);
    }
  });
  for (int k = first_common_; k < n; ++k) SolveForward(k, column_begin_[k + 1], x);
  for (int k = n - 1; k >= first_common_; --k) SolveBackward(k, x);
  pool->ForEach(num_shares, [&](int share) {
    for (int k = share_begin_[share + 1] - 1; k >= share_begin_[share]; --k) SolveBackward(k, x);
  });
}

// x of the node at position k, and what it is in the rows of its blocks before `end`.
[[gnu::noinline]] void BlockSparseSolver::SolveForward(int k, int end, double* x) const {
  const int m = size_[node_[k]];
  if (is_cholesky_) {
    dense::DispatchSize(m, [&](auto size) {
      dense::SolveLower<size()>(x + begin_[node_[k]], diagonal_.data() + diagonal_begin_[k], m);
    });
  }
  SubtractLower(k, column_begin_[k], end, x);
}

[[gnu::noinline]] void BlockSparseSolver::SolveBackward(int k, double* x) const {
  const int m = size_[node_[k]];
  double* xk = x + begin_[node_[k]];
  const double* D = diagonal_.data() + diagonal_begin_[k];
  dense::DispatchSize(m, [&](auto size) {
    SubtractUpper<size()>(k, is_cholesky_ ? lower_.data() : upper_.data(), x);
    if (is_cholesky_) {
      dense::SolveLowerTransposed<size()>(xk, D, m);
    } else {
      dense::SolveLu<size()>(xk, D, pivots_.data() + pivot_begin_[k], m);
    }
  });
}

void BlockSparseSolver::SubtractLower(int k, int begin, int end, double* x) const {
  dense::DispatchSize(size_[node_[k]], [&](auto size) { SubtractLowerOf<size()>(k, begin, end, x); });
}

// What the node at position k is in the rows of some of its blocks.
template <int kSize>
[[gnu::noinline]] void BlockSparseSolver::SubtractLowerOf(int k, int begin, int end, double* x) const {
  const int m = kSize > 0 ? kSize : size_[node_[k]];
  const double* xk = x + begin_[node_[k]];
  for (int b = begin; b < end; ++b) {
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

}  // namespace stiction

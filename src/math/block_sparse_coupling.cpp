// R K⁻¹ Rᵀ of a few sparse rows R.
#include <algorithm>

#include "math/block_sparse.h"

namespace stiction {
namespace {

constexpr int kLanes = 8;
using Lanes = Eigen::Array<double, kLanes, 1>;

constexpr int RoundUp(int count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}
constexpr int RoundDown(int count) {
  return count / kLanes * kLanes;
}

// Lanes of several lines, a stride apart: y_j ± Σ_p a_pj x_p for kCount lines y_j and m lines x_p.
//   a  a_pj at p * a_stride + j
template <bool kAdds, int kCount>
[[gnu::always_inline]] inline void Accumulate(const double* x, const double* a, int a_stride, int m,
                                              double* y, int stride) {
  Lanes sum[kCount];
  for (int j = 0; j < kCount; ++j) sum[j] = Eigen::Map<const Lanes>(y + j * stride);
  for (int p = 0; p < m; ++p) {
    const Lanes x_p = Eigen::Map<const Lanes>(x + p * stride);
    for (int j = 0; j < kCount; ++j) {
      if constexpr (kAdds) {
        sum[j] += a[p * a_stride + j] * x_p;
      } else {
        sum[j] -= a[p * a_stride + j] * x_p;
      }
    }
  }
  for (int j = 0; j < kCount; ++j) Eigen::Map<Lanes>(y + j * stride) = sum[j];
}

// The same for any number of lines y_j, on the lanes [begin, end).
template <bool kAdds>
void AccumulateLines(const double* x, const double* a, int a_stride, int m, double* y, int count, int stride,
                     int begin, int end) {
  constexpr int kBlock = 3;  // as many as sums and their factors find room in registers
  for (int lane = begin; lane < end; lane += kLanes) {
    int j = 0;
    for (; j + kBlock <= count; j += kBlock)
      Accumulate<kAdds, kBlock>(x + lane, a + j, a_stride, m, y + j * stride + lane, stride);
    for (; j < count; ++j) Accumulate<kAdds, 1>(x + lane, a + j, a_stride, m, y + j * stride + lane, stride);
  }
}

}  // namespace

// A subtree's nodes take consecutive places, its root the last.
void BlockSparseSolver::NumberPlaces() {
  const int n = num_nodes();
  const auto parent = [this](int k) {
    return column_begin_[k] < column_begin_[k + 1] ? rows_[column_begin_[k]] : -1;
  };
  subtree_.assign(n, 1);
  for (int k = 0; k < n; ++k) {
    if (parent(k) >= 0) subtree_[parent(k)] += subtree_[k];
  }
  place_.resize(n);
  free_end_.resize(n);
  int end = n;
  for (int k = n - 1; k >= 0; --k) {
    int& last = parent(k) >= 0 ? free_end_[parent(k)] : end;
    place_[k] = free_end_[k] = last - 1;
    last -= subtree_[k];
  }
}

void BlockSparseSolver::ReserveRows(int size, int count) {
  const std::size_t stride = RoundUp(count);
  left_.reserve(size * stride);
  right_.reserve(size * stride);
  product_.reserve(count * stride);
  touching_.reserve(size);
  rows_begin_.reserve(size);
}

// Marks what R reaches, node by node upwards, and clears the lines of it alone.
void BlockSparseSolver::BeginRows(std::span<const NodeRows> nodes, int count) {
  const int n = num_nodes();
  num_rows_ = count;
  row_stride_ = RoundUp(count);
  touching_.assign(n, {row_stride_, 0});
  rows_begin_.resize(n);
  const auto extend = [](IndexRange& range, int begin, int end) {
    range = {std::min(range.begin, begin), std::max(range.end, end)};
  };
  for (const NodeRows& rows : nodes)
    extend(touching_[position_[rows.node]], RoundDown(rows.begin), RoundUp(rows.end));
  std::size_t lines = 0;
  for (int k = 0; k < n; ++k) {
    const IndexRange touching = touching_[k];
    if (touching.end == 0) continue;
    rows_begin_[k] = lines * row_stride_;
    lines += size_[node_[k]];
    // Its first row is its parent in the elimination tree, below which all others stand.
    if (column_begin_[k] < column_begin_[k + 1])
      extend(touching_[rows_[column_begin_[k]]], touching.begin, touching.end);
  }
  left_.assign(lines * row_stride_, 0.0);
  product_.assign(static_cast<std::size_t>(count) * row_stride_, 0.0);
}

void BlockSparseSolver::CalcCoupling(std::span<const int> rows, double* C) {
  if (!is_cholesky_) right_ = left_;
  for (int k = 0; k < num_nodes(); ++k) {
    if (touching_[k].end == 0) continue;
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
  for (int j = 0; j < num_rows_; ++j) {
    const double* column = product_.data() + static_cast<std::size_t>(j) * row_stride_;
    double* to = C + static_cast<std::ptrdiff_t>(rows[j]) * num_rows_;
    for (int i = 0; i < num_rows_; ++i) to[rows[i]] = column[i];
  }
}

// What the lines of the node at position k are in those of the nodes below it.
void BlockSparseSolver::SubtractRows(int k, const double* blocks, std::vector<double>& rows) const {
  const int m = size_[node_[k]];
  const auto [begin, end] = touching_[k];
  const double* from = rows.data() + rows_begin_[k];
  for (int b = column_begin_[k]; b < column_begin_[k + 1]; ++b) {
    const int ni = size_[node_[rows_[b]]];
    AccumulateLines<false>(from, blocks + block_begin_[b], ni, m, rows.data() + rows_begin_[rows_[b]], ni,
                           row_stride_, begin, end);
  }
}

// The node's lines become L⁻¹ (Cholesky) or D⁻ᵀ (LU) times them.
void BlockSparseSolver::DivideRows(int k, double* rows) const {
  const int m = size_[node_[k]];
  const double* D = diagonal_.data() + diagonal_begin_[k];
  const auto [begin, end] = touching_[k];
  const auto line = [&, begin = begin, end = end](int i) {
    return Eigen::Map<Eigen::ArrayXd>(rows + i * row_stride_ + begin, end - begin);
  };
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
  const auto [begin, end] = touching_[k];
  const int count = std::min(end, num_rows_) - begin;
  AccumulateLines<true>(left, right + begin, row_stride_, size_[node_[k]],
                        product_.data() + static_cast<std::size_t>(begin) * row_stride_, count, row_stride_,
                        begin, end);
}

}  // namespace stiction

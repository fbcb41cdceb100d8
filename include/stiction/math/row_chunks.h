// Rows of a sparse matrix in chunks of four consecutive columns, padded by zeros: products become whole
// vector instructions without gathering, for rows along the paths of kinematic trees (a leg on a floating
// base has columns 4 + 2 and 3).
#pragma once

#include <Eigen/Core>
#include <vector>

namespace stiction {

class RowChunks {
 public:
  static constexpr int kLanes = 4;
  // A vector to multiply by has as many values, finite ones, behind its end, unless Append was told where
  // that is.
  static constexpr int kPadding = kLanes - 1;

  // Chunks that belong to the same rows.
  struct Range {
    int first = 0;
    int count = 0;
    int first_value = 0;
  };

  void Clear() {
    column_.clear();
    value_.clear();
  }
  // An empty range at the end.
  Range End() const { return {static_cast<int>(column_.size()), 0, static_cast<int>(value_.size())}; }
  // Adds `count` ascending columns of `dim` rows to the last range. The entry of row r and column k stands at
  // rows[r * row_stride + k].
  //   num_columns  of the whole matrix, at least kLanes: no chunk reaches beyond them; 0: into the padding
  void Append(const int* columns, int count, const double* rows, int row_stride, int dim, Range& range,
              int num_columns = 0);

  // x += Jᵀ y, y of size dim.
  template <int dim>
  void AddTransposed(const Range& range, const double* y, double* x) const {
    const double* J = value_.data() + range.first_value;
    for (int c = range.first; c < range.first + range.count; ++c, J += kLanes * dim) {
      Lanes sum = Row(J) * y[0];
      for (int r = 1; r < dim; ++r) sum += Row(J + kLanes * r) * y[r];
      Eigen::Map<Lanes>(x + column_[c]) += sum;
    }
  }
  // out = J x, out of size dim.
  template <int dim>
  void Multiply(const Range& range, const double* x, double* out) const {
    const double* J = value_.data() + range.first_value;
    Lanes sum[dim];
    for (int r = 0; r < dim; ++r) sum[r].setZero();
    for (int c = range.first; c < range.first + range.count; ++c, J += kLanes * dim) {
      const Row from(x + column_[c]);
      for (int r = 0; r < dim; ++r) sum[r] += Row(J + kLanes * r) * from;
    }
    for (int r = 0; r < dim; ++r) out[r] = sum[r].sum();
  }

 private:
  using Lanes = Eigen::Array<double, kLanes, 1>;
  using Row = Eigen::Map<const Lanes>;

  std::vector<int> column_;    // first of each chunk
  std::vector<double> value_;  // dim rows of four values per chunk
};

}  // namespace stiction

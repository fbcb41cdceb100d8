// Rows of a sparse matrix in chunks of four consecutive columns, padded by zeros, and of two where no more
// are left: products become whole vector instructions without gathering, for rows along the paths of
// kinematic trees (a leg on a floating base has columns 4 + 2 and 3).
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

  // Chunks of one width that belong to the same rows.
  struct Part {
    int first = 0;
    int count = 0;
    int first_value = 0;
  };
  struct Range {
    Part wide, narrow;
    bool is_empty() const { return wide.count == 0 && narrow.count == 0; }
  };

  void Clear() {
    wide_.Clear();
    narrow_.Clear();
  }
  // An empty range at the end.
  Range End() const { return {wide_.End(), narrow_.End()}; }
  // Adds `count` ascending columns of `dim` rows to the last range. The entry of row r and column k stands at
  // rows[r * row_stride + k].
  //   num_columns  of the matrix, or of the part of it that these belong to, at least kLanes: where chunks
  //                end at the latest; 0: in the padding
  void Append(const int* columns, int count, const double* rows, int row_stride, int dim, Range& range,
              int num_columns = 0);

  // x += Jᵀ y, y of size dim.
  template <int dim>
  void AddTransposed(const Range& range, const double* y, double* x) const {
    wide_.AddTransposed<dim>(range.wide, y, x);
    narrow_.AddTransposed<dim>(range.narrow, y, x);
  }
  // out = J x, out of size dim.
  template <int dim>
  void Multiply(const Range& range, const double* x, double* out) const {
    wide_.Multiply<dim>(range.wide, x, out);
    if (range.narrow.count == 0) return;
    double rest[dim];
    narrow_.Multiply<dim>(range.narrow, x, rest);
    for (int r = 0; r < dim; ++r) out[r] += rest[r];
  }

 private:
  // Chunks of one width, one after another.
  template <int lanes>
  class Chunks {
   public:
    void Clear() {
      column_.clear();
      value_.clear();
    }
    Part End() const { return {static_cast<int>(column_.size()), 0, static_cast<int>(value_.size())}; }
    // Adds a chunk of zeros to the last part. Returns its values: dim rows of `lanes`.
    double* Add(int column, int dim, Part& part) {
      const std::size_t at = value_.size();
      column_.push_back(column);
      value_.resize(at + lanes * static_cast<std::size_t>(dim), 0.0);
      ++part.count;
      return value_.data() + at;
    }
    template <int dim>
    void AddTransposed(const Part& part, const double* y, double* x) const {
      const double* J = value_.data() + part.first_value;
      for (int c = part.first; c < part.first + part.count; ++c, J += lanes * dim) {
        Lanes sum = Row(J) * y[0];
        for (int r = 1; r < dim; ++r) sum += Row(J + lanes * r) * y[r];
        Eigen::Map<Lanes>(x + column_[c]) += sum;
      }
    }
    template <int dim>
    void Multiply(const Part& part, const double* x, double* out) const {
      const double* J = value_.data() + part.first_value;
      Lanes sum[dim];
      for (int r = 0; r < dim; ++r) sum[r].setZero();
      for (int c = part.first; c < part.first + part.count; ++c, J += lanes * dim) {
        const Row from(x + column_[c]);
        for (int r = 0; r < dim; ++r) sum[r] += Row(J + lanes * r) * from;
      }
      for (int r = 0; r < dim; ++r) out[r] = sum[r].sum();
    }

   private:
    using Lanes = Eigen::Array<double, lanes, 1>;
    using Row = Eigen::Map<const Lanes>;

    std::vector<int> column_;    // first of each chunk
    std::vector<double> value_;  // dim rows of values per chunk
  };

  static constexpr int kNarrow = 2;
  Chunks<kLanes> wide_;
  Chunks<kNarrow> narrow_;
};

}  // namespace stiction

#include "stiction/math/row_chunks.h"

#include <algorithm>
#include <functional>

#include "math/assert.h"

namespace stiction {

void RowChunks::Append(const int* columns, int count, const double* rows, int row_stride, int dim,
                       Range& range, int num_columns) {
  STICTION_ASSERT(num_columns == 0 || num_columns >= kLanes);
  STICTION_ASSERT(count >= 0 && dim > 0 && row_stride >= count);
  STICTION_ASSERT(std::adjacent_find(columns, columns + count, std::greater_equal<int>()) == columns + count);
  for (int k = 0; k < count;) {
    const int first = num_columns == 0 ? columns[k] : std::min(columns[k], num_columns - kLanes);
    const std::size_t at = value_.size();
    column_.push_back(first);
    value_.resize(at + kLanes * static_cast<std::size_t>(dim), 0.0);
    ++range.count;
    double* to = value_.data() + at;
    if (k + kLanes <= count && columns[k + kLanes - 1] == columns[k] + kLanes - 1) {
      for (int r = 0; r < dim; ++r) std::copy_n(rows + r * row_stride + k, kLanes, to + kLanes * r);
      k += kLanes;
      continue;
    }
    for (; k < count && columns[k] < first + kLanes; ++k) {
      for (int r = 0; r < dim; ++r) to[kLanes * r + columns[k] - first] = rows[r * row_stride + k];
    }
  }
}

}  // namespace stiction

#include "stiction/math/row_chunks.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "math/assert.h"

namespace stiction {

void RowChunks::Append(const int* columns, int count, const double* rows, int row_stride, int dim,
                       Range& range, int num_columns) {
  STICTION_ASSERT(num_columns == 0 || num_columns >= kLanes);
  STICTION_ASSERT(count >= 0 && dim > 0 && row_stride >= count);
  STICTION_ASSERT(std::adjacent_find(columns, columns + count, std::greater_equal<int>()) == columns + count);
  const int end = num_columns == 0 ? std::numeric_limits<int>::max() : num_columns;
  for (int k = 0; k < count;) {
    const bool is_narrow = columns[count - 1] < columns[k] + kNarrow;  // all that is left
    const int width = is_narrow ? kNarrow : kLanes, first = std::min(columns[k], end - width);
    double* to = is_narrow ? narrow_.Add(first, dim, range.narrow) : wide_.Add(first, dim, range.wide);
    // Mostly the columns of a chunk are next to one another.
    if (first == columns[k] && k + width <= count && columns[k + width - 1] == first + width - 1) {
      for (int r = 0; r < dim; ++r) {
        const double* from = rows + r * row_stride + k;
        for (int half = 0; half < width; half += kNarrow)
          std::copy_n(from + half, kNarrow, to + width * r + half);
      }
      k += width;
      continue;
    }
    for (; k < count && columns[k] < first + width; ++k) {
      for (int r = 0; r < dim; ++r) to[width * r + columns[k] - first] = rows[r * row_stride + k];
    }
  }
}

}  // namespace stiction

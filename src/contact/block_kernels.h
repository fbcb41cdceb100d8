// Products of Jacobian blocks, dim rows of values one after another, with vectors over an island's dofs.
// Private to contact.
#pragma once

#include "stiction/contact/island.h"

namespace stiction {

// sum[r] += row r of y times x at the block's dofs. Free bodies (six consecutive dofs) take an unrolled path.
template <int dim>
inline void AddProducts(const double* y, const DofSpan& dofs, const double* x, double* sum) {
  if (dofs.first >= 0 && dofs.count == 6) {
    const double* from = x + dofs.first;
    for (int r = 0; r < dim; ++r) {
      for (int k = 0; k < 6; ++k) sum[r] += y[6 * r + k] * from[k];
    }
    return;
  }
  for (int k = 0; k < dofs.count; ++k) {
    const double value = x[dofs.index[k]];
    for (int r = 0; r < dim; ++r) sum[r] += y[r * dofs.count + k] * value;
  }
}

// x at the block's dofs += yᵀ change.
template <int dim>
inline void AddTransposed(const double* y, const DofSpan& dofs, const double* change, double* x) {
  if (dofs.first >= 0 && dofs.count == 6) {
    double* to = x + dofs.first;
    for (int k = 0; k < 6; ++k) {
      double sum = 0.0;
      for (int r = 0; r < dim; ++r) sum += y[6 * r + k] * change[r];
      to[k] += sum;
    }
    return;
  }
  for (int k = 0; k < dofs.count; ++k) {
    double sum = 0.0;
    for (int r = 0; r < dim; ++r) sum += y[r * dofs.count + k] * change[r];
    x[dofs.index[k]] += sum;
  }
}

}  // namespace stiction

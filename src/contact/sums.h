// Plain arrays: sums in the order of their elements, and whether impulses are zero.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace stiction {

inline double CalcDot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

inline double CalcNorm(const std::vector<double>& a) {
  return std::sqrt(CalcDot(a, a));
}

// Whether a constraint's impulse is zero: an open one needs no pass over its rows.
inline bool IsZero(const double* impulse, int dim) {
  for (int r = 0; r < dim; ++r) {
    if (impulse[r] != 0.0) return false;
  }
  return true;
}

}  // namespace stiction

// Sums over plain arrays, in the order of their elements.
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

}  // namespace stiction

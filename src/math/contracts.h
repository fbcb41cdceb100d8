// What contracts say again and again, for STICTION_ASSERT.
#pragma once

#include <cmath>

#include "math/assert.h"
#include "stiction/math/types.h"

namespace stiction {

// Of directions and axes: thousands of roundings, and far below what a forgotten normalisation leaves.
inline constexpr double kUnitTolerance = 1e-9;

inline bool IsUnit(const Vector3d& v) {
  return std::abs(v.squaredNorm() - 1.0) <= kUnitTolerance;
}

// Whether each element comes after the one before by `less`.
template <typename Range, typename Less>
bool Ascend(const Range& range, const Less& less) {
  auto before = range.begin();
  if (before == range.end()) return true;
  for (auto next = before; ++next != range.end(); before = next) {
    if (!less(*before, *next)) return false;
  }
  return true;
}

}  // namespace stiction

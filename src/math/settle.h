// Fixed points of rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace stiction {

// The fixed point to which `round` leads from `value`. Where the last bits go in a circle instead, the
// circle's smallest member: every one of them leads to it. For a value that is written as text, read, and
// made again of what was read: the same text, however often.
template <typename Value, typename Round>
Value Settle(Value value, Round&& round) {
  constexpr std::size_t kMaxRounds = 100;  // a few are enough, but for a function that is no rounding
  std::vector<Value> seen;
  while (seen.size() < kMaxRounds) {
    const auto first = std::find(seen.begin(), seen.end(), value);
    if (first != seen.end()) return *std::min_element(first, seen.end());
    seen.push_back(value);
    value = round(value);
  }
  return value;
}

// The number nearest to x with 15 decimal places. A rotation that is made of such numbers and taken apart
// again has an error of a few units of the last place of a double, of 1.1e-16: on this grid it vanishes,
// where without it a small angle drifts on and on.
inline double RoundTo15Places(double x) {
  return std::round(1e15 * x) / 1e15;
}

}  // namespace stiction

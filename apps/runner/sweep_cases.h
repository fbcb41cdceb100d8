// The cases of `stiction sweep`: a grid, or a random sample, of what is varied.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stiction::runner {

// One --vary NAME=VALUES. VALUES are
//   a,b,c        words or numbers
//   A:B          whole numbers from A to B
//   A:B:N        N numbers from A to B, equal steps; A:B:N:log equal ratios
//   A:B:uniform  drawn from A to B, with --sample; A:B:loguniform likewise, of their logarithms
struct Variation {
  std::string name;
  std::string text;                   // as it was given
  std::vector<std::string> values{};  // empty: drawn
  double lower = 0.0, upper = 0.0;    // of what is drawn
  bool is_logarithmic = false;        // likewise
};

// Throws UsageError.
Variation ParseVariation(const std::string& text);

// A grid of all values, the last variation changing first; or `samples` random cases, each of which draws
// every variation's value by itself. A case's values depend on the variations, the seed and its index alone.
struct SweepCases {
  std::vector<Variation> variations{};
  long long samples = 0;  // 0: the grid
  std::uint64_t seed = 0;

  // Throws UsageError: a variation twice, values that are drawn without samples, more than 1e9 cases.
  void Check() const;
  long long count() const;
  // One per variation.
  std::vector<std::string> ValuesOf(long long index) const;
};

}  // namespace stiction::runner

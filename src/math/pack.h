// A few numbers side by side, as many as a register holds: arithmetic and comparisons go through all of them
// at once. Where what applies differs from one to the next all is computed, and one selected.
//
//   const Pack x = LoadPack(numbers), y = Select(x < 0.0, -x, x);
//
// Private to the library: how many there are depends on what it is compiled for.
#pragma once

#include <cmath>
#include <cstring>
#include <numbers>

namespace stiction {

#ifdef __AVX__
constexpr int kPackSize = 4;
#else
constexpr int kPackSize = 2;
#endif
using Pack = double __attribute__((vector_size(kPackSize * sizeof(double))));
using PackMask = decltype(Pack() < Pack());
// Each one's place: 0, 1, ...
#ifdef __AVX__
constexpr Pack kLanes = {0.0, 1.0, 2.0, 3.0};
#else
constexpr Pack kLanes = {0.0, 1.0};
#endif

inline Pack FillPack(double number) {
  return Pack() + number;
}
// kPackSize numbers, however aligned.
inline Pack LoadPack(const double* numbers) {
  Pack pack;
  std::memcpy(&pack, numbers, sizeof pack);
  return pack;
}
inline void StorePack(const Pack& pack, double* numbers) {
  std::memcpy(numbers, &pack, sizeof pack);
}
inline Pack Select(const PackMask& which, const Pack& where, const Pack& elsewhere) {
  return which ? where : elsewhere;
}
inline bool HasAny(const PackMask& which) {
  bool has_any = false;
  for (int k = 0; k < kPackSize; ++k) has_any |= which[k] != 0;
  return has_any;
}
inline Pack Abs(const Pack& x) {
  return Select(x < 0.0, -x, x);
}
inline Pack Max(const Pack& x, const Pack& y) {
  return Select(x > y, x, y);
}
inline Pack Sqrt(const Pack& x) {
  Pack roots;
  for (int k = 0; k < kPackSize; ++k) roots[k] = std::sqrt(x[k]);
  return roots;
}

// The angle of (x, y) from the x axis, to round-off; 0 for (0, 0). Of the slope the nearest of tan 0, tan π/8
// and tan π/4 is taken off, which leaves |s| < 0.2, and Taylor's series to s^19.
inline Pack Atan2(const Pack& y, const Pack& x) {
  using std::numbers::pi;
  constexpr double kTan1 = 0.19891236737965800, kTan2 = 0.41421356237309505, kTan3 = 0.66817863791929892;
  constexpr double kTiny = 1e-300;
  const Pack across = Abs(x), up = Abs(y);
  const PackMask is_steep = across < up;
  const Pack low = Select(is_steep, across, up), high = Select(is_steep, up, across);
  const PackMask is_by_four = low > kTan3 * high, is_by_eight = low > kTan1 * high;
  const Pack none = FillPack(0.0);
  const Pack off = Select(is_by_four, FillPack(1.0), Select(is_by_eight, FillPack(kTan2), none));
  const Pack start = Select(is_by_four, FillPack(pi / 4.0), Select(is_by_eight, FillPack(pi / 8.0), none));
  const Pack s = (low - off * high) / (high + off * low + kTiny), s2 = s * s;
  // By pairs, and pairs of pairs, which wait for one another less than one term after the other does.
  const auto pair = [&](int odd) { return 1.0 / odd - s2 * (1.0 / (odd + 2)); };
  const Pack s4 = s2 * s2, s8 = s4 * s4;
  const Pack series = (pair(1) + s4 * pair(5)) + s8 * ((pair(9) + s4 * pair(13)) + s8 * pair(17));
  const Pack slant = start + s * series;
  const Pack from_x = Select(is_steep, pi / 2.0 - slant, slant);
  const Pack above = Select(x < 0.0, pi - from_x, from_x);
  return Select(y < 0.0, -above, above);
}

}  // namespace stiction

// Exact line search for convex functions: the root of a continuous, increasing slope.
#pragma once

#include <cmath>

namespace stiction {

// The slope and the curvature of a function along a line.
struct LineSlope {
  double first = 0.0;
  double second = 0.0;
};

// A step a > 0 with |h'(a)| ≤ tolerance |h'(0)|: brackets the root from a = 1 by doubling, then takes Newton
// steps that stay inside the bracket, else bisects. Returns the last point where rounding allows no more.
//   slope0     h'(0) < 0
//   slopes     a -> LineSlope; counted in `evaluations`
template <typename Slopes>
double SearchLine(double slope0, double tolerance, const Slopes& slopes, int* evaluations = nullptr) {
  constexpr int kMaxDoublings = 40, kMaxSteps = 60;
  const double target = tolerance * std::abs(slope0);
  double low = 0.0, high = 1.0;
  LineSlope slope = slopes(high);
  int count = 1;
  for (int i = 0; slope.first < -target && i < kMaxDoublings; ++i, ++count) {
    low = high;
    high *= 2.0;
    slope = slopes(high);
  }
  double a = high;
  for (int i = 0; std::abs(slope.first) > target && i < kMaxSteps; ++i, ++count) {
    (slope.first < 0.0 ? low : high) = a;
    double next = slope.second > 0.0 ? a - slope.first / slope.second : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - a) < 1e-15) break;
    a = next;
    slope = slopes(a);
  }
  if (evaluations != nullptr) *evaluations += count;
  return a;
}

}  // namespace stiction

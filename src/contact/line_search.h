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
// steps that stay inside the bracket and at least halve the step before last, else bisects. Without the
// second condition Newton creeps along a slope of many kinks, as contacts that open and close along the line
// make it, and the search runs out of steps far from the root. Returns the last point where rounding allows
// no more.
//   slope0     h'(0) < 0
//   slopes     a -> LineSlope; counted in `evaluations`
//
// Reference: [Press 2007] W. Press et al., Numerical Recipes, 3rd ed., §9.4, rtsafe.
template <typename Slopes>
double SearchLine(double slope0, double tolerance, const Slopes& slopes, int* evaluations = nullptr) {
  constexpr int kMaxDoublings = 40, kMaxSteps = 100;
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
  double step = high - low, step_before = step;
  for (int i = 0; std::abs(slope.first) > target && i < kMaxSteps; ++i, ++count) {
    (slope.first < 0.0 ? low : high) = a;
    double next = a - slope.first / slope.second;
    const bool halves = 2.0 * std::abs(slope.first) <= std::abs(step_before) * slope.second;
    if (!(halves && next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - a) < 1e-15) break;
    step_before = step;
    step = next - a;
    a = next;
    slope = slopes(a);
  }
  if (evaluations != nullptr) *evaluations += count;
  return a;
}

}  // namespace stiction

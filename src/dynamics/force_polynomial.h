// Springs and dampers whose force is a polynomial: f = −x (c + p₀ x + p₁ x²), of dampers with |x| in place of
// x inside.
#pragma once

#include <array>

namespace stiction {

using Polynomial = std::array<double, 2>;

inline bool IsZero(const Polynomial& p) {
  return p[0] == 0.0 && p[1] == 0.0;
}
// −f / x.
inline double SecantOf(double c, const Polynomial& p, double x) {
  return c + x * (p[0] + p[1] * x);
}
// −df / dx.
inline double SlopeOf(double c, const Polynomial& p, double x) {
  return c + x * (2.0 * p[0] + 3.0 * p[1] * x);
}
// −∫ f dx from 0.
inline double EnergyOf(double c, const Polynomial& p, double x) {
  return x * x * (0.5 * c + x * (p[0] / 3.0 + 0.25 * p[1] * x));
}

}  // namespace stiction

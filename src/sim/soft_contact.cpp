#include "stiction/sim/soft_contact.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kMinImpedance = 0.0001, kMaxImpedance = 0.9999;
constexpr double kMinTimeConstants = 2.0;  // shortest time constant, in steps: a faster one is unstable

// Of the reference acceleration −b v − k φ.
struct Reference {
  double b = 0.0;  // [1/s]
  double k = 0.0;  // [1/s²]
};

Reference CalcReference(const ContactSoftness& softness, double d, double dt) {
  const double width = std::clamp(softness.impedance[1], kMinImpedance, kMaxImpedance);
  const auto [first, second] = softness.reference;
  if (first <= 0.0) return {-second / width, -first * d / (width * width)};
  const double T = std::max(first, kMinTimeConstants * dt);
  return {2.0 / (width * T), d / (width * width * T * T * second * second)};
}

}  // namespace

double CalcImpedance(const ContactSoftness& softness, double gap) {
  const auto [at_surface, at_width, width, middle, power] = softness.impedance;
  const double d0 = std::clamp(at_surface, kMinImpedance, kMaxImpedance);
  const double dw = std::clamp(at_width, kMinImpedance, kMaxImpedance);
  const double x = width > 0.0 ? std::min(1.0, std::abs(gap) / width) : 1.0;
  double y = x;
  if (power > 1.0) {
    y = x <= middle ? std::pow(x, power) / std::pow(middle, power - 1.0)
                    : 1.0 - std::pow(1.0 - x, power) / std::pow(1.0 - middle, power - 1.0);
  }
  return d0 + y * (dw - d0);
}

ContactRowLaw CalcCompliantLaw(double stiffness, double dissipation_time, double gap, double dt) {
  const double time = dt + dissipation_time;
  return {.e_n = gap / time, .R_n = 1.0 / (dt * stiffness * time)};
}

ContactRowLaw CalcSoftLaw(const ContactSoftness& softness, double gap, double v_n, double W_n, double dt) {
  const double d = CalcImpedance(softness, std::min(gap, 0.0));
  const Reference reference = CalcReference(softness, d, dt);
  ContactRowLaw law;
  law.R_n = law.R_t = W_n * (1.0 - d) / d;
  law.e_n = gap > 0.0 ? gap / dt : -(v_n - dt * (reference.b * v_n + reference.k * gap));
  law.tangential_bias_rate = -(1.0 - dt * reference.b);
  return law;
}

}  // namespace stiction

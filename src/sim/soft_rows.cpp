#include "sim/soft_rows.h"

#include <algorithm>
#include <cmath>

#include "math/assert.h"
#include "model/softness_bounds.h"

namespace stiction {
namespace {

// Of the reference acceleration −b v − k φ.
struct Reference {
  double b = 0.0;  // [1/s]
  double k = 0.0;  // [1/s²]
};

Reference CalcReference(const Softness& softness, double d, double dt) {
  const double width = std::clamp(softness.impedance[1], kMinImpedance, kMaxImpedance);
  const auto [first, second] = softness.reference;
  if (first <= 0.0) return {-second / width, -first * d / (width * width)};
  const double T = std::max(first, kMinTimeConstants * dt);
  return {2.0 / (width * T), d / (width * width * T * T * second * second)};
}

}  // namespace

double CalcImpedance(const Softness& softness, double error) {
  const auto [at_surface, at_width, width, middle, power] = softness.impedance;
  const double d0 = std::clamp(at_surface, kMinImpedance, kMaxImpedance);
  const double dw = std::clamp(at_width, kMinImpedance, kMaxImpedance);
  const double x = width > 0.0 ? std::min(1.0, std::abs(error) / width) : 1.0;
  double y = x;
  if (power > 1.0) {
    y = x <= middle ? std::pow(x, power) / std::pow(middle, power - 1.0)
                    : 1.0 - std::pow(1.0 - x, power) / std::pow(1.0 - middle, power - 1.0);
  }
  return d0 + y * (dw - d0);
}

SoftRow CalcCompliantRow(double stiffness, double dissipation_time, double gap, double dt) {
  STICTION_ASSERT(stiffness > 0.0 && dissipation_time >= 0.0 && dt > 0.0);
  const double time = dt + dissipation_time;
  return {gap / time, 1.0 / (dt * stiffness * time)};
}

SoftRow CalcSoftRow(const Softness& softness, double error, double size, double v, double W, double dt) {
  const double d = CalcImpedance(softness, size);
  const Reference reference = CalcReference(softness, d, dt);
  return {-(v - dt * (reference.b * v + reference.k * error)), W * (1.0 - d) / d};
}

SoftRow CalcSoftGapRow(const Softness& softness, double gap, double v, double W, double dt) {
  SoftRow row = CalcSoftRow(softness, gap, std::min(gap, 0.0), v, W, dt);
  if (gap > 0.0) row.e = gap / dt;
  return row;
}

double CalcTangentialBiasRate(const Softness& softness, double gap, double dt) {
  return -(1.0 - dt * CalcReference(softness, CalcImpedance(softness, std::min(gap, 0.0)), dt).b);
}

}  // namespace stiction

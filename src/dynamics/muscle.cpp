#include "stiction/dynamics/muscle.h"

#include <algorithm>

namespace stiction {
namespace {

// 6 x⁵ − 15 x⁴ + 10 x³ from 0 to 1, with slope and curvature zero at both ends.
double SmoothStep(double x) {
  if (x <= 0.0) return 0.0;
  if (x >= 1.0) return 1.0;
  return x * x * x * (x * (6.0 * x - 15.0) + 10.0);
}

double FibreLength(const MuscleScale& scale, const Muscle& muscle, double length) {
  return muscle.range[0] + (length - scale.start) / scale.fibre_length;
}

}  // namespace

CurvePoint EvaluateActiveLength(const Muscle& muscle, double L) {
  if (!(L > muscle.lmin && L < muscle.lmax)) return {};
  // By the flank's width from its foot to the top, x = 0 at the foot and 2 at the top.
  const bool is_rising = L <= 1.0;
  const double half = 0.5 * (is_rising ? 1.0 - muscle.lmin : muscle.lmax - 1.0);
  const double x = (is_rising ? L - muscle.lmin : muscle.lmax - L) / half;
  const double value = x <= 1.0 ? 0.5 * x * x : 1.0 - 0.5 * (2.0 - x) * (2.0 - x);
  const double slope = (x <= 1.0 ? x : 2.0 - x) / half;
  return {value, is_rising ? slope : -slope};
}

CurvePoint EvaluateVelocity(const Muscle& muscle, double V) {
  const double y = muscle.fvmax - 1.0;
  if (V <= -1.0) return {};
  if (V <= 0.0) return {(V + 1.0) * (V + 1.0), 2.0 * (V + 1.0)};
  if (V >= y) return {muscle.fvmax, 0.0};
  return {muscle.fvmax - (y - V) * (y - V) / y, 2.0 * (y - V) / y};
}

CurvePoint EvaluatePassiveLength(const Muscle& muscle, double L) {
  if (L <= 1.0) return {};
  const double half = 0.5 * (muscle.lmax - 1.0);
  const double x = (L - 1.0) / half;
  if (x <= 1.0) return {0.5 * muscle.fpmax * x * x, muscle.fpmax * x / half};
  return {muscle.fpmax * (x - 0.5), muscle.fpmax / half};
}

ActuatorForce CalcMuscleGain(const Muscle& muscle, const MuscleScale& scale, double length, double rate) {
  const double per_rate = 1.0 / (scale.fibre_length * muscle.vmax);
  const CurvePoint FL = EvaluateActiveLength(muscle, FibreLength(scale, muscle, length));
  const CurvePoint FV = EvaluateVelocity(muscle, rate * per_rate);
  return {-scale.peak_force * FL.value * FV.value,
          -scale.peak_force * FL.slope * FV.value / scale.fibre_length,
          -scale.peak_force * FL.value * FV.slope * per_rate};
}

ActuatorForce CalcMuscleBias(const Muscle& muscle, const MuscleScale& scale, double length) {
  const CurvePoint FP = EvaluatePassiveLength(muscle, FibreLength(scale, muscle, length));
  return {-scale.peak_force * FP.value, -scale.peak_force * FP.slope / scale.fibre_length, 0.0};
}

double CalcMuscleActivationRate(const Actuator& actuator, double u, double activation) {
  const double excitation = std::clamp(u, 0.0, 1.0);
  const double share = 0.5 + 1.5 * std::clamp(activation, 0.0, 1.0);
  const double rising = actuator.time_constant * share, falling = actuator.deactivation_time / share;
  const double difference = excitation - activation, width = actuator.activation_smoothing;
  double time = difference > 0.0 ? rising : falling;
  if (width > 0.0) time = falling + (rising - falling) * SmoothStep(difference / width + 0.5);
  return difference / time;
}

}  // namespace stiction

#include "stiction/model/joint/joint_sampler.h"

#include <cmath>

namespace stiction {

// From the generator's top 53 bits: the standard's distributions differ from library to library.
double JointSampler::Uniform(double low, double high) {
  return low + (high - low) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
}

double JointSampler::WithinLimits(double lower, double upper, double span) {
  const bool has_lower = std::isfinite(lower), has_upper = std::isfinite(upper);
  if (has_lower && has_upper) return Uniform(lower, upper);
  if (has_lower) return Uniform(lower, lower + 2.0 * span);
  if (has_upper) return Uniform(upper - 2.0 * span, upper);
  return Uniform(-span, span);
}

Quaterniond JointSampler::Rotation(double largest) {
  Vector3d axis;
  do {  // a direction without preference: the ball inside the cube
    axis = {Uniform(-1.0, 1.0), Uniform(-1.0, 1.0), Uniform(-1.0, 1.0)};
  } while (axis.norm() > 1.0 || axis.norm() < 1e-3);
  return QuaternionExp(Uniform(0.0, largest) * axis.normalized());
}

}  // namespace stiction

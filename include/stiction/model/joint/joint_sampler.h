// Random numbers for joints, alike on every platform.
#pragma once

#include <cstdint>
#include <random>

#include "stiction/math/rotation.h"

namespace stiction {

class JointSampler {
 public:
  explicit JointSampler(std::uint64_t seed) : engine_(seed) {}

  double Uniform(double low, double high);
  // Between the limits; beside a single one 2 span wide, without any from -span to span.
  double WithinLimits(double lower, double upper, double span);
  // Rotation by an angle in [0, largest] about an axis without preference. [rad]
  Quaterniond Rotation(double largest);

 private:
  std::mt19937_64 engine_;
};

}  // namespace stiction

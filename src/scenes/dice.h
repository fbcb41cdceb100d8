// Random numbers of generated scenes: the same on every platform, since the standard leaves the output of its
// distributions to the library.
#pragma once

#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace stiction {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double Uniform(double lower, double upper) {
    return lower + (upper - lower) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  double LogUniform(double lower, double upper) { return lower * std::pow(upper / lower, Uniform(0.0, 1.0)); }
  // Fisher and Yates.
  template <typename T>
  void Shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[engine_() % i]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace stiction

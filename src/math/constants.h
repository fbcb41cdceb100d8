// Numbers that several files of a folder need, in one place.
#pragma once

#include <limits>
#include <numbers>

namespace stiction {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kPi = std::numbers::pi;

}  // namespace stiction

// What steps take the numbers of a Softness for where they are smaller or larger (sim/soft_rows.h); who reads
// a file says so.
#pragma once

namespace stiction {

inline constexpr double kMinImpedance = 0.0001, kMaxImpedance = 0.9999;
inline constexpr double kMinTimeConstants = 2.0;  // in steps: a shorter time constant is unstable

}  // namespace stiction

// How a row gives way, as MJCF's solref and solimp say it (sim/soft_rows.h has the law).
#pragma once

#include <array>

namespace stiction {

struct Softness {
  // Both positive: time constant [s] and damping ratio of an error that vanishes. Both negative: −stiffness
  // [1/s²] and −damping [1/s] of the same, per unit of effective mass.
  std::array<double, 2> reference{0.02, 1.0};
  // Impedance d without error and at the error `width`, width [m or rad], and the midpoint and power of the
  // curve between: of a load d is carried as by a rigid row, in [0.0001, 0.9999].
  std::array<double, 5> impedance{0.9, 0.95, 0.001, 0.5, 2.0};
};

}  // namespace stiction

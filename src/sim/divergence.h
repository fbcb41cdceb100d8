// Beyond any speed that is physical.
#pragma once

namespace stiction {

// A step that ends with more has diverged; a trial that leads to more says nothing [m/s or rad/s].
inline constexpr double kDivergence = 1e10;

}  // namespace stiction

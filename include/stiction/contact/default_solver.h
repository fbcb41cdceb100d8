// The solver of those who name none.
#pragma once

namespace stiction {

inline constexpr const char* kDefaultSolver = "auto";

}  // namespace stiction

// Integrators by name.
#pragma once

#include <optional>
#include <string_view>

#include "stiction/model/model.h"

namespace stiction {

// "euler", "explicit", "implicit", "midpoint" or "rk4" (Options::integrator); none for other words.
std::optional<Integrator> FindIntegrator(std::string_view name);

}  // namespace stiction

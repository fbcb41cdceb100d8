// Equalities that do not hold where a simulation starts.
#pragma once

#include <string>
#include <vector>

#include "stiction/model/input.h"
#include "stiction/model/state.h"

namespace stiction {

struct OpenEquality {
  int equality = -1;
  double residual = 0.0;  // largest |Φ| of its rows at the start [m or rad]
  double rest = 0.0;      // of that after all equalities have been drawn together as far as they go
};

// Active equalities with a residual above `tolerance`, in model order. The first steps draw them together
// (sim/equality_stage.h); a rest that stays above it contradicts the others, or the mechanism cannot reach.
std::vector<OpenEquality> FindOpenEqualities(const Model& model, const Input& input, const State& state,
                                             double tolerance = 1e-6);

// "equality 'pin' is open by 0.0012 m or rad at the start, and is drawn together", or "equality 'pin' cannot
// be met: open by 0.1 m or rad at the start, 0.03 stay open".
std::string Describe(const Model& model, const OpenEquality& open);

}  // namespace stiction

// Limits of joints and tendons that a simulation starts beyond.
#pragma once

#include <string>
#include <vector>

#include "stiction/model/input.h"
#include "stiction/model/state.h"

namespace stiction {

struct PassedLimit {
  int joint = -1;   // or
  int tendon = -1;  // the other is -1
  bool is_upper = false;
  double by = 0.0;  // [m or rad]
};

// Exact limits that are passed by more than `tolerance` [m or rad]: joints in model order, then tendons. The
// first steps bring back what passes them, 0.01 m or rad a step at most (sim/position_stage.h).
std::vector<PassedLimit> FindPassedLimits(const Model& model, const Input& input, const State& state,
                                          double tolerance = 1e-4);

// "joint 'elbow' starts 0.07 m or rad beyond its upper limit, and is brought back".
std::string Describe(const Model& model, const PassedLimit& passed);

}  // namespace stiction

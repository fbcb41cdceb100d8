// Actuators: a scalar force on one joint.
//   ℓ = gear · q (ball: gear · rotation vector; free: 0),   ℓ̇ = gear · v
//   f = (gain0 + gain1 ℓ + gain2 ℓ̇) ctrl + bias0 + bias1 ℓ + bias2 ℓ̇, clamped to the force range
//   τ = gear f
// motor:    gain (k,0,0),  bias 0
// position: gain (kp,0,0), bias (0,-kp,-kv)
// velocity: gain (kv,0,0), bias (0,0,-kv)
// The slopes of f over ℓ and ℓ̇ enter the step implicitly, as stiffness and damping, unless the force is
// saturated.
#pragma once

#include <array>
#include <limits>
#include <string>

#include "stiction/math/types.h"

namespace stiction {

struct Actuator {
  std::string name{};
  int joint = -1;
  std::array<double, 6> gear{1, 0, 0, 0, 0, 0};  // one factor a dof of the joint
  std::array<double, 3> gain{1, 0, 0};
  std::array<double, 3> bias{0, 0, 0};
  double ctrl_lower = -std::numeric_limits<double>::infinity();
  double ctrl_upper = std::numeric_limits<double>::infinity();
  double force_lower = -std::numeric_limits<double>::infinity();  // [N or N·m], on f
  double force_upper = std::numeric_limits<double>::infinity();
};

}  // namespace stiction

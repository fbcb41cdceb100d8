// Actuators: a scalar force along a transmission.
//
//   w     the control, or the activation of an actuator that has dynamics
//   ℓ, ℓ̇  length of the transmission, times the gear, and its rate
//   f = (gain0 + gain1 ℓ + gain2 ℓ̇) w + bias0 + bias1 ℓ + bias2 ℓ̇, clamped to the force range
//   τ = (∂ℓ/∂q)ᵀ f
//
// motor:    gain (k,0,0),  bias 0
// position: gain (kp,0,0), bias (0,-kp,-kv)
// velocity: gain (kv,0,0), bias (0,0,-kv)
//
// The slopes of f over ℓ and ℓ̇ enter the step implicitly, as stiffness and damping, unless the force is
// saturated (sim/step.h).
//
// Transmissions: a joint (ℓ = gear · q; ball: gear · rotation vector; free: 0, and the force is a wrench), a
// tendon (gear times its length), or a frame (a wrench of the six gears, force first, in the frame's axes at
// its origin; with a reference frame ℓ is the gear times the relative pose, without one 0).
//
// Dynamics: ȧ = ctrl (integrator), ȧ = (ctrl − a)/τ (filter; filterexact integrates it exactly over a step).
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>

#include "stiction/model/body.h"

namespace stiction {

enum class ActuatorDynamics { kNone, kIntegrator, kFilter, kFilterExact };

struct Actuator {
  std::string name{};
  // Exactly one of them.
  int joint = -1;
  int tendon = -1;
  std::optional<Frame> frame{};

  std::optional<Frame> reference{};              // of a frame
  bool in_parent = false;                        // ball or free joint: the gear is in the parent's axes
  std::array<double, 6> gear{1, 0, 0, 0, 0, 0};  // joint: one factor a dof; tendon: the first; frame: wrench
  std::array<double, 3> gain{1, 0, 0};
  std::array<double, 3> bias{0, 0, 0};
  double ctrl_lower = -std::numeric_limits<double>::infinity();
  double ctrl_upper = std::numeric_limits<double>::infinity();
  double force_lower = -std::numeric_limits<double>::infinity();  // [N or N·m], on f
  double force_upper = std::numeric_limits<double>::infinity();

  ActuatorDynamics dynamics = ActuatorDynamics::kNone;
  double time_constant = 1.0;  // τ of a filter, > 0 [s]
  double activation_lower = -std::numeric_limits<double>::infinity();
  double activation_upper = std::numeric_limits<double>::infinity();

  // Filled by ModelBuilder.
  int activation = -1;  // into State::activation; -1: no dynamics
};

}  // namespace stiction

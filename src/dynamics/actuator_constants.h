// What actuators take from the model in its reference configuration.
//
//   damping   2 ratio √(kp m), 1/m = Σ_k J_k² / M_kk: J = ∂ℓ/∂v and M at q0. On one coordinate m is the
//             joint's inertia with all others held, over the square of the gear. Along several each carries
//             its own inertia, and their J²/M add up
//   F₀        scale / a₀ where it is not given, a₀ = ‖M⁻¹ Jᵀ‖
//   ℓ range   where it is not given, the extremes of ℓ: of a joint between its limits, of a tendon those
//             reached while its joints move between theirs (an endless hinge: one turn), whatever its own are,
//             found joint by joint from q0, in several rounds
#pragma once

#include <vector>

#include "stiction/dynamics/forces.h"

namespace stiction {

// One an actuator; allocates.
std::vector<ActuatorConstants> CalcActuatorConstants(const Model& model);

}  // namespace stiction

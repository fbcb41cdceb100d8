// Which springs and servos symplectic Euler integrates explicitly.
//
//   explicit   v⁺ = v − dt M⁻¹ Jᵀ k (ℓ(q) − ℓ₀),  q⁺ = q ⊕ dt v⁺: keeps the energy within a band of ω dt
//   implicit   v⁺ = v − dt M⁻¹ Jᵀ k (ℓ(q) + dt J v⁺ − ℓ₀): stable at any stiffness, and dissipates
//
// Both at once are stable while the explicit ones alone are: with the quotients 1, Kₑ, Kᵢ of M and of both
// stiffnesses along an eigenvector, (1 + dt² Kᵢ) z² − (2 − dt² Kₑ) z + 1 = 0 has its roots in the unit circle
// where dt² Kₑ ≤ 4. Implicit damping only adds to that.
//
// The criterion. With the springs' Gram matrix G_ij = √(kᵢ kⱼ) Jᵢ M⁻¹ Jⱼᵀ, ω² of the fastest motion is at
// most the largest row sum of |G| (Gershgorin): of springs that pull at one mass the sum of their ω². Loops
// and contacts only take motion away. Springs too stiff on their own, dt² G_ii > kMaxSpringAngle², become
// implicit; then those whose row sum over the others that are left is beyond it, until none is. M and J are
// taken at q0, at the keyframes and at a few configurations within the joints' ranges, each |G_ij| at its
// largest: the choice depends on the model and the timestep alone, so that a saved state continues as it
// would have.
//
// Dampers are implicit always, and so are the slopes of applied forces (Input::applied_stiffness). Explicit
// Euler and rk4 take all explicitly, implicit Euler and the midpoint rule all implicitly.
//
// Reference: E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2006, §I.1 and §IX (bounded
// energy error; ω dt < 2).
#pragma once

#include <string>
#include <vector>

#include "stiction/dynamics/forces.h"

namespace stiction {

// Largest ω dt of an explicit spring [rad per step]: twelve and a half steps per period, four times less than
// the limit of stability, so that the effective inertia may fall to a sixteenth of what the criterion saw.
// Energy then swings by 53 % of its mean (28 % at ω dt = 0.283), but does not drift. A larger value keeps
// stiffer springs from dissipating and leaves less room for inertia that changes.
inline constexpr double kMaxSpringAngle = 0.5;

// A joint's or tendon's spring, or an actuator that is one.
struct Spring {
  enum class Kind { kJoint, kTendon, kActuator };
  Kind kind = Kind::kJoint;
  int index = 0;  // of the joint, tendon or actuator
  // ω dt of the fastest motion that it takes part in [rad], with the other explicit springs, or alone if that
  // is too much already. Infinite: a stiffness that is not constant, of muscles and of gains by length.
  double angle = 0.0;
  bool is_implicit = false;
};

// All springs of the model, joints first, then tendons, then actuators; those that move nothing are left out.
// Allocates; costs about ten mass matrices.
std::vector<Spring> FindSprings(const Model& model, double dt);

// For JointForces::explicit_springs. Empty with every integrator but symplectic Euler.
ExplicitSprings FindExplicitSprings(const Model& model, Integrator integrator, double dt);

// "joint 'knee'", "tendon 2".
std::string DisplayName(const Model& model, const Spring& spring);

}  // namespace stiction

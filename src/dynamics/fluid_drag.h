// Drag of a fluid at rest but for the wind, by the inertia box of each body.
//
// With b the edges of the solid box that has the body's mass and principal moments, d their mean, and v, ω
// the velocity of the mass centre against the wind and the spin, in the axes of that box:
//
//   viscous   f = −3π β d v               t = −π β d³ ω             (a sphere of diameter d, Stokes)
//   inertial  fᵢ = −ρ bⱼ bₖ |vᵢ| vᵢ / 2    tᵢ = −ρ bᵢ (bⱼ⁴ + bₖ⁴) |ωᵢ| ωᵢ / 64
//
// The forces enter the step explicitly.
//
// References: MuJoCo's documentation, "Fluid forces", the inertia model.
#pragma once

#include "stiction/dynamics/kinematics.h"

namespace stiction {

// Moment and force at the body's mass centre, world axes [N·m, N]. Needs position and velocity kinematics.
Vector6d CalcFluidDrag(const Model& model, const Kinematics& kin, int body);

}  // namespace stiction

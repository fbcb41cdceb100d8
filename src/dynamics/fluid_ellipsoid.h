// Forces of a fluid on a geom that counts as an ellipsoid (model/geom.h, FluidEllipsoid).
//
// With r the semi-axes, v and ω the velocity of the geom's centre against the wind and its spin in its axes,
// ρ and β density and viscosity, V the volume, c the coefficients:
//
//   added mass   f = (m ∘ v) × ω                 t = (m ∘ v) × v + (I ∘ ω) × ω    (no share of accelerations)
//   Magnus       f = c_magnus ρ V ω × v
//   Kutta        f = c_kutta ρ A (v̂·n) (n × v) × v,   n the unit vector along (r_j r_k)² v_i
//   drag         f = −(3π β D + ρ |v| (c_blunt A + c_slender (A_max − A))) v
//                t = −(π β D³ + ρ |g|) ω,   g_i = (c_angular I_i + c_slender (I_max − I_i)) ω_i
//
//   D = ⅔ (r_x + r_y + r_z),  A the area of the shadow along v,  A_max = π r_max r_mid
//   I_i = 8π/15 r_i max(r_j, r_k)⁴,   I_max = 8π/15 r_mid r_max⁴
//
// The forces enter the step explicitly.
//
// References: MuJoCo's documentation, "Fluid forces", the ellipsoid model. (There A_max = 4π r_max r_min
// stands beside "the maximum projected surface", which is the one above and what MuJoCo computes.)
#pragma once

#include "stiction/dynamics/kinematics.h"

namespace stiction {

// Moment and force at the geom's centre, world axes [N·m, N]. The geom has `fluid`. Needs position and
// velocity kinematics.
Vector6d CalcEllipsoidDrag(const Model& model, const Kinematics& kin, const Geom& geom);

}  // namespace stiction

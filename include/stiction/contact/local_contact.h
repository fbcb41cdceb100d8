// One contact alone: the exact Coulomb problem
//
//   u = D λ + v,     K* ∋ u + Γ(u) ⊥ λ ∈ K_μ,      D 3 x 3 symmetric positive definite
//
// by enumeration of its three cases (open, stick, slide). Sliding lies on the cone's boundary with u_n = 0:
// with e = (cos θ, sin θ), d = D_tn and q(θ) = D_nn + μ d·e,
//
//   λ_n = −v_n / q,   λ_t = μ λ_n e,   f(θ) = [q v_t − v_n (μ D_tt e + d)] · e⊥ = 0   and   u_t · e ≤ 0
//
// f is a trigonometric polynomial of degree two, whose at most four roots are bracketed on a grid and
// refined.
//
// Reference: O. Bonnefon, G. Daviet, Quartic formulation of Coulomb 3D frictional contact, 2011: the same
// equations as a quartic in tan(θ/2), which this form avoids (no singular angle, no complex arithmetic).
#pragma once

#include "stiction/math/types.h"

namespace stiction {

// Returns λ. `previous` is a guess whose tangential direction starts the search for the sliding angle; it
// decides between solutions where there are several.
Vector3d SolveSingleContact(const Matrix3d& D, const Matrix3d& D_inverse, const Vector3d& v, double mu,
                            const Vector3d& previous);

}  // namespace stiction

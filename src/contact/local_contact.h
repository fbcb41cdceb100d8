// One contact alone: the exact Coulomb problem
//
//   u = D λ + v,     K* ∋ u + Γ(u) ⊥ λ ∈ K_μ,      D 3 x 3 positive definite
//
// by enumeration of its three cases (open, stick, slide). Sliding lies on the cone's boundary with u_n = 0:
// with e = (cos θ, sin θ) and q(θ) = D_nn + μ D_nt·e,
//
//   λ_n = −v_n / q,   λ_t = μ λ_n e,   f(θ) = [q v_t − v_n (μ D_tt e + D_tn)] · e⊥ = 0   and   u_t · e ≤ 0
//
// f is a trigonometric polynomial of degree two, whose at most four roots are bracketed on a grid and
// refined.
//
// Reference: O. Bonnefon, G. Daviet, Quartic formulation of Coulomb 3D frictional contact, 2011: the same
// equations as a quartic in tan(θ/2), which this form avoids (no singular angle, no complex arithmetic).
#pragma once

#include "stiction/math/types.h"

namespace stiction {

// Returns λ. D need not be symmetric: it is not where other contacts, of which some slide, have been
// eliminated. `previous` is a guess whose tangential direction starts the search for the sliding angle; it
// decides between solutions where there are several.
//   last_step  of Newton's towards the sliding angle, after which no other is taken; what is left is about its
//              square [rad]
Vector3d SolveSingleContact(const Matrix3d& D, const Matrix3d& D_inverse, const Vector3d& v, double mu,
                            const Vector3d& previous, double last_step = 1e-8);

// Other rules for one contact, which published block solvers use, of a symmetric D.

// How the least energy on the sliding circle is found: all roots of its derivative, or by walking and
// bisecting as in [Hwangbo 2018] J. Hwangbo, J. Lee, M. Hutter, Per-contact iteration method for solving
// contact dynamics, 2018, Algorithm 2.
enum class EnergySearch { kRoots, kBisection };

// Open if v_n > 0, stick if the sticking impulse lies in the cone, else the least of ½ λᵀDλ + λᵀv + s λ_n on
// the cone where u_n = 0 [Preclik 2014]. On that plane the minimiser's sliding velocity is not opposed to
// friction (the defect of the maximum dissipation principle); s = μ‖u_t‖ at the fixed point, De Saxcé's
// shift, cures it.
Vector3d SolveContactByEnergy(const Matrix3d& D, const Matrix3d& D_inverse, const Vector3d& v, double mu,
                              double s, EnergySearch search);

// One projected gradient step on the cone (convexified friction): P_K(λ − step g).
//   g  D λ + v, plus De Saxcé's shift where wanted
Vector3d StepContactByCone(const Vector3d& g, double mu, double step, const Vector3d& previous);

// One projected step for the normal, then one for friction on the disc that the new normal allows.
//   tangential  D's scale for friction; the largest eigenvalue of its tangential block converges
Vector3d StepContactBySplit(const Matrix3d& D, const Vector3d& g, double mu, double tangential,
                            const Vector3d& previous);

}  // namespace stiction

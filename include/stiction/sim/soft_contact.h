// Contacts that give way: the bias and the compliance of their rows (contact/problem.h, Constraint).
//
// With φ the gap at the start of the step, v⁻ and v⁺ the relative velocity at its start and end:
//
// ContactModel::kCompliant, stiffness k and dissipation time τ_d. The impulse dt (−k (φ⁺ + τ_d φ̇⁺))₊ with
// φ⁺ = φ + dt v_n⁺ and φ̇⁺ = v_n⁺ is
//
//   0 ≤ λ_n ⊥ v_n⁺ + e_n + R_n λ_n ≥ 0,   e_n = φ/(dt + τ_d),   R_n = 1/(dt k (dt + τ_d))
//
// implicit, and therefore stable at any stiffness. Friction is exact: sticking contacts do not creep, and
// sliding ones do not lift, which the convexified law of the source does to them.
//
// ContactModel::kSoft, MJCF's solref and solimp. With the impedance d(φ) in (0, 1), W_n the Delassus diagonal
// of the normal row, and a_ref = −b v⁻ − k φ (normal), −b v⁻ (tangential),
//
//   R_n = R_t = W_n (1 − d)/d,   e = −(v⁻ + dt a_ref)
//
// so that a row alone ends with v⁺ = (1 − d) v_free + d (v⁻ + dt a_ref). A gap that is still open keeps
// e_n = φ/dt. Neither has a slip memory or a position stage, as for both penetration is part of the law, nor
// restitution; kCompliant keeps the slip memory.
//
// References: [Castro 2022] A. Castro, F. Permenter, X. Han, An unconstrained convex formulation of compliant
// contact, §III and V (law, R_n); [Todorov 2014] E. Todorov, Convex and analytically-invertible dynamics with
// contacts and constraints, 2014, and MuJoCo's documentation, "Computation: Constraint model" (impedance,
// reference acceleration).
#pragma once

#include "stiction/model/contact_law.h"

namespace stiction {

// What the law asks of rows that were hard.
struct ContactRowLaw {
  double e_n = 0.0;  // bias of the normal row [m/s]
  double R_n = 0.0;  // compliance [m/s per N·s]
  double R_t = 0.0;
  double tangential_bias_rate = 0.0;  // e_t = this times v_t⁻
};

//   stiffness, dissipation_time  of the pair, finite
ContactRowLaw CalcCompliantLaw(double stiffness, double dissipation_time, double gap, double dt);

//   v_n  v⁻ along the normal [m/s]
//   W_n  [m/s per N·s]
ContactRowLaw CalcSoftLaw(const ContactSoftness& softness, double gap, double v_n, double W_n, double dt);

// d(φ) of MJCF's solimp: impedance[0] at the surface, impedance[1] from a depth of `width` on.
double CalcImpedance(const ContactSoftness& softness, double gap);

}  // namespace stiction

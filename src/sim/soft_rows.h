// Rows that give way: their bias and their compliance (contact/problem.h, Constraint).
//
// With φ the gap at the start of the step, v⁻ and v⁺ the relative velocity at its start and end, of contacts
// with what mocap bodies move (sim/mocap_motion.h):
//
// ContactModel::kCompliant, stiffness k and dissipation time τ_d. The impulse dt (−k (φ⁺ + τ_d φ̇⁺))₊ with
// φ⁺ = φ + dt v_n⁺ and φ̇⁺ = v_n⁺ is
//
//   0 ≤ λ_n ⊥ v_n⁺ + e_n + R_n λ_n ≥ 0,   e_n = φ/(dt + τ_d),   R_n = 1/(dt k (dt + τ_d))
//
// implicit, and therefore stable at any stiffness. Friction is exact: sticking contacts do not creep, and
// sliding ones do not lift, which the convexified law of the source does to them.
//
// Softness, MJCF's solref and solimp, of contacts (ContactModel::kSoft), limits and equalities. With the
// impedance d(φ) in (0, 1), W about the Delassus diagonal of the row (of contacts: the normal one), as
// sim/inverse_weights.h has it, or else that diagonal, and a_ref = −b v⁻ − k φ, tangential rows −b v⁻,
//
//   R = W (1 − d)/d,   e = −(v⁻ + dt a_ref)
//
// so that a row alone ends with v⁺ = (1 − d) v_free + d (v⁻ + dt a_ref), where W is exact. A gap that is
// still open keeps e = φ/dt. Such rows have no position stage, as their error is part of the law, and no
// restitution; of contacts, kCompliant keeps the slip memory and kSoft has none.
//
// References: [Castro 2022] A. Castro, F. Permenter, X. Han, An unconstrained convex formulation of compliant
// contact, §III and V (law, R_n); [Todorov 2014] E. Todorov, Convex and analytically-invertible dynamics with
// contacts and constraints, 2014, and MuJoCo's documentation, "Computation: Constraint model" (impedance,
// reference acceleration).
#pragma once

#include "stiction/model/softness.h"

namespace stiction {

struct SoftRow {
  double e = 0.0;  // bias [m/s or rad/s]
  double R = 0.0;  // compliance [m/s per N·s, or rad/s per N·m·s]
};

// Of the normal row of ContactModel::kCompliant.
//   stiffness, dissipation_time  of the pair, finite
SoftRow CalcCompliantRow(double stiffness, double dissipation_time, double gap, double dt);

// A row of an equality.
//   error  φ of the row
//   size   of the error of the whole equality, by which the impedance goes
//   v      v⁻ along the row
//   W      its Delassus diagonal, or what is taken for it
SoftRow CalcSoftRow(const Softness& softness, double error, double size, double v, double W, double dt);

// The row of a gap that must not become negative: a limit, or the normal row of a contact.
SoftRow CalcSoftGapRow(const Softness& softness, double gap, double v, double W, double dt);

// e_t/v_t⁻ of the tangential rows of a contact.
double CalcTangentialBiasRate(const Softness& softness, double gap, double dt);

// d of MJCF's solimp: impedance[0] without error, impedance[1] from an error of `width` on.
double CalcImpedance(const Softness& softness, double error);

}  // namespace stiction

// The law that a solver sets out to solve, where it is not the exact one.
#pragma once

#include <algorithm>

namespace stiction {

// With g_R = g + R λ, R_i = diag(R_t, R_t, R_n) of constraint i
// (one-row constraints: R_n) and its Delassus scale w_i,
//
//   exact    K* ∋ g_R + Γ(g_R) ⊥ λ ∈ K,      R = 0 by default
//   convex   K* ∋ g_R          ⊥ λ ∈ K       (sliding contacts lift off with g_n = μ‖g_t‖)
//
//   R_n = max(regularization_n w_i, compliance),   R_t = regularization_t w_i
//
// Where R_n > 0, a contact at rest sinks until something pushes back: penetration φ is then part of the law,
// as of a damped spring, with e_n = φ/(dt + τ_d) [Castro 2022, §V], and no affair of a position stage.
struct SolvedLaw {
  bool is_convex = false;
  double regularization_n = 0.0;
  double regularization_t = 0.0;
  double compliance = 0.0;   // [m/s per N·s]
  double dissipation = 1.0;  // τ_d over dt, where contacts give way

  bool gives_way() const { return regularization_n > 0.0 || compliance > 0.0; }
  bool is_exact() const { return !is_convex && regularization_t == 0.0 && !gives_way(); }
  double CalcNormalRegularization(double w) const { return std::max(regularization_n * w, compliance); }
  double CalcTangentRegularization(double w) const { return regularization_t * w; }
};

}  // namespace stiction

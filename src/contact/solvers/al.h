// The augmented Lagrangian methods of the CANAL paper as printed: one penalty β for all rows, and for the
// inner problem either its cascade or one of the two methods that it is compared with.
//
//   repeat   p_i = μ_i ‖z_t‖                                         (al_*: p = 0)
//            solve r(δ) = δ − Yᵀ λ(δ) = 0,   x = λ_old − β (g + p)
//            z = g + (λ − λ_old)/β
//            β ← min(κ β, β_max) if ‖J v − z‖ > ζ times its last value
//
//   canal_paper   λ = P_K(x): convex; Newton with an exact line search
//   al_trdogleg   λ = T(x), strict; Powell's dogleg in a trust region
//   al_dampedsn   λ = T(x), strict; damped semismooth Newton with Armijo's rule
//
// canal_paper solves piles at rest in two to five iterations. It stalls at 1e-3 to 1e-6 m/s where contacts
// slide or wedge, because the fixed point of p need not attract: `canal` is the method for those. The strict
// inner methods fail from bad starting points; an inner solve that misses its tolerance makes the status
// `stalled`.
//
// Reference: [Lee 2024] J. Lee, M. Lee, S. Park, J. Yun, D. Lee, Variations of augmented Lagrangian for
// robotic multi-contact simulation, §IV, Algorithm 1 and Table II. Differences:
//   1. The paper gives β = 1e4 and neither κ, ζ, β_max nor the tolerances: κ = 1 (fixed) here, which measured
//      best, ζ = 0.25, β_max = 1e7 kg.
//   2. It ends on the certificate's natural-map residual, and at most after `max_al` iterations; the iterate
//      of least residual is returned.
//   3. Soft rows keep their own regular law (no multiplier); the printed ψ of soft rows is wrong for them.
//   4. Scaled unknown δ = L (v − v*), so that the inner tolerance is on √kg m/s.
#pragma once

#include "contact/solvers/canal_system.h"
#include "stiction/contact/solver.h"

namespace stiction {

struct AlOptions {
  double beta = 1e4;              // penalty [kg]
  double beta_max = 1e7;          // beyond it rounding of β g is larger than the tolerance [kg]
  double kappa = 1.0;             // growth of the penalty
  double zeta = 0.25;             // decrease of ‖J v − z‖ that is enough
  int max_al = 10;                // augmented Lagrangian iterations
  double inner_tolerance = 1e-9;  // on ‖r‖ [√kg m/s]
  int inner_steps = 100;          // Newton steps of one inner problem; missing its tolerance is a failure
};

enum class AlInner { kConvex, kDogleg, kDamped };

class SolverAl : public ContactSolver {
 public:
  explicit SolverAl(AlInner inner) : inner_(inner) {}
  HeldVelocity held() const override { return HeldVelocity::kScaled; }
  SolveReport Solve(const Island& island, double* lambda) override;

 private:
  std::vector<SolverOption> ListOwnOptions() override;
  AlInner inner_;
  AlOptions options_;
  CanalSystem system_;
  std::vector<double> p_, delta_;
};

}  // namespace stiction

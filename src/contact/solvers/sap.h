// SAP: the semi-analytic primal solver for regularised convex contact. Newton's method on
//
//   ℓ_p(δ) = ½‖δ‖² + Σ_i ℓ_i(g_i(δ)),   g = g0 + Y δ                       (contact/regularized_law.h)
//   ∇ℓ_p = δ − Yᵀγ,   H = 1 + Yᵀ G Y
//
// with an exact line search: globally convergent, because ℓ_p is strongly convex with a Lipschitz gradient.
// Complementarity holds exactly at every iterate; only the momentum balance is iterated.
//
//   R_n = max(β²/(4π²) w_i, compliance),   R_t = σ w_i,   e_n = φ/(dt + τ_d) where φ < 0 (solved_law.h)
//
// The first term is the near-rigid switch: a contact stiffer than a period of β time steps could not be
// resolved. Sticking creeps at about σ μ g dt and sliding lifts contacts off (a convex law's artefact): the
// certificate's ncp says by how much, own_law judges the method by its own law.
//
// Reference: [Castro 2022] A. Castro, F. Permenter, X. Han, An unconstrained convex formulation of compliant
// contact, IEEE T-RO 2022, §IV–V, Algorithm 2. Differences:
//   1. Scaled unknown δ = L (v − v*), in which A = 1 (contact/island.h).
//   2. w_i is the Delassus scale tr(W_ii)/3, not ‖W_ii‖_F/3, which is 0.58/m for a point mass where the
//      paper's slip estimate (31) assumes 1/m.
//   3. Stops on the natural-map residual of its own law, or when the cost stalls at rounding; the paper's
//      test on the momentum residual (26) is there as an option, relative to max(‖L v‖, ‖Yᵀγ‖), with norms in
//      A⁻¹ where the paper has its diagonal, and island by island. What that test accepts is a velocity, with
//      momentum up to the tolerance that no impulse accounts for. Here the answer is impulses, and light
//      bodies would be thrown about by it: those of the contacts that act take it on, as little as each can
//      (SapCost::Balance).
//   4. Begins with the velocity before, as the paper does, where it is known; else with that of the impulses
//      at hand.
//   5. R_n = R + max(…) where the problem has compliance R, as patches of pressure do.
#pragma once

#include "contact/line_search.h"
#include "contact/scaled_hessian.h"
#include "stiction/contact/solver.h"

namespace stiction {

struct SapOptions {
  double beta = 1.0;          // near-rigid: periods below beta time steps are not resolved
  double sigma = 1e-3;        // R_t over w: sticking creeps at about sigma mu g dt; iterations ~ log(1/sigma)
  double compliance = 0.0;    // R_n at least this, 1/(dt k (dt + tau_d)) of a contact of stiffness k [1/kg]
  double dissipation = 1.0;   // tau_d over dt: penetration goes in dt + tau_d; 1 as in the paper's clutter
  double relative = 0.0;      // stop at ‖∇‖ ≤ relative max(‖L v‖, ‖Yᵀγ‖); 0: not this test
  double line_search = 1e-8;  // relative slope at which the exact line search ends
  int max_iterations = 100;   // Newton steps
};

// ℓ_p and its derivatives on one island.
class SapCost {
 public:
  void Assign(const Island& island, const SolvedLaw& law);

  // ℓ_p(δ); fills gamma and gradient, and the weights G of the Hessian.
  double Evaluate(const Island& island, const double* delta);
  // d <- −H⁻¹ ∇ℓ_p at the last evaluation. False if H is not positive definite.
  [[nodiscard]] bool CalcStep(const Island& island, double* d);
  // Adds to the impulses of the rows that act, at the last evaluation, the least that makes their momentum
  // that of δ. The Hessian is lost. False, and nothing changed, if that has no answer.
  //   x  out, scratch of size num_dofs
  bool Balance(const Island& island, double* x);
  // Slope and curvature of ℓ_p along d from the last evaluated point; SetDirection first.
  void SetDirection(const Island& island, const double* delta, const double* d);
  LineSlope CalcSlope(const Island& island, double a) const;

  std::vector<double> gamma;     // size num_rows
  std::vector<double> gradient;  // size num_dofs
  ScaledHessian hessian;

 private:
  double CalcNormal(const IslandConstraint& c) const {
    return c.compliance_n + law_.CalcNormalRegularization(c.scale);
  }
  double CalcTangent(const IslandConstraint& c) const {
    return c.compliance_t + law_.CalcTangentRegularization(c.scale);
  }

  SolvedLaw law_;
  std::vector<double> g_, g_step_;
  double delta_step_ = 0.0, step_step_ = 0.0;  // δᵀd, dᵀd
};

class SolverSap : public ContactSolver {
 public:
  SolvedLaw law() const override;
  bool takes_compliance() const override { return true; }
  bool begins_with_velocity() const override { return true; }
  HeldVelocity held() const override { return HeldVelocity::kScaled; }
  SolveReport Solve(const Island& island, double* lambda) override;

  // Evaluations of the line searches of the last solve.
  int line_evaluations() const { return line_evaluations_; }

 private:
  std::vector<SolverOption> ListOwnOptions() override;
  // Sets δ at which to begin, and returns ℓ_p there.
  double Begin(const Island& island);
  // ‖L v‖².
  double CalcMomentum(const Island& island) const;
  SapOptions options_;
  SapCost cost_;
  std::vector<double> delta_, step_, momentum_;
  int line_evaluations_ = 0;
};

}  // namespace stiction

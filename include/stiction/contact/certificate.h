// How exactly a solution meets the laws: computed from problem and impulses alone, the same for every solver.
//
// v is recomputed as v* + A⁻¹ Jᵀ λ, so that a solver cannot flatter itself. With w_i = tr(W_ii)/3 (W_ii = J_i
// A⁻¹ J_iᵀ, to which compliance adds its R; the number itself for one-row constraints):
//
//   ncp       contact     ‖λ − P_K(λ − (g + Γ(g))/w)‖ w             [m/s]
//             unilateral  |λ − max(0, λ − g/w)| w
//             bilateral   |g|
//             bounded     |λ − clamp(λ − g/w, lower, upper)| w
//             torsional, rolling  ‖λ − P(λ − g/w)‖ w L, P onto the disc ‖λ‖ ≤ μ λ_n; L = √(w_c/w) of the
//                         contact c that bounds it, a length of the bodies' size, makes it [m/s]
//             with compliance, g + R λ instead of g
//   canal     ‖J v − z‖₂ / n over all n constraints, with z = J v − λ + T(λ − g), the residual of
//             [Lee 2024, §VII] (β = 1 kg; mixes N·s and m/s, for comparison with that paper's tables)
//   own_law   the same for the law that the solver set out to solve (solved_law.h), soft rows included:
//             |λ + k e + b J v| w; ncp for solvers of the exact law where there are no soft rows
//   momentum  ‖A(v − v*) − Jᵀλ‖ / max(‖A v‖, ‖Jᵀλ‖) of the velocity that the solver held beside its impulses
//             (ContactSolver::held), in the scaling diag(A)^{-1/2} [Castro 2021, §IV]; 0 where it
//             held none, since v* + A⁻¹ Jᵀ λ keeps momentum by construction
//   loop      largest |g| over bilateral rows
#pragma once

#include <span>

#include "stiction/contact/problem.h"
#include "stiction/contact/solution.h"
#include "stiction/contact/solved_law.h"

namespace stiction {

struct Certificate {
  double ncp_max = 0.0;   // [m/s]
  double ncp_mean = 0.0;  // [m/s]
  int worst_constraint = -1;
  double canal = 0.0;
  double own_law = 0.0;   // [m/s]
  double momentum = 0.0;  // dimensionless
  double loop = 0.0;      // [m/s or rad/s]
};

// Judges problems of one size after another without allocating.
class Certifier {
 public:
  //   factor  of problem.A
  //   scales  w_i, one per constraint: ScaledProblem::scale, or CalcDelassusScales
  //   v_recomputed  where given, receives v* + A⁻¹ Jᵀ λ, size nv
  //   v_held  where given, the velocity that the solver held, size nv
  //   law  judged by own_law
  Certificate Certify(const ContactProblem& problem, const BranchSparseFactor& factor,
                      const Eigen::Ref<const VectorXd>& scales, const Eigen::Ref<const VectorXd>& lambda,
                      VectorXd* v_recomputed = nullptr, const GrowingVector* v_held = nullptr,
                      const SolvedLaw& law = {});

  // The same of a velocity that the caller has found: v = v* + A⁻¹ Jᵀ λ, size nv. `momentum` stays 0.
  Certificate CertifyVelocity(const ContactProblem& problem, const Eigen::Ref<const VectorXd>& scales,
                              const Eigen::Ref<const VectorXd>& lambda, const VectorXd& v,
                              const SolvedLaw& law = {});

  // The same in parts. Begin; for each part, which is some constraints and the subsystems that these touch,
  // the velocity and then its constraints; and the certificate of them all.
  void Begin(const ContactProblem& problem);
  void CalcVelocity(const ContactProblem& problem, const BranchSparseFactor& factor,
                    const Eigen::Ref<const VectorXd>& lambda, std::span<const int> constraints,
                    std::span<const int> subsystems);
  // Returns the larger one of the constraint's ncp and own_law [m/s].
  double Judge(const ContactProblem& problem, const Eigen::Ref<const VectorXd>& scales,
               const Eigen::Ref<const VectorXd>& lambda, const SolvedLaw& law, int constraint);
  Certificate Summarize(const ContactProblem& problem) const;
  double CalcMomentumError(const ContactProblem& problem, const Eigen::Ref<const VectorXd>& lambda,
                           const GrowingVector& v_held);

  // ncp of every constraint at the last call [m/s].
  const std::vector<double>& residuals() const { return residuals_; }
  // v* + A⁻¹ Jᵀ λ, size nv.
  const VectorXd& v() const { return v_; }

 private:
  std::vector<double> residuals_, own_, canal_;  // one per constraint
  GrowingVector g_;
  VectorXd v_, impulse_, inertial_, change_, error_;
  std::vector<int> constraints_, subsystems_;  // all
};

// The Delassus scale w_i of every constraint, computed column by column from J and A⁻¹: slow and independent,
// for tests and files.
VectorXd CalcDelassusScales(const ContactProblem& problem, const BranchSparseFactor& factor);

}  // namespace stiction

// ADMM and FADMM for the cone complementarity problem, with or without preconditioner.
//
//   K* ∋ u ⊥ λ ∈ K,   u = N λ + r,   N = Y Yᵀ + C,   r = g0             (convexified friction: u without Γ)
//
//   admm, padmm     (N + Θ) λ = Θ z − r − y,   z = P_K(λ + Θ⁻¹ y),   y ← y + Θ (λ − z)
//   fadmm, pfadmm   z = P_K(λ̂ + Θ⁻¹ ŷ),   (N + Θ) λ = Θ z − r − ŷ,   y = ŷ + Θ (λ − z)
//                   accelerated (λ̂, ŷ) while the combined residual ‖y − ŷ‖²/ρ + ρ ‖λ − λ̂‖² falls, else
//                   restarted
//
// Θ is ρ on contacts, unilateral and bounded rows and ρ_b = 1e-9 on bilateral ones, which then converge in
// a step or two; times N_ii (one number per contact) for padmm and pfadmm, and times the geometric mean of
// the w_i for admm, either of which makes ρ dimensionless. z is returned: it lies in its cone. The linear
// systems are those of contact/saddle_point.h.
//
// Step policies of admm and padmm, every `interval` iterations, with the residuals r_p = λ − z and
// r_d = Θ (z − z_old) in the preconditioner's metric:
//
//   1 balanced     η = ‖r_p‖ / ‖r_d‖                                                        (42)
//   2 normalised   η = (‖r_p‖ / max(‖z‖, ‖λ‖)) / (‖r_d‖ / ‖y‖)                              (43)
//   3 spectral     ρ from Barzilai-Borwein steps of both multipliers [Xu 2017]
//
// ρ ← ρ √η where √η is outside [1/2, 2], clamped to [1/50, 50].
//
// Reference: [Tasora 2021] A. Tasora, D. Mangoni, S. Benatti, R. Garziera, Solving variational inequalities
// and cone complementarity problems in nonsmooth dynamics using the alternating direction method of
// multipliers, Algorithms 1–3. Differences:
//   1. √η, not η, unless `square_root` is 0: as printed the normalised policy can cycle for ever.
//   2. The preconditioner is S⁻² = N_ii; a projection is taken in unscaled impulses, which is right for every
//      convex set.
//   3. FADMM extrapolates from the last accepted iterate and rolls back to it at a restart; the printed lines
//      14–16 never move. Its dual residual is Θ (λ − λ̂), its combined residual has squares, and a restart
//      needs a rise above 0.9999 of the last value: 0.999 restarts for ever on slow problems.
//   4. Stops on the natural-map residual of its own law; the paper's two tests are options.
//   5. y of bilateral rows is exactly zero.
//   6. admm's ρ and residuals are in units of the mean w, unless `scaled` is 0: as printed a policy compares
//      N s with m/s, and drives ρ of heavy bodies, whose impulses are large numbers, far beyond what
//      converges.
//   7. admm and padmm go on from mixtures of their last ten iterations [contact/anderson_mixing.h], unless
//      `anderson` is 0. A change of ρ is another iteration, and the mixture begins anew. Over-relaxation by
//      1.5 and 1.8 beside it gains nothing.
#pragma once

#include "contact/anderson_mixing.h"
#include "contact/saddle_point.h"
#include "stiction/contact/solver.h"

namespace stiction {

enum class AdmmPolicy { kFixed, kBalanced, kNormalised, kSpectral };

struct AdmmOptions {
  // Initial penalty: over the mean w, or N_ii with the preconditioner; in [1/kg] for fadmm, and not scaled.
  double rho = 0.1;
  bool scaled = true;           // admm: by the mean w
  double rho_bilateral = 1e-9;  // the same of bilateral rows
  AdmmPolicy policy = AdmmPolicy::kBalanced;
  bool square_root = true;  // √η instead of η
  int interval = 5;         // iterations between changes of the penalty
  double eps_primal = 0.0;  // stop at |λ − z| below this [N s] …
  double eps_dual = 0.0;    // … and |Θ (z − z_old)| below this [m/s]; both 0: not these tests
  int max_iterations = 500;
  int anderson = 10;              // differences that Anderson mixing keeps; 0: no mixing. Not of FADMM
  double restart = 0.9999;        // FADMM: accept while the combined residual falls below this factor
  double regularization_n = 0.0;  // C = max(regularization_n w, compliance) on normal and one-row rows
  double regularization_t = 0.0;  // C = regularization_t w on tangential rows
  double compliance = 0.0;        // [1/kg]
};

class SolverAdmm : public ContactSolver {
 public:
  SolverAdmm(bool is_preconditioned, bool is_accelerated);
  SolvedLaw law() const override;
  HeldVelocity held() const override { return HeldVelocity::kScaled; }
  SolveReport Solve(const Island& island, double* lambda) override;

  // Restarts of the acceleration in the last solve.
  int restarts() const { return restarts_; }

 private:
  std::vector<SolverOption> ListOwnOptions() override;
  void Prepare(const Island& island);
  void SetWeights(const Island& island);
  void Start(const Island& island, const double* lambda);
  [[nodiscard]] bool FactorWith(const Island& island, double rho);
  void Project(const Island& island, const std::vector<double>& x, std::vector<double>& z) const;
  void TakeState(std::vector<double>& x) const;
  void Mix(const Island& island);
  void Iterate(const Island& island);
  void IterateAccelerated(const Island& island);
  void Accelerate(const Island& island);
  double CalcPolicy() const;
  double CalcSpectralPolicy();
  [[nodiscard]] bool ChangePenalty(const Island& island, SolveReport& report);

  bool is_preconditioned_, is_accelerated_;
  AdmmOptions options_;
  SaddlePoint saddle_;
  double rho_ = 0.0;

  // One a row.
  std::vector<double> weight_;      // S⁻²: N_ii, the mean w or 1
  std::vector<double> metric_;      // S⁻¹
  std::vector<double> theta_;       // Θ S⁻²; 0 on soft rows
  std::vector<double> compliance_;  // C
  std::vector<char> is_bilateral_;
  std::vector<double> diagonal_, target_;
  std::vector<double> lambda_, z_, y_, z_old_, y_hat_;
  std::vector<double> predicted_lambda_, predicted_y_, accepted_lambda_, accepted_y_;  // FADMM
  std::vector<double> spectral_[4];
  // Of the iteration as one in S⁻¹ (z + Θ⁻¹ y): where the last one began and ended.
  std::vector<double> mixing_state_, mixing_image_;
  AndersonMixing mixing_;
  bool has_state_ = false;  // there was an iteration by this penalty
  std::vector<double> delta_, held_, check_;
  double momentum_ = 1.0, combined_ = 0.0;  // a and c of FADMM
  double primal_ = 0.0, dual_ = 0.0;        // largest entries of r_p and r_d
  bool has_spectral_ = false;
  int restarts_ = 0;
};

}  // namespace stiction

// Proximal ADMM on the dual problem, for the exact law ("ADMM-NCP") and for the convex one ("ADMM-CCP").
//
// The splitting keeps one copy of the impulses for the dynamics and one for the cone:
//
//   s = Γ(z)                                                     (convex law: 0)
//   x = −(W + η + ρ)⁻¹ (g0 + s − η x_prev − ρ y − z)             dynamics
//   y = P_K(x − z/ρ)                                             cone
//   z = z − ρ (x − y)                                            z → g + Γ(g)
//
// with residuals r_p = x − y and r_d = η(x − x_prev) + ρ(y − y_prev), which is z − (W x + g0 + s) exactly.
// One-row constraints have K = [lower, upper]. The penalty ρ is fixed, or balances the residuals: linear
// multiplies it by 1.5, spectral by a power of κ = L/η with L the largest eigenvalue of W.
//
// The x-step is never solved by an inverse, nor by W: with u = 1/(η + ρ) and the change Δx = x − x_prev,
//
//   r = −(W x_prev + g0 + s + ρ(x_prev − y) − z),    K Δδ = Yᵀ u r,    Δx = u (r − Y Δδ),    K = 1 + Yᵀ u Y
//
// where K has one block per tree (contact/scaled_hessian.h). Solved for the change, rounding shrinks with the
// distance still to go: on closed loops of condition 6e9 the iteration counts are those of a dense Cholesky
// factor of W + η + ρ.
//
// References: [Tsounis 2025] V. Tsounis, R. Grandia, M. Bächer, On solving the dynamics of constrained rigid
// multi-body systems with kinematic loops, Alg. 6. [Carpentier 2024] J. Carpentier, Q. Le Lidec, L. Montaut,
// From compliant to rigid contact simulation: a unified and efficient approach. Differences:
//   1. Bilateral rows carry η but no ρ (y = x, z = 0): they converge like η/(λ_i + η), in one to three
//      iterations; option penalty_on_bilateral restores the paper's splitting.
//   2. η = max(eta, 1e-13 L): smaller ones make ill-conditioned loops diverge.
//   3. ρ stays in [1e-4 √(Lη), L], and is frozen after `max_updates` changes.
//   4. Where the residual grows a thousandfold over the best, the iteration restarts from the best, ρ frozen.
//   5. Soft rows are rows of compliance 1/b and bias k e / b in the x-step, written with u = b, which holds
//      for b = 0 too.
//   6. Optional weights m_i = max diag W_ii: ρ m_i and η m_i are the plain method on the problem scaled by
//      m^{-1/2}, which keeps cones as they are. The stopping test is not scaled.
//   7. A warm start takes z as the projection of g + Γ(g) on K* ∩ λ^⊥: the velocity itself leaves the dual
//   cone
//      as soon as the problem changes, and z/ρ then throws y far from λ.
//   8. It stops on the natural map of y, not on r_p and r_d; the best y is returned.
//   9. Where 1000 iterations do not halve the residual, a penalty that is not fixed is searched: it goes
//   tenfold
//      up, or down where that was slower than the 1000 before, and is frozen otherwise. r_p is in N·s and r_d
//      in m/s, and a balance of the two may be orders of magnitude beside the ρ that converges.
#pragma once

#include "contact/anderson_mixing.h"
#include "contact/scaled_hessian.h"
#include "stiction/contact/solver.h"

namespace stiction {

enum class PenaltyPolicy { kFixed, kLinear, kSpectral };

struct ProximalAdmmOptions {
  int max_iterations = 3000;  // solve 41 of 60 stored problems to 1e-8 m/s; 1000 solve 29
  PenaltyPolicy penalty = PenaltyPolicy::kSpectral;
  double rho = 1.0;             // fixed: the penalty; linear: its start [1/kg, or 1 where weighted]
  double eta = 1e-6;            // least proximal term, same unit
  double alpha = 10.0;          // imbalance of r_p and r_d that changes ρ; 3 factors twice as often for less
  double linear_factor = 1.5;   // change of ρ, linear
  double spectral_start = 0.2;  // spectral: ρ = √(Lη) κ^start
  double spectral_exponent = 0.05;    // change of ρ by κ^exponent; 0.1 diverges on loops at η = 1e-8
  int update_every = 1;               // iterations between changes of ρ
  int max_updates = 40;               // changes of ρ, each of which costs a factorisation
  bool precondition = false;          // weights m_i = max diag W_ii
  bool penalty_on_bilateral = false;  // ρ on bilateral rows too
  // Differences that Anderson mixing keeps; 0: no mixing. With 10 most problems take a half to a tenth of the
  // iterations, but of mechanisms in motion a walker misses 1e-6 m/s, which it keeps without.
  int anderson = 0;
};

// The iteration, one step at a time.
class ProximalAdmm {
 public:
  // Starts from `lambda` and the shifted velocity that complements it best (its λ and z are those of a
  // solution if `lambda` is one); from z = 0 where all of lambda is zero.
  void Start(const Island& island, const ProximalAdmmOptions& options, bool is_convex, const double* lambda);

  // Updates ρ by the residuals of the last iteration, then iterates. False if the factorisation fails
  // (numbers overflowed).
  [[nodiscard]] bool Iterate(const Island& island);

  // Keeps the state, or returns to the one kept and freezes ρ.
  void Keep();
  void Restore();
  // Multiplies a penalty that is not fixed, within bounds, and freezes it. False if it stays.
  bool ScalePenalty(double factor);

  const std::vector<double>& x() const { return x_; }  // obeys the dynamics [N·s]
  const std::vector<double>& y() const { return y_; }  // lies in the cones [N·s]
  const std::vector<double>& z() const { return z_; }  // shifted velocity [m/s]
  const std::vector<double>& s() const { return s_; }  // Γ(z) of the last iteration [m/s]
  // Of the last iteration.
  double rho() const { return state_.rho; }
  double eta() const { return eta_; }
  // Largest eigenvalue of W, weighted, by 20 power iterations.
  double largest_eigenvalue() const { return L_; }
  double primal_residual() const { return primal_; }  // max |x − y| √m
  double dual_residual() const { return dual_; }      // max |η(x − x_prev) + ρ(y − y_prev)| / √m
  // ρ m and η m of constraint i.
  double RowPenalty(int i) const { return has_penalty_[i] ? state_.rho * weight_[i] : 0.0; }
  double RowProximal(int i) const { return eta_ * weight_[i]; }
  int factorizations() const { return factorizations_; }

 private:
  struct PenaltyState {
    double rho = 1.0;
    int updates = 0;
    bool is_frozen = false;
  };

  void SetWeights(const Island& island);
  void SetPenalty(const Island& island);
  void CalcLargestEigenvalue(const Island& island);
  [[nodiscard]] bool Factor(const Island& island);
  void StepDynamics(const Island& island);
  void StepCones(const Island& island);
  void UpdatePenalty();
  void TakeState(const Island& island);
  void Mix(const Island& island);
  double ClampPenalty(double rho) const;

  ProximalAdmmOptions options_;
  bool is_convex_ = false;
  double L_ = 0.0, eta_ = 0.0;
  double primal_ = 0.0, dual_ = 0.0;
  PenaltyState state_;
  double kept_rho_ = 1.0;
  bool is_factored_ = false;
  int iterations_ = 0, factorizations_ = 0;
  std::vector<double> weight_;     // m_i, one per constraint
  std::vector<char> has_penalty_;  // one per constraint
  std::vector<double> u_;          // 1/(η + ρ) of a constraint; soft: b
  std::vector<double> x_, y_, z_, s_, x_change_;
  std::vector<double> kept_x_, kept_y_, kept_z_;
  std::vector<double> delta_, g_;  // Yᵀ x and the step Δδ; velocities
  // Of the iteration as one in √m (y − z/ρ), rows without penalty √m x: where the last one began and ended.
  std::vector<double> mixing_state_, mixing_image_;
  AndersonMixing mixing_;
  ScaledHessian matrix_;
};

// The solver of either law.
class SolverProximalAdmm : public ContactSolver {
 public:
  SolverProximalAdmm() = default;
  explicit SolverProximalAdmm(const ProximalAdmmOptions& options) : options_(options) {}
  SolveReport Solve(const Island& island, double* lambda) override;

 private:
  std::vector<SolverOption> ListOwnOptions() override;
  double CalcResidual(const Island& island, const double* lambda);
  bool IsInfeasible(const Island& island, double residual);
  bool IsAtRest();
  void SearchPenalty(double rate);
  void StartWithoutMixing(const Island& island);

  ProximalAdmmOptions options_;
  ProximalAdmm method_;
  std::vector<double> delta_;
  // Infeasibility is looked for at iterations 2^k: impulses and residual of the last one.
  std::vector<double> past_y_;
  double past_residual_ = 0.0, past_norm_ = 0.0;
  int signs_ = 0;              // of infeasibility, in a row
  std::vector<double> start_;  // impulses
  std::vector<double> last_y_;
  int rests_ = 0;  // iterations without change, in a row
  // Of the search for a penalty: what it is multiplied by next, and the last slow window's residual over that
  // of the window before.
  double raise_ = 0.0, slow_rate_ = 0.0;
};

class SolverAdmmNcp : public SolverProximalAdmm {
 public:
  using SolverProximalAdmm::SolverProximalAdmm;
};

// Stops at, and is judged by, the convex law.
class SolverAdmmCcp : public SolverProximalAdmm {
 public:
  SolvedLaw law() const override { return {true}; }
};

}  // namespace stiction

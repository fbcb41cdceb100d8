// CANAL in its robust form: an augmented Lagrangian for the exact contact laws, whose inner problems are
// solved by semismooth Newton on the strict operator, with the convex surrogate of the paper as globaliser.
//
//   λ_new = T(λ_old − β g(δ)),  δ = Yᵀ λ_new
//
// until the natural-map residual of λ_new is below the tolerance.
//
// Reference: [Lee 2024] J. Lee, M. Lee, S. Park, J. Yun, D. Lee, Variations of augmented Lagrangian for
// robotic multi-contact simulation, §IV, Algorithm 1. Differences:
//   1. Strict Newton first where there is a warm start; the paper's cascade (convex problem with lagged p)
//      takes over when it fails, and is corrected by a strict Newton from its result. The cascade alone
//      stalls at 1e-3 to 1e-6 m/s when contacts slide or wedge.
//   2. β_i = c / w_i with the Delassus scale w_i of the constraint, one c for all: the paper's single
//      β = 1e4 kg does not fit all masses.
//   3. c grows by κ only while the multiplier error dominates, and shrinks by `down` when the lag of p does:
//      at large β the cascade's fixed point repels. Its ceiling is 1e8: 1e6 stalls stacks of high mass ratio
//      at 1e-7 m/s. The paper gives neither κ nor the decrease that lets β be. With one of 0.05 convergence
//      is faster than linear, as it says; with 0.25 it is linear, a decade an iteration.
//   4. The iterate with the least natural-map residual is returned, not the last: the augmented Lagrangian is
//      not monotone.
//   5. Opposing constraints are recognised: residual constant while the impulses grow.
//   6. The inner problem is solved no more exactly than the best residual so far: as in inexact augmented
//      Lagrangians, most outer iterations then take a single Newton step.
//   7. Optionally ("walk") a strict problem that fails is tried again with a smaller c, from where it began,
//      and the cascade is left to small c. Its solution is far from the strict one's where contacts slide or
//      wedge, and at large c it throws the multipliers back by as much: piles of hundreds of contacts in
//      mid-impact then cycle at 1e-6 to 1e-3 m/s for ever. The walk, of many cheap iterations, converges
//      there. Half of its Newton steps would go into attempts with a c that has just failed: c therefore
//      waits some iterations below one that failed.
//   8. A run ends below `acceptance` once an iteration does little for the residual: where rows contradict
//      one another by a little, impulses reach the last digit only by travelling until a contact slides, in
//      hundreds of Newton steps.
//   9. From a warm start the solver begins with up to `first_steps` primal-dual Newton steps
//      (contact/solvers/primal_dual.h), in each of which the multipliers move with the velocities, as in an
//      augmented Lagrangian that takes one step an iteration. A strict problem of c = 1e3 opens and closes
//      contacts by what is left of their velocity times 1e3/w; there it is 1/w, so that where the answer is
//      near its sets are found at once.
//  10. Everything in the scaled unknown δ = L (v − v*), in which A is the identity (contact/island.h).
#pragma once

#include "contact/solvers/canal_system.h"
#include "contact/solvers/primal_dual.h"
#include "stiction/contact/solver.h"

namespace stiction {

struct CanalOptions {
  double tolerance = 1e-9;  // natural-map residual [m/s]
  double c = 1e3;           // initial penalty factor; 1e4 suits piles at rest, 1e2 sliding ones
  double c_min = 1.0;
  double c_max = 1e8;       // beyond it rounding of g times β exceeds the tolerance
  double kappa = 2.0;       // growth of c; by 4 it overshoots what a strict problem converges at
  double down = 4.0;        // decrease of c
  double zeta = 0.05;       // c grows unless the multiplier error falls below this factor
  int max_al = 120;         // augmented-Lagrangian iterations; 60 lose a sixth of zigzag stacks of ratio 1e3
  int max_newton = 1600;    // Newton steps in all; hard clutter takes hundreds, real time wants 25
  int strict_steps = 20;    // Newton steps of one strict attempt
  int convex_steps = 60;    // Newton steps of one convex problem
  bool per_contact = true;  // β_i = c/w_i; false: one β = c / geometric mean of w_i
  bool walk = false;        // strict problems that fail are tried again with c/down, above c = 10
  double acceptance = 0.0;  // residual below which a run may end before the tolerance [m/s]
};

// The method without the interface, so that `auto` can run it twice with different options.
class CanalMethod {
 public:
  // Improves lambda, never worsening its residual.
  //   residual  in: of lambda; out: of the lambda returned
  SolveReport Run(const Island& island, const CanalOptions& options, double effort, double* lambda,
                  double& residual);

  // ContactSolver::held_velocity: δ at the end of the inner problem that gave the best impulses.
  const std::vector<double>& held_velocity() const { return held_velocity_; }

 private:
  void SetPenalties(const Island& island, const CanalOptions& options, double c);
  [[nodiscard]] bool TryStrict(const Island& island, const CanalOptions& options, double tolerance,
                               SolveReport& report);
  [[nodiscard]] bool SolveInner(const Island& island, const CanalOptions& options, double tolerance,
                                bool strict_first, SolveReport& report);
  double CalcNewtonTolerance(const Island& island, const CanalOptions& options, double residual) const;

  CanalSystem system_;
  std::vector<double> held_velocity_;
  std::vector<double> base_;                          // β_i / c
  std::vector<double> p_;                             // μ ‖z_t‖, one per constraint [m/s]
  std::vector<double> delta_;                         // Yᵀ λ of the current λ
  std::vector<double> start_;                         // before a strict attempt
  std::vector<double> convex_delta_, convex_lambda_;  // the cascade's solution
};

class SolverCanal : public ContactSolver {
 public:
  HeldVelocity held() const override { return HeldVelocity::kScaled; }
  SolveReport Solve(const Island& island, double* lambda) override;

 private:
  std::vector<SolverOption> ListOwnOptions() override;
  CanalOptions options_;
  CanalMethod method_;
  int first_steps_ = 30;
  PrimalDualOptions primal_dual_options_;
  PrimalDualNewton primal_dual_;
  std::vector<double> delta_;
};

}  // namespace stiction

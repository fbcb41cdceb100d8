// Block successive over-relaxation on impulses, with a local rule per contact: the family of per-contact
// solvers.
//
//   for every block k:  v_k = (D λ + v_f) without its own part,  λ_k ← ω R(λ_k, D_kk, v_k) + (1 − ω) λ_k
//   ω ← γ (ω − ω_min) + ω_min after each sweep
//
//   pgs_ccp       R = P_K(λ − g/λ_max(D_kk)): convexified friction, sliding contacts lift off
//   pgs_ncp       normal by projection, then friction on its disc
//   nbgs          least energy on the plane u_n = 0 (maximum dissipation), by the roots of its derivative
//   raisim        the same by bisection, ω from 1 to 0.7
//   raisim_ds     with De Saxcé's shift s = μ‖u_t‖, which makes the fixed point Coulomb's law
//   raisim_ds_es  the same, stopped when the energy stands still
//
// Where it slides, the maximum dissipation principle on a plane misaligns friction (median 3°, up to 89°):
// nbgs and raisim then come to rest at residuals of 1e-4 to 1e-1 m/s and say `stalled` or `max_iterations`.
// nbgs_c and the De Saxcé variants do not have that defect. All converge linearly at best, and stall on mass
// ratios.
//
// Bilateral rows of one joint are one block (contact/bilateral_groups.h). The state is δ = Yᵀλ: no row of D
// is ever formed.
//
// References: [Tsounis 2025] V. Tsounis, R. Grandia, M. Bächer, On solving the dynamics of constrained rigid
// multi-body systems with kinematic loops, Algorithms 1–5. Differences:
//   1. pgs_ccp steps by 1/λ_max(D_kk): 3/tr oscillates for ever where λ_max exceeds two thirds of the trace.
//   2. pgs_ncp's friction step is 1/λ_max of the tangential block (option `split_step` false: the
//      paper's smaller diagonal entry, which need not converge), with the velocity after the normal's update.
//   3. Singular blocks get the proximal term 1e-8 tr(D) (λ − λ_before), which leaves fixed points alone.
#pragma once

#include "contact/bilateral_groups.h"
#include "stiction/contact/solver.h"

namespace stiction {

struct BlockSorOptions {
  int max_sweeps = 500;
  int check_interval = 5;  // sweeps between residuals
  bool unscaled = false;   // the tolerance is on |λ − P(λ − g)| without scale, as in the paper
  bool split_step = true;  // pgs_ncp: by λ_max of the tangential block; false: its smaller diagonal entry
  double omega = 1.0;      // relaxation at the start, in (0, 1]
  double omega_min = 1.0;
  double decay = 0.99;    // γ
  double energy = 1e-14;  // raisim_ds_es: stop at this change of energy over the trace of A
};

enum class BlockRule { kPgsCcp, kPgsNcp, kNbgs, kRaisim, kRaisimDs, kRaisimDsEs };

class SolverBlockSor : public ContactSolver {
 public:
  explicit SolverBlockSor(BlockRule rule);
  SolvedLaw law() const override;
  SolveReport Solve(const Island& island, double* lambda) override;
  // So many sweeps without relaxation, wherever they lead: not the best iterate, but the last.
  void Relax(const Island& island, int sweeps, double* lambda);

 private:
  std::vector<SolverOption> ListOwnOptions() override;
  struct Block {
    Matrix3d D, D_inverse;  // regularised diagonal block
    double epsilon;         // 0: nothing moves this contact
    double step;            // 1/λ_max, or the tangential scale
  };
  void Prepare(const Island& island);
  Vector3d ApplyRule(const Block& block, double mu, const Vector3d& g, const Vector3d& before) const;
  // Returns the largest |Δλ|.
  double Sweep(const Island& island, double omega);
  double CalcResidual(const Island& island) const;
  double CalcEnergy(const Island& island) const;

  BlockRule rule_;
  BlockSorOptions options_;
  std::vector<Block> blocks_;  // one per constraint
  BilateralGroups groups_;
  std::vector<double> lambda_, delta_;
};

}  // namespace stiction

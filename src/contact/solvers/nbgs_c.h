// Nonlinear block Gauss-Seidel with the exact Coulomb rule in every block ("NBGS-C").
//
// One sweep visits the constraints in order and solves each exactly while all others stand still
// (contact/local_contact.h; one-row laws in closed form; the bilateral rows of a joint together,
// contact/bilateral_groups.h). The running state is δ = Yᵀλ, so a block costs two
// passes over its own columns and no row of W is ever formed. A singular block (fewer than three dofs reach
// the contact) gets the proximal term ε(λ − λ_before) with ε = 1e-8 tr D, which leaves the fixed point where
// it is.
//
// Cheap and robust at short budgets, linear at best: mass ratios across a stack stall it.
//
// References: [Tsounis 2025] V. Tsounis, R. Grandia, M. Bächer, On solving the dynamics of constrained rigid
// multi-body systems with kinematic loops, Alg. 5 (block SOR template). Differences: 1. Coulomb's rule where
// the paper minimises energy on v_n = 0, which misaligns friction; 2. no relaxation; 3. δ is carried instead
// of rows of the Delassus matrix.
#pragma once

#include "contact/bilateral_groups.h"
#include "stiction/contact/solver.h"

namespace stiction {

// The sweep itself, also used by `auto`.
class GaussSeidelSweep {
 public:
  // Factors the diagonal blocks.
  //   is_shared  islands that are cut into slabs are swept over in their order, which lets the island's
  //   threads
  //              take part; else in the order of the constraints
  void Prepare(const Island& island, bool is_shared = false);
  // One sweep, in place. Returns the largest change of a constraint's own velocity, w ‖Δλ‖ [m/s].
  //   delta  Yᵀλ on input and output, up to the rounding of one sweep
  double Sweep(const Island& island, double* lambda, double* delta);

 private:
  struct Block {
    Matrix3d D, D_inverse;  // regularised diagonal block and its inverse
    double epsilon;
  };
  // Solves constraint i alone. Returns the change of its own velocity.
  double Visit(const Island& island, int i, double* lambda, double* delta) const;

  std::vector<Block> blocks_;  // one per constraint; unused for one-row laws
  BilateralGroups groups_;
  bool is_shared_ = false;
  std::vector<double> moves_;  // of a sweep, one per constraint
};

struct NbgsCOptions {
  int max_sweeps = 500;  // solve 28 of 60 stored problems to 1e-8; 2000 sweeps solve 32
};

class SolverNbgsC : public ContactSolver {
 public:
  explicit SolverNbgsC(const NbgsCOptions& options = {}) : options_(options) {}
  SolveReport Solve(const Island& island, double* lambda) override;

 private:
  std::vector<SolverOption> ListOwnOptions() override;
  NbgsCOptions options_;
  GaussSeidelSweep sweep_;
  std::vector<double> lambda_, delta_;
};

}  // namespace stiction

// First-order methods for convex contact, matrix-free: the comparison solvers of the ADMM paper.
//
//   min ½ λᵀ N λ + rᵀ λ over λ ∈ K,   q = N λ + r,   N = Y Yᵀ (soft rows: + 1/b),   r = g0 (soft: + k e/b)
//
//   jacobi  λ_i ← P(λ_i − ω q_i/N_ii) for all i at once
//   psor    the same one after another, with the latest q; ω = 1 is projected Gauss-Seidel
//   apgd    Nesterov's accelerated projected gradient with backtracking and adaptive restart
//   spg     spectral (Barzilai-Borwein) projected gradient, non-monotone line search, diagonal preconditioner
//
// One number N_ii a contact, so that cones are preserved. All are linear or sublinear where bodies of unlike
// mass press on one another.
//
// References: [Tasora 2021] A. Tasora, D. Mangoni, S. Benatti, R. Garziera, Solving variational inequalities
// and cone complementarity problems in nonsmooth dynamics using the alternating direction method of
// multipliers, §8 and its sources: [Mazhar 2015] H. Mazhar, T. Heyn, D. Negrut, A. Tasora, Using Nesterov's
// method to accelerate multibody dynamics with friction and contact, Algorithm 1; [Birgin 2000] E. Birgin, J.
// Martínez, M. Raydan, Nonmonotone spectral projected gradient methods on convex sets. Differences:
//   1. Bilateral, bounded and soft rows take part as boxes or free rows.
//   2. The iterate of least natural-map residual is returned, and the residual decides on convergence.
//   3. spg's line search compares with the true largest of the last ten values, and its trial values need no
//      products with N: the energy along a line is a parabola.
#pragma once

#include "stiction/contact/island.h"
#include "stiction/contact/solver.h"

namespace stiction {

struct ProjectedGradientOptions {
  int max_iterations = 500;
  int check_interval = 5;      // iterations between residuals
  bool unscaled = false;       // the residual without its scale, as in the paper
  double omega = 1.0;          // jacobi, psor: step; jacobi diverges above about 2 over the contacts a body
  double relaxation = 1.0;     // jacobi, psor: part of the new impulse that is taken
  bool preconditioner = true;  // spg: divides by N_ii
  int memory = 10;             // spg: energies that a new one is compared with
};

enum class GradientMethod { kJacobi, kPsor, kApgd, kSpg };

class SolverProjectedGradient : public ContactSolver {
 public:
  explicit SolverProjectedGradient(GradientMethod method);
  SolvedLaw law() const override;
  SolveReport Solve(const Island& island, double* lambda) override;

 private:
  std::vector<SolverOption> ListOwnOptions() override;
  // Impulses with what follows from them.
  struct Point {
    std::vector<double> lambda, delta, gradient;
    double energy = 0.0;
  };
  void Prepare(const Island& island);
  void Project(const Island& island, std::vector<double>& x) const;
  // δ, gradient and energy of point.lambda.
  void Evaluate(const Island& island, Point& point) const;
  double CalcLargestEigenvalue(const Island& island);

  void IterateJacobi(const Island& island);
  void IteratePsor(const Island& island);
  void IterateApgd(const Island& island);
  void IterateSpg(const Island& island, int iteration);

  GradientMethod method_;
  ProjectedGradientOptions options_;
  std::vector<double> r_, compliance_, diagonal_;  // one per row
  std::vector<char> is_fixed_;                     // soft rows without damping: λ = −k e
  Point now_, ahead_, trial_;
  std::vector<double> direction_, direction_delta_, direction_gradient_;
  std::vector<double> energies_;  // spg: a ring
  double lipschitz_ = 1.0;        // apgd: L
  double theta_ = 1.0;            // apgd
  double step_ = 1.0;             // spg
};

}  // namespace stiction

// Mehrotra's predictor-corrector method for islands of unilateral rows alone, where the laws are a convex
// problem:
//
//   min ½ ‖δ‖²,  g = g0 + Y δ = z ≥ 0;   δ = Yᵀ λ,  λ ≥ 0,  λ_i z_i = 0
//
// It follows the points with λ_i z_i = μ as μ falls, and so takes a dozen Newton steps whatever the rows:
// those that say the same as others, as the corners of faces that lie on one another do, are what active sets
// lose themselves in. Nothing is gained from a warm start.
//
// Reference: S. Mehrotra, "On the implementation of a primal-dual interior point method", SIAM J. Optim. 2
// (1992).
#pragma once

#include <vector>

#include "contact/scaled_hessian.h"
#include "stiction/contact/island.h"
#include "stiction/contact/solution.h"

namespace stiction {

class InteriorPoint {
 public:
  // Whether all rows of the island are unilateral.
  static bool Solves(const Island& island);

  // Improves lambda, never worsening its residual.
  //   tolerance  natural-map residual [m/s]
  //   residual   in: of lambda; out: of the lambda returned
  SolveReport Run(const Island& island, double tolerance, double* lambda, double& residual);

 private:
  void Start(const Island& island);
  // The direction for the targets t of z Δλ + λ Δz.
  void CalcDirection(const Island& island);
  // The largest step up to 1 that leaves λ and z positive.
  double CalcStepLength() const;

  ScaledHessian hessian_;
  std::vector<double> lambda_, z_, error_;               // by row; error_: g − z
  std::vector<double> target_, right_, d_lambda_, d_z_;  // by row
  std::vector<double> delta_, d_delta_;                  // by dof
};

}  // namespace stiction

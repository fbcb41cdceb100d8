// Path following for islands of contacts and unilateral rows that Newton's method alone finds no way into:
// heaps of hundreds of contacts, among walls or wedged, of which some are about to stick.
//
// Contacts are pairs of second-order cones. With x = (μ λ_n, λ_t) and s = (g_n/μ + |g_t|, g_t) the exact laws
// are x ∘ s = 0 in the Jordan algebra of the cone; a unilateral row is the pair x = λ, s = g of half-lines.
// The path solves, for ν from some ν0 to nothing,
//
//   x_i ∘ s_i = ν e,   δ = Yᵀ λ,
//   s_i = (g_n/μ + τ (√(|g_t|² + ε_i²) − ε_i), g_t) + ρ w_i x_i,   g = g0 + Y δ
//
//   τ = 1 − ν/ν0,   ε_i = κ √(ν w_i),   ρ = ρ0 ν/ν0
//
// At ν0 that is the central path of a convex problem, which compliance ρ makes solvable whatever the walls
// ask for: there is one point on it. From there on the path may turn back in ν as often as it likes, but it
// cannot end, nor return to where it began, but for chance: it leads to ν = 0, where the laws are exact,
// unless impulses grow without an end. How long it is nobody knows: of ten hard problems of 800 contacts four
// took more than a thousand factorisations. It is followed by its length, with a predictor along the tangent
// and Newton steps orthogonal to it. Which way is on tells the sign of det K, the matrix of both: the tangent
// of (z, log ν) has −sign(det K) in its last place. Continuity does not tell, in the sharp bends where a
// contact changes from sticking to sliding; there it took every other path back.
//
// The Newton steps are those of the scaling of Nesterov and Todd: with W² s = x, and v = W s,
//
//   dx = r_c − W² ds,   ds = B (M dg + ρ w r_c − r_s),   B = (1 + ρ w W²)⁻¹,   r_c = W (v \ (ν e − v ∘ v))
//
// M the derivative of s by g. That leaves (1 + Yᵀ D W² B M Y) dδ, D from x to λ: contact/scaled_hessian.h.
//
// A point of residual 1e-3 to 1e-6 m/s is near enough for primal-dual Newton steps, tried now and then.
//
// References: E. L. Allgower, K. Georg, Numerical Continuation Methods, 1990 (predictor and corrector,
// orientation by the determinant). Y. E. Nesterov, M. J. Todd, Self-scaled barriers and interior-point
// methods for convex programming, 1997.
#pragma once

#include <vector>

#include "contact/scaled_hessian.h"
#include "contact/solvers/primal_dual.h"
#include "stiction/contact/incumbent.h"
#include "stiction/contact/island.h"
#include "stiction/contact/solution.h"

namespace stiction {

struct CentralPathOptions {
  double tolerance = 1e-9;   // natural-map residual [m/s]
  double acceptance = 9e-9;  // that ends the run [m/s]
  int max_factorizations = 1000;
};

class CentralPath {
 public:
  // Whether all of its rows are contacts' and unilateral ones, of trees.
  static bool Solves(const Island& island);

  // Improves lambda, never worsening its residual. The report counts factorisations as Newton steps.
  //   residual  in: of lambda; out: of the lambda returned
  SolveReport Run(const Island& island, const CentralPathOptions& options, double* lambda, double& residual);

 private:
  // The pair of a constraint. Of a half-line only the first components are not zero.
  struct Cone {
    Vector3d x, s;
    Vector3d v;  // W s = W⁻¹ x
    Matrix3d W, W_inverse, W_squared, B;
    Vector3d error;           // r_s = s − s(g, x)
    double slope[2] = {};     // of s by g_t, in its first component; without friction not set
    double change = 0.0;      // of s by log ν, in its first component, ρ aside
    double compliance = 0.0;  // ρ w
  };
  // A change of everything.
  struct Direction {
    std::vector<Vector3d> x, s;
    std::vector<double> delta;
    double log_nu = 0.0;
  };
  using Point = Direction;  // from nothing

  // Inside the cones near lambda; ν0 what it comes to there.
  void Start(const Island& island, const double* lambda, double residual);
  // Errors and scalings where we are. Sets off_centre_.
  void Evaluate(const Island& island);
  void EvaluateCone(const IslandConstraint& c, double share, double nu, Cone& cone);
  [[nodiscard]] bool Factor(const Island& island);
  // The Newton step at constant ν, or the tangent with d log ν = 1.
  void CalcNewton(const Island& island, Direction& d);
  void CalcTangent(const Island& island, Direction& d);
  // Either, by r_s of the cones and r_c in right_.
  //   d  in: what of δ is to change beside that; out: the direction
  void SolveDirection(const Island& island, Direction& d);
  // By the scaling where we are.
  double CalcProduct(const Direction& a, const Direction& b) const;
  // The tangent of length one that leads on. False if K is singular.
  [[nodiscard]] bool CalcUnitTangent(const Island& island, Direction& d);
  // The longest way along d inside the cones.
  double CalcReach(const Direction& d) const;
  void Go(const Direction& d, double length);
  void Keep();
  void Return();
  // Onto the path at ν0.
  [[nodiscard]] bool Centre(const Island& island);
  // Onto the path, orthogonally to the tangent, in so many steps.
  [[nodiscard]] bool Correct(const Island& island, int& steps);
  // A step along the tangent, which becomes that of its end. False, where we were, if it was too long.
  [[nodiscard]] bool Advance(const Island& island);
  // Newton's method from here, if the residual has fallen far since the last time.
  void TryToFinish(const Island& island, const CentralPathOptions& options, Incumbent& best,
                   SolveReport& report);

  ScaledHessian hessian_;
  PrimalDualNewton newton_;
  std::vector<Cone> cones_;
  std::vector<Vector3d> right_;                // r_c, one a cone
  std::vector<double> g_, lambda_, finished_;  // by row
  std::vector<double> delta_, imbalance_;      // by dof; δ − Yᵀ λ
  std::vector<double> reached_;                // by dof
  double log_nu_ = 0.0, first_log_nu_ = 0.0;
  double off_centre_ = 0.0;  // largest error of a cone, ν being 1
  double step_ = 0.0;        // length of the next one
  double next_try_ = 0.0;    // residual below which Newton's method is tried
  int factorizations_ = 0;
  Direction tangent_, next_, newton_step_, along_;
  Point kept_;
};

}  // namespace stiction

// The inner problem of one augmented-Lagrangian iteration, and Newton's methods on it.
//
// With multipliers λ° and penalties β_i in kg, and x_i = λ°_i − β_i (g_i + p_i), g = g0 + Y δ:
//
//   strict   r(δ) = δ − Yᵀ T(x),     p = 0
//            the exact laws; the Jacobian K = 1 + Yᵀ β D_T Y is not symmetric
//   convex   r(δ) = δ − Yᵀ P_K(x),   p = (0, 0, μ‖z_t‖), lagged
//            the gradient of a strongly convex h; K = 1 + Yᵀ β D_P Y is symmetric positive definite
//
// and in both, one-row constraints λ = clamp(x, lower, upper), soft λ = −k e − b g (which needs no
// multiplier: that law is regular already).
//
// Strict: semismooth Newton with halving. Convex: Newton with the exact line search of [Lee 2024, §IV-C].
//
// Reference: [Lee 2024], equations (13)–(25); the numbered differences stand in canal.h.
#pragma once

#include <vector>

#include "contact/line_search.h"
#include "contact/scaled_hessian.h"
#include "stiction/contact/island.h"

namespace stiction {

enum class ContactLaw { kStrict, kConvex };

class CanalSystem {
 public:
  // Sizes everything for the island; multipliers and penalties are set afterwards.
  void Assign(const Island& island);

  std::vector<double> multiplier;  // λ°, one per row
  std::vector<double> penalty;     // β, one per constraint [kg]
  std::vector<double> shift;       // p_n, one per constraint [m/s]; read by the convex law only

  std::vector<double> delta;   // the unknown
  std::vector<double> lambda;  // impulses at delta by the law of the last evaluation
  std::vector<double> g;       // velocities at delta

  // Makes the present delta the origin of the unknown: g = g° + Y (δ − δ°) with g° computed once, so that the
  // rounding of g, which β amplifies, shrinks with the distance still to go.
  void Recentre(const Island& island);

  struct Outcome {
    bool converged = false;
    int newton_steps = 0;
  };
  // Each improves delta and leaves lambda and g at the point returned. Convergence is ‖r‖ below the
  // tolerance, or below what the rounding of β g allows.
  //   tolerance  on ‖r‖ [√kg m/s]
  Outcome SolveStrict(const Island& island, double tolerance, int max_steps);
  Outcome SolveConvex(const Island& island, double tolerance, int max_steps);
  // The strict problem by the paper's ablation methods: Powell's dogleg in a trust region, and the damped
  // semismooth Newton method of De Luca, Facchinei and Kanzow with Armijo's rule on ½‖r‖².
  Outcome SolveDogleg(const Island& island, double tolerance, int max_steps);
  Outcome SolveDamped(const Island& island, double tolerance, int max_steps);

  // Of the last inner solution, z = g + (λ − λ°)/β: ‖J v − z‖, soft rows left out; and p = μ ‖z_t‖ of the
  // contacts, one per constraint, with the norm of its change as result.
  double CalcMultiplierError(const Island& island) const;
  double UpdateShift(const Island& island, std::vector<double>& p) const;

 private:
  // g, x, lambda and r at a point; returns ‖r‖.
  double Evaluate(const Island& island, ContactLaw law, const std::vector<double>& point);
  // Step d = K⁻¹ r at the last evaluated point. False if K is singular.
  [[nodiscard]] bool CalcStep(const Island& island, ContactLaw law);
  double EvaluateConstraint(const Island& island, ContactLaw law, bool is_origin, int i);
  void CalcWeights(const Island& island, ContactLaw law);
  double SearchLineExactly(const Island& island, double slope0);
  LineSlope CalcSlopes(const Island& island, double a) const;
  // out = K x and out = Kᵀ x with the weights of the last step.
  void MultiplyJacobian(const Island& island, bool is_transposed, const std::vector<double>& x,
                        std::vector<double>& out);
  // The trial δ + d, accepted as δ where `accept` says so of ‖r‖ before and after.
  template <typename Accept>
  bool TryStep(const Island& island, const std::vector<double>& d, double factor, double& norm,
               const Accept& accept);

  // ‖r‖ that rounding leaves at the last evaluated point.
  double CalcRoundingFloor() const { return rounding_ * largest_change_; }

  std::vector<double> x_, r_, step_, trial_, g_step_;
  std::vector<double> gradient_, product_, dogleg_;  // of the ablations
  std::vector<double> origin_, origin_g_, from_origin_;
  double rounding_ = 0.0;        // ε max β_i √w_i
  double largest_change_ = 0.0;  // largest |g − g°|
  ScaledHessian hessian_;        // K
};

}  // namespace stiction

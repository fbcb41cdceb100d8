// Primal-dual Newton steps on the natural map of the exact laws: few where the warm start is near, and no
// help where it is not.
//
// With β_i = 1/w_i, x = λ − β g, F = T(x) − λ and D = T'(x), where T clamps contacts to their cone by the
// Coulomb rule, the step solves
//
//   (1 − D + ε) dλ = F − β D Y dδ,   dδ = Yᵀ dλ
//
// by eliminating dλ: with B = (1 − D + ε)⁻¹,
//
//   (1 + Yᵀ β B D Y) dδ = Yᵀ B F,    dλ = B F − β B D Y dδ
//
// which is the matrix of a penalty method with penalty β/ε on sticking rows. Unlike there the penalty does
// not decide who sticks, slides or opens: x is that of β = 1/w. ε makes sticking rows that depend on one
// another solvable; it falls once the sets stay and progress does not.
//
// Steps are full: a line search on ‖F‖ buys nothing [spec. speed §C]. Where a step gains little and a few
// constraints have changed their sets in it or in the one before, those few are solved exactly against the
// others linearised (contact/condensed_group.h): half of the runs that went round in circles arrive.
#pragma once

#include <vector>

#include "contact/condensed_group.h"
#include "contact/scaled_hessian.h"
#include "stiction/contact/island.h"
#include "stiction/contact/solution.h"

namespace stiction {

struct PrimalDualOptions {
  double tolerance = 1e-9;   // natural-map residual [m/s]
  double acceptance = 9e-9;  // below which a step that gains little ends the run [m/s]
  double stall = 0.0;        // the same for one that gains nothing [m/s]
  double epsilon = 1e-4;
  double min_epsilon = 1e-9;
  int max_steps = 30;
  int patience = 8;   // steps that gain little before giving up
  int max_group = 8;  // constraints solved exactly together; 0: every step linearises all
};

class PrimalDualNewton {
 public:
  // Improves lambda, never worsening its residual.
  //   residual  in: of lambda; out: of the lambda returned
  SolveReport Run(const Island& island, const PrimalDualOptions& options, double* lambda, double& residual);

 private:
  // What a row is in, by x.
  enum class Set : char { kOpen, kStick, kSlide };

  void Assign(const Island& island, int max_group);
  // F, B F and β B D at λ and g. Sets merit_ and the lists of what changed its set.
  void Linearize(const Island& island, double epsilon);
  Set LinearizeContact(const IslandConstraint& c, int index, double epsilon);
  Set LinearizeRow(const IslandConstraint& c, int index, double epsilon);
  // The constraints that changed their sets, now or the time before, if they are few; else none.
  void ChooseGroup(const Island& island, int max_group, bool has_before);
  // λ, δ and g one step on, group_ exactly. False if the matrix is singular.
  [[nodiscard]] bool Step(const Island& island);
  void StepImpulse(const Island& island, int i);

  ScaledHessian hessian_;
  CondensedGroup condensed_;
  std::vector<Set> sets_, next_sets_;          // one per constraint
  std::vector<double> error_;                  // w² ‖F‖² of each
  std::vector<int> changed_, changed_before_;  // constraints whose set the last Linearize changed, or the one
                                               // before
  std::vector<int> group_;
  std::vector<double> lambda_, g_, BF_;     // by row
  std::vector<double> delta_, delta_step_;  // by dof
  double merit_ = 0.0;                      // √Σ w² ‖F‖² [m/s]
};

}  // namespace stiction

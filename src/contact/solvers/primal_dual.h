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
// others linearised (contact/condensed_group.h): half of the runs that went round in circles arrive. Once
// hardly any set changes, ε follows what is left, as in a regularised Newton method whose convergence is to
// be quadratic (D.-H. Li, M. Fukushima, L. Qi, N. Yamashita, Regularized Newton methods for convex
// minimization problems, 2004).
//
// Rows that stick or press may ask of one another what they cannot all have. No ε helps then: what is missing
// stays, and impulses grow along a direction that balances itself, YᵀΔλ = 0, until one of the rows gives way.
// A small ε throws them far beyond that, a large one takes many steps. So where hardly any set changes, a
// step that does not halve the merit ends where the first constraint leaves its set, however much longer or
// shorter than full that is (GoToKink): a ratio test, as in active-set methods. In large islands that is for
// steps after one that gained little: damped ones follow there. Rows without friction bound nothing but one
// another, and their impulses grow without an end: a smaller ε is all that helps them.
//
// Where a start is right but for a millimetre a second, sets mostly are those of the answer, and a step
// leaves ε times what it had to do: the first one is bold, with an ε so small that nothing is left for a
// second, and is taken back where it gains little.
//
// In heaps of dozens of bodies full steps throw the impulses far off: 1/ε times what is missing moves others
// through their sets. Damped steps (RunDamped) are those of a large ε, which falls while few sets change and
// rises, with the step taken back, where one makes the merit several times larger than it was lately, or
// changes many. The merit need not fall: on the way to an answer impulses travel through hundreds of changes,
// and a step that has to gain stops at the first that does not. All sets that the last two steps changed are
// solved exactly with one another, up to a few dozens.
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
  double epsilon = 1e-4;
  double min_epsilon = 1e-7;
  int max_steps = 60;
  int patience = 8;        // steps that gain little before giving up
  int max_group = 8;       // constraints solved exactly together; 0: every step linearises all
  bool is_careful = true;  // every step ends at a kink where hardly any set changes, not only after a stall
};

struct DampedPrimalDualOptions {
  double tolerance = 9e-9;  // natural-map residual [m/s]
  double epsilon = 0.03;
  double min_epsilon = 1e-9;
  int max_steps = 300;
  int max_group = 32;  // constraints solved exactly together
};

class PrimalDualNewton {
 public:
  // Improves lambda, never worsening its residual.
  //   residual  in: of lambda; out: of the lambda returned
  SolveReport Run(const Island& island, const PrimalDualOptions& options, double* lambda, double& residual);
  // The same by damped steps.
  SolveReport RunDamped(const Island& island, const DampedPrimalDualOptions& options, double* lambda,
                        double& residual);

 private:
  // What a row is in, by x.
  enum class Set : char { kOpen, kStick, kSlide };
  static constexpr double kKinkEpsilon = 1e-5;  // of a step to a kink, at most
  static constexpr double kStallGain = 0.5;     // of the merit: a step that leaves more gained little

  void Assign(const Island& island, int max_group);
  // Of a run that starts at that residual [m/s].
  double CalcFirstEpsilon(const PrimalDualOptions& options, double residual) const;
  // λ, and δ and g there.
  void Begin(const Island& island, const double* lambda);

  // F, B F and β B D at λ and g. Sets merit_ and the lists of what changed its set.
  void Linearize(const Island& island, double epsilon);
  Set LinearizeContact(const IslandConstraint& c, int index, double epsilon);
  Set LinearizeRow(const IslandConstraint& c, int index, double epsilon);
  Set LinearizeConstraint(const IslandConstraint& c, int index, double epsilon);
  // B F and β B D for another ε; the lists stay.
  void Weigh(const Island& island, double epsilon);
  // F of a constraint, by row. Returns w² ‖F‖².
  double CalcError(const IslandConstraint& c, double* F) const;
  double CalcMerit(const Island& island);

  // The constraints that changed their sets, now or the time before, if they are few; else none.
  void ChooseGroup(const Island& island, int max_group, bool has_before);
  // dδ of the linearised laws, group_ exactly, and dλ. False if the matrix is singular.
  [[nodiscard]] bool CalcStep(const Island& island);
  // dλ of a constraint, which goes with dδ.
  void CalcImpulseStep(const Island& island, int i, double* step);

  // λ, δ and g so many steps on.
  void Go(const Island& island, double length);
  // One step on if that halves the merit; else to where the first constraint outside group_ leaves its set,
  // and a little further, or to where the merit is least before.
  void GoToKink(const Island& island);
  double CalcProduct(const Island& island);
  double CalcSize(const Island& island, const std::vector<double>& impulses) const;
  // How many steps it is until constraint i leaves its set, at least 0; infinite if it never does.
  double FindKink(const Island& island, int i) const;

  // The point and its sets, to come back to.
  void Keep();
  void Return();

  ScaledHessian hessian_;
  CondensedGroup condensed_;
  std::vector<Set> sets_, next_sets_;          // one per constraint
  std::vector<double> error_;                  // of each: w² ‖F‖², or where it leaves its set
  std::vector<int> changed_, changed_before_;  // constraints whose set the last Linearize changed, or the one
                                               // before
  std::vector<int> group_;
  bool uses_kinks_ = false;                                // there are contacts, none of extreme friction
  std::vector<double> lambda_, g_, F_, BF_, lambda_step_;  // by row
  std::vector<double> delta_, delta_step_;                 // by dof
  double merit_ = 0.0;                                     // √Σ w² ‖F‖² [m/s]

  struct Place {
    std::vector<double> lambda, delta, g;
    std::vector<Set> sets;
    std::vector<int> changed, changed_before;
    double merit = 0.0;
  };
  Place kept_;
};

}  // namespace stiction

// Friction moments and compliance expressed by contacts and auxiliary dofs, so that every solver can take
// them.
//
// Friction moment. ‖τ‖ ≤ μ_r λ_n of a contact c is a second contact p, with rows L ω_1, L ω_2 and ẋ, and
// friction coefficient μ_r/L, where x is an auxiliary dof of any mass m that leaves the normal row of c:
//
//   g_p = (L ω_t, ẋ),   g_c,n <- g_c,n − ẋ,   m ẋ = λ_p,n − λ_c,n
//
// The exact laws then give ẋ = 0 and λ_p,n = λ_c,n. For where λ_p,n > 0, ẋ = 0 by p's Signorini law; and
// where λ_p,n = 0, m ẋ = −λ_c,n and ẋ ≥ 0 leave λ_c,n = 0 alone. L = √(w_c/w_r), of the Delassus scales,
// makes translation and rotation alike to a solver, and so does 1/m = κ w_c. A torsional moment has one axis;
// its second row is a dof of its own, on which nothing else acts. (By convexified laws ẋ = μ_r ‖ω_t‖: the
// lift that these cause in sliding.)
//
// Where p and c are met to ε, ẋ and the difference of the two normal impulses need not vanish: the law of the
// moment is then met to (1 + μ_r/(κ L)) ε, and that of c to 2 ε.
//
// Compliance. R λ is the velocity of a dof of mass 1/R on which the row acts alone: g + R λ = J v + e + ẏ.
//
// Constraints and subsystems keep their indices; auxiliary subsystems follow. Contacts that get no dof stay
// contacts on bodies, for methods that split them by body: what an island is solved by must not depend on
// whether another one has friction moments.
#pragma once

#include <cstddef>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/contact/solution.h"

namespace stiction {

class AuxiliaryDofs {
 public:
  // Whether the problem has friction moments or compliance at all; of a solver that takes compliance,
  // friction moments.
  static bool AreNeeded(const ContactProblem& problem, bool takes_compliance = false);

  // Makes problem() and its warm start. Does not allocate once it has seen a problem of this size.
  //   scales  w_i of the constraints, without compliance (ScaledProblem::scale)
  void Extend(const ContactProblem& problem, const Eigen::Ref<const VectorXd>& scales,
              const Solution& warm_start);

  const ContactProblem& problem() const { return extended_; }
  // Its warm start, and place for its solution.
  Solution& solution() { return solution_; }
  const Solution& solution() const { return solution_; }

  // What residuals of the extended problem have to be multiplied with, so that those of the law of the
  // constraint are no larger: at most 1.
  double share(int constraint) const { return share_[constraint]; }

  // The impulses and penalties of solution(), as those of the problem that was extended.
  void Restrict(const ContactProblem& problem, Solution& solution) const;

 private:
  // A new subsystem of one dof; returns the dof.
  int AddDof(double mass);
  // A block of the last constraint in an auxiliary dof: where its rows' values go, zeroed.
  double* AddColumn(int dof);
  void LinkMoments(const ContactProblem& problem, const Eigen::Ref<const VectorXd>& scales);
  void AddConstraint(const ContactProblem& problem, int index);
  void AddMoment(const ContactProblem& problem, int index, double scale);
  void ExtendDynamics(const ContactProblem& problem);
  void ExtendBodies(const ContactProblem& problem);
  void ExtendSolution(const ContactProblem& problem, const Solution& warm_start);
  void ExtendImpulses(const ContactProblem& problem, const GrowingVector& impulses,
                      GrowingVector& extended) const;

  ContactProblem extended_;
  Solution solution_;
  BranchPattern pattern_;
  std::vector<int> parent_;
  std::size_t most_dofs_ = 0;      // that were ever added
  std::vector<double> mass_;       // of the auxiliary dofs
  std::vector<double> length_;     // one per constraint: L of a friction moment
  std::vector<double> share_;      // one per constraint
  std::vector<int> first_moment_;  // one per constraint: index of its first friction moment, or -1
  std::vector<int> next_moment_;   // one per constraint: of the same contact, or -1
  std::vector<int> normal_dof_;    // one per constraint: x of a friction moment
};

}  // namespace stiction

// The interface of all contact solvers.
//
// A solver sees one island (contact/island.h, which a solver includes beside this) and improves its impulses;
// it never judges itself: contact/certificate.h does. To add one: a header with its equations and references,
// a source file, a test, and one line in contact/registry.cpp.
#pragma once

#include <memory>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/contact/solution.h"
#include "stiction/contact/solved_law.h"
#include "stiction/contact/solver_option.h"

namespace stiction {

struct Island;

// An iteration limit times an effort.
int ScaleLimit(int limit, double effort);

enum class HeldVelocity {
  kNone,
  kScaled,  // δ (contact/island.h)
  kChange,  // v − v*
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;

  // Registry name, as on the command line; empty if it was not made by the registry.
  const char* name() const { return name_; }
  // Whether the method can take such rows at all.
  virtual bool Supports(ConstraintType) const { return true; }
  // Whether the method itself adds compliance to g (IslandConstraint::compliance_n); without, it is given
  // auxiliary dofs instead (contact/auxiliary_dofs.h).
  virtual bool takes_compliance() const { return false; }
  // Whether it begins with the velocity before and weighs momenta (Island::delta_before, momentum_free),
  // which costs a product with L.
  virtual bool begins_with_velocity() const { return false; }
  // Whether ContactProblem::motion and body_contacts are of use to the method.
  virtual bool uses_bodies() const { return false; }
  // The law that the method solves when it converges, with the present options.
  virtual SolvedLaw law() const { return {}; }

  // The options that --set reaches: the tolerance, and the method's own.
  std::vector<SolverOption> ListOptions();
  // Target for the natural-map residual of the method's law [m/s].
  double tolerance() const { return looseness_ * tolerance_; }
  virtual void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  // Multiplies tolerance and acceptance, for islands whose budget is larger than the absolute one.
  double looseness() const { return looseness_; }
  void set_looseness(double factor) { looseness_ = factor; }
  // Multiplies the iteration limits, for retries.
  double effort() const { return effort_; }
  void set_effort(double factor) { effort_ = factor; }
  // Whether nothing comes after a failure. Else methods with last resorts leave most of them: what comes is
  // cheaper.
  bool is_last_chance() const { return is_last_chance_; }
  void set_is_last_chance(bool is_last) { is_last_chance_ = is_last; }
  // Whether an island that is hard may be left unsolved (SolveReport::num_left): smaller steps are taken then.
  bool may_leave() const { return may_leave_; }
  void set_may_leave(bool may_leave) { may_leave_ = may_leave; }

  // Warm starts whose residual of the exact laws is below this are returned as they are, so that nobody needs
  // to ask; 0: each is improved [m/s].
  virtual double acceptance() const { return 0.0; }

  // Improves `lambda` (size island.num_rows(), on input the warm start) and leaves the best iterate in it
  // (contact/incumbent.h). Does not allocate once it has seen an island of this size; never throws.
  virtual SolveReport Solve(const Island& island, double* lambda) = 0;

  // The velocity that the method iterates beside the impulses, if any. The certificate's `momentum` is how
  // far the two are apart; where impulses are all, it is zero by construction.
  virtual HeldVelocity held() const { return HeldVelocity::kNone; }
  // It when the impulses of the last solve were found, size num_dofs(); empty if the warm start was as good.
  const std::vector<double>& held_velocity() const { return held_velocity_; }

 protected:
  std::vector<double> held_velocity_;

  // An iteration limit times the effort.
  int Scaled(int limit) const { return ScaleLimit(limit, effort_); }

 private:
  friend struct SolverEntry;
  virtual std::vector<SolverOption> ListOwnOptions() { return {}; }

  const char* name_ = "";
  double tolerance_ = 1e-9;  // a tenth of what counts as solved
  double looseness_ = 1.0;
  double effort_ = 1.0;
  bool is_last_chance_ = true;
  bool may_leave_ = false;
};

}  // namespace stiction

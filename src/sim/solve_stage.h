// Solves the contact problem of a step to its budget: first try, retry, fallback.
//
//   first try   by the solver, from the warm start
//   retry       after a missed budget, with more effort, from the best iterate so far. No effort helps a
//               solver that met the law it set out to solve where that is another one (Certificate::own_law).
//   slip        may leave the laws without a solution (sim/slip_memory.h). It is taken out before the retry
//               of a solver that gave up early, and else after a retry under which the impulses kept growing:
//               a method that is merely slow should not pay for that with its slip and its warm start.
//   fallback    another solver
//
// With a solver budget, retry and fallback have what the first try left of it; where that is nothing, they
// are not made.
//
// The best iterate is the answer, and its certificate says what it is worth. Islands have budgets of their
// own (contact/budget.h); one that misses its own makes the step a miss.
#pragma once

#include <memory>

#include "sim/slip_memory.h"
#include "stiction/contact/budget.h"
#include "stiction/contact/solve.h"
#include "stiction/contact/solver_budget.h"
#include "stiction/sim/step_report.h"

namespace stiction {

class SolveStage {
 public:
  // Settings.
  std::unique_ptr<ContactSolver> solver;                // required
  std::unique_ptr<ContactSolver> fallback;              // may be null
  std::vector<std::unique_ptr<ContactSolver>> helpers;  // like `solver`: SolverTeam
  const TaskPool* pool = nullptr;                       // null: the caller's thread alone
  Budget budget;
  bool one_island = false;     // WorldOptions
  SolverBudget solver_budget;  // the time runs from Begin on
  double first_effort = 1.0;   // factor on the solver's iteration limits; below 1: gives up early
  double retry_effort = 4.0;   // the same after a missed budget; 0: no retry
  double reserve = 0.0;  // in [0, 1): of the time that is left, what Solve keeps for another of the step

  // Whether the step is divided if it misses its budget: cheaper than the solver's last resorts, and than
  // hard islands.
  //   does_without  last resorts, though it is not divided
  void set_may_divide(bool may_divide, bool does_without) {
    solver->set_is_last_chance(!may_divide && !does_without);
    solver->set_may_leave(may_divide);
  }

  // Before the first solve of a step: its warm start, and the velocity at its start. Impulses of an earlier
  // solve of the same rows in this step are kept instead, if `keeps_impulses` and there are as many.
  void Begin(const std::vector<double>& warm_start, const State& state, bool keeps_impulses = false);

  // Where the impulses are to go from that warm start, if they go on as they did (Solution::trend), in the
  // first solve.
  //   trend  one per row; those behind its end are 0
  void Foresee(const std::vector<double>& trend);

  // Back to that warm start, once rows of the problem ask for something else.
  void Restart(const std::vector<double>& warm_start, const State& state);

  // On from there, once rows were added: the next solve is that of the islands of some trees alone, and all
  // others stay as they are.
  //   trees  one each; empty: all
  void Continue(const std::vector<double>& warm_start, const State& state, const std::vector<char>& trees);

  // What is done in between takes none of the solver budget's time.
  void PauseClock();
  void ResumeClock();
  // Whether that is over.
  bool is_late() const { return SolveClock::IsLate(end_); }

  // Sets status, certificate, num_islands and is_converged of the report, and adds to its counts.
  //   rows    e loses the slip that has to be forgotten
  //   factor  of the problem's A
  void Solve(const StepFrame& frame, const BranchSparseFactor& factor, StepRows& rows, SlipMemory& slip,
             StepReport& report);

  // The largest budget of an island in the last solve [m/s].
  double largest_budget() const { return budget.absolute * largest_looseness_; }
  // The law that the answer of a step is meant to obey: the fallback's, where there is one.
  SolvedLaw law() const { return (fallback ? fallback : solver)->law(); }
  const Solution& solution() const { return solution_; }
  // Of the last solve of a problem with constraints.
  const IslandPartition& partition() const { return problem_solver_.partition(); }
  // The velocity of these dofs becomes zero.
  void Stop(const Subsystem& dofs) { solution_.v.segment(dofs.first_dof, dofs.num_dofs).setZero(); }

  // At the end of the step: the largest residual of the rows of each tree; NaN where it is not known, because
  // the answer is not that of the last try [m/s].
  const std::vector<double>& CalcTreeResiduals(const Model& model, const ContactProblem& problem);
  // Likewise ncp of each constraint; null where it is not known [m/s].
  const std::vector<double>* residuals() const {
    return knows_residuals_ ? &problem_solver_.residuals() : nullptr;
  }

 private:
  void FindMissed();
  double CalcMissedSize(const ContactProblem& problem, const GrowingVector& lambda) const;
  double FindEnd() const;  // of the next solve, by ReadClock [s]
  SolverTeam team() const { return pool ? SolverTeam(*solver, helpers, *pool) : SolverTeam(*solver); }
  bool MayGoOn() const;
  bool IsCut(const StepReport& report) const;
  void Retry(const StepFrame& frame, const BranchSparseFactor& factor, StepRows& rows, SlipMemory& slip,
             StepReport& report);
  void TryAgain(StepRows& rows, const BranchSparseFactor& factor, const SolverTeam& with, double effort,
                StepReport& report);
  bool PauseSlip(const StepFrame& frame, StepRows& rows, SlipMemory& slip, StepReport& report);
  // Sets how many times the absolute budget each island may be left at, by what approaches in it.
  void Loosen(const ContactProblem& problem);
  // Of the last try, ncp in terms of the absolute budget: over the looseness of the island. Of each
  // constraint, and the largest [m/s].
  const std::vector<double>& CalcTightResiduals();
  double CalcTightNcp(const Certificate& certificate);

  ProblemSolver problem_solver_;
  Solution solution_;
  Solution trial_;            // of a retry
  GrowingVector warm_start_;  // impulses before the first try
  VectorXd v_start_;          // of the step, where the budget has a relative part
  double largest_looseness_ = 1.0;
  double tight_ncp_ = 0.0;           // CalcTightNcp of solution_ [m/s]
  double end_ = SolveClock::kNever;  // of the step's time, by ReadClock [s]
  double paused_ = 0.0;              // when the clock was paused, likewise
  std::vector<double> tight_residuals_;
  std::vector<int> missed_islands_;  // at first
  std::vector<int> missed_;          // their constraints
  bool knows_residuals_ = false;     // those of problem_solver_ are of solution_
  std::vector<double> tree_ncp_;
};

}  // namespace stiction

// Solves a whole problem: islands from the contact graph, each alone, one certificate over all.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "stiction/contact/certificate.h"
#include "stiction/contact/solver.h"
#include "stiction/contact/solver_budget.h"

namespace stiction {

class TaskPool;
struct IslandPartition;

// A solver, and equal ones, among whom the islands of a problem are shared out: what comes out is the same,
// down to the last bit, for any number.
struct SolverTeam {
  // Not explicit: one that works alone.
  SolverTeam(ContactSolver& solver) : leader(solver) {}
  SolverTeam(ContactSolver& solver, std::span<const std::unique_ptr<ContactSolver>> others,
             const TaskPool& pool)
      : leader(solver), others(others), pool(&pool) {}

  int size() const { return static_cast<int>(others.size()) + 1; }
  ContactSolver& member(int i) const;

  ContactSolver& leader;
  std::span<const std::unique_ptr<ContactSolver>> others{};
  const TaskPool* pool = nullptr;  // their threads; where there are others
};

// How many others to have for the threads of a pool: several members per thread, or all would wait for the
// one whose share takes longest. Which islands are a member's depends on the problem alone: it allocates for
// no other.
int CountOthers(const TaskPool& pool);

struct [[nodiscard]] ProblemReport {
  SolveReport solve;
  Certificate certificate;
  int num_islands = 0;
};

// Scratch that a sequence of problems shares: factor, scaled Jacobians, islands.
class ProblemSolver {
 public:
  ProblemSolver();
  ~ProblemSolver();
  ProblemSolver(ProblemSolver&&) noexcept;
  ProblemSolver& operator=(ProblemSolver&&) noexcept;

  // solution.lambda and solution.penalty are the warm start on input (resized with zeros if their sizes do
  // not match; islands where lambda is not finite start from zero), and solution.v, where it has size nv, is
  // the velocity before. solution.v becomes v* + A⁻¹ Jᵀ λ. If A is not positive definite, returns status
  // kNonFinite and v = v*, λ = 0; the same of kUnsupported rows. A build with the CMake option
  // STICTION_VALIDATE aborts on what FindFault (contact/fault.h) finds, but for bad numbers.
  //
  // A problem whose A is sparse in any way (A_sparse) is solved as contact/sparse_problem.h has it, by all
  // solvers. Its certificate is that of the problem as it was given; `momentum` alone is told in the reduced
  // one. Such a solve allocates.
  ProblemReport Solve(const ContactProblem& problem, const SolverTeam& team, Solution& solution);

  // The same with a factor of problem.A that the caller already has: not of a sparse one.
  //   islands  of the problem, where the caller has them, too: not looked at for one island of all; or none
  ProblemReport Solve(const ContactProblem& problem, const BranchSparseFactor& factor, const SolverTeam& team,
                      Solution& solution, const IslandPartition* islands = nullptr);

  // Of the problems to come: factors >= 1, one per constraint, of which each island takes the largest on the
  // solver's tolerance (ContactSolver::set_looseness). Empty: 1.
  std::vector<double>& looseness();
  // What an island of the last problem takes.
  double CalcLooseness(int island) const;

  // Of the problems to come: whether a subsystem's island is solved, one per subsystem; islands of none that
  // is are judged as they are. Empty: all are.
  std::vector<char>& asked();

  // Of the problems to come: no islands, but one of all. For comparisons with methods that know none.
  void set_one_island(bool one_island);

  // How long the problems from here on may take together: until `end` by ReadClock [s], and as many
  // iterations an island. The islands of one problem after the other are taken for the same while there are
  // as many of them.
  void Limit(double end = SolveClock::kNever, int iterations = SolverBudget{}.iterations);
  // Whether the time is over.
  bool is_late() const;
  // Whether an island of the last problem has taken all of its iterations.
  bool IsSpent(int island) const;

  // Of the last problem: ncp of each constraint [m/s], and the islands.
  const std::vector<double>& residuals() const;
  const IslandPartition& partition() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction

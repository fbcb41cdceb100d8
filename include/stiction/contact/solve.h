// Solves a whole problem: islands from the contact graph, each alone, one certificate over all.
#pragma once

#include <memory>
#include <span>

#include "stiction/contact/auxiliary_dofs.h"
#include "stiction/contact/certificate.h"
#include "stiction/contact/island.h"
#include "stiction/contact/solver.h"
#include "stiction/contact/solver_budget.h"

namespace stiction {

class SparseProblem;
class TaskPool;

// A solver, and equal ones, among whom the islands of a problem are shared out: what comes out is the same,
// down to the last bit, for any number.
struct SolverTeam {
  // Not explicit: one that works alone.
  SolverTeam(ContactSolver& solver) : leader(solver) {}
  SolverTeam(ContactSolver& solver, std::span<const std::unique_ptr<ContactSolver>> others,
             const TaskPool& pool)
      : leader(solver), others(others), pool(&pool) {}

  int size() const { return static_cast<int>(others.size()) + 1; }
  ContactSolver& member(int i) const { return i == 0 ? leader : *others[i - 1]; }

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
  ProblemReport Solve(const ContactProblem& problem, const BranchSparseFactor& factor, const SolverTeam& team,
                      Solution& solution);

  // Of the problems to come: factors >= 1, one per constraint, of which each island takes the largest on the
  // solver's tolerance (ContactSolver::set_looseness). Empty: 1.
  std::vector<double>& looseness() { return looseness_; }
  // What an island of the last problem takes.
  double CalcLooseness(int island) const;

  // Of the problems to come: no islands, but one of all. For comparisons with methods that know none.
  void set_one_island(bool one_island) { one_island_ = one_island; }

  // How long the problems from here on may take together: until `end` by ReadClock [s], and as many
  // iterations an island. The islands of one problem after the other are taken for the same while there are
  // as many of them.
  void Limit(double end = SolveClock::kNever, int iterations = SolverBudget{}.iterations);
  // Whether the time is over.
  bool is_late() const { return SolveClock::IsLate(end_); }

  // Of the last problem: ncp of each constraint [m/s], and the islands.
  const std::vector<double>& residuals() const { return certifier_.residuals(); }
  const IslandPartition& partition() const { return partition_; }

 private:
  // What a member of the team has to solve islands with.
  struct Worker {
    ScaledProblem::Scratch scaling;
    Island island;
    std::vector<double> lambda;
    // Of the velocity: by dof of the island, in the solver's terms; and by dof of the problem.
    std::vector<double> change, node_change;
  };
  // What became of an island.
  struct Outcome {
    bool is_solved = false;  // or accepted as it was
    bool rests = false;      // nothing moves with the warm start
    SolveReport report;
  };

  // The problem as it is; and one with friction moments or compliance, by its auxiliary dofs.
  ProblemReport SolvePlain(const ContactProblem& problem, const BranchSparseFactor& factor,
                           const SolverTeam& team, Certifier& certifier, Solution& solution);
  ProblemReport SolveExtended(const ContactProblem& problem, const BranchSparseFactor& factor,
                              const SolverTeam& team, Solution& solution);
  // A problem with a general A.
  ProblemReport SolveSparse(const ContactProblem& problem, const SolverTeam& team, Solution& solution);
  // The same without friction moments and compliance. Fills scaled_.
  ProblemReport SolveReduced(const ContactProblem& problem, const SolverTeam& team, Solution& solution);
  // Fills shares_: the islands of each member, the largest first and to whom has least.
  void ShareOut(int num_members);
  // The islands' impulses and velocities, and what is thought of them. Fills outcomes_.
  void SolveIslands(const ContactProblem& problem, const BranchSparseFactor& factor, const SolverTeam& team,
                    Certifier& certifier, Solution& solution);
  // Calls work(member, island) for all islands, members at the same time.
  template <typename Work>
  void ForIslands(const ContactProblem& problem, const SolverTeam& team, const Work& work);
  bool is_limited() const { return end_ != SolveClock::kNever || iterations_ < SolverBudget{}.iterations; }
  // What the island gets of what is left.
  SolveClock MakeClock(int island, int num_threads);
  // Solves it, unless its outcome says that nothing is left to do.
  void TreatIsland(const ContactProblem& problem, const BranchSparseFactor& factor, ContactSolver& solver,
                   Certifier& certifier, int island, int num_threads, Worker& worker, Solution& solution);
  // Whether the impulses of an island are as good as the solver wants them: from J and A alone, without
  // scaling anything. Its scales are such that the certificate does not tell them from exact ones.
  // Sets `rests`.
  bool IsAccepted(const ContactProblem& problem, const BranchSparseFactor& factor, Certifier& certifier,
                  double acceptance, const Solution& solution, int island, Worker& worker, bool& rests);
  bool IsSteady(const ContactProblem& problem, const Certifier& certifier, int island,
                const Solution& solution, Worker& worker) const;
  SolveReport SolveIsland(const ContactProblem& problem, const BranchSparseFactor& factor,
                          ContactSolver& solver, int island, Worker& worker, Solution& solution);
  // Adds what the solver held on the worker's island to v_held_.
  void TakeVelocity(const ContactProblem& problem, const BranchSparseFactor& factor,
                    const ContactSolver& solver, bool has_solved, Worker& worker);

  BranchSparseFactor factor_;
  std::unique_ptr<SparseProblem> sparse_;     // once there was one
  const SparseProblem* reduction_ = nullptr;  // that made the problem being solved
  AuxiliaryDofs auxiliary_;
  BranchSparseFactor extended_factor_;
  ScaledProblem unextended_;
  Certifier extended_certifier_;
  ScaledProblem scaled_;
  IslandPartition partition_;
  Certifier certifier_;
  std::vector<Worker> workers_;           // one per member of the team
  std::vector<Outcome> outcomes_;         // one per island
  std::vector<std::vector<int>> shares_;  // islands, one list per member
  std::vector<long long> loads_;          // of them
  std::vector<int> order_;                // of islands, the largest first
  GrowingVector v_held_;                  // by the solver
  std::vector<double> looseness_;
  double end_ = SolveClock::kNever;
  int iterations_ = SolverBudget{}.iterations;
  bool one_island_ = false;
  std::vector<int> spent_;       // iterations, by island
  long long unsolved_load_ = 0;  // constraints of the islands that are not solved yet; atomic_ref
};

}  // namespace stiction

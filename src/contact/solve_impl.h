// What ProblemSolver is made of: the problem as it is, island by island (solve.cpp), and what is made of
// others first, of those with friction moments or compliance and those whose A is any sparse matrix
// (solve_extended.cpp).
#pragma once

#include <memory>
#include <vector>

#include "contact/island_loops.h"
#include "contact/sparse_problem.h"
#include "stiction/contact/auxiliary_dofs.h"
#include "stiction/contact/island.h"
#include "stiction/contact/solve.h"

namespace stiction {

inline constexpr double kSmallestScale = 1e-300;  // so that it may be divided by [1/kg]

// Nothing could be solved: no impulses, and the velocity without them.
ProblemReport Refuse(const ContactProblem& problem, SolveStatus status, Solution& solution);

// In a build with STICTION_VALIDATE: aborts, and says why. Numbers that are not finite and a singular A are
// no broken promise, but what the status of a solve is there for.
void Validate(const ContactProblem& problem);

class ProblemSolver::Impl {
 public:
  ProblemReport Solve(const ContactProblem& problem, const SolverTeam& team, Solution& solution);
  ProblemReport Solve(const ContactProblem& problem, const BranchSparseFactor& factor, const SolverTeam& team,
                      Solution& solution, const IslandPartition* islands);
  double CalcLooseness(int island) const;
  // Of the tolerance, what an island's extended problem may be solved to.
  double CalcShare(int island) const;
  void Limit(double end, int iterations);
  bool is_late() const { return SolveClock::IsLate(end_); }
  bool IsSpent(int island) const {
    return island < static_cast<int>(spent_.size()) && spent_[island] >= iterations_;
  }

  std::vector<double>& looseness() { return looseness_; }
  std::vector<char>& asked() { return asked_; }
  void set_one_island(bool one_island) { one_island_ = one_island; }
  const std::vector<double>& residuals() const { return certifier_.residuals(); }
  const IslandPartition& partition() const { return partition_; }

 private:
  // What a member of the team has to solve islands with.
  struct Worker {
    ScaledProblem::Scratch scaling;
    Island island;
    IslandSlabs slabs;  // of it
    std::vector<double> lambda, ahead;
    // Of the velocity: by dof of the island, in the solver's terms; and by dof of the problem.
    std::vector<double> change, node_change;
  };
  // What became of an island.
  struct Outcome {
    bool is_solved = false;    // or accepted as it was
    bool is_shared = false;    // solved by all threads together
    bool rests = false;        // nothing moves with the warm start
    bool is_stressed = false;  // the warm start is (contact/stress.h)
    SolveReport report;
  };

  // The problem as it is; and one with friction moments or compliance, by its auxiliary dofs.
  ProblemReport SolvePlain(const ContactProblem& problem, const BranchSparseFactor& factor,
                           const SolverTeam& team, Certifier& certifier, Solution& solution,
                           const IslandPartition* islands = nullptr);
  ProblemReport SolveExtended(const ContactProblem& problem, const BranchSparseFactor& factor,
                              const SolverTeam& team, Solution& solution);
  // Fills unextended_. Island by island: none hears of another, and what a scale is not to be less than is a
  // share of the largest of its own.
  void ScaleUnextended(const ContactProblem& problem, const BranchSparseFactor& factor);
  // A problem with a general A.
  ProblemReport SolveSparse(const ContactProblem& problem, const SolverTeam& team, Solution& solution);
  // The same without friction moments and compliance. Fills scaled_.
  ProblemReport SolveReduced(const ContactProblem& problem, const SolverTeam& team, Solution& solution);
  // Fills shares_: the islands of each member, the largest first and to whom has least.
  //   all  else those that are left to solve
  void ShareOut(int num_members, bool all);
  // The islands' impulses and velocities, and what is thought of them. Fills outcomes_.
  void SolveIslands(const ContactProblem& problem, const BranchSparseFactor& factor, const SolverTeam& team,
                    Certifier& certifier, Solution& solution);
  // Whether all threads solve the island together.
  bool IsLarge(int island, int num_threads) const;
  // Calls work(member, island) for the islands, members at the same time.
  template <typename Work>
  void ForIslands(const ContactProblem& problem, const SolverTeam& team, bool all, const Work& work);
  bool is_limited() const { return end_ != SolveClock::kNever || iterations_ < SolverBudget{}.iterations; }
  // What the island gets of what is left.
  SolveClock MakeClock(int island, int num_threads);
  // Solves it, unless its outcome says that nothing is left to do.
  void TreatIsland(const ContactProblem& problem, const BranchSparseFactor& factor, ContactSolver& solver,
                   Certifier& certifier, int island, int num_threads, Worker& worker, Solution& solution);
  // Whether the impulses of an island are as good as the solver wants them: from J and A alone, without
  // scaling anything. Its scales are such that the certificate does not tell them from exact ones.
  // Sets `rests`, and the certifier's velocity.
  bool IsAccepted(const ContactProblem& problem, const BranchSparseFactor& factor, Certifier& certifier,
                  double acceptance, const Solution& solution, int island, Worker& worker, bool& rests);
  // Whether those that the trend of the last step leads to are as good as a solve leaves them: not only good
  // enough, or forces would tremble by as much. `solution` takes them then.
  bool IsAcceptedAhead(const ContactProblem& problem, const BranchSparseFactor& factor,
                       const ContactSolver& solver, Certifier& certifier, int island, Worker& worker,
                       Solution& solution);
  // Fills worker.ahead: the island's impulses and as much again as they changed by in the step before, within
  // cones and bounds, one constraint after the other. False if that is where they are.
  bool LookAhead(const ContactProblem& problem, const Solution& solution, int island, Worker& worker) const;
  // Begins ahead where that is nearer by far to what the laws ask of the worker's island.
  void ChooseStart(const ContactProblem& problem, const ContactSolver& solver, const Solution& solution,
                   int island, Worker& worker);
  bool IsSteady(const ContactProblem& problem, const Certifier& certifier, int island,
                const Solution& solution, Worker& worker) const;
  bool IsAsked(int island) const;
  // The velocity of an island by the impulses that it has, and what the certificate says of them.
  void JudgeAsItIs(const ContactProblem& problem, const BranchSparseFactor& factor, Certifier& certifier,
                   const SolvedLaw& law, const Solution& solution, int island, Worker& worker);
  SolveReport SolveIsland(const ContactProblem& problem, const BranchSparseFactor& factor,
                          ContactSolver& solver, int island, Worker& worker, Solution& solution);
  // Adds what the solver held on the worker's island to v_held_.
  void TakeVelocity(const ContactProblem& problem, const BranchSparseFactor& factor,
                    const ContactSolver& solver, bool has_solved, Worker& worker);
  // What has no effect has no impulse, whatever it began with. False if something of it cannot meet its law.
  bool ForgetWithoutEffect(const ContactProblem& problem, const SolverTeam& team, Certifier& certifier,
                           Solution& solution);
  // Islands whose impulses stay as they are hold the velocity that these give.
  void HoldUnsolved(const ContactProblem& problem, const VectorXd& v);

  BranchSparseFactor factor_;
  std::unique_ptr<SparseProblem> sparse_;     // once there was one
  const SparseProblem* reduction_ = nullptr;  // that made the problem being solved
  AuxiliaryDofs auxiliary_;
  bool is_extended_ = false;  // what is solved is its problem
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
  std::vector<char> has_effect_;          // one per constraint
  GrowingVector v_held_;                  // by the solver
  std::vector<double> looseness_;
  std::vector<char> asked_;
  double end_ = SolveClock::kNever;
  int iterations_ = SolverBudget{}.iterations;
  bool one_island_ = false;
  std::vector<int> spent_;       // iterations, by island
  long long unsolved_load_ = 0;  // constraints of the islands that are not solved yet; atomic_ref
};

}  // namespace stiction

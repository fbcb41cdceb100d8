// Solves a whole problem: islands from the contact graph, each alone, one certificate over all.
#pragma once

#include "stiction/contact/auxiliary_dofs.h"
#include "stiction/contact/certificate.h"
#include "stiction/contact/island.h"
#include "stiction/contact/solver.h"

namespace stiction {

struct [[nodiscard]] ProblemReport {
  SolveReport solve;
  Certificate certificate;
  int num_islands = 0;
};

// Scratch that a sequence of problems shares: factor, scaled Jacobians, islands.
class ProblemSolver {
 public:
  // solution.lambda and solution.penalty are the warm start on input (resized with zeros if their sizes do
  // not match; islands where lambda is not finite start from zero), and solution.v, where it has size nv, is
  // the velocity before. solution.v becomes v* + A⁻¹ Jᵀ λ. If A is not positive definite, returns status
  // kNonFinite and v = v*, λ = 0; the same of kUnsupported rows. A build with the CMake option
  // STICTION_VALIDATE aborts on what FindFault (contact/fault.h) finds, but for bad numbers.
  ProblemReport Solve(const ContactProblem& problem, ContactSolver& solver, Solution& solution);

  // The same with a factor of problem.A that the caller already has.
  ProblemReport Solve(const ContactProblem& problem, const BranchSparseFactor& factor, ContactSolver& solver,
                      Solution& solution);

  // Of the problems to come: factors >= 1, one per constraint, of which each island takes the largest on the
  // solver's tolerance (ContactSolver::set_looseness). Empty: 1.
  std::vector<double>& looseness() { return looseness_; }
  // What an island of the last problem takes.
  double CalcLooseness(int island) const;

  // Of the last problem: ncp of each constraint [m/s], and the islands.
  const std::vector<double>& residuals() const { return certifier_.residuals(); }
  const IslandPartition& partition() const { return partition_; }

 private:
  // The problem as it is; and one with friction moments or compliance, by its auxiliary dofs.
  ProblemReport SolvePlain(const ContactProblem& problem, const BranchSparseFactor& factor,
                           ContactSolver& solver, Certifier& certifier, Solution& solution);
  ProblemReport SolveExtended(const ContactProblem& problem, const BranchSparseFactor& factor,
                              ContactSolver& solver, Solution& solution);
  // Whether the impulses of an island are as good as the solver wants them: from J and A alone, without
  // scaling anything. Its scales are such that the certificate does not tell them from exact ones.
  // Sets rests_.
  bool IsAccepted(const ContactProblem& problem, const BranchSparseFactor& factor, Certifier& certifier,
                  double acceptance, const Solution& solution, int island);
  bool IsSteady(const ContactProblem& problem, const Certifier& certifier, int island,
                const Solution& solution);
  SolveReport SolveIsland(const ContactProblem& problem, const BranchSparseFactor& factor,
                          ContactSolver& solver, int island, Solution& solution);
  // Adds what the solver held on the present island to v_held_.
  void TakeVelocity(const ContactProblem& problem, const BranchSparseFactor& factor,
                    const ContactSolver& solver);

  BranchSparseFactor factor_;
  AuxiliaryDofs auxiliary_;
  BranchSparseFactor extended_factor_;
  ScaledProblem unextended_;
  Certifier extended_certifier_;
  ScaledProblem scaled_;
  IslandPartition partition_;
  Island island_;
  Certifier certifier_;
  GrowingVector v_held_;             // by the solver
  std::vector<double> change_;       // of it against v*: by dof of an island, in the solver's terms
  std::vector<double> node_change_;  // by dof of the problem
  std::vector<double> lambda_;
  std::vector<double> looseness_;
  bool rests_ = false;  // the last island that IsAccepted was asked about
};

}  // namespace stiction

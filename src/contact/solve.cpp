#include "stiction/contact/solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/assert.h"
#include "stiction/contact/fault.h"

namespace stiction {
namespace {

// Nothing could be solved: no impulses, and the velocity without them.
ProblemReport Refuse(const ContactProblem& problem, SolveStatus status, Solution& solution) {
  ProblemReport report;
  report.solve.status = status;
  report.certificate.ncp_max = std::numeric_limits<double>::infinity();
  solution.v = problem.v_star;
  solution.lambda.setZero(problem.num_rows());
  return report;
}

// In a build with STICTION_VALIDATE: aborts, and says why. Numbers that are not finite and a singular A are
// no broken promise, but what the status of a solve is there for.
void Validate([[maybe_unused]] const ContactProblem& problem) {
#ifdef STICTION_VALIDATE
  const std::optional<ProblemFault> fault = FindFault(problem);
  if (fault && !fault->is_numeric) FailAssertion(fault->message().c_str(), __FILE__, __LINE__);
#endif
}

}  // namespace

ProblemReport ProblemSolver::Solve(const ContactProblem& problem, ContactSolver& solver, Solution& solution) {
  STICTION_ASSERT(problem.A.size() == problem.nv());
  if (factor_.Factor(problem.A) >= 0) return Refuse(problem, SolveStatus::kNonFinite, solution);
  return Solve(problem, factor_, solver, solution);
}

ProblemReport ProblemSolver::Solve(const ContactProblem& problem, const BranchSparseFactor& factor,
                                   ContactSolver& solver, Solution& solution) {
  STICTION_ASSERT(factor.size() == problem.nv());
  Validate(problem);
  return AuxiliaryDofs::AreNeeded(problem) ? SolveExtended(problem, factor, solver, solution)
                                           : SolvePlain(problem, factor, solver, certifier_, solution);
}

ProblemReport ProblemSolver::SolveExtended(const ContactProblem& problem, const BranchSparseFactor& factor,
                                           ContactSolver& solver, Solution& solution) {
  unextended_.Assign(problem, factor);
  auxiliary_.Extend(problem, unextended_.scale, solution);
  if (extended_factor_.Factor(auxiliary_.problem().A) >= 0)
    return Refuse(problem, SolveStatus::kNonFinite, solution);
  ProblemReport report =
      SolvePlain(auxiliary_.problem(), extended_factor_, solver, extended_certifier_, auxiliary_.solution());
  if (report.solve.status == SolveStatus::kUnsupported)
    return Refuse(problem, SolveStatus::kUnsupported, solution);
  auxiliary_.Restrict(problem, solution);
  partition_.Assign(problem);
  const Certificate extended = report.certificate;
  report.certificate = certifier_.Certify(problem, factor, unextended_.scale, solution.lambda, &solution.v,
                                          nullptr, solver.law());
  // A solver's own law, and what goes with it, is that of the problem that it was given.
  report.certificate.own_law = extended.own_law;
  report.certificate.canal = extended.canal;
  report.certificate.momentum = extended.momentum;
  return report;
}

ProblemReport ProblemSolver::SolvePlain(const ContactProblem& problem, const BranchSparseFactor& factor,
                                        ContactSolver& solver, Certifier& certifier, Solution& solution) {
  ProblemReport report;
  if (solution.lambda.size() != problem.num_rows()) solution.lambda.setZero(problem.num_rows());
  for (const Constraint& c : problem.constraints) {
    if (!solver.Supports(c.type)) return Refuse(problem, SolveStatus::kUnsupported, solution);
  }
  solution.penalty.resize(problem.subsystems.size(), 0.0);
  scaled_.Assign(problem, factor);
  partition_.Assign(problem);
  report.num_islands = partition_.num_islands;
  const bool holds_velocity = solver.held() != HeldVelocity::kNone;
  if (holds_velocity) v_held_ = problem.v_star;
  for (int i = 0; i < partition_.num_islands; ++i) {
    island_.Assign(problem, scaled_, partition_, i);
    lambda_.resize(island_.num_rows());
    for (const IslandConstraint& c : island_.constraints) {
      const int from = problem.constraints[c.source].row;
      for (int r = 0; r < c.dim(); ++r) lambda_[c.row + r] = solution.lambda[from + r];
    }
    // Impulses that overflowed once must not poison every step after.
    for (double value : lambda_) {
      if (std::isfinite(value)) continue;
      std::fill(lambda_.begin(), lambda_.end(), 0.0);
      break;
    }
    const int first = partition_.first_subsystem[i], end = partition_.first_subsystem[i + 1];
    island_.warm_penalty = 0.0;
    for (int p = first; p < end; ++p) {
      island_.warm_penalty = std::max(island_.warm_penalty, solution.penalty[partition_.subsystems[p]]);
    }
    const SolveReport solved = solver.Solve(island_, lambda_.data());
    report.solve.MergeIsland(solved);
    if (holds_velocity) TakeVelocity(problem, factor, solver);
    for (int p = first; p < end && solved.penalty > 0.0; ++p) {
      solution.penalty[partition_.subsystems[p]] = solved.penalty;
    }
    for (const IslandConstraint& c : island_.constraints) {
      const int to = problem.constraints[c.source].row;
      for (int r = 0; r < c.dim(); ++r) solution.lambda[to + r] = lambda_[c.row + r];
    }
  }
  // A constraint that touches nothing that moves has no effect: its impulse is zero.
  for (const Constraint& c : problem.constraints) {
    if (c.num_blocks == 0) solution.lambda.segment(c.row, c.dim()).setZero();
  }
  // v is the certificate's recomputation, whatever velocity the solver held.
  report.certificate = certifier.Certify(problem, factor, scaled_.scale, solution.lambda, &solution.v,
                                         holds_velocity ? &v_held_ : nullptr, solver.law());
  return report;
}

void ProblemSolver::TakeVelocity(const ContactProblem& problem, const BranchSparseFactor& factor,
                                 const ContactSolver& solver) {
  const bool is_given = !solver.held_velocity().empty();
  change_ = solver.held_velocity();
  if (!is_given) {
    change_.resize(island_.num_dofs());
    island_.MapImpulses(lambda_.data(), change_.data());
  }
  const bool is_scaled = !is_given || solver.held() == HeldVelocity::kScaled;
  node_change_.resize(problem.nv());
  for (std::size_t k = 0; k < island_.nodes.size(); ++k) {
    const Subsystem& node = island_.nodes[k];
    const int to = problem.subsystems[island_.node_source[k]].first_dof, end = to + node.num_dofs;
    std::copy_n(change_.data() + node.first_dof, node.num_dofs, node_change_.data() + to);
    if (is_scaled) factor.SolveLower(node_change_.data(), to, end);
    for (int i = to; i < end; ++i) v_held_[i] += node_change_[i];
  }
}

}  // namespace stiction

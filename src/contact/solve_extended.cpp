#include "contact/solve_impl.h"

namespace stiction {
namespace {

// A solver's own law, and what goes with it, is that of the problem that it was given.
void KeepOwnLaw(const Certificate& given, Certificate& certificate) {
  certificate.own_law = given.own_law;
  certificate.canal = given.canal;
  certificate.momentum = given.momentum;
}

}  // namespace

ProblemReport ProblemSolver::Impl::SolveExtended(const ContactProblem& problem,
                                                 const BranchSparseFactor& factor, const SolverTeam& team,
                                                 Solution& solution) {
  ScaleUnextended(problem, factor);
  auxiliary_.Extend(problem, unextended_.scale, solution);
  if (extended_factor_.Factor(auxiliary_.problem().A) >= 0)
    return Refuse(problem, SolveStatus::kNonFinite, solution);
  is_extended_ = true;
  ProblemReport report =
      SolvePlain(auxiliary_.problem(), extended_factor_, team, extended_certifier_, auxiliary_.solution());
  is_extended_ = false;
  if (report.solve.status == SolveStatus::kUnsupported)
    return Refuse(problem, SolveStatus::kUnsupported, solution);
  auxiliary_.Restrict(problem, solution);
  partition_.Assign(problem, one_island_);
  const Certificate extended = report.certificate;
  report.certificate = certifier_.Certify(problem, factor, unextended_.scale, solution.lambda, &solution.v,
                                          nullptr, team.leader.law());
  KeepOwnLaw(extended, report.certificate);
  return report;
}

void ProblemSolver::Impl::ScaleUnextended(const ContactProblem& problem, const BranchSparseFactor& factor) {
  if (workers_.empty()) workers_.resize(1);
  ScaledProblem::Scratch& scratch = workers_[0].scaling;
  scratch.column.assign(problem.nv(), 0.0);
  partition_.Assign(problem, one_island_);
  unextended_.Resize(problem);
  unextended_.scale.setConstant(kSmallestScale);  // of what has no effect
  for (int island = 0; island < partition_.num_islands; ++island)
    unextended_.AssignPart(problem, factor, partition_.constraints_of(island), scratch);
}

ProblemReport ProblemSolver::Impl::SolveSparse(const ContactProblem& problem, const SolverTeam& team,
                                               Solution& solution) {
  Validate(problem);
  if (!sparse_) sparse_ = std::make_unique<SparseProblem>();
  if (!AuxiliaryDofs::AreNeeded(problem)) return SolveReduced(problem, team, solution);
  const VectorXd scales = CalcScales(problem);
  if (scales.size() != problem.num_constraints()) return Refuse(problem, SolveStatus::kNonFinite, solution);
  auxiliary_.Extend(problem, scales, solution);
  is_extended_ = true;
  ProblemReport report = SolveReduced(auxiliary_.problem(), team, auxiliary_.solution());
  is_extended_ = false;
  if (report.solve.status == SolveStatus::kUnsupported)
    return Refuse(problem, SolveStatus::kUnsupported, solution);
  auxiliary_.Restrict(problem, solution);
  partition_.Assign(problem, one_island_);
  // Auxiliary dofs follow the others, and are coupled to them by constraints alone.
  const Certificate extended = report.certificate;
  solution.v.setZero(problem.nv());
  problem.AddJTransposed(solution.lambda.data(), solution.v.data());
  if (!SolveDynamics(problem, solution.v)) return Refuse(problem, SolveStatus::kNonFinite, solution);
  solution.v += problem.v_star;
  report.certificate =
      certifier_.CertifyVelocity(problem, scales, solution.lambda, solution.v, team.leader.law());
  KeepOwnLaw(extended, report.certificate);
  return report;
}

ProblemReport ProblemSolver::Impl::SolveReduced(const ContactProblem& problem, const SolverTeam& team,
                                                Solution& solution) {
  if (!sparse_->Assign(problem)) return Refuse(problem, SolveStatus::kNonFinite, solution);
  sparse_->Reduce(solution.v);
  reduction_ = sparse_.get();
  ProblemReport report =
      SolvePlain(sparse_->reduced(), sparse_->unit_factor(), team, extended_certifier_, solution);
  reduction_ = nullptr;
  if (report.solve.status == SolveStatus::kUnsupported) {
    solution.v = problem.v_star;
    return report;
  }
  // By J and A as they are, not by the rows that the solver had.
  const double momentum = report.certificate.momentum;
  sparse_->CalcVelocity(solution.lambda, solution.v);
  report.certificate =
      certifier_.CertifyVelocity(problem, scaled_.scale, solution.lambda, solution.v, team.leader.law());
  report.certificate.momentum = momentum;
  return report;
}

}  // namespace stiction

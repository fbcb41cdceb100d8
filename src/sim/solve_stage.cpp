#include "sim/solve_stage.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/assert.h"

namespace stiction {
namespace {

// A retry that ends with impulses this many times larger is not slow: it has nowhere to converge to.
constexpr double kGrowth = 2.0;

}  // namespace

void SolveStage::Begin(const std::vector<double>& warm_start, const State& state, bool keeps_impulses) {
  const auto size = static_cast<Eigen::Index>(warm_start.size());
  if (!keeps_impulses || solution_.lambda.size() != size)
    solution_.lambda = Eigen::Map<const VectorXd>(warm_start.data(), size);
  solution_.penalty = state.penalties;
  solution_.trend.resize(0);
  if (size > 0) solution_.v = state.v;  // without rows Solve finds it
  if (budget.relative > 0.0) v_start_ = state.v;
  if (!keeps_impulses && solver_budget.has_time()) end_ = ReadClock() + solver_budget.seconds;
}

void SolveStage::Foresee(const std::vector<double>& trend) {
  const auto size = static_cast<Eigen::Index>(trend.size());
  solution_.trend.setZero(solution_.lambda.size());
  solution_.trend.head(size) = Eigen::Map<const VectorXd>(trend.data(), size);
}

void SolveStage::Restart(const std::vector<double>& warm_start, const State& state) {
  solution_.lambda =
      Eigen::Map<const VectorXd>(warm_start.data(), static_cast<Eigen::Index>(warm_start.size()));
  solution_.penalty = state.penalties;
  solution_.v = state.v;
}

void SolveStage::Continue(const std::vector<double>& warm_start, const State& state,
                          const std::vector<char>& trees) {
  solution_.lambda =
      Eigen::Map<const VectorXd>(warm_start.data(), static_cast<Eigen::Index>(warm_start.size()));
  if (!solver->begins_with_velocity()) solution_.v = state.v;
  problem_solver_.asked() = trees;
}

void SolveStage::Loosen(const ContactProblem& problem) {
  largest_looseness_ = 1.0;
  if (!(budget.relative > 0.0)) return;
  std::vector<double>& looseness = problem_solver_.looseness();
  looseness.assign(problem.constraints.size(), 1.0);
  for (std::size_t i = 0; i < looseness.size(); ++i) {
    const Constraint& c = problem.constraints[i];
    if (c.type != ConstraintType::kContact && c.type != ConstraintType::kUnilateral) continue;
    const double approach = std::max(0.0, -problem.MultiplyLastRow(c, v_start_.data()));
    looseness[i] += budget.relative / budget.absolute * approach;
    largest_looseness_ = std::max(largest_looseness_, looseness[i]);
  }
}

const std::vector<double>& SolveStage::CalcTightResiduals() {
  if (!(largest_looseness_ > 1.0)) return problem_solver_.residuals();
  tight_residuals_ = problem_solver_.residuals();
  const IslandPartition& partition = problem_solver_.partition();
  for (int island = 0; island < partition.num_islands; ++island) {
    const double looseness = problem_solver_.CalcLooseness(island);
    for (const int i : partition.constraints_of(island)) tight_residuals_[i] /= looseness;
  }
  return tight_residuals_;
}

double SolveStage::CalcTightNcp(const Certificate& certificate) {
  if (!(largest_looseness_ > 1.0) || !std::isfinite(certificate.ncp_max)) return certificate.ncp_max;
  const std::vector<double>& residuals = CalcTightResiduals();
  return *std::max_element(residuals.begin(), residuals.end());
}

// Of the constraints of islands that missed: what others carry has nothing to do with it.
void SolveStage::FindMissed() {
  missed_.clear();
  missed_islands_.clear();
  const std::vector<double>& residuals = CalcTightResiduals();
  const IslandPartition& partition = problem_solver_.partition();
  for (int island = 0; island < partition.num_islands; ++island) {
    const auto constraints = partition.constraints_of(island);
    const auto is_met = [&](int i) { return residuals[i] <= budget.absolute; };
    if (std::all_of(constraints.begin(), constraints.end(), is_met)) continue;
    missed_islands_.push_back(island);
    missed_.insert(missed_.end(), constraints.begin(), constraints.end());
  }
}

double SolveStage::CalcMissedSize(const ContactProblem& problem, const GrowingVector& lambda) const {
  double size = 0.0;
  for (const int i : missed_) {
    const Constraint& c = problem.constraints[i];
    const double largest = lambda.segment(c.row, c.dim()).lpNorm<Eigen::Infinity>();
    if (!std::isfinite(largest)) return std::numeric_limits<double>::infinity();
    size = std::max(size, largest);
  }
  return size;
}

void SolveStage::PauseClock() {
  if (solver_budget.has_time()) paused_ = ReadClock();
}

void SolveStage::ResumeClock() {
  if (solver_budget.has_time()) end_ += ReadClock() - paused_;
}

double SolveStage::FindEnd() const {
  if (!(reserve > 0.0) || end_ == SolveClock::kNever) return end_;
  return end_ - reserve * std::max(0.0, end_ - ReadClock());
}

// Solves again, from the best iterate so far, and keeps what is better.
void SolveStage::TryAgain(StepRows& rows, const BranchSparseFactor& factor, const SolverTeam& with,
                          double effort, StepReport& report) {
  with.leader.set_effort(effort);
  trial_ = solution_;
  const ProblemReport result = problem_solver_.Solve(rows.problem, factor, with, trial_, &rows.Islands());
  report.solve.Merge(result.solve);
  const double tight_ncp = CalcTightNcp(result.certificate);
  knows_residuals_ = tight_ncp < tight_ncp_ || (std::isfinite(tight_ncp) && std::isnan(tight_ncp_));
  if (!knows_residuals_) return;
  tight_ncp_ = tight_ncp;
  solution_ = trial_;
  report.certificate = result.certificate;
  report.solve.status = result.solve.status;
}

// Without slip the residual is that of another problem: what comes next counts, whatever it is.
bool SolveStage::PauseSlip(const StepFrame& frame, StepRows& rows, SlipMemory& slip, StepReport& report) {
  if (!slip.Pause(frame, problem_solver_.partition(), CalcTightResiduals(), budget.absolute, warm_start_,
                  rows, solution_.lambda))
    return false;
  report.certificate.ncp_max = tight_ncp_ = std::numeric_limits<double>::infinity();
  return true;
}

void SolveStage::Solve(const StepFrame& frame, const BranchSparseFactor& factor, StepRows& rows,
                       SlipMemory& slip, StepReport& report) {
  STICTION_ASSERT(solver != nullptr && budget.is_valid());
  STICTION_ASSERT(rows.sources.size() == rows.problem.constraints.size());
  Loosen(rows.problem);
  if (rows.problem.num_constraints() == 0) {
    solution_.lambda.resize(0);
    solution_.penalty.resize(rows.problem.subsystems.size(), 0.0);
    solution_.v = rows.problem.v_star.array() + 0.0;  // as a solver would return it: no zero is negative
    knows_residuals_ = true;
    return;
  }
  warm_start_ = solution_.lambda;
  problem_solver_.set_one_island(one_island);
  if (!solver_budget.is_none()) problem_solver_.Limit(FindEnd(), solver_budget.iterations);
  solver->set_effort(first_effort);
  const ProblemReport result =
      problem_solver_.Solve(rows.problem, factor, team(), solution_, &rows.Islands());
  solution_.trend.resize(0);
  report.solve.Merge(result.solve);
  report.solve.status = result.solve.status;
  // What is not solved again has the momentum error of the solve before.
  const double momentum = problem_solver_.asked().empty() ? 0.0 : report.certificate.momentum;
  report.certificate = result.certificate;
  report.certificate.momentum = std::max(momentum, report.certificate.momentum);
  report.status = StepStatus::kOk;
  report.num_islands = result.num_islands;
  knows_residuals_ = true;
  tight_ncp_ = CalcTightNcp(result.certificate);
  const auto missed = [&] { return !(tight_ncp_ <= budget.absolute); };
  const bool is_done = !solver->law().is_exact() && report.certificate.own_law <= largest_budget();
  if (missed()) FindMissed();
  if (missed() && !is_done && result.num_islands > 0 && retry_effort > 0.0 && MayGoOn())
    Retry(frame, factor, rows, slip, report);
  if (fallback && missed() && MayGoOn()) TryAgain(rows, factor, *fallback, 1.0, report);
  problem_solver_.asked().clear();
  report.is_converged = !missed() || is_done;
  if (missed()) report.status = StepStatus::kBudgetMissed;
}

// An island that has used up its time may have more of what others left; its iterations are gone. What
// becomes of those that met the budget says nothing of those that missed it.
bool SolveStage::MayGoOn() const {
  const auto is_spent = [this](int island) { return problem_solver_.IsSpent(island); };
  return !problem_solver_.is_late() &&
         !(solver_budget.has_iterations() &&
           std::all_of(missed_islands_.begin(), missed_islands_.end(), is_spent));
}

// Whether it is the solver budget that islands missed for.
bool SolveStage::IsCut(const StepReport& report) const {
  const auto is_spent = [this](int island) { return problem_solver_.IsSpent(island); };
  return (solver_budget.has_time() && report.solve.num_cut > 0) ||
         (solver_budget.has_iterations() &&
          std::any_of(missed_islands_.begin(), missed_islands_.end(), is_spent));
}

void SolveStage::Retry(const StepFrame& frame, const BranchSparseFactor& factor, StepRows& rows,
                       SlipMemory& slip, StepReport& report) {
  const bool gives_up_early = first_effort < 1.0;
  const bool has_paused = gives_up_early && !IsCut(report) && PauseSlip(frame, rows, slip, report);
  // What is left to smaller steps is not solved again, unless it was slip that made it hard.
  if (report.solve.num_left > 0 && !has_paused) return;
  const double size = CalcMissedSize(rows.problem, solution_.lambda);
  TryAgain(rows, factor, team(), retry_effort, report);
  const bool has_grown = !(CalcMissedSize(rows.problem, trial_.lambda) <= kGrowth * size);
  const bool is_missed = !(tight_ncp_ <= budget.absolute);
  if (!gives_up_early && is_missed && has_grown && !IsCut(report) && MayGoOn() &&
      PauseSlip(frame, rows, slip, report))
    TryAgain(rows, factor, team(), retry_effort, report);
}

const std::vector<double>& SolveStage::CalcTreeResiduals(const Model& model, const ContactProblem& problem) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  tree_ncp_.assign(model.num_trees(), knows_residuals_ ? 0.0 : kUnknown);
  if (!knows_residuals_) return tree_ncp_;
  const std::vector<double>& residuals = problem_solver_.residuals();
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    const Constraint& c = problem.constraints[i];
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      double& worst = tree_ncp_[problem.blocks[b].subsystem];
      if (!(residuals[i] <= worst)) worst = residuals[i];
    }
  }
  return tree_ncp_;
}

}  // namespace stiction

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "contact/solve_impl.h"
#include "contact/stress.h"
#include "math/assert.h"
#include "math/task_pool.h"
#include "stiction/contact/fault.h"
#include "stiction/math/cone.h"

namespace stiction {
namespace {

// Of islands that all threads solve together, one at a time: their constraints, and how many times what a
// thread would have if it had its share of all that is to be solved.
constexpr int kThreadedIsland = 512;
constexpr double kMoreThanShare = 1.5;

constexpr double kRestSpeed = 1e-3;     // with the warm start [m/s or rad/s]
constexpr double kSteadiness = 1e-10;   // change of a velocity within a step that counts as none [m/s]
constexpr double kScaleMargin = 100.0;  // by which a rough scale may be wrong
constexpr double kStrike = 20.0;        // an approach over what forces change of it in a step, that is a blow
constexpr double kMuchNearer = 0.5;     // residual of a start that is taken instead, over the other's

// w_i, from A's diagonal alone.
double CalcRoughScale(const ContactProblem& problem, const Constraint& c) {
  const int dim = c.dim();
  double trace = 0.0;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const double* J = problem.jacobian.data() + block.first_value;
    for (int k = 0; k < block.num_dofs; ++k, J += dim) {
      double sum = 0.0;
      for (int r = 0; r < dim; ++r) sum += J[r] * J[r];
      trace += sum / problem.A.diagonal(problem.block_dofs[block.first_dof + k]);
    }
  }
  return trace / dim;
}

// Whether anything moves by an impulse of the constraint, or its law says the impulse all the same.
bool HasEffect(const ContactProblem& problem, const Constraint& c) {
  if (c.num_blocks == 0) return false;
  if (c.type == ConstraintType::kSoft || c.compliance_n > 0.0 || c.compliance_t > 0.0) return true;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const double* J = problem.jacobian.data() + block.first_value;
    if (std::any_of(J, J + c.dim() * block.num_dofs, [](double x) { return x != 0.0; })) return true;
  }
  return false;
}

// Whether the natural map of any g/w that is smaller than `margin` is the same whatever w is: inside the
// cone or between the bounds it is |g|, and cones look the same at any scale from zero.
//   margin  [N·s or N·m·s]
bool IsScaleFree(const Constraint& c, const double* lambda, double margin) {
  if (c.type == ConstraintType::kSoft) return false;
  if (c.type != ConstraintType::kContact) return c.lower + margin < lambda[0] && lambda[0] < c.upper - margin;
  if (lambda[0] == 0.0 && lambda[1] == 0.0 && lambda[2] == 0.0) return true;
  const double limit = c.mu * lambda[2] - (1.0 + c.mu) * margin;
  return limit > 0.0 && lambda[0] * lambda[0] + lambda[1] * lambda[1] < limit * limit;
}

// L v* and, where v is known, the velocity before as δ = L (v − v*), by dof of the island.
void CalcMotionBefore(const ContactProblem& problem, const BranchSparseFactor& factor, const VectorXd& v,
                      Island& island) {
  island.momentum_free.reserve(island.num_dofs());
  island.delta_before.reserve(island.num_dofs());
  const bool is_known = v.size() == problem.nv();
  const BranchPattern& pattern = factor.pattern();
  for (const int s : island.node_source) {
    const Subsystem& dofs = problem.subsystems[s];
    for (int k = dofs.first_dof; k < dofs.first_dof + dofs.num_dofs; ++k) {
      const double* row = factor.L().row(k);
      const int* columns = pattern.columns(k);
      double free = 0.0, change = 0.0;
      for (int i = 0; i < pattern.row_length(k); ++i) {
        const double v_star = problem.v_star[columns[i]];
        free += row[i] * v_star;
        if (is_known) change += row[i] * (v[columns[i]] - v_star);
      }
      island.momentum_free.push_back(free);
      if (is_known) island.delta_before.push_back(change);
    }
  }
}

// Whether contacts are struck: bodies come together many times faster than forces make them in the step.
//   v  before the solve
bool Strikes(const ContactProblem& problem, std::span<const int> constraints, const VectorXd& v) {
  if (v.size() != problem.nv()) return false;
  double approach = 0.0, change = 0.0;
  for (const int i : constraints) {
    const Constraint& c = problem.constraints[i];
    if (c.type != ConstraintType::kContact) continue;
    const double before = problem.MultiplyLastRow(c, v.data());
    approach = std::max(approach, -before - problem.e[c.row + 2]);
    change = std::max(change, std::abs(problem.MultiplyLastRow(c, problem.v_star.data()) - before));
  }
  return approach > kStrike * change;
}

// Of a solve whose time is over: it would have gone on.
bool IsUnfinished(SolveStatus status) {
  return status == SolveStatus::kMaxIterations || status == SolveStatus::kStalled;
}

}  // namespace

ProblemReport Refuse(const ContactProblem& problem, SolveStatus status, Solution& solution) {
  ProblemReport report;
  report.solve.status = status;
  report.certificate.ncp_max = std::numeric_limits<double>::infinity();
  solution.v = problem.v_star;
  solution.lambda.setZero(problem.num_rows());
  return report;
}

void Validate([[maybe_unused]] const ContactProblem& problem) {
#ifdef STICTION_VALIDATE
  const std::optional<ProblemFault> fault = FindFault(problem);
  if (fault && !fault->is_numeric) FailAssertion(fault->message().c_str(), __FILE__, __LINE__);
#endif
}

ProblemReport ProblemSolver::Impl::Solve(const ContactProblem& problem, const SolverTeam& team,
                                         Solution& solution) {
  if (problem.is_sparse()) return SolveSparse(problem, team, solution);
  STICTION_ASSERT(problem.A.size() == problem.nv());
  if (factor_.Factor(problem.A) >= 0) return Refuse(problem, SolveStatus::kNonFinite, solution);
  return Solve(problem, factor_, team, solution, nullptr);
}

ProblemReport ProblemSolver::Impl::Solve(const ContactProblem& problem, const BranchSparseFactor& factor,
                                         const SolverTeam& team, Solution& solution,
                                         const IslandPartition* islands) {
  STICTION_ASSERT(factor.size() == problem.nv());
  Validate(problem);
  const bool takes_compliance = team.leader.takes_compliance();
  return AuxiliaryDofs::AreNeeded(problem, takes_compliance)
             ? SolveExtended(problem, factor, team, solution)
             : SolvePlain(problem, factor, team, certifier_, solution, islands);
}

ProblemReport ProblemSolver::Impl::SolvePlain(const ContactProblem& problem, const BranchSparseFactor& factor,
                                              const SolverTeam& team, Certifier& certifier,
                                              Solution& solution, const IslandPartition* islands) {
  ProblemReport report;
  const ContactSolver& solver = team.leader;
  if (solution.lambda.size() != problem.num_rows()) solution.lambda.setZero(problem.num_rows());
  for (const Constraint& c : problem.constraints) {
    if (!solver.Supports(c.type)) return Refuse(problem, SolveStatus::kUnsupported, solution);
  }
  solution.penalty.resize(problem.subsystems.size(), 0.0);
  scaled_.Resize(problem);
  if (islands != nullptr && !one_island_) {
    STICTION_ASSERT(islands->island_of_subsystem.size() == problem.subsystems.size());
    partition_ = *islands;
  } else {
    partition_.Assign(problem, one_island_);
  }
  report.num_islands = partition_.num_islands;
  const bool holds_velocity = solver.held() != HeldVelocity::kNone;
  if (holds_velocity) v_held_ = problem.v_star;
  // v is the certificate's recomputation, whatever velocity the solver held.
  certifier.Begin(problem);
  SolveIslands(problem, factor, team, certifier, solution);
  for (const Outcome& outcome : outcomes_) {
    if (outcome.is_solved) report.solve.MergeIsland(outcome.report);
  }
  if (!ForgetWithoutEffect(problem, team, certifier, solution) &&
      report.solve.status == SolveStatus::kConverged)
    report.solve.status = SolveStatus::kStalled;
  report.certificate = certifier.Summarize(problem);
  if (holds_velocity) {
    HoldUnsolved(problem, certifier.v());
    report.certificate.momentum = certifier.CalcMomentumError(problem, solution.lambda, v_held_);
  }
  solution.v = certifier.v();
  return report;
}

bool ProblemSolver::Impl::ForgetWithoutEffect(const ContactProblem& problem, const SolverTeam& team,
                                              Certifier& certifier, Solution& solution) {
  has_effect_.resize(problem.constraints.size());
  const auto look = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) has_effect_[i] = HasEffect(problem, problem.constraints[i]) ? 1 : 0;
  };
  const int count = problem.num_constraints();
  team.pool ? team.pool->ForPieces(count, kLeastConstraints, look) : look(0, count);
  bool is_met = true;
  for (int i = 0; i < count; ++i) {
    if (has_effect_[i] != 0) continue;
    const Constraint& c = problem.constraints[i];
    solution.lambda.segment(c.row, c.dim()).setZero();
    scaled_.scale[i] = kSmallestScale;
    const double residual = certifier.Judge(problem, scaled_.scale, solution.lambda, team.leader.law(), i);
    is_met = is_met && residual <= team.leader.tolerance();
  }
  return is_met;
}

void ProblemSolver::Impl::HoldUnsolved(const ContactProblem& problem, const VectorXd& v) {
  for (int island = 0; island < partition_.num_islands; ++island) {
    if (outcomes_[island].is_solved) continue;
    for (const int s : partition_.subsystems_of(island)) {
      const Subsystem& dofs = problem.subsystems[s];
      v_held_.segment(dofs.first_dof, dofs.num_dofs) = v.segment(dofs.first_dof, dofs.num_dofs);
    }
  }
}

void ProblemSolver::Impl::ShareOut(int num_members, bool all) {
  const auto size = [this](int island) { return static_cast<int>(partition_.constraints_of(island).size()); };
  order_.clear();
  for (int island = 0; island < partition_.num_islands; ++island) {
    if (all || (outcomes_[island].is_solved && !outcomes_[island].is_shared)) order_.push_back(island);
  }
  std::sort(order_.begin(), order_.end(),
            [&](int i, int j) { return size(i) != size(j) ? size(i) > size(j) : i < j; });
  shares_.resize(std::max<std::size_t>(num_members, shares_.size()));
  for (auto& share : shares_) share.clear();
  loads_.assign(num_members, 0);
  for (const int island : order_) {
    const auto least = std::min_element(loads_.begin(), loads_.end());
    *least += size(island);
    shares_[least - loads_.begin()].push_back(island);
  }
}

bool ProblemSolver::Impl::IsLarge(int island, int num_threads) const {
  const auto size = static_cast<double>(partition_.constraints_of(island).size());
  return outcomes_[island].is_solved && size >= kThreadedIsland &&
         num_threads * size > kMoreThanShare * static_cast<double>(unsolved_load_);
}

// One thread solves each island as soon as it has judged it. Several judge all of them first: what is left to
// solve is a few, in piles that come to rest, and these are to be shared out evenly. So is time where it is
// short. An island that would keep one thread busy while all others wait is solved by all of them together.
void ProblemSolver::Impl::SolveIslands(const ContactProblem& problem, const BranchSparseFactor& factor,
                                       const SolverTeam& team, Certifier& certifier, Solution& solution) {
  if (static_cast<int>(workers_.size()) < team.size()) workers_.resize(team.size());
  outcomes_.assign(partition_.num_islands, {});
  const int num_threads = team.size() == 1 ? 1 : team.pool->num_threads();
  const auto judge = [&](int member, int island) {
    ContactSolver& solver = team.member(member);
    if (!IsAsked(island))
      return JudgeAsItIs(problem, factor, certifier, solver.law(), solution, island, workers_[member]);
    solver.set_looseness(CalcShare(island) * CalcLooseness(island));
    Outcome& outcome = outcomes_[island];
    outcome.is_solved = !IsAccepted(problem, factor, certifier, solver.acceptance(), solution, island,
                                    workers_[member], outcome.rests);
    // A limited solve has no time to begin anew.
    outcome.is_stressed = outcome.is_solved && !is_limited() &&
                          IsStressed(problem, partition_.constraints_of(island),
                                     partition_.subsystems_of(island), solution.lambda, certifier.v());
    if (outcome.is_solved && !outcome.is_stressed)
      outcome.is_solved =
          !IsAcceptedAhead(problem, factor, solver, certifier, island, workers_[member], solution);
  };
  const auto treat = [&](int member, int island) {
    TreatIsland(problem, factor, team.member(member), certifier, island, num_threads, workers_[member],
                solution);
  };
  if (num_threads == 1 && !is_limited()) {
    workers_[0].scaling.column.assign(problem.nv(), 0.0);
    for (int island = 0; island < partition_.num_islands; ++island) judge(0, island), treat(0, island);
    return;
  }
  ForIslands(problem, team, true, judge);
  spent_.resize(partition_.num_islands, 0);
  unsolved_load_ = 0;
  for (int island = 0; island < partition_.num_islands; ++island) {
    if (outcomes_[island].is_solved)
      unsolved_load_ += static_cast<long long>(partition_.constraints_of(island).size());
  }
  for (int island = 0; island < partition_.num_islands; ++island)
    outcomes_[island].is_shared = num_threads > 1 && IsLarge(island, num_threads);
  for (int island = 0; island < partition_.num_islands; ++island) {
    if (!outcomes_[island].is_shared) continue;
    workers_[0].scaling.column.assign(problem.nv(), 0.0);
    workers_[0].island.pool = team.pool;
    treat(0, island);
    workers_[0].island.pool = nullptr;
  }
  ForIslands(problem, team, false, treat);
}

template <typename Work>
void ProblemSolver::Impl::ForIslands(const ContactProblem& problem, const SolverTeam& team, bool all,
                                     const Work& work) {
  const bool is_shared = team.size() > 1 && partition_.num_islands > 1;
  ShareOut(is_shared ? team.size() : 1, all);
  for (const auto& other : team.others) {
    other->set_effort(team.leader.effort());
    other->set_is_last_chance(team.leader.is_last_chance());
    other->set_may_leave(team.leader.may_leave());
  }
  const auto work_through = [&](int member) {
    std::vector<int>& share = shares_[member];
    if (share.empty()) return;
    workers_[member].scaling.column.assign(problem.nv(), 0.0);
    if (is_limited()) std::reverse(share.begin(), share.end());
    for (const int island : share) work(member, island);
  };
  if (!is_shared) return work_through(0);
  // The first members have the largest islands. Every thread begins with one of them.
  const int num_threads = team.pool->num_threads(), num_rounds = team.size() / num_threads;
  team.pool->ForEach(team.size(), [&](int task) {
    work_through(task < num_rounds * num_threads ? task % num_rounds * num_threads + task / num_rounds
                                                 : task);
  });
}

void ProblemSolver::Impl::Limit(double end, int iterations) {
  end_ = end;
  iterations_ = iterations;
  spent_.clear();
}

SolveClock ProblemSolver::Impl::MakeClock(int island, int num_threads) {
  const int iterations = iterations_ - spent_[island];
  if (end_ == SolveClock::kNever) return {end_, iterations};
  const double now = ReadClock();
  const long long unsolved = std::atomic_ref(unsolved_load_).load(std::memory_order_relaxed);
  const auto size = static_cast<double>(partition_.constraints_of(island).size());
  const double share = std::min(1.0, num_threads * size / static_cast<double>(unsolved));
  return {now + share * (end_ - now), iterations};
}

// Writes what belongs to the island's constraints and subsystems alone.
void ProblemSolver::Impl::TreatIsland(const ContactProblem& problem, const BranchSparseFactor& factor,
                                      ContactSolver& solver, Certifier& certifier, int island,
                                      int num_threads, Worker& worker, Solution& solution) {
  Outcome& outcome = outcomes_[island];
  if (!outcome.is_solved) return;
  solver.set_looseness(CalcShare(island) * CalcLooseness(island));
  SolveClock clock;
  if (is_limited()) clock = MakeClock(island, num_threads);
  const std::span<const int> constraints = partition_.constraints_of(island);
  const TaskPool* pool = worker.island.pool;
  pool ? scaled_.AssignPart(problem, factor, constraints, *pool)
       : scaled_.AssignPart(problem, factor, constraints, worker.scaling);
  worker.island.rests = outcome.rests;
  worker.island.strikes = solver.may_leave() && Strikes(problem, constraints, solution.v);
  worker.island.clock = is_limited() ? &clock : nullptr;
  outcome.report = SolveIsland(problem, factor, solver, island, worker, solution);
  worker.island.clock = nullptr;
  certifier.CalcVelocity(problem, factor, solution.lambda, constraints, partition_.subsystems_of(island));
  const auto judge = [&](int begin, int end) {
    for (const int c : constraints.subspan(begin, end - begin))
      certifier.Judge(problem, scaled_.scale, solution.lambda, solver.law(), c);
  };
  const int count = static_cast<int>(constraints.size());
  pool ? pool->ForPieces(count, kLeastConstraints, judge) : judge(0, count);
  if (!is_limited()) return;
  spent_[island] += clock.count();
  std::atomic_ref(unsolved_load_)
      .fetch_sub(static_cast<long long>(constraints.size()), std::memory_order_relaxed);
}

double ProblemSolver::Impl::CalcLooseness(int island) const {
  double largest = 1.0;
  if (looseness_.empty()) return largest;
  for (const int i : partition_.constraints_of(island)) largest = std::max(largest, looseness_[i]);
  return largest;
}

double ProblemSolver::Impl::CalcShare(int island) const {
  double least = 1.0;
  if (!is_extended_) return least;
  for (const int i : partition_.constraints_of(island)) least = std::min(least, auxiliary_.share(i));
  return least;
}

bool ProblemSolver::Impl::IsAccepted(const ContactProblem& problem, const BranchSparseFactor& factor,
                                     Certifier& certifier, double acceptance, const Solution& solution,
                                     int island, Worker& worker, bool& rests) {
  rests = false;
  const std::span<const int> constraints = partition_.constraints_of(island);
  const std::span<const int> subsystems = partition_.subsystems_of(island);
  const GrowingVector& lambda = solution.lambda;
  certifier.CalcVelocity(problem, factor, lambda, constraints, subsystems);
  if (!(acceptance > 0.0)) return false;
  rests = std::all_of(subsystems.begin(), subsystems.end(), [&](int s) {
    const Subsystem& dofs = problem.subsystems[s];
    return certifier.v().segment(dofs.first_dof, dofs.num_dofs).lpNorm<Eigen::Infinity>() <= kRestSpeed;
  });
  double largest = 0.0, least = std::numeric_limits<double>::infinity();  // rough scale; scale that matters
  for (const int i : constraints) {
    const Constraint& c = problem.constraints[i];
    double& scale = scaled_.scale[i];
    scale = CalcRoughScale(problem, c);
    largest = std::max(largest, scale);
    if (!IsScaleFree(c, lambda.data() + c.row, kScaleMargin * acceptance / scale)) {
      scale = ScaledProblem::CalcScale(problem, factor, i, worker.scaling);
      least = std::min(least, scale);
    }
    if (!(certifier.Judge(problem, scaled_.scale, lambda, {}, i) <= acceptance)) return false;
  }
  // What may be below the lower bound of scales is judged by that, as after a solve.
  if (least < kScaleMargin * ScaledProblem::kLeastScale * largest) {
    scaled_.AssignPart(problem, factor, constraints, worker.scaling);
    const auto is_met = [&](int i) {
      return certifier.Judge(problem, scaled_.scale, lambda, {}, i) <= acceptance;
    };
    if (!std::all_of(constraints.begin(), constraints.end(), is_met)) return false;
  }
  return !rests || IsSteady(problem, certifier, island, solution, worker);
}

bool ProblemSolver::Impl::LookAhead(const ContactProblem& problem, const Solution& solution, int island,
                                    Worker& worker) const {
  if (solution.trend.size() != solution.lambda.size()) return false;
  worker.ahead.clear();
  bool leads_on = false;
  for (const int i : partition_.constraints_of(island)) {
    const Constraint& c = problem.constraints[i];
    const double *last = solution.lambda.data() + c.row, *trend = solution.trend.data() + c.row;
    leads_on |= std::any_of(trend, trend + c.dim(), [](double change) { return change != 0.0; });
    if (c.type == ConstraintType::kContact) {
      const Vector3d x(last[0] + trend[0], last[1] + trend[1], last[2] + trend[2]);
      const Vector3d clamped = ClampCone(x, c.mu);
      worker.ahead.insert(worker.ahead.end(), clamped.begin(), clamped.end());
    } else if (c.type == ConstraintType::kUnilateral) {
      worker.ahead.push_back(std::max(0.0, *last + *trend));
    } else {
      worker.ahead.insert(worker.ahead.end(), last, last + c.dim());
    }
  }
  return leads_on;
}

bool ProblemSolver::Impl::IsAcceptedAhead(const ContactProblem& problem, const BranchSparseFactor& factor,
                                          const ContactSolver& solver, Certifier& certifier, int island,
                                          Worker& worker, Solution& solution) {
  if (!(solver.acceptance() > 0.0) || !LookAhead(problem, solution, island, worker)) return false;
  const auto swap = [&] {
    double* ahead = worker.ahead.data();
    for (const int i : partition_.constraints_of(island)) {
      const Constraint& c = problem.constraints[i];
      std::swap_ranges(ahead, ahead + c.dim(), solution.lambda.data() + c.row);
      ahead += c.dim();
    }
  };
  swap();
  bool rests = false;
  if (IsAccepted(problem, factor, certifier, solver.tolerance(), solution, island, worker, rests))
    return true;
  swap();
  return false;
}

bool ProblemSolver::Impl::IsAsked(int island) const {
  if (asked_.empty()) return true;
  const std::span<const int> subsystems = partition_.subsystems_of(island);
  const int count = static_cast<int>(asked_.size());  // auxiliary subsystems come behind
  return std::any_of(subsystems.begin(), subsystems.end(),
                     [&](int s) { return s < count && asked_[s] != 0; });
}

void ProblemSolver::Impl::JudgeAsItIs(const ContactProblem& problem, const BranchSparseFactor& factor,
                                      Certifier& certifier, const SolvedLaw& law, const Solution& solution,
                                      int island, Worker& worker) {
  const std::span<const int> constraints = partition_.constraints_of(island);
  certifier.CalcVelocity(problem, factor, solution.lambda, constraints, partition_.subsystems_of(island));
  scaled_.AssignPart(problem, factor, constraints, worker.scaling);
  for (const int i : constraints) certifier.Judge(problem, scaled_.scale, solution.lambda, law, i);
}

// Whether the impulses keep the velocity that rows which stick have had so far: those that brought them to
// rest would push them on in the next step, and be taken back in the one after that, for ever. Subsystems
// without any velocity are brought to a stop by others.
bool ProblemSolver::Impl::IsSteady(const ContactProblem& problem, const Certifier& certifier, int island,
                                   const Solution& solution, Worker& worker) const {
  if (solution.v.size() != problem.nv()) return true;
  worker.change.resize(problem.nv());
  for (const int s : partition_.subsystems_of(island)) {
    const Subsystem& dofs = problem.subsystems[s];
    const int begin = dofs.first_dof, end = begin + dofs.num_dofs;
    const bool stands = solution.v.segment(begin, dofs.num_dofs).isZero(0.0);
    for (int k = begin; k < end; ++k) worker.change[k] = stands ? 0.0 : certifier.v()[k] - solution.v[k];
  }
  const std::span<const int> constraints = partition_.constraints_of(island);
  return std::all_of(constraints.begin(), constraints.end(), [&](int i) {
    const Constraint& c = problem.constraints[i];
    const double* lambda = solution.lambda.data() + c.row;
    if (lambda[c.dim() - 1] == 0.0 || !IsScaleFree(c, lambda, 0.0)) return true;
    double change[3];
    problem.MultiplyRows(c, worker.change.data(), change);
    return std::all_of(change, change + c.dim(), [](double u) { return std::abs(u) <= kSteadiness; });
  });
}

SolveReport ProblemSolver::Impl::SolveIsland(const ContactProblem& problem, const BranchSparseFactor& factor,
                                             ContactSolver& solver, int island, Worker& worker,
                                             Solution& solution) {
  Island& scaled = worker.island;
  scaled.sparse = reduction_;
  std::vector<double>& impulses = worker.lambda;
  scaled.Assign(problem, scaled_, partition_, island);
  worker.slabs.Assign(scaled);
  scaled.slabs = worker.slabs.is_cut() ? &worker.slabs : nullptr;
  impulses.resize(scaled.num_rows());
  for (const IslandConstraint& c : scaled.constraints) {
    const int from = problem.constraints[c.source].row;
    for (int r = 0; r < c.dim(); ++r) impulses[c.row + r] = solution.lambda[from + r];
  }
  // Impulses that overflowed once, or grew beyond use, must not poison every step after.
  if (outcomes_[island].is_stressed) std::fill(impulses.begin(), impulses.end(), 0.0);
  for (double value : impulses) {
    if (std::isfinite(value)) continue;
    std::fill(impulses.begin(), impulses.end(), 0.0);
    break;
  }
  if (!outcomes_[island].is_stressed) ChooseStart(problem, solver, solution, island, worker);
  const std::span<const int> subsystems = partition_.subsystems_of(island);
  scaled.warm_penalty = 0.0;
  for (const int s : subsystems) scaled.warm_penalty = std::max(scaled.warm_penalty, solution.penalty[s]);
  scaled.delta_before.clear();
  scaled.momentum_free.clear();
  if (solver.begins_with_velocity()) CalcMotionBefore(problem, factor, solution.v, scaled);
  SolveReport solved;
  const bool has_time = !scaled.is_over();
  if (has_time) solved = solver.Solve(scaled, impulses.data());
  if (!has_time || (scaled.is_over() && IsUnfinished(solved.status))) {
    solved.status = SolveStatus::kMaxIterations;
    solved.num_cut = 1;
  }
  if (solver.held() != HeldVelocity::kNone) TakeVelocity(problem, factor, solver, has_time, worker);
  if (solved.penalty > 0.0) {
    for (const int s : subsystems) solution.penalty[s] = solved.penalty;
  }
  for (const IslandConstraint& c : scaled.constraints) {
    const int to = problem.constraints[c.source].row;
    for (int r = 0; r < c.dim(); ++r) solution.lambda[to + r] = impulses[c.row + r];
  }
  return solved;
}

void ProblemSolver::Impl::ChooseStart(const ContactProblem& problem, const ContactSolver& solver,
                                      const Solution& solution, int island, Worker& worker) {
  if (!LookAhead(problem, solution, island, worker)) return;
  const Island& scaled = worker.island;
  STICTION_ASSERT(worker.ahead.size() == worker.lambda.size());
  worker.change.resize(scaled.num_dofs());
  const auto calc_residual = [&](const std::vector<double>& impulses) {
    scaled.MapImpulses(impulses.data(), worker.change.data());
    return scaled.CalcResidual(impulses.data(), worker.change.data());
  };
  const double ahead = calc_residual(worker.ahead);
  const bool would_do = ahead <= solver.acceptance();  // and be left as it is, less exact than a solve
  if (!would_do && ahead < kMuchNearer * calc_residual(worker.lambda))
    std::copy(worker.ahead.begin(), worker.ahead.end(), worker.lambda.begin());
}

void ProblemSolver::Impl::TakeVelocity(const ContactProblem& problem, const BranchSparseFactor& factor,
                                       const ContactSolver& solver, bool has_solved, Worker& worker) {
  const Island& island = worker.island;
  std::vector<double>& change = worker.change;
  std::vector<double>& node_change = worker.node_change;
  const bool is_given = has_solved && !solver.held_velocity().empty();
  if (is_given) change = solver.held_velocity();
  if (!is_given) {
    change.resize(island.num_dofs());
    island.MapImpulses(worker.lambda.data(), change.data());
  }
  const bool is_scaled = !is_given || solver.held() == HeldVelocity::kScaled;
  node_change.resize(problem.nv());
  for (std::size_t k = 0; k < island.nodes.size(); ++k) {
    const Subsystem& node = island.nodes[k];
    const int to = problem.subsystems[island.node_source[k]].first_dof, end = to + node.num_dofs;
    std::copy_n(change.data() + node.first_dof, node.num_dofs, node_change.data() + to);
    if (is_scaled) factor.SolveLower(node_change.data(), to, end);
    for (int i = to; i < end; ++i) v_held_[i] += node_change[i];
  }
}

ContactSolver& SolverTeam::member(int i) const {
  return i == 0 ? leader : *others[i - 1];
}

int CountOthers(const TaskPool& pool) {
  constexpr int kMembersPerThread = 4;
  return pool.num_threads() == 1 ? 0 : kMembersPerThread * pool.num_threads() - 1;
}

ProblemSolver::ProblemSolver() : impl_(std::make_unique<Impl>()) {}
ProblemSolver::~ProblemSolver() = default;
ProblemSolver::ProblemSolver(ProblemSolver&&) noexcept = default;
ProblemSolver& ProblemSolver::operator=(ProblemSolver&&) noexcept = default;

ProblemReport ProblemSolver::Solve(const ContactProblem& problem, const SolverTeam& team,
                                   Solution& solution) {
  return impl_->Solve(problem, team, solution);
}

ProblemReport ProblemSolver::Solve(const ContactProblem& problem, const BranchSparseFactor& factor,
                                   const SolverTeam& team, Solution& solution,
                                   const IslandPartition* islands) {
  return impl_->Solve(problem, factor, team, solution, islands);
}

std::vector<double>& ProblemSolver::looseness() {
  return impl_->looseness();
}
std::vector<char>& ProblemSolver::asked() {
  return impl_->asked();
}
double ProblemSolver::CalcLooseness(int island) const {
  return impl_->CalcLooseness(island);
}
void ProblemSolver::set_one_island(bool one_island) {
  impl_->set_one_island(one_island);
}
void ProblemSolver::Limit(double end, int iterations) {
  impl_->Limit(end, iterations);
}
bool ProblemSolver::IsSpent(int island) const {
  return impl_->IsSpent(island);
}
bool ProblemSolver::is_late() const {
  return impl_->is_late();
}
const std::vector<double>& ProblemSolver::residuals() const {
  return impl_->residuals();
}
const IslandPartition& ProblemSolver::partition() const {
  return impl_->partition();
}

}  // namespace stiction

#include "contact/solvers/auto.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/contact/incumbent.h"

namespace stiction {
namespace {

constexpr int kSweepsPerCheck = 10;  // sweeps between residuals
constexpr int kMinSweeps = 10;  // before the rate of convergence is judged: they also give Newton its start
constexpr double kPatience = 2.0;  // sweeps are given up if they would need this many times their limit

// A warm start that is this wrong belongs to bodies that strike or slide, where a gentle penalty takes a
// third fewer Newton steps in clutter; at rest it would double those of stacks.
constexpr double kMoving = 1e-3;  // [m/s]
constexpr double kMovingPenalty = 100.0;
constexpr int kBodyDofs = 6;  // of a single body

bool IsRobot(const Island& island) {
  return island.nodes.size() == 1 && island.num_dofs() > kBodyDofs;
}

// Islands with so many constraints are given damped primal-dual steps before CANAL: of what full steps leave
// in heaps of 120 bodies they solve two thirds, and CANAL a third of what they do not.
constexpr int kLargeIsland = 60;
bool IsLarge(const Island& island) {
  return island.num_constraints() >= kLargeIsland;
}
// Those whose bodies strike one another are left to smaller steps after so many damped ones: a heap that is
// poured takes hundreds in a step of 10 ms, and fifty in one of 2.5 ms. What jams takes as many in any step.
constexpr int kStepsBeforeLeaving = 60;
// Of these, one in so many is solved exactly with others, and 8 at least: what more cost they do not save.
constexpr int kConstraintsPerMember = 16, kLeastGroup = 8;

// Sweeps before the contacts of one robot, without loops, are Newton's: on the ground 4 cost less than 20, 2
// or none.
constexpr int kRobotSweeps = 4;

// Warm starts below this are left to Newton without sweeps [m/s]. The few contacts of one robot it decides as
// well from there, and the rows are long; bodies that roll or spin in a heap at rest need a step or two, and
// so do robots that swing on one another. What a robot holds is left to sweeps: its pads share their load in
// ways that the laws leave open, and Newton may end with all of it at one corner, about which a part swings.
constexpr double kNear = kMoving, kNearOfRobots = 1e-5;
double FindNear(const Island& island) {
  const int num_nodes = static_cast<int>(island.nodes.size());
  if (num_nodes == 1) return IsRobot(island) ? kNear : 0.0;
  if (island.num_dofs() == kBodyDofs * num_nodes) return kNear;
  const bool are_robots = std::all_of(island.nodes.begin(), island.nodes.end(),
                                      [](const auto& node) { return node.num_dofs > kBodyDofs; });
  return are_robots ? kNearOfRobots : 0.0;
}

// A walk finds its way through hundreds of changes of contact states, so that another start or another growth
// and decrease of the penalty make it another path: one that has not arrived after a thousand steps has lost
// itself, and the next may not.
struct Walk {
  double rate;  // of growth and decrease
  enum { kBest, kWarm, kCold } start;
};
constexpr Walk kWalks[] = {
    {2.0, Walk::kBest}, {2.0, Walk::kWarm}, {4.0, Walk::kCold}, {3.0, Walk::kBest}, {4.0, Walk::kWarm}};
constexpr int kWalkLength = 2500;  // Newton steps
// Of an island that is not large, where half a step comes after a failure. Most of the time of jams of five
// to thirty contacts went into walks that did not arrive; with half as many steps more of them end in a miss.
constexpr int kShortWalk = 800;
constexpr double kWalkConstraints = 1000.0;  // islands with more get fewer steps, each of which costs more

// Islands with so many constraints walk at once, in place of CANAL and its retry: of 166 problems of heaps of
// 120 bodies that take long, 800 steps of a walk solve three fifths, and as many of CANAL a tenth. In heaps
// of 60 bodies CANAL is the better one.
constexpr int kHugeIsland = 250;
constexpr double kFirstWalkRate = 3.0;
bool IsHuge(const Island& island) {
  return island.num_constraints() >= kHugeIsland;
}

constexpr int kSweepsPerNewton = 1000;  // of stage 5

// Primal-dual steps that gain little, where an interior point takes a dozen for certain.
constexpr int kConvexPatience = 2;

constexpr double kSlowEnd = 6.0;  // of the tolerance: below, a run that gains little ends

// Of a solver budget's time after the first sweeps, what is kept for sweeps in case that Newton does not
// arrive: what it was doing is worth little half-way, and each sweep helps.
constexpr double kSweepTime = 0.3;
constexpr int kUntilTime = std::numeric_limits<int>::max();  // sweeps

// Polish. The smaller ε, the further a stack gets in a step; near the answer it need not find its way.
constexpr double kNearlyRight = 1e-5;  // residual of the warm start [m/s]
constexpr double kPolishEpsilon = 1e-7;
constexpr double kPolishTolerance = 1e-12;  // [m/s]
constexpr int kMaxPolish = 6;               // steps
constexpr int kPolishPatience = 3;

// Where nothing carries load yet and velocities are this wrong, and no more, weight and motors press bodies
// together that touch, and may hold them [m/s]; faster ones strike.
constexpr double kSlow = 1.0;
constexpr double kSlides = 1e-7;      // a loaded contact that is faster slides [m/s]
constexpr double kLessMotion = 0.99;  // of the slide, what is worth another answer

// Rounding that is so many times the acceptance, as a bound, is above it in fact.
constexpr double kHopeless = 100.0;

// Bilateral rows of an island that are eliminated: the cost grows with their cube.
constexpr int kMaxEliminated = 500;

// A residual of up to this many times the acceptance may come of the rounding of bilateral rows: the error of
// their bias, 1e-10 m/s, times a lever of 1000 and more. Larger ones are contradictions that a retry on all
// rows would only spend time on.
constexpr double kRoundingMiss = 100.0;

}  // namespace

SolverAuto::SolverAuto() {
  canal_.c = 1e3;
  // Half of what CANAL alone is given: a run that takes longer is better left to the retry.
  canal_.max_al = retry_.max_al = 60;
  canal_.max_newton = 800;
  canal_.kappa = 2.0;
  // The retry starts where the cascade converges for certain, and climbs slowly.
  retry_.c = 10.0;
  retry_.c_min = 0.1;
  retry_.kappa = 2.0;
  retry_.max_newton = 400;
  retry_.per_contact = false;
  walk_.c = 100.0;
  walk_.c_min = 0.1;
  walk_.max_al = kWalkLength;  // every iteration takes a Newton step
  walk_.walk = true;
  walk_.kappa = 4.0;
  // Of what other stages have begun: c grows where an iteration leaves a quarter of the multiplier error.
  for (CanalOptions* options : {&canal_, &retry_, &walk_}) options->zeta = 0.25;
}

std::vector<SolverOption> SolverAuto::ListOwnOptions() {
  return {
      {"acceptance", options_.acceptance, 0, 1, "residual below which a warm start is taken as it is [m/s]"},
      {"sweeps", options_.sweeps, 0, 1'000'000,
       "Gauss-Seidel sweeps before Newton; of a robot on its own 4 at most"},
      {"retry_sweeps", options_.retry_sweeps, 0, 1'000'000, "Gauss-Seidel sweeps before the retry"},
      {"primal_dual_steps", primal_dual_options_.max_steps, 0, 10'000'000, "primal-dual Newton steps"},
      {"primal_dual_group", primal_dual_options_.max_group, 0, 1000,
       "constraints that a primal-dual step solves exactly together where it goes round in circles; 0: none"},
      {"damped_steps", damped_options_.max_steps, 0, 10'000'000,
       "damped primal-dual Newton steps of islands with 60 constraints and more, a step a constraint at "
       "most"},
      {"c", canal_.c, 1e-6, 1e12, "initial penalty factor of CANAL"},
      {"c_max", canal_.c_max, 1e-6, 1e14, "largest penalty factor of CANAL"},
      {"max_newton", canal_.max_newton, 1, 10'000'000, "Newton steps of CANAL"},
      {"retry_c", retry_.c, 1e-6, 1e12, "initial penalty factor of the retry"},
      {"retry_newton", retry_.max_newton, 0, 10'000'000, "Newton steps of the retry"},
      {"path_newton", options_.path_newton, 0, 10'000'000,
       "matrices that the central path factors; twice as many of islands with fewer than 60 constraints"},
      {"walk_newton", options_.walk_newton, 0, 10'000'000, "Newton steps of the walks, in all"},
      {"last_sweeps", options_.last_sweeps, 0, 10'000'000, "Gauss-Seidel sweeps of the last resort, in all"}};
}

void SolverAuto::RunSweeps(const Island& island, int limit, double* lambda, double& residual,
                           SolveReport& report) {
  trial_.assign(lambda, lambda + island.num_rows());
  island.MapImpulses(trial_.data(), delta_.data());
  Incumbent best(lambda, island.num_rows(), residual);
  double before = residual;
  for (int sweep = 1; sweep <= limit && !island.is_over(); ++sweep) {
    const double change = sweep_.Sweep(island, trial_.data(), delta_.data());
    ++report.sweeps;
    const bool is_last = island.Tick() || sweep == limit;
    if (sweep % kSweepsPerCheck != 0 && !is_last && change > tolerance()) continue;
    island.MapImpulses(trial_.data(), delta_.data());
    const double now = island.CalcResidual(trial_.data(), delta_.data());
    if (best.Offer(trial_.data(), now)) residual = now;
    if (residual <= tolerance() || !std::isfinite(now) || change == 0.0) return;
    // At this rate of convergence the limit is far too short: leave the rest to Newton.
    if (limit < kUntilTime && sweep >= kMinSweeps &&
        now > tolerance() * std::pow(before / now, kPatience * limit / kSweepsPerCheck))
      return;
    before = now;
  }
}

SolveReport SolverAuto::Solve(const Island& island, double* lambda) {
  SolveReport report;
  delta_.resize(island.num_dofs());
  island.MapImpulses(lambda, delta_.data());
  double residual = island.CalcResidual(lambda, delta_.data());
  if (residual <= (Polishes(island) ? kPolishTolerance : acceptance())) return report;
  if (!std::isfinite(residual)) {
    report.status = SolveStatus::kNonFinite;
    return report;
  }

  report.stage = 1;
  may_be_left_ = island.strikes && IsLarge(island);
  warm_.assign(lambda, lambda + island.num_rows());
  int num_bilateral = 0;
  for (const IslandConstraint& c : island.constraints) num_bilateral += c.type == ConstraintType::kBilateral;
  const bool is_eliminated = num_bilateral > 0 && num_bilateral <= kMaxEliminated;
  if (is_eliminated) {
    RunEliminated(island, lambda, residual, report);
    RetryTogether(island, lambda, residual, report);
  } else {
    RunStages(island, lambda, residual, report);
  }
  report.num_left = may_be_left_ && residual > acceptance();
  if (report.num_left == 0 && num_bilateral == 0 && residual > acceptance() && !MayEndInside(island) &&
      MayBeSolved(island, lambda, residual)) {
    // A hasty solve leaves the walks to its retry, which does not have the slip that may make it hopeless,
    // nor the step's own warm start. Huge islands have walked before.
    const bool is_hasty = effort() < 1.0, is_huge = IsHuge(island);
    if (is_hasty ? is_huge : is_last_chance()) RunWithoutSweeps(island, lambda, residual, report);
    if (!is_hasty && is_last_chance()) RunPath(island, lambda, residual, report);
    if (!is_hasty && (is_last_chance() || !is_huge)) RunWalks(island, lambda, residual, report);
    if (!is_hasty && is_last_chance()) RunFromSweeps(island, lambda, residual, report);
  }
  if (!is_eliminated) SweepToTheEnd(island, lambda, residual, report);
  if (residual <= acceptance()) {
    report.status = SolveStatus::kConverged;
  } else if (island.is_over()) {
    report.status = std::max(report.status, SolveStatus::kMaxIterations);
  }
  report.iterations = report.newton_steps + report.sweeps + report.back_solves;
  return report;
}

void SolverAuto::RunEliminated(const Island& island, double* lambda, double& residual, SolveReport& report) {
  elimination_.Assign(island);
  const Island& rest = elimination_.rest();
  elimination_.Split(lambda, rest_lambda_);
  if (rest.num_rows() > 0) {
    delta_.resize(rest.num_dofs());
    rest.MapImpulses(rest_lambda_.data(), delta_.data());
    double rest_residual = rest.CalcResidual(rest_lambda_.data(), delta_.data());
    if (rest_residual > (Polishes(island) ? kPolishTolerance : tolerance()))
      RunStages(rest, rest_lambda_.data(), rest_residual, report);
    SweepToTheEnd(rest, rest_lambda_.data(), rest_residual, report);
  }
  joined_.resize(island.num_rows());
  elimination_.Join(rest_lambda_.data(), joined_.data());
  delta_.resize(island.num_dofs());
  island.MapImpulses(joined_.data(), delta_.data());
  const double joined_residual = island.CalcResidual(joined_.data(), delta_.data());
  if (Incumbent(lambda, island.num_rows(), residual).Offer(joined_.data(), joined_residual))
    residual = joined_residual;
}

void SolverAuto::RetryTogether(const Island& island, double* lambda, double& residual, SolveReport& report) {
  if (residual <= acceptance() || residual > kRoundingMiss * acceptance() || island.is_over()) return;
  report.stage = 3;
  joined_.assign(lambda, lambda + island.num_rows());
  double retried_residual = residual;
  report.Merge(RunRetry(island, joined_.data(), retried_residual));
  if (retried_residual > acceptance()) return;
  residual = retried_residual;
  std::copy(joined_.begin(), joined_.end(), lambda);
}

SolveReport SolverAuto::RunRetry(const Island& island, double* lambda, double& residual) {
  retry_.tolerance = tolerance();
  retry_.acceptance = kSlowEnd * tolerance();
  return method_.Run(island, retry_, effort(), lambda, residual);
}

bool SolverAuto::Polish(const Island& island, double* lambda, double& residual, SolveReport& report) {
  if (!Polishes(island) || residual > kNearlyRight) return false;
  PrimalDualOptions options = primal_dual_options_;
  options.epsilon = options.min_epsilon = kPolishEpsilon;
  options.tolerance = options.acceptance = kPolishTolerance;
  options.max_steps = std::min(options.max_steps, kMaxPolish);
  options.patience = kPolishPatience;
  report.stage = 2;
  report.Merge(primal_dual_.Run(island, options, lambda, residual));
  return residual <= acceptance();
}

double SolverAuto::FindSlide(const Island& island, const double* lambda) {
  delta_.resize(island.num_dofs());
  island.MapImpulses(lambda, delta_.data());
  double slide = 0.0;
  for (const IslandConstraint& c : island.constraints) {
    if (c.type != ConstraintType::kContact || lambda[c.row + 2] <= 0.0) continue;
    Vector3d g;
    island.ReadVelocity(c, delta_.data(), g.data());
    slide = std::max(slide, g.head<2>().norm());
  }
  return slide;
}

void SolverAuto::SpreadNew(const Island& island, double* lambda, double& residual, SolveReport& report) {
  if (residual > acceptance() || island.is_over()) return;
  const double slide = FindSlide(island, lambda);
  if (slide < kSlides) return;
  trial_.assign(island.num_rows(), 0.0);
  island.MapImpulses(trial_.data(), delta_.data());
  double now = island.CalcResidual(trial_.data(), delta_.data());
  CanalOptions options = canal_;
  options.tolerance = tolerance();
  options.acceptance = kSlowEnd * tolerance();
  report.Merge(method_.Run(island, options, effort(), trial_.data(), now));
  if (now > acceptance() || FindSlide(island, trial_.data()) > kLessMotion * slide) return;
  residual = now;
  std::copy(trial_.begin(), trial_.end(), lambda);
}

void SolverAuto::RunStages(const Island& island, double* lambda, double& residual, SolveReport& report) {
  if (Polish(island, lambda, residual, report)) return;
  const bool is_new =
      residual < kSlow && std::all_of(lambda, lambda + island.num_rows(), [](double x) { return x == 0.0; });
  sweep_.Prepare(island, true);
  const bool has_loops = &island == &elimination_.rest();
  const int sweeps =
      IsRobot(island) && !has_loops ? std::min(kRobotSweeps, options_.sweeps) : options_.sweeps;
  if (residual > FindNear(island)) RunSweeps(island, sweeps, lambda, residual, report);
  if (island.clock) island.clock->Reserve(kSweepTime);
  if (island.sparse != nullptr && residual > tolerance() && !island.is_over())
    RunAdmm(island, lambda, residual, report);
  if (residual > tolerance() && !island.is_over()) {
    report.stage = 2;
    RunPrimalDual(island, has_loops, lambda, residual, report);
  }
  if (may_be_left_ && residual > kSlowEnd * tolerance()) return;
  if (residual > kSlowEnd * tolerance() && !island.is_over()) RunCanal(island, lambda, residual, report);
  if (residual > acceptance() && !IsHuge(island) && !island.is_over()) {
    report.stage = 3;
    RunSweeps(island, options_.retry_sweeps, lambda, residual, report);
    if (!island.is_over()) report.Merge(RunRetry(island, lambda, residual));
  }
  if (is_new) SpreadNew(island, lambda, residual, report);
}

void SolverAuto::RunAdmm(const Island& island, double* lambda, double& residual, SolveReport& report) {
  report.stage = 2;
  admm_.set_tolerance(tolerance());
  trial_.assign(lambda, lambda + island.num_rows());
  report.Merge(admm_.Solve(island, trial_.data()));
  island.MapImpulses(trial_.data(), delta_.data());
  const double now = island.CalcResidual(trial_.data(), delta_.data());
  if (Incumbent(lambda, island.num_rows(), residual).Offer(trial_.data(), now)) residual = now;
}

void SolverAuto::RunPrimalDual(const Island& island, bool has_loops, double* lambda, double& residual,
                               SolveReport& report) {
  // The point where it arrives is in the middle of all answers: of rows that hold one another's balance the
  // impulses are large. They are no start for anything, and loops feel their rounding.
  const bool is_convex = !has_loops && MayEndInside(island);
  PrimalDualOptions options = primal_dual_options_;
  options.tolerance = tolerance();
  options.acceptance = kSlowEnd * tolerance();
  if (is_convex) options.patience = kConvexPatience;
  options.is_careful = !IsLarge(island);
  report.Merge(primal_dual_.Run(island, options, lambda, residual));
  if (is_convex && residual > options.acceptance && !island.is_over())
    report.Merge(interior_point_.Run(island, tolerance(), lambda, residual));
  if (!IsLarge(island) || residual <= options.acceptance || island.is_over()) return;
  DampedPrimalDualOptions damped = damped_options_;
  damped.tolerance = kSlowEnd * tolerance();
  damped.max_steps = std::min(damped.max_steps, island.num_constraints());
  if (may_be_left_) damped.max_steps = std::min(damped.max_steps, kStepsBeforeLeaving);
  damped.max_group =
      std::clamp(island.num_constraints() / kConstraintsPerMember, kLeastGroup, damped.max_group);
  report.Merge(primal_dual_.RunDamped(island, damped, lambda, residual));
}

void SolverAuto::RunWithoutSweeps(const Island& island, double* lambda, double& residual,
                                  SolveReport& report) {
  if (report.sweeps == 0 || island.is_over()) return;
  report.stage = 4;
  trial_ = warm_;
  delta_.resize(island.num_dofs());
  island.MapImpulses(trial_.data(), delta_.data());
  double now = island.CalcResidual(trial_.data(), delta_.data());
  RunPrimalDual(island, false, trial_.data(), now, report);
  if (Incumbent(lambda, island.num_rows(), residual).Offer(trial_.data(), now)) residual = now;
}

void SolverAuto::RunCanal(const Island& island, double* lambda, double& residual, SolveReport& report) {
  CanalOptions options = canal_;
  if (IsHuge(island)) {
    options = walk_;
    options.kappa = options.down = kFirstWalkRate;
    options.max_newton = canal_.max_newton;
  } else if (residual > kMoving) {
    options.c = std::min(options.c, kMovingPenalty);
  }
  options.tolerance = tolerance();
  options.acceptance = kSlowEnd * tolerance();
  report.Merge(method_.Run(island, options, effort(), lambda, residual));
}

void SolverAuto::SweepToTheEnd(const Island& island, double* lambda, double& residual, SolveReport& report) {
  if (!island.clock || !island.clock->Release() || residual <= acceptance()) return;
  RunSweeps(island, kUntilTime, lambda, residual, report);
}

double SolverAuto::CalcRounding(const Island& island, const double* lambda) {
  delta_.assign(island.num_dofs(), 0.0);
  const auto for_entries = [&](const auto& visit) {
    for (const IslandConstraint& c : island.constraints) {
      for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
        const IslandBlock& block = island.blocks[b];
        const double* value = island.Y.data() + block.first_value;
        for (int r = 0; r < c.dim(); ++r) {
          for (int k = 0; k < block.num_dofs; ++k)
            visit(c.row + r, island.block_dofs[block.first_dof + k], std::abs(*value++));
        }
      }
    }
  };
  for_entries([&](int row, int dof, double y) { delta_[dof] += y * std::abs(lambda[row]); });
  trial_.assign(island.num_rows(), 0.0);
  for_entries([&](int row, int dof, double y) { trial_[row] += y * delta_[dof]; });
  double largest = 0.0;
  for (int row = 0; row < island.num_rows(); ++row)
    largest = std::max(largest, trial_[row] + std::abs(island.g0[row]));
  return std::numeric_limits<double>::epsilon() * largest;
}

bool SolverAuto::MayEndInside(const Island& island) const {
  return !keeps_impulses_ && InteriorPoint::Solves(island);
}

bool SolverAuto::MayBeSolved(const Island& island, const double* lambda, double residual) {
  if (residual <= acceptance() || island.sparse != nullptr) return true;
  const double rounding = CalcRounding(island, lambda);
  return residual > rounding && rounding <= kHopeless * acceptance();
}

void SolverAuto::RunPath(const Island& island, double* lambda, double& residual, SolveReport& report) {
  if (residual <= acceptance() || !CentralPath::Solves(island) || island.is_over()) return;
  report.stage = 4;
  CentralPathOptions options;
  options.tolerance = tolerance();
  options.acceptance = acceptance();
  // They cost as much as a few Newton steps there, and find what 12000 of walks do not.
  options.max_factorizations = (IsLarge(island) ? 1 : 2) * options_.path_newton;
  trial_ = warm_;
  delta_.resize(island.num_dofs());
  island.MapImpulses(trial_.data(), delta_.data());
  double now = island.CalcResidual(trial_.data(), delta_.data());
  report.Merge(path_.Run(island, options, trial_.data(), now));
  if (Incumbent(lambda, island.num_rows(), residual).Offer(trial_.data(), now)) residual = now;
}

void SolverAuto::RunWalks(const Island& island, double* lambda, double& residual, SolveReport& report) {
  const double size = std::max(1.0, island.num_constraints() / kWalkConstraints);
  int left = static_cast<int>(options_.walk_newton * effort() * effort() / size);
  if (!is_last_chance()) left = std::min(left, IsLarge(island) ? kWalkLength : kShortWalk);
  walk_.tolerance = tolerance();
  walk_.acceptance = acceptance();
  for (const Walk& walk : kWalks) {
    if (residual <= acceptance() || left <= 0 || island.is_over()) return;
    report.stage = 4;
    if (walk.start == Walk::kBest) {
      trial_.assign(lambda, lambda + island.num_rows());
    } else if (walk.start == Walk::kWarm) {
      trial_ = warm_;
    } else {
      trial_.assign(island.num_rows(), 0.0);
    }
    delta_.resize(island.num_dofs());
    island.MapImpulses(trial_.data(), delta_.data());
    double now = island.CalcResidual(trial_.data(), delta_.data());
    walk_.kappa = walk_.down = walk.rate;
    walk_.max_newton = std::min(left, kWalkLength);
    const SolveReport walked = method_.Run(island, walk_, 1.0, trial_.data(), now);
    report.Merge(walked);
    left -= walked.newton_steps;
    if (Incumbent(lambda, island.num_rows(), residual).Offer(trial_.data(), now)) residual = now;
  }
}

void SolverAuto::RunFromSweeps(const Island& island, double* lambda, double& residual, SolveReport& report) {
  const double size = std::max(1.0, island.num_constraints() / kWalkConstraints);
  const int limit = static_cast<int>(options_.last_sweeps * effort() * effort() / size);
  CanalOptions robust = canal_;
  robust.tolerance = tolerance();
  robust.acceptance = kSlowEnd * tolerance();
  swept_ = warm_;
  for (int swept = 0; swept < limit; swept += kSweepsPerNewton) {
    if (residual <= acceptance() || island.is_over()) return;
    report.stage = 5;
    const int sweeps = std::min(kSweepsPerNewton, limit - swept);
    projected_.Relax(island, sweeps, swept_.data());
    report.sweeps += sweeps;
    trial_ = swept_;
    delta_.resize(island.num_dofs());
    island.MapImpulses(trial_.data(), delta_.data());
    double now = island.CalcResidual(trial_.data(), delta_.data());
    report.Merge(method_.Run(island, robust, 1.0, trial_.data(), now));
    if (Incumbent(lambda, island.num_rows(), residual).Offer(trial_.data(), now)) residual = now;
  }
}

}  // namespace stiction

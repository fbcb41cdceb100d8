#include "contact/solvers/primal_dual.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "contact/island_loops.h"
#include "contact/known_velocity.h"
#include "contact/sums.h"
#include "stiction/contact/incumbent.h"
#include "stiction/contact/laws.h"
#include "stiction/math/cone.h"

namespace stiction {
namespace {

constexpr std::size_t kSettled = 2;     // sets that change in a step, at most
constexpr double kMostFriction = 10.0;  // beyond, the residual is much larger than the merit
constexpr double kEpsilonFall = 30.0;   // without kinks, where a step gained little
constexpr double kEpsilonShare = 0.3;   // ε over what is left, once sets are settled [s/m]
constexpr double kLeastEpsilon = 1e-9;  // without kinks
constexpr double kBoldBelow = 1e-3;     // residual of the start of a bold first step [m/s]
constexpr double kBoldShare = 1e-3;     // ε of that step over it [s/m]
constexpr double kPatienceGain = 0.7;   // of the best merit: a step that gains less counts against patience
constexpr double kAcceptedGain = 0.3;   // of the best residual: less, once accepted, is not worth a step

}  // namespace

void PrimalDualNewton::Assign(const Island& island, int max_group) {
  const int rows = island.num_rows();
  hessian_.Assign(island);
  condensed_.Reserve(island, max_group);
  hessian_.ReserveCoupling(max_group);
  sets_.assign(island.num_constraints(), Set::kOpen);
  next_sets_.resize(island.num_constraints());
  error_.resize(island.num_constraints());
  for (auto* list : {&changed_, &changed_before_, &kept_.changed, &kept_.changed_before})
    list->clear(), list->reserve(island.num_constraints());
  group_.reserve(max_group);
  uses_kinks_ = false;
  for (const IslandConstraint& c : island.constraints) uses_kinks_ |= c.type == ConstraintType::kContact;
  for (const IslandConstraint& c : island.constraints) uses_kinks_ &= c.mu <= kMostFriction;
  for (auto* by_row : {&lambda_, &g_, &F_, &BF_, &lambda_step_}) by_row->assign(rows, 0.0);
  for (auto* by_dof : {&delta_, &delta_step_}) by_dof->assign(island.num_dofs(), 0.0);
  // Return swaps these with those.
  for (auto* by_row : {&kept_.lambda, &kept_.g}) by_row->reserve(rows);
  kept_.delta.reserve(island.num_dofs());
  kept_.sets.reserve(island.num_constraints());
}

void PrimalDualNewton::Begin(const Island& island, const double* lambda) {
  std::copy(lambda, lambda + island.num_rows(), lambda_.begin());
  island.MapImpulses(lambda_.data(), delta_.data());
  island.MapVelocities(delta_.data(), g_.data());
}

double PrimalDualNewton::CalcError(const IslandConstraint& c, double* F) const {
  const double* lambda = lambda_.data() + c.row;
  const double* g = g_.data() + c.row;
  const double beta = 1.0 / c.scale;
  if (c.type == ConstraintType::kContact) {
    const Vector3d x(lambda[0] - beta * g[0], lambda[1] - beta * g[1], lambda[2] - beta * g[2]);
    const Vector3d clamped = ClampCone(x, c.mu);
    for (int r = 0; r < 3; ++r) F[r] = clamped[r] - lambda[r];
    return c.scale * c.scale * (F[0] * F[0] + F[1] * F[1] + F[2] * F[2]);
  }
  *F = c.type == ConstraintType::kSoft ? -c.offset - c.damping * *g - *lambda
                                       : ClampImpulse(c, *lambda - beta * *g) - *lambda;
  return c.scale * c.scale * *F * *F;
}

double PrimalDualNewton::CalcMerit(const Island& island) {
  ForConstraints(island, [&](int i) {
    double F[3];
    error_[i] = CalcError(island.constraints[i], F);
  });
  return std::sqrt(std::accumulate(error_.begin(), error_.end(), 0.0));
}

PrimalDualNewton::Set PrimalDualNewton::LinearizeContact(const IslandConstraint& c, int index,
                                                         double epsilon) {
  const double beta = 1.0 / c.scale;
  const Eigen::Map<const Vector3d> lambda(lambda_.data() + c.row), g(g_.data() + c.row);
  Eigen::Map<Vector3d> BF(BF_.data() + c.row);
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> weight(hessian_.weight(index));
  const Vector3d x = lambda - beta * g;
  Vector3d F;
  error_[index] = CalcError(c, F.data());
  const double size = std::hypot(x[0], x[1]);
  if (!(x[2] > 0.0)) {
    BF = -lambda;
    return Set::kOpen;
  }
  if (size <= c.mu * x[2]) {
    BF = F / epsilon;
    weight = (beta / epsilon) * Matrix3d::Identity();
    return Set::kStick;
  }
  // In the axes c along x_t, s across it, and n.
  const double cx = x[0] / size, cy = x[1] / size;
  const double across = c.mu * x[2] / size;  // D_ss
  const double F_c = cx * F[0] + cy * F[1], F_s = cx * F[1] - cy * F[0];
  const double b_n = F[2] / epsilon, b_c = (F_c + c.mu * b_n) / (1.0 + epsilon);
  const double b_s = F_s / (1.0 - across + epsilon);
  BF = Vector3d(cx * b_c - cy * b_s, cy * b_c + cx * b_s, b_n);
  const double normal = beta / epsilon, side = beta * across / (1.0 - across + epsilon);
  weight << cy * cy * side, -cx * cy * side, c.mu * cx * normal,  //
      -cx * cy * side, cx * cx * side, c.mu * cy * normal,        //
      0.0, 0.0, normal;
  return Set::kSlide;
}

PrimalDualNewton::Set PrimalDualNewton::LinearizeRow(const IslandConstraint& c, int index, double epsilon) {
  const double lambda = lambda_[c.row], g = g_[c.row], beta = 1.0 / c.scale;
  double F;
  error_[index] = CalcError(c, &F);
  if (c.type == ConstraintType::kSoft) {
    BF_[c.row] = F;
    *hessian_.weight(index) = c.damping;
    return c.damping > 0.0 ? Set::kStick : Set::kOpen;
  }
  const double x = lambda - beta * g;
  const bool is_inside = c.lower < x && x < c.upper;
  BF_[c.row] = is_inside ? F / epsilon : F;
  *hessian_.weight(index) = beta / epsilon;
  return is_inside ? Set::kStick : Set::kOpen;
}

PrimalDualNewton::Set PrimalDualNewton::LinearizeConstraint(const IslandConstraint& c, int index,
                                                            double epsilon) {
  const Set set = c.type == ConstraintType::kContact ? LinearizeContact(c, index, epsilon)
                                                     : LinearizeRow(c, index, epsilon);
  hessian_.set_active(index, set != Set::kOpen);
  return set;
}

void PrimalDualNewton::Weigh(const Island& island, double epsilon) {
  ForConstraints(island, [&](int i) { LinearizeConstraint(island.constraints[i], i, epsilon); });
}

void PrimalDualNewton::Linearize(const Island& island, double epsilon) {
  changed_before_.swap(changed_);
  changed_.clear();
  ForConstraints(island,
                 [&](int i) { next_sets_[i] = LinearizeConstraint(island.constraints[i], i, epsilon); });
  merit_ = 0.0;
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (next_sets_[i] != sets_[i]) changed_.push_back(i);
    merit_ += error_[i];
  }
  sets_.swap(next_sets_);
  merit_ = std::sqrt(merit_);
}

void PrimalDualNewton::ChooseGroup(const Island& island, int max_group, bool has_before) {
  group_.clear();
  if (static_cast<int>(changed_.size()) > max_group) return;
  group_ = changed_;
  for (std::size_t k = 0; has_before && k < changed_before_.size(); ++k) {
    const int i = changed_before_[k];
    if (std::find(changed_.begin(), changed_.end(), i) != changed_.end()) continue;
    if (static_cast<int>(group_.size()) == max_group) {
      group_ = changed_;
      break;
    }
    group_.push_back(i);
  }
  const auto may_not = [&](int i) { return !CondensedGroup::MayContain(island.constraints[i]); };
  // Without friction, rows go round in circles where they contradict one another, and their impulses grow.
  const auto has_friction = [&](int i) { return island.constraints[i].type == ConstraintType::kContact; };
  if (std::any_of(group_.begin(), group_.end(), may_not) ||
      std::none_of(group_.begin(), group_.end(), has_friction))
    group_.clear();
}

void PrimalDualNewton::CalcImpulseStep(const Island& island, int i, double* step) {
  const IslandConstraint& c = island.constraints[i];
  const double* BF = BF_.data() + c.row;
  const double* weight = hessian_.weight(i);
  double change[3] = {0.0, 0.0, 0.0};
  if (hessian_.is_active(i)) island.ReadChange(c, delta_step_.data(), change);
  if (c.dim() == 1) {
    step[0] = BF[0] - weight[0] * change[0];
    return;
  }
  for (int r = 0; r < 3; ++r) {
    step[r] = BF[r];
    if (!hessian_.is_active(i)) continue;
    for (int s = 0; s < 3; ++s) step[r] -= weight[3 * r + s] * change[s];
  }
}

bool PrimalDualNewton::CalcStep(const Island& island) {
  for (const int i : group_) {
    const IslandConstraint& c = island.constraints[i];
    hessian_.set_active(i, false);
    std::fill_n(BF_.begin() + c.row, c.dim(), 0.0);
  }
  if (!hessian_.Factor(island, false)) return false;
  island.MapImpulses(BF_.data(), delta_step_.data());
  hessian_.Solve(delta_step_.data());
  if (!group_.empty()) {
    condensed_.Solve(island, hessian_, group_, lambda_.data(), delta_.data(), delta_step_.data(), BF_.data());
  }
  if (!std::isfinite(CalcNorm(delta_step_))) return false;
  ForConstraints(island,
                 [&](int i) { CalcImpulseStep(island, i, lambda_step_.data() + island.constraints[i].row); });
  return true;
}

void PrimalDualNewton::Go(const Island& island, double length) {
  for (std::size_t k = 0; k < lambda_.size(); ++k) lambda_[k] += length * lambda_step_[k];
  island.MapImpulses(lambda_.data(), delta_.data());
  island.MapVelocities(delta_.data(), g_.data());
}

double PrimalDualNewton::CalcFirstEpsilon(const PrimalDualOptions& options, double residual) const {
  if (!uses_kinks_ || residual > kBoldBelow) return options.epsilon;
  return std::clamp(kBoldShare * residual, options.min_epsilon, options.epsilon);
}

SolveReport PrimalDualNewton::Run(const Island& island, const PrimalDualOptions& options, double* lambda,
                                  double& residual) {
  SolveReport report;
  Assign(island, options.max_group);
  Begin(island, lambda);
  Incumbent best(lambda, island.num_rows(), residual);
  report.status = SolveStatus::kMaxIterations;
  const double first_epsilon = CalcFirstEpsilon(options, residual);
  double epsilon = first_epsilon, best_merit = std::numeric_limits<double>::infinity();
  double last_merit = best_merit, now = residual;
  int without_gain = 0;
  while (report.newton_steps < options.max_steps && !island.is_over()) {
    Linearize(island, epsilon);
    const bool was_bold = report.newton_steps == 1 && first_epsilon < options.epsilon;
    if (was_bold && merit_ > kStallGain * last_merit) {
      Begin(island, lambda);
      Linearize(island, epsilon = options.epsilon);
    }
    const bool stalls = changed_.empty() && merit_ > kStallGain * last_merit;
    const bool is_settled = uses_kinks_ && changed_.size() <= kSettled;
    double smaller = epsilon;
    if (stalls) smaller = uses_kinks_ ? std::min(epsilon, kKinkEpsilon) : epsilon / kEpsilonFall;
    if (is_settled) smaller = std::min(smaller, kEpsilonShare * std::max(merit_, now));
    smaller = std::max(smaller, uses_kinks_ ? options.min_epsilon : kLeastEpsilon);
    if (smaller < epsilon) Weigh(island, epsilon = smaller);
    const bool gains = merit_ <= kPatienceGain * best_merit;
    without_gain = gains ? 0 : without_gain + 1;
    best_merit = std::min(best_merit, merit_);
    last_merit = merit_;
    group_.clear();
    if (!gains) ChooseGroup(island, options.max_group, report.newton_steps > 1);
    if (without_gain > options.patience || !CalcStep(island)) break;
    is_settled && (stalls || options.is_careful) ? GoToKink(island) : Go(island, 1.0);
    ++report.newton_steps;
    island.Tick();
    const double before = best.residual();
    now = CalcResidualOfVelocity(island, lambda_.data(), g_.data());
    if (best.EndsWith(lambda_.data(), now, options.tolerance, report)) break;
    if (best.residual() <= options.acceptance && best.residual() > kAcceptedGain * before) {
      report.status = SolveStatus::kConverged;
      break;
    }
  }
  residual = best.residual();
  report.factorizations = report.newton_steps;
  return report;
}

}  // namespace stiction

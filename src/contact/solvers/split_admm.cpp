#include "contact/solvers/split_admm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/contact/incumbent.h"
#include "stiction/contact/island.h"
#include "stiction/contact/laws.h"

namespace stiction {
namespace {

constexpr double kMinChange = 0.1, kMaxChange = 10.0;  // of the penalty at once
constexpr double kRange = 1e4;  // of the penalty in all: beyond, impulses of infeasible problems overflow

constexpr double kInside = 1.0 - 1e-9;  // of a cone's radius

SplitMode FindMode(const IslandConstraint& c, const double* lambda) {
  using enum SplitMode;
  if (c.type == ConstraintType::kContact) {
    const double n = lambda[2], limit = kInside * c.mu * n;
    if (!(n > 0.0)) return kOpen;
    return lambda[0] * lambda[0] + lambda[1] * lambda[1] < limit * limit ? kHeld : kAtLimit;
  }
  if (c.type == ConstraintType::kSoft) return kHeld;
  return *lambda <= c.lower ? kOpen : *lambda >= c.upper ? kAtLimit : kHeld;
}

using Lanes = SlotRows::Lanes;
using LanesMap = Eigen::Map<Lanes>;

// Σ ‖x − y‖² times a factor, four lanes per vector and one factor.
double SumDistances(const std::vector<double>& x, const std::vector<double>& y,
                    const std::vector<double>& factor) {
  double sum = 0.0;
  for (std::size_t k = 0; k < factor.size(); ++k) {
    const Lanes difference = Eigen::Map<const Lanes>(&x[4 * k]) - Eigen::Map<const Lanes>(&y[4 * k]);
    sum += factor[k] * difference.square().sum();
  }
  return sum;
}

// ClampCone without leaving the lanes, which would cost a sixth of an iteration.
Lanes ClampLanes(const Lanes& x, double mu) {
  const double n = x[2];
  if (!(n > 0.0)) return Lanes::Zero();
  const double limit = mu * n, t2 = x[0] * x[0] + x[1] * x[1];
  if (t2 <= limit * limit) return x;
  const double s = limit / std::sqrt(t2);
  return x * Lanes(s, s, 1.0, 0.0);
}

}  // namespace

std::vector<SolverOption> SolverSplitAdmm::ListOwnOptions() {
  SplitAdmmOptions& o = options_;
  return {{"beta", o.beta, 1e-9, 1e9, "initial penalty over the effective mass per contact"},
          {"spread", o.spread, 0, 1,
           "penalties of slots go by this power of their effective masses; 0: one for all"},
          {"relaxation", o.relaxation, 0.1, 1.99, "over-relaxation of J u against z; 1: none"},
          {"adapt_interval", o.adapt_interval, 0, 1'000'000'000, "iterations between changes of the penalty"},
          {"adapt_ratio", o.adapt_ratio, 1, 1e9, "imbalance that changes the penalty"},
          {"max_iterations", o.max_iterations, 1, 1'000'000'000, "iterations before giving up"},
          {"check_interval", o.check_interval, 1, 1'000'000'000, "iterations between residuals"},
          {"anderson", o.anderson, 0, AndersonMixing::kMostColumns,
           "differences that Anderson mixing keeps; 0: no mixing"},
          {"anderson_start", o.anderson_start, 0, 1'000'000'000,
           "iterations after which mixing begins where contacts have not settled before"},
          {"matrix",
           o.matrix,
           {"trees", "entries", "full"},
           "admm_nosub factors blocks of trees, or entries by Eigen's sparse Cholesky, or a full matrix"}};
}

// z = J_s u of the velocity that the warm start's impulses give.
bool SolverSplitAdmm::Start(const Island& island, double beta, const double* lambda) {
  lambda_.assign(lambda, lambda + island.num_rows());
  l_.assign(4 * island.constraints.size(), 0.0);
  for (const int i : row_constraints_) {
    const IslandConstraint& c = island.constraints[i];
    std::copy_n(lambda + c.row, c.dim(), l_.data() + 4 * i);
  }
  contacts_.Start(lambda);
  AssembleImpulses();
  if (std::all_of(lambda_.begin(), lambda_.end(), [](double value) { return value == 0.0; })) return true;
  if (!Factor(island, 0.0)) return false;
  u_ = impulse_;
  SolveFactored(u_.data());
  for (const int i : row_constraints_) {
    for (int s = first_slot_[i]; s < first_slot_[i + 1]; ++s)
      LanesMap(z_.data() + 4 * s) = beta / inverse_weight_[s] * rows_.Multiply(s, u_.data());
  }
  if (!contacts_.is_empty()) {
    bodies_.CalcTwists(u_.data());
    contacts_.SetVelocities(beta, bodies_);
  }
  AssembleImpulses();
  return true;
}

void SolverSplitAdmm::AssembleImpulses() {
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  for (const int i : row_constraints_) {
    for (int s = first_slot_[i]; s < first_slot_[i + 1]; ++s)
      rows_.AddTransposed(s, LanesMap(z_.data() + 4 * s) + LanesMap(l_.data() + 4 * i), impulse_.data());
  }
  if (contacts_.is_empty()) return;
  contacts_.AddImpulses(bodies_);
  bodies_.TakeWrenches(impulse_.data());
}

void SolverSplitAdmm::ReadImpulses(const Island& island) {
  for (const int i : row_constraints_) {
    const IslandConstraint& c = island.constraints[i];
    std::copy_n(l_.data() + 4 * i, c.dim(), lambda_.data() + c.row);
  }
  contacts_.Read(lambda_.data());
}

// u, from the right-hand side that the last iteration has gathered.
void SolverSplitAdmm::SolveVelocity(bool is_measured) {
  if (is_measured) l_old_ = l_, z_old_ = z_;
  std::swap(u_, impulse_);
  SolveFactored(u_.data());
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
}

// (A + β Σ JᵀJ) u = Σ Jᵀ (β z + λ), then a pass over the constraints, which gathers the next right-hand
// side on its way: y = β (α J u + (1 − α) z) − λ; λ by its law from Y = Σ y; β z = y + λ.
void SolverSplitAdmm::Iterate(const Island& island, double beta, bool is_measured) {
  SolveVelocity(is_measured);
  for (const int i : row_constraints_) {
    CalcStates(i, beta);
    TakeStates(island.constraints[i], i, beta);
  }
  SplitChange change;
  if (!contacts_.is_empty()) {
    bodies_.CalcTwists(u_.data());
    if (is_measured) {
      change = contacts_.IterateMeasured(beta, options_.relaxation, bodies_);
    } else {
      contacts_.Iterate(beta, options_.relaxation, bodies_);
    }
    bodies_.TakeWrenches(impulse_.data());
  }
  if (is_measured) MeasureChanges(change);
}

int SolverSplitAdmm::CountChanges(const Island& island) {
  int count = 0;
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    const SplitMode mode = FindMode(c, lambda_.data() + c.row);
    count += mode != modes_[i];
    modes_[i] = mode;
  }
  return count;
}

void SolverSplitAdmm::StartMixing() {
  if (is_mixing_ || options_.anderson == 0) return;
  is_mixing_ = true;
  mixing_.Assign(static_cast<int>(state_.size()), options_.anderson);
  has_state_ = false;
}

void SolverSplitAdmm::IterateMixed(const Island& island, double beta, bool is_measured) {
  SolveVelocity(is_measured);
  for (const int i : row_constraints_) CalcStates(i, beta);
  if (!contacts_.is_empty()) {
    bodies_.CalcTwists(u_.data());
    contacts_.CalcStates(beta, options_.relaxation, bodies_, image_.data());
  }
  double* rows = image_.data() + contacts_.num_states();
  for (const int i : row_constraints_) {
    for (int s = first_slot_[i]; s < first_slot_[i + 1]; ++s, rows += 4)
      LanesMap{rows} = std::sqrt(inverse_weight_[s]) * LanesMap(y_.data() + 4 * s);
  }
  if (has_state_) mixing_.Mix(state_, image_);
  has_state_ = true;
  std::swap(state_, image_);
  rows = state_.data() + contacts_.num_states();
  for (const int i : row_constraints_) {
    for (int s = first_slot_[i]; s < first_slot_[i + 1]; ++s, rows += 4)
      LanesMap(y_.data() + 4 * s) = LanesMap(rows) / std::sqrt(inverse_weight_[s]);
    TakeStates(island.constraints[i], i, beta);
  }
  SplitChange change;
  if (!contacts_.is_empty()) {
    if (is_measured) {
      change = contacts_.TakeStatesMeasured(beta, state_.data(), bodies_);
    } else {
      contacts_.TakeStates(beta, state_.data(), bodies_);
    }
    bodies_.TakeWrenches(impulse_.data());
  }
  if (is_measured) MeasureChanges(change);
}

// Of the last iteration, the contacts on bodies and all others.
void SolverSplitAdmm::MeasureChanges(const SplitChange& contacts) {
  impulse_change_ = std::sqrt(contacts.impulse + SumDistances(l_, l_old_, count_));
  z_change_ = std::sqrt(contacts.z + SumDistances(z_, z_old_, inverse_weight_));
}

void SolverSplitAdmm::CalcStates(int index, double beta) {
  const LanesMap l(l_.data() + 4 * index);
  const double relaxation = options_.relaxation;
  for (int s = first_slot_[index]; s < first_slot_[index + 1]; ++s) {
    const double scale = relaxation * beta / inverse_weight_[s];
    LanesMap(y_.data() + 4 * s) =
        scale * rows_.Multiply(s, u_.data()) + (1.0 - relaxation) * LanesMap(z_.data() + 4 * s) - l;
  }
}

void SolverSplitAdmm::TakeStates(const IslandConstraint& c, int index, double beta) {
  const int first = first_slot_[index], end = first_slot_[index + 1];
  if (first == end) return;
  LanesMap l(l_.data() + 4 * index);
  const LanesMap g0(g0_.data() + 4 * index);
  const double inverse_count = inverse_count_[index];
  Lanes Y = Lanes::Zero();
  for (int s = first; s < end; ++s) Y += inverse_weight_[s] * LanesMap(y_.data() + 4 * s);
  if (c.type == ConstraintType::kContact) {
    l = ClampLanes(-inverse_count * (Y + beta * g0), c.mu);
  } else if (c.type == ConstraintType::kSoft) {
    l[0] = -(c.damping * Y[0] + beta * (c.offset + c.damping * g0[0])) / (c.damping * count_[index] + beta);
  } else {
    l[0] = ClampImpulse(c, -inverse_count * (Y[0] + beta * g0[0]));
  }
  for (int s = first; s < end; ++s) {
    const Lanes z = LanesMap(y_.data() + 4 * s) + l;
    LanesMap(z_.data() + 4 * s) = z;
    rows_.AddTransposed(s, z + l, impulse_.data());
  }
}

// Whether the penalty has to change, and to what.
bool SolverSplitAdmm::AdaptPenalty(double& beta) const {
  const double primal = impulse_change_, dual = z_change_;
  const double ratio = options_.adapt_ratio;
  if (!(primal > ratio * dual) && !(dual > ratio * primal)) return false;
  const double change = std::sqrt(primal / dual);
  if (std::isnan(change)) return false;
  const double before = beta;
  beta = std::clamp(beta * std::clamp(change, kMinChange, kMaxChange), beta0_ / kRange, beta0_ * kRange);
  return beta != before;
}

SolveReport SolverSplitAdmm::Solve(const Island& island, double* lambda) {
  SolveReport report;
  held_velocity_.clear();
  delta_.resize(island.num_dofs());
  island.MapImpulses(lambda, delta_.data());
  Incumbent best(lambda, island.num_rows(), island.CalcResidual(lambda, delta_.data()));
  if (best.residual() <= tolerance()) return report;
  Prepare(island);
  double beta = beta0_ = options_.beta * mass_per_contact_;
  report.status = SolveStatus::kNonFinite;
  if (!Start(island, beta, lambda) || !Factor(island, beta)) return report;
  report.factorizations = 1;
  report.status = SolveStatus::kMaxIterations;
  const int limit = Scaled(options_.max_iterations);
  const int interval = options_.check_interval;
  const int adapt_interval = options_.adapt_interval;
  int next_restart = 1;
  for (int iteration = 1; iteration <= limit; ++iteration) {
    const bool is_measured = iteration % interval == 0 || iteration == limit;
    const bool may_adapt = adapt_interval > 0 && iteration % adapt_interval == 0 && 2 * iteration <= limit;
    if (iteration > options_.anderson_start) StartMixing();
    if (is_mixing_) {
      IterateMixed(island, beta, is_measured || may_adapt);
    } else {
      Iterate(island, beta, is_measured || may_adapt);
    }
    const bool is_over = island.Tick();
    report.iterations = iteration;
    if (is_measured || is_over) {
      ReadImpulses(island);
      island.MapImpulses(lambda_.data(), delta_.data());
      const double residual = island.CalcResidual(lambda_.data(), delta_.data());
      if (is_measured && CountChanges(island) == 0) StartMixing();
      // Their number has doubled: what was best, and the warm start, does not count any more.
      if (is_measured && iteration >= next_restart) {
        best = Incumbent(lambda, island.num_rows(), std::numeric_limits<double>::infinity());
        next_restart = 2 * iteration;
      }
      const bool is_end = best.EndsWith(lambda_.data(), residual, tolerance(), report);
      if (best.has_improved()) held_velocity_.assign(u_.begin(), u_.begin() + island.num_dofs());
      if (is_end) break;
      if (is_measured && impulse_change_ == 0.0 && z_change_ == 0.0) {
        report.status = SolveStatus::kStalled;
        break;
      }
    }
    if (is_over) break;
    const double before = beta;
    if (may_adapt && AdaptPenalty(beta)) {
      for (double& z : z_) z *= beta / before;
      contacts_.ScaleVelocities(beta / before);
      AssembleImpulses();
      is_mixing_ = false;
      if (!Factor(island, beta)) {
        report.status = SolveStatus::kNonFinite;
        break;
      }
      ++report.factorizations;
    }
  }
  return report;
}

}  // namespace stiction

#include "contact/solvers/proximal_admm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/sums.h"
#include "stiction/contact/incumbent.h"
#include "stiction/contact/laws.h"
#include "stiction/math/cone.h"

namespace stiction {
namespace {

constexpr int kPowerIterations = 20;    // L within a few per cent; ρ and η need its order only
constexpr double kRelativeEta = 1e-13;  // of L
constexpr double kSmallestRho = 1e-4;   // of √(Lη)
constexpr double kGrowth = 1e3;         // of the residual over the best: divergence
constexpr double kBlowUp = 1e8;         // the same after the restart: nothing is left to try
constexpr int kSlowWindow = 1000;       // iterations that should do better than this:
constexpr double kSlowDrop = 0.5;       // of the residual
constexpr int kMixingWindow = 500;      // after the first, each has to halve the residual for mixing to go on
constexpr double kRaise = 10.0;         // of the penalty where they do not
constexpr double kAtRest = 1e-14;       // relative change of y at which it has come to rest
constexpr double kBoundary = 1e-6;      // a warm start this close to the cone's boundary slides
constexpr int kStallCount = 5;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallestWeight = 1e-10;  // of the largest: rows that reach (almost) nothing

// Closest point to v of the shifted velocities that may stand beside the impulse `lambda` of the cone: of K*
// at the tip, of the normal ray on the boundary, and zero inside.
Vector3d ProjectOnComplement(const Vector3d& v, const Vector3d& lambda, double mu) {
  if (!(lambda[2] > 0.0)) return v + ProjectCone(-v, mu);  // Moreau: P_K*(v) = v + P_K(−v)
  const double t = std::sqrt(lambda[0] * lambda[0] + lambda[1] * lambda[1]);
  if (t < (1.0 - kBoundary) * mu * lambda[2]) return Vector3d::Zero();
  if (!(t > 0.0)) return {v[0], v[1], 0.0};  // μ = 0: the cone is a ray
  const Vector3d ray(-lambda[0] / t, -lambda[1] / t, mu);
  return std::max(0.0, ray.dot(v) / (1.0 + mu * mu)) * ray;
}

}  // namespace

void ProximalAdmm::Start(const Island& island, const ProximalAdmmOptions& options, bool is_convex,
                         const double* lambda) {
  options_ = options;
  is_convex_ = is_convex;
  const int rows = island.num_rows();
  x_.assign(lambda, lambda + rows);
  y_ = x_;
  z_.assign(rows, 0.0);
  s_.assign(rows, 0.0);
  x_change_.assign(rows, 0.0);
  g_.assign(rows, 0.0);
  delta_.assign(island.num_dofs(), 0.0);
  SetWeights(island);
  CalcLargestEigenvalue(island);
  eta_ = std::max(options_.eta, kRelativeEta * L_);
  state_ = {};
  SetPenalty(island);
  is_factored_ = false;
  iterations_ = factorizations_ = 0;
  matrix_.Assign(island);
  mixing_state_.assign(rows, 0.0);
  mixing_image_.assign(rows, 0.0);
  mixing_.Assign(rows, options_.anderson);

  // y in the cones; z from the velocity at a warm start.
  const bool is_warm = CalcNorm(x_) > 0.0;
  if (is_warm) {
    island.MapImpulses(x_.data(), delta_.data());
    island.MapVelocities(delta_.data(), g_.data());
  }
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    if (!has_penalty_[i]) continue;
    double* y = y_.data() + c.row;
    double* z = z_.data() + c.row;
    if (c.type == ConstraintType::kContact) {
      const Vector3d in_cone = ProjectCone(Vector3d(y[0], y[1], y[2]), c.mu);
      Vector3d v(g_[c.row], g_[c.row + 1], g_[c.row + 2]);
      if (!is_convex_) v[2] += c.mu * std::sqrt(v[0] * v[0] + v[1] * v[1]);
      const Vector3d complement = ProjectOnComplement(v, in_cone, c.mu);
      for (int r = 0; r < 3; ++r) y[r] = in_cone[r], z[r] = is_warm ? complement[r] : 0.0;
    } else {
      y[0] = ClampImpulse(c, y[0]);
      if (!is_warm) continue;
      if (y[0] <= c.lower) z[0] = std::max(0.0, g_[c.row]);
      if (y[0] >= c.upper) z[0] = std::min(0.0, g_[c.row]);
    }
  }
}

void ProximalAdmm::SetWeights(const Island& island) {
  const int count = island.num_constraints();
  weight_.assign(count, 1.0);
  has_penalty_.assign(count, 1);
  u_.assign(count, 0.0);
  double largest = 0.0;
  for (int i = 0; i < count; ++i) {
    const IslandConstraint& c = island.constraints[i];
    has_penalty_[i] = c.type != ConstraintType::kSoft &&
                      (c.type != ConstraintType::kBilateral || options_.penalty_on_bilateral);
    if (!options_.precondition) continue;
    const double* W = island.W_diagonal.data() + island.diagonal_begin[i];
    weight_[i] = c.dim() == 3 ? std::max({W[0], W[4], W[8]}) : W[0];
    largest = std::max(largest, weight_[i]);
  }
  if (!options_.precondition) return;
  for (double& weight : weight_) {
    if (!(weight >= kSmallestWeight * largest)) weight = largest;
    if (!(weight > 0.0)) weight = 1.0;
  }
}

// Power iteration on m^{-1/2} W m^{-1/2}, W = Y Yᵀ, from a start that is deterministic and has no symmetry.
void ProximalAdmm::CalcLargestEigenvalue(const Island& island) {
  for (int r = 0; r < island.num_rows(); ++r) s_[r] = 1.0 + 0.5 * std::sin(1.0 + 2.0 * r);
  L_ = 0.0;
  for (int k = 0; k < kPowerIterations; ++k) {
    const double norm = CalcNorm(s_);
    if (!(norm > 0.0)) break;
    for (double& value : s_) value /= norm;
    g_ = s_;
    for (int i = 0; i < island.num_constraints(); ++i) {
      const IslandConstraint& c = island.constraints[i];
      for (int r = c.row; r < c.row + c.dim(); ++r) g_[r] /= std::sqrt(weight_[i]);
    }
    island.MapImpulses(g_.data(), delta_.data());
    island.Multiply(delta_.data(), g_.data());
    for (int i = 0; i < island.num_constraints(); ++i) {
      const IslandConstraint& c = island.constraints[i];
      for (int r = c.row; r < c.row + c.dim(); ++r) s_[r] = g_[r] / std::sqrt(weight_[i]);
    }
    L_ = CalcNorm(s_);
  }
  std::fill(s_.begin(), s_.end(), 0.0);
  std::fill(delta_.begin(), delta_.end(), 0.0);
}

double ProximalAdmm::ClampPenalty(double rho) const {
  const double low = kSmallestRho * std::sqrt(L_ * eta_);
  return std::min(std::max(rho, low), std::max(L_, low));
}

void ProximalAdmm::SetPenalty(const Island& island) {
  const PenaltyPolicy policy = options_.penalty;
  state_.rho = options_.rho;
  if (policy == PenaltyPolicy::kFixed || !(L_ > 0.0)) return;
  if (policy == PenaltyPolicy::kSpectral) {
    state_.rho = std::sqrt(L_ * eta_) * std::pow(L_ / eta_, options_.spectral_start);
  }
  if (island.warm_penalty > 0.0) state_.rho = island.warm_penalty;
  state_.rho = ClampPenalty(state_.rho);
}

bool ProximalAdmm::Factor(const Island& island) {
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    u_[i] = c.type == ConstraintType::kSoft ? c.damping : 1.0 / (RowProximal(i) + RowPenalty(i));
    double* S = matrix_.weight(i);
    S[0] = S[4] = S[8] = u_[i];
    matrix_.set_active(i, u_[i] > 0.0);
  }
  ++factorizations_;
  is_factored_ = matrix_.Factor(island, true);
  return is_factored_;
}

// x, its change, and s.
void ProximalAdmm::StepDynamics(const Island& island) {
  island.MapImpulses(x_.data(), delta_.data());
  island.MapVelocities(delta_.data(), g_.data());
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    double* change = x_change_.data() + c.row;
    const double* z = z_.data() + c.row;
    if (c.type == ConstraintType::kSoft) {
      change[0] = -c.offset - c.damping * g_[c.row] - x_[c.row];
    } else {
      if (c.type == ConstraintType::kContact && !is_convex_) {
        s_[c.row + 2] = c.mu * std::sqrt(z[0] * z[0] + z[1] * z[1]);
      }
      for (int r = 0; r < c.dim(); ++r) {
        const int k = c.row + r;
        change[r] = -u_[i] * (g_[k] + s_[k] + RowPenalty(i) * (x_[k] - y_[k]) - z[r]);
      }
    }
  }
  matrix_.SolveRows(island, x_change_.data(), delta_.data(), g_.data());
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    for (int r = 0; r < c.dim(); ++r) {
      const int k = c.row + r;
      x_change_[k] -= u_[i] * g_[k];
      x_[k] += x_change_[k];
    }
  }
}

// y, z and both residuals.
void ProximalAdmm::StepCones(const Island& island) {
  primal_ = dual_ = 0.0;
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    const double* x = x_.data() + c.row;
    double* y = y_.data() + c.row;
    double* z = z_.data() + c.row;
    const double rho = RowPenalty(i), eta = RowProximal(i), root = std::sqrt(weight_[i]);
    if (!has_penalty_[i]) {
      if (c.type != ConstraintType::kSoft) dual_ = std::max(dual_, std::abs(eta * x_change_[c.row]) / root);
      y[0] = x[0];
      continue;
    }
    double next[3];
    for (int r = 0; r < c.dim(); ++r) next[r] = x[r] - z[r] / rho;
    if (c.type == ConstraintType::kContact) {
      const Vector3d projected = ProjectCone(Vector3d(next[0], next[1], next[2]), c.mu);
      for (int r = 0; r < 3; ++r) next[r] = projected[r];
    } else {
      next[0] = ClampImpulse(c, next[0]);
    }
    for (int r = 0; r < c.dim(); ++r) {
      const double dual = eta * x_change_[c.row + r] + rho * (next[r] - y[r]);
      dual_ = std::max(dual_, std::abs(dual) / root);
      y[r] = next[r];
      z[r] -= rho * (x[r] - y[r]);
      primal_ = std::max(primal_, std::abs(x[r] - y[r]) * root);
    }
  }
}

void ProximalAdmm::UpdatePenalty() {
  const PenaltyPolicy policy = options_.penalty;
  if (policy == PenaltyPolicy::kFixed || state_.is_frozen || !(L_ > 0.0)) return;
  if (iterations_ == 0 || iterations_ % options_.update_every != 0) return;
  const double factor = policy == PenaltyPolicy::kLinear ? options_.linear_factor
                                                         : std::pow(L_ / eta_, options_.spectral_exponent);
  double rho = state_.rho;
  if (primal_ > options_.alpha * dual_) rho *= factor;
  if (dual_ > options_.alpha * primal_) rho /= factor;
  rho = ClampPenalty(rho);
  if (rho == state_.rho) return;
  state_.rho = rho;
  is_factored_ = false;
  if (++state_.updates >= options_.max_updates) state_.is_frozen = true;
}

// √m (y − z/ρ), of which both are functions: y its projection, z what that takes away.
void ProximalAdmm::TakeState(const Island& island) {
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    const double root = std::sqrt(weight_[i]), rho = RowPenalty(i);
    for (int r = c.row; r < c.row + c.dim(); ++r)
      mixing_state_[r] = root * (has_penalty_[i] ? y_[r] - z_[r] / rho : x_[r]);
  }
}

// The state to go on from, in place of where the last iteration ended.
void ProximalAdmm::Mix(const Island& island) {
  mixing_image_.swap(mixing_state_);
  TakeState(island);
  mixing_image_.swap(mixing_state_);
  mixing_.Mix(mixing_state_, mixing_image_);
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    const double root = std::sqrt(weight_[i]), rho = RowPenalty(i);
    double next[3];
    for (int r = 0; r < c.dim(); ++r) next[r] = mixing_image_[c.row + r] / root;
    double* y = y_.data() + c.row;
    if (!has_penalty_[i]) {
      x_[c.row] = y[0] = next[0];
      continue;
    }
    if (c.type == ConstraintType::kContact) {
      Eigen::Map<Vector3d>{y} = ProjectCone(Vector3d(next[0], next[1], next[2]), c.mu);
    } else {
      y[0] = ClampImpulse(c, next[0]);
    }
    for (int r = 0; r < c.dim(); ++r) z_[c.row + r] = -rho * (next[r] - y[r]);
  }
}

bool ProximalAdmm::Iterate(const Island& island) {
  UpdatePenalty();
  if (!is_factored_) {
    mixing_.Forget();
    if (!Factor(island)) return false;
  } else if (options_.anderson > 0 && iterations_ > 0) {
    Mix(island);
  }
  if (options_.anderson > 0) TakeState(island);
  StepDynamics(island);
  StepCones(island);
  ++iterations_;
  return true;
}

void ProximalAdmm::Keep() {
  kept_x_ = x_;
  kept_y_ = y_;
  kept_z_ = z_;
  kept_rho_ = state_.rho;
}

void ProximalAdmm::Restore() {
  x_ = kept_x_;
  y_ = kept_y_;
  z_ = kept_z_;
  state_.rho = kept_rho_;
  state_.is_frozen = true;
  is_factored_ = false;
}

bool ProximalAdmm::ScalePenalty(double factor) {
  if (options_.penalty == PenaltyPolicy::kFixed) return false;
  const double rho = ClampPenalty(factor * state_.rho);
  state_.is_frozen = true;
  if (rho == state_.rho) return false;
  state_.rho = rho;
  is_factored_ = false;
  return true;
}

std::vector<SolverOption> SolverProximalAdmm::ListOwnOptions() {
  ProximalAdmmOptions& o = options_;
  return {{"max_iterations", o.max_iterations, 1, 1'000'000'000, "iterations before giving up"},
          {"penalty", o.penalty, {"fixed", "linear", "spectral"}, "how the penalty changes"},
          {"rho", o.rho, 1e-12, 1e12, "penalty if fixed, its start if linear"},
          {"eta", o.eta, 1e-12, 1e6, "proximal term"},
          {"alpha", o.alpha, 1, 1e6, "ratio of the residuals that changes the penalty"},
          {"linear_factor", o.linear_factor, 1, 1e3, "change of a linear penalty"},
          {"spectral_start", o.spectral_start, -0.5, 0.5, "power of κ in the first spectral penalty"},
          {"spectral_exponent", o.spectral_exponent, 0, 1, "power of κ by which it changes"},
          {"update_every", o.update_every, 1, 1'000'000, "iterations between changes of the penalty"},
          {"max_updates", o.max_updates, 0, 1'000'000, "changes of the penalty in all"},
          {"precondition", o.precondition, "penalties in units of the diagonal of W"},
          {"penalty_on_bilateral", o.penalty_on_bilateral, "on bilateral rows too"},
          {"anderson", o.anderson, 0, AndersonMixing::kMostColumns,
           "differences that Anderson mixing keeps; 0: no mixing"}};
}

double SolverProximalAdmm::CalcResidual(const Island& island, const double* lambda) {
  island.MapImpulses(lambda, delta_.data());
  return island.CalcOwnResidual(law(), lambda, delta_.data());
}

// Opposing constraints: over each of three doublings of the iterations the impulses grow in proportion, the
// residual stays, and next to none of the growth moves anything.
bool SolverProximalAdmm::IsInfeasible(const Island& island, double residual) {
  const std::vector<double>& y = method_.y();
  double growth = 0.0, moved = 0.0;
  for (const IslandConstraint& c : island.constraints) {
    for (int r = c.row; r < c.row + c.dim(); ++r) {
      past_y_[r] = y[r] - past_y_[r];
      growth += c.scale * past_y_[r] * past_y_[r];
    }
  }
  island.MapImpulses(past_y_.data(), delta_.data());
  for (double value : delta_) moved += value * value;
  const double norm = CalcNorm(y);
  const bool is_sign = norm > 1.5 * past_norm_ && residual > 0.9 * past_residual_ && moved < 1e-4 * growth;
  signs_ = is_sign ? signs_ + 1 : 0;
  past_y_ = y;
  past_norm_ = norm;
  past_residual_ = residual;
  return signs_ >= 3;
}

// Five times without a change of y, nor of z, which x ≠ y would move.
bool SolverProximalAdmm::IsAtRest() {
  const std::vector<double>&x = method_.x(), &y = method_.y();
  double change = 0.0, size = 0.0;
  for (std::size_t r = 0; r < y.size(); ++r) {
    change = std::max({change, std::abs(y[r] - last_y_[r]), std::abs(x[r] - y[r])});
    size = std::max(size, std::abs(y[r]));
  }
  last_y_ = y;
  rests_ = change <= kAtRest * size ? rests_ + 1 : 0;
  return rests_ >= kStallCount;
}

// After a window in which the residual fell by that factor.
void SolverProximalAdmm::SearchPenalty(double rate) {
  if (!(rate > kSlowDrop)) return;
  if (rate > slow_rate_) raise_ = 1.0 / raise_;
  slow_rate_ = rate;
  if (!method_.ScalePenalty(raise_)) raise_ = 1.0 / raise_;
}

// From where the solve began.
void SolverProximalAdmm::StartWithoutMixing(const Island& island) {
  ProximalAdmmOptions options = options_;
  options.anderson = 0;
  method_.Start(island, options, law().is_convex, start_.data());
  method_.Keep();
}

SolveReport SolverProximalAdmm::Solve(const Island& island, double* lambda) {
  SolveReport report;
  delta_.resize(island.num_dofs());
  Incumbent best(lambda, island.num_rows(), CalcResidual(island, lambda));
  if (best.residual() <= tolerance()) return report;
  start_.assign(lambda, lambda + island.num_rows());
  method_.Start(island, options_, law().is_convex, lambda);
  method_.Keep();
  last_y_ = past_y_ = method_.y();
  past_norm_ = past_residual_ = 0.0;
  signs_ = rests_ = 0;
  raise_ = kRaise;
  slow_rate_ = std::numeric_limits<double>::infinity();
  double kept = std::numeric_limits<double>::infinity();  // residual of the state kept
  bool is_restarted = false;
  double before = best.residual();  // a window ago
  bool is_mixing = options_.anderson > 0;
  double mixed_before = std::numeric_limits<double>::infinity();
  const int limit = Scaled(options_.max_iterations);
  report.status = SolveStatus::kMaxIterations;
  while (report.iterations < limit) {
    ++report.iterations;
    const bool is_finite = method_.Iterate(island);
    const bool is_over = island.Tick();
    const double residual = is_finite ? CalcResidual(island, method_.y().data()) : kNan;
    if (best.EndsWith(method_.y().data(), residual, tolerance(), report) || is_over) break;
    if (residual < kept) kept = residual, method_.Keep();
    const bool is_power_of_two = (report.iterations & (report.iterations - 1)) == 0;
    if (is_power_of_two && IsInfeasible(island, residual)) {
      report.status = SolveStatus::kInfeasible;
      break;
    }
    if (IsAtRest() || (is_restarted && residual > kBlowUp * kept)) {
      report.status = SolveStatus::kStalled;
      break;
    }
    if (is_mixing && report.iterations % kMixingWindow == 0) {
      is_mixing = !(best.residual() > kSlowDrop * mixed_before);
      mixed_before = best.residual();
      if (!is_mixing) {
        report.factorizations += method_.factorizations();
        StartWithoutMixing(island);
        kept = before = std::numeric_limits<double>::infinity();
        is_restarted = false;
        continue;
      }
    }
    if (report.iterations % kSlowWindow == 0) {
      SearchPenalty(best.residual() / before);
      before = best.residual();
    }
    if (is_restarted || residual < kGrowth * kept) continue;
    method_.Restore();
    is_restarted = true;
  }
  report.factorizations += method_.factorizations();
  report.back_solves = report.iterations;
  report.penalty = method_.rho();
  return report;
}

}  // namespace stiction

#include "contact/solvers/admm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/contact/incumbent.h"
#include "stiction/contact/laws.h"

namespace stiction {
namespace {

constexpr double kLargestChange = 50.0;  // of ρ at once
constexpr double kDeadBand = 2.0;        // smaller changes are not worth a factorisation
constexpr double kMinRho = 1e-12, kMaxRho = 1e12;
constexpr double kTiny = 1e-300;
constexpr double kCorrelation = 0.2;    // below it a spectral estimate means nothing [Xu 2017]
constexpr int kIterationsPerCheck = 5;  // iterations between natural-map residuals

// Spectral step of dλ ~ a dx: steepest descent or minimum gradient, whichever is safe; 0 where the two
// hardly correlate.
double CalcSpectralStep(double dx_dx, double dx_dl, double dl_dl) {
  if (!(dx_dl > kCorrelation * std::sqrt(dx_dx * dl_dl))) return 0.0;
  const double steepest = dl_dl / dx_dl, least = dx_dl / dx_dx;
  return 2.0 * least > steepest ? least : steepest - 0.5 * least;
}

// The geometric mean of the w_i of rows with a penalty: that of one brick of a wall, not of the ball.
double CalcMeanScale(const Island& island) {
  double sum = 0.0;
  int count = 0;
  for (const IslandConstraint& c : island.constraints) {
    if (c.type == ConstraintType::kSoft || c.type == ConstraintType::kBilateral || !(c.scale > 0.0)) continue;
    sum += std::log(c.scale);
    ++count;
  }
  return count > 0 ? std::exp(sum / count) : 1.0;
}

}  // namespace

SolverAdmm::SolverAdmm(bool is_preconditioned, bool is_accelerated)
    : is_preconditioned_(is_preconditioned), is_accelerated_(is_accelerated) {
  if (is_accelerated) {
    options_.rho = 0.05;
    options_.policy = AdmmPolicy::kFixed;
  }
}

SolvedLaw SolverAdmm::law() const {
  SolvedLaw law;
  law.is_convex = true;
  law.regularization_n = options_.regularization_n;
  law.regularization_t = options_.regularization_t;
  law.compliance = options_.compliance;
  return law;
}

std::vector<SolverOption> SolverAdmm::ListOwnOptions() {
  AdmmOptions& o = options_;
  std::vector<SolverOption> options{
      {"rho", o.rho, 1e-12, 1e12, "initial penalty"},
      {"rho_bilateral", o.rho_bilateral, 1e-15, 1e12, "penalty of bilateral rows"},
      {"eps_primal", o.eps_primal, 0, 1e12, "stop at this |lambda - z| [N s]; 0: not this test"},
      {"eps_dual", o.eps_dual, 0, 1e12, "and at this |Theta (z - z_old)| [m/s]"},
      {"max_iterations", o.max_iterations, 1, 1'000'000'000, "iterations before giving up"},
      {"regularization_n", o.regularization_n, 0, 1e6, "normal compliance over the Delassus scale"},
      {"regularization_t", o.regularization_t, 0, 1e6, "tangential compliance over the same"},
      {"compliance", o.compliance, 0, 1e12, "least normal compliance [1/kg]"}};
  if (is_accelerated_) {
    options.push_back({"restart", o.restart, 0.1, 1, "decrease that keeps the acceleration"});
  } else {
    options.push_back(
        {"policy", o.policy, {"fixed", "balanced", "normalised", "spectral"}, "how the penalty changes"});
    if (!is_preconditioned_)
      options.push_back({"scaled", o.scaled, "penalty and residuals in units of the mean w, not of 1/kg"});
    options.push_back({"anderson", o.anderson, 0, AndersonMixing::kMostColumns,
                       "differences that Anderson mixing keeps; 0: no mixing"});
    options.push_back({"square_root", o.square_root, "the root of the policy's ratio, not the ratio"});
    options.push_back(
        {"interval", o.interval, 1, 1'000'000'000, "iterations between changes of the penalty"});
  }
  return options;
}

void SolverAdmm::Prepare(const Island& island) {
  const int rows = island.num_rows();
  const SolvedLaw own = law();
  for (auto* v : {&weight_, &metric_}) v->assign(rows, 1.0);
  for (auto* v : {&theta_, &compliance_, &diagonal_, &target_, &lambda_, &z_, &y_, &z_old_, &y_hat_, &check_,
                  &predicted_lambda_, &predicted_y_, &accepted_lambda_, &accepted_y_})
    v->assign(rows, 0.0);
  for (auto& v : spectral_) v.assign(rows, 0.0);
  is_bilateral_.assign(rows, 0);
  delta_.assign(island.num_dofs(), 0.0);
  for (const IslandConstraint& c : island.constraints) {
    if (c.type == ConstraintType::kSoft) continue;
    const double R_n = own.CalcNormalRegularization(c.scale), R_t = own.CalcTangentRegularization(c.scale);
    for (int r = 0; r < c.dim(); ++r) compliance_[c.row + r] = c.dim() == 3 && r < 2 ? R_t : R_n;
    is_bilateral_[c.row] = c.type == ConstraintType::kBilateral;
  }
  SetWeights(island);
  saddle_.Assign(island);
  mixing_state_.assign(rows, 0.0);
  mixing_image_.assign(rows, 0.0);
  mixing_.Assign(rows, is_accelerated_ ? 0 : options_.anderson);
  restarts_ = 0;
  has_spectral_ = false;
}

void SolverAdmm::SetWeights(const Island& island) {
  if (!is_preconditioned_ && (is_accelerated_ || !options_.scaled)) return;
  const double mean = is_preconditioned_ ? 0.0 : CalcMeanScale(island);
  for (const IslandConstraint& c : island.constraints) {
    if (c.type == ConstraintType::kSoft) continue;
    double C = 0.0;
    for (int r = c.row; r < c.row + c.dim(); ++r) C += compliance_[r] / c.dim();
    const double weight = is_preconditioned_ ? c.scale + C : mean;
    for (int r = c.row; r < c.row + c.dim(); ++r) weight_[r] = weight, metric_[r] = std::sqrt(weight);
  }
}

// z = λ, y = −(N λ + r): the velocities that the impulses at hand give. A cold start knows no velocities:
// y = 0.
void SolverAdmm::Start(const Island& island, const double* lambda) {
  lambda_.assign(lambda, lambda + island.num_rows());
  Project(island, lambda_, z_);
  if (std::any_of(z_.begin(), z_.end(), [](double value) { return value != 0.0; })) {
    island.MapImpulses(z_.data(), delta_.data());
    island.MapVelocities(delta_.data(), y_.data());
    for (const IslandConstraint& c : island.constraints) {
      const bool is_free = c.type == ConstraintType::kSoft || c.type == ConstraintType::kBilateral;
      for (int r = c.row; r < c.row + c.dim(); ++r) y_[r] = is_free ? 0.0 : -(y_[r] + compliance_[r] * z_[r]);
    }
  }
  predicted_lambda_ = accepted_lambda_ = z_;
  predicted_y_ = accepted_y_ = y_;
  momentum_ = 1.0;
  combined_ = std::numeric_limits<double>::infinity();
}

bool SolverAdmm::FactorWith(const Island& island, double rho) {
  rho_ = rho;
  mixing_.Forget();
  has_state_ = false;
  for (const IslandConstraint& c : island.constraints) {
    if (c.type == ConstraintType::kSoft) continue;
    for (int r = c.row; r < c.row + c.dim(); ++r) {
      theta_[r] = (is_bilateral_[r] ? options_.rho_bilateral : rho) * weight_[r];
      diagonal_[r] = theta_[r] + compliance_[r];
    }
  }
  return saddle_.Factor(island, diagonal_);
}

void SolverAdmm::Project(const Island& island, const std::vector<double>& x, std::vector<double>& z) const {
  for (const IslandConstraint& c : island.constraints) {
    if (c.type == ConstraintType::kContact) {
      Eigen::Map<Vector3d>{z.data() + c.row} =
          ProjectCone(Eigen::Map<const Vector3d>{x.data() + c.row}, c.mu);
    } else {
      z[c.row] = ClampImpulse(c, x[c.row]);
    }
  }
}

// S⁻¹ (z + Θ⁻¹ y), of which both are functions: z its projection, y what that takes away.
void SolverAdmm::TakeState(std::vector<double>& x) const {
  for (std::size_t r = 0; r < x.size(); ++r)
    x[r] = theta_[r] > 0.0 ? metric_[r] * (z_[r] + y_[r] / theta_[r]) : 0.0;
}

// The state to go on from, in place of where the last iteration ended.
void SolverAdmm::Mix(const Island& island) {
  TakeState(mixing_image_);
  mixing_.Mix(mixing_state_, mixing_image_);
  for (std::size_t r = 0; r < check_.size(); ++r)
    check_[r] = theta_[r] > 0.0 ? mixing_image_[r] / metric_[r] : z_[r];
  Project(island, check_, z_);
  for (std::size_t r = 0; r < check_.size(); ++r)
    y_[r] = is_bilateral_[r] ? 0.0 : theta_[r] * (check_[r] - z_[r]);
}

void SolverAdmm::Iterate(const Island& island) {
  const int rows = island.num_rows();
  if (options_.anderson > 0) {
    if (has_state_) Mix(island);
    TakeState(mixing_state_);
    has_state_ = true;
  }
  for (int r = 0; r < rows; ++r) target_[r] = theta_[r] * z_[r] - y_[r];
  saddle_.Solve(island, target_, delta_, lambda_);
  z_old_.swap(z_);
  for (int r = 0; r < rows; ++r) {
    check_[r] = lambda_[r] + (theta_[r] > 0.0 ? y_[r] / theta_[r] : 0.0);
    y_hat_[r] = y_[r] + theta_[r] * (lambda_[r] - z_old_[r]);
  }
  Project(island, check_, z_);
  primal_ = dual_ = 0.0;
  for (int r = 0; r < rows; ++r) {
    y_[r] = is_bilateral_[r] ? 0.0 : y_[r] + theta_[r] * (lambda_[r] - z_[r]);
    primal_ = std::max(primal_, std::abs(lambda_[r] - z_[r]));
    dual_ = std::max(dual_, std::abs(theta_[r] * (z_[r] - z_old_[r])));
  }
}

void SolverAdmm::IterateAccelerated(const Island& island) {
  const int rows = island.num_rows();
  for (int r = 0; r < rows; ++r) {
    check_[r] = predicted_lambda_[r] + (theta_[r] > 0.0 ? predicted_y_[r] / theta_[r] : 0.0);
  }
  Project(island, check_, z_);
  for (int r = 0; r < rows; ++r) target_[r] = theta_[r] * z_[r] - predicted_y_[r];
  saddle_.Solve(island, target_, delta_, lambda_);
  primal_ = dual_ = 0.0;
  for (const IslandConstraint& c : island.constraints) {
    if (c.type == ConstraintType::kSoft) z_[c.row] = lambda_[c.row];  // its law is exact, whatever λ̂
  }
  for (int r = 0; r < rows; ++r) {
    y_[r] = is_bilateral_[r] ? 0.0 : predicted_y_[r] + theta_[r] * (lambda_[r] - z_[r]);
    primal_ = std::max(primal_, std::abs(lambda_[r] - z_[r]));
    dual_ = std::max(dual_, std::abs(theta_[r] * (lambda_[r] - predicted_lambda_[r])));
  }
  Accelerate(island);
}

// The next prediction (λ̂, ŷ) from (λ, y).
void SolverAdmm::Accelerate(const Island& island) {
  const int rows = island.num_rows();
  double combined = 0.0;
  for (int r = 0; r < rows; ++r) {
    const double dy = (y_[r] - predicted_y_[r]) / metric_[r];
    const double dl = metric_[r] * (lambda_[r] - predicted_lambda_[r]);
    combined += dy * dy / rho_ + rho_ * dl * dl;
  }
  if (combined < options_.restart * combined_) {
    const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum_ * momentum_));
    const double factor = (momentum_ - 1.0) / next;
    for (int r = 0; r < rows; ++r) {
      predicted_lambda_[r] = lambda_[r] + factor * (lambda_[r] - accepted_lambda_[r]);
      predicted_y_[r] = y_[r] + factor * (y_[r] - accepted_y_[r]);
    }
    momentum_ = next;
    combined_ = combined;
    accepted_lambda_ = lambda_;
    accepted_y_ = y_;
    return;
  }
  ++restarts_;
  momentum_ = 1.0;
  combined_ /= options_.restart;
  if (accepted_lambda_ == predicted_lambda_ && accepted_y_ == predicted_y_) {  // that state was just tried
    accepted_lambda_ = lambda_;
    accepted_y_ = y_;
    combined_ = combined;
  }
  predicted_lambda_ = accepted_lambda_;
  predicted_y_ = accepted_y_;
}

// η of the balanced and the normalised policy.
double SolverAdmm::CalcPolicy() const {
  double primal = 0.0, dual = 0.0, impulse = 0.0, multiplier = 0.0;
  for (std::size_t r = 0; r < z_.size(); ++r) {
    if (!(theta_[r] > 0.0)) continue;
    const double s = metric_[r];
    primal = std::max(primal, s * std::abs(lambda_[r] - z_[r]));
    dual = std::max(dual, theta_[r] / s * std::abs(z_[r] - z_old_[r]));
    impulse = std::max(impulse, s * std::max(std::abs(z_[r]), std::abs(lambda_[r])));
    multiplier = std::max(multiplier, std::abs(y_[r]) / s);
  }
  if (options_.policy == AdmmPolicy::kBalanced) return primal / std::max(dual, kTiny);
  return (primal / std::max(impulse, kTiny)) / std::max(dual / std::max(multiplier, kTiny), kTiny);
}

// η of the spectral policy: differences of both impulses and both multipliers since the last call.
double SolverAdmm::CalcSpectralPolicy() {
  double products[6] = {};
  for (std::size_t r = 0; r < z_.size(); ++r) {
    const double s = metric_[r];
    const double now[4] = {s * lambda_[r], s * z_[r], y_[r] / s, y_hat_[r] / s};
    const double d_lambda = now[0] - spectral_[0][r], d_y_hat = -(now[3] - spectral_[3][r]);
    const double d_z = -(now[1] - spectral_[1][r]), d_y = -(now[2] - spectral_[2][r]);
    products[0] += d_lambda * d_lambda;
    products[1] += d_lambda * d_y_hat;
    products[2] += d_y_hat * d_y_hat;
    products[3] += d_z * d_z;
    products[4] += d_z * d_y;
    products[5] += d_y * d_y;
    for (int k = 0; k < 4; ++k) spectral_[k][r] = now[k];
  }
  if (!has_spectral_) {
    has_spectral_ = true;
    return 1.0;
  }
  const double a = CalcSpectralStep(products[0], products[1], products[2]);
  const double b = CalcSpectralStep(products[3], products[4], products[5]);
  if (a > 0.0 && b > 0.0) return std::sqrt(a * b) / rho_;
  return a > 0.0 ? a / rho_ : b > 0.0 ? b / rho_ : 1.0;
}

bool SolverAdmm::ChangePenalty(const Island& island, SolveReport& report) {
  const bool is_spectral = options_.policy == AdmmPolicy::kSpectral;
  double eta = is_spectral ? CalcSpectralPolicy() : CalcPolicy();
  if (options_.square_root && !is_spectral) eta = std::sqrt(eta);
  eta = std::clamp(eta, 1.0 / kLargestChange, kLargestChange);
  if (!(eta > kDeadBand || eta < 1.0 / kDeadBand)) return true;
  ++report.factorizations;
  return FactorWith(island, std::clamp(rho_ * eta, kMinRho, kMaxRho));
}

SolveReport SolverAdmm::Solve(const Island& island, double* lambda) {
  SolveReport report;
  const SolvedLaw own = law();
  held_velocity_.clear();
  delta_.resize(island.num_dofs());
  island.MapImpulses(lambda, delta_.data());
  Incumbent best(lambda, island.num_rows(), island.CalcOwnResidual(own, lambda, delta_.data()));
  report.penalty = island.warm_penalty;
  if (best.residual() <= tolerance()) return report;
  Prepare(island);
  Start(island, lambda);
  report.status = SolveStatus::kNonFinite;
  if (!FactorWith(island, island.warm_penalty > 0.0 ? island.warm_penalty : options_.rho)) return report;
  report.factorizations = 1;
  report.status = SolveStatus::kMaxIterations;
  const int limit = Scaled(options_.max_iterations);
  const bool has_eps = options_.eps_primal > 0.0 || options_.eps_dual > 0.0;
  for (int iteration = 1; iteration <= limit; ++iteration) {
    report.iterations = iteration;
    if (is_accelerated_) {
      IterateAccelerated(island);
    } else {
      Iterate(island);
    }
    const bool is_last = island.Tick() || iteration == limit;
    const bool is_stopped = has_eps && primal_ < options_.eps_primal && dual_ < options_.eps_dual;
    if (is_stopped || iteration % kIterationsPerCheck == 0 || iteration == 1 || is_last) {
      held_.swap(delta_);  // of the saddle point, whose impulses λ are not yet z
      delta_.resize(held_.size());
      island.MapImpulses(z_.data(), delta_.data());
      const double residual = island.CalcOwnResidual(own, z_.data(), delta_.data());
      const bool is_end = best.EndsWith(z_.data(), residual, tolerance(), report);
      if (best.has_improved()) held_velocity_ = held_;
      if (is_end) break;
      if (is_stopped) {
        report.status = SolveStatus::kStalled;
        break;
      }
    }
    if (is_last) break;
    if (options_.policy != AdmmPolicy::kFixed && iteration % options_.interval == 0 &&
        !ChangePenalty(island, report)) {
      report.status = SolveStatus::kNonFinite;
      break;
    }
  }
  report.penalty = rho_;
  report.back_solves = saddle_.back_solves();
  return report;
}

}  // namespace stiction

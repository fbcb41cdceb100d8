// The two globalisations of strict Newton that the paper compares CANAL with.
#include <algorithm>
#include <cmath>

#include "contact/solvers/canal_system.h"
#include "contact/sums.h"

namespace stiction {
namespace {

constexpr double kArmijo = 1e-4;
// Of a damped step, the last of which is taken whatever the merit function says: at a kink of r no step lets
// it fall enough, and a method that stops there fails where the next step, from beyond the kink, would not.
constexpr int kDampedHalvings = 12;
constexpr int kMaxRadiusChanges = 60;  // in one step
constexpr double kSmallestRadius = 1e-14;
}  // namespace

void CanalSystem::MultiplyJacobian(const Island& island, bool is_transposed, const std::vector<double>& x,
                                   std::vector<double>& out) {
  out = x;
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (!hessian_.is_active(i)) continue;
    const IslandConstraint& c = island.constraints[i];
    const double* S = hessian_.weight(i);
    const int dim = c.dim();
    double y[3], change[3];
    island.ReadChange(c, x.data(), y);
    for (int r = 0; r < dim; ++r) {
      change[r] = 0.0;
      for (int s = 0; s < dim; ++s) change[r] += S[is_transposed ? dim * s + r : dim * r + s] * y[s];
    }
    island.AddImpulse(c, change, out.data());
  }
}

template <typename Accept>
bool CanalSystem::TryStep(const Island& island, const std::vector<double>& d, double factor, double& norm,
                          const Accept& accept) {
  for (std::size_t k = 0; k < delta.size(); ++k) trial_[k] = delta[k] + factor * d[k];
  const double after = Evaluate(island, ContactLaw::kStrict, trial_);
  if (!accept(after)) return false;
  delta.swap(trial_);
  norm = after;
  return true;
}

CanalSystem::Outcome CanalSystem::SolveDamped(const Island& island, double tolerance, int max_steps) {
  Outcome outcome;
  double norm = Evaluate(island, ContactLaw::kStrict, delta);
  while (norm >= std::max(tolerance, CalcRoundingFloor()) && outcome.newton_steps < max_steps) {
    ++outcome.newton_steps;
    const bool has_step = CalcStep(island, ContactLaw::kStrict);
    MultiplyJacobian(island, true, r_, gradient_);
    double slope = has_step ? -CalcDot(gradient_, step_) : 0.0;
    if (has_step && slope <= -1e-8 * std::pow(CalcNorm(step_), 2.1)) {
      for (double& value : step_) value = -value;
    } else {
      for (std::size_t k = 0; k < step_.size(); ++k) step_[k] = -gradient_[k];
      slope = -CalcDot(gradient_, gradient_);
    }
    bool is_accepted = false;
    double a = 1.0;
    const double before = 0.5 * norm * norm;
    for (int halving = 0; halving <= kDampedHalvings && !is_accepted; ++halving, a *= 0.5) {
      is_accepted = TryStep(island, step_, a, norm, [&](double after) {
        return halving < kDampedHalvings ? 0.5 * after * after <= before + kArmijo * a * slope
                                         : std::isfinite(after);
      });
    }
    if (!is_accepted) Evaluate(island, ContactLaw::kStrict, delta);
    if (island.Tick() || !is_accepted) break;
  }
  outcome.converged = norm < std::max(tolerance, CalcRoundingFloor());
  return outcome;
}

CanalSystem::Outcome CanalSystem::SolveDogleg(const Island& island, double tolerance, int max_steps) {
  Outcome outcome;
  double norm = Evaluate(island, ContactLaw::kStrict, delta);
  double radius = std::max(CalcNorm(delta), norm);
  while (norm >= std::max(tolerance, CalcRoundingFloor()) && outcome.newton_steps < max_steps) {
    ++outcome.newton_steps;
    const bool has_step = CalcStep(island, ContactLaw::kStrict);
    for (double& value : step_) value = -value;
    MultiplyJacobian(island, true, r_, gradient_);
    MultiplyJacobian(island, false, gradient_, product_);
    const double gg = CalcDot(gradient_, gradient_), curvature = CalcDot(product_, product_);
    if (!(gg > 0.0) || !(curvature > 0.0)) return outcome;
    const double cauchy = -gg / curvature, cauchy_norm = std::abs(cauchy) * std::sqrt(gg);
    const double newton_norm = CalcNorm(step_);
    bool is_accepted = false;
    const double before = norm;
    for (int change = 0; change < kMaxRadiusChanges && !is_accepted; ++change) {
      dogleg_ = gradient_;
      if (has_step && newton_norm <= radius) {
        dogleg_ = step_;
      } else if (cauchy_norm >= radius || !has_step) {
        const double factor = cauchy * std::min(1.0, radius / cauchy_norm);
        for (double& value : dogleg_) value *= factor;
      } else {
        // From the Cauchy point towards Newton's until the boundary.
        double ww = 0.0, cw = 0.0;
        for (std::size_t k = 0; k < step_.size(); ++k) {
          const double w = step_[k] - cauchy * gradient_[k];
          ww += w * w;
          cw += w * cauchy * gradient_[k];
        }
        const double reach = radius * radius - cauchy_norm * cauchy_norm;
        const double t = (-cw + std::sqrt(std::max(cw * cw + ww * reach, 0.0))) / ww;
        for (std::size_t k = 0; k < step_.size(); ++k)
          dogleg_[k] = (1.0 - t) * cauchy * gradient_[k] + t * step_[k];
      }
      // r at δ is lost once a trial is evaluated: the model is built from K d first.
      if (change > 0) Evaluate(island, ContactLaw::kStrict, delta);
      MultiplyJacobian(island, false, dogleg_, product_);
      double model = 0.0;
      for (std::size_t k = 0; k < r_.size(); ++k) model += (r_[k] + product_[k]) * (r_[k] + product_[k]);
      const double predicted = before * before - model, length = CalcNorm(dogleg_);
      double ratio = 0.0;
      is_accepted = TryStep(island, dogleg_, 1.0, norm, [&](double after) {
        ratio = (before * before - after * after) / std::max(predicted, 1e-300);
        return ratio > 1e-4 && after < before;
      });
      if (ratio < 0.25) {
        radius = 0.25 * length;
      } else if (ratio > 0.75 && length > 0.99 * radius) {
        radius *= 2.0;
      }
      if (radius < kSmallestRadius) break;
    }
    if (!is_accepted) Evaluate(island, ContactLaw::kStrict, delta);
    if (island.Tick() || !is_accepted) break;
  }
  outcome.converged = norm < std::max(tolerance, CalcRoundingFloor());
  return outcome;
}

}  // namespace stiction

#include "contact/solvers/canal_system.h"

#include <algorithm>
#include <cmath>

#include "contact/island_loops.h"
#include "contact/sums.h"
#include "stiction/contact/laws.h"
#include "stiction/math/cone.h"

namespace stiction {
namespace {

constexpr double kSufficientDecrease =
    0.1;  // of ‖r‖ for a full strict step; keeps halving from accepting stagnation
constexpr int kMaxHalvings = 5;
constexpr double kMachineEpsilon = 2.2e-16;
constexpr double kLineSearchTolerance =
    0.1;  // tighter costs evaluations and saves no Newton step [spec. measurements]

}  // namespace

void CanalSystem::Assign(const Island& island) {
  const int rows = island.num_rows(), count = island.num_constraints(), n = island.num_dofs();
  multiplier.assign(rows, 0.0);
  penalty.assign(count, 1.0);
  shift.assign(count, 0.0);
  delta.assign(n, 0.0);
  lambda.assign(rows, 0.0);
  g.assign(rows, 0.0);
  x_.assign(rows, 0.0);
  r_.assign(n, 0.0);
  step_.assign(n, 0.0);
  trial_.assign(n, 0.0);
  g_step_.assign(rows, 0.0);
  for (auto* v : {&gradient_, &product_, &dogleg_}) v->assign(n, 0.0);
  origin_.assign(n, 0.0);
  origin_g_ = island.g0;
  from_origin_.assign(n, 0.0);
  hessian_.Assign(island);
}

void CanalSystem::Recentre(const Island& island) {
  origin_ = delta;
  island.MapVelocities(delta.data(), origin_g_.data());
  rounding_ = 0.0;
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (island.constraints[i].type == ConstraintType::kSoft) continue;
    rounding_ = std::max(rounding_, kMachineEpsilon * penalty[i] * std::sqrt(island.constraints[i].scale));
  }
}

// What multiplies the constraint's rows at a point: g, x and λ. Returns the largest change of its velocity
// since the origin.
[[gnu::always_inline]] inline double CanalSystem::EvaluateConstraint(const Island& island, ContactLaw law,
                                                                     bool is_origin, int i) {
  const IslandConstraint& c = island.constraints[i];
  double* gi = g.data() + c.row;
  double* xi = x_.data() + c.row;
  double* li = lambda.data() + c.row;
  if (is_origin) {
    std::fill_n(gi, c.dim(), 0.0);
  } else {
    island.ReadChange(c, from_origin_.data(), gi);
  }
  double largest = 0.0;
  for (int r = 0; r < c.dim(); ++r) {
    largest = std::max(largest, std::abs(gi[r]));
    gi[r] += origin_g_[c.row + r];
  }
  const double beta = penalty[i];
  switch (c.type) {
    case ConstraintType::kContact: {
      for (int r = 0; r < 3; ++r) xi[r] = multiplier[c.row + r] - beta * gi[r];
      if (law == ContactLaw::kConvex) xi[2] -= beta * shift[i];
      const Vector3d x(xi[0], xi[1], xi[2]);
      const Vector3d y = law == ContactLaw::kStrict ? ClampCone(x, c.mu) : ProjectCone(x, c.mu);
      for (int r = 0; r < 3; ++r) li[r] = y[r];
      break;
    }
    case ConstraintType::kSoft:
      li[0] = xi[0] = -c.offset - c.damping * gi[0];
      break;
    default:
      xi[0] = multiplier[c.row] - beta * gi[0];
      li[0] = ClampImpulse(c, xi[0]);
      break;
  }
  return largest;
}

double CanalSystem::Evaluate(const Island& island, ContactLaw law, const std::vector<double>& point) {
  r_ = point;
  const bool is_origin = point == origin_;  // where solves begin: no velocity has changed
  for (std::size_t k = 0; k < point.size(); ++k) from_origin_[k] = point[k] - origin_[k];
  largest_change_ = FindLargest(island, [&](int i) { return EvaluateConstraint(island, law, is_origin, i); });
  ForSlabs(island, [&](int i) {
    const IslandConstraint& c = island.constraints[i];
    const double* li = lambda.data() + c.row;
    if (IsZero(li, c.dim())) return;
    double change[3];
    for (int r = 0; r < c.dim(); ++r) change[r] = -li[r];
    island.AddImpulse(c, change, r_.data());
  });
  return CalcNorm(r_);
}

void CanalSystem::CalcWeights(const Island& island, ContactLaw law) {
  ForConstraints(island, [&](int i) {
    const IslandConstraint& c = island.constraints[i];
    double* weight = hessian_.weight(i);
    switch (c.type) {
      case ConstraintType::kContact: {
        const Vector3d x(x_[c.row], x_[c.row + 1], x_[c.row + 2]);
        Vector3d y;
        Matrix3d D;
        hessian_.set_active(
            i, law == ContactLaw::kStrict ? ClampCone(x, c.mu, y, D) : ProjectCone(x, c.mu, y, D));
        if (!hessian_.is_active(i)) break;
        for (int r = 0; r < 3; ++r) {
          for (int s = 0; s < 3; ++s) weight[3 * r + s] = penalty[i] * D(r, s);
        }
        break;
      }
      case ConstraintType::kSoft:
        hessian_.set_active(i, c.damping > 0.0);
        weight[0] = c.damping;
        break;
      default:
        hessian_.set_active(i, c.lower < x_[c.row] && x_[c.row] < c.upper);
        weight[0] = penalty[i];
        break;
    }
  });
}

bool CanalSystem::CalcStep(const Island& island, ContactLaw law) {
  CalcWeights(island, law);
  if (!hessian_.Factor(island, law == ContactLaw::kConvex)) return false;
  step_ = r_;
  hessian_.Solve(step_.data());
  return std::isfinite(CalcNorm(step_));
}

CanalSystem::Outcome CanalSystem::SolveStrict(const Island& island, double tolerance, int max_steps) {
  Outcome outcome;
  double norm = Evaluate(island, ContactLaw::kStrict, delta);
  while (norm >= std::max(tolerance, CalcRoundingFloor()) && outcome.newton_steps < max_steps) {
    ++outcome.newton_steps;
    if (!CalcStep(island, ContactLaw::kStrict)) {
      island.Tick();
      return outcome;
    }
    double a = 1.0;
    bool accepted = false;
    for (int halving = 0; halving < kMaxHalvings && !accepted; ++halving, a *= 0.5) {
      for (std::size_t k = 0; k < delta.size(); ++k) trial_[k] = delta[k] - a * step_[k];
      const double trial_norm = Evaluate(island, ContactLaw::kStrict, trial_);
      if (trial_norm < (1.0 - kSufficientDecrease * a) * norm) {
        norm = trial_norm;
        delta.swap(trial_);
        accepted = true;
      }
    }
    if (!accepted) Evaluate(island, ContactLaw::kStrict, delta);
    if (island.Tick() || !accepted) break;
  }
  outcome.converged = norm < std::max(tolerance, CalcRoundingFloor());
  return outcome;
}

// h'(a) and h''(a) along δ + a d, from the rows alone.
LineSlope CanalSystem::CalcSlopes(const Island& island, double a) const {
  double d_delta = 0.0, d_d = 0.0;
  for (std::size_t k = 0; k < delta.size(); ++k) {
    d_delta += step_[k] * delta[k];
    d_d += step_[k] * step_[k];
  }
  double first = d_delta + a * d_d, second = d_d;
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    const double* dg = g_step_.data() + c.row;
    const double* x = x_.data() + c.row;
    const double beta = penalty[i];
    switch (c.type) {
      case ConstraintType::kContact: {
        const Vector3d Jd(dg[0], dg[1], dg[2]);
        Vector3d y;
        Matrix3d D;
        const bool active = ProjectCone(Vector3d(x[0], x[1], x[2]) - a * beta * Jd, c.mu, y, D);
        first -= Jd.dot(y);
        if (active) second += beta * Jd.dot(D * Jd);
        break;
      }
      case ConstraintType::kSoft:
        first -= dg[0] * (x[0] - a * c.damping * dg[0]);
        second += c.damping * dg[0] * dg[0];
        break;
      default: {
        const double xa = x[0] - a * beta * dg[0];
        first -= dg[0] * ClampImpulse(c, xa);
        if (c.lower < xa && xa < c.upper) second += beta * dg[0] * dg[0];
        break;
      }
    }
  }
  return {first, second};
}

// Exact minimiser of h along the step.
double CanalSystem::SearchLineExactly(const Island& island, double slope0) {
  island.Multiply(step_.data(), g_step_.data());
  return SearchLine(slope0, kLineSearchTolerance, [&](double a) { return CalcSlopes(island, a); });
}

CanalSystem::Outcome CanalSystem::SolveConvex(const Island& island, double tolerance, int max_steps) {
  Outcome outcome;
  double norm = Evaluate(island, ContactLaw::kConvex, delta);
  while (norm >= std::max(tolerance, CalcRoundingFloor()) && outcome.newton_steps < max_steps) {
    ++outcome.newton_steps;
    if (!CalcStep(island, ContactLaw::kConvex)) {
      island.Tick();
      return outcome;
    }
    double slope0 = 0.0;
    for (std::size_t k = 0; k < delta.size(); ++k) {
      step_[k] = -step_[k];
      slope0 += step_[k] * r_[k];
    }
    if (!(slope0 < 0.0)) break;  // at the rounding floor
    const double a = SearchLineExactly(island, slope0);
    double moved = 0.0, size = 0.0;
    for (std::size_t k = 0; k < delta.size(); ++k) {
      moved += a * step_[k] * a * step_[k];
      delta[k] += a * step_[k];
      size += delta[k] * delta[k];
    }
    norm = Evaluate(island, ContactLaw::kConvex, delta);
    if (island.Tick() || moved <= 1e-30 * size) break;
  }
  outcome.converged = norm < std::max(tolerance, CalcRoundingFloor());
  return outcome;
}

// ‖J v − z‖ with z = g + (λ − λ_old)/β.
double CanalSystem::CalcMultiplierError(const Island& island) const {
  double sum = 0.0;
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    if (c.type == ConstraintType::kSoft) continue;
    for (int r = c.row; r < c.row + c.dim(); ++r) {
      const double d = (lambda[r] - multiplier[r]) / penalty[i];
      sum += d * d;
    }
  }
  return std::sqrt(sum);
}

// p_i = μ ‖z_t‖ of the contacts; returns the norm of its change.
double CanalSystem::UpdateShift(const Island& island, std::vector<double>& p) const {
  double sum = 0.0;
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    if (c.type != ConstraintType::kContact) continue;
    double z[2];
    for (int r = 0; r < 2; ++r) {
      z[r] = g[c.row + r] + (lambda[c.row + r] - multiplier[c.row + r]) / penalty[i];
    }
    const double next = c.mu * std::sqrt(z[0] * z[0] + z[1] * z[1]);
    sum += (next - p[i]) * (next - p[i]);
    p[i] = next;
  }
  return std::sqrt(sum);
}

}  // namespace stiction

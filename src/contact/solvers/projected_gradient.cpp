#include "contact/solvers/projected_gradient.h"

#include <algorithm>
#include <cmath>

#include "contact/sums.h"
#include "stiction/contact/incumbent.h"
#include "stiction/contact/island.h"
#include "stiction/contact/laws.h"

namespace stiction {
namespace {

constexpr double kSufficientShare = 1e-4;
constexpr double kRounding = 1e-12;  // of an energy, relative
constexpr int kMaxBacktracks = 60, kMaxLineSteps = 10;
constexpr double kMinStep = 1e-13, kMaxStep = 1e13;

}  // namespace

SolverProjectedGradient::SolverProjectedGradient(GradientMethod method) : method_(method) {
  if (method == GradientMethod::kJacobi) options_.omega = 0.2;
}

SolvedLaw SolverProjectedGradient::law() const {
  SolvedLaw law;
  law.is_convex = true;
  return law;
}

std::vector<SolverOption> SolverProjectedGradient::ListOwnOptions() {
  ProjectedGradientOptions& o = options_;
  std::vector<SolverOption> options{
      {"max_iterations", o.max_iterations, 1, 1'000'000'000, "iterations before giving up"},
      {"check_interval", o.check_interval, 1, 1'000'000'000, "iterations between residuals"},
      {"unscaled", o.unscaled, "the residual without its scale, as in the paper"}};
  if (method_ == GradientMethod::kJacobi || method_ == GradientMethod::kPsor) {
    options.push_back({"omega", o.omega, 1e-6, 2, "step over the Delassus diagonal"});
    options.push_back({"relaxation", o.relaxation, 1e-6, 2, "part of the new impulse that is taken"});
  }
  if (method_ == GradientMethod::kSpg) {
    options.push_back({"preconditioner", o.preconditioner, "divide by the Delassus diagonal"});
    options.push_back({"memory", o.memory, 1, 1000, "energies that a new one is compared with"});
  }
  return options;
}

void SolverProjectedGradient::Prepare(const Island& island) {
  const int rows = island.num_rows();
  r_ = island.g0;
  compliance_.assign(rows, 0.0);
  diagonal_.assign(rows, 1.0);
  is_fixed_.assign(rows, 0);
  for (const IslandConstraint& c : island.constraints) {
    for (int r = c.row; r < c.row + c.dim(); ++r) diagonal_[r] = c.scale;
    if (c.type != ConstraintType::kSoft) continue;
    is_fixed_[c.row] = !(c.damping > 0.0);
    if (is_fixed_[c.row]) continue;
    compliance_[c.row] = 1.0 / c.damping;
    diagonal_[c.row] += compliance_[c.row];
    r_[c.row] += c.offset / c.damping;
  }
  for (Point* point : {&now_, &ahead_, &trial_}) {
    point->lambda.assign(rows, 0.0);
    point->gradient.assign(rows, 0.0);
    point->delta.assign(island.num_dofs(), 0.0);
  }
  direction_.assign(rows, 0.0);
  direction_gradient_.assign(rows, 0.0);
  direction_delta_.assign(island.num_dofs(), 0.0);
  energies_.clear();
  energies_.reserve(static_cast<std::size_t>(options_.memory));
}

void SolverProjectedGradient::Project(const Island& island, std::vector<double>& x) const {
  for (const IslandConstraint& c : island.constraints) {
    if (c.type == ConstraintType::kContact) {
      Eigen::Map<Vector3d> contact(x.data() + c.row);
      contact = ProjectCone(Vector3d(contact), c.mu);
    } else {
      x[c.row] = is_fixed_[c.row] ? -c.offset : ClampImpulse(c, x[c.row]);
    }
  }
}

void SolverProjectedGradient::Evaluate(const Island& island, Point& point) const {
  island.MapImpulses(point.lambda.data(), point.delta.data());
  island.Multiply(point.delta.data(), point.gradient.data());
  point.energy = 0.0;
  for (std::size_t r = 0; r < r_.size(); ++r) {
    const double force = point.gradient[r] + compliance_[r] * point.lambda[r];  // N λ
    point.energy += point.lambda[r] * (0.5 * force + r_[r]);
    point.gradient[r] = is_fixed_[r] ? 0.0 : force + r_[r];
  }
}

// From one product with N.
double SolverProjectedGradient::CalcLargestEigenvalue(const Island& island) {
  for (std::size_t r = 0; r < r_.size(); ++r) direction_[r] = 1.0 - now_.lambda[r];
  island.MapImpulses(direction_.data(), direction_delta_.data());
  island.Multiply(direction_delta_.data(), direction_gradient_.data());
  for (std::size_t r = 0; r < r_.size(); ++r) direction_gradient_[r] += compliance_[r] * direction_[r];
  const double size = CalcDot(direction_, direction_);
  return size > 0.0 ? std::sqrt(CalcDot(direction_gradient_, direction_gradient_) / size) : 1.0;
}

void SolverProjectedGradient::IterateJacobi(const Island& island) {
  for (std::size_t r = 0; r < r_.size(); ++r)
    trial_.lambda[r] = now_.lambda[r] - options_.omega * now_.gradient[r] / diagonal_[r];
  Project(island, trial_.lambda);
  for (std::size_t r = 0; r < r_.size(); ++r)
    now_.lambda[r] += options_.relaxation * (trial_.lambda[r] - now_.lambda[r]);
  Evaluate(island, now_);
}

void SolverProjectedGradient::IteratePsor(const Island& island) {
  for (const IslandConstraint& c : island.constraints) {
    double* l = now_.lambda.data() + c.row;
    double q[3], after[3], change[3];
    island.ReadChange(c, now_.delta.data(), q);
    for (int r = 0; r < c.dim(); ++r) {
      q[r] += r_[c.row + r] + compliance_[c.row + r] * l[r];
      after[r] = l[r] - options_.omega * q[r] / diagonal_[c.row + r];
    }
    if (c.dim() == 3) {
      Eigen::Map<Vector3d>{after} = ProjectCone(Vector3d(after[0], after[1], after[2]), c.mu);
    } else {
      after[0] = is_fixed_[c.row] ? -c.offset : ClampImpulse(c, after[0]);
    }
    for (int r = 0; r < c.dim(); ++r) {
      change[r] = options_.relaxation * (after[r] - l[r]);
      l[r] += change[r];
    }
    island.AddImpulse(c, change, now_.delta.data());
  }
}

// now_ holds λ, ahead_ the extrapolated y.
void SolverProjectedGradient::IterateApgd(const Island& island) {
  for (int i = 0; i < kMaxBacktracks; ++i, lipschitz_ *= 2.0) {
    for (std::size_t r = 0; r < r_.size(); ++r)
      trial_.lambda[r] = ahead_.lambda[r] - ahead_.gradient[r] / lipschitz_;
    Project(island, trial_.lambda);
    Evaluate(island, trial_);
    double slope = 0.0, square = 0.0;
    for (std::size_t r = 0; r < r_.size(); ++r) {
      const double d = trial_.lambda[r] - ahead_.lambda[r];
      slope += ahead_.gradient[r] * d;
      square += d * d;
    }
    const double bound = ahead_.energy + slope + 0.5 * lipschitz_ * square;
    if (!(trial_.energy > bound + kRounding * std::abs(ahead_.energy))) break;
  }
  const double t2 = theta_ * theta_;
  const double next = 0.5 * (-t2 + theta_ * std::sqrt(t2 + 4.0));
  const double beta = theta_ * (1.0 - theta_) / (t2 + next);
  double rise = 0.0;
  for (std::size_t r = 0; r < r_.size(); ++r)
    rise += ahead_.gradient[r] * (trial_.lambda[r] - now_.lambda[r]);
  const bool is_restart = rise > 0.0;
  theta_ = is_restart ? 1.0 : next;
  for (std::size_t r = 0; r < r_.size(); ++r) {
    const double change = trial_.lambda[r] - now_.lambda[r];
    ahead_.lambda[r] = trial_.lambda[r] + (is_restart ? 0.0 : beta * change);
  }
  std::swap(now_, trial_);
  Evaluate(island, ahead_);
  lipschitz_ *= 0.9;
}

void SolverProjectedGradient::IterateSpg(const Island& island, int iteration) {
  const bool has_preconditioner = options_.preconditioner;
  const auto find_direction = [&](bool is_scaled) {
    for (std::size_t r = 0; r < r_.size(); ++r)
      direction_[r] = now_.lambda[r] - step_ * now_.gradient[r] / (is_scaled ? diagonal_[r] : 1.0);
    Project(island, direction_);
    for (std::size_t r = 0; r < r_.size(); ++r) direction_[r] -= now_.lambda[r];
    return CalcDot(direction_, now_.gradient);
  };
  double slope = find_direction(has_preconditioner);
  if (slope > 1e-8) slope = find_direction(false);
  island.MapImpulses(direction_.data(), direction_delta_.data());
  island.Multiply(direction_delta_.data(), direction_gradient_.data());
  for (std::size_t r = 0; r < r_.size(); ++r) direction_gradient_[r] += compliance_[r] * direction_[r];
  const double curvature = CalcDot(direction_, direction_gradient_);

  const std::size_t memory = static_cast<std::size_t>(options_.memory);
  if (energies_.empty()) energies_.push_back(now_.energy);
  const double reference = *std::max_element(energies_.begin(), energies_.end());
  double a = 1.0, energy = now_.energy;
  for (int i = 0; i < kMaxLineSteps; ++i) {
    energy = now_.energy + a * (slope + 0.5 * a * curvature);
    if (energy <= reference + kSufficientShare * a * slope + kRounding * std::abs(reference)) break;
    const double next = -a * a * slope / (2.0 * (energy - now_.energy - a * slope));
    a = std::max(0.1 * a, std::min(0.9 * a, next));
  }
  double ss = 0.0, yy = 0.0;
  const double sy = a * a * curvature;
  for (std::size_t r = 0; r < r_.size(); ++r) {
    const double s = a * direction_[r], y = a * (is_fixed_[r] ? 0.0 : direction_gradient_[r]);
    const double D = has_preconditioner ? diagonal_[r] : 1.0;
    now_.lambda[r] += s;
    now_.gradient[r] += y;
    ss += s * s * D;
    yy += y * y / D;
  }
  for (std::size_t k = 0; k < now_.delta.size(); ++k) now_.delta[k] += a * direction_delta_[k];
  now_.energy = energy;
  if (energies_.size() < memory) {
    energies_.push_back(energy);
  } else {
    energies_[iteration % memory] = energy;
  }
  step_ = iteration % 2 == 1 ? (sy > 0.0 ? ss / sy : 0.11) : (sy > 0.0 ? sy / yy : 0.12);
  step_ = std::clamp(step_, kMinStep, kMaxStep);
}

SolveReport SolverProjectedGradient::Solve(const Island& island, double* lambda) {
  SolveReport report;
  const SolvedLaw own = law();
  const bool is_unscaled = options_.unscaled;
  Prepare(island);
  now_.lambda.assign(lambda, lambda + island.num_rows());
  Evaluate(island, now_);
  Incumbent best(lambda, island.num_rows(),
                 island.CalcOwnResidual(own, lambda, now_.delta.data(), is_unscaled));
  if (best.residual() <= tolerance()) return report;
  Project(island, now_.lambda);
  Evaluate(island, now_);
  if (method_ == GradientMethod::kApgd) {
    lipschitz_ = CalcLargestEigenvalue(island);
    theta_ = 1.0;
    ahead_ = now_;
  } else if (method_ == GradientMethod::kSpg) {
    step_ = options_.preconditioner ? 1.0 : 1.0 / CalcLargestEigenvalue(island);
  }
  report.status = SolveStatus::kMaxIterations;
  const int limit = Scaled(options_.max_iterations);
  for (int iteration = 1; iteration <= limit; ++iteration) {
    report.iterations = iteration;
    switch (method_) {
      case GradientMethod::kJacobi:
        IterateJacobi(island);
        break;
      case GradientMethod::kPsor:
        IteratePsor(island);
        break;
      case GradientMethod::kApgd:
        IterateApgd(island);
        break;
      case GradientMethod::kSpg:
        IterateSpg(island, iteration);
        break;
    }
    const bool is_last = island.Tick() || iteration == limit;
    if (iteration % options_.check_interval != 0 && !is_last) continue;
    island.MapImpulses(now_.lambda.data(), now_.delta.data());
    const double residual = island.CalcOwnResidual(own, now_.lambda.data(), now_.delta.data(), is_unscaled);
    if (best.EndsWith(now_.lambda.data(), residual, tolerance(), report) || is_last) break;
  }
  return report;
}

}  // namespace stiction

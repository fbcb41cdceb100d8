#include "contact/solvers/canal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/sums.h"
#include "stiction/contact/incumbent.h"

namespace stiction {
namespace {

constexpr double kInnerTolerance = 1e-2;  // of the inner problem, relative to the tolerance of the whole
constexpr double kInexactness = 1.0;      // the same, relative to the best residual so far
constexpr double kWalkEnd = 10.0;         // c up to which a walk uses the cascade
constexpr int kWalkWait = 3;              // iterations of a walk below a c that failed
constexpr double kGain = 0.3;  // of the residual in an iteration, without which an accepted run ends
constexpr double kRelativeTolerance = 1e-13;  // ‖r‖ below this fraction of ‖δ‖ is rounding

}  // namespace

void CanalMethod::SetPenalties(const Island& island, const CanalOptions& options, double c) {
  if (base_.empty()) {
    base_.resize(island.num_constraints());
    double log_mean = 0.0;
    if (!options.per_contact) {
      for (const IslandConstraint& constraint : island.constraints) log_mean += std::log(constraint.scale);
    }
    const double mean = std::exp(log_mean / island.num_constraints());
    for (int i = 0; i < island.num_constraints(); ++i) {
      base_[i] = options.per_contact ? 1.0 / island.constraints[i].scale : 1.0 / mean;
    }
  }
  for (int i = 0; i < island.num_constraints(); ++i) system_.penalty[i] = c * base_[i];
}

// ‖r‖ to reach: an error r moves constraint i by at most √(3 w_i) ‖r‖. No more is asked of the inner problem
// than the residual that the multipliers will leave anyway: solved exactly from the start, it takes three
// Newton steps where one does.
double CanalMethod::CalcNewtonTolerance(const Island& island, const CanalOptions& options,
                                        double residual) const {
  double largest_scale = 0.0;
  for (const IslandConstraint& c : island.constraints) largest_scale = std::max(largest_scale, c.scale);
  const double error = std::max(kInnerTolerance * options.tolerance, kInexactness * residual);
  const double wanted = error / std::sqrt(3.0 * largest_scale);
  return std::max(wanted, kRelativeTolerance * CalcNorm(system_.delta));
}

// A strict Newton from the present point, which stands if it does not converge.
bool CanalMethod::TryStrict(const Island& island, const CanalOptions& options, double tolerance,
                            SolveReport& report) {
  start_ = system_.delta;
  const CanalSystem::Outcome strict = system_.SolveStrict(island, tolerance, options.strict_steps);
  report.newton_steps += strict.newton_steps;
  if (!strict.converged && !island.is_over()) system_.delta = start_;
  return strict.converged;
}

// Strict Newton from the present point; if that fails, the convex cascade from there and a strict Newton from
// its solution. Returns whether a strict Newton converged; if none did, the cascade's solution stands.
bool CanalMethod::SolveInner(const Island& island, const CanalOptions& options, double tolerance,
                             bool strict_first, SolveReport& report) {
  if (strict_first && TryStrict(island, options, tolerance, report)) return true;
  if (island.is_over()) return false;
  system_.shift = p_;
  report.newton_steps += system_.SolveConvex(island, tolerance, options.convex_steps).newton_steps;
  if (island.is_over()) return false;
  convex_delta_ = system_.delta;
  convex_lambda_ = system_.lambda;
  const CanalSystem::Outcome strict = system_.SolveStrict(island, tolerance, options.strict_steps);
  report.newton_steps += strict.newton_steps;
  if (strict.converged) return true;
  system_.delta = convex_delta_;
  system_.lambda = convex_lambda_;
  island.MapVelocities(system_.delta.data(), system_.g.data());
  return false;
}

SolveReport CanalMethod::Run(const Island& island, const CanalOptions& options, double effort, double* lambda,
                             double& residual) {
  SolveReport report;
  const int rows = island.num_rows();
  held_velocity_.clear();
  system_.Assign(island);
  base_.clear();
  std::copy(lambda, lambda + rows, system_.lambda.begin());
  island.MapImpulses(lambda, system_.delta.data());
  island.MapVelocities(system_.delta.data(), system_.g.data());
  Incumbent best(lambda, rows, residual);
  delta_.resize(island.num_dofs());
  const bool warm = CalcNorm(system_.lambda) > 0.0;
  double c = options.c;
  SetPenalties(island, options, c);
  p_.assign(island.num_constraints(), 0.0);
  system_.multiplier = system_.lambda;
  if (warm) system_.UpdateShift(island, p_);

  const bool walks = options.walk;
  double last = residual;
  double failed_c = std::numeric_limits<double>::infinity();  // the latest, of a walk
  int since_failure = 0;
  const int max_newton = ScaleLimit(options.max_newton, effort);
  const int max_al = ScaleLimit(options.max_al, effort);
  double previous = std::numeric_limits<double>::infinity();
  double previous_impulse = CalcNorm(system_.lambda);
  int stagnant = 0;
  report.status = SolveStatus::kMaxIterations;
  for (int l = 0; l < max_al && report.newton_steps < max_newton && !island.is_over(); ++l) {
    const int steps_before = report.newton_steps;
    SetPenalties(island, options, c);
    system_.multiplier = system_.lambda;
    const double tolerance = CalcNewtonTolerance(island, options, walks ? last : residual);
    system_.Recentre(island);

    bool exact;
    if (walks && c > kWalkEnd) {
      exact = TryStrict(island, options, tolerance, report);
      if (!exact) {
        system_.lambda = system_.multiplier;
        failed_c = c;
        since_failure = 0;
        c = std::max(c / options.down, options.c_min);
        continue;
      }
    } else {
      exact = SolveInner(island, options, tolerance, warm || l > 0, report);
    }
    ++report.iterations;
    if (report.newton_steps == steps_before) island.Tick();

    const double multiplier_error = system_.CalcMultiplierError(island);
    const double shift_change = system_.UpdateShift(island, p_);
    const double lag = exact ? 0.0 : shift_change;
    island.MapImpulses(system_.lambda.data(), delta_.data());
    const double now = island.CalcResidual(system_.lambda.data(), delta_.data());
    if (!std::isfinite(now)) {
      report.status = SolveStatus::kNonFinite;
      break;
    }
    const bool gains = now <= kGain * last;
    last = now;
    if (best.Offer(system_.lambda.data(), now)) residual = now, held_velocity_ = system_.delta;
    if (now <= options.tolerance || (residual <= options.acceptance && !gains)) {
      report.status = SolveStatus::kConverged;
      break;
    }

    // Opposing constraints: the violation stays while the impulses grow with β.
    const double impulse = CalcNorm(system_.lambda);
    stagnant = multiplier_error > 0.9 * previous && impulse > 1.5 * previous_impulse ? stagnant + 1 : 0;
    previous_impulse = impulse;
    if (stagnant >= 6) {
      report.status = SolveStatus::kInfeasible;
      break;
    }
    if (lag > multiplier_error) {
      c = std::max(c / options.down, options.c_min);
    } else if (multiplier_error > options.zeta * previous) {
      const double larger = std::min(c * options.kappa, options.c_max);
      if (!walks || larger < failed_c || ++since_failure >= kWalkWait) c = larger;
    }
    previous = multiplier_error;
  }
  report.factorizations = report.newton_steps;
  return report;
}

std::vector<SolverOption> SolverCanal::ListOwnOptions() {
  CanalOptions& o = options_;
  return {{"c", o.c, 1e-6, 1e12, "initial penalty factor"},
          {"c_min", o.c_min, 1e-6, 1e12, "smallest penalty factor"},
          {"c_max", o.c_max, 1e-6, 1e14, "largest penalty factor"},
          {"kappa", o.kappa, 1, 1e6, "growth of the penalty factor"},
          {"down", o.down, 1, 1e6, "decrease of the penalty factor"},
          {"zeta", o.zeta, 0, 1, "required decrease of the multiplier error"},
          {"max_al", o.max_al, 1, 1'000'000, "augmented-Lagrangian iterations"},
          {"max_newton", o.max_newton, 1, 10'000'000, "Newton steps in all"},
          {"strict_steps", o.strict_steps, 0, 1'000'000, "Newton steps of one strict attempt"},
          {"convex_steps", o.convex_steps, 1, 1'000'000, "Newton steps of one convex problem"},
          {"first_steps", first_steps_, 0, 1'000'000, "primal-dual steps before all that, from a warm start"},
          {"per_contact", o.per_contact, "a penalty per contact, not one for all"},
          {"walk", o.walk, "strict problems that fail are tried again with a smaller c"}};
}

SolveReport SolverCanal::Solve(const Island& island, double* lambda) {
  delta_.resize(island.num_dofs());
  island.MapImpulses(lambda, delta_.data());
  double residual = island.CalcResidual(lambda, delta_.data());
  held_velocity_.clear();
  SolveReport report;
  if (residual <= tolerance()) return report;
  const bool is_warm = std::any_of(lambda, lambda + island.num_rows(), [](double x) { return x != 0.0; });
  if (is_warm && first_steps_ > 0) {
    primal_dual_options_.tolerance = primal_dual_options_.acceptance = tolerance();
    primal_dual_options_.max_steps = first_steps_;
    report = primal_dual_.Run(island, primal_dual_options_, lambda, residual);
    report.iterations = report.newton_steps;
    if (residual <= tolerance() || island.is_over()) return report;
  }
  options_.tolerance = tolerance();
  const SolveReport rest = method_.Run(island, options_, effort(), lambda, residual);
  held_velocity_ = method_.held_velocity();
  report.Merge(rest);
  report.status = rest.status;
  return report;
}

}  // namespace stiction

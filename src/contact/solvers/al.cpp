#include "contact/solvers/al.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/contact/incumbent.h"

namespace stiction {

std::vector<SolverOption> SolverAl::ListOwnOptions() {
  AlOptions& o = options_;
  return {{"beta", o.beta, 1e-9, 1e12, "penalty [kg]"},
          {"beta_max", o.beta_max, 1e-9, 1e14, "largest penalty [kg]"},
          {"kappa", o.kappa, 1, 1e6, "growth of the penalty"},
          {"zeta", o.zeta, 0, 1, "required decrease of the multiplier error"},
          {"max_al", o.max_al, 1, 1'000'000, "augmented Lagrangian iterations"},
          {"inner_tolerance", o.inner_tolerance, 0, 1, "residual of an inner problem [sqrt(kg) m/s]"},
          {"inner_steps", o.inner_steps, 1, 1'000'000, "Newton steps of an inner problem"}};
}

SolveReport SolverAl::Solve(const Island& island, double* lambda) {
  SolveReport report;
  held_velocity_.clear();
  delta_.resize(island.num_dofs());
  island.MapImpulses(lambda, delta_.data());
  Incumbent best(lambda, island.num_rows(), island.CalcResidual(lambda, delta_.data()));
  if (best.residual() <= tolerance()) return report;
  system_.Assign(island);
  std::copy(lambda, lambda + island.num_rows(), system_.lambda.begin());
  system_.delta = delta_;
  island.MapVelocities(delta_.data(), system_.g.data());
  system_.multiplier = system_.lambda;
  p_.assign(island.num_constraints(), 0.0);
  double beta = options_.beta;
  std::fill(system_.penalty.begin(), system_.penalty.end(), beta);
  const bool is_warm =
      std::any_of(lambda, lambda + island.num_rows(), [](double value) { return value != 0.0; });
  if (is_warm) system_.UpdateShift(island, p_);

  const int limit = Scaled(options_.max_al);
  double previous = std::numeric_limits<double>::infinity();
  report.status = SolveStatus::kMaxIterations;
  for (int l = 0; l < limit; ++l) {
    std::fill(system_.penalty.begin(), system_.penalty.end(), beta);
    system_.multiplier = system_.lambda;
    system_.Recentre(island);
    CanalSystem::Outcome outcome;
    if (inner_ == AlInner::kConvex) {
      system_.shift = p_;
      outcome = system_.SolveConvex(island, options_.inner_tolerance, options_.inner_steps);
    } else if (inner_ == AlInner::kDogleg) {
      outcome = system_.SolveDogleg(island, options_.inner_tolerance, options_.inner_steps);
    } else {
      outcome = system_.SolveDamped(island, options_.inner_tolerance, options_.inner_steps);
    }
    ++report.iterations;
    ++report.inner_problems;
    report.inner_failures += !outcome.converged;
    report.newton_steps += outcome.newton_steps;
    if (outcome.newton_steps == 0) island.Tick();
    const double error = system_.CalcMultiplierError(island);
    system_.UpdateShift(island, p_);
    island.MapImpulses(system_.lambda.data(), delta_.data());
    const double residual = island.CalcResidual(system_.lambda.data(), delta_.data());
    const bool is_end = best.EndsWith(system_.lambda.data(), residual, tolerance(), report);
    if (best.has_improved()) held_velocity_ = system_.delta;
    if (is_end || island.is_over()) break;
    if (!outcome.converged && report.status == SolveStatus::kMaxIterations)
      report.status = SolveStatus::kStalled;
    if (error > options_.zeta * previous)
      beta = std::min(beta * options_.kappa, std::max(options_.beta_max, beta));
    previous = error;
  }
  report.factorizations = report.newton_steps;
  return report;
}

}  // namespace stiction

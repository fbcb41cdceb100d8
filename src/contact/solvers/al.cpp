#include "contact/solvers/al.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

const char* SolverAl::name() const {
  switch (inner_) {
    case AlInner::kConvex:
      return "canal_paper";
    case AlInner::kDogleg:
      return "al_trdogleg";
    case AlInner::kDamped:
      return "al_dampedsn";
  }
  return "";
}

std::vector<SolverOption> SolverAl::ListOptions() {
  AlOptions& o = options_;
  return {{"tolerance", &o.tolerance, 0, 1, false, "natural-map residual to stop at [m/s]"},
          {"beta", &o.beta, 1e-9, 1e12, false, "penalty [kg]"},
          {"beta_max", &o.beta_max, 1e-9, 1e14, false, "largest penalty [kg]"},
          {"kappa", &o.kappa, 1, 1e6, false, "growth of the penalty"},
          {"zeta", &o.zeta, 0, 1, false, "required decrease of the multiplier error"},
          {"max_al", &o.max_al, 1, 1e6, true, "augmented Lagrangian iterations"},
          {"inner_tolerance", &o.inner_tolerance, 0, 1, false, "residual of an inner problem [sqrt(kg) m/s]"},
          {"inner_steps", &o.inner_steps, 1, 1e6, true, "Newton steps of an inner problem"}};
}

SolveReport SolverAl::Solve(const Island& island, double* lambda) {
  SolveReport report;
  inner_problems_ = inner_failures_ = 0;
  delta_.resize(island.num_dofs());
  island.MapImpulses(lambda, delta_.data());
  double best = island.CalcResidual(lambda, delta_.data());
  if (best <= options_.tolerance) return report;
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

  const int limit = static_cast<int>(options_.max_al * effort_);
  const int steps = static_cast<int>(options_.inner_steps);
  double previous = std::numeric_limits<double>::infinity();
  report.status = SolveStatus::kMaxIterations;
  for (int l = 0; l < limit; ++l) {
    std::fill(system_.penalty.begin(), system_.penalty.end(), beta);
    system_.multiplier = system_.lambda;
    system_.Recentre(island);
    CanalSystem::Outcome outcome;
    if (inner_ == AlInner::kConvex) {
      system_.shift = p_;
      outcome = system_.SolveConvex(island, options_.inner_tolerance, steps);
    } else if (inner_ == AlInner::kDogleg) {
      outcome = system_.SolveDogleg(island, options_.inner_tolerance, steps);
    } else {
      outcome = system_.SolveDamped(island, options_.inner_tolerance, steps);
    }
    ++report.iterations;
    ++inner_problems_;
    inner_failures_ += !outcome.converged;
    report.newton_steps += outcome.newton_steps;
    const double error = system_.CalcMultiplierError(island);
    system_.UpdateShift(island, p_);
    island.MapImpulses(system_.lambda.data(), delta_.data());
    const double residual = island.CalcResidual(system_.lambda.data(), delta_.data());
    if (!std::isfinite(residual)) {
      report.status = SolveStatus::kNonFinite;
      break;
    }
    if (residual < best) best = residual, std::copy(system_.lambda.begin(), system_.lambda.end(), lambda);
    if (residual <= options_.tolerance) {
      report.status = SolveStatus::kConverged;
      break;
    }
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

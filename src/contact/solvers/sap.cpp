#include "contact/solvers/sap.h"

#include <algorithm>
#include <cmath>

#include "contact/regularized_law.h"
#include "contact/sums.h"
#include "stiction/contact/incumbent.h"

namespace stiction {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kStall = 1e-16;     // relative decrease of the cost that is rounding
constexpr int kMaxStalls = 3;        // steps in a row without better impulses either
constexpr double kBalanced = 1e-14;  // relative momentum error that is rounding
constexpr double kHold = 1e6;  // S w of the rows that balance: what they leave of the error is 1/kHold of it

}  // namespace

void SapCost::Assign(const Island& island, const SolvedLaw& law) {
  law_ = law;
  hessian.Assign(island);
  gamma.assign(island.num_rows(), 0.0);
  gradient.assign(island.num_dofs(), 0.0);
  g_.assign(island.num_rows(), 0.0);
  g_step_.assign(island.num_rows(), 0.0);
}

double SapCost::Evaluate(const Island& island, const double* delta) {
  double cost = 0.0;
  for (int k = 0; k < island.num_dofs(); ++k) {
    gradient[k] = delta[k];
    cost += 0.5 * delta[k] * delta[k];
  }
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    double* g = g_.data() + c.row;
    double* l = gamma.data() + c.row;
    double* weight = hessian.weight(i);
    double change[3];
    island.ReadVelocity(c, delta, g);
    if (c.type == ConstraintType::kContact) {
      Vector3d impulse;
      Matrix3d G;
      cost += EvaluateRegularizedContact(c.mu, CalcTangent(c), CalcNormal(c), Vector3d(g[0], g[1], g[2]),
                                         impulse, &G);
      Eigen::Map<Vector3d>{l} = impulse;
      Eigen::Map<Matrix3d>{weight} = G;
      hessian.set_active(i, impulse[2] > 0.0);
    } else {
      cost += EvaluateRegularizedRow(c, CalcNormal(c), g[0], l[0], weight[0]);
      hessian.set_active(i, weight[0] > 0.0);
    }
    for (int r = 0; r < c.dim(); ++r) change[r] = -l[r];
    island.AddImpulse(c, change, gradient.data());
  }
  return cost;
}

bool SapCost::CalcStep(const Island& island, double* d) {
  if (!hessian.Factor(island, true)) return false;
  for (int k = 0; k < island.num_dofs(); ++k) d[k] = -gradient[k];
  hessian.Solve(d);
  return true;
}

bool SapCost::Balance(const Island& island, double* x) {
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    double* weight = hessian.weight(i);
    if (c.type == ConstraintType::kSoft) hessian.set_active(i, false);
    std::fill(weight, weight + 9, 0.0);
    for (int r = 0; r < c.dim(); ++r) weight[(c.dim() + 1) * r] = kHold / c.scale;
  }
  if (!hessian.Factor(island, true)) return false;
  std::copy(gradient.begin(), gradient.end(), x);
  hessian.Solve(x);
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    if (!hessian.is_active(i)) continue;
    double change[3];
    island.ReadChange(c, x, change);
    for (int r = 0; r < c.dim(); ++r) gamma[c.row + r] += kHold / c.scale * change[r];
  }
  return true;
}

void SapCost::SetDirection(const Island& island, const double* delta, const double* d) {
  island.Multiply(d, g_step_.data());
  delta_step_ = step_step_ = 0.0;
  for (int k = 0; k < island.num_dofs(); ++k) {
    delta_step_ += delta[k] * d[k];
    step_step_ += d[k] * d[k];
  }
}

LineSlope SapCost::CalcSlope(const Island& island, double a) const {
  LineSlope slope{delta_step_ + a * step_step_, step_step_};
  for (const IslandConstraint& c : island.constraints) {
    const double* g = g_.data() + c.row;
    const double* dg = g_step_.data() + c.row;
    if (c.type == ConstraintType::kContact) {
      const Vector3d step(dg[0], dg[1], dg[2]);
      Vector3d impulse;
      Matrix3d G;
      EvaluateRegularizedContact(c.mu, CalcTangent(c), CalcNormal(c), Vector3d(g[0], g[1], g[2]) + a * step,
                                 impulse, &G);
      slope.first -= step.dot(impulse);
      slope.second += step.dot(G * step);
    } else {
      double impulse, curvature;
      EvaluateRegularizedRow(c, CalcNormal(c), g[0] + a * dg[0], impulse, curvature);
      slope.first -= dg[0] * impulse;
      slope.second += curvature * dg[0] * dg[0];
    }
  }
  return slope;
}

SolvedLaw SolverSap::law() const {
  SolvedLaw law;
  law.is_convex = true;
  law.regularization_n = options_.beta * options_.beta / (4.0 * kPi * kPi);
  law.regularization_t = options_.sigma;
  law.compliance = options_.compliance;
  law.dissipation = options_.dissipation;
  return law;
}

std::vector<SolverOption> SolverSap::ListOwnOptions() {
  SapOptions& o = options_;
  return {{"beta", o.beta, 1e-6, 1e6, "near-rigid: periods below beta time steps are not resolved"},
          {"sigma", o.sigma, 1e-12, 1e6, "regularisation of friction over the Delassus scale"},
          {"compliance", o.compliance, 0, 1e12, "least normal regularisation, 1/(dt k (dt + tau)) [1/kg]"},
          {"dissipation", o.dissipation, 0, 1e6, "dissipation time tau_d of contacts over dt"},
          {"relative", o.relative, 0, 1, "relative momentum residual to stop at; 0: not this test"},
          {"line_search", o.line_search, 1e-14, 0.9, "relative slope that ends the line search"},
          {"max_iterations", o.max_iterations, 1, 1'000'000'000, "Newton steps before giving up"}};
}

// The cost where the descent begins: at the velocity before, where it is known. Bodies that rest or slide
// steadily keep it, and contacts that came, went or were taken for others do not matter.
double SolverSap::Begin(const Island& island) {
  if (island.delta_before.size() == delta_.size()) {
    const double cost = cost_.Evaluate(island, island.delta_before.data());
    if (std::isfinite(cost)) {
      delta_ = island.delta_before;
      return cost;
    }
  }
  return cost_.Evaluate(island, delta_.data());
}

// Of the change alone where v* is not known.
double SolverSap::CalcMomentum(const Island& island) const {
  const std::vector<double>& free = island.momentum_free;
  if (free.size() != delta_.size()) return CalcDot(delta_, delta_);
  double sum = 0.0;
  for (std::size_t k = 0; k < delta_.size(); ++k) {
    const double p = delta_[k] + free[k];
    sum += p * p;
  }
  return sum;
}

SolveReport SolverSap::Solve(const Island& island, double* lambda) {
  SolveReport report;
  const SolvedLaw own = law();
  held_velocity_.clear();
  cost_.Assign(island, own);
  delta_.resize(island.num_dofs());
  step_.resize(island.num_dofs());
  momentum_.resize(island.num_dofs());
  line_evaluations_ = 0;
  island.MapImpulses(lambda, delta_.data());
  Incumbent best(lambda, island.num_rows(), island.CalcOwnResidual(own, lambda, delta_.data()));
  if (!std::isfinite(best.residual())) {
    report.status = SolveStatus::kNonFinite;
    return report;
  }
  if (best.residual() <= tolerance()) return report;

  double cost = Begin(island);
  const int limit = Scaled(options_.max_iterations);
  report.status = SolveStatus::kMaxIterations;
  double alpha = 0.0, decrease = cost;
  int stalls = 0, balances = 0;
  while (true) {
    // Tested before factorising: no iteration is a legal result.
    island.MapImpulses(cost_.gamma.data(), momentum_.data());
    const double residual = island.CalcOwnResidual(own, cost_.gamma.data(), momentum_.data());
    const bool is_end = best.EndsWith(cost_.gamma.data(), residual, tolerance(), report);
    if (best.has_improved()) held_velocity_ = delta_;
    if (is_end) {
      // Where no step was needed, δ is the velocity before; with the impulses goes the one that they give.
      if (report.newton_steps == 0) held_velocity_.clear();
      break;
    }
    const double size = std::sqrt(std::max(CalcMomentum(island), CalcDot(momentum_, momentum_)));
    const double error = std::sqrt(CalcDot(cost_.gradient, cost_.gradient));
    if (options_.relative > 0.0 && error <= options_.relative * size) {
      report.status = SolveStatus::kConverged;
      if (error > kBalanced * size && cost_.Balance(island, step_.data())) ++balances;
      std::copy(cost_.gamma.begin(), cost_.gamma.end(), lambda);
      held_velocity_ = delta_;
      break;
    }
    // The cost of fast, heavy bodies hides a residual that can still fall, though not in every step: rounding
    // has to show in both.
    stalls = alpha > 0.5 && decrease <= kStall * cost && !best.has_improved() ? stalls + 1 : 0;
    if (stalls >= kMaxStalls) {
      report.status = SolveStatus::kStalled;
      break;
    }
    if (report.newton_steps >= limit || island.is_over()) break;

    if (!cost_.CalcStep(island, step_.data())) {
      report.status = SolveStatus::kNonFinite;
      break;
    }
    ++report.newton_steps;
    const double slope0 = CalcDot(step_, cost_.gradient);
    if (!(slope0 < 0.0)) {  // at rounding
      report.status = SolveStatus::kStalled;
      break;
    }
    cost_.SetDirection(island, delta_.data(), step_.data());
    alpha = SearchLine(
        slope0, options_.line_search, [&](double a) { return cost_.CalcSlope(island, a); },
        &line_evaluations_);
    for (std::size_t k = 0; k < delta_.size(); ++k) delta_[k] += alpha * step_[k];
    const double before = cost;
    cost = cost_.Evaluate(island, delta_.data());
    island.Tick();  // what the step has led to is offered first
    decrease = before - cost;
  }
  report.iterations = report.newton_steps;
  report.factorizations = report.newton_steps + balances;
  return report;
}

}  // namespace stiction

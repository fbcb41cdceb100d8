#include "contact/solvers/interior_point.h"

#include <algorithm>
#include <cmath>

#include "contact/sums.h"
#include "stiction/contact/incumbent.h"

namespace stiction {
namespace {

constexpr int kMaxInteriorSteps = 40;
constexpr double kBackOff = 0.99;   // of the way to the boundary
constexpr double kLeastGain = 0.9;  // of the best residual: a step that gains less counts against patience
constexpr int kPatienceSteps = 6;   // such steps before giving up

}  // namespace

bool InteriorPoint::Solves(const Island& island) {
  return std::all_of(island.constraints.begin(), island.constraints.end(),
                     [](const IslandConstraint& c) { return c.type == ConstraintType::kUnilateral; });
}

// Far from the boundary, in the units of each row: z by what the rows lack, λ by what makes up for it.
void InteriorPoint::Start(const Island& island) {
  const int rows = island.num_rows();
  hessian_.Assign(island);
  for (auto* by_row : {&lambda_, &z_, &error_, &target_, &right_, &d_lambda_, &d_z_}) by_row->resize(rows);
  delta_.resize(island.num_dofs());
  d_delta_.resize(island.num_dofs());
  double lacking = 0.0;
  for (const double g0 : island.g0) lacking = std::max(lacking, -g0);
  for (const IslandConstraint& c : island.constraints) {
    z_[c.row] = std::max(lacking, island.g0[c.row]);
    lambda_[c.row] = lacking / c.scale;
  }
}

void InteriorPoint::CalcDirection(const Island& island) {
  const int rows = island.num_rows();
  for (int i = 0; i < rows; ++i) right_[i] = (target_[i] - lambda_[i] * error_[i]) / z_[i];
  island.MapImpulses(right_.data(), d_delta_.data());
  hessian_.Solve(d_delta_.data());
  island.Multiply(d_delta_.data(), d_z_.data());
  for (int i = 0; i < rows; ++i) {
    d_z_[i] += error_[i];
    d_lambda_[i] = (target_[i] - lambda_[i] * d_z_[i]) / z_[i];
  }
}

double InteriorPoint::CalcStepLength() const {
  double length = 1.0;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    if (d_lambda_[i] < 0.0) length = std::min(length, -kBackOff * lambda_[i] / d_lambda_[i]);
    if (d_z_[i] < 0.0) length = std::min(length, -kBackOff * z_[i] / d_z_[i]);
  }
  return length;
}

SolveReport InteriorPoint::Run(const Island& island, double tolerance, double* lambda, double& residual) {
  SolveReport report;
  report.status = SolveStatus::kMaxIterations;
  const int rows = island.num_rows();
  Start(island);
  Incumbent best(lambda, rows, residual);
  double best_here = 0.0;
  for (int without_gain = 0; report.newton_steps < kMaxInteriorSteps; ++report.newton_steps) {
    island.MapImpulses(lambda_.data(), delta_.data());
    island.MapVelocities(delta_.data(), error_.data());
    const double now = island.CalcResidual(lambda_.data(), delta_.data());
    if (best.EndsWith(lambda_.data(), now, tolerance, report)) break;
    const bool has_gained = report.newton_steps == 0 || now <= kLeastGain * best_here;
    without_gain = has_gained ? 0 : without_gain + 1;
    if (has_gained) best_here = now;
    if (without_gain > kPatienceSteps || island.is_over()) break;

    for (int i = 0; i < rows; ++i) {
      error_[i] -= z_[i];
      target_[i] = -lambda_[i] * z_[i];
      *hessian_.weight(i) = lambda_[i] / z_[i];
      hessian_.set_active(i, true);
    }
    if (!hessian_.Factor(island, true)) break;
    const double mean = CalcDot(lambda_, z_) / rows;
    CalcDirection(island);
    const double reach = CalcStepLength();
    double ahead = 0.0;
    for (int i = 0; i < rows; ++i)
      ahead += (lambda_[i] + reach * d_lambda_[i]) * (z_[i] + reach * d_z_[i]) / rows;
    const double centering = std::pow(ahead / mean, 3);
    for (int i = 0; i < rows; ++i) target_[i] += centering * mean - d_lambda_[i] * d_z_[i];
    CalcDirection(island);
    const double length = CalcStepLength();
    for (int i = 0; i < rows; ++i) {
      lambda_[i] += length * d_lambda_[i];
      z_[i] += length * d_z_[i];
    }
    island.Tick();  // what the step has led to is offered first
  }
  residual = best.residual();
  report.factorizations = report.newton_steps;
  return report;
}

}  // namespace stiction

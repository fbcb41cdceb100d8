#include "contact/solvers/block_sor.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "contact/local_contact.h"
#include "stiction/contact/incumbent.h"
#include "stiction/contact/laws.h"

namespace stiction {
namespace {

constexpr double kProximal = 1e-8;  // ε / tr D: small against D, large against its rounding
constexpr int kStallSweeps = 5;     // without any change

}  // namespace

SolverBlockSor::SolverBlockSor(BlockRule rule) : rule_(rule) {
  if (rule >= BlockRule::kRaisim) options_.omega_min = 0.7;
}

SolvedLaw SolverBlockSor::law() const {
  SolvedLaw law;
  law.is_convex = rule_ == BlockRule::kPgsCcp;
  return law;
}

std::vector<SolverOption> SolverBlockSor::ListOwnOptions() {
  BlockSorOptions& o = options_;
  std::vector<SolverOption> options{
      {"max_sweeps", o.max_sweeps, 1, 1'000'000'000, "sweeps before giving up"},
      {"check_interval", o.check_interval, 1, 1'000'000'000, "sweeps between residuals"},
      {"unscaled", o.unscaled, "the residual without its scale, as in the paper"},
      {"omega", o.omega, 1e-3, 1, "relaxation of the first sweep"},
      {"omega_min", o.omega_min, 1e-3, 1, "relaxation of late sweeps"},
      {"decay", o.decay, 0, 1, "decay of the relaxation per sweep"}};
  if (rule_ == BlockRule::kPgsNcp)
    options.push_back({"split_step", o.split_step,
                       "friction step by the largest eigenvalue, not the smaller diagonal entry"});
  if (rule_ == BlockRule::kRaisimDsEs)
    options.push_back({"energy", o.energy, 0, 1, "change of energy over the trace of A to stop at"});
  return options;
}

void SolverBlockSor::Prepare(const Island& island) {
  blocks_.resize(island.num_constraints());
  groups_.Assign(island);
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (island.constraints[i].type != ConstraintType::kContact) continue;
    Block& block = blocks_[i];
    block.D = Eigen::Map<const Matrix3d>(island.W_diagonal.data() + island.diagonal_begin[i]);
    block.epsilon = kProximal * block.D.trace();
    block.D.diagonal().array() += block.epsilon;
    block.D_inverse = block.D.inverse();
    const Matrix3d& D = block.D;
    if (rule_ == BlockRule::kPgsCcp) {
      const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(D, Eigen::EigenvaluesOnly);
      block.step = 1.0 / eigen.eigenvalues()[2];
    } else {
      const double mean = 0.5 * (D(0, 0) + D(1, 1));
      block.step = options_.split_step ? mean + std::hypot(0.5 * (D(0, 0) - D(1, 1)), D(0, 1))
                                       : std::min(D(0, 0), D(1, 1));
    }
  }
}

// g is the contact's whole velocity at `before`.
Vector3d SolverBlockSor::ApplyRule(const Block& block, double mu, const Vector3d& g,
                                   const Vector3d& before) const {
  if (rule_ == BlockRule::kPgsCcp) return StepContactByCone(g, mu, block.step, before);
  if (rule_ == BlockRule::kPgsNcp) return StepContactBySplit(block.D, g, mu, block.step, before);
  const bool has_shift = rule_ == BlockRule::kRaisimDs || rule_ == BlockRule::kRaisimDsEs;
  const double s = has_shift ? mu * std::hypot(g[0], g[1]) : 0.0;
  return SolveContactByEnergy(block.D, block.D_inverse, g - block.D * before, mu, s,
                              rule_ == BlockRule::kNbgs ? EnergySearch::kRoots : EnergySearch::kBisection);
}

double SolverBlockSor::Sweep(const Island& island, double omega) {
  double largest = 0.0;
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    if (c.type == ConstraintType::kBilateral) {
      if (groups_.NumRows(i) == 0) continue;
      largest = std::max(largest, groups_.Solve(island, i, omega, lambda_.data(), delta_.data()) / c.scale);
      continue;
    }
    double* l = lambda_.data() + c.row;
    double g[3], change[3];
    island.ReadVelocity(c, delta_.data(), g);
    if (c.type == ConstraintType::kContact) {
      if (!(blocks_[i].epsilon > 0.0)) continue;
      const Vector3d before(l[0], l[1], l[2]);
      const Vector3d after = ApplyRule(blocks_[i], c.mu, Vector3d(g[0], g[1], g[2]), before);
      Eigen::Map<Vector3d>{change} = omega * (after - before);
    } else {
      const double W = island.W_diagonal[island.diagonal_begin[i]];
      if (!(W > 1e-12 * c.scale)) continue;
      const double after = c.type == ConstraintType::kSoft
                               ? -(c.offset + c.damping * (g[0] - W * l[0])) / (1.0 + c.damping * W)
                               : ClampImpulse(c, l[0] - g[0] / W);
      change[0] = omega * (after - l[0]);
    }
    for (int r = 0; r < c.dim(); ++r) {
      l[r] += change[r];
      largest = std::max(largest, std::abs(change[r]));
    }
    island.AddImpulse(c, change, delta_.data());
  }
  return largest;
}

double SolverBlockSor::CalcResidual(const Island& island) const {
  return island.CalcOwnResidual(law(), lambda_.data(), delta_.data(), options_.unscaled);
}

// ½ λᵀ D λ + λᵀ v_f.
double SolverBlockSor::CalcEnergy(const Island& island) const {
  double energy = 0.0;
  for (double value : delta_) energy += 0.5 * value * value;
  for (std::size_t r = 0; r < lambda_.size(); ++r) energy += lambda_[r] * island.g0[r];
  return energy;
}

void SolverBlockSor::Relax(const Island& island, int sweeps, double* lambda) {
  lambda_.assign(lambda, lambda + island.num_rows());
  delta_.resize(island.num_dofs());
  island.MapImpulses(lambda, delta_.data());
  Prepare(island);
  for (int sweep = 0; sweep < sweeps && !island.Tick(); ++sweep) Sweep(island, 1.0);
  std::copy(lambda_.begin(), lambda_.end(), lambda);
}

SolveReport SolverBlockSor::Solve(const Island& island, double* lambda) {
  SolveReport report;
  lambda_.assign(lambda, lambda + island.num_rows());
  delta_.resize(island.num_dofs());
  island.MapImpulses(lambda, delta_.data());
  Incumbent best(lambda, island.num_rows(), CalcResidual(island));
  if (best.residual() <= tolerance()) return report;
  Prepare(island);
  double trace = 0.0;
  for (int node : island.node_source) {
    const Subsystem& subsystem = island.problem->subsystems[node];
    for (int k = 0; k < subsystem.num_dofs; ++k) trace += island.problem->A.diagonal(subsystem.first_dof + k);
  }
  double omega = options_.omega, energy = CalcEnergy(island);
  int still = 0;
  const int limit = Scaled(options_.max_sweeps);
  report.status = SolveStatus::kMaxIterations;
  for (int sweep = 1; sweep <= limit; ++sweep) {
    const double change = Sweep(island, omega);
    report.sweeps = report.iterations = sweep;
    omega = std::max(options_.omega_min, options_.omega_min + options_.decay * (omega - options_.omega_min));
    double size = 0.0;
    for (double value : lambda_) size = std::max(size, std::abs(value));
    still = change <= 1e-14 * size ? still + 1 : 0;
    bool is_stopped = still >= kStallSweeps;
    if (rule_ == BlockRule::kRaisimDsEs) {
      const double now = CalcEnergy(island);
      is_stopped = is_stopped || std::abs(now - energy) < options_.energy * trace;
      energy = now;
    }
    const bool is_last = island.Tick() || sweep == limit;
    if (!is_stopped && !is_last && sweep % options_.check_interval != 0) continue;
    island.MapImpulses(lambda_.data(), delta_.data());
    const double residual = CalcResidual(island);
    if (best.EndsWith(lambda_.data(), residual, tolerance(), report)) break;
    if (is_stopped) {
      report.status = SolveStatus::kStalled;
      break;
    }
    if (is_last) break;
  }
  return report;
}

}  // namespace stiction

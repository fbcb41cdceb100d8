#include "contact/solvers/nbgs_c.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "contact/island_loops.h"
#include "contact/local_contact.h"
#include "contact/sums.h"
#include "stiction/contact/incumbent.h"
#include "stiction/contact/laws.h"

namespace stiction {
namespace {

constexpr double kDiagonalShift = 1e-8;  // ε / tr D: small against D, large against its rounding

// Of a contact's own solution. What its square leaves of the sliding angle is less than what a sweep leaves of
// the others, and is gone where sweeps converge: each starts from where the last one ended [rad].
constexpr double kLastStep = 1e-4;

// Residuals are computed every so many sweeps, and whenever the sweep itself has come to rest.
constexpr int kCheckInterval = 10;

}  // namespace

void GaussSeidelSweep::Prepare(const Island& island, bool is_shared) {
  is_shared_ = is_shared;
  blocks_.resize(island.num_constraints());
  groups_.Assign(island);
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (island.constraints[i].type != ConstraintType::kContact) continue;
    Block& block = blocks_[i];
    block.D = Eigen::Map<const Matrix3d>(island.W_diagonal.data() + island.diagonal_begin[i]);
    block.epsilon = kDiagonalShift * block.D.trace();
    block.D.diagonal().array() += block.epsilon;
    block.D_inverse = block.D.inverse();
  }
}

[[gnu::always_inline]] inline double GaussSeidelSweep::Visit(const Island& island, int i, double* lambda,
                                                             double* delta) const {
  const IslandConstraint& c = island.constraints[i];
  if (c.type == ConstraintType::kBilateral)
    return groups_.NumRows(i) > 0 ? groups_.Solve(island, i, 1.0, lambda, delta) : 0.0;
  double* l = lambda + c.row;
  double g[3], change[3], moved;
  island.ReadVelocity(c, delta, g);
  if (c.type == ConstraintType::kContact) {
    const Block& block = blocks_[i];
    if (!(block.epsilon > 0.0)) return 0.0;
    const Vector3d before(l[0], l[1], l[2]);
    const Vector3d v = Vector3d(g[0], g[1], g[2]) - block.D * before;
    const Vector3d after = SolveSingleContact(block.D, block.D_inverse, v, c.mu, before, kLastStep);
    for (int r = 0; r < 3; ++r) change[r] = after[r] - l[r], l[r] = after[r];
    moved = c.scale * (after - before).norm();
  } else {
    const double W = island.W_diagonal[island.diagonal_begin[i]];
    if (!(W > 1e-12 * c.scale)) return 0.0;
    double after;
    if (c.type == ConstraintType::kSoft) {
      after = -(c.offset + c.damping * (g[0] - W * l[0])) / (1.0 + c.damping * W);
    } else {
      after = ClampImpulse(c, l[0] - g[0] / W);
    }
    change[0] = after - l[0];
    l[0] = after;
    moved = c.scale * std::abs(change[0]);
  }
  if (!IsZero(change, c.dim())) island.AddImpulse(c, change, delta);
  return moved;
}

double GaussSeidelSweep::Sweep(const Island& island, double* lambda, double* delta) {
  if (is_shared_ && island.slabs != nullptr) {
    moves_.resize(island.num_constraints());
    ForSlabs(island, [&](int i) { moves_[i] = Visit(island, i, lambda, delta); });
    return *std::max_element(moves_.begin(), moves_.end());
  }
  double largest = 0.0;
  for (int i = 0; i < island.num_constraints(); ++i)
    largest = std::max(largest, Visit(island, i, lambda, delta));
  return largest;
}

std::vector<SolverOption> SolverNbgsC::ListOwnOptions() {
  return {{"max_sweeps", options_.max_sweeps, 1, 1'000'000'000, "sweeps before giving up"}};
}

SolveReport SolverNbgsC::Solve(const Island& island, double* lambda) {
  SolveReport report;
  const int rows = island.num_rows();
  delta_.resize(island.num_dofs());
  lambda_.assign(lambda, lambda + rows);
  island.MapImpulses(lambda, delta_.data());
  Incumbent best(lambda, rows, island.CalcResidual(lambda, delta_.data()));
  if (best.residual() <= tolerance()) return report;
  sweep_.Prepare(island);
  const int limit = Scaled(options_.max_sweeps);
  report.status = SolveStatus::kMaxIterations;
  for (int sweep = 1; sweep <= limit; ++sweep) {
    const double change = sweep_.Sweep(island, lambda_.data(), delta_.data());
    report.sweeps = report.iterations = sweep;
    const bool is_last = island.Tick() || sweep == limit;
    if (sweep % kCheckInterval != 0 && !is_last && change > tolerance()) continue;
    island.MapImpulses(lambda_.data(), delta_.data());
    const double residual = island.CalcResidual(lambda_.data(), delta_.data());
    if (best.EndsWith(lambda_.data(), residual, tolerance(), report)) break;
    if (change == 0.0) {
      report.status = SolveStatus::kStalled;
      break;
    }
    if (is_last) break;
  }
  return report;
}

}  // namespace stiction

#include "contact/saddle_point.h"

#include <algorithm>

#include "math/assert.h"

namespace stiction {
namespace {

constexpr double kTinyPenalty = 1e-6;  // of a row's Delassus scale: what makes K too stiff to be solved once

}  // namespace

void SaddlePoint::Assign(const Island& island) {
  hessian_.Assign(island);
  inverse_.assign(island.num_rows(), 0.0);
  change_.assign(island.num_dofs(), 0.0);
  change_rows_.assign(island.num_rows(), 0.0);
  velocities_.assign(island.num_rows(), 0.0);
  back_solves_ = 0;
}

bool SaddlePoint::Factor(const Island& island, const std::vector<double>& diagonal) {
  STICTION_ASSERT(static_cast<int>(diagonal.size()) == island.num_rows());
  needs_refinement_ = island.sparse == nullptr;
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    double* weight = hessian_.weight(i);
    for (int r = 0; r < c.dim(); ++r) {
      inverse_[c.row + r] = c.type == ConstraintType::kSoft ? c.damping : 1.0 / diagonal[c.row + r];
    }
    if (c.dim() == 3) {
      for (int k = 0; k < 9; ++k) weight[k] = k % 4 == 0 ? inverse_[c.row + k / 4] : 0.0;
    } else {
      weight[0] = inverse_[c.row];
    }
    for (int r = c.row; r < c.row + c.dim(); ++r)
      needs_refinement_ = needs_refinement_ || inverse_[r] * c.scale * kTinyPenalty > 1.0;
    hessian_.set_active(i, inverse_[c.row] > 0.0);
  }
  return hessian_.Factor(island, true);
}

// λ = (Θ + C)⁻¹ (t − g).
void SaddlePoint::SetImpulses(const Island& island, const std::vector<double>& t,
                              const std::vector<double>& velocities, std::vector<double>& lambda) const {
  for (const IslandConstraint& c : island.constraints) {
    const double* g = velocities.data() + c.row;
    if (c.type == ConstraintType::kSoft) {
      lambda[c.row] = -c.offset - c.damping * g[0];
      continue;
    }
    for (int r = 0; r < c.dim(); ++r) lambda[c.row + r] = inverse_[c.row + r] * (t[c.row + r] - g[r]);
  }
}

void SaddlePoint::Solve(const Island& island, const std::vector<double>& t, std::vector<double>& delta,
                        std::vector<double>& lambda) {
  // K δ = Yᵀ λ(δ = 0).
  SetImpulses(island, t, island.g0, lambda);
  island.MapImpulses(lambda.data(), delta.data());
  hessian_.Solve(delta.data());
  ++back_solves_;
  island.MapVelocities(delta.data(), velocities_.data());
  SetImpulses(island, t, velocities_, lambda);
  if (!needs_refinement_) return;
  // Refinement: what δ lacks of Yᵀ λ.
  island.MapImpulses(lambda.data(), change_.data());
  for (std::size_t k = 0; k < delta.size(); ++k) change_[k] -= delta[k];
  hessian_.Solve(change_.data());
  ++back_solves_;
  for (std::size_t k = 0; k < delta.size(); ++k) delta[k] += change_[k];
  island.Multiply(change_.data(), change_rows_.data());
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] -= inverse_[r] * change_rows_[r];
}

}  // namespace stiction

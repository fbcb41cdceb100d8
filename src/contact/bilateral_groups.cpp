#include "contact/bilateral_groups.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kRankTolerance = 1e-10;  // eigenvalues below this part of the largest are zero

constexpr int kMax = BilateralGroups::kMaxRows;
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMax, kMax>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMax, 1>;

bool TouchTheSame(const Island& island, const IslandConstraint& a, const IslandConstraint& b) {
  if (a.num_blocks != b.num_blocks) return false;
  for (int k = 0; k < a.num_blocks; ++k) {
    if (island.blocks[a.first_block + k].node != island.blocks[b.first_block + k].node) return false;
  }
  return true;
}

SmallMatrix PseudoInvert(const SmallMatrix& W) {
  const Eigen::SelfAdjointEigenSolver<SmallMatrix> eigen(W);
  const double cut = kRankTolerance * std::max(eigen.eigenvalues().maxCoeff(), 0.0);
  SmallMatrix inverse = SmallMatrix::Zero(W.rows(), W.cols());
  for (Eigen::Index k = 0; k < W.rows(); ++k) {
    const double value = eigen.eigenvalues()[k];
    if (value > cut) inverse += eigen.eigenvectors().col(k) * eigen.eigenvectors().col(k).transpose() / value;
  }
  return inverse;
}

}  // namespace

void BilateralGroups::Assign(const Island& island) {
  const int count = island.num_constraints();
  count_.assign(count, 0);
  first_.assign(count, 0);
  values_.clear();
  column_.assign(island.num_dofs(), 0.0);
  for (int i = 0; i < count; i += std::max(1, count_[i])) {
    const IslandConstraint& first = island.constraints[i];
    if (first.type != ConstraintType::kBilateral) continue;
    int n = 1;
    while (n < kMaxRows && i + n < count && island.constraints[i + n].type == ConstraintType::kBilateral &&
           TouchTheSame(island, first, island.constraints[i + n]))
      ++n;
    SmallMatrix W(n, n);
    for (int c = 0; c < n; ++c) {
      const double one = 1.0, minus = -1.0;
      island.AddImpulse(island.constraints[i + c], &one, column_.data());
      for (int r = 0; r < n; ++r) island.ReadChange(island.constraints[i + r], column_.data(), &W(r, c));
      island.AddImpulse(island.constraints[i + c], &minus, column_.data());
    }
    const SmallMatrix inverse = PseudoInvert(W);
    count_[i] = n;
    first_[i] = static_cast<int>(values_.size());
    values_.insert(values_.end(), W.data(), W.data() + n * n);
    values_.insert(values_.end(), inverse.data(), inverse.data() + n * n);
  }
}

double BilateralGroups::Solve(const Island& island, int i, double relaxation, double* lambda,
                              double* delta) const {
  const int n = count_[i];
  const Eigen::Map<const SmallMatrix> W(values_.data() + first_[i], n, n);
  const Eigen::Map<const SmallMatrix> inverse(values_.data() + first_[i] + n * n, n, n);
  SmallVector g(n), before(n);
  for (int r = 0; r < n; ++r) {
    const IslandConstraint& c = island.constraints[i + r];
    island.ReadVelocity(c, delta, &g[r]);
    before[r] = lambda[c.row];
  }
  const SmallVector change = relaxation * (-(inverse * (g - W * before)) - before);
  double largest = 0.0;
  for (int r = 0; r < n; ++r) {
    const IslandConstraint& c = island.constraints[i + r];
    lambda[c.row] += change[r];
    island.AddImpulse(c, &change[r], delta);
    largest = std::max(largest, c.scale * std::abs(change[r]));
  }
  return largest;
}

}  // namespace stiction

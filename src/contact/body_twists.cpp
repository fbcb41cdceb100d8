#include "contact/body_twists.h"

#include <algorithm>

namespace stiction {

void BodyTwists::Assign(const ContactProblem& problem, const std::vector<int>& global_dof,
                        const std::vector<int>& dofs) {
  const BranchPattern& trees = problem.A.pattern();
  const int n = static_cast<int>(global_dof.size());
  const auto parent_of = [&](int k) {
    const int above = trees.parent(global_dof[k]);
    return above < 0 ? -1 : k - (global_dof[k] - above);
  };
  is_end_.assign(n, 0);
  for (const int dof : dofs) is_end_[dof] = 1;
  children_.assign(n, 0);
  for (int k = n - 1; k >= 0; --k) {
    if (children_[k] > 1) is_end_[k] = 1;
    const int above = parent_of(k);
    if (above >= 0 && (is_end_[k] || children_[k] > 0)) ++children_[above];
  }
  // Each dof is in one segment at most.
  segments_.clear();
  segments_.reserve(n);
  dof_.clear();
  dof_.reserve(n);
  column_.clear();
  column_.reserve(8 * static_cast<std::size_t>(n));
  row_.clear();
  row_.reserve(24 * static_cast<std::size_t>(n));
  twist_.reserve(8 * static_cast<std::size_t>(n));
  wrench_.reserve(6 * static_cast<std::size_t>(n));
  body_of_.assign(n, -1);
  for (int k = 0; k < n; ++k) {
    if (!is_end_[k]) continue;
    body_of_[k] = static_cast<int>(segments_.size());
    Segment segment{-1, static_cast<int>(dof_.size()), 0, static_cast<int>(row_.size())};
    int above = k;
    for (; above >= 0 && (above == k || !is_end_[above]); above = parent_of(above)) dof_.push_back(above);
    if (above >= 0) segment.above = body_of_[above];
    std::reverse(dof_.begin() + segment.first, dof_.end());
    segment.count = static_cast<int>(dof_.size()) - segment.first;
    row_.resize(row_.size() + 24 * static_cast<std::size_t>((segment.count + 3) / 4), 0.0);
    for (int i = 0; i < segment.count; ++i) {
      const auto S = problem.motion.col(global_dof[dof_[segment.first + i]]);
      for (int r = 0; r < 6; ++r) row_[segment.first_row + 24 * (i / 4) + 4 * r + i % 4] = S[r];
      column_.insert(column_.end(), {S[0], S[1], S[2], 0.0, S[3], S[4], S[5], 0.0});
    }
    segments_.push_back(segment);
  }
  twist_.assign(8 * segments_.size(), 0.0);
  wrench_.assign(6 * segments_.size(), 0.0);
}

void BodyTwists::CalcTwists(const double* u) {
  using Column = Eigen::Map<const Lanes>;
  double* V = twist_.data();
  for (const Segment& segment : segments_) {
    Lanes angular = Lanes::Zero(), linear = Lanes::Zero();
    if (segment.above >= 0) {
      angular = Column(twist(segment.above));
      linear = Column(twist(segment.above) + 4);
    }
    const double* S = column_.data() + 8 * segment.first;
    const int* dof = dof_.data() + segment.first;
    for (int i = 0; i < segment.count; ++i, S += 8) {
      const double speed = u[dof[i]];
      angular += Column(S) * speed;
      linear += Column(S + 4) * speed;
    }
    Eigen::Map<Lanes>(V + 0) = angular;
    Eigen::Map<Lanes>(V + 4) = linear;
    V += 8;
  }
}

void BodyTwists::TakeWrenches(double* x) {
  const std::size_t n = segments_.size();
  for (std::size_t s = n; s-- > 0;) {
    const Segment& segment = segments_[s];
    double W[6];
    for (int r = 0; r < 6; ++r) {
      double& component = wrench_[r * n + s];
      W[r] = component;
      component = 0.0;
      if (segment.above >= 0) wrench_[r * n + segment.above] += W[r];
    }
    const double* S = row_.data() + segment.first_row;
    const int* dof = dof_.data() + segment.first;
    for (int first = 0; first < segment.count; first += 4, S += 24) {
      Lanes sum = Eigen::Map<const Lanes>(S) * W[0];
      for (int r = 1; r < 6; ++r) sum += Eigen::Map<const Lanes>(S + 4 * r) * W[r];
      // Value by value: chunks of four would overlap what the segment before has just written.
      const int count = std::min(4, segment.count - first);
      for (int i = 0; i < count; ++i) x[dof[first + i]] += sum[i];
    }
  }
}

}  // namespace stiction

#include "collision/narrowphase/mesh_gatherer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::narrowphase {
namespace {

constexpr double kSameNormal = 1e-3;  // of points that are one, and of manifolds of one normal
constexpr double kSamePlace = 1e-4;   // in sizes
// Vertices and edges give way to what is this much less deep; edges, within this many depths of them.
constexpr double kShallower = 0.5, kBeside = 2.0;
constexpr int kMaxOfOneNormal = Manifold::kMaxConvexPoints;

}  // namespace

std::uint32_t NameDirection(const Vector3d& n) {
  std::uint32_t name = 0;
  for (int i = 0; i < 3; ++i)
    name = name * 1031u + static_cast<std::uint32_t>(std::lround(256.0 * n[i]) + 512);
  return name;
}

void MeshGatherer::Add(Kind kind, const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature) {
  Insert({p + (0.5 * gap) * n, n, gap, feature, kind, false, -1, Vector3d::Zero(), Vector3d::Zero()});
}

void MeshGatherer::AddVertex(const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature,
                             int vertex, const Vector3d& outward, const Vector3d& center) {
  Insert({p + (0.5 * gap) * n, n, gap, feature, Kind::kVertex, false, vertex, outward, center});
}

void MeshGatherer::Insert(const Candidate& candidate) {
  if (!(candidate.gap < margin_)) return;
  const double same = kSamePlace * size_;
  for (int k = 0; k < count_; ++k) {
    Candidate& other = candidates_[k];
    if ((other.p - candidate.p).squaredNorm() > same * same ||
        (other.n - candidate.n).squaredNorm() > kSameNormal * kSameNormal)
      continue;
    // One point under two names: vertices before corners before edges, so that the name stays.
    if (candidate.kind < other.kind) other = candidate;
    return;
  }
  if (count_ == kMaxCandidates) Thin(kMaxCandidates / 2);
  candidates_[count_++] = candidate;
}

// A vertex that has gone through a face beside a ridge is below the face on the other side, too. The two
// faces of a ridge, or of a rounded one, are each behind the other; in a valley they are not, and both push.
void MeshGatherer::DropDeepVertices() {
  for (int k = 0; k < count_; ++k) {
    Candidate& one = candidates_[k];
    if (one.vertex < 0 || one.gap >= -depth_slack()) continue;
    for (int j = 0; j < count_ && !one.is_dropped; ++j) {
      const Candidate& other = candidates_[j];
      if (other.vertex != one.vertex || other.gap > 0.0 || other.gap < kShallower * one.gap) continue;
      one.is_dropped = other.outward.dot(one.center - other.p) - 0.5 * other.gap < 0.0;
    }
  }
}

// Where an edge of a box is just past the end of a step that the box stands on, the two edges seem to be deep
// in one another sideways, while a corner beside them says how things are.
void MeshGatherer::DropDeepEdges() {
  for (int k = 0; k < count_; ++k) {
    Candidate& one = candidates_[k];
    const double depth = -one.gap;
    if (one.kind != Kind::kEdges || depth <= depth_slack()) continue;
    for (int j = 0; j < count_ && !one.is_dropped; ++j) {
      const Candidate& other = candidates_[j];
      const bool is_shallower = !other.is_dropped && std::abs(other.gap) < kShallower * depth;
      one.is_dropped = is_shallower && (other.p - one.p).norm() < kBeside * depth;
    }
  }
}

void MeshGatherer::Compact() {
  const auto end = std::remove_if(candidates_.begin(), candidates_.begin() + count_,
                                  [](const Candidate& one) { return one.is_dropped; });
  count_ = static_cast<int>(end - candidates_.begin());
  // The order in which triangles are met changes as shapes move; names do not.
  std::sort(candidates_.begin(), end, [](const Candidate& one, const Candidate& two) {
    return one.feature != two.feature ? one.feature < two.feature : one.gap < two.gap;
  });
}

bool MeshGatherer::HasOneNormal() const {
  for (int k = 1; k < count_; ++k) {
    if ((candidates_[k].n - candidates_[0].n).squaredNorm() > kSameNormal * kSameNormal) return false;
  }
  return true;
}

// The first in the list is the first chosen, not the deepest, which at rest is a matter of round-off; the
// deepest takes the last place if all others are shallower.
void MeshGatherer::Thin(int count) {
  if (count_ <= count) return;
  const double tie = 1e-6 * size_;
  const auto by_gap = [](const Candidate& one, const Candidate& two) { return one.gap < two.gap; };
  const Candidate deepest = *std::min_element(candidates_.begin(), candidates_.begin() + count_, by_gap);
  std::array<double, kMaxCandidates> distance;  // to the nearest of those chosen
  distance.fill(std::numeric_limits<double>::infinity());
  for (int chosen = 1; chosen < count; ++chosen) {
    const Candidate& last = candidates_[chosen - 1];
    int best = chosen;
    double best_merit = -std::numeric_limits<double>::infinity();
    for (int k = chosen; k < count_; ++k) {
      const Candidate& one = candidates_[k];
      // Turned by a radian is as far as a size away; a point that is closed counts for more than one far off.
      const double apart = (one.p - last.p).norm() + size_ * (one.n - last.n).norm();
      distance[k] = std::min(distance[k], apart);
      const double merit = distance[k] - std::max(one.gap, 0.0);
      if (merit > best_merit + tie) best_merit = merit, best = k;
    }
    std::swap(candidates_[chosen], candidates_[best]);
    std::swap(distance[chosen], distance[best]);
  }
  count_ = count;
  const Candidate& kept = *std::min_element(candidates_.begin(), candidates_.begin() + count_, by_gap);
  if (deepest.gap < kept.gap - tie) candidates_[count_ - 1] = deepest;
}

void MeshGatherer::Finish(const RigidTransform& X_WM, int max_points, Manifold& out) {
  DropDeepVertices();
  DropDeepEdges();
  Compact();
  Thin(HasOneNormal() ? std::min(max_points, kMaxOfOneNormal) : max_points);
  for (int k = 0; k < count_; ++k) {
    const Candidate& one = candidates_[k];
    out.Add({X_WM * one.p, X_WM.R * one.n, one.gap, one.feature});
  }
}

}  // namespace stiction::narrowphase

#include "collision/narrowphase/mesh_gatherer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrowphase/hull_clip.h"
#include "collision/narrowphase/mesh.h"

namespace stiction::narrowphase {
namespace {

constexpr double kSameNormal = 1e-3;  // of points that are one
constexpr double kOneNormal = 0.02;   // of manifolds that count as flat
constexpr double kSamePlace = 1e-4;   // in sizes
constexpr double kNear = 1e-3;        // in sizes, of points that are thinned out last
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
  if (gap < margin_)
    Insert({p + (0.5 * gap) * n, n, gap, feature, kind, false, -1, Vector3d::Zero(), Vector3d::Zero()});
}

void MeshGatherer::AddVertex(const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature,
                             int vertex, const Vector3d& outward, const Vector3d& center) {
  if (gap < margin_)
    Insert({p + (0.5 * gap) * n, n, gap, feature, Kind::kVertex, false, vertex, outward, center});
}

void MeshGatherer::AddUnseen(const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature) {
  may_repeat_ = true;
  if (gap < margin_)
    Push(
        {p + (0.5 * gap) * n, n, gap, feature, Kind::kCorner, false, -1, Vector3d::Zero(), Vector3d::Zero()});
}

void MeshGatherer::Push(const Candidate& candidate) {
  if (count_ == kMaxCandidates) Thin(spare_);
  candidates_[count_++] = candidate;
}

bool MeshGatherer::IsSame(const Candidate& one, const Candidate& other) const {
  const double same = kSamePlace * size_;
  return (one.p - other.p).squaredNorm() <= same * same &&
         (one.n - other.n).squaredNorm() <= kSameNormal * kSameNormal;
}

void MeshGatherer::Insert(const Candidate& candidate) {
  for (int k = 0; k < count_; ++k) {
    Candidate& other = candidates_[k];
    if (!IsSame(other, candidate)) continue;
    // One point under two names: vertices before corners before edges, so that the name stays.
    if (candidate.kind < other.kind) other = candidate;
    return;
  }
  Push(candidate);
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

// Points that were added without a look at the others.
void MeshGatherer::DropRepeated() {
  for (int k = 0; k < count_; ++k) {
    for (int j = 0; j < k && !candidates_[k].is_dropped; ++j)
      candidates_[k].is_dropped = !candidates_[j].is_dropped && IsSame(candidates_[j], candidates_[k]);
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
    if ((candidates_[k].n - candidates_[0].n).squaredNorm() > kOneNormal * kOneNormal) return false;
  }
  return true;
}

// Those that touch, or are within kNear of the deepest, are chosen before any other. The first in the list is
// the first chosen, not the deepest, which at rest is a matter of round-off; the deepest takes the last place
// if all others are shallower.
void MeshGatherer::Thin(int count) {
  if (count_ <= count) return;
  const double tie = 1e-6 * size_;
  const auto end = candidates_.begin() + count_;
  const auto by_gap = [](const Candidate& one, const Candidate& two) { return one.gap < two.gap; };
  const Candidate deepest = *std::min_element(candidates_.begin(), end, by_gap);
  const double near = std::max(deepest.gap, 0.0) + kNear * size_;
  std::array<int, kMaxCandidates> order;  // the near ones, then the others; chosen ones move to the front
  std::array<double, kMaxCandidates> distance;  // squared, to the nearest of those chosen
  int num_near = 0;
  for (int k = 0; k < count_; ++k)
    if (candidates_[k].gap <= near) order[num_near++] = k;
  for (int k = 0, at = num_near; k < count_; ++k)
    if (!(candidates_[k].gap <= near)) order[at++] = k;
  distance.fill(std::numeric_limits<double>::infinity());
  for (int chosen = 1; chosen < count; ++chosen) {
    const Candidate& last = candidates_[order[chosen - 1]];
    int best = chosen;
    double best_distance = -1.0;
    for (int i = chosen; i < count_; ++i) {
      const int k = order[i];
      const Candidate& one = candidates_[k];
      // Turned by a radian is as far as a size away.
      const double apart = (one.p - last.p).squaredNorm() + size_ * size_ * (one.n - last.n).squaredNorm();
      distance[k] = std::min(distance[k], apart);
      const bool is_eligible = i < num_near || chosen >= num_near;
      if (is_eligible && distance[k] > best_distance + tie * tie) best_distance = distance[k], best = i;
    }
    std::swap(order[chosen], order[best]);
  }
  // The chosen ones move to the front, in their order in the list.
  std::sort(order.begin(), order.begin() + count);
  for (int i = 0; i < count; ++i) candidates_[i] = candidates_[order[i]];
  count_ = count;
  const Candidate& kept = *std::min_element(candidates_.begin(), candidates_.begin() + count_, by_gap);
  if (deepest.gap < kept.gap - tie) candidates_[count_ - 1] = deepest;
}

void MeshGatherer::SortOut() {
  if (may_repeat_) DropRepeated();
  DropDeepVertices();
  DropDeepEdges();
  Compact();
}

bool MeshGatherer::HasOverlap() const {
  return std::any_of(candidates_.begin(), candidates_.begin() + count_,
                     [](const Candidate& one) { return one.gap < 0.0; });
}

void MeshGatherer::AddDeep(const DeepOverlap& overlap) {
  const std::uint32_t feature = kDeepFeature | HashNames({static_cast<int>(NameDirection(overlap.n))});
  Push({overlap.p, overlap.n, -overlap.depth, feature, Kind::kCorner, false, -1, Vector3d::Zero(),
        Vector3d::Zero()});
}

void MeshGatherer::Finish(const RigidTransform& X_WM, int max_points, Manifold& out) {
  Thin(HasOneNormal() ? std::min(max_points, kMaxOfOneNormal) : max_points);
  for (int k = 0; k < count_; ++k) {
    const Candidate& one = candidates_[k];
    out.Add({X_WM * one.p, X_WM.R * one.n, one.gap, one.feature});
  }
}

}  // namespace stiction::narrowphase

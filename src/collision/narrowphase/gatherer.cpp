#include "collision/narrowphase/gatherer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::narrowphase {
namespace {

constexpr double kSameNormal = 1e-3;  // of points that are one
constexpr double kDeeper = 1e-6;      // in sizes, by which a double must be deeper to take the other's place
// Vertices and edges give way to what is this much less deep; edges, within this many depths of them.
constexpr double kShallower = 0.5, kBesideDepths = 2.0;

}  // namespace

std::uint32_t NameDirection(const Vector3d& n) {
  std::uint32_t name = 0;
  for (int i = 0; i < 3; ++i)
    name = name * 1031u + static_cast<std::uint32_t>(std::lround(256.0 * n[i]) + 512);
  return name;
}

std::uint32_t HashNames(std::initializer_list<int> names) {
  // FNV-1a over whole numbers, with a final mix (Murmur3's) since neighbouring numbers are the rule here.
  std::uint32_t hash = 2166136261u;
  for (const int name : names) hash = (hash ^ static_cast<std::uint32_t>(name)) * 16777619u + 0x9e3779b9u;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return (hash ^ hash >> 16) >> 4;
}

double Gatherer::CalcSmallestGap() const {
  double gap = std::numeric_limits<double>::infinity();
  for (int k = 0; k < count_; ++k) gap = std::min(gap, candidates_[k].gap);
  return gap;
}

void Gatherer::AddVertex(const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature, int vertex,
                         const Vector3d& outward, const Vector3d& center) {
  if (gap >= margin_) return;
  Candidate candidate(p + (0.5 * gap) * n, n, gap, feature, Kind::kVertex);
  candidate.vertex = vertex;
  candidate.outward = outward;
  candidate.center = center;
  Insert(candidate);
}

void Gatherer::AddUnseen(const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature) {
  may_repeat_ = true;
  if (gap < margin_) Push({p + (0.5 * gap) * n, n, gap, feature, Kind::kCorner});
}

void Gatherer::Push(const Candidate& candidate) {
  if (count_ == kMaxCandidates) Thin(MakeSpread(), spare_, PointSpread::kNoResolution);
  candidates_[count_++] = candidate;
}

bool Gatherer::IsSame(const Candidate& one, const Candidate& other) const {
  const double same = same_place_ * size_;
  return (one.p - other.p).squaredNorm() <= same * same &&
         (one.n - other.n).squaredNorm() <= kSameNormal * kSameNormal;
}

void Gatherer::Insert(const Candidate& candidate) {
  for (int k = 0; k < count_; ++k) {
    Candidate& other = candidates_[k];
    if (!IsSame(other, candidate)) continue;
    const bool is_deeper = candidate.kind == other.kind && candidate.gap < other.gap - kDeeper * size_;
    if (candidate.kind < other.kind || is_deeper) other = candidate;
    return;
  }
  Push(candidate);
}

// A vertex that has gone through a face beside a ridge is below the face on the other side, too; and one that
// slides along a wall, in front of it, may seem to be below the top, which it is beside by a tolerance. The two
// faces of a ridge, or of a rounded one, are each behind the other; in a valley they are not, and both push.
void Gatherer::DropDeepVertices() {
  for (int k = 0; k < count_; ++k) {
    Candidate& one = candidates_[k];
    if (one.vertex < 0 || one.gap >= -kDepthSlack * size_) continue;
    for (int j = 0; j < count_ && !one.is_dropped; ++j) {
      const Candidate& other = candidates_[j];
      if (other.vertex != one.vertex || std::abs(other.gap) > -kShallower * one.gap) continue;
      one.is_dropped = other.outward.dot(one.center - other.p) - 0.5 * other.gap < 0.0;
    }
  }
}

// Where an edge of a box is just past the end of a step that the box stands on, the two edges seem to be deep
// in one another sideways, while a corner beside them says how things are.
void Gatherer::DropDeepEdges() {
  for (int k = 0; k < count_; ++k) {
    Candidate& one = candidates_[k];
    const double depth = -one.gap;
    if (one.kind != Kind::kEdges || depth <= kDepthSlack * size_) continue;
    for (int j = 0; j < count_ && !one.is_dropped; ++j) {
      const Candidate& other = candidates_[j];
      const bool is_shallower = !other.is_dropped && std::abs(other.gap) < kShallower * depth;
      one.is_dropped = is_shallower && (other.p - one.p).norm() < kBesideDepths * depth;
    }
  }
}

// Points that were added without a look at the others.
void Gatherer::DropRepeated() {
  for (int k = 0; k < count_; ++k) {
    for (int j = 0; j < k && !candidates_[k].is_dropped; ++j)
      candidates_[k].is_dropped = !candidates_[j].is_dropped && IsSame(candidates_[j], candidates_[k]);
  }
}

void Gatherer::Compact() {
  const auto end = std::remove_if(candidates_.begin(), candidates_.begin() + count_,
                                  [](const Candidate& one) { return one.is_dropped; });
  count_ = static_cast<int>(end - candidates_.begin());
  // The order in which triangles are met changes as shapes move; names do not.
  std::sort(candidates_.begin(), end, [](const Candidate& one, const Candidate& two) {
    return one.feature != two.feature ? one.feature < two.feature : one.gap < two.gap;
  });
}

PointSpread Gatherer::MakeSpread() const {
  PointSpread spread;
  for (int k = 0; k < count_; ++k) spread.Add(candidates_[k].p, candidates_[k].n, candidates_[k].gap);
  return spread;
}

void Gatherer::Thin(const PointSpread& spread, int count, double resolution) {
  PointSpread::Choice is_chosen;
  spread.Choose(count, resolution, size_, is_chosen);
  int kept = 0;
  for (int k = 0; k < count_; ++k)
    if (is_chosen[k]) candidates_[kept++] = candidates_[k];
  count_ = kept;
}

void Gatherer::SortOut() {
  if (may_repeat_) DropRepeated();
  DropDeepVertices();
  DropDeepEdges();
  Compact();
}

void Gatherer::Finish(Manifold& out) {
  if (count_ > Manifold::kMaxConvexPoints)
    Thin(MakeSpread(), Manifold::kMaxConvexPoints, PointSpread::kNoResolution);
  for (int k = 0; k < count_; ++k) {
    const Candidate& one = candidates_[k];
    out.Add({one.p, one.n, one.gap, one.feature});
  }
}

void Gatherer::Finish(const RigidTransform& X_WF, int max_points, Manifold& out, double resolution) {
  const bool may_be_too_many = count_ > Manifold::kMaxConvexPoints || resolution >= 0.0;
  if (may_be_too_many) {
    const PointSpread spread = MakeSpread();
    if (spread.HasOneNormal())
      Thin(spread, std::min(max_points, Manifold::kMaxConvexPoints), PointSpread::kNoResolution);
    else
      Thin(spread, max_points, resolution);
  }
  for (int k = 0; k < count_; ++k) {
    const Candidate& one = candidates_[k];
    out.Add({X_WF * one.p, X_WF.R * one.n, one.gap, one.feature});
  }
}

}  // namespace stiction::narrowphase

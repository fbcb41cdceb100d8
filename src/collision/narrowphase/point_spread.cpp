#include "collision/narrowphase/point_spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/pack.h"

namespace stiction::narrowphase {
namespace {

constexpr double kOneNormal = 0.02;  // of manifolds that count as flat
constexpr double kNear = 1e-3;       // in sizes, of points that are thinned out last
// In sizes: farther, or deeper, by less than this is no reason to prefer a point. More than a body at rest
// moves.
constexpr double kSpreadTie = 1e-6;
// In sizes: of points nearer to one another than the resolution, one that is deeper by this stays.
constexpr double kClearlyDeeper = 1e-5;
constexpr int kChoicesPerPacking = 8;
static_assert(PointSpread::kMaxPoints % kPackSize == 0);

}  // namespace

void PointSpread::Add(const Vector3d& p, const Vector3d& n, double gap) {
  for (int i = 0; i < 3; ++i) p_[i][count_] = p[i], n_[i][count_] = n[i];
  gap_[count_++] = gap;
}

bool PointSpread::HasOneNormal() const {
  for (int k = 1; k < count_; ++k) {
    double squared = 0.0;
    for (int i = 0; i < 3; ++i) squared += (n_[i][k] - n_[i][0]) * (n_[i][k] - n_[i][0]);
    if (squared > kOneNormal * kOneNormal) return false;
  }
  return true;
}

int PointSpread::FindDeepest() const {
  return static_cast<int>(std::min_element(gap_.begin(), gap_.begin() + count_) - gap_.begin());
}

// Those that may still be chosen, in their order. Few of them are what is looked for: a pack without any is
// passed over at once. What the last pack holds past the count is looked at with it, and passed over.
struct PointSpread::Active {
  int count;
  double turn;  // [m²]
  std::array<std::array<double, kMaxPoints>, 3> p, n;
  std::array<double, kMaxPoints> gap, distance;  // the latter squared, to the nearest of those chosen
  std::array<double, kMaxPoints> from_last;      // likewise, to the last one chosen
  std::array<int, kMaxPoints> index;

  Active(const PointSpread& all, double size) : count(all.count_), turn(size * size) {
    for (int i = 0; i < 3; ++i) {
      std::copy_n(all.p_[i].begin(), count, p[i].begin());
      std::copy_n(all.n_[i].begin(), count, n[i].begin());
    }
    std::copy_n(all.gap_.begin(), count, gap.begin());
    std::fill_n(distance.begin(), count, std::numeric_limits<double>::infinity());
    for (int k = 0; k < count; ++k) index[k] = k;
    for (int k = count; k % kPackSize != 0; ++k) gap[k] = distance[k] = from_last[k] = 0.0;
  }

  // Of those that are near, where `only_near`, the one that is farthest; -1: none farther than the limit.
  //   limit  squared
  int FindFarthest(bool only_near, double near, double limit, double tie) const {
    int best = -1;
    const double nearest = only_near ? near : std::numeric_limits<double>::infinity();
    const auto is_better = [&](const auto& from, const auto& at) { return (from > limit) & (at <= nearest); };
    for (int first = 0; first < count; first += kPackSize) {
      if (!HasAny(is_better(LoadPack(distance.data() + first), LoadPack(gap.data() + first)))) continue;
      for (int k = first; k < std::min(first + kPackSize, count); ++k) {
        if (!is_better(distance[k], gap[k])) continue;
        best = k;
        const double least = std::sqrt(distance[k]) + tie;
        limit = least * least;
      }
    }
    return best;
  }

  // Fills from_last.
  void MeasureFrom(int chosen) {
    const double px = p[0][chosen], py = p[1][chosen], pz = p[2][chosen];
    const double nx = n[0][chosen], ny = n[1][chosen], nz = n[2][chosen];
    for (int k = 0; k < count; ++k) {
      const double dx = p[0][k] - px, dy = p[1][k] - py, dz = p[2][k] - pz;
      const double tx = n[0][k] - nx, ty = n[1][k] - ny, tz = n[2][k] - nz;
      from_last[k] = dx * dx + dy * dy + dz * dz + turn * (tx * tx + ty * ty + tz * tz);
    }
  }

  // The deepest of those that the one chosen last stands for, itself if none is deeper by `deeper`.
  int FindDeepestNear(int chosen, double limit, double deeper) const {
    int deepest = chosen;
    double least = gap[chosen] - deeper;
    const auto is_deeper = [&](const auto& from_it, const auto& from_others, const auto& at) {
      return (from_it <= limit) & (from_others > limit) & (at < least);
    };
    for (int first = 0; first < count; first += kPackSize) {
      if (!HasAny(is_deeper(LoadPack(from_last.data() + first), LoadPack(distance.data() + first),
                            LoadPack(gap.data() + first))))
        continue;
      for (int k = first; k < std::min(first + kPackSize, count); ++k) {
        if (!is_deeper(from_last[k], distance[k], gap[k])) continue;
        deepest = k;
        least = gap[k];
      }
    }
    return deepest;
  }

  void Cover(int chosen) {
    for (int k = 0; k < count; ++k) distance[k] = from_last[k] < distance[k] ? from_last[k] : distance[k];
    distance[chosen] = -std::numeric_limits<double>::infinity();
  }

  void Pack(double limit) {
    int kept = 0;
    for (int k = 0; k < count; ++k) {
      if (distance[k] <= limit) continue;
      for (int i = 0; i < 3; ++i) p[i][kept] = p[i][k], n[i][kept] = n[i][k];
      gap[kept] = gap[k], distance[kept] = distance[k], index[kept] = index[k];
      ++kept;
    }
    count = kept;
  }
};

// Those that touch, or are within kNear of the deepest, are chosen before any other: of each, the one
// farthest from those chosen. The first in the list is the first chosen, not the deepest, which at rest is a
// matter of round-off, and ties go to the first in the list, so that a body at rest keeps its points; the
// deepest takes the last place if all others are shallower. With a resolution, of those that the one chosen
// stands for the deepest is taken in its place, if it is clearly deeper: what is left out would come into the
// other shape unseen.
void PointSpread::Choose(int count, double resolution, double size, Choice& is_chosen) const {
  std::fill_n(is_chosen.begin(), count_, count_ <= count && resolution < 0.0);
  if (count_ == 0 || is_chosen[0]) return;
  const int deepest = FindDeepest();
  const double near = std::max(gap_[deepest], 0.0) + kNear * size, tie = kSpreadTie * size;
  const double limit = resolution < 0.0 ? -1.0 : resolution * resolution;
  Active active(*this, size);
  bool only_near = true;
  int last = -1, chosen = 0;
  double least_gap = std::numeric_limits<double>::infinity();  // of those chosen
  while (chosen < std::min(count, count_)) {
    const int best = active.FindFarthest(only_near, near, limit, tie);
    if (best < 0 && !only_near) break;
    only_near = only_near && best >= 0;
    if (best < 0) continue;
    active.MeasureFrom(best);
    last = active.index[limit > 0.0 ? active.FindDeepestNear(best, limit, kClearlyDeeper * size) : best];
    active.Cover(best);
    is_chosen[last] = true;
    ++chosen;
    least_gap = std::min(least_gap, gap_[last]);
    if (chosen % kChoicesPerPacking == 0) active.Pack(limit);
  }
  if (gap_[deepest] < least_gap - tie) {
    if (chosen == count) is_chosen[last] = false;
    is_chosen[deepest] = true;
  }
}

}  // namespace stiction::narrowphase

#include "collision/narrowphase/spread.h"

#include <algorithm>
#include <limits>

namespace stiction::narrowphase {
namespace {

// Points [0, chosen) are chosen; adds points of [chosen, end), which is reordered. Returns the new number.
int AddFarthest(std::span<ManifoldPoint> points, int chosen, int end, double tie) {
  while (chosen < end && chosen < Manifold::kMaxConvexPoints) {
    int best = chosen;
    double best_distance = -1.0;
    for (int k = chosen; k < end; ++k) {
      // The first of all is the one farthest from the first in the list.
      double distance =
          chosen == 0 ? (points[k].p_W - points[0].p_W).norm() : std::numeric_limits<double>::infinity();
      for (int j = 0; j < chosen; ++j) distance = std::min(distance, (points[k].p_W - points[j].p_W).norm());
      if (distance > best_distance + tie) best_distance = distance, best = k;
    }
    // Rotated, not swapped: the rest stays in its order.
    std::rotate(points.begin() + chosen, points.begin() + best, points.begin() + best + 1);
    ++chosen;
  }
  return chosen;
}

}  // namespace

int ChooseSpread(std::span<ManifoldPoint> points, double near, double size) {
  const int count = static_cast<int>(points.size());
  if (count <= Manifold::kMaxConvexPoints) return count;
  const auto by_gap = [](const ManifoldPoint& one, const ManifoldPoint& two) { return one.gap < two.gap; };
  const ManifoldPoint deepest = *std::min_element(points.begin(), points.end(), by_gap);
  // A stable partition without a buffer.
  int num_near = 0;
  for (int k = 0; k < count; ++k) {
    if (points[k].gap > deepest.gap + near) continue;
    std::rotate(points.begin() + num_near, points.begin() + k, points.begin() + k + 1);
    ++num_near;
  }
  int chosen = AddFarthest(points, 0, num_near, 1e-6 * size);
  chosen = AddFarthest(points, chosen, count, 1e-6 * size);
  const ManifoldPoint& kept = *std::min_element(points.begin(), points.begin() + chosen, by_gap);
  if (deepest.gap < kept.gap - 1e-6 * size) points[chosen - 1] = deepest;
  return chosen;
}

}  // namespace stiction::narrowphase

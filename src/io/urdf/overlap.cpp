#include "io/urdf/overlap.h"

#include <algorithm>
#include <numeric>

#include "stiction/geometry/distance.h"

namespace stiction::urdf {
namespace {

// Shapes in order of their lower end along the axis in which the robot is longest: each can only meet those
// that begin before it ends.
std::pair<int, std::vector<int>> SortAlongLongestAxis(const std::vector<PlacedShape>& shapes) {
  Vector3d lowest = Vector3d::Zero(), highest = Vector3d::Zero();
  for (const PlacedShape& placed : shapes) {
    lowest = lowest.cwiseMin(placed.X_WG.p);
    highest = highest.cwiseMax(placed.X_WG.p);
  }
  int axis = 0;
  (highest - lowest).maxCoeff(&axis);
  std::vector<int> order(shapes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto begin = [&](int i) { return shapes[i].X_WG.p[axis] - shapes[i].radius; };
  std::sort(order.begin(), order.end(),
            [&](int i, int j) { return std::pair(begin(i), i) < std::pair(begin(j), j); });
  return {axis, order};
}

}  // namespace

bool ShapesOverlap(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB) {
  // Parts that stand flush against one another in the drawing touch, they do not overlap. [m]
  constexpr double kTouching = 1e-6;
  const double reach = CalcBoundingRadius(a) + CalcBoundingRadius(b) - kTouching;
  if ((X_WA.p - X_WB.p).squaredNorm() > reach * reach) return false;
  return CalcDistance(a, X_WA, b, X_WB).distance < -kTouching;
}

std::vector<std::pair<int, int>> FindOverlapping(const std::vector<PlacedShape>& placed,
                                                 std::set<std::pair<int, int>> but_for,
                                                 std::size_t max_pairs) {
  const auto [axis, order] = SortAlongLongestAxis(placed);
  std::vector<std::pair<int, int>> overlapping;
  for (std::size_t k = 0; k < order.size() && overlapping.size() <= max_pairs; ++k) {
    const PlacedShape& a = placed[order[k]];
    const double end = a.X_WG.p[axis] + a.radius;
    for (std::size_t m = k + 1; m < order.size() && overlapping.size() <= max_pairs; ++m) {
      const PlacedShape& b = placed[order[m]];
      if (b.X_WG.p[axis] - b.radius > end) break;
      if (a.body == b.body || !ShapesOverlap(*a.shape, a.X_WG, *b.shape, b.X_WG)) continue;
      const auto parts = std::minmax(a.part, b.part);
      if (!but_for.insert({parts.first, parts.second}).second) continue;
      const auto shapes = std::minmax(order[k], order[m]);
      overlapping.emplace_back(shapes.first, shapes.second);
    }
  }
  std::sort(overlapping.begin(), overlapping.end());
  return overlapping;
}

}  // namespace stiction::urdf

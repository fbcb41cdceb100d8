#include "collision/narrowphase/lateral_polygon.h"

#include <algorithm>
#include <limits>

namespace stiction::narrowphase {

void LateralPolygon::FindDirections() {
  for (int k = 0; k < size; ++k) {
    const Vector2d step = x[Next(k)] - x[k];
    const double length = step.norm();
    direction[k] = length > std::numeric_limits<double>::min() ? Vector2d(step / length) : Vector2d(0, 0);
  }
}

bool HasSeparatingSide(const LateralPolygon& polygon, const LateralPolygon& other) {
  for (int k = 0; k < polygon.size; ++k) {
    if (!polygon.HasDirection(k)) continue;
    bool all_beyond = true;
    for (int j = 0; j < other.size && all_beyond; ++j) all_beyond = polygon.CalcInside(k, other.x[j]) <= 0.0;
    if (all_beyond) return true;
  }
  return false;
}

bool IsInside(const LateralPolygon& polygon, const Vector2d& x, double by) {
  for (int k = 0; k < polygon.size; ++k) {
    if (polygon.HasDirection(k) && polygon.CalcInside(k, x) <= by) return false;
  }
  return true;
}

Vector2d MoveInside(const LateralPolygon& polygon, const Vector2d& x) {
  double least = std::numeric_limits<double>::infinity();
  bool is_outside = false;
  Vector2d nearest = x;
  for (int k = 0; k < polygon.size; ++k) {
    is_outside = is_outside || polygon.CalcInside(k, x) < 0.0;
    const double length = (polygon.x[polygon.Next(k)] - polygon.x[k]).norm();
    const double along = std::clamp(polygon.direction[k].dot(x - polygon.x[k]), 0.0, length);
    const Vector2d candidate = polygon.x[k] + along * polygon.direction[k];
    const double squared = (candidate - x).squaredNorm();
    if (squared < least) least = squared, nearest = candidate;
  }
  return is_outside ? nearest : x;
}

EdgeClip ClipEdge(const LateralPolygon& polygon, double slack, const Vector2d& start, const Vector2d& step) {
  EdgeClip cut;
  for (int k = 0; k < polygon.size; ++k) {
    const double room = slack + polygon.CalcInside(k, start);
    const double rate =
        step.x() * polygon.direction[k].y() - step.y() * polygon.direction[k].x();  // outwards
    if (rate > 0.0 && room < cut.leave * rate) cut.leave = room / rate, cut.leave_side = k;
    if (rate < 0.0 && room < cut.enter * rate) cut.enter = room / rate, cut.enter_side = k;
    if (rate == 0.0 && room < 0.0) cut.leave = -1.0;
  }
  return cut;
}

}  // namespace stiction::narrowphase

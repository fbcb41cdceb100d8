#include <limits>

#include "geometry/field_leaves.h"

namespace stiction {
namespace {

// Unsigned distance to a polyline.
PlaneSample EvaluatePolyline(const Vector2d& q, const std::vector<Vector2d>& polyline) {
  PlaneSample nearest{std::numeric_limits<double>::infinity(), Vector2d::UnitX()};
  for (std::size_t i = 0; i + 1 < polyline.size(); ++i) {
    const SegmentSample sample = EvaluateSegment(q, polyline[i], polyline[i + 1]);
    if (sample.distance < nearest.value) nearest = {sample.distance, sample.gradient};
  }
  return nearest;
}

}  // namespace

FieldSample RevolvedField::Evaluate(const Vector3d& p) const {
  const PlaneSample sample = EvaluatePolyline({CalcRho(p), p.z()}, polyline);
  // On the axis a gradient with a radial part is the limit along x.
  const Vector2d radial = sample.gradient.x() * RadialDirection(p);
  return {sample.value - padding, {radial.x(), radial.y(), sample.gradient.y()}};
}

Eigen::AlignedBox3d RevolvedField::CalcBounds() const {
  Eigen::AlignedBox3d box;
  for (const Vector2d& q : polyline) {
    box.extend(Vector3d(q.x() + padding, q.x() + padding, q.y() + padding));
    box.extend(Vector3d(-q.x() - padding, -q.x() - padding, q.y() - padding));
  }
  return box;
}

}  // namespace stiction

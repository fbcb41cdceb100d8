#include "collision/narrowphase/rod.h"

#include <algorithm>
#include <cmath>

namespace stiction::narrowphase {

double Rod::CalcReach(const Vector3d& n) const {
  const double along = n.dot(axis.axis);
  const double across = has_caps ? std::sqrt(std::max(0.0, 1.0 - along * along)) : 1.0;
  return n.dot(axis.center) + axis.half_length * std::abs(along) + radius * across;
}

Segment Rod::FindSideLine(const Vector3d& n) const {
  Vector3d out = n;
  if (has_caps) {
    const Vector3d across = n - n.dot(axis.axis) * axis.axis;
    const double length = across.norm();
    out = length > 1e-12 ? Vector3d(across / length) : x;
  }
  return {axis.center + radius * out, axis.axis, axis.half_length};
}

Rod MakeRod(const Cylinder& cylinder, const RigidTransform& X_FG) {
  return {{X_FG.p, X_FG.R.col(2), cylinder.half_length}, X_FG.R.col(0), X_FG.R.col(1), cylinder.radius, true};
}

Rod MakeRod(const Capsule& capsule, const RigidTransform& X_FG) {
  return {{X_FG.p, X_FG.R.col(2), capsule.half_length}, X_FG.R.col(0), X_FG.R.col(1), capsule.radius, false};
}

Disc MakeCap(const Rod& rod, int end) {
  return {rod.axis.At(end * rod.axis.half_length),
          end * rod.axis.axis,
          rod.x,
          rod.y,
          rod.radius,
          end > 0 ? 0 : 1};
}

std::optional<Span> ClipToDisc(const Segment& segment, const Disc& disc, const Vector3d& n) {
  // |p + s d| <= radius for p, d dropped onto the disc's plane.
  const Vector3d p = disc.Drop(segment.center, n) - disc.center;
  const Vector3d d = disc.Drop(segment.center + segment.axis, n) - disc.center - p;
  const double a = d.squaredNorm(), b = p.dot(d), c = p.squaredNorm() - disc.radius * disc.radius;
  if (a < 1e-24)
    return c <= 0.0 ? std::optional<Span>({-segment.half_length, segment.half_length}) : std::nullopt;
  const double root = b * b - a * c;
  if (root < 0.0) return std::nullopt;
  const Span span{std::max((-b - std::sqrt(root)) / a, -segment.half_length),
                  std::min((-b + std::sqrt(root)) / a, segment.half_length)};
  return span.length() >= 0.0 ? std::optional<Span>(span) : std::nullopt;
}

}  // namespace stiction::narrowphase

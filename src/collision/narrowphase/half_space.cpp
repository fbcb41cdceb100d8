#include "collision/narrowphase/half_space.h"

#include <algorithm>
#include <cmath>

namespace stiction::narrowphase {
namespace {

// v/|v|; along x where v vanishes.
Vector3d NormalizeOrX(const Vector3d& v) {
  const double length = v.norm();
  return length > 1e-150 ? Vector3d(v / length) : Vector3d::UnitX();
}

}  // namespace

HalfSpace FindHalfSpace(const Sphere& shape, const Vector3d& p) {
  return {NormalizeOrX(p), shape.radius};
}

HalfSpace FindHalfSpace(const Capsule& shape, const Vector3d& p) {
  const Vector3d nearest(0.0, 0.0, std::clamp(p.z(), -shape.half_length, shape.half_length));
  const Vector3d n = NormalizeOrX(p - nearest);
  return {n, n.dot(nearest) + shape.radius};
}

// The tangent plane where the line from the middle to p leaves it.
HalfSpace FindHalfSpace(const Ellipsoid& shape, const Vector3d& p) {
  const Vector3d on_ball = NormalizeOrX(p.cwiseQuotient(shape.radii));
  const Vector3d n = on_ball.cwiseQuotient(shape.radii).normalized();
  return {n, n.dot(on_ball.cwiseProduct(shape.radii))};
}

HalfSpace FindHalfSpace(const Cylinder& shape, const Vector3d& p) {
  const Vector3d radial = NormalizeOrX({p.x(), p.y(), 0.0});
  if (std::abs(p.z()) - shape.half_length > radial.dot(p) - shape.radius)
    return {{0.0, 0.0, p.z() < 0.0 ? -1.0 : 1.0}, shape.half_length};
  return {radial, shape.radius};
}

HalfSpace FindHalfSpace(const Polytope& shape, const Vector3d& p) {
  const ConvexHull::Face& highest = shape.faces[shape.FindFaceBelow(p)];
  return {highest.normal, highest.offset};
}

double CalcReach(const Sphere& shape, const Vector3d&) {
  return shape.radius;
}
double CalcReach(const Capsule& shape, const Vector3d& d) {
  return shape.radius + shape.half_length * std::abs(d.z());
}
double CalcReach(const Ellipsoid& shape, const Vector3d& d) {
  return shape.radii.cwiseProduct(d).norm();
}
double CalcReach(const Cylinder& shape, const Vector3d& d) {
  return shape.radius * d.head<2>().norm() + shape.half_length * std::abs(d.z());
}
double CalcReach(const Polytope& shape, const Vector3d& d) {
  return d.dot(shape.vertices[shape.FindSupport(d)]);
}

}  // namespace stiction::narrowphase

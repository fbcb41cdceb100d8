#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/field_leaves.h"

namespace stiction {
namespace {

Eigen::AlignedBox3d CenteredBox(const Vector3d& half) {
  return {-half, half};
}

// Distance to the ball about the origin.
FieldSample Radial(const Vector3d& v, double radius, const Vector3d& otherwise) {
  return {CalcLength(v) - radius, NormalizeOr(v, otherwise)};
}

// The prism |z| <= half_length over a plane figure with the sample `base` at (x, y).
FieldSample Extrude(const PlaneSample& base, double z, double half_length) {
  const double side = base.value, cap = std::abs(z) - half_length, up = z < 0.0 ? -1.0 : 1.0;
  if (side > 0.0 && cap > 0.0) {
    const double value = CalcLength(Vector2d(side, cap));
    const Vector2d across = side / value * base.gradient;
    return {value, {across.x(), across.y(), up * cap / value}};
  }
  if (cap > side) return {cap, {0.0, 0.0, up}};
  return {side, {base.gradient.x(), base.gradient.y(), 0.0}};
}

// A hexagon with two sides normal to x.
PlaneSample EvaluateHexagon(const Vector2d& q, double apothem) {
  // Turn the sector of the nearest side onto x, where the side is x = apothem, |y| <= apothem tan 30°. Of the
  // sides, normal to (±1, 0) and (±1/2, ±√3/2), the nearest is in the same quadrant.
  const bool is_along_x = std::abs(q.x()) >= std::numbers::sqrt3 * std::abs(q.y());
  const double c = std::copysign(is_along_x ? 1.0 : 0.5, q.x());
  const double s = is_along_x ? 0.0 : std::copysign(0.5 * std::numbers::sqrt3, q.y());
  const double x = c * q.x() + s * q.y(), y = c * q.y() - s * q.x();
  const double beyond_side = std::max(0.0, std::abs(y) - apothem * std::numbers::inv_sqrt3);
  const double beyond = x - apothem;
  if (beyond <= 0.0 || beyond_side == 0.0) return {beyond, {c, s}};
  const double value = CalcLength(Vector2d(beyond, beyond_side));
  const double nx = beyond / value, ny = std::copysign(beyond_side / value, y);
  return {value, {c * nx - s * ny, s * nx + c * ny}};
}

}  // namespace

FieldSample SphereField::Evaluate(const Vector3d& p) const {
  return Radial(p, radius, Vector3d::UnitZ());
}

FieldSample BoxField::Evaluate(const Vector3d& p) const {
  const Vector3d beyond = p.cwiseAbs() - half_extents;
  int nearest;
  const double largest = beyond.maxCoeff(&nearest);
  Vector3d gradient = Vector3d::Unit(nearest);
  double value = largest;
  if (largest > 0.0) {
    const Vector3d outside = beyond.cwiseMax(0.0);
    value = CalcLength(outside);
    gradient = outside / value;
  }
  for (int i = 0; i < 3; ++i) gradient[i] = std::copysign(gradient[i], p[i]);
  return {value, gradient};
}

FieldSample CapsuleField::Evaluate(const Vector3d& p) const {
  const double z = std::clamp(p.z(), -half_length, half_length);
  return Radial(p - Vector3d(0.0, 0.0, z), radius, Vector3d::UnitX());
}

FieldSample CylinderField::Evaluate(const Vector3d& p) const {
  return Extrude({CalcRho(p) - radius, RadialDirection(p)}, p.z(), half_length);
}

FieldSample TorusField::Evaluate(const Vector3d& p) const {
  const Vector2d radial = RadialDirection(p);
  const Vector3d center(major_radius * radial.x(), major_radius * radial.y(), 0.0);
  return Radial(p - center, minor_radius, Vector3d::UnitZ());
}

FieldSample HalfSpaceField::Evaluate(const Vector3d& p) const {
  return {p.z(), Vector3d::UnitZ()};
}

FieldSample HexagonField::Evaluate(const Vector3d& p) const {
  return Extrude(EvaluateHexagon(p.head<2>(), apothem), p.z(), half_length);
}

// Let x be the nearest surface point and m = x/a² the normal there (a² by component). With p = x + t m,
//   x_i = a_i² p_i / (t + a_i²),   F(t) = Σ (a_i p_i / (t + a_i²))² - 1 = 0,   φ = t |m|,
// and t > -a_min² selects the nearest of the solutions [Eberly, Distance from a point to an ellipse, an
// ellipsoid, or a hyperellipsoid, 2013]. F is convex and falls there: Newton from the left never overshoots.
// The unknown is s = t + a_min², which does not cancel near the pole.
FieldSample EllipsoidField::Evaluate(const Vector3d& p) const {
  int thin;
  const double a_min = radii.minCoeff(&thin);
  const Vector3d squares = radii.cwiseAbs2(), shift = squares.array() - a_min * a_min;
  const Vector3d weighted = radii.cwiseProduct(p.cwiseAbs());
  double s = 0.0;  // where one of the terms alone is 1, so that F >= 0
  for (int i = 0; i < 3; ++i) s = std::max(s, weighted[i] - shift[i]);
  // Quadratic from a start with F <= 2: a dozen steps, and 60 for the flattest.
  for (int step = 0; step < 60; ++step) {
    double F = -1.0, slope = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double denominator = s + shift[i];
      const double term = denominator > 0.0 ? weighted[i] / denominator : 0.0;
      F += term * term;
      if (term > 0.0) slope -= 2.0 * term * term / denominator;
    }
    const double next = s - F / slope;
    if (!(F > 0.0 && next > s)) break;
    s = next;
  }
  // On the symmetry planes within the focal curve F has no root for s > 0: it is the pole itself, s = 0, and
  // the components along the shortest axes (there may be several) take what the others leave.
  Vector3d m;
  double rest = 1.0;
  for (int i = 0; i < 3; ++i) {
    const double denominator = s + shift[i];
    m[i] = denominator > 0.0 ? p[i] / denominator : 0.0;
    if (denominator > 0.0) rest -= squares[i] * m[i] * m[i];
  }
  if (s == 0.0) m[thin] = std::copysign(std::sqrt(std::max(rest, 0.0)) / a_min, p[thin]);
  const double length = m.norm();
  return {(s - a_min * a_min) * length, m / length};
}

Eigen::AlignedBox3d SphereField::CalcBounds() const {
  return CenteredBox(Vector3d::Constant(radius));
}
Eigen::AlignedBox3d BoxField::CalcBounds() const {
  return CenteredBox(half_extents);
}
Eigen::AlignedBox3d CapsuleField::CalcBounds() const {
  return CenteredBox({radius, radius, radius + half_length});
}
Eigen::AlignedBox3d CylinderField::CalcBounds() const {
  return CenteredBox({radius, radius, half_length});
}
Eigen::AlignedBox3d EllipsoidField::CalcBounds() const {
  return CenteredBox(radii);
}
Eigen::AlignedBox3d TorusField::CalcBounds() const {
  return CenteredBox({major_radius + minor_radius, major_radius + minor_radius, minor_radius});
}
Eigen::AlignedBox3d HalfSpaceField::CalcBounds() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {Vector3d::Constant(-kInfinity), Vector3d(kInfinity, kInfinity, 0.0)};
}
Eigen::AlignedBox3d HexagonField::CalcBounds() const {
  return CenteredBox({apothem, 2.0 * apothem * std::numbers::inv_sqrt3, half_length});
}

}  // namespace stiction

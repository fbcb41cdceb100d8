#include "dynamics/tendon_wrap.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

// The points in polar coordinates of the plane of the circle; see the header.
struct PlanarProblem {
  Vector3d e0, e1;
  double radius, l0, l1, delta;

  // Length of the tangent from a point at distance l, and the angle β that it takes.
  double Tangent(double l) const { return std::sqrt(std::max(0.0, (l - radius) * (l + radius))); }
  double Beta(double l) const { return std::atan2(Tangent(l), radius); }
  bool LineHits() const { return delta > Beta(l0) + Beta(l1); }
};

// What a shape's circle sees of a point.
Vector3d Flatten(const WrapShape& shape, const Vector3d& p) {
  return shape.is_cylinder ? Vector3d(p.x(), p.y(), 0.0) : p;
}

// The direction of e1 for points in line with the centre, which have no plane of their own: that of the side
// site, if it has one.
Vector3d ChooseAcross(const WrapShape& shape, const Vector3d& e0, const Vector3d* side) {
  if (shape.is_cylinder) return Vector3d::UnitZ().cross(e0);
  if (side != nullptr) {
    const Vector3d across = *side - e0.dot(*side) * e0;
    if (across.norm() > 1e-6 * side->norm()) return across.normalized();
  }
  return e0.unitOrthogonal();
}

// None if a point is not outside.
std::optional<PlanarProblem> MakePlanar(const WrapShape& shape, const Vector3d& p0, const Vector3d& p1,
                                        const Vector3d* side) {
  const Vector3d x0 = Flatten(shape, p0), x1 = Flatten(shape, p1);
  PlanarProblem plane;
  plane.radius = shape.radius;
  plane.l0 = x0.norm(), plane.l1 = x1.norm();
  if (!(plane.l0 >= shape.radius && plane.l1 >= shape.radius)) return std::nullopt;
  plane.e0 = x0 / plane.l0;
  const double along = plane.e0.dot(x1);
  const Vector3d across = x1 - along * plane.e0;
  const double height = across.norm();
  if (height > 1e-14 * plane.l1) {
    plane.e1 = across / height;
    // Nearly in line, it consists of rounding: orthogonal it must be all the same.
    plane.e1 = (plane.e1 - plane.e0.dot(plane.e1) * plane.e0).normalized();
  } else {
    plane.e1 = ChooseAcross(shape, plane.e0, side);
  }
  plane.delta = std::atan2(height, along);
  return plane;
}

WrapArc MakeArc(const PlanarProblem& plane, double start, double sweep) {
  return {.e0 = plane.e0, .e1 = plane.e1, .radius = plane.radius, .start = start, .sweep = sweep};
}

WrapArc ShortWay(const PlanarProblem& plane) {
  const double beta0 = plane.Beta(plane.l0), beta1 = plane.Beta(plane.l1);
  return MakeArc(plane, beta0, plane.delta - beta0 - beta1);
}

WrapArc LongWay(const PlanarProblem& plane) {
  const double beta0 = plane.Beta(plane.l0), beta1 = plane.Beta(plane.l1);
  return MakeArc(plane, -beta0, plane.delta + beta0 + beta1 - 2.0 * std::numbers::pi);
}

// Whether the straight line passes the centre on the side of `side`. The sign that decides between the two
// ways around a circle so changes where they are equally long, or the line runs beside the shape.
bool LinePassesAt(const PlanarProblem& plane, const Vector3d& side) {
  const Vector2d side_2d(plane.e0.dot(side), plane.e1.dot(side));
  const Vector2d x0(plane.l0, 0.0), x1(plane.l1 * std::cos(plane.delta), plane.l1 * std::sin(plane.delta));
  const Vector2d line = x1 - x0;
  if (x0.dot(line) >= 0.0) return x0.dot(side_2d) >= 0.0;  // an end is nearest to the centre
  if (x1.dot(line) <= 0.0) return x1.dot(side_2d) >= 0.0;
  // The direction from the centre to the line, also where it runs through the centre.
  return Vector2d(line.y(), -line.x()).dot(side_2d) >= 0.0;
}

// The angle x of the point of the circle that makes |x₀ − p| + |p − x₁| least. Its slope is
//   g(x) = l₀ sin x / |x₀ − p| − l₁ sin(δ − x) / |x₁ − p|,
// the difference of the sines of incidence and reflection: ≤ 0 at 0, ≥ 0 at δ, with one root between, since
// the sum of distances is convex in the disc. Newton steps that leave the bracket are replaced by bisection.
double FindTouch(const PlanarProblem& plane) {
  constexpr int kMaxIterations = 100;  // bisection alone ends in 60
  const double r = plane.radius, delta = plane.delta;
  double lower = 0.0, upper = delta;
  const double h0 = plane.l0 - r, h1 = plane.l1 - r;
  double x = h0 + h1 > 0.0 ? delta * h0 / (h0 + h1) : 0.0;  // exact for a flat mirror
  // Value and slope of l sin x / |x₀ − p|.
  const auto sine = [r](double l, double angle, double& slope) {
    const double distance = std::sqrt((l - r) * (l - r) + 4.0 * l * r * std::pow(std::sin(0.5 * angle), 2));
    if (!(distance > 0.0)) return slope = 0.0;
    const double value = l * std::sin(angle) / distance;
    slope = (l * std::cos(angle) - r * value * value) / distance;
    return value;
  };
  for (int i = 0; i < kMaxIterations && upper > lower; ++i) {
    double slope0, slope1;
    const double g = sine(plane.l0, x, slope0) - sine(plane.l1, delta - x, slope1);
    if (g == 0.0) break;
    (g < 0.0 ? lower : upper) = x;
    const double slope = slope0 + slope1;
    double next = slope > 0.0 ? x - g / slope : lower;
    if (!(next > lower && next < upper)) next = 0.5 * (lower + upper);
    const double step = std::abs(next - x);
    x = next;
    if (step <= 1e-16 * delta) break;
  }
  return x;
}

// The arc with the climb of a cylinder's helix: heights in proportion to the length of the path as seen along
// the axis.
WrapArc Climb(const PlanarProblem& plane, WrapArc arc, double z_begin, double z_end) {
  const auto distance = [&](double l, double angle) {
    const double r = plane.radius;
    return std::sqrt((l - r) * (l - r) + 4.0 * l * r * std::pow(std::sin(0.5 * angle), 2));
  };
  const double before = distance(plane.l0, arc.start);
  const double along = arc.radius * std::abs(arc.sweep);
  const double after = distance(plane.l1, plane.delta - arc.start - arc.sweep);
  const double total = before + along + after;
  const double slope = total > 0.0 ? (z_end - z_begin) / total : 0.0;
  arc.z0 = z_begin + slope * before;
  arc.z1 = z_end - slope * after;
  return arc;
}

}  // namespace

Vector3d WrapArc::Point(double s) const {
  const double angle = start + s * sweep;
  return radius * (std::cos(angle) * e0 + std::sin(angle) * e1) + Vector3d(0.0, 0.0, z0 + s * (z1 - z0));
}

double WrapArc::Length() const {
  return std::hypot(radius * sweep, z1 - z0);
}

std::optional<WrapArc> FindWrapArc(const WrapShape& shape, const Vector3d& p_SQ0, const Vector3d& p_SQ1,
                                   const Vector3d* side_S) {
  const std::optional<PlanarProblem> plane = MakePlanar(shape, p_SQ0, p_SQ1, side_S);
  if (!plane) return std::nullopt;
  const bool hits = plane->LineHits();
  WrapArc arc;
  if (side_S != nullptr && side_S->norm() < shape.radius) {
    if (hits) return std::nullopt;
    arc = MakeArc(*plane, FindTouch(*plane), 0.0);
  } else if (side_S != nullptr && !LinePassesAt(*plane, *side_S)) {
    arc = LongWay(*plane);
  } else if (hits) {
    arc = ShortWay(*plane);
  } else {
    return std::nullopt;
  }
  return shape.is_cylinder ? Climb(*plane, arc, p_SQ0.z(), p_SQ1.z()) : arc;
}

}  // namespace stiction

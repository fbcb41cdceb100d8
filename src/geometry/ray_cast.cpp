#include "stiction/geometry/ray_cast.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/triangle_ray.h"
#include "math/contracts.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction {
namespace {

// The smaller root of a s² + 2 b s + c = 0, a > 0; none if it is not real. Written so that b and the root do
// not cancel.
std::optional<double> FindSmallerRoot(double a, double b, double c) {
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return std::nullopt;
  const double root = std::sqrt(discriminant);
  return b > 0.0 ? (-b - root) / a : c / (-b + root);
}

// Entering point of a ray into an intersection of half-spaces n · x <= offset.
struct SlabClipper {
  const Vector3d& p;
  const Vector3d& d;
  double enter = -std::numeric_limits<double>::infinity();
  double leave = std::numeric_limits<double>::infinity();
  Vector3d normal = Vector3d::Zero();

  void Clip(const Vector3d& n, double offset) {
    const double height = n.dot(p) - offset, slope = n.dot(d);
    if (slope == 0.0) {
      if (height > 0.0) leave = -std::numeric_limits<double>::infinity();
    } else if (const double s = -height / slope; slope < 0.0) {
      if (s > enter) enter = s, normal = n;
    } else {
      leave = std::min(leave, s);
    }
  }
  std::optional<ShapeHit> Hit() const {
    if (enter < 0.0 || enter > leave) return std::nullopt;
    return ShapeHit{enter, normal};
  }
};

// A ray from outside into the ball of radius r about the origin.
std::optional<ShapeHit> HitBall(const Vector3d& p, const Vector3d& d, double r) {
  const double c = p.squaredNorm() - r * r;
  if (c < 0.0) return std::nullopt;
  const std::optional<double> s = FindSmallerRoot(1.0, p.dot(d), c);
  if (!s || *s < 0.0) return std::nullopt;
  return ShapeHit{*s, (p + *s * d) / r};
}

// A ray into the side of the infinite cylinder of radius r about z; none for a ray along the axis.
std::optional<ShapeHit> HitSide(const Vector3d& p, const Vector3d& d, double r) {
  const Vector2d p_xy = p.head<2>(), d_xy = d.head<2>();
  const double a = d_xy.squaredNorm();
  if (a == 0.0) return std::nullopt;
  const std::optional<double> s = FindSmallerRoot(a, p_xy.dot(d_xy), p_xy.squaredNorm() - r * r);
  if (!s || *s < 0.0) return std::nullopt;
  const Vector2d n = (p_xy + *s * d_xy) / r;
  return ShapeHit{*s, {n.x(), n.y(), 0.0}};
}

bool IsNearer(const std::optional<ShapeHit>& a, const std::optional<ShapeHit>& b) {
  return a && (!b || a->distance < b->distance);
}

constexpr int kFieldSteps = 6;

struct RayCaster {
  const Vector3d& p;
  const Vector3d& d;
  using Result = std::optional<ShapeHit>;

  Result operator()(const Plane&) const {
    if (p.z() < 0.0 || d.z() >= 0.0) return std::nullopt;
    return ShapeHit{-p.z() / d.z(), Vector3d::UnitZ()};
  }

  Result operator()(const Sphere& s) const { return HitBall(p, d, s.radius); }

  Result operator()(const Capsule& s) const {
    const double z = std::clamp(p.z(), -s.half_length, s.half_length);
    if ((p - Vector3d(0, 0, z)).squaredNorm() < s.radius * s.radius) return std::nullopt;
    Result best = HitSide(p, d, s.radius);
    if (best && std::abs(p.z() + best->distance * d.z()) > s.half_length) best.reset();
    for (const double end : {-s.half_length, s.half_length}) {
      const Result cap = HitBall(p - Vector3d(0, 0, end), d, s.radius);
      // A ball's inner half lies within the side.
      if (cap && (p.z() + cap->distance * d.z() - end) * end >= 0.0 && IsNearer(cap, best)) best = cap;
    }
    return best;
  }

  // In the axes' units it is the unit ball; the gradient of Σ (x_i/r_i)² gives the normal.
  Result operator()(const Ellipsoid& s) const {
    const Vector3d q = p.cwiseQuotient(s.radii), e = d.cwiseQuotient(s.radii);
    const double c = q.squaredNorm() - 1.0;
    if (c < 0.0) return std::nullopt;
    const std::optional<double> root = FindSmallerRoot(e.squaredNorm(), q.dot(e), c);
    if (!root || *root < 0.0) return std::nullopt;
    return ShapeHit{*root, (q + *root * e).cwiseQuotient(s.radii).normalized()};
  }

  Result operator()(const Cylinder& s) const {
    const bool inside = p.head<2>().norm() < s.radius && std::abs(p.z()) < s.half_length;
    if (inside) return std::nullopt;
    Result best = HitSide(p, d, s.radius);
    if (best && std::abs(p.z() + best->distance * d.z()) > s.half_length) best.reset();
    for (const double sign : {-1.0, 1.0}) {
      if (sign * d.z() >= 0.0) continue;
      const double distance = (sign * s.half_length - p.z()) / d.z();
      if (distance < 0.0 || (p + distance * d).head<2>().norm() > s.radius) continue;
      const Result cap = ShapeHit{distance, sign * Vector3d::UnitZ()};
      if (IsNearer(cap, best)) best = cap;
    }
    return best;
  }

  Result operator()(const Box& s) const {
    SlabClipper clipper{p, d};
    for (int i = 0; i < 3; ++i) {
      clipper.Clip(Vector3d::Unit(i), s.half_extents[i]);
      clipper.Clip(-Vector3d::Unit(i), s.half_extents[i]);
    }
    return clipper.Hit();
  }

  Result operator()(const Hull& s) const {
    SlabClipper clipper{p, d};
    for (const ConvexHull::Face& face : s.polytope->faces) clipper.Clip(face.normal, face.offset);
    return clipper.Hit();
  }

  // A ray that leaves first has started inside, or behind an open mesh.
  Result operator()(const Mesh& s) const {
    double reach = std::numeric_limits<double>::infinity();
    int nearest = -1;
    geometry::ForEachHit(s.surface->mesh, s.surface->tree, p, d, reach, [&](int t, double distance) {
      if (distance < reach || nearest < 0 || t < nearest) nearest = t;
      reach = distance;
    });
    if (nearest < 0 || s.surface->faces[nearest].normal.dot(d) >= 0.0) return std::nullopt;
    return ShapeHit{reach, s.surface->faces[nearest].normal};
  }

  // From the triangle that is met to the surface itself: a step along the ray for each by which φ misses.
  Result operator()(const Field& s) const {
    Result hit = (*this)(s.solid->surface);
    for (int k = 0; hit && k < kFieldSteps; ++k) {
      const FieldSample at = s.solid->field.Evaluate(p + hit->distance * d);
      hit->n_G = at.gradient;
      const double slope = at.gradient.dot(d), step = -at.value / slope;
      if (!(slope < 0.0) || !(std::abs(step) < s.solid->spacing))
        break;  // at a grazing angle the triangle will do
      hit->distance = std::max(0.0, hit->distance + step);
    }
    return hit;
  }
};

}  // namespace

std::optional<ShapeHit> CastRay(const Shape& shape, const Vector3d& p_G, const Vector3d& d_G) {
  STICTION_ASSERT(IsUnit(d_G));
  return std::visit(RayCaster{p_G, d_G}, shape);
}

std::optional<ShapeHit> CastRay(const TriangleMesh& mesh, const Vector3d& p_G, const Vector3d& d_G) {
  std::optional<ShapeHit> best;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vector3d &a = mesh.vertices[i], &b = mesh.vertices[j], &c = mesh.vertices[k];
    const std::optional<double> s = geometry::HitTriangle(p_G, d_G, a, b, c);
    if (!s || (best && *s >= best->distance)) continue;
    const Vector3d n = (b - a).cross(c - a).normalized();
    best = ShapeHit{*s, n.dot(d_G) > 0.0 ? Vector3d(-n) : n};
  }
  return best;
}

}  // namespace stiction

#include "stiction/geometry/distance.h"

#include <Eigen/Geometry>
#include <limits>

#include "geometry/epa.h"

namespace stiction {
namespace {

using geometry::Core;
using geometry::CoreDistance;
using geometry::DifferenceSet;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A plane has no core.
struct CoreOf {
  Core operator()(const Plane&) const { return {}; }
  Core operator()(const Sphere& s) const { return {Core::Kind::kPoint, Vector3d::Zero(), nullptr, s.radius}; }
  Core operator()(const Capsule& s) const {
    return {Core::Kind::kSegment, {0, 0, s.half_length}, nullptr, s.radius};
  }
  Core operator()(const Ellipsoid& s) const { return {Core::Kind::kEllipsoid, s.radii, nullptr, 0.0}; }
  Core operator()(const Cylinder& s) const {
    return {Core::Kind::kCylinder, {s.radius, s.radius, s.half_length}, nullptr, 0.0};
  }
  Core operator()(const Box& s) const { return {Core::Kind::kBox, s.half_extents, nullptr, 0.0}; }
  Core operator()(const Hull& s) const {
    return {Core::Kind::kHull, Vector3d::Zero(), s.polytope.get(), 0.0};
  }
};

// Segments or points that meet: apart in no direction, so that any one across both will do.
CoreDistance TouchThinCores(const DifferenceSet& difference, const geometry::Simplex& simplex) {
  const auto axis = [](const Core& core, const Vector3d& z) {
    return core.h.z() > 0.0 ? z : Vector3d(Vector3d::Zero());
  };
  const Vector3d u = axis(difference.a(), Vector3d::UnitZ());
  const Vector3d w = axis(difference.b(), difference.X_AB().R.col(2));
  CoreDistance out;
  const Vector3d across = u.cross(w);
  if (across.norm() > 1e-9) {
    out.n_A = across.normalized();
  } else if (!u.isZero(0.0)) {
    out.n_A = Vector3d::UnitX();
  } else {
    out.n_A = w.isZero(0.0) ? Vector3d(Vector3d::UnitZ()) : Vector3d(difference.X_AB().R.col(0));
  }
  out.p_A = simplex.points[0].a;
  for (int k = 1; k < simplex.size; ++k) {
    out.p_A += simplex.weights[k] * (simplex.points[k].a - simplex.points[0].a);
  }
  out.p_B = out.p_A;
  return out;
}

CoreDistance CalcCoreDistance(const Core& a, const Core& b, const RigidTransform& X_AB) {
  DifferenceSet difference(a, b, X_AB);
  const geometry::GjkResult gjk = geometry::RunGjk(difference);
  if (gjk.is_apart) return gjk.nearest;
  if (a.is_thin() && b.is_thin()) return TouchThinCores(difference, gjk.simplex);
  return geometry::RunEpa(difference, gjk.simplex);
}

// Of a half-space, whose outward normal is n_W, and a bounded shape.
Distance CalcPlaneDistance(const RigidTransform& X_WP, const Shape& shape, const RigidTransform& X_WS) {
  const Core core = std::visit(CoreOf{}, shape);
  Distance out;
  out.n_W = X_WP.R.col(2);
  int vertex = 0;
  const Vector3d lowest_S = core.FindSupport(X_WS.R.transpose() * -out.n_W, vertex);
  out.p_WB = X_WS * lowest_S - core.inflation * out.n_W;
  out.distance = out.n_W.dot(out.p_WB - X_WP.p);
  out.p_WA = out.p_WB - out.distance * out.n_W;
  return out;
}

Distance CalcPlanesDistance(const RigidTransform& X_WA, const RigidTransform& X_WB) {
  Distance out;
  out.n_W = X_WA.R.col(2);
  const double height = out.n_W.dot(X_WB.p - X_WA.p);
  // 1e-12 rad: parallel to working precision.
  const bool face_each_other = (X_WA.R.col(2) + X_WB.R.col(2)).norm() < 1e-12;
  out.distance = face_each_other ? height : -kInfinity;
  out.p_WB = X_WB.p;
  out.p_WA = X_WB.p - height * out.n_W;
  return out;
}

Distance Swapped(Distance d) {
  std::swap(d.p_WA, d.p_WB);
  d.n_W = -d.n_W;
  return d;
}

}  // namespace

Distance CalcDistance(const Shape& a, const RigidTransform& X_WA, const Shape& b,
                      const RigidTransform& X_WB) {
  const bool a_is_plane = std::holds_alternative<Plane>(a), b_is_plane = std::holds_alternative<Plane>(b);
  if (a_is_plane && b_is_plane) return CalcPlanesDistance(X_WA, X_WB);
  if (a_is_plane) return CalcPlaneDistance(X_WA, b, X_WB);
  if (b_is_plane) return Swapped(CalcPlaneDistance(X_WB, a, X_WA));

  const Core core_a = std::visit(CoreOf{}, a), core_b = std::visit(CoreOf{}, b);
  const RigidTransform X_AB{X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
  const CoreDistance core = CalcCoreDistance(core_a, core_b, X_AB);
  Distance out;
  out.n_W = X_WA.R * core.n_A;
  out.distance = core.distance - core_a.inflation - core_b.inflation;
  out.p_WA = X_WA * core.p_A + core_a.inflation * out.n_W;
  out.p_WB = out.p_WA + out.distance * out.n_W;
  return out;
}

}  // namespace stiction

#include "geometry/core_distance.h"

#include <Eigen/Geometry>

#include "geometry/epa.h"
#include "geometry/refine_distance.h"

namespace stiction::geometry {
namespace {

// A plane has no core.
struct CoreOf {
  Core operator()(const Plane&) const { return {}; }
  Core operator()(const Sphere& s) const { return {Core::Kind::kPoint, Vector3d::Zero(), nullptr, s.radius}; }
  Core operator()(const Capsule& s) const { return MakeCore(s); }
  Core operator()(const Ellipsoid& s) const { return {Core::Kind::kEllipsoid, s.radii, nullptr, 0.0}; }
  Core operator()(const Cylinder& s) const { return MakeCore(s); }
  Core operator()(const Box& s) const { return MakeCore(s); }
  Core operator()(const Hull& s) const { return MakeCore(*s.polytope); }
  Core operator()(const Mesh&) const { return {}; }
  Core operator()(const Field&) const { return {}; }
};

// Segments or points that meet: apart in no direction, so that any one across both will do.
CoreDistance TouchThinCores(const DifferenceSet& difference, const Vector3d& p_A) {
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
  out.p_A = p_A;
  out.p_B = out.p_A;
  return out;
}

// The axes of a core's flat faces, in its own frame.
int CountFaceAxes(const Core& core) {
  return core.kind == Core::Kind::kBox ? 3 : core.kind == Core::Kind::kCylinder ? 1 : 0;
}
Vector3d FaceAxis(const Core& core, int k) {
  return core.kind == Core::Kind::kCylinder ? Vector3d::UnitZ() : Vector3d::Unit(k);
}

// A lower bound of the distance: the best separation along a face normal, or the first that is enough. Most
// shapes that are apart are told so, for less than GJK takes.
double CalcFaceSeparation(DifferenceSet difference, double enough) {
  const RigidTransform& X_AB = difference.X_AB();
  double best = -std::numeric_limits<double>::infinity();
  const auto try_axis = [&](const Vector3d& axis_A) {
    const Vector3d n_A = axis_A.dot(X_AB.p) < 0.0 ? Vector3d(-axis_A) : axis_A;
    best = std::max(best, -n_A.dot(difference.FindSupport(n_A).x));
    return best >= enough;
  };
  for (int k = 0; k < CountFaceAxes(difference.a()); ++k)
    if (try_axis(FaceAxis(difference.a(), k))) return best;
  for (int k = 0; k < CountFaceAxes(difference.b()); ++k)
    if (try_axis(X_AB.R * FaceAxis(difference.b(), k))) return best;
  return best;
}

}  // namespace

Core MakeCore(const Capsule& capsule) {
  return {Core::Kind::kSegment, {0, 0, capsule.half_length}, nullptr, capsule.radius};
}
Core MakeCore(const Cylinder& cylinder) {
  return {Core::Kind::kCylinder, {cylinder.radius, cylinder.radius, cylinder.half_length}, nullptr, 0.0};
}
Core MakeCore(const Box& box) {
  return {Core::Kind::kBox, box.half_extents, nullptr, 0.0};
}
Core MakeCore(const ConvexHull& hull) {
  return {Core::Kind::kHull, Vector3d::Zero(), &hull, 0.0};
}
Core MakeCore(const Shape& shape) {
  return std::visit(CoreOf{}, shape);
}

CoreDistance CalcCoreDistance(const Core& a, const Core& b, const RigidTransform& X_AB, double enough) {
  DifferenceSet difference(a, b, X_AB);
  if (enough < std::numeric_limits<double>::infinity()) {
    const double bound = CalcFaceSeparation(difference, enough);
    if (bound >= enough) return {bound, Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};
  }
  const GjkResult gjk = RunGjk(difference, enough);
  if (!gjk.is_apart && a.is_thin() && b.is_thin()) return TouchThinCores(difference, gjk.nearest.p_A);
  if (!gjk.is_apart && (a.kind == Core::Kind::kTriangle || b.kind == Core::Kind::kTriangle))
    return {0.0, Vector3d::UnitZ(), gjk.nearest.p_A, gjk.nearest.p_A};
  CoreDistance nearest = gjk.is_apart ? gjk.nearest : RunEpa(difference, gjk.simplex);
  if (nearest.distance < enough) RefineDistance(a, b, X_AB, nearest);
  return nearest;
}

}  // namespace stiction::geometry

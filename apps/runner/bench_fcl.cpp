#include "bench_fcl.h"

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include "stiction/geometry/convex_hull.h"

namespace stiction::runner {
namespace {

using FclShape = std::shared_ptr<const fcl::CollisionGeometryd>;

FclShape Convert(const Plane&) {
  return std::make_shared<fcl::Halfspaced>(Vector3d::UnitZ(), 0.0);
}
FclShape Convert(const Sphere& sphere) {
  return std::make_shared<fcl::Sphered>(sphere.radius);
}
FclShape Convert(const Capsule& capsule) {
  return std::make_shared<fcl::Capsuled>(capsule.radius, 2.0 * capsule.half_length);
}
FclShape Convert(const Ellipsoid& ellipsoid) {
  return std::make_shared<fcl::Ellipsoidd>(ellipsoid.radii);
}
FclShape Convert(const Cylinder& cylinder) {
  return std::make_shared<fcl::Cylinderd>(cylinder.radius, 2.0 * cylinder.half_length);
}
FclShape Convert(const Box& box) {
  return std::make_shared<fcl::Boxd>(2.0 * box.half_extents);
}
FclShape Convert(const Hull& hull) {
  // A face is its number of vertices, then those.
  const auto faces = std::make_shared<std::vector<int>>();
  for (const ConvexHull::Face& face : hull.polytope->faces) {
    faces->push_back(face.num_vertices);
    for (const int vertex : hull.polytope->VerticesOf(face)) faces->push_back(vertex);
  }
  return std::make_shared<fcl::Convexd>(std::make_shared<std::vector<Vector3d>>(hull.polytope->vertices),
                                        static_cast<int>(hull.polytope->faces.size()), faces);
}
FclShape Convert(const Mesh&) {
  return nullptr;
}
FclShape Convert(const Field&) {
  return nullptr;
}

FclShape Convert(const Shape& shape) {
  return std::visit([](const auto& s) { return Convert(s); }, shape);
}

template <typename... Types>
bool IsAny(const Shape& shape) {
  return (std::holds_alternative<Types>(shape) || ...);
}

bool HasExactDistance(const Shape& a, const Shape& b) {
  return IsAny<Box, Hull>(a) && IsAny<Box, Hull>(b);
}

bool HasExactContact(const Shape& a, const Shape& b) {
  if (IsAny<Plane>(a)) return IsAny<Sphere, Capsule, Ellipsoid, Cylinder, Box>(b);
  return IsAny<Sphere>(a) && IsAny<Sphere, Cylinder, Box>(b);
}

fcl::Transform3d Convert(const RigidTransform& X) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  transform.linear() = X.R;
  transform.translation() = X.p;
  return transform;
}

}  // namespace

FclCall MakeFclCall(const Shape& a, const Shape& b) {
  if (HasExactDistance(a, b)) {
    fcl::DistanceRequestd request(true, true);  // nearest points, signed
    return {"distance", [A = Convert(a), B = Convert(b), request](const auto& X_WA, const auto& X_WB) {
              fcl::DistanceResultd result;
              fcl::distance(A.get(), Convert(X_WA), B.get(), Convert(X_WB), request, result);
            }};
  }
  if (HasExactContact(a, b)) {
    const fcl::CollisionRequestd request(4, true);  // at most four contacts, with points and normals
    return {"collide", [A = Convert(a), B = Convert(b), request](const auto& X_WA, const auto& X_WB) {
              fcl::CollisionResultd result;
              fcl::collide(A.get(), Convert(X_WA), B.get(), Convert(X_WB), request, result);
            }};
  }
  return {};
}

}  // namespace stiction::runner

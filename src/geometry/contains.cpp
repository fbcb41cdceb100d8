// Whether shapes hold points.
#include <algorithm>
#include <cmath>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/distance.h"
#include "stiction/geometry/field_solid.h"

namespace stiction {
namespace {

struct Holds {
  const Vector3d& p;

  bool operator()(const Plane&) const { return p.z() <= 0.0; }
  bool operator()(const Sphere& s) const { return p.squaredNorm() <= s.radius * s.radius; }
  bool operator()(const Capsule& s) const {
    const double z = std::clamp(p.z(), -s.half_length, s.half_length);
    return (p - Vector3d(0, 0, z)).squaredNorm() <= s.radius * s.radius;
  }
  bool operator()(const Ellipsoid& s) const { return p.cwiseQuotient(s.radii).squaredNorm() <= 1.0; }
  bool operator()(const Cylinder& s) const {
    return p.head<2>().squaredNorm() <= s.radius * s.radius && std::abs(p.z()) <= s.half_length;
  }
  bool operator()(const Box& s) const { return (p.cwiseAbs().array() <= s.half_extents.array()).all(); }
  bool operator()(const Hull& s) const {
    return std::all_of(s.polytope->faces.begin(), s.polytope->faces.end(),
                       [&](const ConvexHull::Face& face) { return face.normal.dot(p) <= face.offset; });
  }
  bool operator()(const Mesh& s) const {
    const MeshSurface& surface = *s.surface;
    const bool is_near =
        (p.array() >= surface.lower.array()).all() && (p.array() <= surface.upper.array()).all();
    return is_near && CalcWindingNumber(surface.mesh, p) > 0.5;
  }
  bool operator()(const Field& s) const { return s.solid->field.CalcValue(p) <= 0.0; }
};

}  // namespace

bool Contains(const Shape& shape, const Vector3d& p_G) {
  return std::visit(Holds{p_G}, shape);
}

}  // namespace stiction

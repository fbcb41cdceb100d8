#include "stiction/geometry/shape.h"

#include <algorithm>
#include <cmath>

#include "math/constants.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction {
namespace {

struct NameOf {
  std::string_view operator()(const Plane&) const { return "plane"; }
  std::string_view operator()(const Sphere&) const { return "sphere"; }
  std::string_view operator()(const Capsule&) const { return "capsule"; }
  std::string_view operator()(const Ellipsoid&) const { return "ellipsoid"; }
  std::string_view operator()(const Cylinder&) const { return "cylinder"; }
  std::string_view operator()(const Box&) const { return "box"; }
  std::string_view operator()(const Hull&) const { return "hull"; }
  std::string_view operator()(const Mesh&) const { return "mesh"; }
  std::string_view operator()(const Field&) const { return "sdf"; }
};

// Each returns the support distance of the shape along the three world axes; the rows of R_WG are those axes
// in G.
struct BoundingHalfExtents {
  const Matrix3d& R_WG;

  Vector3d operator()(const Plane&) const { return Vector3d::Constant(kInfinity); }
  Vector3d operator()(const Sphere& s) const { return Vector3d::Constant(s.radius); }
  Vector3d operator()(const Capsule& s) const {
    return s.half_length * R_WG.col(2).cwiseAbs() + Vector3d::Constant(s.radius);
  }
  Vector3d operator()(const Ellipsoid& s) const { return (R_WG * s.radii.asDiagonal()).rowwise().norm(); }
  Vector3d operator()(const Cylinder& s) const {
    // Along a unit direction d the rim reaches radius * sqrt(1 - d_z²); rounding may leave 1 - d_z² below
    // zero.
    const Eigen::Array3d dz = R_WG.col(2).array();
    return s.half_length * dz.abs() + s.radius * (1.0 - dz.square()).max(0.0).sqrt();
  }
  Vector3d operator()(const Box& s) const { return R_WG.cwiseAbs() * s.half_extents; }
  // The box of the hull's own box: no loop over its vertices.
  Vector3d operator()(const Hull& s) const {
    return R_WG.cwiseAbs() * (-s.polytope->lower).cwiseMax(s.polytope->upper);
  }
  Vector3d operator()(const Mesh& s) const { return R_WG.cwiseAbs() * s.surface->upper; }  // a centred box
  Vector3d operator()(const Field& s) const { return (*this)(s.solid->surface); }
};

struct BoundingRadius {
  double operator()(const Plane&) const { return kInfinity; }
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Capsule& s) const { return s.radius + s.half_length; }
  double operator()(const Ellipsoid& s) const { return s.radii.maxCoeff(); }
  double operator()(const Cylinder& s) const { return std::hypot(s.radius, s.half_length); }
  double operator()(const Box& s) const { return s.half_extents.norm(); }
  double operator()(const Hull& s) const { return s.polytope->radius; }
  double operator()(const Mesh& s) const { return s.surface->radius; }
  double operator()(const Field& s) const { return s.solid->surface.surface->radius; }
};

struct SmallestRadius {
  double operator()(const Plane&) const { return 0.0; }
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Capsule& s) const { return s.radius; }
  double operator()(const Ellipsoid& s) const { return s.radii.minCoeff(); }
  double operator()(const Cylinder& s) const { return std::min(s.radius, s.half_length); }
  double operator()(const Box& s) const { return s.half_extents.minCoeff(); }
  double operator()(const Hull& s) const { return 0.5 * s.polytope->thickness; }
  double operator()(const Mesh& s) const { return 0.5 * s.surface->thickness; }
  double operator()(const Field& s) const { return 0.5 * s.solid->surface.surface->thickness; }
};

}  // namespace

std::string_view ShapeName(const Shape& shape) {
  return std::visit(NameOf{}, shape);
}

Vector3d CalcBoundingHalfExtents(const Shape& shape, const Matrix3d& R_WG) {
  return std::visit(BoundingHalfExtents{R_WG}, shape);
}

double CalcBoundingRadius(const Shape& shape) {
  return std::visit(BoundingRadius{}, shape);
}

double CalcSmallestRadius(const Shape& shape) {
  return std::visit(SmallestRadius{}, shape);
}

}  // namespace stiction

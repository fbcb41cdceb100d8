// Collision and inertia shapes, each in its own frame G.
//
// To add a shape, visit: this variant; geometry/mass_properties (volume, centre, inertia); geometry/shape.cpp
// (name, bounding box); collision/narrowphase (its pairs); the readers' keyword lists; the test of each.
// Every visitor is written without a catch-all, so that the compiler lists the places.
#pragma once

#include <memory>
#include <string_view>
#include <variant>

#include "stiction/math/rigid_transform.h"

namespace stiction {

// The half-space z <= 0 of its frame; infinite. Its outward normal is +z.
struct Plane {};
struct Sphere {
  double radius;  // [m]
};
// Segment of half-length `half_length` along z, inflated by `radius`.
struct Capsule {
  double radius;       // [m]
  double half_length;  // [m], of the segment between the two cap centres
};
struct Ellipsoid {
  Vector3d radii;  // [m]
};
// Axis along z.
struct Cylinder {
  double radius;       // [m]
  double half_length;  // [m]
};
struct Box {
  Vector3d half_extents;  // [m]
};

struct ConvexHull;
// A convex polytope, shared by all geoms that are made of the same mesh (geometry/convex_hull.h). Its frame
// stands at its centre of volume.
struct Hull {
  std::shared_ptr<const ConvexHull> polytope;  // never null in a model
};

struct MeshSurface;
// A surface of triangles, hollows included, shared by all geoms that are made of it
// (geometry/mesh_surface.h). Its frame stands at the middle of its bounding box.
struct Mesh {
  std::shared_ptr<const MeshSurface> surface;  // never null in a model
};

struct FieldSolid;
// A solid given by its signed distance, shared by all geoms that are made of it (geometry/field_solid.h). Its
// frame stands at the middle of its bounding box.
struct Field {
  std::shared_ptr<const FieldSolid> solid;  // never null in a model
};

using Shape = std::variant<Plane, Sphere, Capsule, Ellipsoid, Cylinder, Box, Hull, Mesh, Field>;

// Lower-case name, as in MJCF: "plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf";
// "hull".
std::string_view ShapeName(const Shape& shape);

// Half extents of the shape's axis-aligned bounding box when its frame is rotated by R_WG; infinite for a
// plane. [m]
Vector3d CalcBoundingHalfExtents(const Shape& shape, const Matrix3d& R_WG);

// Radius of the sphere about the shape's origin that encloses it; infinite for a plane. [m]
double CalcBoundingRadius(const Shape& shape);

// Half of the shape's smallest extent, the length scale for contact margins; 0 for a plane and an open mesh.
// [m]
double CalcSmallestRadius(const Shape& shape);

}  // namespace stiction

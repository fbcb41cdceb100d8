// Collision and inertia shapes, each in its own frame G.
//
// To add a shape, give it its data and its place in the variant below. The compiler then lists, by visitors
// without a catch-all and by tables that must be complete:
//
//   geometry   shape.cpp (name, bounding box and radius, thickness), mass_properties.cpp (volume, moments),
//              contains.cpp, ray_cast.cpp, core_distance.cpp (the convex set that GJK knows; none for others)
//   collision  narrowphase.cpp (its pairs: one file in narrowphase/)
//   model      builder_checks.cpp (sizes)
//   io         mjcf/writer_geom.cpp
//   viz        scene.cpp
//   apps       runner/list_command.cpp, runner/bench_fcl.cpp
//
// By hand: the keyword in io/mjcf/geom_spec.cpp and its sizes in mjcf/geom.cpp, io/urdf/link.cpp where URDF
// has it; of a shape that is not convex geometry/distance.cpp and collision/swept_contact.cpp; of one with
// flat faces collision/contact_tracker.cpp. The tests that pair every shape with every other take theirs
// from tests/tools/collision_stress.cpp, tests/collision/narrowphase_test.cpp and
// apps/runner/bench_poses.cpp.
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

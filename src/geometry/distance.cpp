#include "stiction/geometry/distance.h"

#include <algorithm>
#include <utility>

#include "geometry/core_distance.h"
#include "geometry/mesh_distance.h"
#include "math/constants.h"
#include "stiction/geometry/field_solid.h"

namespace stiction {
namespace {

using geometry::Core;
using geometry::CoreDistance;

// Of the shapes that are given by triangles.
const Mesh* FindSurface(const Shape& shape) {
  if (const Field* field = std::get_if<Field>(&shape)) return &field->solid->surface;
  return std::get_if<Mesh>(&shape);
}

// The shape's point that reaches furthest along the unit direction d, in its own frame.
Vector3d FindFurthest(const Shape& shape, const Vector3d& d) {
  if (const Mesh* mesh = FindSurface(shape)) return geometry::FindSupport(*mesh->surface, d);
  const Core core = geometry::MakeCore(shape);
  int vertex = 0;
  return core.FindSupport(d, vertex) + core.inflation * d;
}

// Of a half-space, whose outward normal is n_W, and a bounded shape.
Distance CalcPlaneDistance(const RigidTransform& X_WP, const Shape& shape, const RigidTransform& X_WS) {
  Distance out;
  out.n_W = X_WP.R.col(2);
  out.p_WB = X_WS * FindFurthest(shape, X_WS.R.transpose() * -out.n_W);
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

Distance CalcDistance(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB,
                      double enough) {
  const bool a_is_plane = std::holds_alternative<Plane>(a), b_is_plane = std::holds_alternative<Plane>(b);
  if (a_is_plane && b_is_plane) return CalcPlanesDistance(X_WA, X_WB);
  if (a_is_plane) return CalcPlaneDistance(X_WA, b, X_WB);
  if (b_is_plane) return Swapped(CalcPlaneDistance(X_WB, a, X_WA));

  const Core core_a = geometry::MakeCore(a), core_b = geometry::MakeCore(b);
  const RigidTransform X_AB{X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
  const Mesh *mesh_a = FindSurface(a), *mesh_b = FindSurface(b);
  if (mesh_b && !mesh_a) return Swapped(CalcDistance(b, X_WB, a, X_WA));
  const double enough_of_cores = enough + core_a.inflation + core_b.inflation;
  const CoreDistance core = mesh_a && mesh_b
                                ? geometry::CalcMeshDistance(*mesh_a->surface, *mesh_b->surface, X_AB)
                            : mesh_a ? geometry::CalcMeshDistance(*mesh_a->surface, core_b, X_AB)
                                     : geometry::CalcCoreDistance(core_a, core_b, X_AB, enough_of_cores);
  Distance out;
  if (core.distance >= enough_of_cores) {
    out.distance = std::max(enough, core.distance - core_a.inflation - core_b.inflation);
    return out;
  }
  out.n_W = X_WA.R * core.n_A;
  out.distance = core.distance - core_a.inflation - core_b.inflation;
  out.p_WA = X_WA * core.p_A + core_a.inflation * out.n_W;
  out.p_WB = out.p_WA + out.distance * out.n_W;
  return out;
}

}  // namespace stiction

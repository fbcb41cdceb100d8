#include "geometry/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::geometry {
namespace {

Core MakeTriangle(const MeshSurface& mesh, int face) {
  Core core;
  core.kind = Core::Kind::kTriangle;
  core.corner = {&mesh.vertex(face, 0), &mesh.vertex(face, 1), &mesh.vertex(face, 2)};
  return core;
}

CoreDistance Nothing() {
  CoreDistance out;
  out.distance = std::numeric_limits<double>::infinity();
  out.n_A = Vector3d::UnitZ();
  out.p_A = out.p_B = Vector3d::Zero();
  return out;
}

// Keeps the smaller one. A triangle that is met has no direction but its own.
void Offer(const CoreDistance& found, const Vector3d& normal_A, CoreDistance& best) {
  if (!(found.distance < best.distance)) return;
  best = found;
  if (found.distance == 0.0) best.n_A = normal_A;
}

}  // namespace

Vector3d FindSupport(const MeshSurface& mesh, const Vector3d& d) {
  return *std::max_element(mesh.mesh.vertices.begin(), mesh.mesh.vertices.end(),
                           [&](const Vector3d& p, const Vector3d& q) { return d.dot(p) < d.dot(q); });
}

CoreDistance CalcMeshDistance(const MeshSurface& mesh, const Core& core, const RigidTransform& X_AB) {
  CoreDistance best = Nothing();
  const double reach = core.CalcReach();
  const auto is_near = [&](const TriangleTree::Node& node) {
    const Vector3d nearest = X_AB.p.cwiseMax(node.lower).cwiseMin(node.upper);
    return (nearest - X_AB.p).norm() - reach < best.distance;
  };
  mesh.tree.ForEach(is_near, [&](int face) {
    Offer(CalcCoreDistance(MakeTriangle(mesh, face), core, X_AB, best.distance), mesh.faces[face].normal,
          best);
  });
  return best;
}

CoreDistance CalcMeshDistance(const MeshSurface& a, const MeshSurface& b, const RigidTransform& X_AB) {
  CoreDistance best = Nothing();
  a.tree.ForEachPair(b.tree, X_AB, best.distance, [&](int face_a, int face_b) {
    Offer(CalcCoreDistance(MakeTriangle(a, face_a), MakeTriangle(b, face_b), X_AB, best.distance),
          a.faces[face_a].normal, best);
  });
  return best;
}

}  // namespace stiction::geometry

#include "collision/narrowphase/mesh_features.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/triangle_ray.h"

namespace stiction::narrowphase {
namespace {

// Unit vector in the face's plane, across its edge k, away from the face.
Vector3d FindOutward(const MeshSurface& mesh, int face, int k) {
  const Vector3d along = mesh.vertex(face, (k + 1) % 3) - mesh.vertex(face, k);
  return along.cross(mesh.faces[face].normal).normalized();
}

// Of the face's vertices, the one that is not on edge k decides: whether n leans into the face.
bool LeansIntoFace(const MeshSurface& mesh, int face, int k, const Vector3d& n, double sine) {
  return -n.dot(FindOutward(mesh, face, k)) > sine;
}

int FindEdge(const MeshSurface& mesh, int face, int neighbor) {
  const int* neighbors = mesh.faces[face].neighbor;
  return neighbors[0] == neighbor ? 0 : neighbors[1] == neighbor ? 1 : 2;
}

// Whether the way from p up to the face enters the solid nowhere: p is in it.
bool IsBelow(const MeshSurface& mesh, int face, const Vector3d& p, double height) {
  bool enters = false;
  const double reach = -(1.0 - 1e-9) * height;
  geometry::ForEachHit(mesh.mesh, mesh.tree, p, mesh.faces[face].normal, reach, [&](int other, double) {
    enters = enters || (other != face && mesh.faces[other].normal.dot(mesh.faces[face].normal) < 0.0);
  });
  return !enters;
}

}  // namespace

double FindWayThrough(const MeshSurface& mesh, int face, const Vector3d& p) {
  const Vector3d inwards = -mesh.faces[face].normal;
  double nearest = std::numeric_limits<double>::infinity();
  geometry::ForEachHit(mesh.mesh, mesh.tree, p, inwards, nearest, [&](int other, double distance) {
    if (other != face && mesh.faces[other].normal.dot(inwards) > 0.0) nearest = std::min(nearest, distance);
  });
  return nearest;
}

bool FaceHolds(const MeshSurface& mesh, int face, const Vector3d& p, double height,
               const FaceTolerance& tolerance) {
  const MeshSurface::Face& at = mesh.faces[face];
  for (int k = 0; k < 3; ++k) {
    const Vector3d& from = mesh.vertex(face, k);
    const Vector3d along = mesh.vertex(face, (k + 1) % 3) - from;
    // Across the edge, times its length.
    const double beside = along.cross(at.normal).dot(p - from);
    if (beside > 0.0 && beside * beside > tolerance.beside * tolerance.beside * along.squaredNorm())
      return false;
    if (height >= 0.0 || at.edge[k] != MeshEdge::kConvex) continue;
    const MeshSurface::Face& beyond = mesh.faces[at.neighbor[k]];
    if (beyond.normal.dot(p) - beyond.offset > height + tolerance.deeper) return false;
  }
  return height >= -tolerance.deeper || IsBelow(mesh, face, p, height);
}

bool VertexAdmits(const MeshSurface& mesh, int vertex, const Vector3d& n, double sine) {
  const Vector3d& p = mesh.mesh.vertices[vertex];
  const auto ring = mesh.RingOf(vertex);
  return std::all_of(ring.begin(), ring.end(), [&](int other) {
    const Vector3d edge = mesh.mesh.vertices[other] - p;
    const double along = n.dot(edge);
    return along <= 0.0 || along * along <= sine * sine * edge.squaredNorm();
  });
}

bool EdgeAdmits(const MeshSurface& mesh, int face, int k, const Vector3d& n, double sine) {
  const MeshSurface::Face& at = mesh.faces[face];
  if (LeansIntoFace(mesh, face, k, n, sine)) return false;
  // The back of an open mesh touches nothing.
  if (at.edge[k] == MeshEdge::kOpen) return n.dot(at.normal) >= -sine;
  const int beyond = at.neighbor[k];
  return !LeansIntoFace(mesh, beyond, FindEdge(mesh, beyond, face), n, sine);
}

bool FindCrossing(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d,
                  const Vector3d& side, EdgeCrossing& out) {
  const Vector3d u = b - a, v = d - c, w = c - a, across = u.cross(v);
  const double squared = across.squaredNorm();
  if (squared <= kDistinctEdgesSine * kDistinctEdgesSine * u.squaredNorm() * v.squaredNorm()) return false;
  const double s = w.cross(v).dot(across) / squared, t = w.cross(u).dot(across) / squared;
  if (!(s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)) return false;
  out.n = across / std::sqrt(squared);
  if (out.n.dot(side) < 0.0) out.n = -out.n;
  out.p = a + s * u;
  out.q = c + t * v;
  out.gap = out.n.dot(w);
  return true;
}

}  // namespace stiction::narrowphase

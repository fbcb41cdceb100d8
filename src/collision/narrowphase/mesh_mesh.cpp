// Two meshes, and a mesh on a plane.
#include "collision/narrowphase/mesh.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/hull_clip.h"
#include "collision/narrowphase/mesh_corners.h"
#include "collision/narrowphase/mesh_features.h"
#include "collision/narrowphase/mesh_gatherer.h"

namespace stiction::narrowphase {
namespace {

using Kind = MeshGatherer::Kind;

// A corner of a body that lies on a face may lean this far from the face's direction, as a sine, and still be
// what touches it.
constexpr double kLeanSine = 0.2;

// In sizes: two walls that cross seem deep in one another along their edges' common normal.
constexpr double kDeepestCrossing = 0.1;

struct MeshPair {
  const MeshSurface &a, &b;
  RigidTransform X_AB;
  double deepest_crossing = 0.0;  // of edges that are taken for touching [m]
};

// Deeper than half way to the mesh's other side, a corner has come from there.
// Corner k of the face `from` of one mesh over a face of the other; X takes the one's frame to the other's.
// Calls add(surface point, normal, height, name), in the other's frame.
template <typename Add>
void AddCornerOverFace(const MeshSurface& mesh, int from, int k, const MeshSurface& other, int face,
                       const RigidTransform& X, const MeshGatherer& gatherer, const Add& add) {
  const int vertex = mesh.mesh.triangles[from][k];
  if (!mesh.faces[from].owns_vertex[k] || !mesh.is_corner[vertex]) return;
  const MeshSurface::Face& at = other.faces[face];
  const Vector3d p = X * mesh.mesh.vertices[vertex];
  const double height = at.normal.dot(p) - at.offset;
  if (height >= gatherer.margin()) return;
  if (!FaceHolds(other, face, p, height, gatherer.tolerance())) return;
  if (!VertexAdmits(mesh, vertex, X.R.transpose() * -at.normal, kLeanSine)) return;
  if (height < -gatherer.tolerance().deeper && -height > FindWayThrough(other, face, p)) return;
  add(p - height * at.normal, at.normal, height, vertex, static_cast<int>(NameDirection(at.normal)));
}

void AddCrossing(const MeshPair& pair, int face_a, int i, int face_b, int j, MeshGatherer& out) {
  const MeshSurface::Face &fa = pair.a.faces[face_a], &fb = pair.b.faces[face_b];
  if (!fa.owns_edge[i] || !IsRidge(fa.edge[i]) || !fb.owns_edge[j] || !IsRidge(fb.edge[j])) return;
  const Vector3d side =
      fa.neighbor[i] < 0 ? fa.normal : Vector3d(fa.normal + pair.a.faces[fa.neighbor[i]].normal);
  EdgeCrossing crossing;
  if (!FindCrossing(pair.a.vertex(face_a, i), pair.a.vertex(face_a, (i + 1) % 3),
                    pair.X_AB * pair.b.vertex(face_b, j), pair.X_AB * pair.b.vertex(face_b, (j + 1) % 3),
                    side, crossing))
    return;
  if (crossing.gap >= out.margin() || crossing.gap < -pair.deepest_crossing) return;
  if (!EdgeAdmits(pair.a, face_a, i, crossing.n, kConeSine)) return;
  if (!EdgeAdmits(pair.b, face_b, j, pair.X_AB.R.transpose() * -crossing.n, kConeSine)) return;
  out.Add(Kind::kEdges, crossing.p, crossing.n, crossing.gap, HashNames({3 * face_a + i, 3 * face_b + j}));
}

double CalcPairSize(const MeshSurface& a, const MeshSurface& b) {
  if (a.thickness > 0.0 && b.thickness > 0.0) return std::min(a.thickness, b.thickness);
  if (a.thickness > 0.0 || b.thickness > 0.0) return std::max(a.thickness, b.thickness);
  return std::min(a.radius, b.radius);  // two open meshes
}

// A corner of A over a face of B.
void AddCornerOfA(const MeshPair& pair, const RigidTransform& X_BA, int face_a, int i, int face_b,
                  MeshGatherer& out) {
  AddCornerOverFace(pair.a, face_a, i, pair.b, face_b, X_BA, out,
                    [&](const Vector3d& p_B, const Vector3d& n_B, double height, int vertex, int name) {
                      const Vector3d n = pair.X_AB.R * -n_B;
                      out.AddVertex(pair.X_AB * p_B - height * n, n, height, HashNames({0, vertex, name}),
                                    vertex, -n, pair.X_AB * pair.b.CalcCenter(face_b));
                    });
}

}  // namespace

void Collide(const Plane&, const RigidTransform& X_WA, const Mesh& mesh, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const MeshSurface& surface = *mesh.surface;
  const RigidTransform X_MP = RelativePose(X_WB, X_WA);
  const Vector3d n = X_MP.R.col(2);
  const double offset = n.dot(X_MP.p);
  MeshGatherer gatherer(margin, surface.thickness > 0.0 ? surface.thickness : surface.radius);
  const auto reaches = [&](const TriangleTree::Node& node) {
    const Vector3d center = 0.5 * (node.lower + node.upper), half = 0.5 * (node.upper - node.lower);
    return n.dot(center) - n.cwiseAbs().dot(half) - offset < margin;
  };
  surface.tree.ForEach(reaches, [&](int f) {
    for (int k = 0; k < 3; ++k) {
      const int vertex = surface.mesh.triangles[f][k];
      if (!surface.faces[f].owns_vertex[k] || !surface.is_corner[vertex]) continue;
      const Vector3d& p = surface.mesh.vertices[vertex];
      const double height = n.dot(p) - offset;
      gatherer.AddUnseen(p, -n, height, HashNames({vertex}));
    }
  });
  const int first = out.num_points;
  gatherer.Finish(X_WB, Manifold::kMaxConvexPoints, out);
  for (int k = first; k < out.num_points; ++k) out.points[k].n_W = -out.points[k].n_W;
}

void GatherCorners(const MeshSurface& mesh, const MeshSurface& other, const RigidTransform& X_MO,
                   double margin, MeshGatherer& out) {
  const MeshPair pair{mesh, other, X_MO, 0.0};
  const RigidTransform X_OM = X_MO.Inverse();
  mesh.tree.ForEachPair(other.tree, X_MO, margin, [&](int face_a, int face_b) {
    for (int i = 0; i < 3; ++i) AddCornerOfA(pair, X_OM, face_a, i, face_b, out);
  });
}

void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Mesh& other, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const MeshSurface &a = *mesh.surface, &b = *other.surface;
  const double size = CalcPairSize(a, b);
  const MeshPair pair{a, b, RelativePose(X_WA, X_WB), kDeepestCrossing * size};
  const RigidTransform X_BA = pair.X_AB.Inverse();
  const int num_a = static_cast<int>(pair.a.mesh.vertices.size());
  MeshGatherer gatherer(margin, size);
  pair.a.tree.ForEachPair(pair.b.tree, pair.X_AB, margin, [&](int face_a, int face_b) {
    for (int i = 0; i < 3; ++i) {
      AddCornerOfA(pair, X_BA, face_a, i, face_b, gatherer);
      AddCornerOverFace(pair.b, face_b, i, pair.a, face_a, pair.X_AB, gatherer,
                        [&](const Vector3d& p, const Vector3d& n, double height, int vertex, int name) {
                          gatherer.AddVertex(p, n, height, HashNames({1, vertex, name}), num_a + vertex, n,
                                             pair.a.CalcCenter(face_a));
                        });
      for (int j = 0; j < 3; ++j) AddCrossing(pair, face_a, i, face_b, j, gatherer);
    }
  });
  gatherer.Finish(X_WA, kMaxMeshPoints, out);
}

}  // namespace stiction::narrowphase

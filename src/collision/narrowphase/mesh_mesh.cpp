// Two meshes, and a mesh on a plane.
#include "collision/narrowphase/mesh.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/deep_overlap.h"
#include "collision/narrowphase/gatherer.h"
#include "collision/narrowphase/mesh_corners.h"
#include "collision/narrowphase/mesh_features.h"

namespace stiction::narrowphase {
namespace {

using Kind = Gatherer::Kind;

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

using TriangleCorners = std::array<Vector3d, 3>;

// Two triangles that may touch, in A's frame, and how high the corners of each are over the other's plane.
struct TrianglePair {
  int face_a, face_b;
  TriangleCorners p, q;
  Vector3d height_p, height_q;
};

// False if the triangles are farther apart than the margin, by their planes.
bool FindTrianglePair(const MeshPair& pair, int face_a, int face_b, double clear, TrianglePair& out) {
  const MeshSurface::Face &at_a = pair.a.faces[face_a], &at_b = pair.b.faces[face_b];
  for (int k = 0; k < 3; ++k) {
    out.q[k] = pair.X_AB * pair.b.vertex(face_b, k);
    out.height_q[k] = at_a.normal.dot(out.q[k]) - at_a.offset;
  }
  if (out.height_q.minCoeff() >= clear) return false;
  const Vector3d n_b = pair.X_AB.R * at_b.normal;
  const double offset_b = at_b.offset + n_b.dot(pair.X_AB.p);
  for (int k = 0; k < 3; ++k) {
    out.p[k] = pair.a.vertex(face_a, k);
    out.height_p[k] = n_b.dot(out.p[k]) - offset_b;
  }
  if (out.height_p.minCoeff() >= clear) return false;
  out.face_a = face_a, out.face_b = face_b;
  return true;
}

// Corner k of the face `from` of one mesh at p, over a face of the other; R takes the one's axes to the
// other's. Calls add(surface point, normal, height, name), all in the other's frame. Deeper than half way to
// the mesh's other side, a corner has come from there.
template <typename Add>
void AddCornerOverFace(const MeshSurface& mesh, int from, int k, const Vector3d& p, double height,
                       const MeshSurface& other, int face, const Matrix3d& R, const Gatherer& gatherer,
                       const Add& add) {
  if (height >= gatherer.margin() || !mesh.faces[from].owns_vertex[k]) return;
  const int vertex = mesh.mesh.triangles[from][k];
  if (!mesh.is_corner[vertex]) return;
  const MeshSurface::Face& at = other.faces[face];
  if (!FaceHolds(other, face, p, height, FaceTolerance(gatherer.size()))) return;
  if (!VertexAdmits(mesh, vertex, R.transpose() * -at.normal, kLeanSine)) return;
  if (height < -kDepthSlack * gatherer.size() && -height > FindWayThrough(other, face, p)) return;
  add(p - height * at.normal, at.normal, height, vertex, static_cast<int>(NameDirection(at.normal)));
}

void AddCrossing(const MeshPair& pair, const TrianglePair& at, int i, int j, Gatherer& out) {
  const MeshSurface::Face &fa = pair.a.faces[at.face_a], &fb = pair.b.faces[at.face_b];
  if (!fa.owns_edge[i] || !IsRidge(fa.edge[i]) || !fb.owns_edge[j] || !IsRidge(fb.edge[j])) return;
  const Vector3d side =
      fa.neighbor[i] < 0 ? fa.normal : Vector3d(fa.normal + pair.a.faces[fa.neighbor[i]].normal);
  EdgeCrossing crossing;
  if (!FindCrossing(at.p[i], at.p[(i + 1) % 3], at.q[j], at.q[(j + 1) % 3], side, crossing)) return;
  if (crossing.gap >= out.margin() || crossing.gap < -pair.deepest_crossing) return;
  if (!EdgeAdmits(pair.a, at.face_a, i, crossing.n, kConeSine)) return;
  if (!EdgeAdmits(pair.b, at.face_b, j, pair.X_AB.R.transpose() * -crossing.n, kConeSine)) return;
  out.Add(Kind::kEdges, crossing.p, crossing.n, crossing.gap,
          HashNames({3 * at.face_a + i, 3 * at.face_b + j}));
}

double CalcPairSize(const MeshSurface& a, const MeshSurface& b) {
  if (a.thickness > 0.0 && b.thickness > 0.0) return std::min(a.thickness, b.thickness);
  if (a.thickness > 0.0 || b.thickness > 0.0) return std::max(a.thickness, b.thickness);
  return std::min(a.radius, b.radius);  // two open meshes
}

// A corner of A over a face of B.
//   p_B, height  its place, and that over the face
void AddCornerOfA(const MeshPair& pair, const Matrix3d& R_BA, int face_a, int i, const Vector3d& p_B,
                  double height, int face_b, Gatherer& out) {
  AddCornerOverFace(pair.a, face_a, i, p_B, height, pair.b, face_b, R_BA, out,
                    [&](const Vector3d& q_B, const Vector3d& n_B, double gap, int vertex, int name) {
                      const Vector3d n = pair.X_AB.R * -n_B;
                      out.AddVertex(pair.X_AB * q_B - gap * n, n, gap, HashNames({0, vertex, name}), vertex,
                                    -n, pair.X_AB * pair.b.CalcCenter(face_b));
                    });
}

void AddCornerOfB(const MeshPair& pair, const TrianglePair& at, int j, Gatherer& out) {
  const int num_a = static_cast<int>(pair.a.mesh.vertices.size());
  AddCornerOverFace(pair.b, at.face_b, j, at.q[j], at.height_q[j], pair.a, at.face_a, pair.X_AB.R, out,
                    [&](const Vector3d& p, const Vector3d& n, double height, int vertex, int name) {
                      out.AddVertex(p, n, height, HashNames({1, vertex, name}), num_a + vertex, n,
                                    pair.a.CalcCenter(at.face_a));
                    });
}

// Vertices may be beside a face by a little, and count.
double CalcClear(const Gatherer& gatherer) {
  return gatherer.margin() + 2.0 * kBeside * gatherer.size();
}

}  // namespace

void Collide(const Plane&, const RigidTransform& X_WA, const Mesh& mesh, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const MeshSurface& surface = *mesh.surface;
  const RigidTransform X_MP = RelativePose(X_WB, X_WA);
  const Vector3d n = X_MP.R.col(2);
  const double offset = n.dot(X_MP.p);
  Gatherer gatherer(margin, surface.thickness > 0.0 ? surface.thickness : surface.radius, kSamePlaceOnMesh,
                    4 * Manifold::kMaxConvexPoints);
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
      // Vertices are apart: none is compared with the others.
      gatherer.AddAlone(p - (0.5 * height) * n, -n, height, HashNames({vertex}));
    }
  });
  const int first = out.num_points;
  gatherer.SortOut();
  gatherer.Finish(X_WB, Manifold::kMaxConvexPoints, out);
  for (int k = first; k < out.num_points; ++k) out.points[k].n_W = -out.points[k].n_W;
}

void GatherCorners(const MeshSurface& mesh, const MeshSurface& other, const RigidTransform& X_MO,
                   double margin, Gatherer& out) {
  const MeshPair pair{mesh, other, X_MO, 0.0};
  const RigidTransform X_OM = X_MO.Inverse();
  mesh.tree.ForEachPair(other.tree, X_MO, margin, [&](int face_a, int face_b) {
    const MeshSurface::Face& at = other.faces[face_b];
    for (int i = 0; i < 3; ++i) {
      if (!mesh.faces[face_a].owns_vertex[i]) continue;
      const Vector3d p_O = X_OM * mesh.vertex(face_a, i);
      AddCornerOfA(pair, X_OM.R, face_a, i, p_O, at.normal.dot(p_O) - at.offset, face_b, out);
    }
  });
}

void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Mesh& other, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const MeshSurface &a = *mesh.surface, &b = *other.surface;
  const double size = CalcPairSize(a, b);
  const MeshPair pair{a, b, RelativePose(X_WA, X_WB), kDeepestCrossing * size};
  const RigidTransform X_BA = pair.X_AB.Inverse();
  Gatherer gatherer(margin, size, kSamePlaceOnMesh);
  TrianglePair at;
  pair.a.tree.ForEachPair(pair.b.tree, pair.X_AB, margin, [&](int face_a, int face_b) {
    if (!FindTrianglePair(pair, face_a, face_b, CalcClear(gatherer), at)) return;
    for (int i = 0; i < 3; ++i) {
      if (at.height_p[i] < margin)
        AddCornerOfA(pair, X_BA.R, face_a, i, X_BA * at.p[i], at.height_p[i], face_b, gatherer);
      AddCornerOfB(pair, at, i, gatherer);
      for (int j = 0; j < 3; ++j) AddCrossing(pair, at, i, j, gatherer);
    }
  });
  FinishMesh([&](double least) { return FindDeepOverlap(a, b, pair.X_AB, least); }, X_WA, gatherer, out);
}

}  // namespace stiction::narrowphase

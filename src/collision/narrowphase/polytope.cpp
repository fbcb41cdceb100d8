#include "collision/narrowphase/polytope.h"

#include <limits>

namespace stiction::narrowphase {
namespace {

// Face 2 i + s is normal to axis i, on its positive side for s = 1; its vertices turn counter-clockwise seen
// from outside. Vertex k has bit i set on the positive side of axis i.
struct BoxTopology {
  std::array<int, 24> face_vertices{};
  std::array<int, 9> first{};  // 3 k, for neighbours and faces alike
  std::array<int, 24> neighbors{}, vertex_faces{};
  std::array<ConvexHull::Edge, 12> edges{};

  constexpr BoxTopology() {
    int num_edges = 0;
    for (int k = 0; k < 8; ++k) {
      for (int i = 0; i < 3; ++i) {
        if (k >> i & 1) continue;
        const int u = (i + 1) % 3, v = (i + 2) % 3;
        edges[num_edges++] = {{k, k | 1 << i}, {2 * u + (k >> u & 1), 2 * v + (k >> v & 1)}};
      }
    }
    for (int i = 0; i < 3; ++i) {
      const int u = 1 << (i + 1) % 3, v = 1 << (i + 2) % 3, side = 1 << i;
      const int positive[4] = {side, side | u, side | u | v, side | v}, negative[4] = {0, v, u | v, u};
      for (int k = 0; k < 4; ++k) {
        face_vertices[8 * i + k] = negative[k];
        face_vertices[8 * i + 4 + k] = positive[k];
      }
      for (int k = 0; k < 8; ++k) {
        neighbors[3 * k + i] = k ^ side;
        vertex_faces[3 * k + i] = 2 * i + (k >> i & 1);
      }
    }
    for (int k = 0; k < 9; ++k) first[k] = 3 * k;
  }
};
constexpr BoxTopology kBox;

}  // namespace

int Polytope::FindFaceAround(int vertex, const Vector3d& d) const {
  int best = -1;
  double cosine = -2.0;
  for (const int face : FacesOf(vertex)) {
    const double candidate = faces[face].normal.dot(d);
    if (candidate > cosine) cosine = candidate, best = face;
  }
  return best;
}

int Polytope::FindFaceBelow(const Vector3d& p) const {
  int best = 0;
  double height = -std::numeric_limits<double>::infinity();
  for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
    const double candidate = faces[f].normal.dot(p) - faces[f].offset;
    if (candidate > height) height = candidate, best = f;
  }
  return best;
}

Vector3d Polytope::CalcFaceCenter(int face) const {
  Vector3d sum = Vector3d::Zero();
  for (const int vertex : VerticesOf(faces[face])) sum += vertices[vertex];
  return sum / faces[face].num_vertices;
}

Polytope MakePolytope(const ConvexHull& hull) {
  return {geometry::MakeCore(hull),
          hull.vertices,
          hull.faces,
          hull.edges,
          hull.face_vertices.data(),
          hull.first_neighbor.data(),
          hull.neighbors.data(),
          hull.first_face.data(),
          hull.vertex_faces.data(),
          hull.thickness};
}

geometry::CoreDistance CalcPointDistance(const Vector3d& p, const Polytope& polytope) {
  // Seen from the frame P with the polytope's axes and its origin at the point.
  RigidTransform X_PH;
  X_PH.p = -p;
  geometry::CoreDistance out = CalcCoreDistance(geometry::Core{}, polytope.core, X_PH);
  out.p_A += p;
  out.p_B += p;
  return out;
}

BoxPolytope::BoxPolytope(const Box& box) : box_(box) {
  const Vector3d& h = box.half_extents;
  for (int k = 0; k < 8; ++k) {
    vertices[k] = {k & 1 ? h.x() : -h.x(), k & 2 ? h.y() : -h.y(), k & 4 ? h.z() : -h.z()};
  }
  for (int f = 0; f < 6; ++f) {
    faces[f] = {(f & 1 ? 1.0 : -1.0) * Vector3d::Unit(f / 2), h[f / 2], 4 * f, 4};
  }
}

Polytope BoxPolytope::View() const {
  return {geometry::MakeCore(box_),
          vertices,
          faces,
          kBox.edges,
          kBox.face_vertices.data(),
          kBox.first.data(),
          kBox.neighbors.data(),
          kBox.first.data(),
          kBox.vertex_faces.data(),
          2.0 * box_.half_extents.minCoeff()};
}

}  // namespace stiction::narrowphase

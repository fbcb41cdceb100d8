// One view of boxes and hulls for the pairs that clip their faces. Refers to its shape; allocates nothing.
#pragma once

#include <array>
#include <span>

#include "geometry/core_distance.h"

namespace stiction::narrowphase {

struct Polytope {
  geometry::Core core;
  std::span<const Vector3d> vertices;
  std::span<const ConvexHull::Face> faces;
  std::span<const ConvexHull::Edge> edges;
  const int* face_vertices;
  const int* first_neighbor;  // size num_vertices + 1, as in ConvexHull
  const int* neighbors;
  const int* first_face;
  const int* vertex_faces;
  double thickness;  // smallest extent [m]

  std::span<const int> VerticesOf(const ConvexHull::Face& face) const {
    return {face_vertices + face.first_vertex, static_cast<std::size_t>(face.num_vertices)};
  }
  std::span<const int> NeighborsOf(int vertex) const {
    return {neighbors + first_neighbor[vertex], neighbors + first_neighbor[vertex + 1]};
  }
  std::span<const int> FacesOf(int vertex) const {
    return {vertex_faces + first_face[vertex], vertex_faces + first_face[vertex + 1]};
  }
  int FindSupport(const Vector3d& d, int start = 0) const {
    core.FindSupport(d, start);
    return start;
  }
  // Of the faces around a vertex, the one that looks most nearly along d.
  int FindFaceAround(int vertex, const Vector3d& d) const;
  // The face that p is highest above, or least far below.
  int FindFaceBelow(const Vector3d& p) const;
  // The mean of a face's vertices.
  Vector3d CalcFaceCenter(int face) const;
};

Polytope MakePolytope(const ConvexHull& hull);

// Signed distance of a point (A) and a polytope (B), all in the polytope's frame.
geometry::CoreDistance CalcPointDistance(const Vector3d& p, const Polytope& polytope);

// A box needs storage for its vertices and faces, which the view refers to. Vertices are numbered as in
// box_features.h.
struct BoxPolytope {
  std::array<Vector3d, 8> vertices;
  std::array<ConvexHull::Face, 6> faces;

  explicit BoxPolytope(const Box& box);
  Polytope View() const;

 private:
  Box box_;
};

}  // namespace stiction::narrowphase

// Convex polytopes: vertices, flat faces, edges and their adjacency, by Qhull.
//
// Facets that lie in one plane, round-off aside, are merged, so that the top of a box is one quadrilateral
// and a contact manifold can clip whole faces. Qhull stays inside convex_hull.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "stiction/geometry/shape.h"
#include "stiction/geometry/triangle_mesh.h"

namespace stiction {

// All in one frame. Indices are small: a hull has at most kMaxVertices vertices.
struct ConvexHull {
  struct Face {
    Vector3d normal;       // unit, outward
    double offset = 0.0;   // the face is normal · x = offset; every vertex has normal · x <= offset
    int first_vertex = 0;  // of its vertices in face_vertices, counter-clockwise seen from outside
    int num_vertices = 0;
  };
  struct Edge {
    int vertex[2];  // ascending
    int face[2];    // the two faces that meet
  };
  std::vector<Vector3d> vertices;  // [m]
  std::vector<Face> faces;
  std::vector<int> face_vertices;  // concatenated over the faces
  std::vector<Edge> edges;
  std::vector<int> first_neighbor;  // size num_vertices + 1, into neighbors: vertices that share an edge
  std::vector<int> neighbors;
  std::vector<int> first_face;  // size num_vertices + 1, into vertex_faces: faces around a vertex
  std::vector<int> vertex_faces;

  Vector3d lower, upper;        // bounding box [m]
  double radius = 0.0;          // largest distance of a vertex from the origin [m]
  double thickness = 0.0;       // smallest extent over the face normals [m]
  MassProperties unit_density;  // of the solid with density 1: mass is the volume [m³]

  std::span<const int> VerticesOf(const Face& face) const {
    return {face_vertices.data() + face.first_vertex, static_cast<std::size_t>(face.num_vertices)};
  }
};

// The smallest convex polytope that holds the points. Throws std::invalid_argument, with advice: fewer than
// four points, points in one plane (thinner than 1e-6 of their extent), a number that is not finite.
ConvexHull MakeConvexHull(std::span<const Vector3d> points);

// Its surface, every face a fan of triangles; the vertices are the hull's.
TriangleMesh Triangulate(const ConvexHull& hull);

// The hull as a collision shape: its frame G stands at the hull's centre of volume, axes as the points' frame
// P, so that bounding boxes are tight.
struct PlacedHull {
  Hull hull;
  Vector3d p_PG;  // [m]
};
PlacedHull MakeHull(std::span<const Vector3d> points);

// Index of the vertex furthest along d: hill climbing from `start`, linear in the vertices passed. Does not
// allocate. Ties go to the one met first.
int FindSupport(const ConvexHull& hull, const Vector3d& d, int start = 0);

}  // namespace stiction

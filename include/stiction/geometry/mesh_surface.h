// A triangle mesh as a collision shape: its own surface, hollows and holes included, not its hull.
//
// Contact needs to know more than the triangles. An edge between two triangles of one plane is drawn, not
// there: nothing may catch on it. An edge in a valley touches nothing. Both would tilt the normals of
// whatever rolls over them, so that each edge knows its kind, and each vertex whether it is a corner.
//
// Triangles are seen from the side on which they wind counter-clockwise. A closed mesh that winds inwards is
// turned over.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "stiction/geometry/triangle_tree.h"

namespace stiction {

enum class MeshEdge : std::uint8_t {
  kFlat,     // the two triangles lie in one plane, to 1e-4 rad
  kConvex,   // a ridge
  kConcave,  // a valley
  kOpen,     // of one triangle only
};

struct MeshSurface {
  struct Face {
    Vector3d normal;                 // unit, outward
    double offset = 0.0;             // the plane is normal · x = offset
    int neighbor[3] = {-1, -1, -1};  // across the edge from vertex k to vertex k + 1; -1 if that is open
    MeshEdge edge[3] = {MeshEdge::kOpen, MeshEdge::kOpen, MeshEdge::kOpen};
    // Every edge belongs to one of its faces, and every vertex: who asks the faces in a box meets each once.
    bool owns_edge[3] = {true, true, true};
    bool owns_vertex[3] = {false, false, false};
  };
  TriangleMesh mesh;  // no two equal vertices, no triangle without area
  std::vector<Face> faces;
  std::vector<char> is_corner;  // one per vertex: not within a plane, a straight edge or a valley
  std::vector<int> first_ring;  // size num_vertices + 1, into ring: vertices that share an edge
  std::vector<int> ring;
  TriangleTree tree;

  Vector3d lower, upper;        // bounding box [m]
  double radius = 0.0;          // largest distance of a vertex from the origin [m]
  double thickness = 0.0;       // smallest side of the bounding box; 0 for an open mesh [m]
  bool is_closed = false;       // every edge joins two triangles
  int num_dropped = 0;          // triangles without area
  int num_crowded_edges = 0;    // edges of more than two triangles
  bool was_turned = false;      // it was closed and wound inwards
  MassProperties unit_density;  // of the solid with density 1; zeros for an open mesh

  const Vector3d& vertex(int face, int k) const { return mesh.vertices[mesh.triangles[face][k]]; }
  Vector3d CalcCenter(int face) const { return (vertex(face, 0) + vertex(face, 1) + vertex(face, 2)) / 3.0; }
  std::span<const int> RingOf(int v) const {
    return {ring.data() + first_ring[v], ring.data() + first_ring[v + 1]};
  }
};

// The mesh as a collision shape: its frame G stands at the middle of its bounding box, axes as the mesh's
// frame M, so that bounding boxes are tight.
struct PlacedMesh {
  Mesh mesh;
  Vector3d p_MG;  // [m]
};

// Throws std::invalid_argument, with advice: no triangle with an area, more than 2^24 triangles, a vertex
// that is not finite, an index out of range.
PlacedMesh MakeMesh(const TriangleMesh& mesh);

// How often the surface winds around the point: 1 inside of a closed mesh, 0 outside, something between near
// holes [Jacobson, Kavan, Sorkine-Hornung: "Robust inside-outside segmentation using generalized winding
// numbers", 2013]. Linear in the triangles.
double CalcWindingNumber(const TriangleMesh& mesh, const Vector3d& p);

// The most samples of a height field, which make twice as many triangles: building these takes about ten
// seconds and 0.4 GB. Terrains commonly have a power of two and one samples per side.
inline constexpr std::size_t kMaxHeightSamples = std::size_t{1025} * 1025;

// A grid of heights above the plane z = 0, and a base below it, as a closed surface: how terrain is drawn.
struct HeightGrid {
  int num_rows = 0;             // along y
  int num_cols = 0;             // along x
  std::vector<double> heights;  // row after row, from -y to +y, each from -x to +x [m]
  Vector2d half_extents;        // [m]
  double base = 0.0;            // depth of the base below z = 0, positive [m]
};

// Each cell is split along the diagonal from its corner at -x, -y. Throws std::invalid_argument: fewer than
// two rows or columns, more than kMaxHeightSamples samples, a number of heights that does not fit, a height
// that is not finite or lies below the base.
TriangleMesh MakeHeightFieldMesh(const HeightGrid& grid);

}  // namespace stiction

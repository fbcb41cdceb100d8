// What COLLADA and glTF share: a tree of nodes, each placed in its parent, that carry meshes.
#pragma once

#include <span>

#include "io/mesh/format.h"

namespace stiction::mesh_format {

// x -> A x + b: nodes may scale and shear.
struct Placement {
  Matrix3d A = Matrix3d::Identity();
  Vector3d b = Vector3d::Zero();

  Placement operator*(const Placement& inner) const { return {A * inner.A, A * inner.b + b}; }
};

// The 4 x 4 matrix, row by row; its last row is taken to be 0 0 0 1.
Placement FromRows(std::span<const double, 16> m);

// Collects the meshes of a scene. Files can name one mesh from many nodes, and nodes from nodes: the sums are
// bounded, so that a small file cannot become a large scene.
class SceneBuilder {
 public:
  // To be called on entering each node. Throws MeshError where nodes are nested too deeply, as they are in a
  // circle, or too many.
  void CountNode(int depth);
  // Triangles are turned over where the placement mirrors.
  void Append(const Placement& placement, const TriangleMesh& mesh);
  TriangleMesh TakeMesh();

 private:
  void AppendLooks(const TriangleMesh& mesh);

  TriangleMesh mesh_;
  bool has_corners_ = false;
  int num_nodes_ = 0;
};

// Triangles of a strip or fan of `corners` vertices, appended.
void AppendStrip(std::span<const int> corners, TriangleMesh& mesh);
void AppendFan(std::span<const int> corners, TriangleMesh& mesh);

}  // namespace stiction::mesh_format

// Box tree of triangles that answers distance and generalised winding number. Private to the library.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "stiction/geometry/triangle_mesh.h"

namespace stiction {

class WindingTree {
 public:
  // The mesh is copied; triangles without area stay, and add nothing to the winding number.
  explicit WindingTree(const TriangleMesh& mesh);

  // Distance to the nearest triangle, if that is less than `bound`; else `bound`. [m]
  double CalcDistance(const Vector3d& p, double bound) const;

  // Σ Ω_t / 4π. Groups further than kFar of their radii away count as a dipole.
  double CalcWinding(const Vector3d& p) const;

 private:
  struct Triangle {
    Vector3d a, b, c;
  };
  // Children stand at first and first + 1; a leaf has triangles first ... first + count - 1 instead.
  struct Node {
    Eigen::AlignedBox3d box;
    Vector3d dipole;  // Σ of area times normal [m²], acting at `center`
    Vector3d center;  // mean, weighted by area
    double radius;    // about `center`, encloses the triangles
    int first, count;
  };

  void Build(int node, int first, int count);
  void Summarize(Node& node, int first, int count) const;

  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;
};

}  // namespace stiction

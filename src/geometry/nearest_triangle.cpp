#include "geometry/nearest_triangle.h"

#include <array>
#include <limits>
#include <utility>

#include "geometry/triangle_point.h"

namespace stiction::geometry {

NearestTriangle FindNearestTriangle(const TriangleMesh& mesh, const TriangleTree& tree, const Vector3d& p) {
  struct Entry {
    int node;
    double squared;  // distance of its box [m²]
  };
  const auto entry_of = [&](int node) {
    const TriangleTree::Node& at = tree.nodes()[node];
    return Entry{node, (p.cwiseMax(at.lower).cwiseMin(at.upper) - p).squaredNorm()};
  };
  NearestTriangle best;
  double least = std::numeric_limits<double>::infinity();
  std::array<Entry, TriangleTree::kMaxDepth + 1> stack;
  int size = 0;
  stack[size++] = entry_of(0);
  while (size > 0) {
    const Entry entry = stack[--size];
    if (!(entry.squared < least)) continue;
    const TriangleTree::Node& node = tree.nodes()[entry.node];
    if (!node.is_leaf()) {
      Entry near = entry_of(node.first), far = entry_of(node.first + 1);
      if (far.squared < near.squared) std::swap(near, far);
      stack[size++] = far;
      stack[size++] = near;
      continue;
    }
    for (int k = 0; k < node.count; ++k) {
      const int t = tree.order()[node.first + k];
      const auto& [i, j, l] = mesh.triangles[t];
      const Vector3d q = FindNearestOnTriangle(p, mesh.vertices[i], mesh.vertices[j], mesh.vertices[l]);
      const double squared = (q - p).squaredNorm();
      if (squared < least) least = squared, best = {t, q};
    }
  }
  return best;
}

}  // namespace stiction::geometry

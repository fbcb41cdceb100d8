#include "stiction/geometry/triangle_tree.h"

#include <algorithm>
#include <numeric>

namespace stiction {

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
  const int count = static_cast<int>(mesh.triangles.size());
  if (count == 0) return;
  std::vector<Vector3d> centers(count);
  for (int t = 0; t < count; ++t) {
    const auto& [i, j, k] = mesh.triangles[t];
    centers[t] = (mesh.vertices[i] + mesh.vertices[j] + mesh.vertices[k]) / 3.0;
  }
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.reserve(count);  // at least two triangles a leaf, as halves of more than kLeafSize
  nodes_.emplace_back();
  Build(0, 0, count, centers, mesh);
}

void TriangleTree::Build(int node, int first, int count, const std::vector<Vector3d>& centers,
                         const TriangleMesh& mesh) {
  const auto begin = order_.begin() + first, end = begin + count;
  Eigen::AlignedBox3d box, center_box;
  for (auto t = begin; t != end; ++t) {
    for (const int vertex : mesh.triangles[*t]) box.extend(mesh.vertices[vertex]);
    center_box.extend(centers[*t]);
  }
  nodes_[node].lower = box.min();
  nodes_[node].upper = box.max();
  if (count <= kLeafSize) {
    nodes_[node].first = first;
    nodes_[node].count = count;
    return;
  }
  int axis;
  center_box.sizes().maxCoeff(&axis);
  const int half = count / 2;
  // Equal coordinates by number, so that the tree does not depend on the library's way to partition.
  std::nth_element(begin, begin + half, end, [&](int s, int t) {
    return std::pair(centers[s][axis], s) < std::pair(centers[t][axis], t);
  });
  const int children = static_cast<int>(nodes_.size());
  nodes_[node].first = children;
  nodes_.resize(nodes_.size() + 2);
  Build(children, first, half, centers, mesh);
  Build(children + 1, first + half, count - half, centers, mesh);
}

}  // namespace stiction

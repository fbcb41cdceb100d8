#include "stiction/geometry/triangle_tree.h"

#include <algorithm>

namespace stiction {

// Centroids move along with their triangles' numbers, so that every level of the tree reads memory in order.
class TriangleTree::Builder {
 public:
  Builder(const TriangleMesh& mesh, TriangleTree& tree) : mesh_(mesh), tree_(tree) {
    const int count = static_cast<int>(mesh.triangles.size());
    items_.reserve(count);
    for (int t = 0; t < count; ++t) {
      const auto& [i, j, k] = mesh.triangles[t];
      items_.push_back({(mesh.vertices[i] + mesh.vertices[j] + mesh.vertices[k]) / 3.0, t});
    }
    tree_.nodes_.reserve(count);  // at least two triangles a leaf, as halves of more than kLeafSize
    tree_.nodes_.emplace_back();
    Build(0, 0, count);
    tree_.order_.reserve(count);
    for (const Item& item : items_) tree_.order_.push_back(item.triangle);
  }

 private:
  struct Item {
    Vector3d center;
    int triangle;
  };

  // A node with children has the box of their boxes.
  void Build(int node, int first, int count) {
    if (count <= kLeafSize) {
      MakeLeaf(node, first, count);
      return;
    }
    const int half = count / 2;
    Split(first, count, half);
    const int child = static_cast<int>(tree_.nodes_.size());
    tree_.nodes_[node].first = child;
    tree_.nodes_.resize(tree_.nodes_.size() + 2);
    Build(child, first, half);
    Build(child + 1, first + half, count - half);
    const Node &a = tree_.nodes_[child], &b = tree_.nodes_[child + 1];
    tree_.nodes_[node].lower = a.lower.cwiseMin(b.lower);
    tree_.nodes_[node].upper = a.upper.cwiseMax(b.upper);
  }

  void MakeLeaf(int node, int first, int count) {
    Eigen::AlignedBox3d box;
    for (int k = first; k < first + count; ++k) {
      for (const int vertex : mesh_.triangles[items_[k].triangle]) box.extend(mesh_.vertices[vertex]);
    }
    tree_.nodes_[node] = {box.min(), box.max(), first, count};
  }

  void Split(int first, int count, int half) {
    Eigen::AlignedBox3d centers;
    for (int k = first; k < first + count; ++k) centers.extend(items_[k].center);
    int axis;
    centers.sizes().maxCoeff(&axis);
    const auto begin = items_.begin() + first;
    // Equal coordinates by number, so that the tree does not depend on the library's way to partition.
    std::nth_element(begin, begin + half, begin + count, [&](const Item& s, const Item& t) {
      return s.center[axis] != t.center[axis] ? s.center[axis] < t.center[axis] : s.triangle < t.triangle;
    });
  }

  const TriangleMesh& mesh_;
  TriangleTree& tree_;
  std::vector<Item> items_;
};

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
  if (!mesh.triangles.empty()) Builder(mesh, *this);
}

}  // namespace stiction

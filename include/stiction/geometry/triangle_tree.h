// Bounding boxes over the triangles of a mesh, in a binary tree: which triangles are near something.
//
// Built top down, halves by number along the longest side of the centroids' box, so that the depth is the
// logarithm of the number of triangles whatever the mesh. Queries keep their own short stack: they do not
// allocate.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "stiction/geometry/triangle_mesh.h"
#include "stiction/math/rigid_transform.h"

namespace stiction {

class TriangleTree {
 public:
  // A box, and either two nodes, `first` and the one after it, or `count` triangles.
  struct Node {
    Vector3d lower, upper;  // [m]
    int first = 0;          // of the children in nodes(), or of the triangles in order()
    int count = 0;          // of triangles; 0 for a node with children
    bool is_leaf() const { return count > 0; }
  };

  static constexpr int kMaxDepth = 64;  // more triangles than memory holds

  TriangleTree() = default;
  // Keeps no reference to the mesh.
  explicit TriangleTree(const TriangleMesh& mesh);

  const std::vector<Node>& nodes() const { return nodes_; }  // the root is the first; none: no triangles
  const std::vector<int>& order() const { return order_; }   // triangles, leaf after leaf

  // Calls visit(triangle) for the triangles in all leaves whose box `accept(node)` takes; accept must take
  // every box that holds one that it takes.
  template <typename Accept, typename Visit>
  void ForEach(const Accept& accept, const Visit& visit) const;

  // The triangles in leaves whose boxes overlap [lower, upper].
  template <typename Visit>
  void ForEachInBox(const Vector3d& lower, const Vector3d& upper, const Visit& visit) const {
    ForEach(
        [&](const Node& node) {
          return (node.lower.array() <= upper.array()).all() && (node.upper.array() >= lower.array()).all();
        },
        visit);
  }

  // Calls visit(triangle, other's triangle) for the pairs in leaves whose boxes come within `margin`. The
  // other tree's frame B stands at X_AB.
  template <typename Visit>
  void ForEachPair(const TriangleTree& other, const RigidTransform& X_AB, double margin,
                   const Visit& visit) const;

 private:
  static constexpr int kLeafSize = 4;

  class Builder;

  std::vector<Node> nodes_;
  std::vector<int> order_;
};

template <typename Accept, typename Visit>
void TriangleTree::ForEach(const Accept& accept, const Visit& visit) const {
  if (nodes_.empty()) return;
  std::array<int, kMaxDepth + 1> stack;
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Node& node = nodes_[stack[--size]];
    if (!accept(node)) continue;
    if (!node.is_leaf()) {
      stack[size++] = node.first + 1;
      stack[size++] = node.first;
      continue;
    }
    for (int k = 0; k < node.count; ++k) visit(order_[node.first + k]);
  }
}

template <typename Visit>
void TriangleTree::ForEachPair(const TriangleTree& other, const RigidTransform& X_AB, double margin,
                               const Visit& visit) const {
  if (nodes_.empty() || other.nodes_.empty()) return;
  const Matrix3d spread_AB = X_AB.R.cwiseAbs(), spread_BA = spread_AB.transpose();
  const auto overlap = [&](const Node& a, const Node& b) {
    const Vector3d half_a = 0.5 * (a.upper - a.lower), half_b = 0.5 * (b.upper - b.lower);
    const Vector3d offset_A = X_AB * Vector3d(0.5 * (b.lower + b.upper)) - 0.5 * (a.lower + a.upper);
    if ((offset_A.cwiseAbs().array() > (half_a + spread_AB * half_b).array() + margin).any()) return false;
    const Vector3d offset_B = X_AB.R.transpose() * offset_A;
    return !(offset_B.cwiseAbs().array() > (half_b + spread_BA * half_a).array() + margin).any();
  };
  std::array<std::array<int, 2>, 3 * kMaxDepth> stack;
  int size = 0;
  stack[size++] = {0, 0};
  while (size > 0) {
    const auto [i, j] = stack[--size];
    const Node &a = nodes_[i], &b = other.nodes_[j];
    if (!overlap(a, b)) continue;
    if (a.is_leaf() && b.is_leaf()) {
      for (int k = 0; k < a.count; ++k)
        for (int l = 0; l < b.count; ++l) visit(order_[a.first + k], other.order_[b.first + l]);
      continue;
    }
    // The larger one is opened.
    const bool open_a = b.is_leaf() || (!a.is_leaf() && (a.upper - a.lower).squaredNorm() >=
                                                            (b.upper - b.lower).squaredNorm());
    for (const int child : {1, 0})
      stack[size++] =
          open_a ? std::array<int, 2>{a.first + child, j} : std::array<int, 2>{i, b.first + child};
  }
}

}  // namespace stiction

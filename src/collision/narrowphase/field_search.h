// Where a signed distance field is least.
#pragma once

#include <array>

#include "stiction/geometry/field_solid.h"

namespace stiction::narrowphase {

struct FieldPoint {
  Vector3d p;
  double value;  // φ [m]
  Vector3d n;    // ∇φ, unit
};

// On the triangle: Frank and Wolfe's steps from its best vertex or its middle, each with a search along the
// step. A local minimum, to about 1e-3 of what φ varies by over the triangle.
FieldPoint FindLeastOnTriangle(const DistanceField& field, const Vector3d& a, const Vector3d& b,
                               const Vector3d& c);

// The point of the surface φ = 0 nearest to c, searched from near p: alternately onto the surface and along
// it towards c. `n` is the gradient there, `value` the signed distance of c along n.
//   slack  how far p may be from it besides [m]
FieldPoint FindNearestOnSurface(const DistanceField& field, const Vector3d& c, const Vector3d& p,
                                double slack);

// The triangles of a surface that matter to a field, one of each patch: a branch of the tree that is no
// longer than `patch`.
class PatchSearch {
 public:
  //   X_FM   pose of the surface's frame in the field's
  //   reach  what is not within it of the field is passed over: branches where φ at the box's middle is more
  //          than half its diagonal and the reach [m]
  PatchSearch(const DistanceField& field, const MeshSurface& surface, const RigidTransform& X_FM,
              double reach, double patch)
      : field_(field), surface_(surface), X_FM_(X_FM), reach_(reach), patch_(patch) {}

  // Calls visit(triangle) for that of each patch whose middle has the least φ, and for all triangles in
  // leaves that are larger.
  template <typename Visit>
  void ForEach(const Visit& visit) const;

 private:
  struct Entry {
    int node;
    double value;  // φ at the middle of its box [m]
    double bound;  // φ is nowhere less in it [m]
  };
  class Stack {
   public:
    bool is_empty() const { return size_ == 0; }
    void Push(const Entry& entry) { entries_[size_++] = entry; }
    Entry Pop() { return entries_[--size_]; }

   private:
    int size_ = 0;
    std::array<Entry, TriangleTree::kMaxDepth + 1> entries_;
  };

  Entry MakeEntry(int node) const;
  // The nearer child comes up first; the other one only for `both`.
  void PushChildren(int node, bool both, Stack& stack) const;
  // -1 if no middle is within the reach.
  int FindLeast(const Entry& patch) const;

  const DistanceField& field_;
  const MeshSurface& surface_;
  const RigidTransform& X_FM_;
  double reach_, patch_;
};

template <typename Visit>
void PatchSearch::ForEach(const Visit& visit) const {
  const TriangleTree& tree = surface_.tree;
  if (tree.nodes().empty()) return;
  Stack stack;
  stack.Push(MakeEntry(0));
  while (!stack.is_empty()) {
    const Entry entry = stack.Pop();
    if (entry.bound >= reach_) continue;
    const TriangleTree::Node& node = tree.nodes()[entry.node];
    if ((node.upper - node.lower).squaredNorm() <= patch_ * patch_) {
      if (const int least = FindLeast(entry); least >= 0) visit(least);
    } else if (node.is_leaf()) {
      for (int k = 0; k < node.count; ++k) visit(tree.order()[node.first + k]);
    } else {
      PushChildren(entry.node, true, stack);
    }
  }
}

}  // namespace stiction::narrowphase

// A binary tree of boxes, flat in memory: which of many boxes overlap one.
//
// Nodes lie in depth-first order, each with the index of the node that follows its subtree, so that a search
// is one loop without a stack:
//
//        0                    node   0 1 2 3 4 5 6
//      /   \                  next   7 4 3 4 7 6 7
//     1     4     a search that 1 does not concern goes on at next[1] = 4, else at 2;
//    / \   / \    the children of an inner node k are k + 1 and next[k + 1].
//   2   3 5   6
//
// A box that moves is refitted: its leaf takes the new one, and its ancestors grow or shrink with it. When
// the nodes have grown too much in all, the tree is built anew. None of this shows in what a search finds.
#pragma once

#include <vector>

#include "collision/aligned_box.h"

namespace stiction {

class BoxTree {
 public:
  // Splits the boxes in halves about the middle of their centres, along the longest extent of these.
  // Allocates only where there are more boxes than ever.
  void Build(const std::vector<AlignedBox>& boxes);

  // Gives box k its new place.
  void Refit(int k, const AlignedBox& box);

  // Whether refitting has made searches so much slower that building pays.
  bool is_worn() const { return girth_ > kWorn * built_girth_; }
  bool is_empty() const { return nodes_.empty(); }

  // Calls visit(k) for all boxes that overlap `box`, in the order of the tree.
  template <typename Visit>
  void FindOverlaps(const AlignedBox& box, const Visit& visit) const {
    const int end = static_cast<int>(nodes_.size());
    for (int k = 0; k < end;) {
      const Node& node = nodes_[k];
      if (!Overlap(node.box, box)) {
        k = node.next;
        continue;
      }
      if (node.leaf >= 0) visit(node.leaf);
      ++k;
    }
  }

 private:
  // Less, and a heap that falls is built anew all the time; more, and searches visit what is far away.
  static constexpr double kWorn = 1.5;

  struct Node {
    AlignedBox box;
    int next = 0;     // the node after the subtree
    int parent = -1;  // -1: the root
    int leaf = -1;    // which box; -1: an inner node
  };

  // Appends the subtree of order_[begin, end).
  void BuildRange(const std::vector<AlignedBox>& boxes, int begin, int end, int parent);
  int Split(const std::vector<AlignedBox>& boxes, int begin, int end);

  std::vector<Node> nodes_;
  std::vector<int> order_;                  // of the boxes, while building
  std::vector<int> leaf_of_;                // node of each box
  double girth_ = 0.0, built_girth_ = 0.0;  // of all inner nodes: now, and when the tree was built [m]
};

}  // namespace stiction

#include "collision/box_tree.h"

#include <algorithm>
#include <numeric>

namespace stiction {

void BoxTree::Build(const std::vector<AlignedBox>& boxes) {
  const int count = static_cast<int>(boxes.size());
  nodes_.clear();
  nodes_.reserve(2 * boxes.size());
  leaf_of_.resize(boxes.size());
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
  girth_ = 0.0;
  if (count > 0) BuildRange(boxes, 0, count, -1);
  built_girth_ = girth_;
}

void BoxTree::BuildRange(const std::vector<AlignedBox>& boxes, int begin, int end, int parent) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.push_back({boxes[order_[begin]], index + 1, parent, order_[begin]});
  if (end - begin == 1) {
    leaf_of_[order_[begin]] = index;
    return;
  }
  const int middle = Split(boxes, begin, end);
  BuildRange(boxes, begin, middle, index);
  const int second = static_cast<int>(nodes_.size());
  BuildRange(boxes, middle, end, index);
  Node& node = nodes_[index];
  node.box = Merge(nodes_[index + 1].box, nodes_[second].box);
  node.next = static_cast<int>(nodes_.size());
  node.leaf = -1;
  girth_ += node.box.CalcGirth();
}

// A partition, not a sort: it ends well even where centres are not numbers. Centres that do not part, or
// leave less than an eighth on one side, are halved as they come, which bounds the depth.
int BoxTree::Split(const std::vector<AlignedBox>& boxes, int begin, int end) {
  const auto calc_center = [&](int k) -> Vector3d { return 0.5 * boxes[k].lower + 0.5 * boxes[k].upper; };
  Vector3d lower = calc_center(order_[begin]), upper = lower;
  for (int k = begin + 1; k < end; ++k) {
    const Vector3d center = calc_center(order_[k]);
    lower = lower.cwiseMin(center);
    upper = upper.cwiseMax(center);
  }
  int axis = 0;
  (upper - lower).maxCoeff(&axis);
  const double middle = 0.5 * lower[axis] + 0.5 * upper[axis];
  const auto first = order_.begin() + begin;
  const auto second =
      std::partition(first, order_.begin() + end, [&](int k) { return calc_center(k)[axis] < middle; });
  const int split = static_cast<int>(second - order_.begin()), least = (end - begin) / 8;
  const bool is_even = split - begin > least && end - split > least;
  return is_even ? split : begin + (end - begin) / 2;
}

void BoxTree::Refit(int k, const AlignedBox& box) {
  int node = leaf_of_[k];
  nodes_[node].box = box;
  for (node = nodes_[node].parent; node >= 0; node = nodes_[node].parent) {
    const AlignedBox merged = Merge(nodes_[node + 1].box, nodes_[nodes_[node + 1].next].box);
    AlignedBox& now = nodes_[node].box;
    if (merged.lower == now.lower && merged.upper == now.upper) return;
    girth_ += merged.CalcGirth() - now.CalcGirth();
    now = merged;
  }
}

}  // namespace stiction

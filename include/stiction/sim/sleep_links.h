// Which trees the elements of a model act on: whom a change of their input wakes, and who sleeps only
// together.
#pragma once

#include <span>
#include <vector>

#include "stiction/math/index_range.h"
#include "stiction/model/model.h"

namespace stiction {

// Lists of indices, end to end.
struct IndexLists {
  std::vector<int> first{0};  // one more than there are lists
  std::vector<int> items;

  int size() const { return static_cast<int>(first.size()) - 1; }
  std::span<const int> operator[](int list) const {
    return {items.data() + first[list], items.data() + first[list + 1]};
  }
  void Append(const std::vector<int>& list);
};

struct SleepLinks {
  explicit SleepLinks(const Model& model);

  // The trees that each touches, ascending.
  IndexLists actuator_trees, tendon_trees, equality_trees;
  // Of each mocap body: the trees that stand on it, and those that elements tie to it.
  IndexLists mocap_trees;
  std::vector<int> body_mocap;      // the number of the mocap body that carries it, -1: none
  std::vector<IndexRange> tree_q;   // where a tree's coordinates stand in q
  std::vector<double> mass_beyond;  // one a dof [kg]
};

}  // namespace stiction

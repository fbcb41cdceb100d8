// A set of kinematic trees: what an algorithm works on while everything else stays as it was computed last.
//
// Kept as ranges of indices, ascending and as long as possible, so that trees outside of the set cost
// nothing and the set of all trees costs what a plain loop does:
//
//   for (const IndexRange& range : trees.bodies)
//     for (int b = range.begin; b < range.end; ++b) ...
//
// What is fixed to the world, mocap bodies included, belongs to every set, unless it is a part of one
// (sim/tree_parts.h).
#pragma once

#include <vector>

#include "stiction/math/index_range.h"

namespace stiction {

class Model;

struct TreeSet {
  std::vector<char> contains;      // one per tree
  std::vector<IndexRange> bodies;  // without the world
  std::vector<IndexRange> joints;
  std::vector<IndexRange> dofs;
  std::vector<IndexRange> geoms;
  bool has_fixed = true;  // what is fixed to the world

  // The trees t with contains[t] != 0. Allocates only where the number of ranges grows beyond what it was.
  void Assign(const Model& model, const std::vector<char>& contains, bool with_fixed = true);
  // Makes room for any set of the model's trees, so that Assign does not allocate.
  void Reserve(const Model& model);
};

}  // namespace stiction

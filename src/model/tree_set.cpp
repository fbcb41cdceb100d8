#include "stiction/model/tree_set.h"

#include "stiction/model/model.h"

namespace stiction {
namespace {

// Appends index i to the last range, or begins a new one.
void Append(int i, std::vector<IndexRange>& ranges) {
  if (!ranges.empty() && ranges.back().end == i)
    ++ranges.back().end;
  else
    ranges.push_back({i, i + 1});
}

}  // namespace

void TreeSet::Assign(const Model& model, const std::vector<char>& which) {
  contains = which;
  for (std::vector<IndexRange>* ranges : {&bodies, &joints, &dofs, &geoms}) ranges->clear();
  const auto has = [this](int tree) { return tree < 0 || contains[tree] != 0; };
  for (int b = 1; b < model.num_bodies(); ++b) {
    if (has(model.bodies[b].tree)) Append(b, bodies);
  }
  for (int j = 0; j < model.num_joints(); ++j) {
    if (has(model.bodies[model.joints[j].body].tree)) Append(j, joints);
  }
  for (int k = 0; k < model.nv(); ++k) {
    if (has(model.dof_tree[k])) Append(k, dofs);
  }
  for (int g = 0; g < model.num_geoms(); ++g) {
    if (has(model.bodies[model.geoms[g].body].tree)) Append(g, geoms);
  }
}

void TreeSet::Reserve(const Model& model) {
  // Runs of a set are parted by runs of its complement.
  const auto room = [](int count) { return static_cast<std::size_t>(count / 2 + 1); };
  contains.reserve(model.num_trees());
  bodies.reserve(room(model.num_bodies()));
  joints.reserve(room(model.num_joints()));
  dofs.reserve(room(model.nv()));
  geoms.reserve(room(model.num_geoms()));
}

}  // namespace stiction

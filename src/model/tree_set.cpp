#include "stiction/model/tree_set.h"

#include "stiction/model/model.h"

namespace stiction {
namespace {

// Appends [begin, begin + count) to the last range where it goes on, else as a new one.
void Append(int begin, int count, std::vector<IndexRange>& ranges) {
  if (count == 0) return;
  if (!ranges.empty() && ranges.back().end == begin)
    ranges.back().end += count;
  else
    ranges.push_back({begin, begin + count});
}

}  // namespace

void TreeSet::Assign(const Model& model, const std::vector<char>& which, bool with_fixed) {
  contains = which;
  has_fixed = with_fixed;
  for (std::vector<IndexRange>* ranges : {&bodies, &joints, &dofs, &geoms}) ranges->clear();
  const auto has = [this](int tree) { return tree < 0 ? has_fixed : contains[tree] != 0; };
  // Joints and dofs stand in the order of their bodies.
  for (int b = 1; b < model.num_bodies(); ++b) {
    const Body& body = model.bodies[b];
    if (!has(body.tree)) continue;
    Append(b, 1, bodies);
    Append(body.first_joint, body.num_joints, joints);
    Append(body.first_dof, body.num_dofs, dofs);
  }
  for (int g = 0; g < model.num_geoms(); ++g) {
    if (has(model.bodies[model.geoms[g].body].tree)) Append(g, 1, geoms);
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

#include "sim/geom_chain.h"

namespace stiction {

std::vector<GeomChain> MakeGeomChains(const Model& model, const BranchPattern& pattern) {
  std::vector<GeomChain> chains(model.geoms.size());
  for (std::size_t g = 0; g < chains.size(); ++g) {
    GeomChain& chain = chains[g];
    chain.body = model.geoms[g].body;
    const Body& body = model.bodies[chain.body];
    if (body.tree < 0) continue;
    chain.tree = body.tree;
    chain.last_dof = body.last_dof;
    chain.num_dofs = pattern.row_length(body.last_dof);
    const Body& root = model.bodies[model.trees[body.tree].root_body];
    if (model.joints[root.first_joint].is_free()) chain.num_shifts = 3;
  }
  return chains;
}

}  // namespace stiction

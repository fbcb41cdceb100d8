// Where the body of a geom stands in the mechanism, as the rows of contacts ask for it.
//
// Each contact asks for its bodies, trees and dofs many times a step. Bodies and geoms hold so much beside
// that every answer would come from another line of the cache; here all of a geom's stand in one.
#pragma once

#include <vector>

#include "stiction/math/branch_sparse.h"
#include "stiction/model/model.h"

namespace stiction {

struct GeomChain {
  int body = 0;
  int tree = -1;      // -1: fixed to the world
  int last_dof = -1;  // of those that move the body; BranchPattern::columns lists them
  int num_dofs = 0;   // of them
  // The first of them are translations along the axes of the world: three of a tree on a free joint.
  int num_shifts = 0;
};

// One per geom.
std::vector<GeomChain> MakeGeomChains(const Model& model, const BranchPattern& pattern);

}  // namespace stiction

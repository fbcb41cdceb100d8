// Pairs of geoms that a model lets collide but for whose shapes the engine has no manifold.
#pragma once

#include <string>
#include <vector>

#include "stiction/model/model.h"

namespace stiction {

struct UnsupportedPair {
  int geom_a = -1;  // the first such pair, as an example
  int geom_b = -1;
  int count = 0;  // pairs of geoms with these two shape types
};

// One entry a pair of shape types, in the order of the types. Contacts of these geoms are not simulated: tell
// the user.
std::vector<UnsupportedPair> FindUnsupportedPairs(const Model& model);

// "no contact between cylinder and box: 12 pairs, such as geom 3 of body 'hip' and geom 7 of body 'calf'".
std::string Describe(const Model& model, const UnsupportedPair& pair);

}  // namespace stiction

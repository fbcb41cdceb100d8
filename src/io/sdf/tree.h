// Which joints of an SDFormat file make its trees, and which close loops.
#pragma once

#include <vector>

#include "io/sdf/sdf_file.h"

namespace stiction::sdformat {

struct Tree {
  // By link: the joint that carries it, or kLoose for one that floats and kFixed for one that stands.
  std::vector<int> carrier;
  std::vector<int> order;     // links, parents first
  std::vector<int> closures;  // joints that are none's carrier
};
constexpr int kLoose = -1;
constexpr int kFixed = -2;

// A link hangs on the first joint that names it as child, unless that would close a circle.
Tree MakeTree(const File& file);

}  // namespace stiction::sdformat

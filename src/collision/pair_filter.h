// Model::PairCollides, without its searches for the pairs that no exclusion names.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "stiction/model/model.h"

namespace stiction {

using IndexPair = std::pair<int, int>;

inline IndexPair Ordered(int a, int b) {
  return a < b ? IndexPair(a, b) : IndexPair(b, a);
}

// Keeps no reference to the model.
class PairFilter {
 public:
  explicit PairFilter(const Model& model);

  // Whether a contact pair names the geom, which then may collide whatever its contype.
  bool IsPaired(int geom) const { return filters_[geom].has_pairs; }

  // The same answer as Model::PairCollides.
  bool Admits(int geom_a, int geom_b) const;

 private:
  // What Model::PairCollides looks up, gathered once per geom.
  struct GeomFilter {
    std::uint32_t contype = 0, conaffinity = 0;
    int body = 0;
    int weld = 0;         // the rigid group of bodies
    bool moves = false;   // by joints
    int parent_weld = 0;  // the group that carries this one; 0 where the two may collide
    bool has_exclusions = false;
    bool has_pairs = false;
  };

  std::vector<IndexPair> excluded_bodies_, excluded_geoms_, pairs_;
  std::vector<GeomFilter> filters_;
};

}  // namespace stiction

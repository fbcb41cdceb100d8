#include "collision/pair_filter.h"

#include <algorithm>

namespace stiction {

PairFilter::PairFilter(const Model& model)
    : excluded_bodies_(model.excluded_bodies), excluded_geoms_(model.excluded_geoms) {
  for (const ContactPair& pair : model.contact_pairs) pairs_.emplace_back(pair.geom_a, pair.geom_b);
  std::sort(excluded_bodies_.begin(), excluded_bodies_.end());
  std::sort(excluded_geoms_.begin(), excluded_geoms_.end());
  std::vector<bool> body_has_exclusions(model.bodies.size(), false);
  for (const auto& [a, b] : excluded_bodies_) body_has_exclusions[a] = body_has_exclusions[b] = true;
  for (const Geom& geom : model.geoms) {
    const Body& body = model.bodies[geom.body];
    GeomFilter filter{geom.contype, geom.conaffinity, geom.body, body.weld, body.tree >= 0};
    const int parent = model.bodies[filter.weld].parent;
    filter.parent_weld = parent < 0 || !model.options.filter_parent ? 0 : model.bodies[parent].weld;
    filter.has_exclusions = body_has_exclusions[geom.body];
    filters_.push_back(filter);
  }
  for (const auto& [a, b] : excluded_geoms_) filters_[a].has_exclusions = filters_[b].has_exclusions = true;
  for (const auto& [a, b] : pairs_) filters_[a].has_pairs = filters_[b].has_pairs = true;
}

bool PairFilter::Admits(int geom_a, int geom_b) const {
  const GeomFilter &a = filters_[geom_a], &b = filters_[geom_b];
  if (a.weld == b.weld || !(a.moves || b.moves)) return false;
  if (a.has_pairs && b.has_pairs && std::binary_search(pairs_.begin(), pairs_.end(), Ordered(geom_a, geom_b)))
    return true;
  if (((a.contype & b.conaffinity) | (b.contype & a.conaffinity)) == 0) return false;
  // Parent and child, unless the parent is fixed to the world.
  if ((a.weld == b.parent_weld && a.weld != 0) || (b.weld == a.parent_weld && b.weld != 0)) return false;
  if (!a.has_exclusions || !b.has_exclusions) return true;
  return !std::binary_search(excluded_bodies_.begin(), excluded_bodies_.end(), Ordered(a.body, b.body)) &&
         !std::binary_search(excluded_geoms_.begin(), excluded_geoms_.end(), Ordered(geom_a, geom_b));
}

}  // namespace stiction

// Which links of a URDF robot do not collide. The format does not say, and models are drawn with neighbours
// that overlap.
#include <algorithm>
#include <numeric>
#include <set>

#include "io/urdf/assembly.h"
#include "io/urdf/overlap.h"

namespace stiction::urdf {

// The world also carries the ground, with which everything collides: only its geoms of the robot are
// excluded.
void Assembly::Exclude(int body_a, int body_b) {
  if (body_a > body_b) std::swap(body_a, body_b);
  if (body_a > 0) return builder_.ExcludeBodies(body_a, body_b);
  if (geoms_of_body_[0].size() * geoms_of_body_[body_b].size() > 1'000'000)
    root_.Fail("too many shapes on one link");
  for (const int a : geoms_of_body_[0]) {
    for (const int b : geoms_of_body_[body_b]) builder_.ExcludeGeoms(a, b);
  }
}

// Bodies joined by a joint: their links are adjacent, directly or through fixed joints.
void Assembly::ExcludeAdjacent() {
  for (const JointEntry& entry : robot_.joints) {
    const int parent = body_of_link_[entry.parent], child = body_of_link_[entry.child];
    if (parent == child) continue;
    Exclude(parent, child);
    notes_.push_back({entry.element->file(), entry.element->line(), "joint", ImportStatus::kHonoured,
                      "its links \"" + robot_.links[entry.parent].name + "\" and \"" +
                          robot_.links[entry.child].name + "\" are adjacent and do not collide"});
  }
}

// Shapes in order of their lower end along the axis in which the robot is longest: each can only meet those
// that begin before it ends.
std::pair<int, std::vector<int>> Assembly::SortAlongLongestAxis() const {
  Vector3d lowest = Vector3d::Zero(), highest = Vector3d::Zero();
  for (const Placed& placed : placed_) {
    lowest = lowest.cwiseMin(placed.X_WG.p);
    highest = highest.cwiseMax(placed.X_WG.p);
  }
  int axis = 0;
  (highest - lowest).maxCoeff(&axis);
  std::vector<int> order(placed_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto begin = [&](int i) { return placed_[i].X_WG.p[axis] - placed_[i].radius; };
  std::sort(order.begin(), order.end(),
            [&](int i, int j) { return std::pair(begin(i), i) < std::pair(begin(j), j); });
  return {axis, order};
}

void Assembly::ExcludeOverlapping() {
  // Every pair is excluded by itself, so that a file can ask for no more than this many.
  constexpr size_t kMaxPairs = 100'000;
  std::set<std::pair<int, int>> seen;
  for (const JointEntry& entry : robot_.joints) {
    const auto bodies = std::minmax(body_of_link_[entry.parent], body_of_link_[entry.child]);
    seen.insert({bodies.first, bodies.second});
  }
  const auto [axis, order] = SortAlongLongestAxis();
  std::vector<std::pair<int, int>> overlapping;  // of placed shapes, one per pair of bodies
  for (size_t k = 0; k < order.size(); ++k) {
    const Placed& a = placed_[order[k]];
    const double end = a.X_WG.p[axis] + a.radius;
    for (size_t m = k + 1; m < order.size(); ++m) {
      const Placed& b = placed_[order[m]];
      if (b.X_WG.p[axis] - b.radius > end) break;
      if (a.body == b.body || !ShapesOverlap(*a.shape, a.X_WG, *b.shape, b.X_WG)) continue;
      const auto bodies = std::minmax(a.body, b.body);
      if (!seen.insert({bodies.first, bodies.second}).second) continue;
      overlapping.push_back(std::minmax(order[k], order[m]));
      if (overlapping.size() > kMaxPairs) root_.Fail("too many links overlap in the first configuration");
    }
  }
  std::sort(overlapping.begin(), overlapping.end());
  for (const auto& [i, j] : overlapping) {
    const Placed &a = placed_[i], &b = placed_[j];
    Exclude(a.body, b.body);
    const xml::Element& element = *robot_.links[b.link].element;
    notes_.push_back({element.file(), element.line(), "link", ImportStatus::kApproximated,
                      "\"" + robot_.links[b.link].name + "\" and \"" + robot_.links[a.link].name +
                          "\" overlap in the first configuration and do not collide"});
  }
}

}  // namespace stiction::urdf

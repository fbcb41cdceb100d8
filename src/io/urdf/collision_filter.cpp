// Which links of a URDF robot do not collide. The format does not say, and models are drawn with neighbours
// that overlap.
#include <algorithm>
#include <set>

#include "io/urdf/assembly.h"

namespace stiction::urdf {
namespace {

// A floating joint joins nothing: its links meet like strangers.
bool IsAdjacency(const JointEntry& entry) {
  return entry.type != JointType::kFloating;
}

}  // namespace

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
    if (parent == child || !IsAdjacency(entry)) continue;
    Exclude(parent, child);
    notes_.push_back({entry.element->file(), entry.element->line(), "joint", ImportStatus::kHonoured,
                      "its links \"" + robot_.links[entry.parent].name + "\" and \"" +
                          robot_.links[entry.child].name + "\" are adjacent and do not collide"});
  }
}

void Assembly::ExcludeOverlapping() {
  // Every pair is excluded by itself, so that a file can ask for no more than this many.
  constexpr size_t kMaxPairs = 100'000;
  std::set<std::pair<int, int>> adjacent;
  for (const JointEntry& entry : robot_.joints) {
    if (!IsAdjacency(entry)) continue;
    const auto bodies = std::minmax(body_of_link_[entry.parent], body_of_link_[entry.child]);
    adjacent.insert({bodies.first, bodies.second});
  }
  const auto overlapping = FindOverlapping(placed_, std::move(adjacent), kMaxPairs);
  if (overlapping.size() > kMaxPairs) root_.Fail("too many links overlap in the first configuration");
  for (const auto& [i, j] : overlapping) {
    Exclude(placed_[i].body, placed_[j].body);
    const Link &a = robot_.links[link_of_placed_[i]], &b = robot_.links[link_of_placed_[j]];
    notes_.push_back(
        {b.element->file(), b.element->line(), "link", ImportStatus::kApproximated,
         "\"" + b.name + "\" and \"" + a.name + "\" overlap in the first configuration and do not collide"});
  }
}

}  // namespace stiction::urdf

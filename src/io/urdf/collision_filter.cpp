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

// What moves as one: a body, or of what stands on the world one fixture. Links that hang on a link "world",
// which is nothing, are several: a floor and a rail beside it have nothing to do with one another.
void Assembly::FindParts() {
  part_of_link_.resize(robot_.links.size());
  island_of_link_.assign(robot_.links.size(), -1);
  std::vector<int> stack(robot_.roots.rbegin(), robot_.roots.rend());
  const auto first_fixture = static_cast<int>(inertia_.size());  // beyond the bodies
  while (!stack.empty()) {
    const int link = stack.back();
    stack.pop_back();
    const int parent_joint = robot_.links[link].parent_joint;
    const JointEntry* entry = parent_joint < 0 ? nullptr : &robot_.joints[parent_joint];
    const bool hangs = entry && robot_.links[entry->parent].name != "world";
    part_of_link_[link] = body_of_link_[link] > 0 ? body_of_link_[link]
                          : hangs                 ? part_of_link_[entry->parent]
                                                  : first_fixture + link;
    if (entry) island_of_link_[link] = IsAdjacency(*entry) ? island_of_link_[entry->parent] : link;
    for (const int j : robot_.links[link].child_joints) stack.push_back(robot_.joints[j].child);
  }
  geoms_of_part_.resize(first_fixture + robot_.links.size());
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    placed_[i].part = part_of_link_[link_of_placed_[i]];
    geoms_of_part_[placed_[i].part].push_back(geom_of_placed_[i]);
  }
}

// The world also carries the ground, with which everything collides: only geoms of the robot are excluded.
void Assembly::Exclude(int link_a, int link_b) {
  const int body_a = body_of_link_[link_a], body_b = body_of_link_[link_b];
  if (body_a > 0 && body_b > 0)
    return builder_.ExcludeBodies(std::min(body_a, body_b), std::max(body_a, body_b));
  const std::vector<int>&geoms_a = geoms_of_part_[part_of_link_[link_a]],
        geoms_b = geoms_of_part_[part_of_link_[link_b]];
  if (geoms_a.size() * geoms_b.size() > 1'000'000) root_.Fail("too many shapes on one link");
  for (const int a : geoms_a) {
    for (const int b : geoms_b) builder_.ExcludeGeoms(a, b);
  }
}

// Parts joined by a joint: their links are adjacent, directly or through fixed joints.
void Assembly::ExcludeAdjacent() {
  for (const JointEntry& entry : robot_.joints) {
    if (body_of_link_[entry.parent] == body_of_link_[entry.child] || !IsAdjacency(entry)) continue;
    Exclude(entry.parent, entry.child);
    notes_.push_back({entry.element->file(), entry.element->line(), "joint", ImportStatus::kHonoured,
                      "its links \"" + robot_.links[entry.parent].name + "\" and \"" +
                          robot_.links[entry.child].name + "\" are adjacent and do not collide"});
  }
}

// Of what joints hold together: links that a floating joint sets free meet like strangers here, too.
void Assembly::ExcludeOverlapping() {
  // Every pair is excluded by itself, so that a file can ask for no more than this many.
  constexpr size_t kMaxPairs = 100'000;
  std::set<std::pair<int, int>> adjacent;
  for (const JointEntry& entry : robot_.joints) {
    if (!IsAdjacency(entry)) continue;
    const auto parts = std::minmax(part_of_link_[entry.parent], part_of_link_[entry.child]);
    adjacent.insert({parts.first, parts.second});
  }
  const auto overlapping = FindOverlapping(placed_, std::move(adjacent), kMaxPairs);
  if (overlapping.size() > kMaxPairs) root_.Fail("too many links overlap in the first configuration");
  for (const auto& [i, j] : overlapping) {
    const int link_a = link_of_placed_[i], link_b = link_of_placed_[j];
    if (island_of_link_[link_a] != island_of_link_[link_b]) continue;
    Exclude(link_a, link_b);
    const Link &a = robot_.links[link_a], &b = robot_.links[link_b];
    notes_.push_back(
        {b.element->file(), b.element->line(), "link", ImportStatus::kApproximated,
         "\"" + b.name + "\" and \"" + a.name + "\" overlap in the first configuration and do not collide"});
  }
}

}  // namespace stiction::urdf

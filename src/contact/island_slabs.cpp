#include "contact/island_slabs.h"

#include <algorithm>

namespace stiction {
namespace {

constexpr int kLeastCut = 512;        // constraints of an island that is worth cutting
constexpr int kSlabConstraints = 64;  // about as many a slab, or more
constexpr int kFewestSlabs = 3;

}  // namespace

void IslandSlabs::Assign(const Island& island) {
  num_slabs_ = 0;
  // Rows of short nodes reach into the next one by the padding of their chunks.
  const auto is_short = [](const Subsystem& node) { return node.num_dofs < RowChunks::kLanes; };
  if (island.num_constraints() < kLeastCut || island.sparse != nullptr ||
      std::any_of(island.nodes.begin(), island.nodes.end(), is_short))
    return;
  ListNeighbours(island);
  FindLevels(static_cast<int>(island.nodes.size()));
  ChooseSlabs(island);
  if (num_slabs_ < kFewestSlabs) {
    num_slabs_ = 0;
  } else {
    ListTasks(island);
  }
}

// Contacts of the same two bodies follow one another, and count once.
void IslandSlabs::ListNeighbours(const Island& island) {
  const auto for_edges = [&](const auto& visit) {
    int last_a = -1, last_b = -1;
    for (const IslandConstraint& c : island.constraints) {
      for (int i = c.first_block; i < c.first_block + c.num_blocks; ++i) {
        for (int j = i + 1; j < c.first_block + c.num_blocks; ++j) {
          const int a = island.blocks[i].node, b = island.blocks[j].node;
          if (a == b || (a == last_a && b == last_b)) continue;
          last_a = a, last_b = b;
          visit(a, b);
        }
      }
    }
  };
  const std::size_t num_nodes = island.nodes.size();
  first_neighbour_.assign(num_nodes + 1, 0);
  for_edges([&](int a, int b) { ++first_neighbour_[a], ++first_neighbour_[b]; });
  int sum = 0;
  for (int& first : first_neighbour_) first = sum += first;
  neighbours_.resize(sum);
  for_edges([&](int a, int b) {
    neighbours_[--first_neighbour_[a]] = b;
    neighbours_[--first_neighbour_[b]] = a;
  });
}

int IslandSlabs::Walk(int start, int level) {
  queue_.assign(1, start);
  level_[start] = level;
  for (std::size_t k = 0; k < queue_.size(); ++k) {
    const int node = queue_[k];
    for (int n = first_neighbour_[node]; n < first_neighbour_[node + 1]; ++n) {
      const int next = neighbours_[n];
      if (level_[next] >= level) continue;
      level_[next] = level_[node] + 1;
      queue_.push_back(next);
    }
  }
  return queue_.back();
}

// From where a first walk ends, a second one has the most levels. Components follow one another.
void IslandSlabs::FindLevels(int num_nodes) {
  level_.assign(num_nodes, -1);
  num_levels_ = 0;
  for (int node = 0; node < num_nodes; ++node) {
    if (level_[node] >= 0) continue;
    const int end = Walk(node, num_levels_);
    for (const int reached : queue_) level_[reached] = -1;
    num_levels_ = level_[Walk(end, num_levels_)] + 1;
  }
}

void IslandSlabs::ChooseSlabs(const Island& island) {
  const int count = island.num_constraints();
  level_load_.assign(num_levels_, 0);
  for (const IslandConstraint& c : island.constraints)
    ++level_load_[level_[island.blocks[c.first_block].node]];
  const int wanted = std::clamp(count / kSlabConstraints, 1, kMaxSlabs);
  // By level, the slab that its load so far belongs to; levels that would leave one out close up.
  num_slabs_ = 0;
  int sum = 0;
  for (int& load : level_load_) {
    const int before = sum;
    sum += load;
    if (num_slabs_ == 0 ||
        static_cast<long long>(before) * wanted >= static_cast<long long>(count) * num_slabs_)
      ++num_slabs_;
    load = num_slabs_ - 1;
  }
  slab_.resize(level_.size());
  for (std::size_t node = 0; node < level_.size(); ++node) slab_[node] = level_load_[level_[node]];
}

IslandSlabs::Slabs IslandSlabs::FindSlabs(const Island& island, const IslandConstraint& c) const {
  Slabs slabs{num_slabs_, -1};
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const int slab = slab_[island.blocks[b].node];
    slabs.least = std::min(slabs.least, slab);
    slabs.largest = std::max(slabs.largest, slab);
  }
  return slabs;
}

void IslandSlabs::ListTasks(const Island& island) {
  first_task_[0] = 0;
  first_task_[1] = num_slabs_;
  first_task_[2] = first_task_[1] + num_slabs_ / 2;
  first_task_[3] = first_task_[2] + (num_slabs_ - 1) / 2;
  const auto find_task = [&](const IslandConstraint& c) {
    const auto [least, largest] = FindSlabs(island, c);
    return least == largest ? least : first_task_[1 + least % 2] + least / 2;
  };
  begin_.assign(first_task_[kNumPhases] + 1, 0);
  for (const IslandConstraint& c : island.constraints) ++begin_[find_task(c)];
  int sum = 0;
  for (int& begin : begin_) begin = sum += begin;
  constraints_.resize(sum);
  for (int i = island.num_constraints() - 1; i >= 0; --i)
    constraints_[--begin_[find_task(island.constraints[i])]] = i;
}

}  // namespace stiction

// An order of the constraints of a large island in which threads can go through it together, and write to its
// dofs.
//
// The island's bodies are cut into slabs along the levels of a breadth-first walk over the contact graph, so
// that a constraint lies in one slab or between two that follow one another. Those within the slabs are one
// phase, a task a slab; those between an even slab and the next one are another, and those between an odd one
// and the next the third: the tasks of a phase touch no body in common. The slabs depend on the island alone,
// and so do sweeps and sums in their order, whoever shares them.
#pragma once

#include <span>
#include <vector>

#include "stiction/contact/island.h"

namespace stiction {

class IslandSlabs {
 public:
  static constexpr int kMaxSlabs = 16;

  // Cuts the island, unless it is small or does not let itself be cut.
  void Assign(const Island& island);

  // False: constraints are visited in their own order.
  bool is_cut() const { return num_slabs_ > 0; }
  // One after the other; the tasks of a phase at the same time, at most kMaxSlabs of them.
  static constexpr int kNumPhases = 3;
  int num_tasks(int phase) const { return first_task_[phase + 1] - first_task_[phase]; }
  // Ascending.
  std::span<const int> constraints(int phase, int task) const {
    const int t = first_task_[phase] + task;
    return {constraints_.data() + begin_[t], constraints_.data() + begin_[t + 1]};
  }

 private:
  void ListNeighbours(const Island& island);
  void FindLevels(int num_nodes);
  // Numbers the levels of a component from `level` on. Returns the node that was reached last.
  int Walk(int start, int level);
  void ChooseSlabs(const Island& island);
  void ListTasks(const Island& island);
  // Of the nodes of a constraint.
  struct Slabs {
    int least, largest;
  };
  Slabs FindSlabs(const Island& island, const IslandConstraint& c) const;

  int num_slabs_ = 0;
  std::vector<int> first_neighbour_, neighbours_;  // by node
  std::vector<int> level_, slab_;                  // by node
  std::vector<int> queue_;
  std::vector<int> level_load_;  // constraints, by level; then its slab
  int num_levels_ = 0;
  int first_task_[kNumPhases + 1] = {};
  std::vector<int> begin_, constraints_;  // by task
};

}  // namespace stiction

// `stiction bench --worlds`: many worlds of a scene at once, on several threads.
#pragma once

#include <vector>

#include "run_plan.h"

namespace stiction::runner {

struct BenchRolloutOptions {
  int worlds = 0;                  // 0: no rollout
  std::vector<int> threads{1, 2};  // a row each
};

// Prints a CSV table with its title: one row for the loop of `run`, a World at a time by World::Step, and one
// per number of threads for Batch::Rollout. All take the same steps, from the scene's start with velocities
// that differ by up to 0.1 (m/s or rad/s) from world to world, several times in turns: s_min, s_median [s]
// are wall times of all worlds, cpu_s_median processor time of all threads; speedup is by how much s_median
// is less than that of the first row. state_hash is over all final states. False if a world diverged.
bool BenchRollout(const RunArguments& run, const BenchRolloutOptions& options, ImportReport& report);

}  // namespace stiction::runner

// `stiction bench --threads`: one world on several threads.
#pragma once

#include <vector>

#include "run_plan.h"

namespace stiction::runner {

struct BenchThreadsOptions {
  std::vector<int> threads;  // a row each; empty: no such table
  int repeats = 3;           // runs of each, in turns
};

// Prints a CSV table with its title: a row per number of threads, of its fastest run; speedup is by how much
// us_step, the mean, is less than that of the first row, and the hashes of the final states agree. False if
// the simulation diverged.
bool BenchThreads(const RunArguments& run, const BenchThreadsOptions& options, ImportReport& report);

}  // namespace stiction::runner

// The suite `stiction bench loops`: the thirteen systems of scenes/scenes.h through the solvers, in reduced
// and in maximal coordinates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/contact/budget.h"

namespace stiction::runner {

struct BenchLoopsOptions {
  std::vector<std::string> solvers;  // empty: all
  std::vector<double> ratios;        // mass ratios; empty: each scene's own
  double time = 0.05;                // simulated, of a case [s]
  double limit = 2.0;                // wall time after which a case is cut short [s]
  std::optional<Budget> budget;      // WorldOptions::budget
};

// Prints a CSV table with its title, one row a scene, coordinates, ratio and solver: the cells of every scene
// (bench_table.h), then coordinates, bodies, bilateral rows and their rank, mass ratio, largest number of
// iterations, largest residual of an equality [m or rad], and build. What can slide starts with 0.3 m/s.
//
// Each solver goes its own way from the same start, and is not tried again where it misses the budget, but
// for `auto`. `status` is that of the last step, or "time_limit" for a case that was cut short, or
// "unsupported" for a solver that does not take bilateral rows.
void BenchLoops(const BenchLoopsOptions& options);

}  // namespace stiction::runner

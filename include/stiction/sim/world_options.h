// How a World steps: solver, accuracy, timestep.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/contact/budget.h"
#include "stiction/contact/default_solver.h"
#include "stiction/contact/solver_budget.h"
#include "stiction/model/integrator.h"

namespace stiction {

// What follows a step that misses its budget, beside being counted: the best iterate of a retry is used; or
// `auto` is tried as well (`canal` where that is the solver); or a retry, and the caller stops; or the first
// iterate is used as it is.
enum class OnMiss { kRetry, kFallback, kStop, kAccept };

// Of WorldOptions::halvings: with `auto`, and the most.
inline constexpr int kAutoHalvings = 3, kMostHalvings = 10;

struct WorldOptions {
  std::string solver = kDefaultSolver;                                // contact/registry.h
  std::vector<std::pair<std::string, std::string>> solver_options{};  // by name, as text
  // Largest ncp of an island in a step: the residual of the exact laws, whatever law the solver has. Not
  // given: kDefaultBudget, for every solver. A solver of a convex or compliant law misses it as a rule, and
  // is not tried again where it met its own (Certificate::own_law).
  std::optional<Budget> budget{};
  OnMiss on_miss = OnMiss::kRetry;
  // How long the solver of a step may work, retry and fallback included; not given: until it is done. A step
  // that ends beyond `budget` because of it is a miss like any other.
  SolverBudget solver_budget{};
  // How often a step whose contacts miss `budget` after all that may be halved: it then is taken as 2, or 4,
  // or more steps of a fraction of the timestep, each with a certificate of its own (StepReport::num_parts).
  // Not given: kAutoHalvings with `auto`, 0 with solvers that were asked for by name. Never with a solver
  // budget, without a budget, where misses are accepted, or where the input moves mocap bodies or targets.
  // 0 to kMostHalvings.
  std::optional<int> halvings{};
  // No islands: all that touches is solved together. What a solver without islands would do, for comparisons.
  bool one_island = false;
  // Islands that would only repeat their last step, to the last bit, are not computed: nothing but the time
  // that a step takes tells, and World::problem, which has no rows of theirs. False: it has all rows. Without
  // effect where bodies may sleep, or the integrator is implicit or midpoint.
  bool skips_still = true;
  std::optional<double> timestep{};        // instead of the model's [s]
  std::optional<Integrator> integrator{};  // instead of the model's
  std::optional<bool> sleep{};             // instead of the model's: Options::sleep
  // Threads that share a step, the caller's among them (math/num_threads.h). What comes out is the same for
  // any number, down to the last bit.
  int num_threads = 1;
};

}  // namespace stiction

// How a World steps: solver, accuracy, timestep.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/contact/default_solver.h"
#include "stiction/model/integrator.h"

namespace stiction {

// What follows a step that misses its budget, beside being counted: the best iterate of a retry is used; or
// `auto` is tried as well (`canal` where that is the solver); or a retry, and the caller stops; or the first
// iterate is used as it is.
enum class OnMiss { kRetry, kFallback, kStop, kAccept };

// Largest ncp_max of a step, where WorldOptions do not say it [m/s].
inline constexpr double kDefaultBudget = 1e-8;
// Instead of a number: the solver is meant to stop early, no step can miss and none is tried again.
inline constexpr double kNoBudget = std::numeric_limits<double>::infinity();

struct WorldOptions {
  std::string solver = kDefaultSolver;                                // contact/registry.h
  std::vector<std::pair<std::string, std::string>> solver_options{};  // by name, as text
  // Largest ncp_max of a step [m/s]: the residual of the exact laws, whatever law the solver has. Not given:
  // kDefaultBudget, for every solver. A solver of a convex or compliant law misses it as a rule, and is not
  // tried again where it met its own (Certificate::own_law).
  std::optional<double> budget{};
  OnMiss on_miss = OnMiss::kRetry;
  std::optional<double> timestep{};        // instead of the model's [s]
  std::optional<Integrator> integrator{};  // instead of the model's
  std::optional<bool> sleep{};             // instead of the model's: Options::sleep
};

}  // namespace stiction

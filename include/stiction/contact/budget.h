// How far the answer of a step may be from the exact laws: a bound on the ncp of each island
// (contact/certificate.h), in absolute terms or relative to the speed of what meets there.
//
//   budget of an island = absolute + relative v
//   v = max(0, −J_n v₀) over its one-sided rows: normals of contacts, limits                  [m/s or rad/s]
//
// v is the largest approach speed of the island before the solve, v₀ the velocity at the start of the step:
// where things rest or slide v = 0 and the budget is the absolute one, also under gravity, which v₀ does not
// hold yet. Rows count from when they stand in the problem, the step before the impact included. Motion that
// the problem has in its bias, as that of mocap bodies, does not count.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace stiction {

struct Budget {
  double absolute = 1e-8;  // > 0; infinite: none [m/s]
  double relative = 0.0;   // >= 0, finite

  constexpr Budget() = default;
  // Not explicit: a number is the budget of all islands.
  constexpr Budget(double absolute_budget, double relative_budget = 0.0)
      : absolute(absolute_budget), relative(relative_budget) {}

  constexpr bool is_none() const { return absolute == std::numeric_limits<double>::infinity(); }
  constexpr bool is_valid() const { return absolute > 0.0 && relative >= 0.0 && relative - relative == 0.0; }
  friend constexpr bool operator==(const Budget&, const Budget&) = default;
};

// Largest ncp of a step, where nobody says it.
inline constexpr Budget kDefaultBudget{1e-8};
// Instead of a number: the solver is meant to stop early, no step can miss and none is tried again.
inline constexpr Budget kNoBudget{std::numeric_limits<double>::infinity()};

// "1e-8", "1e-8+1e-6v" (absolute + relative v) or "none"; no value for what is none of these or not valid.
std::optional<Budget> ParseBudget(std::string_view text);
// What ParseBudget reads, in a sentence's place: "a number > 0 [m/s], as 1e-8, ...".
extern const char* const kBudgetWords;
// As ParseBudget reads it: "1e-08+1e-06v".
std::string ToString(const Budget& budget);

}  // namespace stiction

// The order at which errors fall with the timestep.
#pragma once

#include <vector>

namespace stiction::runner {

inline constexpr double kOrderSlack = 0.25;  // of an order, that is let go

struct ErrorsOfSteps {
  std::vector<double> steps;   // falling [s]
  std::vector<double> errors;  // NaN: the run diverged
  // By how much each error changes, at most, where the start is disturbed by what rounding might: empty, or
  // one per error. Singular positions and blows make much of little, and what they leave tells no order.
  std::vector<double> spreads{};
};

// The slope of the errors over the finest three steps that are all above `floor`, below which the digits of
// the known answer decide, and which their spread changes by no more than the slack of an order: the smaller
// of two slopes, as an order is a limit, and two that agree show that it is near. Of two steps where there
// are no three; NaN: there is one.
double FindOrder(const ErrorsOfSteps& of, double floor);

}  // namespace stiction::runner

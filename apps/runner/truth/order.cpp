#include "order.h"

#include <cmath>
#include <cstddef>
#include <limits>

namespace stiction::runner {
namespace {

// An error that is off by its spread puts a slope over this ratio of steps off by no more than the slack.
bool Tells(const ErrorsOfSteps& of, std::size_t i, double floor, double ratio) {
  const double spread = of.spreads.empty() ? 0.0 : of.spreads[i];
  return of.errors[i] > floor && spread <= (std::pow(ratio, kOrderSlack) - 1.0) * of.errors[i];
}

}  // namespace

double FindOrder(const ErrorsOfSteps& of, double floor) {
  double order = std::numeric_limits<double>::quiet_NaN();
  int slopes = 0;
  for (std::size_t i = of.errors.size(); i-- > 1 && slopes < 2;) {
    const double ratio = of.steps[i - 1] / of.steps[i];
    if (!Tells(of, i, floor, ratio) || !Tells(of, i - 1, floor, ratio)) continue;
    const double slope = std::log(of.errors[i - 1] / of.errors[i]) / std::log(ratio);
    if (!(slope >= order)) order = slope;
    ++slopes;
  }
  return order;
}

}  // namespace stiction::runner

#include "stiction/contact/solver.h"

#include <algorithm>
#include <limits>

namespace stiction {

std::vector<SolverOption> ContactSolver::ListOptions() {
  std::vector<SolverOption> options{
      {"tolerance", tolerance_, 0, 1, "natural-map residual of its law to stop at [m/s]"}};
  for (SolverOption& option : ListOwnOptions()) options.push_back(std::move(option));
  return options;
}

int ScaleLimit(int limit, double effort) {
  return static_cast<int>(std::min<double>(limit * effort, std::numeric_limits<int>::max()));
}

}  // namespace stiction

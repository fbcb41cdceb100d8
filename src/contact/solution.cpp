#include "stiction/contact/solution.h"

#include <algorithm>

namespace stiction {

const char* ToString(SolveStatus status) {
  switch (status) {
    case SolveStatus::kConverged:
      return "converged";
    case SolveStatus::kMaxIterations:
      return "max_iterations";
    case SolveStatus::kStalled:
      return "stalled";
    case SolveStatus::kInfeasible:
      return "infeasible";
    case SolveStatus::kNonFinite:
      return "non_finite";
    case SolveStatus::kUnsupported:
      return "unsupported";
  }
  return "";
}

void SolveReport::Merge(const SolveReport& other) {
  status = std::max(status, other.status);  // the enumerators stand in order of severity
  iterations += other.iterations;
  iterations_sum += other.iterations_sum;
  newton_steps += other.newton_steps;
  sweeps += other.sweeps;
  factorizations += other.factorizations;
  back_solves += other.back_solves;
  inner_problems += other.inner_problems;
  inner_failures += other.inner_failures;
  stage = std::max(stage, other.stage);
  num_cut = other.num_cut;  // what a later try was given time for is not cut
  num_left = other.num_left;
}

void SolveReport::MergeIsland(const SolveReport& island) {
  const int largest = std::max(iterations, island.iterations), cut = num_cut + island.num_cut;
  const int left = num_left + island.num_left;
  Merge(island);
  iterations = largest;
  iterations_sum += island.iterations;
  num_cut = cut;
  num_left = left;
}

}  // namespace stiction

// Contact solvers that do not solve, for tests of who notices.
#pragma once

#include <limits>

#include "stiction/contact/island.h"
#include "stiction/contact/solver.h"

namespace stiction::testing {

// Leaves the warm start as it is, or makes it NaN, or ten times as large in every call.
enum class Failure { kLazy, kNan, kGrowth };

class FailingSolver : public ContactSolver {
 public:
  explicit FailingSolver(Failure failure = Failure::kLazy) : failure_(failure) {}
  SolveReport Solve(const Island& island, double* lambda) override {
    ++calls;
    const double factor = failure_ == Failure::kLazy     ? 1.0
                          : failure_ == Failure::kGrowth ? 10.0
                                                         : std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < island.num_rows(); ++i) lambda[i] *= factor;
    SolveReport report;
    report.status = failure_ == Failure::kNan ? SolveStatus::kNonFinite : SolveStatus::kMaxIterations;
    return report;
  }

  int calls = 0;  // of Solve: one per island

 private:
  Failure failure_;
};

}  // namespace stiction::testing

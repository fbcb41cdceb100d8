// The best iterate of a solve so far.
#pragma once

#include <algorithm>
#include <cmath>

#include "stiction/contact/solution.h"

namespace stiction {

// Stands in the caller's own array, which holds the best impulses whenever the solve ends: solvers iterate on
// a copy, offer what they find, and have nothing to restore at the end.
class Incumbent {
 public:
  //   lambda    the first incumbent, size num_rows; overwritten by better ones
  //   residual  of it; one that is not a number is never beaten [m/s]
  Incumbent(double* lambda, int num_rows, double residual)
      : lambda_(lambda), num_rows_(num_rows), residual_(residual) {}

  // Takes over impulses of a smaller residual. Returns whether they were.
  bool Offer(const double* lambda, double residual) {
    has_improved_ = residual < residual_;
    if (!has_improved_) return false;
    residual_ = residual;
    std::copy(lambda, lambda + num_rows_, lambda_);
    return true;
  }
  // The same, and whether the solve ends with it: the report's status then is kConverged, at the tolerance,
  // or kNonFinite.
  bool EndsWith(const double* lambda, double residual, double tolerance, SolveReport& report) {
    Offer(lambda, residual);
    if (!std::isfinite(residual)) report.status = SolveStatus::kNonFinite;
    if (residual <= tolerance) report.status = SolveStatus::kConverged;
    return !std::isfinite(residual) || residual <= tolerance;
  }
  double residual() const { return residual_; }
  // Whether the last offer was taken.
  bool has_improved() const { return has_improved_; }

 private:
  double* lambda_;
  int num_rows_;
  double residual_;
  bool has_improved_ = false;
};

}  // namespace stiction

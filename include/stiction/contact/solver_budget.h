// How long the solver of a step may work: by the clock, or by iterations.
//
// A solver asks once per iteration (Island::Tick), and ends with its best iterate when the last one it has
// was done. The certificate says what that is worth: it is held to the accuracy budget (contact/budget.h) all
// the same, and no second attempt is made beyond the time. What is not iterations is not interrupted: scaling
// the problem, a solver's preparation, the iteration that is under way, the certificate.
//
// Time is that of a clock, so that states differ from run to run; iterations are counted, for tests and for
// runs that have to repeat. An iteration is what a method counts: a Newton step, a sweep over the
// constraints, an iteration of a first-order method.
//
// Islands share the time of a problem. Those whose warm start is accepted as it is take none; of the others
// the smallest comes first, and an island with n of the N constraints still unsolved gets n/N of the time
// that is left, times the threads at work: what one does not use goes to those that come after it, and the
// largest has all that remains. Iterations are each island's own. Neither depends on the order of threads,
// except by what the clock says.
//
// With nothing at all (0), and where an earlier island has overrun the time, an island's answer is its warm
// start: the impulses of the last step, zero where there was none.
#pragma once

#include <algorithm>
#include <limits>

namespace stiction {

struct SolverBudget {
  double seconds = std::numeric_limits<double>::infinity();  // >= 0; of all solves of a step together [s]
  int iterations = std::numeric_limits<int>::max();  // >= 0; of an island in each solve, retries included

  constexpr bool has_time() const { return seconds < std::numeric_limits<double>::infinity(); }
  constexpr bool has_iterations() const { return iterations < std::numeric_limits<int>::max(); }
  constexpr bool is_none() const { return !has_time() && !has_iterations(); }
  constexpr bool is_valid() const { return seconds >= 0.0 && iterations >= 0; }
  friend constexpr bool operator==(const SolverBudget&, const SolverBudget&) = default;
};

// Of a clock that never goes back [s].
double ReadClock();

// What is left of it for one island. One that was made by default never ends.
class SolveClock {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  SolveClock() = default;
  //   end  by ReadClock [s]
  SolveClock(double end, int iterations)
      : end_(end), stop_(end), iterations_(iterations), is_over_(iterations <= 0 || IsLate(end)) {}

  // After the work of an iteration: counts it. Returns whether it was the last. Reads the clock once.
  bool Tick() {
    ++count_;
    is_over_ = is_over_ || count_ >= iterations_ || IsLate(stop_);
    return is_over_;
  }
  // Until Release, it is over while this share of the time from now on is left, for a method that makes more
  // of the end. Iterations are not kept.
  //   share  in [0, 1]
  void Reserve(double share) {
    if (end_ < kNever) stop_ = end_ - share * std::max(0.0, end_ - ReadClock());
  }
  // Returns whether it was over, and is not any more.
  bool Release() {
    const bool goes_on = is_over_ && stop_ < end_ && count_ < iterations_ && !IsLate(end_);
    stop_ = end_;
    if (goes_on) is_over_ = false;
    return goes_on;
  }
  // As of the last Tick.
  bool is_over() const { return is_over_; }
  int count() const { return count_; }

  static bool IsLate(double end) { return end < kNever && ReadClock() >= end; }

 private:
  double end_ = kNever;
  double stop_ = kNever;  // <= end_
  int iterations_ = std::numeric_limits<int>::max();
  int count_ = 0;
  bool is_over_ = false;
};

}  // namespace stiction

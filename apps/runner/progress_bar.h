// How far a run, or a sweep, has come, on a terminal.
#pragma once

#include <chrono>

namespace stiction::runner {

class ProgressBar {
 public:
  // Draws on stderr, and only where that is a terminal and `enabled`.
  ProgressBar(bool enabled, long long num_steps);
  ~ProgressBar() { Clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Redraws at most ten times a second.
  //   time    simulated so far [s]
  void Update(long long step, double time);
  // The same where steps are cases; those of an earlier run count for the bar, but not for the time left.
  void UpdateCases(long long done, long long done_before);
  void Clear();

 private:
  bool IsDue();
  // `fraction` of all, `recent` of what was to be done when the bar was made.
  void Draw(double fraction, double recent, const char* position);
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool drawn_ = false;
  long long num_steps_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
};

}  // namespace stiction::runner

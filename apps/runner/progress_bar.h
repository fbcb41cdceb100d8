// How far a run has come, on a terminal.
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
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool drawn_ = false;
  long long num_steps_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
};

}  // namespace stiction::runner

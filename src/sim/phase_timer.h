// How long a step and its stages take.
//
// The clock is read where a step begins and where it ends. In between ticks of the processor are counted, and
// the stages get their shares of the whole: a reading of the clock takes three times as long as one of the
// ticks, and where a free body flies the dozen of a step would take a fifth of its time.
#pragma once

#include <chrono>
#include <cstdint>

#include "stiction/sim/step_report.h"

namespace stiction {

// Counts at a constant rate, of which nothing else is known.
inline std::uint64_t ReadTicks() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

class PhaseTimer {
 public:
  // Adds the ticks since the last call to `phase`.
  void Charge(double& phase) {
    const std::uint64_t now = ReadTicks();
    // Counters of two processors may be apart.
    if (now > last_) phase += static_cast<double>(now - last_);
    last_ = now;
  }

 private:
  std::uint64_t last_ = ReadTicks();
};

class StepTimer {
 public:
  // The whole time, and times of the stages in place of their ticks.
  void Finish(PhaseTimes& phases) {
    double ticks = 0.0;
    timer_.Charge(ticks);
    phases.total = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double tick = ticks > 0.0 ? phases.total / ticks : 0.0;
    for (const StepPhase& phase : kStepPhases) phases.*phase.time *= tick;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  PhaseTimer timer_;
};

}  // namespace stiction

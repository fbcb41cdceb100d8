#include "progress_bar.h"

#include <unistd.h>

#include <cstdio>
#include <string>

namespace stiction::runner {

ProgressBar::ProgressBar(bool enabled, long long num_steps)
    : enabled_(enabled && isatty(STDERR_FILENO) == 1), num_steps_(num_steps) {}

void ProgressBar::Update(long long step, double time) {
  constexpr int kWidth = 30;
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  const double fraction = static_cast<double>(step) / static_cast<double>(num_steps_);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::string bar(kWidth, '.');
  bar.replace(0, static_cast<size_t>(fraction * kWidth), static_cast<size_t>(fraction * kWidth), '#');
  std::fprintf(stderr, "\r[%s] %3.0f%%  t = %.2f s, %.1f s left  ", bar.c_str(), 100.0 * fraction, time,
               elapsed / fraction - elapsed);
  drawn_ = true;
}

void ProgressBar::Clear() {
  if (drawn_) std::fprintf(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace stiction::runner

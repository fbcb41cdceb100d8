#include "progress_bar.h"

#include <unistd.h>

#include <cstdio>
#include <string>

namespace stiction::runner {

ProgressBar::ProgressBar(bool enabled, long long num_steps)
    : enabled_(enabled && isatty(STDERR_FILENO) == 1), num_steps_(num_steps) {}

void ProgressBar::Update(long long step, double time) {
  if (!IsDue()) return;
  char position[40];
  std::snprintf(position, sizeof position, "t = %.2f s", time);
  const double fraction = static_cast<double>(step) / static_cast<double>(num_steps_);
  Draw(fraction, fraction, position);
}

void ProgressBar::UpdateCases(long long done, long long done_before) {
  if (!IsDue()) return;
  char position[64];
  std::snprintf(position, sizeof position, "%lld of %lld cases", done, num_steps_);
  Draw(static_cast<double>(done) / static_cast<double>(num_steps_),
       static_cast<double>(done - done_before) / static_cast<double>(num_steps_ - done_before), position);
}

bool ProgressBar::IsDue() {
  if (!enabled_) return false;
  const Clock::time_point now = Clock::now();
  if (now < next_) return false;
  next_ = now + std::chrono::milliseconds(100);
  return true;
}

void ProgressBar::Draw(double fraction, double recent, const char* position) {
  constexpr int kWidth = 30;
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  std::string bar(kWidth, '.');
  bar.replace(0, static_cast<size_t>(fraction * kWidth), static_cast<size_t>(fraction * kWidth), '#');
  std::fprintf(stderr, "\r[%s] %3.0f%%  %s, %.1f s left  ", bar.c_str(), 100.0 * fraction, position,
               elapsed / recent - elapsed);
  drawn_ = true;
}

void ProgressBar::Clear() {
  if (drawn_) std::fprintf(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace stiction::runner

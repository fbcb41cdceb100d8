#include "touch_counter.h"

#include <algorithm>
#include <utility>

namespace stiction::viewer {
namespace {

constexpr double kLeastImpulse = 1e-9;  // of a contact that carries load, as in scenarios [N·s]
constexpr double kApart = 0.05;         // for which a pair has to be without load [s]

}  // namespace

// Points of one pair stand side by side, and pairs come in ascending order already.
void TouchCounter::ListLoaded(const std::vector<Contact>& contacts) {
  loaded_.clear();
  for (const Contact& contact : contacts) {
    if (contact.impulse_W.squaredNorm() < kLeastImpulse * kLeastImpulse) continue;
    const auto a = static_cast<std::uint32_t>(contact.geom_a), b = static_cast<std::uint32_t>(contact.geom_b);
    const std::uint64_t pair = std::uint64_t{a} << 32 | b;
    if (loaded_.empty() || loaded_.back() != pair) loaded_.push_back(pair);
  }
  if (std::is_sorted(loaded_.begin(), loaded_.end())) return;
  std::sort(loaded_.begin(), loaded_.end());
  loaded_.erase(std::unique(loaded_.begin(), loaded_.end()), loaded_.end());
}

bool TouchCounter::IsRecent(const Load& load, double time) const {
  return time - EndOf(load) <= kApart;
}

int TouchCounter::Count(double time, const std::vector<Contact>& contacts) {
  if (time <= last_time_) Clear();
  ListLoaded(contacts);
  next_.clear();
  int count = 0;
  auto known = loads_.begin();
  const auto keep_below = [&](std::uint64_t pair) {
    for (; known != loads_.end() && known->pair < pair; ++known)
      if (IsRecent(*known, time)) next_.push_back({known->pair, EndOf(*known)});
  };
  for (const std::uint64_t pair : loaded_) {
    keep_below(pair);
    const bool is_known = known != loads_.end() && known->pair == pair;
    count += !is_first_ && !(is_known && IsRecent(*known, time));
    known += is_known;
    next_.push_back({pair, time});
  }
  keep_below(UINT64_MAX);  // which is no pair: geoms are not negative
  std::swap(loads_, next_);
  last_time_ = counted_time_ = time;
  is_first_ = false;
  return count;
}

void TouchCounter::Clear() {
  loads_.clear();
  is_first_ = true;
}

}  // namespace stiction::viewer

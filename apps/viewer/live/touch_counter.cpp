#include "touch_counter.h"

#include <optional>

namespace stiction::viewer {
namespace {

constexpr double kLeastImpulse = 1e-9;  // of a contact that carries load, as in scenarios [N·s]
constexpr double kApart = 0.05;         // for which a pair has to be without load [s]

}  // namespace

int TouchCounter::Count(double time, const std::vector<Contact>& contacts) {
  if (time <= last_time_) Clear();
  int count = 0;
  std::optional<std::uint64_t> last;  // points of one pair stand side by side
  for (const Contact& contact : contacts) {
    if (contact.impulse_W.squaredNorm() < kLeastImpulse * kLeastImpulse) continue;
    const auto a = static_cast<std::uint32_t>(contact.geom_a), b = static_cast<std::uint32_t>(contact.geom_b);
    const std::uint64_t key = std::uint64_t{a} << 32 | b;
    if (last == key) continue;
    last = key;
    const auto [pair, is_new] = last_.try_emplace(key, time);
    const double loaded = pair->second == counted_time_ ? last_time_ : pair->second;
    count += !is_first_ && (is_new || time - loaded > kApart);
    pair->second = time;
  }
  // Pairs that did not carry any now have had their last one where the steps before ended.
  if (last_time_ > counted_time_)
    for (auto& [key, loaded] : last_)
      if (loaded == counted_time_) loaded = last_time_;
  last_time_ = counted_time_ = time;
  is_first_ = false;
  return count;
}

void TouchCounter::Clear() {
  last_.clear();
  is_first_ = true;
}

}  // namespace stiction::viewer

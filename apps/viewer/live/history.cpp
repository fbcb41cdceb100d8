#include "history.h"

#include <algorithm>
#include <iterator>

namespace stiction::viewer {
namespace {

std::size_t CountBytes(const Moment& moment) {
  const auto bytes = [](const auto& values) {
    return static_cast<std::size_t>(values.size()) * sizeof(*values.data());
  };
  return sizeof(Moment) + bytes(moment.state.q) + bytes(moment.state.v) + bytes(moment.state.contacts) +
         bytes(moment.state.limits) + bytes(moment.state.penalties) + bytes(moment.ctrl) +
         bytes(moment.mocap) + bytes(moment.sensors) + bytes(moment.contacts);
}

}  // namespace

void History::Append(Moment moment) {
  while (size() > index_ + 1) {
    bytes_ -= CountBytes(moments_.back());
    moments_.pop_back();
  }
  bytes_ += CountBytes(moment);
  moments_.push_back(std::move(moment));
  while (bytes_ > max_bytes_ && size() > 1) {
    bytes_ -= CountBytes(moments_.front());
    moments_.pop_front();
  }
  index_ = size() - 1;
}

void History::Clear() {
  moments_.clear();
  bytes_ = 0;
  index_ = 0;
}

void History::set_index(int index) {
  index_ = std::clamp(index, 0, std::max(size() - 1, 0));
}

int History::FindNearest(double time) const {
  const auto next =
      std::lower_bound(moments_.begin(), moments_.end(), time,
                       [](const Moment& moment, double wanted) { return moment.state.time < wanted; });
  if (next == moments_.begin()) return 0;
  if (next == moments_.end()) return size() - 1;
  const auto before = std::prev(next);
  return static_cast<int>((time - before->state.time <= next->state.time - time ? before : next) -
                          moments_.begin());
}

}  // namespace stiction::viewer

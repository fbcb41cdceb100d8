// Tells when bodies come into contact.
#pragma once

#include <cstdint>
#include <vector>

#include "stiction/sim/contact.h"

namespace stiction::viewer {

// A pair of geoms comes into contact where it carries load and has carried none for a while: points that
// flicker are no impacts, nor is what touches from the start.
class TouchCounter {
 public:
  // Pairs that came into contact in the step that ended at `time` [s]. Steps in the order of time; where it
  // goes back, what touches then counts as having done so before.
  int Count(double time, const std::vector<Contact>& contacts);
  // The same where the step was the one before again: nothing comes into contact.
  void Repeat(double time) { last_time_ = time; }
  void Clear();

 private:
  // A pair of geoms, and when it carried load last [s]; where that is counted_time_: until last_time_.
  struct Load {
    std::uint64_t pair;
    double time;
  };
  void ListLoaded(const std::vector<Contact>& contacts);
  bool IsRecent(const Load& load, double time) const;
  double EndOf(const Load& load) const { return load.time == counted_time_ ? last_time_ : load.time; }

  std::vector<std::uint64_t> loaded_;  // pairs of the step, ascending
  std::vector<Load> loads_, next_;     // of late, ascending by pair
  double last_time_ = 0.0, counted_time_ = 0.0;
  bool is_first_ = true;
};

}  // namespace stiction::viewer

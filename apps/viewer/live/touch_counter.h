// Tells when bodies come into contact.
#pragma once

#include <cstdint>
#include <unordered_map>
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
  // When the pair carried load last [s]; since counted_time_: what did then, does until last_time_.
  std::unordered_map<std::uint64_t, double> last_;
  double last_time_ = 0.0, counted_time_ = 0.0;
  bool is_first_ = true;
};

}  // namespace stiction::viewer

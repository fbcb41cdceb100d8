// States to which one can go back.
#pragma once

#include <cstddef>
#include <deque>

#include "stiction/sim/world.h"

namespace stiction::viewer {

// A state with what was known when it was reached.
struct Moment {
  State state;
  VectorXd ctrl, mocap;
  std::vector<Contact> contacts;
  StepReport report;
};

// The oldest moments are forgotten where the rest would take more memory than allowed.
class History {
 public:
  explicit History(std::size_t max_bytes = 256u << 20) : max_bytes_(max_bytes) {}

  // Forgets what comes after the shown moment, appends, and shows the new one.
  void Append(Moment moment);
  void Clear();

  int size() const { return static_cast<int>(moments_.size()); }
  // The moment shown; 0 if there is none.
  int index() const { return index_; }
  void set_index(int index);
  const Moment& operator[](int i) const { return moments_[static_cast<std::size_t>(i)]; }
  const Moment& back() const { return moments_.back(); }

 private:
  std::deque<Moment> moments_;
  std::size_t bytes_ = 0, max_bytes_;
  int index_ = 0;
};

}  // namespace stiction::viewer

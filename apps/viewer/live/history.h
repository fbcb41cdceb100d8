// States to which one can go back.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

#include "stiction/sim/expectation.h"
#include "stiction/sim/world.h"

namespace stiction::viewer {

// What was counted until a moment of a run.
struct RunCounts {
  long long steps = 0;
  long long judged = 0;  // steps under the present options, of which the following are
  long long misses = 0;  // of the budget; kNotLogged
  long long over = 0;  // the same; without a budget, steps that would have missed that of others; kNotLogged
};

// The spring by which the user pulls a body.
struct PullView {
  bool is_active = false;
  Vector3d p_W = Vector3d::Zero();       // where it is attached [m]
  Vector3d target_W = Vector3d::Zero();  // where it pulls to [m]
  Vector3d force_W = Vector3d::Zero();   // of the last step [N]
  Vector3d torque_W = Vector3d::Zero();  // of the last step [N·m]
  bool is_steady = false;                // a force and a moment that stay, and no spring
  bool is_past = false;                  // of a moment that is shown again
};

// A state with what was known when it was reached.
struct Moment {
  State state;
  VectorXd ctrl, mocap;
  VectorXd sensors;  // empty: not known
  std::vector<Contact> contacts;
  StepReport report;
  RunCounts counts;
  // Of the step that led here; empty or 0: not known.
  std::string solver;
  double timestep = 0.0;                                     // [s]
  std::shared_ptr<const ExpectationMonitor> expectations{};  // as of then; null: nothing is expected
  PullView pull{};
  int worst_contact = -1;  // index into contacts; -1: the worst row is no contact, or not known
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
  // Of the moment that is nearest in time [s]; 0 if there is none.
  int FindNearest(double time) const;
  const Moment& operator[](int i) const { return moments_[static_cast<std::size_t>(i)]; }
  const Moment& back() const { return moments_.back(); }

 private:
  std::deque<Moment> moments_;
  std::size_t bytes_ = 0, max_bytes_;
  int index_ = 0;
};

}  // namespace stiction::viewer

// Other solvers on the very steps that are shown: each ticked solver gets the step's frozen problem and warm
// start, in a thread of its own, and is judged by the same certificate.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "snapshot.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"

namespace stiction::viewer {

class Player;

struct ShadowResult {
  std::string solver;
  SolveReport report;
  Certificate certificate;
  double time = 0.0;                 // of the solve, certificate included [s]
  std::vector<Vector3d> impulses_W;  // one per contact of the step, on its geom B [N·s]
  // Since the solver was ticked.
  long long count = 0;
  double mean_time = 0.0;  // [s]
  double max_ncp = 0.0;    // [m/s]
  double mean_ncp = 0.0;   // of ncp_max [m/s]
};

struct ShadowReport {
  std::shared_ptr<const FrozenStep> step;
  std::vector<ShadowResult> results;
};

class ShadowSolves {
 public:
  ShadowSolves();
  // Waits for the solve under way.
  ~ShadowSolves();
  ShadowSolves(const ShadowSolves&) = delete;
  ShadowSolves& operator=(const ShadowSolves&) = delete;

  // For the window. Starts their statistics anew.
  void Select(const std::vector<std::string>& solvers);
  // Every step, which then waits for the shadows of the one before; otherwise the newest one whenever they
  // are ready.
  void set_every_step(bool is_on) { is_every_step_ = is_on; }
  // The newest results; null before the first.
  std::shared_ptr<const ShadowReport> latest() const;

  // For the simulation: whether the next step has to wait, and a step that may be solved.
  bool must_wait() const { return is_every_step_ && is_selected_ && is_busy_; }
  void Offer(const Player& player);

 private:
  void Work();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::string> selected_;
  int selection_ = 0;  // counts calls of Select
  std::shared_ptr<const FrozenStep> offered_;
  std::shared_ptr<const ShadowReport> latest_;
  bool is_ending_ = false;
  std::atomic<bool> is_busy_{false}, is_selected_{false}, is_every_step_{false};
  std::thread thread_;  // last: starts when all else is there
};

// One solver on one step, from the step's warm start; statistics are left alone.
class ShadowSolver {
 public:
  // Throws std::invalid_argument: no such solver.
  explicit ShadowSolver(const std::string& name);
  void Solve(const FrozenStep& step, ShadowResult& result);

 private:
  std::unique_ptr<ContactSolver> solver_;
  ProblemSolver problem_solver_;
  Solution solution_;
};

}  // namespace stiction::viewer

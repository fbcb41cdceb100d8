// A Player in a thread of its own: never blocked by drawing, and drawing never by it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "player.h"
#include "shadow_solves.h"

namespace stiction::viewer {

class Simulation {
 public:
  Simulation() = default;
  // Ends after the step under way.
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Shows another model, or the same one read again. Throws std::invalid_argument as World does; what was
  // there then goes on.
  void Show(LivePlan plan);

  // Runs `command` between two steps, in the simulation's thread. Commands come in the order of the calls;
  // snapshots taken after a command was run show what it did.
  void Do(std::function<void(Player&)> command);

  // Exchanges `snapshot` for a newer one; false where there is none. Waits for nothing.
  bool Take(Snapshot& snapshot);
  // Whether there is one to be taken.
  bool has_snapshot();

  ShadowSolves& shadows() { return shadows_; }

 private:
  void Work();
  void End();

  ShadowSolves shadows_;
  std::unique_ptr<Player> player_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::function<void(Player&)>> commands_;
  Snapshot ready_;
  bool is_ready_ = false;  // ready_ was not taken yet
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace stiction::viewer

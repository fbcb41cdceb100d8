#include "simulation.h"

namespace stiction::viewer {
namespace {

// Of stepping without a look at the commands.
constexpr std::chrono::microseconds kSlice(4000);

}  // namespace

Simulation::~Simulation() {
  End();
}

void Simulation::End() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
  is_ending_ = false;
}

void Simulation::Show(LivePlan plan) {
  auto player = std::make_unique<Player>(std::move(plan), &shadows_);
  End();
  player_ = std::move(player);
  commands_.clear();
  is_ready_ = false;
  thread_ = std::thread([this] { Work(); });
}

void Simulation::Do(std::function<void(Player&)> command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  wake_.notify_all();
}

bool Simulation::Take(Snapshot& snapshot) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_ready_) return false;
    std::swap(snapshot, ready_);
    is_ready_ = false;
  }
  wake_.notify_all();
  return true;
}

bool Simulation::has_snapshot() {
  const std::lock_guard lock(mutex_);
  return is_ready_;
}

void Simulation::Work() {
  Snapshot next;
  std::vector<std::function<void(Player&)>> commands;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      const auto has_work = [&] {
        return is_ending_ || !commands_.empty() || (player_->has_news() && !is_ready_);
      };
      if (const auto due = player_->due(); !due)
        wake_.wait(lock, has_work);
      else if (shadows_.must_wait())
        wake_.wait_for(lock, std::chrono::microseconds(100));
      else if (*due > Player::Clock::now())  // a wait costs the thread its turn, and time
        wake_.wait_until(lock, *due, has_work);
      if (is_ending_) return;
      commands.swap(commands_);
    }
    for (const auto& command : commands) command(*player_);
    commands.clear();
    player_->Advance(Player::Clock::now(), kSlice);
    if (!player_->has_news()) continue;
    {
      const std::lock_guard lock(mutex_);
      if (is_ready_) continue;  // the last one still waits to be taken
    }
    player_->Fill(next);
    const std::lock_guard lock(mutex_);
    std::swap(ready_, next);
    is_ready_ = true;
  }
}

}  // namespace stiction::viewer

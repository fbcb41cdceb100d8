// One call of Batch::Rollout.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include "sim/batch_impl.h"

namespace stiction {

// Threads call RunWorld, each for another world.
class Batch::Impl::Run {
 public:
  // Throws std::invalid_argument as Batch::Rollout does.
  Run(Impl& batch, const RolloutInput& in, const RolloutOutput& out);
  // All steps of a world.
  void RunWorld(int world);
  // Asks RolloutInput::should_stop, unless it was asked a moment ago. On the caller's thread.
  void LookForStop();
  // When all have ended.
  RolloutReport TakeReport();

 private:
  int ModelOf(int world) const {
    return !in_.models.empty() ? in_.models[world] : batch_.models.size() == 1 ? 0 : world;
  }
  std::size_t RowIndex(int world, int step) const {
    return static_cast<std::size_t>(world) * in_.num_steps + step;
  }
  void CheckInputs() const;
  void CheckOutputs() const;
  void SetStart(int world, Seat& seat) const;
  int TakeSteps(int world, Seat& seat);
  bool IsStopped();
  void Apply(int world, int step, Seat& seat) const;
  bool NoteTrouble(int world, int step, const Seat& seat);
  void WriteRow(int world, int step, const World& from) const;
  void WriteContacts(std::size_t row, const std::vector<Contact>& contacts) const;
  void FillRest(int world, int num_taken, StepStatus status) const;

  Impl& batch_;
  const RolloutInput& in_;
  const RolloutOutput& out_;
  std::vector<StateLayout> in_layouts_, out_layouts_;  // one per model
  bool budget_is_finite_;
  std::vector<std::unique_ptr<WorldTrouble>> troubles_;  // one per world, null where there was none
  std::atomic<bool> has_thrown_ = false;
  std::atomic<bool> is_stopped_ = false;
  std::exception_ptr stop_error_;  // of should_stop
  std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
};

}  // namespace stiction

// What a Batch owns: its models, its threads, and Worlds that no rollout needs at the moment.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "math/task_pool.h"
#include "stiction/sim/batch.h"

namespace stiction {

struct Batch::Impl {
  // A World, and what a rollout needs beside it.
  struct Seat {
    World world;
    Input start_input;
    State start, last_good;
  };

  class Run;  // sim/rollout.h

  Impl(std::vector<Model> models_in, BatchOptions options_in);
  // A World of the model: one that is free, or a new one. From any thread.
  std::unique_ptr<Seat> TakeSeat(int model);
  void GiveBack(int model, std::unique_ptr<Seat> seat);
  // One per model, all of one size; throws std::invalid_argument, with the array's name, if they are not.
  std::vector<StateLayout> MakeLayouts(std::optional<int> max_contacts, const char* name) const;

  std::vector<Model> models;
  BatchOptions options;
  TaskPool pool;
  std::mutex mutex;
  std::vector<std::vector<std::unique_ptr<Seat>>> free_seats;  // one per model
};

}  // namespace stiction

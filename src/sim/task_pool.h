// Threads that share tasks out among themselves.
#pragma once

#include <functional>
#include <memory>

namespace stiction {

class TaskPool {
 public:
  // Throws std::invalid_argument as CheckNumThreads (sim/batch.h) does.
  explicit TaskPool(int num_threads);
  ~TaskPool();

  // As ForEachTask (sim/batch.h).
  void ForEach(int num_tasks, const std::function<void(int task)>& task);

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;  // null where the caller's thread is the only one
};

}  // namespace stiction

// Threads that share tasks out among themselves.
//
// Which thread does a task, and when, differs from run to run: for results that do not, down to the last bit,
// a task has its own scratch and writes what is its own alone, and what is common is put together afterwards,
// in order.
#pragma once

#include <memory>

#include "stiction/math/num_threads.h"

namespace stiction {

class TaskPool {
 public:
  // The caller's thread is one of them, and at 1 the only one. Throws std::invalid_argument as
  // CheckNumThreads does.
  explicit TaskPool(int num_threads = 1);
  ~TaskPool();
  TaskPool(TaskPool&&) noexcept;
  TaskPool& operator=(TaskPool&&) noexcept;

  int num_threads() const { return num_threads_; }

  // Calls work(task) for the tasks 0 to num_tasks - 1, and returns when all are done. In order on one thread.
  // An exception of a task is thrown to the caller, and tasks that have not begun are left out. Allocates
  // nothing of its own.
  template <typename Work>
  void ForEach(int num_tasks, const Work& work) const {
    if (!arena_ || num_tasks <= 1) {
      for (int task = 0; task < num_tasks; ++task) work(task);
      return;
    }
    Run(num_tasks, &work, [](const void* of, int task) { (*static_cast<const Work*>(of))(task); });
  }

 private:
  struct Arena;
  using Call = void (*)(const void* work, int task);
  void Run(int num_tasks, const void* work, Call call) const;

  int num_threads_;
  std::unique_ptr<Arena> arena_;  // null where the caller's thread is the only one
};

}  // namespace stiction

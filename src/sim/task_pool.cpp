#include "sim/task_pool.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <stdexcept>
#include <string>

#include "stiction/sim/batch.h"

namespace stiction {

struct TaskPool::Arena {
  explicit Arena(int num_threads) : arena(num_threads) {
    // Or there would be no more threads than cores. Of several such limits the least counts: one for all.
    static const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, kMaxThreads);
  }

  tbb::task_arena arena;
};

TaskPool::TaskPool(int num_threads) {
  CheckNumThreads(num_threads);
  if (num_threads > 1) arena_ = std::make_unique<Arena>(num_threads);
}

TaskPool::~TaskPool() = default;

void TaskPool::ForEach(int num_tasks, const std::function<void(int task)>& task) {
  if (!arena_) {
    for (int i = 0; i < num_tasks; ++i) task(i);
    return;
  }
  arena_->arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<int>(0, num_tasks), [&](const tbb::blocked_range<int>& piece) {
      for (int i = piece.begin(); i < piece.end() && !tbb::is_current_task_group_canceling(); ++i) task(i);
    });
  });
}

void CheckNumThreads(int num_threads) {
  if (num_threads >= 1 && num_threads <= kMaxThreads) return;
  throw std::invalid_argument("the number of threads is " + std::to_string(num_threads) +
                              "; it has to lie between 1 and " + std::to_string(kMaxThreads));
}

void ForEachTask(int num_tasks, int num_threads, const std::function<void(int task)>& task) {
  TaskPool(num_threads).ForEach(num_tasks, task);
}

}  // namespace stiction

// Threads that share tasks out among themselves.
//
// Which thread does a task, and when, differs from run to run: for results that do not, down to the last bit,
// a task has its own scratch and writes what is its own alone, and what is common is put together afterwards,
// in order.
//
// The parts of a step take microseconds, and waking a thread takes longer than that: threads that run out of
// tasks look for new ones for a while before they sleep, and as long as a TaskPool::Vigil lasts. Those of a
// general library do not (oneTBB, measured: a step of 500 boxes took two threads longer than one).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

#include "stiction/math/num_threads.h"

namespace stiction {

class TaskPool {
 public:
  // The caller's thread is one of them, and at 1 the only one. Throws std::invalid_argument as
  // CheckNumThreads does, std::system_error if the system has no more threads.
  explicit TaskPool(int num_threads = 1);
  ~TaskPool();
  TaskPool(TaskPool&&) noexcept;
  TaskPool& operator=(TaskPool&&) noexcept;

  int num_threads() const { return num_threads_; }

  // Calls work(task) for the tasks 0 to num_tasks - 1, and returns when all are done. In order on one thread.
  // An exception of a task is thrown to the caller, and tasks that have not begun are left out. Allocates
  // nothing. From one thread at a time, and not from a task of this pool.
  template <typename Work>
  void ForEach(int num_tasks, const Work& work) const {
    if (!crew_ || num_tasks <= 1) {
      for (int task = 0; task < num_tasks; ++task) work(task);
      return;
    }
    Run(num_tasks, &work, [](const void* of, int task) { (*static_cast<const Work*>(of))(task); });
  }

  // The same, and calls meanwhile() again and again while the caller waits for the tasks of other threads. It
  // must not throw.
  template <typename Work>
  void ForEach(int num_tasks, const Work& work, const std::function<void()>& meanwhile) const {
    if (!crew_ || num_tasks <= 1) return ForEach(num_tasks, work);
    Run(
        num_tasks, &work, [](const void* of, int task) { (*static_cast<const Work*>(of))(task); }, meanwhile);
  }

  // Calls work(begin, end) for pieces of [0, count), as few as let no thread wait long for another, and none
  // of them smaller than `least`: for loops whose passes do not know of one another.
  template <typename Work>
  void ForPieces(int count, int least, const Work& work) const {
    ForNumberedPieces(count, least, [&](int, int begin, int end) { work(begin, end); });
  }

  // The same with work(piece, begin, end), for pieces that have scratch of their own, CountPieces of them.
  template <typename Work>
  void ForNumberedPieces(int count, int least, const Work& work) const {
    const int num_pieces = CountPieces(count, least);
    if (num_pieces == 1) return work(0, 0, count);
    const auto begin_of = [&](int i) { return static_cast<int>(std::int64_t{count} * i / num_pieces); };
    ForEach(num_pieces, [&](int i) { work(i, begin_of(i), begin_of(i + 1)); });
  }
  int CountPieces(int count, int least) const {
    return std::clamp(count / least, 1, crew_ ? kPiecesPerThread * num_threads_ : 1);
  }

  // Keeps the threads awake while it lives.
  class Vigil {
   public:
    explicit Vigil(const TaskPool& pool);
    ~Vigil();
    Vigil(const Vigil&) = delete;
    Vigil& operator=(const Vigil&) = delete;

   private:
    const TaskPool& pool_;
  };

 private:
  class Crew;
  static constexpr int kPiecesPerThread = 4;
  using Call = void (*)(const void* work, int task);
  void Run(int num_tasks, const void* work, Call call) const;
  void Run(int num_tasks, const void* work, Call call, const std::function<void()>& meanwhile) const;

  int num_threads_;
  std::unique_ptr<Crew> crew_;  // the other threads; null where the caller's is the only one
};

}  // namespace stiction

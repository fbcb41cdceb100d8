#include "math/task_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace stiction {
namespace {

constexpr int kNumThreads[] = {1, 2, 3, 8};

TEST(TaskPool, DoesEachTaskOnce) {
  for (const int num_threads : kNumThreads) {
    const TaskPool pool(num_threads);
    for (const int num_tasks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> done(num_tasks);
      pool.ForEach(num_tasks, [&](int task) { ++done[task]; });
      for (const auto& count : done) EXPECT_EQ(count, 1) << num_threads << " threads, " << num_tasks;
    }
  }
}

TEST(TaskPool, KeepsOrderOnOneThread) {
  std::vector<int> order;
  TaskPool(1).ForEach(5, [&](int task) { order.push_back(task); });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

// What tasks wrote is there when ForEach returns, and they see what was written before it: over many jobs
// that are shorter than a thread takes to wake.
TEST(TaskPool, PassesDataInAndOut) {
  const TaskPool pool(4);
  std::vector<long long> in(64), out(64);
  for (int job = 1; job <= 20000; ++job) {
    std::iota(in.begin(), in.end(), job);
    pool.ForEach(64, [&](int task) { out[task] = 2 * in[task]; });
    const long long first = job;
    ASSERT_EQ(std::accumulate(out.begin(), out.end(), 0LL), 2 * (64 * first + 63 * 32));
  }
}

TEST(TaskPool, PiecesCoverTheRangeWithoutOverlap) {
  for (const int num_threads : kNumThreads) {
    const TaskPool pool(num_threads);
    for (const int count : {0, 1, 9, 10, 11, 12345}) {
      std::vector<std::atomic<int>> done(count);
      std::atomic<int> num_small = 0;
      pool.ForPieces(count, 10, [&](int begin, int end) {
        if (end - begin < 10) ++num_small;
        for (int i = begin; i < end; ++i) ++done[i];
      });
      for (const auto& times : done) EXPECT_EQ(times, 1);
      EXPECT_LE(num_small, count < 10 ? 1 : 0) << count << " by " << num_threads;
    }
  }
}

TEST(TaskPool, ThrowsWhatATaskThrewAndGoesOn) {
  for (const int num_threads : kNumThreads) {
    const TaskPool pool(num_threads);
    std::atomic<int> count = 0;
    const auto fail = [&](int task) {
      if (task == 3) throw std::runtime_error("task 3");
      ++count;
    };
    EXPECT_THROW(pool.ForEach(1000, fail), std::runtime_error);
    EXPECT_LT(count, 1000);
    count = 0;
    pool.ForEach(1000, [&](int) { ++count; });
    EXPECT_EQ(count, 1000);
  }
}

// Where threads are awake, another than the caller's does some of the work.
TEST(TaskPool, SharesWork) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one core";
  const TaskPool pool(2);
  std::atomic<int> by_others = 0;
  const std::thread::id caller = std::this_thread::get_id();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (by_others == 0 && std::chrono::steady_clock::now() < end) {
    const TaskPool::Vigil vigil(pool);
    pool.ForEach(100, [&](int) {
      if (std::this_thread::get_id() != caller) ++by_others;
      std::this_thread::sleep_for(std::chrono::microseconds(10));
    });
  }
  EXPECT_GT(by_others, 0);
}

// What a thread wrote in one part of a step it finds in its own cache in the next.
TEST(TaskPool, GivesEachThreadTheSameTasks) {
  const TaskPool pool(2);
  const std::thread::id caller = std::this_thread::get_id();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (int job = 0; job < 100; ++job) {
    std::atomic<int> begun = 0;
    pool.ForEach(2, [&](int task) {
      EXPECT_EQ(std::this_thread::get_id() == caller, task == 0);
      ++begun;
      while (begun < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      EXPECT_EQ(begun, 2);
    });
  }
}

// The caller's task ends only after another thread has begun one, and that one's only in the meantime.
TEST(TaskPool, CallsBackWhileItWaits) {
  const TaskPool pool(2);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> other_works = false, was_called = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto wait_for = [&](const std::atomic<bool>& flag) {
    while (!flag && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    EXPECT_TRUE(flag);
  };
  pool.ForEach(
      2,
      [&](int) {
        if (std::this_thread::get_id() == caller) return wait_for(other_works);
        other_works = true;
        wait_for(was_called);
      },
      [&] {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        was_called = true;
      });
}

TEST(TaskPool, MovesAndSleepsWithoutLosingTasks) {
  TaskPool pool(2);
  for (int i = 0; i < 5; ++i) {
    pool = TaskPool(i + 1);
    EXPECT_EQ(pool.num_threads(), i + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // longer than threads look for tasks
    std::atomic<int> count = 0;
    pool.ForEach(50, [&](int) { ++count; });
    EXPECT_EQ(count, 50);
  }
}

TEST(TaskPool, RefusesAbsurdNumbers) {
  for (const int num_threads : {0, -1, kMaxThreads + 1}) {
    EXPECT_THROW(TaskPool{num_threads}, std::invalid_argument) << num_threads;
  }
}

}  // namespace
}  // namespace stiction

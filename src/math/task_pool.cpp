#include "math/task_pool.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace stiction {
namespace {

// For how long a thread without tasks looks for new ones: longer than what lies between two steps.
constexpr std::chrono::microseconds kPatience{200};
constexpr int kLooks = 64;  // between two looks at the clock

// Tells the processor that this thread waits for another one.
void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

// Each thread has a share of the tasks of a job, always the same one of so many: what it wrote in one part of
// a step lies in its cache when the next part asks for it. Tasks of a share are claimed by counting down, by
// its own thread first, and by those who are done with theirs: nobody waits for threads that are late, only
// for tasks that were claimed.
class TaskPool::Crew {
 public:
  explicit Crew(int size)
      : is_patient_(size < static_cast<int>(std::thread::hardware_concurrency())), shares_(size + 1) {
    for (int i = 0; i < size; ++i) threads_.emplace_back([this, i] { Serve(i + 1); });
  }

  ~Crew() {
    is_over_ = true;
    Wake();
  }

  void Run(int num_tasks, const void* work, Call call, const std::function<void()>* meanwhile) {
    work_ = work, call_ = call;
    unfinished_.store(num_tasks, std::memory_order_relaxed);
    const std::int64_t num_shares = static_cast<std::int64_t>(shares_.size());
    for (std::int64_t i = 0, begin = 0; i < num_shares; ++i) {
      Share& share = shares_[i];
      share.end = static_cast<int>(num_tasks * (i + 1) / num_shares);
      share.unclaimed.store(share.end - static_cast<int>(begin));
      begin = share.end;
    }
    ++num_jobs_;
    if (num_asleep_ > 0) Wake();
    DoTasks(0);
    while (unfinished_.load(std::memory_order_acquire) > 0) {
      if (meanwhile) (*meanwhile)();
      Linger();
    }
    if (!error_) return;
    const std::exception_ptr error = std::exchange(error_, nullptr);
    has_failed_ = false;
    std::rethrow_exception(error);
  }

  void Hold() {
    if (!is_patient_) return;
    is_held_.store(true, std::memory_order_relaxed);
    if (num_asleep_ > 0) Wake();
  }
  void Release() { is_held_.store(false, std::memory_order_relaxed); }

 private:
  // Where there are more threads than cores, whoever waits holds up those who work.
  void Linger() const {
    if (is_patient_) {
      Pause();
    } else {
      std::this_thread::yield();
    }
  }

  // The tasks of the thread's own share, and then what others have left.
  void DoTasks(int thread) {
    const int num_shares = static_cast<int>(shares_.size());
    int num_done = 0;
    for (int i = 0; i < num_shares; ++i) {
      Share& share = shares_[(thread + i) % num_shares];
      while (share.unclaimed.load(std::memory_order_relaxed) > 0) {
        const int left = share.unclaimed.fetch_sub(1);
        if (left <= 0) break;
        DoTask(share.end - left);
        ++num_done;
      }
    }
    if (num_done > 0) unfinished_.fetch_sub(num_done, std::memory_order_release);
  }

  void DoTask(int task) {
    if (has_failed_.load(std::memory_order_relaxed)) return;
    try {
      call_(work_, task);
    } catch (...) {
      if (!has_failed_.exchange(true)) error_ = std::current_exception();
    }
  }

  void Serve(int thread) {
    while (!is_over_) {
      const unsigned num_jobs = num_jobs_;
      DoTasks(thread);
      if (!FindJob(num_jobs)) Sleep(num_jobs);
    }
  }

  // Waits for another job than those so far, as long as it has patience.
  bool FindJob(unsigned num_jobs) const {
    auto deadline = std::chrono::steady_clock::now() + kPatience;
    for (int looks = 1; num_jobs_.load(std::memory_order_acquire) == num_jobs; ++looks) {
      if (looks % kLooks == 0) {
        const auto now = std::chrono::steady_clock::now();
        if (is_held_.load(std::memory_order_relaxed)) deadline = now + kPatience;
        if (!is_patient_ || now > deadline) return false;
      }
      Linger();
    }
    return true;
  }

  // Whoever has something to do looks at num_asleep_ after having said so; whoever sleeps looks for something
  // to do after having said that: one of the two sees the other.
  void Sleep(unsigned num_jobs) {
    const int call = wake_up_calls_;
    ++num_asleep_;
    if (num_jobs_ == num_jobs && !is_held_ && !is_over_) wake_up_calls_.wait(call);
    --num_asleep_;
  }

  void Wake() {
    ++wake_up_calls_;
    wake_up_calls_.notify_all();
  }

  struct alignas(64) Share {
    std::atomic<int> unclaimed = 0;  // tasks end - unclaimed to end - 1; below 1: none
    int end = 0;
  };

  // The job, which does not change while one of its tasks is claimed and not finished.
  const void* work_ = nullptr;
  Call call_ = nullptr;
  std::exception_ptr error_;  // of the first task that failed
  std::atomic<bool> has_failed_ = false;

  // Each in a cache line of its own: all threads look at them all the time.
  alignas(64) std::atomic<unsigned> num_jobs_ = 0;
  alignas(64) std::atomic<int> unfinished_ = 0;
  alignas(64) std::atomic<int> num_asleep_ = 0;
  std::atomic<int> wake_up_calls_ = 0;
  std::atomic<bool> is_held_ = false;
  std::atomic<bool> is_over_ = false;
  bool is_patient_;
  std::vector<Share> shares_;          // one per thread, the caller's first
  std::vector<std::jthread> threads_;  // the last member: they end before the rest does
};

TaskPool::TaskPool(int num_threads) : num_threads_(num_threads) {
  CheckNumThreads(num_threads);
  if (num_threads > 1) crew_ = std::make_unique<Crew>(num_threads - 1);
}

TaskPool::~TaskPool() = default;
TaskPool::TaskPool(TaskPool&&) noexcept = default;
TaskPool& TaskPool::operator=(TaskPool&&) noexcept = default;

void TaskPool::Run(int num_tasks, const void* work, Call call) const {
  crew_->Run(num_tasks, work, call, nullptr);
}

void TaskPool::Run(int num_tasks, const void* work, Call call, const std::function<void()>& meanwhile) const {
  crew_->Run(num_tasks, work, call, &meanwhile);
}

TaskPool::Vigil::Vigil(const TaskPool& pool) : pool_(pool) {
  if (pool_.crew_) pool_.crew_->Hold();
}

TaskPool::Vigil::~Vigil() {
  if (pool_.crew_) pool_.crew_->Release();
}

void CheckNumThreads(int num_threads) {
  if (num_threads >= 1 && num_threads <= kMaxThreads) return;
  throw std::invalid_argument("the number of threads is " + std::to_string(num_threads) +
                              "; it has to lie between 1 and " + std::to_string(kMaxThreads));
}

}  // namespace stiction

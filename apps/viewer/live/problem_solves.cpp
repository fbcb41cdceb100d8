#include "live/problem_solves.h"

#include <algorithm>
#include <filesystem>

#include "stiction/io/problem_file.h"

namespace stiction::viewer {

ProblemSolves::ProblemSolves(const std::string& path) : path_(path) {
  for (ProblemFile& file : ReadProblems(path)) {
    ProblemView view;
    view.name = !file.group.empty() ? file.group : file.problem.name;
    if (view.name.empty()) view.name = std::filesystem::path(path).stem().string();
    view.num_dofs = file.problem.nv();
    view.num_contacts = static_cast<int>(
        std::count_if(file.problem.constraints.begin(), file.problem.constraints.end(),
                      [](const Constraint& row) { return row.type == ConstraintType::kContact; }));
    view.num_constraints = file.problem.num_constraints();
    views_.push_back(std::move(view));
    FrozenStep step;
    step.problem = std::move(file.problem);
    step.warm_start = std::move(file.warm_start);
    steps_.push_back(std::move(step));
  }
  thread_ = std::thread([this] { Work(); });
}

ProblemSolves::~ProblemSolves() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void ProblemSolves::Show(int index) {
  {
    const std::lock_guard lock(mutex_);
    wanted_ = shown_ = index;
  }
  wake_.notify_all();
}

ProblemView ProblemSolves::Look() const {
  const std::lock_guard lock(mutex_);
  return views_.empty() ? ProblemView() : views_[static_cast<std::size_t>(shown_)];
}

bool ProblemSolves::is_solving() const {
  const std::lock_guard lock(mutex_);
  return !views_.empty() && views_[static_cast<std::size_t>(wanted_)].results.size() < ListSolvers().size();
}

void ProblemSolves::Work() {
  std::unique_lock lock(mutex_);
  while (!is_ending_ && !views_.empty()) {
    const std::size_t index = static_cast<std::size_t>(wanted_);
    const std::size_t next = views_[index].results.size();
    if (next == ListSolvers().size()) {
      wake_.wait(lock, [&] { return is_ending_ || wanted_ != static_cast<int>(index); });
      continue;
    }
    lock.unlock();
    const char* name = ListSolvers()[next].name;
    ShadowResult result;
    result.solver = name;
    ShadowSolver(name).Solve(steps_[index], result);
    lock.lock();
    views_[index].results.push_back(std::move(result));
  }
}

}  // namespace stiction::viewer

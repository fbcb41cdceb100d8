#include "shadow_solves.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "player.h"
#include "stiction/sim/contact.h"

namespace stiction::viewer {

ShadowSolver::ShadowSolver(const std::string& name) : solver_(MakeSolver(name)) {
  if (!solver_) throw std::invalid_argument("unknown solver '" + name + "'");
}

void ShadowSolver::Solve(const FrozenStep& step, ShadowResult& result) {
  using Clock = std::chrono::steady_clock;
  solution_ = step.warm_start;
  const Clock::time_point start = Clock::now();
  const ProblemReport report = problem_solver_.Solve(step.problem, *solver_, solution_);
  result.time = std::chrono::duration<double>(Clock::now() - start).count();
  result.report = report.solve;
  result.certificate = report.certificate;
  result.impulses_W.clear();
  for (const Contact& contact : step.contacts) {
    Vector3d& impulse_W = result.impulses_W.emplace_back(Vector3d::Zero());
    if (contact.constraint < 0) continue;
    const int row = step.problem.constraints[contact.constraint].row;
    impulse_W = MakeContactFrame(contact.n_W) * solution_.lambda.segment<3>(row);
  }
}

ShadowSolves::ShadowSolves() : thread_([this] { Work(); }) {}

ShadowSolves::~ShadowSolves() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void ShadowSolves::Select(const std::vector<std::string>& solvers) {
  const std::lock_guard lock(mutex_);
  selected_ = solvers;
  is_selected_ = !solvers.empty();
  ++selection_;
  latest_.reset();
}

std::shared_ptr<const ShadowReport> ShadowSolves::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

void ShadowSolves::Offer(const Player& player) {
  if (!is_selected_ || is_busy_) return;
  std::shared_ptr<const FrozenStep> step = player.Freeze();
  if (!step) return;
  {
    const std::lock_guard lock(mutex_);
    offered_ = std::move(step);
    is_busy_ = true;
  }
  wake_.notify_all();
}

void ShadowSolves::Work() {
  struct Shadow {
    ShadowSolver solver;
    ShadowResult result;
  };
  std::vector<Shadow> shadows;
  int selection = 0;
  while (true) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return is_ending_ || offered_; });
    if (is_ending_) return;
    const std::shared_ptr<const FrozenStep> step = std::move(offered_);
    offered_.reset();
    if (selection != selection_) {
      shadows.clear();
      for (const std::string& name : selected_) {
        shadows.push_back({ShadowSolver(name), {}});
        shadows.back().result.solver = name;
      }
      selection = selection_;
    }
    lock.unlock();
    auto report = std::make_shared<ShadowReport>(ShadowReport{step, {}});
    for (auto& [solver, result] : shadows) {
      solver.Solve(*step, result);
      const double n = static_cast<double>(++result.count);
      result.mean_time += (result.time - result.mean_time) / n;
      result.mean_ncp += (result.certificate.ncp_max - result.mean_ncp) / n;
      result.max_ncp = std::max(result.max_ncp, result.certificate.ncp_max);
      report->results.push_back(result);
    }
    lock.lock();
    if (selection == selection_) latest_ = std::move(report);
    is_busy_ = false;
  }
}

}  // namespace stiction::viewer

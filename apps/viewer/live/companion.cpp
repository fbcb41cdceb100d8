#include "companion.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <utility>

#include "stiction/io/log_reader.h"

namespace stiction::viewer {
namespace {

constexpr double kCompanionWindow = 0.25;  // of simulated time, or of twice the wall time [s]

Moment MakeMoment(const World& world, bool has_stepped, const RunCounts& counts) {
  return {.state = world.state(),
          .ctrl = world.input().ctrl,
          .mocap = world.input().mocap,
          .sensors = {},
          .contacts = world.contacts(),
          .report = has_stepped ? world.report() : StepReport{},
          .counts = counts,
          .solver = world.options().solver,
          .timestep = world.timestep()};
}

RunCounts CountsSince(const RunCounts& start, const RunCounts& now) {
  const auto since = [](long long from, long long to) {
    return to == kNotLogged ? to : std::max(to - from, 0LL);
  };
  return {.steps = since(start.steps, now.steps),
          .judged = since(start.judged, now.judged),
          .misses = since(start.misses, now.misses),
          .over = since(start.over, now.over)};
}

void Place(const Moment& moment, World& world) {
  world.set_state(moment.state);
  world.input().ctrl = moment.ctrl;
  world.input().mocap = moment.mocap;
}

}  // namespace

std::string DescribeSlowness(const CompanionView& companion) {
  if (companion.is_log || !(companion.rate > 0.0) || companion.rate >= 1.0) return "";
  char text[48];
  std::snprintf(text, sizeof text, "B runs at %.2gx real time", companion.rate);
  return text;
}

bool IsOver(const StepReport& report, const Budget& budget, const Budget& reference) {
  if (!budget.is_none()) return report.status == StepStatus::kBudgetMissed;
  return !reference.is_none() && !(report.certificate.ncp_max <= reference.absolute);
}

Companion::Companion(const World& run, const RunCounts& counts, const WorldOptions& options,
                     const std::vector<ControllerDescription>& controllers,
                     const std::vector<TaskDescription>& tasks)
    : world_(std::make_unique<World>(run.model(), options)), name_(options.solver) {
  AttachControllers(*world_, controllers, tasks);
  has_controllers_ = !controllers.empty() || !tasks.empty();
  reference_ = run.budget().is_none() ? kDefaultBudget : run.budget();
  Begin(run, counts);
}

Companion::Companion(const World& run, const RunCounts& counts, Recording log, std::string name)
    : world_(std::make_unique<World>(run.model(), run.options())),
      name_(std::move(name)),
      history_(std::numeric_limits<std::size_t>::max()) {
  for (Moment& moment : log.moments) history_.Append(std::move(moment));
  log.moments.clear();
  log_ = std::move(log);
  Begin(run, counts);
}

void Companion::Begin(const World& run, const RunCounts& counts) {
  run_start_ = counts;
  start_ = run.time();
  if (log_) {
    has_stopped_ = false;
    samples_ = log_->samples;
    history_.set_index(history_.FindNearest(start_));
    const Moment& row = history_[history_.index()];
    // A log has no row of the moment before its first step.
    log_start_ = row.state.time > start_ + 0.5 * run.timestep() ? RunCounts{} : row.counts;
    return Place(row, *world_);
  }
  world_->set_state(run.state());
  world_->input().ctrl = run.input().ctrl;
  world_->input().mocap = run.input().mocap;
  world_->Refresh();
  counts_ = {};
  is_shown_ = has_stepped_ = has_stopped_ = false;
  spent_ = reached_ = rate_ = 0.0;
  history_.Clear();
  history_.Append(MakeMoment(*world_, false, counts_));
  touches_.Clear();
  samples_.clear();
}

void Companion::Follow(const World& run, const Pull& pull) {
  if (log_) {
    const int last = history_.size() - 1;
    history_.set_index(history_.FindNearest(run.time()));
    has_stopped_ = run.time() > history_[last].state.time + 0.5 * run.timestep();
    return Place(history_[history_.index()], *world_);
  }
  is_shown_ = false;
  while (!has_stopped_ && world_->time() < run.time() - 0.5 * std::min(world_->timestep(), run.timestep()))
    TakeStep(run, pull);
}

void Companion::TakeStep(const World& run, const Pull& pull) {
  const auto start = std::chrono::steady_clock::now();
  world_->input().ctrl = run.input().ctrl;
  world_->input().mocap = run.input().mocap;
  if (!has_controllers_) {  // or they have the joints
    world_->input().applied_generalized = run.input().applied_generalized;
    world_->input().applied_stiffness = run.input().applied_stiffness;
    world_->input().applied_damping = run.input().applied_damping;
  }
  if (pull.is_active()) {
    pull_ = pull;
    pull_.Apply(*world_);
  }
  const StepReport& report = world_->Step();
  if (report.status != StepStatus::kOk && report.status != StepStatus::kBudgetMissed) {
    has_stopped_ = true;
    return;
  }
  has_stepped_ = true;
  ++counts_.steps, ++counts_.judged;
  counts_.misses += report.status == StepStatus::kBudgetMissed;
  counts_.over += IsOver(report, world_->budget(), reference_);
  const std::chrono::duration<double> wall_time = std::chrono::steady_clock::now() - start;
  samples_.push_back(MakeSample(world_->time(), report, world_->CalcEnergy(), wall_time.count()));
  samples_.back().impacts = touches_.Count(world_->time(), world_->contacts());
  MeasureRate(wall_time.count());
}

void Companion::MeasureRate(double wall_time) {
  spent_ += wall_time;
  reached_ += world_->timestep();
  if (reached_ < kCompanionWindow && spent_ < 2.0 * kCompanionWindow) return;
  rate_ = reached_ / std::max(spent_, 1e-9);
  spent_ = reached_ = 0.0;
}

void Companion::Remember() {
  if (log_) return;
  if (world_->time() > history_.back().state.time || is_shown_)
    history_.Append(MakeMoment(*world_, has_stepped_, counts_));
  is_shown_ = false;
}

void Companion::Show(const World& run, const Moment& moment) {
  const double time = moment.state.time;
  if (log_) {
    history_.set_index(history_.FindNearest(time));
    return Place(history_[history_.index()], *world_);
  }
  if (time < start_ - 0.5 * run.timestep()) return Begin(run, moment.counts);
  history_.set_index(history_.FindNearest(time));
  const Moment& own = history_[history_.index()];
  Place(own, *world_);
  counts_ = own.counts;
  has_stopped_ = false;
  is_shown_ = true;
}

const Moment* Companion::shown() const {
  return log_ || is_shown_ ? &history_[history_.index()] : nullptr;
}

CompanionView Companion::View(const World& run, const RunCounts& counts) const {
  const Moment* const moment = shown();
  CompanionView view;
  view.name = name_;
  view.is_log = log_.has_value();
  view.time = world_->time();
  view.start = start_;
  view.timestep = log_ ? log_->timestep.value_or(0.0) : world_->timestep();
  view.X_WB = world_->body_poses();
  view.contacts = moment ? moment->contacts : world_->contacts();
  view.has_contacts = !log_ || log_->has_contacts;
  view.report = moment ? moment->report : has_stepped_ ? world_->report() : StepReport{};
  view.energy = world_->CalcEnergy();
  view.budget = log_ ? log_->budget : world_->budget();
  view.counts = CountsSince(log_start_, moment ? moment->counts : counts_);
  view.own_counts = CountsSince(run_start_, counts);
  view.has_stopped = has_stopped_;
  view.rate = rate_;
  const std::vector<RigidTransform>& X_WB = run.body_poses();
  for (std::size_t b = 0; b < X_WB.size(); ++b) {
    const double distance = (X_WB[b].p - view.X_WB[b].p).norm();
    if (view.farthest_body < 0 || distance > view.apart)
      view.apart = distance, view.farthest_body = static_cast<int>(b);
  }
  return view;
}

}  // namespace stiction::viewer

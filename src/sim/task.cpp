#include "stiction/sim/task.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "sim/measurement.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Of a task: what stands at Place::address.
enum TaskNumber { kStatus, kPhase, kPhaseBegin, kHoldBegin, kNumEnded, kNumTaskNumbers };
// Of a controller: what stands at Slot::address, before the start.
enum MoveNumber { kBegin, kDuration, kInterpolation, kNumMoveNumbers };
constexpr int kPoseSize = 7, kPoseWaySize = 6;  // p, wxyz; Δp, Δθ
constexpr double kNotHeld = -1.0;
constexpr double kTimeRounding = 1e-9;  // [s]

RigidTransform ReadPose(const double* start) {
  return {QuaternionFromWxyz(start + 3).toRotationMatrix(), Vector3d(Eigen::Map<const Vector3d>(start))};
}

void WritePose(const RigidTransform& X, double* start) {
  Eigen::Map<Vector3d>{start} = X.p;
  QuaternionToWxyz(Quaterniond(X.R), start + 3);
}

}  // namespace

const char* ToString(TaskStatus status) {
  switch (status) {
    case TaskStatus::kRunning:
      return "running";
    case TaskStatus::kDone:
      return "done";
    case TaskStatus::kFailed:
      return "failed";
  }
  return "";
}

std::string Describe(const TaskProgress& progress) {
  char time[32];
  std::snprintf(time, sizeof time, "%g s", progress.since);
  const std::string task = "task " + progress.name;
  if (progress.status == TaskStatus::kDone) return task + " is done since " + time;
  std::string text = task +
                     (progress.status == TaskStatus::kFailed ? " failed in phase \"" : " is in phase \"") +
                     progress.phase + "\" since " + time;
  if (progress.status == TaskStatus::kFailed) text += ", longer than its timeout";
  for (std::size_t i = 0; i < progress.missing.size(); ++i)
    text += (i == 0 ? "; not met: " : "; ") + progress.missing[i];
  return text;
}

TaskSet::TaskSet(const Model& model, const std::vector<TaskDescription>& descriptions) {
  for (const TaskDescription& description : descriptions) tasks_.push_back(FindTask(description, model));
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    const Task& task = tasks_[t];
    Place place{.first_controller = num_controllers(), .address = memory_size_};
    place.counters = place.address + kNumTaskNumbers;
    place.references = place.counters + static_cast<int>(task.phases.size());
    std::size_t num_conditions = 0;
    for (const Phase& phase : task.phases) num_conditions = std::max(num_conditions, phase.until.size());
    memory_size_ = place.references + 3 * static_cast<int>(num_conditions);
    places_.push_back(place);
    for (std::size_t i = 0; i < task.controllers.size(); ++i) {
      const ControllerTask& controller = task.controllers[i];
      Slot slot{.task = static_cast<int>(t),
                .index = static_cast<int>(i),
                .address = memory_size_,
                .num_start = controller.has_pose() ? kPoseSize : controller.num_values(),
                .num_way = controller.has_pose() ? kPoseWaySize : controller.num_values()};
      memory_size_ += kNumMoveNumbers + slot.num_start + slot.num_way;
      slots_.push_back(slot);
    }
  }
}

// ---- Moves ----

WayShare TaskSet::ShareAt(const Slot& slot, const VectorXd& memory, double t) const {
  const double* numbers = memory.data() + slot.address;
  const double duration = numbers[kDuration], elapsed = t - numbers[kBegin];
  if (!(elapsed < duration)) return {1.0, 0.0};
  if (!(elapsed > 0.0)) return {0.0, 0.0};
  WayShare share = CalcWayShare(static_cast<Interpolation>(numbers[kInterpolation]), elapsed / duration);
  share.ds /= duration;
  return share;
}

PoseSample TaskSet::SamplePose(int c, const VectorXd& memory, double t) const {
  const Slot& slot = slots_[c];
  const WayShare share = ShareAt(slot, memory, t);
  const double* start = memory.data() + slot.address + kNumMoveNumbers;
  const Eigen::Map<const Vector3d> by(start + kPoseSize), turn(start + kPoseSize + 3);
  PoseSample sample{.X_WF = ReadPose(start)};
  sample.X_WF.p += share.s * by;
  sample.X_WF.R = QuaternionExp(share.s * turn).toRotationMatrix() * sample.X_WF.R;
  sample.V_WF << share.ds * turn, share.ds * by;
  return sample;
}

void TaskSet::Sample(int c, const VectorXd& memory, double t, VectorXd& value, VectorXd& rate) const {
  const Slot& slot = slots_[c];
  const WayShare share = ShareAt(slot, memory, t);
  const double* start = memory.data() + slot.address + kNumMoveNumbers;
  const Eigen::Map<const VectorXd> from(start, slot.num_start), way(start + slot.num_start, slot.num_way);
  value = from + share.s * way;
  rate = share.ds * way;
}

void TaskSet::StartFromWorld(const World& world, int c, VectorXd& memory) const {
  const ControllerTask& controller = this->controller(c);
  const Slot& slot = slots_[c];
  double* numbers = memory.data() + slot.address;
  std::fill_n(numbers, kNumMoveNumbers + slot.num_start + slot.num_way, 0.0);
  numbers[kBegin] = world.time();
  double* start = numbers + kNumMoveNumbers;
  if (controller.has_pose())
    return WritePose(world.body_poses()[controller.frame.body] * controller.frame.X_BF, start);
  switch (controller.description.type) {
    case ControllerType::kJointPd:
      for (const int j : controller.joints) *start++ = world.q()[world.model().joints[j].q_address];
      break;
    case ControllerType::kControl:
      for (const int a : controller.actuators) *start++ = world.input().ctrl[a];
      break;
    case ControllerType::kEquality:
      *start = world.input().equality_target[controller.equality];
      break;
    default:  // a grip does not press before it is told to
      break;
  }
}

void TaskSet::StopMoves(const World& world, int task, VectorXd& memory) const {
  const int begin = places_[task].first_controller;
  for (int c = begin; c < begin + static_cast<int>(tasks_[task].controllers.size()); ++c) {
    const Slot& slot = slots_[c];
    const WayShare share = ShareAt(slot, memory, world.time());
    double* start = memory.data() + slot.address + kNumMoveNumbers;
    double* way = start + slot.num_start;
    if (controller(c).has_pose()) {
      WritePose(SamplePose(c, memory, world.time()).X_WF, start);
    } else {
      for (int i = 0; i < slot.num_way; ++i) start[i] += share.s * way[i];
    }
    std::fill_n(way, slot.num_way, 0.0);
  }
}

void TaskSet::BeginMove(const World& world, int c, const Move& move, VectorXd& memory) const {
  const Slot& slot = slots_[c];
  double* numbers = memory.data() + slot.address;
  numbers[kBegin] = world.time();
  numbers[kDuration] = move.duration;
  numbers[kInterpolation] = static_cast<double>(move.interpolation);
  double* start = numbers + kNumMoveNumbers;
  double* way = start + slot.num_start;
  if (!controller(c).has_pose()) {
    for (int i = 0; i < slot.num_way; ++i) way[i] = move.values[i] - start[i];
    return;
  }
  const RigidTransform X_WI =
      move.in.body < 0 ? RigidTransform{} : world.body_poses()[move.in.body] * move.in.X_BF;
  Eigen::Map<Vector3d> by(way), turn(way + 3);
  by = X_WI.R * move.by;
  turn = X_WI.R * move.turn;
  const RigidTransform from = ReadPose(start);
  if (move.to) by = X_WI * *move.to - from.p;
  if (move.rotation) turn = QuaternionLog(Quaterniond(X_WI.R * *move.rotation * from.R.transpose()));
}

bool TaskSet::HaveMovesEnded(const World& world, int task, const VectorXd& memory) const {
  const Place& place = places_[task];
  const Phase& phase = tasks_[task].phases[static_cast<int>(memory[place.address + kPhase])];
  return std::all_of(phase.moves.begin(), phase.moves.end(), [&](const Move& move) {
    const double* numbers = memory.data() + slots_[place.first_controller + move.controller].address;
    return world.time() > numbers[kBegin] + numbers[kDuration] - kTimeRounding;
  });
}

// ---- Phases ----

double TaskSet::Measure(const World& world, int task, int condition, const VectorXd& memory) const {
  const Place& place = places_[task];
  const double* numbers = memory.data() + place.address;
  const Condition& until = tasks_[task].phases[static_cast<int>(numbers[kPhase])].until[condition];
  const auto component = [&](const Vector3d& x) {
    return until.description.axis == Axis::kNorm ? x.norm() : x[static_cast<int>(until.description.axis)];
  };
  switch (until.description.what) {
    case Quantity::kTime:
      return world.time() - numbers[kPhaseBegin];
    case Quantity::kPosition:
      return component(MeasurePosition(world, until.of, until.in));
    case Quantity::kDrift:
      return component(MeasurePosition(world, until.of, until.in) -
                       Eigen::Map<const Vector3d>(memory.data() + place.references + 3 * condition));
    case Quantity::kSpeed:
      return component(MeasureVelocity(world, until.of, until.in));
    case Quantity::kForce:
      return component(MeasureForce(world, until.of, until.in, until.by));
    case Quantity::kContacts:
      return CountLoadedContacts(world, until.of, until.by);
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

bool TaskSet::IsMet(const World& world, int task, int condition, const VectorXd& memory) const {
  const int phase = static_cast<int>(memory[places_[task].address + kPhase]);
  const ConditionDescription& d = tasks_[task].phases[phase].until[condition].description;
  const double value = Measure(world, task, condition, memory);
  const double rounding = d.what == Quantity::kTime ? kTimeRounding : 0.0;
  return !(d.min && !(value >= *d.min - rounding)) && !(d.max && !(value <= *d.max + rounding));
}

void TaskSet::BeginPhase(const World& world, int task, int phase, VectorXd& memory) const {
  const Place& place = places_[task];
  double* numbers = memory.data() + place.address;
  numbers[kPhase] = phase;
  numbers[kPhaseBegin] = world.time();
  numbers[kHoldBegin] = kNotHeld;
  const Phase& p = tasks_[task].phases[phase];
  for (std::size_t i = 0; i < p.until.size(); ++i) {
    if (p.until[i].description.what != Quantity::kDrift) continue;
    Eigen::Map<Vector3d>(memory.data() + place.references + 3 * i) =
        MeasurePosition(world, p.until[i].of, p.until[i].in);
  }
  for (const Move& move : p.moves) BeginMove(world, place.first_controller + move.controller, move, memory);
}

void TaskSet::EndPhase(const World& world, int task, VectorXd& memory) const {
  const Place& place = places_[task];
  double* numbers = memory.data() + place.address;
  const int phase = static_cast<int>(numbers[kPhase]);
  const Phase& p = tasks_[task].phases[phase];
  StopMoves(world, task, memory);
  numbers[kNumEnded] += 1.0;
  double& times = memory[place.counters + phase];
  if (p.back_to >= 0 && times < p.times) {
    times += 1.0;
    // What was repeated within is repeated anew.
    for (int i = p.back_to; i < phase; ++i) memory[place.counters + i] = 0.0;
    return BeginPhase(world, task, p.back_to, memory);
  }
  if (phase + 1 < static_cast<int>(tasks_[task].phases.size()))
    return BeginPhase(world, task, phase + 1, memory);
  numbers[kStatus] = static_cast<double>(TaskStatus::kDone);
  numbers[kPhaseBegin] = world.time();
}

void TaskSet::Begin(const World& world, VectorXd& memory) const {
  memory.head(memory_size_).setZero();
  for (int c = 0; c < num_controllers(); ++c) StartFromWorld(world, c, memory);
  for (int t = 0; t < static_cast<int>(tasks_.size()); ++t) BeginPhase(world, t, 0, memory);
}

void TaskSet::Update(const World& world, VectorXd& memory) const {
  const double time = world.time();
  for (int t = 0; t < static_cast<int>(tasks_.size()); ++t) {
    double* numbers = memory.data() + places_[t].address;
    if (static_cast<TaskStatus>(numbers[kStatus]) != TaskStatus::kRunning) continue;
    const Phase& phase = tasks_[t].phases[static_cast<int>(numbers[kPhase])];
    bool is_met = !phase.until.empty() || HaveMovesEnded(world, t, memory);
    for (std::size_t i = 0; is_met && i < phase.until.size(); ++i)
      is_met = IsMet(world, t, static_cast<int>(i), memory);
    if (!is_met) numbers[kHoldBegin] = kNotHeld;
    if (is_met && numbers[kHoldBegin] == kNotHeld) numbers[kHoldBegin] = time;
    if (is_met && time - numbers[kHoldBegin] >= phase.hold - kTimeRounding) {
      EndPhase(world, t, memory);
    } else if (time - numbers[kPhaseBegin] > phase.timeout) {
      StopMoves(world, t, memory);
      numbers[kStatus] = static_cast<double>(TaskStatus::kFailed);
    }
  }
}

bool TaskSet::Fits(const VectorXd& memory) const {
  if (memory.size() < memory_size_) return false;
  const auto is_index = [&](int address, std::size_t count) {
    return memory[address] >= 0.0 && memory[address] < static_cast<double>(count);
  };
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    const int address = places_[t].address;
    if (!is_index(address + kStatus, 3) || !is_index(address + kPhase, tasks_[t].phases.size())) return false;
  }
  return std::all_of(slots_.begin(), slots_.end(),
                     [&](const Slot& slot) { return is_index(slot.address + kInterpolation, 4); });
}

bool TaskSet::HaveFailed(const State& state) const {
  return Fits(state.memory) && std::any_of(places_.begin(), places_.end(), [&](const Place& place) {
           return static_cast<TaskStatus>(state.memory[place.address + kStatus]) == TaskStatus::kFailed;
         });
}

std::vector<TaskProgress> TaskSet::ReadProgress(const World& world) const {
  std::vector<TaskProgress> all;
  VectorXd memory = world.state().memory;
  if (!Fits(memory)) {
    memory.resize(memory_size_);
    Begin(world, memory);
  }
  for (int t = 0; t < static_cast<int>(tasks_.size()); ++t) {
    const double* numbers = memory.data() + places_[t].address;
    const Phase& phase = tasks_[t].phases[static_cast<int>(numbers[kPhase])];
    TaskProgress& progress = all.emplace_back();
    progress.name = tasks_[t].name;
    progress.status = static_cast<TaskStatus>(numbers[kStatus]);
    progress.phase = phase.name;
    progress.num_ended = static_cast<int>(numbers[kNumEnded]);
    progress.since = numbers[kPhaseBegin];
    if (progress.status == TaskStatus::kDone) continue;
    for (int i = 0; i < static_cast<int>(phase.until.size()); ++i) {
      if (!IsMet(world, t, i, memory))
        progress.missing.push_back(Describe(phase.until[i].description, Measure(world, t, i, memory)));
    }
  }
  return all;
}

}  // namespace stiction

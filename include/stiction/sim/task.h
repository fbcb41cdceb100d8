// Runs tasks (scenario/task.h): which phase each is in, and where it leads its controllers. What a task
// remembers between steps, its phase and the moves under way, are numbers in State::memory: a state that is
// saved and loaded goes on in the middle of a move. AttachControllers (sim/controller.h) gives a World a set
// of them; programs read from one of their own how far the tasks are:
//
//   const TaskSet tasks(world.model(), scenario.tasks);
//   for (const TaskProgress& task : tasks.ReadProgress(world)) ...
//
// At the start of each step, at time t:
//
//   - the conditions of the phase are measured, those of contacts on the impulses of the last step. Where the
//     phase ends, its moves stop where they are, and the next phase's begin: at most one change in a step;
//   - a move that began at t_0 from x_0 leads to x(t) = x_0 + s((t − t_0)/T) Δ, with the share s of its
//     interpolation (math/trajectory.h); a pose to p_0 + s Δp and Exp(s Δθ) R_0, Δθ in world axes.
//     Targets that stand in the axes of a body are fixed as it stands at t_0.
//
// A phase without conditions ends when its moves do. One that lasts longer than its timeout ends the task: it
// has failed, and its controllers hold where they are, as after its last phase.
#pragma once

#include <string>
#include <vector>

#include "stiction/scenario/found_task.h"
#include "stiction/sim/world.h"

namespace stiction {

enum class TaskStatus { kRunning, kDone, kFailed };
// "running", "done", "failed".
const char* ToString(TaskStatus status);

struct TaskProgress {
  std::string name;
  TaskStatus status = TaskStatus::kRunning;
  std::string phase;   // the present one, or the last
  int num_ended = 0;   // phases that have ended; those that are repeated count each time
  double since = 0.0;  // when the phase began, or the task ended [s]
  // "force of nut in world along z: 3.1 N, min 10": the conditions that are not met; empty when done.
  std::vector<std::string> missing;
};

// "task screw failed in phase \"lower\", which lasted longer than its timeout of 3 s: ...".
std::string Describe(const TaskProgress& progress);

class TaskSet {
 public:
  // Throws LoadError as FindTask does.
  TaskSet(const Model& model, const std::vector<TaskDescription>& descriptions);

  bool empty() const { return tasks_.empty(); }
  const std::vector<Task>& tasks() const { return tasks_; }
  // How many numbers at the beginning of State::memory are the tasks'.
  int memory_size() const { return memory_size_; }
  // Controllers of all tasks, in their order: `c` below.
  int num_controllers() const { return static_cast<int>(slots_.size()); }
  const ControllerTask& controller(int c) const {
    return tasks_[slots_[c].task].controllers[slots_[c].index];
  }

  // At the start of a simulation: every task is in its first phase, led from where the World is.
  //   memory  out, the first memory_size() numbers
  void Begin(const World& world, VectorXd& memory) const;
  // At the start of a step: ends phases and begins moves.
  void Update(const World& world, VectorXd& memory) const;

  // Where controller c is led at time t: a pose, or channels and their rates (as math/trajectory.h).
  PoseSample SamplePose(int c, const VectorXd& memory, double t) const;
  void Sample(int c, const VectorXd& memory, double t, VectorXd& value, VectorXd& rate) const;

  // Whether memory is such as Begin and Update leave it: a state's may be of another scenario, or from a file
  // that someone edited.
  bool Fits(const VectorXd& memory) const;
  // Whether a task has. Allocates nothing.
  bool HaveFailed(const State& state) const;
  // From the World's state; all tasks in their first phase where that remembers nothing.
  std::vector<TaskProgress> ReadProgress(const World& world) const;

 private:
  struct Place {  // of one task, in the memory
    int first_controller = 0;
    int counters = 0;    // address: how often each phase went back
    int references = 0;  // address: p_IF of each condition as the phase began, 3 each
    int address = 0;     // address of status, phase, begin of the phase, begin of the hold, phases ended
  };
  struct Slot {  // of one controller
    int task = 0, index = 0;
    int address = 0;  // of begin, duration, interpolation, start, way
    int num_start = 0, num_way = 0;
  };
  void BeginPhase(const World& world, int task, int phase, VectorXd& memory) const;
  void EndPhase(const World& world, int task, VectorXd& memory) const;
  void BeginMove(const World& world, int c, const Move& move, VectorXd& memory) const;
  void StopMoves(const World& world, int task, VectorXd& memory) const;
  void StartFromWorld(const World& world, int c, VectorXd& memory) const;
  bool HaveMovesEnded(const World& world, int task, const VectorXd& memory) const;
  double Measure(const World& world, int task, int condition, const VectorXd& memory) const;
  bool IsMet(const World& world, int task, int condition, const VectorXd& memory) const;
  WayShare ShareAt(const Slot& slot, const VectorXd& memory, double t) const;

  std::vector<Task> tasks_;
  std::vector<Place> places_;
  std::vector<Slot> slots_;
  int memory_size_ = 0;
};

}  // namespace stiction

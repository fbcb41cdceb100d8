// Many simulations of one model, or of several of one size, on several threads.
//
//   stiction::Batch batch(model, {.num_threads = 2});
//   std::vector<double> states(256 * 100 * batch.layout().size()), ncp(256 * 100);
//   const stiction::RolloutReport report = batch.Rollout(
//       {.num_worlds = 256, .num_steps = 100, .states = {&start, 1}, .controls = controls},
//       {.state_rows = states, .ncp = ncp});
//   for (const stiction::WorldTrouble& trouble : report.troubles) Log(trouble);
//
// World i of a rollout starts from state i and takes num_steps steps. What comes out stands in arrays that
// the caller owns, one behind another: [world, step, ...], the last index fastest; row k is what the World
// says after its step k. All are optional.
//
// Threads take worlds in pieces, and from one another where they run dry. A world's rows depend on its model,
// its state and its input alone: they have the same bits for any number of threads, and those of a World that
// is stepped by itself. A World is made per model and thread, where one is first needed, and used again, also
// by the next rollout. After the first steps of a size a step allocates nothing.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "stiction/math/num_threads.h"
#include "stiction/model/state_vector.h"
#include "stiction/sim/world.h"

namespace stiction {

// Calls task(0) ... task(num_tasks - 1), in any order, on up to num_threads threads, the caller's among them;
// on that alone, in order, where num_threads is 1. Threads take tasks in pieces, and from one another. An
// exception of a task leaves as it is, the first that comes where several throw; tasks that have not begun
// are then left out. Throws std::invalid_argument as CheckNumThreads does.
void ForEachTask(int num_tasks, int num_threads, const std::function<void(int task)>& task);

struct BatchOptions {
  WorldOptions world{};  // of all of them
  // Threads that step worlds, the caller's among them; 1 ... kMaxThreads. More than there are cores gain
  // nothing.
  int num_threads = 1;
  // For each World that is made, before it is used: AttachControllers (sim/controller.h), set_controller. Its
  // input is what every rollout of it begins with; a keyframe's controls, for instance. Called on any of the
  // threads, on several at a time.
  std::function<void(World& world)> prepare{};
};

// Before each step of a world: what is to act in it. `input` is what it was in the step before. Called on any
// of the threads, on several at a time, and for one world in the order of its steps. An exception ends the
// rollout: the other worlds stop before their next step, and Rollout throws it as it is, the first where
// there are several.
using RolloutPolicy = std::function<void(int world_index, int step, const World& world, Input& input)>;

struct RolloutInput {
  int num_worlds = 0;
  int num_steps = 0;

  // Where they start: exactly one of the two. One for all worlds, or one per world.
  std::span<const State> states{};        // 1 or num_worlds
  std::span<const double> state_rows{};   // [1 or num_worlds, row]; plain rows or whole ones (StateLayout)
  std::optional<int> row_max_contacts{};  // of state_rows: StateLayout's max_contacts

  // Input::ctrl of every step, [1 or num_worlds, num_steps, nu]; none: as BatchOptions::prepare left it, zero
  // at first.
  std::span<const double> controls{};
  RolloutPolicy policy{};  // after the controls; may be none

  // Asked on the thread that called Rollout, and there alone: about 20 times a second, between two steps and
  // while that thread waits for the others. True ends the rollout: every world stops before its next step,
  // and RolloutReport says so. An exception ends it as one of the policy does. None: nobody is asked.
  std::function<bool()> should_stop{};

  // Indices of the worlds' models, num_worlds of them. None: world i has model i where there are as many
  // models as worlds, and the first one where there is one.
  std::span<const int> models{};

  // After a step that failed (kDiverged, kSingularMass, kInvalidInput), which leaves the state as it was: go
  // on from there, with the input of the next step, instead of stopping. A missed budget stops a world where
  // WorldOptions::on_miss is OnMiss::kStop.
  bool goes_on_after_failure = false;
};

// Arrays of the caller; an empty one is not wanted. Rows of steps that a world did not take, because it
// stopped, hold NaN, in num_contacts 0, and in `status` that of its last step (kOk where it took none).
struct RolloutOutput {
  std::span<double> state_rows{};         // [num_worlds, num_steps, row], after the step
  std::optional<int> row_max_contacts{};  // of state_rows; a state without room is told by Unpack
  std::span<double> sensors{};            // [num_worlds, num_steps, num_sensor_values]
  std::span<double> ncp{};                // [num_worlds, num_steps]: Certificate::ncp_max [m/s]
  std::span<StepStatus> status{};         // [num_worlds, num_steps]
  std::span<int> num_contacts{};          // [num_worlds, num_steps]: size of World::contacts()
  // [num_worlds, num_steps, max_contacts]: the first of World::contacts(), of which num_contacts says how
  // many there were; where there are fewer, the rest are zero, with geom_a = geom_b = -1.
  std::span<Contact> contacts{};
  int max_contacts = 0;
  // [num_worlds]: with all that a step remembers, so that a rollout that starts from them continues with the
  // same bits; of a world whose last step failed the last good one. May be RolloutInput::states, if that has
  // one per world.
  std::span<State> final_states{};
};

// Of a world in which a step was not kOk.
struct WorldTrouble {
  int world = 0;                        // index
  int step = 0;                         // the first such step
  StepStatus status = StepStatus::kOk;  // of that step
  int bad_body = -1;                    // of that step: StepReport::bad_body
  int num_steps = 0;                    // how many it took in all, the last one of a stop among them
  int num_missed = 0, num_failed = 0;   // how many of them missed their budget, and failed
  State last_good_state{};              // before the step
};

struct RolloutReport {
  bool was_stopped = false;            // by RolloutInput::should_stop
  std::vector<WorldTrouble> troubles;  // ascending by world; empty if all went well
};

class Batch {
 public:
  // Throws std::invalid_argument: number of threads, options that World refuses, no model, models whose nq,
  // nv, nu, na or num_sensor_values differ.
  explicit Batch(Model model, BatchOptions options = {});
  explicit Batch(std::vector<Model> models, BatchOptions options = {});
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  int num_models() const;
  const Model& model(int index = 0) const;
  const BatchOptions& options() const;
  // Of the rows of all models' states: plain, or whole with room for so many contacts.
  StateLayout layout(std::optional<int> max_contacts = std::nullopt) const;

  // Throws std::invalid_argument: an array of another size, which is named with what it has and should have;
  // a state that is not one of the model, with its index; whole rows where the models' are not of one size.
  // Then outputs may hold the rows of some worlds. One rollout at a time.
  RolloutReport Rollout(const RolloutInput& input, const RolloutOutput& output);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction

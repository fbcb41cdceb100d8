// What is compared with a run, side by side from one state: the same model under another solver, timestep or
// budget, or a log. It follows the run: it steps as the run steps, and goes back as the run goes back.
#pragma once

#include <memory>
#include <string>

#include "pull.h"
#include "recording.h"
#include "stiction/sim/controller.h"
#include "touch_counter.h"

namespace stiction::viewer {

class Companion {
 public:
  // From the state in which the run is. Throws std::invalid_argument as World does.
  //   counts              of the run until then
  //   controllers, tasks  as of the run
  Companion(const World& run, const RunCounts& counts, const WorldOptions& options,
            const std::vector<ControllerDescription>& controllers, const std::vector<TaskDescription>& tasks);
  // The rows of a log, at their times; at least one.
  Companion(const World& run, const RunCounts& counts, Recording log, std::string name);

  // Both begin anew, in the state in which the run is.
  void Begin(const World& run, const RunCounts& counts);
  // The run took a step, or several, to its present time: so does this, with the same controls and the same
  // pull. What its own timestep does not reach it reaches with the next one.
  void Follow(const World& run, const Pull& pull);
  // The run remembers its present moment: so does this.
  void Remember();
  // The run shows another moment of its history. Before the comparison began both are in one state.
  void Show(const World& run, const Moment& moment);

  CompanionView View(const World& run, const RunCounts& counts) const;
  // Samples since the last call.
  std::vector<Sample> TakeSamples() { return std::exchange(samples_, {}); }

 private:
  void TakeStep(const World& run, const Pull& pull);
  const Moment* shown() const;
  void MeasureRate(double wall_time);

  std::unique_ptr<World> world_;  // of a log: only to place bodies
  std::optional<Recording> log_;  // without its moments, which are the history
  std::string name_;
  Budget reference_;  // the run's, or the default: for counts where there is no budget here
  double start_ = 0.0;
  RunCounts counts_, run_start_, log_start_;  // the run's counts at the start, and those of the log's row
  bool is_shown_ = false;                     // a moment of the history, not the last step
  bool has_stepped_ = false, has_stopped_ = false;
  bool has_controllers_ = false;
  // Since the rate was computed: what its steps took and reached [s].
  double spent_ = 0.0, reached_ = 0.0;
  double rate_ = 0.0;
  History history_;
  TouchCounter touches_;
  Pull pull_;
  std::vector<Sample> samples_;
};

// Of one that takes longer than it simulates, "B runs at 0.31x real time"; empty for others.
std::string DescribeSlowness(const CompanionView& companion);

// Whether the step is above the budget, or, where there is none, above the other one.
bool IsOver(const StepReport& report, const Budget& budget, const Budget& reference);

}  // namespace stiction::viewer

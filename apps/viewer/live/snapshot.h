// What the simulation's thread tells the window: consistent copies, one per frame.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history.h"
#include "signals.h"
#include "stiction/sim/expectation.h"
#include "stiction/sim/task.h"
#include "stiction/sim/world.h"

namespace stiction::viewer {

// The numbers of one step, for plots. Of a log that is played, what it does not hold is NaN, or kNotLogged
// (io/log_reader.h).
struct Sample {
  double time = 0.0;         // at the end of the step [s]
  double ncp_max = 0.0;      // [m/s]
  double ncp_mean = 0.0;     // [m/s]
  double penetration = 0.0;  // [m]
  double kinetic = 0.0;      // [J]
  double potential = 0.0;    // [J]
  int iterations = 0;
  int contacts = 0;
  double step = 0.0;                            // wall time [s]
  std::array<double, kNumStepPhases> phases{};  // wall times [s], in the order of PhaseTimes
  int missed = 0;                               // 1: the budget
  int impacts = 0;                              // pairs of geoms that came into contact
  double pull = 0.0;                            // of the user's spring [N], or [N·m] where it turns a body
};

Sample MakeSample(double time, const StepReport& report, const Energy& energy, double wall_time);

double MakeSamplePull(const PullView& pull);  // Sample::pull

// The contact problem of a step, as it can be solved again and written to a file.
struct FrozenStep {
  ContactProblem problem;
  Solution warm_start;
  std::vector<Contact> contacts;
  double time = 0.0;
  double timestep = 0.0;
};

// A phase of a task, as the timeline shows it.
struct PhaseMark {
  double time = 0.0;  // at which it began [s]
  std::string task, name;
};

// What stands beside the run, from one state with it: the same model with other options, or a log.
struct CompanionView {
  std::string name;
  bool is_log = false;
  double time = 0.0;      // [s]
  double start = 0.0;     // of the comparison [s]
  double timestep = 0.0;  // [s]; 0: not known
  std::vector<RigidTransform> X_WB;
  std::vector<Contact> contacts;
  bool has_contacts = true;  // false: a log that holds only their number
  StepReport report;
  Energy energy;
  std::optional<Budget> budget;  // no value: the log does not say
  RunCounts counts;              // since the start of the comparison
  RunCounts own_counts;          // the run's own, since then too
  double apart = 0.0;            // largest distance between a body here and the same one there [m]
  int farthest_body = -1;        // which one
  bool has_stopped = false;      // it diverged, or its log is at its end
  double rate = 0.0;             // simulated time over the time that its steps took, of late; 0: not known
};

struct Snapshot {
  int model_id = 0;  // of the model that all else belongs to: LivePlan::model_id
  long long num_steps = 0;
  double time = 0.0;        // [s]
  double timestep = 0.002;  // of a log that is played: with which it was made, where it says so
  VectorXd q, v, ctrl;
  std::vector<RigidTransform> X_WB;
  std::vector<Contact> contacts;  // of the step that led here
  bool has_contacts = true;       // false: a log that holds only their number is played
  int worst_contact = -1;         // index into contacts; -1: the worst row is no contact
  StepReport report;
  Energy energy;
  std::string solver;
  std::vector<std::pair<std::string, std::string>> solver_options;
  std::optional<Budget> budget;  // no value: the log that is played does not say
  long long budget_misses = 0;   // kNotLogged: the same
  RunCounts counts;              // as of the moment shown
  std::string step_solver;       // of the step that led to it; empty: not known

  bool is_running = false;
  double speed = 1.0;             // wanted: simulated over wall time; 0: as fast as possible
  double real_time_factor = 0.0;  // reached over the last half second
  std::string message;            // why the simulation stopped, or what a command could not do

  int history_size = 0;
  int history_index = 0;                          // of the state shown; the last one unless scrubbed
  double history_start = 0.0, history_end = 0.0;  // times [s]
  // The history is a log's: nothing is simulated, num_steps are its rows, and what it does not hold is NaN or
  // kNotLogged.
  bool is_playback = false;

  PullView pull;
  VectorXd held;                // size nq: where a joint is held, NaN where it is not; empty: none is
  std::string log_path;         // recording to; empty: not recording
  std::vector<Sample> samples;  // of the steps since the last snapshot
  std::vector<SignalNews> signals;
  std::vector<ExpectationResult> expectations;  // as of the moment shown; empty: not of a scenario's run
  std::vector<double> expectation_values;       // what each measured then; NaN where it was not due
  std::vector<TaskProgress> tasks;
  std::vector<PhaseMark> phases;                           // of the tasks, in the order of time
  std::shared_ptr<const std::vector<Signal>> signal_list;  // what can be plotted of the model
  double start_time = 0.0;                                 // of the run [s]
  std::string touched;                             // what the user changed since the start; empty: nothing
  std::optional<double> end;                       // of a scenario [s]
  std::shared_ptr<const CompanionView> companion;  // null: nothing is compared
  std::vector<Sample> companion_samples;           // as `samples`
  bool has_companion_reset = false;
  // A step led to what is shown, or a log says so: until then there is no report.
  bool has_report() const { return is_playback || !step_solver.empty(); }
  bool has_reset = false;  // time jumped since the last snapshot: older samples are another run's
};

}  // namespace stiction::viewer

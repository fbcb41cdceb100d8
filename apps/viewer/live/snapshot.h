// What the simulation's thread tells the window: consistent copies, one per frame.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
};

Sample MakeSample(double time, const StepReport& report, const Energy& energy, double wall_time);

// The contact problem of a step, as it can be solved again and written to a file.
struct FrozenStep {
  ContactProblem problem;
  Solution warm_start;
  std::vector<Contact> contacts;
  double time = 0.0;
  double timestep = 0.0;
};

// The spring by which the user pulls a body.
struct PullView {
  bool is_active = false;
  Vector3d p_W = Vector3d::Zero();       // where it is attached [m]
  Vector3d target_W = Vector3d::Zero();  // where it pulls to [m]
  Vector3d force_W = Vector3d::Zero();   // of the last step [N]
  Vector3d torque_W = Vector3d::Zero();  // of the last step [N·m]
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
  std::string log_path;         // recording to; empty: not recording
  std::vector<Sample> samples;  // of the steps since the last snapshot
  bool has_reset = false;       // time jumped since the last snapshot: older samples are another run's
};

}  // namespace stiction::viewer

// A World as someone at a screen uses it: played at a wanted speed, paused, stepped, scrubbed, pulled at.
// Knows nothing of threads: Simulation (simulation.h) runs it in one.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "companion.h"
#include "history.h"
#include "holds.h"
#include "pull.h"
#include "recording.h"
#include "signals.h"
#include "snapshot.h"
#include "stiction/sim/controller.h"
#include "stiction/sim/recorder.h"
#include "touch_counter.h"

namespace stiction::viewer {

class ShadowSolves;

// What is shown: a model and how it is simulated.
struct LivePlan {
  Model model;
  WorldOptions options;
  std::string keyframe;  // in which it starts; empty: as in the file
  int model_id = 0;      // the caller's mark for snapshots of it
  std::vector<ControllerDescription> controllers = {};
  std::vector<TaskDescription> tasks = {};
  ModelSource source = {};  // for logs and states that are written
  // Of a scenario: what has to come out, and when it ends [s].
  std::vector<Expectation> expectations = {};
  std::optional<double> duration = {};
};

class Player {
 public:
  using Clock = std::chrono::steady_clock;

  // Throws std::invalid_argument as World does, and LoadError as FindControllerTasks does.
  explicit Player(LivePlan plan, ShadowSolves* shadows = nullptr);

  World& world() { return *world_; }
  const World& world() const { return *world_; }

  // Takes the steps that are due at `now`, for at most `limit` of wall time.
  void Advance(Clock::time_point now, std::chrono::microseconds limit);
  // When the next step is due; none while paused.
  std::optional<Clock::time_point> due() const;
  bool is_running() const { return is_running_; }

  void Run(bool is_running);
  // 0: as fast as possible.
  void SetSpeed(double speed);
  void StepOnce();
  // To the start, or to the state of a keyframe; "" is the file's.
  void Reset();
  void SetKeyframe(const std::string& name);
  // Shows a moment of the history; running goes on from there. Pauses.
  void Scrub(int index);
  // The moment of the history that is nearest in time [s].
  void Seek(double time) { Scrub(history_.FindNearest(time)); }

  // Reads these signals from now on, and what the history remembers of them.
  void Watch(std::vector<Signal> signals);

  // Puts another run beside this one, from the state that is shown: with other options, or the rows of a log.
  // While a log is played, the log itself goes beside a run that begins in the row that is shown. Errors go
  // to the snapshot's message.
  void Compare(const WorldOptions& options);
  void CompareWithLog(Recording recording, const std::string& name);
  void StopComparing();

  // The present state changed by hand.
  void SetState(const State& state);
  void SetControl(int actuator, double value);

  // The same state under another solver, option, budget or timestep. A solver or option that is not known
  // leaves all as it was and shows in the snapshot's message.
  void SetOptions(const WorldOptions& options);

  Pull& pull() { return pull_; }
  // While paused, a pull moves the pose: each step of it starts at rest and without weight, obeys the contact
  // laws, joint limits and loops as any step does, and takes no time. The pose stays when the pull ends.
  void StopPull();
  // A steady force at the body's centre of mass and a moment, world axes [N, N·m]; both zero: none.
  void PullSteadily(int body, const Vector3d& force_W, const Vector3d& torque_W);

  // Joints held by servos (live/holds.h), until they are released. Where a scenario has controllers, those
  // have the joints: the snapshot's message says so.
  void Hold(const std::vector<int>& joints);
  void Release(const std::vector<int>& joints);
  void SetHeld(int joint, int coordinate, double target);

  // Errors go to the snapshot's message.
  void StartLog(const std::string& path);
  void StopLog();
  void SaveState(const std::string& path);
  // Starts anew from there.
  void Continue(const State& state);
  // Shows rows of a log as the history: nothing is simulated until Reset.
  void PlayBack(Recording recording);

  // The problem of the last step; none before the first.
  std::shared_ptr<const FrozenStep> Freeze() const;

  // Fills the snapshot; samples taken since the last call move into it.
  void Fill(Snapshot& snapshot);
  // Whether anything changed since the last Fill.
  bool has_news() const { return has_news_; }
  void set_message(const std::string& message);

 private:
  bool TakeStep();
  bool is_posing() const { return !is_running_ && !is_playback_ && is_posed_; }
  void TakePoseStep();
  void PlayStep(Clock::time_point now);
  void Remember();
  bool IsMomentDue() const;
  PullView MakePastPull() const;
  LogPull MakeLogPull() const;
  void Restart();
  void Anchor(Clock::time_point now);
  void AddSample(bool is_repeated);
  void FillPlayback(Snapshot& snapshot) const;
  void FillScenario(Snapshot& snapshot) const;
  void FillCompanion(Snapshot& snapshot);
  //   step  of a log; null: the World's own
  void ObserveExpectations(const RecordedStep* step = nullptr);
  void ObserveRow(const Recording& recording, Moment& moment);
  void MarkPhases();
  void ReadSignalsAgain();
  // What the user changes by hand is no run of the scenario any more.
  void Touch(const char* what);

  int model_id_;
  std::string start_keyframe_;
  std::vector<ControllerDescription> controllers_;
  std::vector<TaskDescription> tasks_;
  ModelSource source_;
  ShadowSolves* shadows_;
  std::unique_ptr<World> world_;
  Pull pull_;
  bool is_posed_ = false;  // by a pull that has not ended
  JointHolds holds_;
  History history_;  // never empty
  std::optional<Recorder> log_;
  std::string log_path_;
  std::vector<Sample> samples_;
  bool repeats_ = false;  // the last sample is of a step that repeats the one before
  SignalRecorder signals_;
  std::shared_ptr<const std::vector<Signal>> signal_list_;
  TouchCounter touches_;
  std::vector<Expectation> expected_;
  std::optional<double> duration_;
  double start_time_ = 0.0;
  std::shared_ptr<const ExpectationMonitor> expectations_;  // null: nothing is expected
  TaskSet task_set_;
  std::vector<PhaseMark> phases_;
  std::string touched_;
  std::optional<Companion> companion_;
  bool has_companion_reset_ = false;
  std::string message_;

  bool is_running_ = false;
  bool is_playback_ = false;
  Recording playback_;  // what is played, without its rows
  bool has_news_ = true;
  bool has_reset_ = true;
  bool is_scrubbed_ = false;  // the state is a moment of the history
  bool has_stepped_ = false;  // World's problem and contacts are those of a step
  double speed_ = 1.0;
  RunCounts counts_;
  double next_moment_ = 0.0;                     // time from which the next step is remembered [s]
  bool is_hurried_ = false;                      // steps are not in time, or are to be as fast as they can
  double step_cost_ = 0.0, history_cost_ = 0.0;  // wall times of late [s]
  Energy energy_;                                // of the last sample

  Clock::time_point last_pose_{};  // of the last step of a pose
  // Simulated time `anchor_time_` was due at `anchor_`.
  Clock::time_point anchor_{};
  double anchor_time_ = 0.0;
  // Real-time factor: over a window of wall time.
  Clock::time_point window_start_{};
  double window_time_ = 0.0;
  double real_time_factor_ = 0.0;
};

}  // namespace stiction::viewer

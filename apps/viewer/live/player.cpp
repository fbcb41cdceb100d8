#include "player.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "shadow_solves.h"
#include "stiction/io/state_file.h"

namespace stiction::viewer {
namespace {

constexpr double kMomentInterval = 0.02;  // of simulated time, while running [s]
// Where steps are not in time, the history takes at most this share of what they take.
constexpr double kHistoryShare = 0.005;
constexpr double kHurry = 0.03;      // behind which steps are not in time [s]
constexpr double kCostWindow = 1.0;  // of steps, over which the cost of the history is looked at [s]
constexpr double kLargestLag = 0.1;  // behind which the clock starts anew instead of catching up [s]
constexpr double kRateWindow = 0.5;  // of the real-time factor [s]
constexpr auto kPoseInterval = std::chrono::milliseconds(4);  // between steps of a pose, of wall time
constexpr std::size_t kMaxSamples = 65536;                    // kept while nobody takes snapshots

double Seconds(Player::Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

bool IsFailure(StepStatus status) {
  return status == StepStatus::kDiverged || status == StepStatus::kSingularMass ||
         status == StepStatus::kInvalidInput;
}

std::string DescribeFailure(const World& world) {
  const StepReport& report = world.report();
  char time[32];
  std::snprintf(time, sizeof time, "%.6g", world.time());
  std::string text = report.status == StepStatus::kSingularMass ? "The mass matrix became singular at t = "
                     : report.status == StepStatus::kDiverged   ? "The simulation diverged at t = "
                                                                : "The input does not fit at t = ";
  text += std::string(time) + " s";
  if (report.bad_body >= 0) text += ", body '" + world.model().DisplayName(report.bad_body) + "'";
  return text + ". This is the last good state; reset, or go back in time.";
}

// The contact whose row is the certificate's worst, of a step just taken.
int FindWorstContact(const World& world) {
  const int worst = world.report().certificate.worst_constraint;
  if (worst < 0) return -1;
  const std::vector<Contact>& contacts = world.contacts();
  const auto found = std::find_if(contacts.begin(), contacts.end(),
                                  [worst](const Contact& contact) { return contact.constraint == worst; });
  return found == contacts.end() ? -1 : static_cast<int>(found - contacts.begin());
}

}  // namespace

Sample MakeSample(double time, const StepReport& report, const Energy& energy, double wall_time) {
  Sample sample{.time = time,
                .ncp_max = report.certificate.ncp_max,
                .ncp_mean = report.certificate.ncp_mean,
                .penetration = report.penetration,
                .kinetic = energy.kinetic,
                .potential = energy.potential,
                .iterations = report.solve.iterations,
                .contacts = report.num_contacts,
                .step = wall_time,
                .missed = report.status == StepStatus::kBudgetMissed};
  for (int i = 0; i < kNumStepPhases; ++i) sample.phases[i] = report.phases.*kStepPhases[i].time;
  return sample;
}

double MakeSamplePull(const PullView& pull) {
  return pull.torque_W.norm() > 0.0 ? pull.torque_W.norm() : pull.force_W.norm();
}

Player::Player(LivePlan plan, ShadowSolves* shadows)
    : model_id_(plan.model_id),
      start_keyframe_(std::move(plan.keyframe)),
      controllers_(std::move(plan.controllers)),
      tasks_(std::move(plan.tasks)),
      source_(std::move(plan.source)),
      shadows_(shadows),
      world_(std::make_unique<World>(std::move(plan.model), plan.options)),
      expected_(std::move(plan.expectations)),
      duration_(plan.duration),
      task_set_(world_->model(), tasks_) {
  AttachControllers(*world_, controllers_, tasks_);
  signal_list_ = std::make_shared<const std::vector<Signal>>(ListSignals(*world_));
  Reset();
}

// After a jump in time: nothing that was before belongs to what comes.
void Player::Restart() {
  pull_.Stop();
  is_posed_ = false;
  holds_.HoldHere(*world_);
  StopLog();
  history_.Clear();
  samples_.clear();
  message_.clear();
  is_playback_ = false;
  has_reset_ = has_news_ = true;
  has_stepped_ = is_scrubbed_ = false;
  counts_ = {};
  touches_.Clear();
  phases_.clear();
  touched_.clear();
  start_time_ = world_->time();
  world_->Refresh();
  expectations_.reset();
  if (!expected_.empty()) expectations_ = std::make_shared<ExpectationMonitor>(*world_, expected_);
  if (companion_) companion_->Begin(*world_, counts_);
  has_companion_reset_ = true;
  Remember();
  ReadSignalsAgain();
  Anchor(Clock::now());
}

void Player::Remember() {
  const Clock::time_point start = Clock::now();
  const bool has_sensors = has_stepped_ && world_->model().num_sensor_values > 0;
  history_.Append({.state = world_->state(),
                   .ctrl = world_->input().ctrl,
                   .mocap = world_->input().mocap,
                   .sensors = has_sensors ? world_->sensors() : VectorXd(),
                   .contacts = world_->contacts(),
                   .report = has_stepped_ ? world_->report() : StepReport{},
                   .counts = counts_,
                   .solver = has_stepped_ ? world_->options().solver : "",
                   .timestep = world_->timestep(),
                   .expectations = expectations_,
                   .pull = MakePastPull(),
                   .worst_contact = has_stepped_ ? FindWorstContact(*world_) : -1});
  MarkPhases();
  if (companion_) companion_->Remember();
  next_moment_ = world_->time() + kMomentInterval - 0.5 * world_->timestep();
  history_cost_ += Seconds(Clock::now() - start);
  if (step_cost_ < kCostWindow) return;
  step_cost_ *= 0.5;
  history_cost_ *= 0.5;
}

// Whether the step that was taken is to be a moment of the history.
bool Player::IsMomentDue() const {
  if (!is_running_) return true;
  if (world_->time() < next_moment_) return false;
  return !is_hurried_ || history_cost_ <= kHistoryShare * step_cost_;
}

PullView Player::MakePastPull() const {
  PullView pull = has_stepped_ ? pull_.View(*world_) : PullView{};
  pull.is_past = true;
  return pull;
}

LogPull Player::MakeLogPull() const {
  const PullView pull = pull_.View(*world_);
  if (!pull.is_active) return {};
  return {.body = pull_.body(), .p_W = pull.p_W, .force_W = pull.force_W, .torque_W = pull.torque_W};
}

void Player::Anchor(Clock::time_point now) {
  anchor_ = now;
  anchor_time_ = world_->time();
  window_start_ = now;
  window_time_ = anchor_time_;
}

std::optional<Player::Clock::time_point> Player::due() const {
  if (!is_running_ && !is_playback_ && pull_.has_goal()) return last_pose_ + kPoseInterval;
  if (!is_running_) return std::nullopt;
  if (speed_ <= 0.0) return Clock::time_point{};
  const double next = is_playback_ && history_.index() + 1 < history_.size()
                          ? history_[history_.index() + 1].state.time
                          : world_->time() + world_->timestep();
  const std::chrono::duration<double> wait((next - anchor_time_) / speed_);
  return anchor_ + std::chrono::duration_cast<Clock::duration>(wait);
}

void Player::Advance(Clock::time_point now, std::chrono::microseconds limit) {
  if (!is_running_ && due() && *due() <= now) {
    last_pose_ = now;
    TakePoseStep();
  }
  if (!is_running_) return;
  if (is_playback_) return PlayStep(now);
  const Clock::time_point end = now + limit;
  if (speed_ > 0.0 && Seconds(now - *due()) > kLargestLag) {
    anchor_ = now;
    anchor_time_ = world_->time();
  }
  is_hurried_ = speed_ <= 0.0 || Seconds(now - *due()) > kHurry;
  // The clock costs as much as some steps do: between looks at it, what steps say that they took.
  constexpr int kLook = 8;
  Clock::time_point at = now;
  for (int step = 1; is_running_ && *due() <= now && at < end; ++step) {
    if (shadows_ && shadows_->must_wait()) break;
    if (!TakeStep()) break;
    const std::chrono::duration<double> taken(world_->report().phases.total);
    at = step % kLook == 1 ? Clock::now() : at + std::chrono::duration_cast<Clock::duration>(taken);
  }
  const double window = Seconds(now - window_start_);
  if (window > kRateWindow) {
    real_time_factor_ = (world_->time() - window_time_) / window;
    window_start_ = now;
    window_time_ = world_->time();
  }
}

// The moments of a log at their times.
void Player::PlayStep(Clock::time_point now) {
  while (is_running_ && *due() <= now) {
    const int next = history_.index() + 1;
    if (next >= history_.size()) return Run(false);
    Scrub(next);
    is_running_ = true;
    if (speed_ <= 0.0) break;
  }
}

bool Player::TakeStep() {
  const bool follows_step = has_stepped_ && !is_scrubbed_;
  is_scrubbed_ = false;
  pull_.Apply(*world_);
  const StepReport& report = world_->Step();
  has_news_ = true;
  if (IsFailure(report.status)) {
    message_ = DescribeFailure(*world_);
    is_running_ = false;
    return false;
  }
  has_stepped_ = true;
  ++counts_.steps, ++counts_.judged;
  counts_.misses += report.status == StepStatus::kBudgetMissed;
  counts_.over += IsOver(report, world_->budget(), kDefaultBudget);
  step_cost_ += report.phases.total;
  AddSample(follows_step && report.is_still);
  signals_.Record(*world_);
  ObserveExpectations();
  if (companion_) companion_->Follow(*world_, pull_);
  if (IsMomentDue()) Remember();
  if (shadows_) shadows_->Offer(*this);
  try {
    if (log_) log_->Record(*world_, MakeLogPull());
  } catch (const std::runtime_error& error) {
    message_ = error.what();
    log_.reset();
    log_path_.clear();
  }
  return true;
}

// A step from rest, of which only the new pose is kept. Weights are taken away: an arm would droop.
void Player::TakePoseStep() {
  const State before = world_->state();
  State state = before;
  state.v.setZero();
  world_->set_state(state);
  if (!pull_.ApplyAtRest(*world_)) return;
  const Model& model = world_->model();
  for (int b = 1; b < model.num_bodies(); ++b) {
    const Body& body = model.bodies[static_cast<std::size_t>(b)];
    if (body.tree < 0 || !(body.inertia.mass > 0.0)) continue;
    const Vector3d weight_W = body.inertia.mass * (1.0 - body.gravity_compensation) * model.options.gravity;
    world_->AddForce(b, world_->body_poses()[b] * body.inertia.p_BBcm, -weight_W);
  }
  constexpr double kFirm = 1e4;  // times as stiff: what is held stays where it is
  holds_.Apply(*world_, kFirm);
  const StepReport& report = world_->Step();
  holds_.Apply(*world_);
  has_news_ = true;
  if (IsFailure(report.status)) {
    world_->set_state(before);
    return set_message("That pose cannot be reached.");
  }
  state.q = world_->q();
  state.contacts.clear();  // what stuck, stuck elsewhere
  world_->set_state(state);
  is_posed_ = true;
  has_stepped_ = is_scrubbed_ = false;
}

void Player::StopPull() {
  const bool has_pose = is_posing();
  pull_.Stop();
  is_posed_ = false;
  if (has_pose) SetState(State(world_->state()));
  has_news_ = true;
}

void Player::PullSteadily(int body, const Vector3d& force_W, const Vector3d& torque_W) {
  StopPull();
  const bool is_none = force_W.isZero(0.0) && torque_W.isZero(0.0);
  if (is_none || body <= 0 || body >= world_->model().num_bodies()) return;
  const Vector3d& p_BBcm = world_->model().bodies[static_cast<std::size_t>(body)].inertia.p_BBcm;
  if (!pull_.Start(*world_, body, world_->body_poses()[static_cast<std::size_t>(body)] * p_BBcm)) return;
  pull_.SetWrench(force_W, torque_W);
}

void Player::Hold(const std::vector<int>& joints) {
  if (!controllers_.empty() || !tasks_.empty())
    return set_message("The scenario's controllers have the joints: they cannot be held by hand.");
  for (const int joint : joints) holds_.Hold(*world_, joint);
  Touch("joints were held by hand");
  has_news_ = true;
}

void Player::Release(const std::vector<int>& joints) {
  for (const int joint : joints) holds_.Release(*world_, joint);
  has_news_ = true;
}

void Player::SetHeld(int joint, int coordinate, double target) {
  holds_.SetTarget(*world_, joint, coordinate, target);
  has_news_ = true;
}

//   is_repeated  nothing but the time has changed since the last one: the last of such steps stands for all,
//                as each takes less time than its sample would
void Player::AddSample(bool is_repeated) {
  const StepReport& report = world_->report();
  if (is_repeated && repeats_ && !samples_.empty() && !pull_.is_active()) {
    samples_.back().time = world_->time();
    samples_.back().step = report.phases.total;
    return touches_.Repeat(world_->time());
  }
  repeats_ = is_repeated;
  if (samples_.size() >= kMaxSamples) samples_.erase(samples_.begin(), samples_.begin() + kMaxSamples / 2);
  if (!is_repeated) energy_ = world_->CalcEnergy();
  samples_.push_back(MakeSample(world_->time(), report, energy_, report.phases.total));
  if (is_repeated)
    touches_.Repeat(world_->time());
  else
    samples_.back().impacts = touches_.Count(world_->time(), world_->contacts());
  if (!pull_.is_active()) return;
  const PullView pull = pull_.View(*world_);
  if (!pull.is_active) return;
  samples_.back().pull = MakeSamplePull(pull);
  Touch("a body was pulled");
}

// Until the end: what comes after it is no part of the scenario. Moments share what was measured until them.
void Player::ObserveExpectations(const RecordedStep* step) {
  const double half = 0.51 * world_->timestep();
  if (!expectations_ || (duration_ && world_->time() - start_time_ > *duration_ + half)) return;
  if (expectations_.use_count() > 1) expectations_ = std::make_shared<ExpectationMonitor>(*expectations_);
  const auto monitor = std::const_pointer_cast<ExpectationMonitor>(expectations_);
  step ? monitor->Observe(*world_, *step) : monitor->Observe(*world_);
}

// Rows of a log are measured as they are read.
void Player::ObserveRow(const Recording& recording, Moment& moment) {
  if (!expectations_) return;
  world_->set_state(moment.state);
  world_->input().mocap = moment.mocap;
  const RecordedStep step{.report = moment.report,
                          .contacts = recording.has_contacts ? &moment.contacts : nullptr,
                          .timestep = recording.timestep.value_or(world_->timestep())};
  ObserveExpectations(&step);
  moment.expectations = expectations_;
}

// When the phases of tasks began, as far as moments of the history say it.
void Player::MarkPhases() {
  if (task_set_.empty()) return;
  std::erase_if(phases_, [&](const PhaseMark& mark) { return mark.time > world_->time(); });
  for (const TaskProgress& task : task_set_.ReadProgress(*world_)) {
    const std::string name = task.status == TaskStatus::kRunning ? task.phase : ToString(task.status);
    const bool has_failed = task.status == TaskStatus::kFailed;  // in a phase that began before
    const auto last = std::find_if(phases_.rbegin(), phases_.rend(),
                                   [&](const PhaseMark& mark) { return mark.task == task.name; });
    if (last != phases_.rend() && last->name == name && (last->time == task.since || has_failed)) continue;
    phases_.push_back({has_failed ? world_->time() : task.since, task.name, name});
  }
}

void Player::ReadSignalsAgain() {
  const double dt = is_playback_ ? playback_.timestep.value_or(0.0) : world_->timestep();
  signals_.ReadAgain(world_->model(), history_, dt, !is_playback_ || playback_.has_contacts);
}

void Player::Watch(std::vector<Signal> signals) {
  const double dt = is_playback_ ? playback_.timestep.value_or(0.0) : world_->timestep();
  signals_.Watch(std::move(signals), world_->model(), history_, dt, !is_playback_ || playback_.has_contacts);
  has_news_ = true;
}

void Player::Touch(const char* what) {
  if (touched_.empty()) touched_ = what;
}

void Player::Run(bool is_running) {
  if (is_running && is_playback_ && history_.index() + 1 >= history_.size()) history_.set_index(0);
  is_running_ = is_running;
  if (!is_running && world_->time() > history_.back().state.time) Remember();
  message_.clear();
  Anchor(Clock::now());
  has_news_ = true;
}

void Player::SetSpeed(double speed) {
  speed_ = speed;
  Anchor(Clock::now());
  has_news_ = true;
}

void Player::StepOnce() {
  is_running_ = false;
  has_news_ = true;
  if (is_playback_) return Scrub(history_.index() + 1);
  TakeStep();
}

void Player::Reset() {
  SetKeyframe(world_->model().FindKeyframe(start_keyframe_) ? start_keyframe_ : "");
}

void Player::SetKeyframe(const std::string& name) {
  const Model& model = world_->model();
  const Keyframe* keyframe = model.FindKeyframe(name);
  if (keyframe == nullptr && !name.empty()) return set_message("There is no keyframe '" + name + "'.");
  world_->set_state(State::Default(model));
  world_->input() = Input::Default(model);
  if (keyframe != nullptr) world_->SetKeyframe(*keyframe);
  Restart();
}

void Player::Scrub(int index) {
  history_.set_index(index);
  const Moment& moment = history_[history_.index()];
  world_->set_state(moment.state);
  world_->input().ctrl = moment.ctrl;
  world_->input().mocap = moment.mocap;
  counts_ = moment.counts;
  expectations_ = moment.expectations;
  if (companion_) companion_->Show(*world_, moment);
  is_running_ = false;
  is_scrubbed_ = true;
  pull_.Stop();
  is_posed_ = false;
  message_.clear();
  has_news_ = true;
  Anchor(is_playback_ ? anchor_ : Clock::now());
}

void Player::SetState(const State& state) {
  try {
    world_->set_state(state);
  } catch (const std::invalid_argument& error) {
    return set_message(error.what());
  }
  is_playback_ = false;
  Touch("the state was changed by hand");
  holds_.HoldHere(*world_);
  world_->Refresh();
  has_stepped_ = is_scrubbed_ = false;
  if (companion_) companion_->Begin(*world_, counts_);
  has_companion_reset_ = companion_.has_value();
  Remember();
  Anchor(Clock::now());
  has_news_ = true;
}

void Player::SetControl(int actuator, double value) {
  if (actuator < 0 || actuator >= world_->input().ctrl.size()) return;
  world_->input().ctrl[actuator] = value;
  Touch("an actuator was set by hand");
  has_news_ = true;
}

void Player::SetOptions(const WorldOptions& options) {
  try {
    auto world = std::make_unique<World>(world_->model(), options);
    world->set_state(world_->state());
    world->input() = world_->input();
    AttachControllers(*world, controllers_, tasks_);
    world_ = std::move(world);
  } catch (const std::invalid_argument& error) {
    return set_message(error.what());
  }
  StopLog();  // its header names the solver
  Touch("options were changed");
  world_->Refresh();
  has_stepped_ = false;
  counts_.judged = counts_.misses = counts_.over = 0;
  message_.clear();
  Anchor(Clock::now());
  has_news_ = true;
}

void Player::StartLog(const std::string& path) {
  StopLog();
  try {
    const bool is_table = path.ends_with(".csv");
    log_.emplace(path, *world_,
                 RecordOptions{.all_bodies = !is_table,
                               .contacts = !is_table,
                               .energy = true,
                               .sensors = true,
                               .pulls = true,
                               .source = source_});
    log_path_ = path;
  } catch (const std::exception& error) {
    message_ = error.what();
  }
  has_news_ = true;
}

void Player::StopLog() {
  try {
    if (log_) log_->Close();
  } catch (const std::runtime_error& error) {
    message_ = error.what();
  }
  log_.reset();
  log_path_.clear();
  has_news_ = true;
}

void Player::SaveState(const std::string& path) {
  try {
    WriteState(path, world_->model(), world_->state(), source_);
    set_message("State saved to " + path);
  } catch (const std::runtime_error& error) {
    set_message(error.what());
  }
}

void Player::Continue(const State& state) {
  try {
    world_->set_state(state);
  } catch (const std::invalid_argument& error) {
    return set_message(error.what());
  }
  Restart();
}

void Player::PlayBack(Recording recording) {
  std::vector<Moment> moments = std::exchange(recording.moments, {});
  if (moments.empty()) return set_message("The log holds no rows.");
  StopComparing();
  Reset();  // what is expected is measured from the start, whatever row is the first
  history_.Clear();
  const std::size_t num_rows = moments.size();
  for (Moment& moment : moments) {
    ObserveRow(recording, moment);
    history_.Append(std::move(moment));
  }
  samples_ = std::exchange(recording.samples, {});
  playback_ = std::move(recording);
  is_playback_ = true;
  ReadSignalsAgain();
  Scrub(0);
  const std::size_t lost = num_rows - static_cast<std::size_t>(history_.size());
  if (lost > 0)
    set_message("The log is too long to be kept whole: its first " + std::to_string(lost) +
                " rows are left out.");
}

std::shared_ptr<const FrozenStep> Player::Freeze() const {
  if (!has_stepped_) return nullptr;
  return std::make_shared<const FrozenStep>(FrozenStep{
      world_->MakeProblem(), world_->warm_start(), world_->contacts(), world_->time(), world_->timestep()});
}

void Player::Compare(const WorldOptions& options) {
  if (is_playback_) {
    // The log goes on beside a run from the row that is shown.
    Recording recording = playback_;
    for (int i = 0; i < history_.size(); ++i) recording.moments.push_back(history_[i]);
    Continue(State(world_->state()));
    SetOptions(options);
    if (message_.empty()) CompareWithLog(std::move(recording), "the log");
    return;
  }
  try {
    companion_.emplace(*world_, counts_, options, controllers_, tasks_);
    message_.clear();
  } catch (const std::exception& error) {
    return set_message(error.what());
  }
  has_companion_reset_ = has_news_ = true;
}

void Player::CompareWithLog(Recording recording, const std::string& name) {
  if (recording.moments.empty()) return set_message("The log holds no rows.");
  companion_.emplace(*world_, counts_, std::move(recording), name);
  has_companion_reset_ = has_news_ = true;
}

void Player::StopComparing() {
  if (!companion_) return;
  companion_.reset();
  has_companion_reset_ = has_news_ = true;
}

void Player::set_message(const std::string& message) {
  message_ = message;
  has_news_ = true;
}

void Player::Fill(Snapshot& snapshot) {
  const Moment* shown = is_scrubbed_ ? &history_[history_.index()] : nullptr;
  const WorldOptions& options = world_->options();
  snapshot.model_id = model_id_;
  snapshot.num_steps = counts_.steps;
  snapshot.counts = counts_;
  snapshot.step_solver = shown ? shown->solver : has_stepped_ ? options.solver : "";
  snapshot.time = world_->time();
  snapshot.timestep = world_->timestep();
  snapshot.q = world_->q();
  snapshot.v = world_->v();
  snapshot.ctrl = world_->input().ctrl;
  snapshot.X_WB = world_->body_poses();
  snapshot.contacts = shown ? shown->contacts : world_->contacts();
  snapshot.report = shown ? shown->report : has_stepped_ ? world_->report() : StepReport{};
  snapshot.worst_contact = shown ? shown->worst_contact : has_stepped_ ? FindWorstContact(*world_) : -1;
  snapshot.energy = world_->CalcEnergy();
  snapshot.solver = options.solver;
  snapshot.solver_options = options.solver_options;
  snapshot.budget = world_->budget();
  snapshot.budget_misses = counts_.misses;
  snapshot.is_running = is_running_;
  snapshot.speed = speed_;
  snapshot.real_time_factor = is_running_ ? real_time_factor_ : 0.0;
  snapshot.message = message_;
  snapshot.has_contacts = true;
  if (is_playback_) FillPlayback(snapshot);
  snapshot.history_size = history_.size();
  snapshot.history_index = history_.index();
  snapshot.history_start = history_[0].state.time;
  snapshot.history_end = history_.back().state.time;
  snapshot.is_playback = is_playback_;
  snapshot.pull = shown ? shown->pull : pull_.View(*world_);
  snapshot.held = holds_.Targets(world_->model());
  snapshot.log_path = log_path_;
  snapshot.samples.clear();
  std::swap(snapshot.samples, samples_);
  snapshot.signals.clear();
  signals_.Take(snapshot.signals);
  FillScenario(snapshot);
  FillCompanion(snapshot);
  snapshot.has_reset = has_reset_;
  has_reset_ = has_news_ = false;
}

void Player::FillScenario(Snapshot& snapshot) const {
  snapshot.signal_list = signal_list_;
  snapshot.start_time = start_time_;
  snapshot.end = duration_;
  snapshot.touched = touched_;
  snapshot.phases = phases_;
  snapshot.expectations.clear();
  snapshot.expectation_values.clear();
  snapshot.tasks.clear();
  if (!is_playback_ && !task_set_.empty()) snapshot.tasks = task_set_.ReadProgress(*world_);
  if (!expectations_) return;
  const bool is_over = duration_ && world_->time() - start_time_ > *duration_ - 0.51 * world_->timestep();
  snapshot.expectations = expectations_->results(is_over);
  snapshot.expectation_values = expectations_->values();
}

void Player::FillCompanion(Snapshot& snapshot) {
  snapshot.companion_samples.clear();
  snapshot.companion.reset();
  snapshot.has_companion_reset = has_companion_reset_;
  has_companion_reset_ = false;
  if (!companion_) return;
  snapshot.companion_samples = companion_->TakeSamples();
  snapshot.companion = std::make_shared<CompanionView>(companion_->View(*world_, counts_));
}

// What a step would say, the log says, or nothing does.
void Player::FillPlayback(Snapshot& snapshot) const {
  snapshot.num_steps = history_.size();
  snapshot.timestep = playback_.timestep.value_or(snapshot.timestep);
  snapshot.has_contacts = playback_.has_contacts;
  snapshot.solver = playback_.solver;
  snapshot.solver_options.clear();
  snapshot.budget = playback_.budget;
}

}  // namespace stiction::viewer

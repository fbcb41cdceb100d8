#include "sim/rollout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/array_size.h"

namespace stiction {
namespace {

// Between two looks at RolloutInput::should_stop: a user who stops a program waits for no longer.
constexpr std::chrono::milliseconds kStopInterval{50};

constexpr double kNotTaken = std::numeric_limits<double>::quiet_NaN();

bool HasFailed(StepStatus status) {
  return status != StepStatus::kOk && status != StepStatus::kBudgetMissed;
}

// The part of an array that belongs to a world and a step.
template <typename T>
std::span<T> RowOf(std::span<T> array, std::size_t row, std::size_t size) {
  return array.subspan(row * size, size);
}

}  // namespace

Batch::Impl::Run::Run(Impl& batch, const RolloutInput& in, const RolloutOutput& out)
    : batch_(batch),
      in_(in),
      out_(out),
      in_layouts_(batch.MakeLayouts(in.row_max_contacts, "RolloutInput::state_rows")),
      out_layouts_(batch.MakeLayouts(out.row_max_contacts, "RolloutOutput::state_rows")),
      budget_is_finite_(!batch.options.world.budget.value_or(kDefaultBudget).is_none()) {
  CheckInputs();
  CheckOutputs();
  troubles_.resize(in.num_worlds);
}

void Batch::Impl::Run::CheckInputs() const {
  for (const auto& [name, count] : {Dimension{"num_worlds", in_.num_worlds}, {"num_steps", in_.num_steps}}) {
    if (count < 0) throw std::invalid_argument(std::string(name) + " is " + std::to_string(count));
  }
  const int num_models = static_cast<int>(batch_.models.size());
  if (in_.states.empty() == in_.state_rows.empty() && in_.num_worlds > 0)
    throw std::invalid_argument("a rollout starts from `states` or from `state_rows`: give one of them");
  const Dimension worlds{"worlds", in_.num_worlds}, steps{"steps", in_.num_steps};
  if (!in_.states.empty()) CheckSizeOrOne("states", in_.states.size(), worlds, {});
  if (!in_.state_rows.empty())
    CheckSizeOrOne("state_rows", in_.state_rows.size(), worlds, {{"numbers", in_layouts_[0].size()}});
  if (!in_.controls.empty())
    CheckSizeOrOne("controls", in_.controls.size(), worlds, {steps, {"controls", batch_.models[0].nu()}});
  if (in_.models.empty()) {
    if (num_models > 1 && num_models != in_.num_worlds)
      throw std::invalid_argument(std::to_string(in_.num_worlds) + " worlds of " +
                                  std::to_string(num_models) +
                                  " models: `models` has to say which world has which");
    return;
  }
  CheckSize("models", in_.models.size(), {worlds});
  for (const int model : in_.models) {
    if (model < 0 || model >= num_models)
      throw std::invalid_argument("models: there is no model " + std::to_string(model) + "; the batch has " +
                                  std::to_string(num_models));
  }
}

void Batch::Impl::Run::CheckOutputs() const {
  const Dimension worlds{"worlds", in_.num_worlds}, steps{"steps", in_.num_steps};
  const Dimension sensors{"sensor values", batch_.models[0].num_sensor_values};
  const auto check = [](const char* name, const auto& array, std::initializer_list<Dimension> dimensions) {
    if (!array.empty()) CheckSize(name, array.size(), dimensions);
  };
  check("state_rows", out_.state_rows, {worlds, steps, {"numbers", out_layouts_[0].size()}});
  check("sensors", out_.sensors, {worlds, steps, sensors});
  check("ncp", out_.ncp, {worlds, steps});
  check("status", out_.status, {worlds, steps});
  check("num_contacts", out_.num_contacts, {worlds, steps});
  check("contacts", out_.contacts, {worlds, steps, {"contacts", out_.max_contacts}});
  check("final_states", out_.final_states, {worlds});
}

void Batch::Impl::Run::RunWorld(int world) {
  const int model = ModelOf(world);
  std::unique_ptr<Seat> seat = batch_.TakeSeat(model);
  try {
    SetStart(world, *seat);
    const int num_taken = TakeSteps(world, *seat);
    if (troubles_[world]) troubles_[world]->num_steps = num_taken;
    if (num_taken < in_.num_steps)
      FillRest(world, num_taken, num_taken > 0 ? seat->world.report().status : StepStatus::kOk);
    if (!out_.final_states.empty()) out_.final_states[world] = seat->world.state();
  } catch (...) {
    has_thrown_ = true;
    batch_.GiveBack(model, std::move(seat));
    throw;
  }
  batch_.GiveBack(model, std::move(seat));
}

void Batch::Impl::Run::SetStart(int world, Seat& seat) const {
  seat.world.input() = seat.start_input;
  try {
    if (!in_.states.empty()) return seat.world.set_state(in_.states[in_.states.size() == 1 ? 0 : world]);
    const StateLayout& layout = in_layouts_[ModelOf(world)];
    const std::size_t size = layout.size();
    layout.Unpack(RowOf(in_.state_rows, in_.state_rows.size() == size ? 0 : world, size), seat.start);
    seat.world.set_state(seat.start);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("the initial state of world " + std::to_string(world) + ": " + error.what());
  }
}

void Batch::Impl::Run::LookForStop() {
  using Clock = std::chrono::steady_clock;
  if (is_stopped_ || has_thrown_ || Clock::now() - looked_ < kStopInterval) return;
  try {
    if (in_.should_stop()) is_stopped_ = true;
  } catch (...) {
    stop_error_ = std::current_exception();
    has_thrown_ = true;
  }
  looked_ = Clock::now();
}

// Whether a world stops before its next step.
bool Batch::Impl::Run::IsStopped() {
  if (!in_.should_stop) return false;
  if (std::this_thread::get_id() == caller_) LookForStop();
  return is_stopped_.load(std::memory_order_relaxed);
}

// Returns how many it took.
int Batch::Impl::Run::TakeSteps(int world, Seat& seat) {
  for (int step = 0; step < in_.num_steps; ++step) {
    if (IsStopped()) return step;
    if (has_thrown_.load(std::memory_order_relaxed)) return in_.num_steps;
    Apply(world, step, seat);
    if (budget_is_finite_) seat.last_good = seat.world.state();
    const bool is_good = seat.world.Step().status == StepStatus::kOk;
    WriteRow(world, step, seat.world);
    if (!is_good && !NoteTrouble(world, step, seat)) return step + 1;
  }
  return in_.num_steps;
}

void Batch::Impl::Run::Apply(int world, int step, Seat& seat) const {
  Input& input = seat.world.input();
  if (!in_.controls.empty()) {
    const std::size_t nu = seat.start_input.ctrl.size();
    const bool is_shared = in_.controls.size() == nu * in_.num_steps;
    input.ctrl = Eigen::Map<const VectorXd>(in_.controls.data() + RowIndex(is_shared ? 0 : world, step) * nu,
                                            static_cast<Eigen::Index>(nu));
  }
  if (in_.policy) in_.policy(world, step, seat.world, input);
}

// Whether the world goes on.
bool Batch::Impl::Run::NoteTrouble(int world, int step, const Seat& seat) {
  const StepReport& report = seat.world.report();
  const bool has_failed = HasFailed(report.status);
  std::unique_ptr<WorldTrouble>& trouble = troubles_[world];
  if (!trouble)
    trouble = std::make_unique<WorldTrouble>(
        WorldTrouble{.world = world,
                     .step = step,
                     .status = report.status,
                     .bad_body = report.bad_body,
                     .last_good_state = has_failed ? seat.world.state() : seat.last_good});
  ++(has_failed ? trouble->num_failed : trouble->num_missed);
  return has_failed ? in_.goes_on_after_failure : batch_.options.world.on_miss != OnMiss::kStop;
}

void Batch::Impl::Run::WriteRow(int world, int step, const World& from) const {
  const std::size_t row = RowIndex(world, step);
  if (!out_.state_rows.empty()) {
    const StateLayout& layout = out_layouts_[ModelOf(world)];
    layout.Pack(from.state(), RowOf(out_.state_rows, row, layout.size()));
  }
  if (!out_.sensors.empty()) {
    const VectorXd& values = from.sensors();
    std::copy(values.begin(), values.end(), RowOf(out_.sensors, row, values.size()).begin());
  }
  if (!out_.ncp.empty()) out_.ncp[row] = from.report().certificate.ncp_max;
  if (!out_.status.empty()) out_.status[row] = from.report().status;
  if (!out_.num_contacts.empty()) out_.num_contacts[row] = static_cast<int>(from.contacts().size());
  if (!out_.contacts.empty()) WriteContacts(row, from.contacts());
}

void Batch::Impl::Run::WriteContacts(std::size_t row, const std::vector<Contact>& contacts) const {
  const std::span<Contact> to = RowOf(out_.contacts, row, out_.max_contacts);
  const std::size_t count = std::min(contacts.size(), to.size());
  std::copy_n(contacts.begin(), count, to.begin());
  const Vector3d zero = Vector3d::Zero();
  std::fill(to.begin() + static_cast<std::ptrdiff_t>(count), to.end(),
            Contact{-1, -1, zero, zero, 0.0, zero, zero});
}

void Batch::Impl::Run::FillRest(int world, int num_taken, StepStatus status) const {
  const auto fill = [&](auto array, auto value) {
    const std::size_t size = array.size() / RowIndex(in_.num_worlds, 0);  // of a row
    std::fill(array.begin() + static_cast<std::ptrdiff_t>(RowIndex(world, num_taken) * size),
              array.begin() + static_cast<std::ptrdiff_t>(RowIndex(world + 1, 0) * size), value);
  };
  fill(out_.state_rows, kNotTaken);
  fill(out_.sensors, kNotTaken);
  fill(out_.ncp, kNotTaken);
  fill(out_.status, status);
  fill(out_.num_contacts, 0);
  for (int step = num_taken; step < in_.num_steps && !out_.contacts.empty(); ++step)
    WriteContacts(RowIndex(world, step), {});
}

RolloutReport Batch::Impl::Run::TakeReport() {
  if (stop_error_) std::rethrow_exception(stop_error_);
  RolloutReport report{.was_stopped = is_stopped_, .troubles = {}};
  for (std::unique_ptr<WorldTrouble>& trouble : troubles_) {
    if (trouble) report.troubles.push_back(std::move(*trouble));
  }
  return report;
}

}  // namespace stiction

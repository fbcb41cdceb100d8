#include "stiction/sim/batch.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/task_pool.h"

namespace stiction {
namespace {

constexpr double kNotTaken = std::numeric_limits<double>::quiet_NaN();

// An index of an array: what it counts, and how far.
struct Dimension {
  const char* name;
  int count;
};

std::string DescribeSize(std::initializer_list<Dimension> dimensions) {
  std::string text;
  for (const Dimension& d : dimensions)
    text += (text.empty() ? "[" : ", ") + std::to_string(d.count) + " " + d.name;
  return text + "]";
}

bool HasSize(std::size_t size, std::initializer_list<Dimension> dimensions) {
  double expected = 1.0;  // whose rounding begins far beyond any memory
  for (const Dimension& d : dimensions) expected *= d.count;
  return static_cast<double>(size) == expected;
}

[[noreturn]] void RefuseSize(const char* name, std::size_t size, const std::string& expected) {
  throw std::invalid_argument(std::string(name) + " has " + std::to_string(size) + " entries; expected " +
                              expected);
}

void CheckOutput(const char* name, std::size_t size, std::initializer_list<Dimension> dimensions) {
  if (size > 0 && !HasSize(size, dimensions)) RefuseSize(name, size, DescribeSize(dimensions));
}

// Of `worlds` entries or of one for all.
void CheckInput(const char* name, std::size_t size, int worlds, std::initializer_list<Dimension> of_a_world) {
  double per_world = 1.0;
  for (const Dimension& d : of_a_world) per_world *= d.count;
  if (static_cast<double>(size) == per_world || static_cast<double>(size) == worlds * per_world) return;
  std::string expected = DescribeSize({{"worlds, or 1", worlds}});
  for (const Dimension& d : of_a_world) {
    expected.pop_back();
    expected += ", " + std::to_string(d.count) + " " + d.name + "]";
  }
  RefuseSize(name, size, expected);
}

bool HasFailed(StepStatus status) {
  return status != StepStatus::kOk && status != StepStatus::kBudgetMissed;
}

// The part of an array that belongs to a world and a step.
template <typename T>
std::span<T> RowOf(std::span<T> array, std::size_t row, std::size_t size) {
  return array.subspan(row * size, size);
}

}  // namespace

struct Batch::Impl {
  // A World, and what a rollout needs beside it.
  struct Seat {
    World world;
    Input start_input;
    State start, last_good;
  };

  class Run;

  Impl(std::vector<Model> models_in, BatchOptions options_in);
  std::unique_ptr<Seat> TakeSeat(int model);
  void GiveBack(int model, std::unique_ptr<Seat> seat);
  StateLayout CommonLayout(std::optional<int> max_contacts, const char* name) const;

  std::vector<Model> models;
  BatchOptions options;
  TaskPool pool;
  std::mutex mutex;
  std::vector<std::vector<std::unique_ptr<Seat>>> free_seats;  // one per model
};

Batch::Impl::Impl(std::vector<Model> models_in, BatchOptions options_in)
    : models(std::move(models_in)),
      options(std::move(options_in)),
      pool(options.num_threads),
      free_seats(models.size()) {
  if (models.empty()) throw std::invalid_argument("a batch needs a model");
  const auto check = [&](const char* name, const auto& count_of) {
    for (std::size_t i = 1; i < models.size(); ++i) {
      const int expected = count_of(models[0]), found = count_of(models[i]);
      if (found != expected)
        throw std::invalid_argument("model " + std::to_string(i) + " of the batch has " + name + " = " +
                                    std::to_string(found) + ", model 0 has " + std::to_string(expected) +
                                    ": the models of a batch share arrays and have to agree");
    }
  };
  check("nq", [](const Model& m) { return m.nq(); });
  check("nv", [](const Model& m) { return m.nv(); });
  check("nu", [](const Model& m) { return m.nu(); });
  check("na", [](const Model& m) { return m.na(); });
  check("num_sensor_values", [](const Model& m) { return m.num_sensor_values; });
  free_seats[0].push_back(TakeSeat(0));  // options that World refuses are refused here
}

// A World of the model: one that is free, or a new one.
std::unique_ptr<Batch::Impl::Seat> Batch::Impl::TakeSeat(int model) {
  {
    const std::lock_guard lock(mutex);
    if (!free_seats[model].empty()) {
      std::unique_ptr<Seat> seat = std::move(free_seats[model].back());
      free_seats[model].pop_back();
      return seat;
    }
  }
  auto seat = std::make_unique<Seat>(Seat{World(models[model], options.world), {}, {}, {}});
  if (options.prepare) options.prepare(seat->world);
  seat->start_input = seat->world.input();
  return seat;
}

void Batch::Impl::GiveBack(int model, std::unique_ptr<Seat> seat) {
  const std::lock_guard lock(mutex);
  free_seats[model].push_back(std::move(seat));
}

// Whole rows of models with other numbers of trees or geoms have other sizes, or another meaning.
StateLayout Batch::Impl::CommonLayout(std::optional<int> max_contacts, const char* name) const {
  const StateLayout layout(models[0], max_contacts);
  for (std::size_t i = 1; i < models.size(); ++i) {
    const int size = StateLayout(models[i], max_contacts).size();
    if (size != layout.size())
      throw std::invalid_argument(std::string(name) + ": whole rows have " + std::to_string(size) +
                                  " numbers with model " + std::to_string(i) + " and " +
                                  std::to_string(layout.size()) + " with model 0; use final_states");
  }
  return layout;
}

// One call of Rollout. Threads call RunWorld, each for another world.
class Batch::Impl::Run {
 public:
  Run(Impl& batch, const RolloutInput& in, const RolloutOutput& out);
  void RunWorld(int world);
  RolloutReport TakeReport();

 private:
  int ModelOf(int world) const {
    return !in_.models.empty() ? in_.models[world] : batch_.models.size() == 1 ? 0 : world;
  }
  std::size_t RowIndex(int world, int step) const {
    return static_cast<std::size_t>(world) * in_.num_steps + step;
  }
  void CheckInputs() const;
  void CheckOutputs() const;
  void SetStart(int world, Seat& seat) const;
  int TakeSteps(int world, Seat& seat);
  void Apply(int world, int step, Seat& seat) const;
  bool NoteTrouble(int world, int step, const Seat& seat);
  void WriteRow(int world, int step, const World& from) const;
  void WriteContacts(std::size_t row, const std::vector<Contact>& contacts) const;
  void FillRest(int world, int num_taken, StepStatus status) const;

  Impl& batch_;
  const RolloutInput& in_;
  const RolloutOutput& out_;
  StateLayout in_layout_, out_layout_;
  bool budget_is_finite_;
  std::vector<std::unique_ptr<WorldTrouble>> troubles_;  // one per world, null where there was none
  std::atomic<bool> has_thrown_ = false;
};

Batch::Impl::Run::Run(Impl& batch, const RolloutInput& in, const RolloutOutput& out)
    : batch_(batch),
      in_(in),
      out_(out),
      in_layout_(batch.CommonLayout(in.row_max_contacts, "RolloutInput::state_rows")),
      out_layout_(batch.CommonLayout(out.row_max_contacts, "RolloutOutput::state_rows")),
      budget_is_finite_(batch.options.world.budget.value_or(kDefaultBudget) < kNoBudget) {
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
  if (!in_.states.empty()) CheckInput("states", in_.states.size(), in_.num_worlds, {});
  if (!in_.state_rows.empty())
    CheckInput("state_rows", in_.state_rows.size(), in_.num_worlds, {{"numbers", in_layout_.size()}});
  if (!in_.controls.empty())
    CheckInput("controls", in_.controls.size(), in_.num_worlds,
               {{"steps", in_.num_steps}, {"controls", batch_.models[0].nu()}});
  if (in_.models.empty()) {
    if (num_models > 1 && num_models != in_.num_worlds)
      throw std::invalid_argument(std::to_string(in_.num_worlds) + " worlds of " +
                                  std::to_string(num_models) +
                                  " models: `models` has to say which world has which");
    return;
  }
  if (!HasSize(in_.models.size(), {{"worlds", in_.num_worlds}}))
    RefuseSize("models", in_.models.size(), DescribeSize({{"worlds", in_.num_worlds}}));
  for (const int model : in_.models) {
    if (model < 0 || model >= num_models)
      throw std::invalid_argument("models: there is no model " + std::to_string(model) + "; the batch has " +
                                  std::to_string(num_models));
  }
}

void Batch::Impl::Run::CheckOutputs() const {
  const Dimension worlds{"worlds", in_.num_worlds}, steps{"steps", in_.num_steps};
  const Dimension sensors{"sensor values", batch_.models[0].num_sensor_values};
  CheckOutput("state_rows", out_.state_rows.size(), {worlds, steps, {"numbers", out_layout_.size()}});
  CheckOutput("sensors", out_.sensors.size(), {worlds, steps, sensors});
  CheckOutput("ncp", out_.ncp.size(), {worlds, steps});
  CheckOutput("status", out_.status.size(), {worlds, steps});
  CheckOutput("num_contacts", out_.num_contacts.size(), {worlds, steps});
  CheckOutput("contacts", out_.contacts.size(), {worlds, steps, {"contacts", out_.max_contacts}});
  CheckOutput("final_states", out_.final_states.size(), {worlds});
}

void Batch::Impl::Run::RunWorld(int world) {
  const int model = ModelOf(world);
  std::unique_ptr<Seat> seat = batch_.TakeSeat(model);
  try {
    SetStart(world, *seat);
    const int num_taken = TakeSteps(world, *seat);
    if (num_taken < in_.num_steps) FillRest(world, num_taken, seat->world.report().status);
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
    const std::size_t size = in_layout_.size();
    in_layout_.Unpack(RowOf(in_.state_rows, in_.state_rows.size() == size ? 0 : world, size), seat.start);
    seat.world.set_state(seat.start);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("the initial state of world " + std::to_string(world) + ": " + error.what());
  }
}

// Returns how many it took.
int Batch::Impl::Run::TakeSteps(int world, Seat& seat) {
  for (int step = 0; step < in_.num_steps; ++step) {
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
                     .num_steps = in_.num_steps,
                     .last_good_state = has_failed ? seat.world.state() : seat.last_good});
  ++(has_failed ? trouble->num_failed : trouble->num_missed);
  const bool goes_on = has_failed ? in_.goes_on_after_failure : batch_.options.world.on_miss != OnMiss::kStop;
  if (!goes_on) trouble->num_steps = step + 1;
  return goes_on;
}

void Batch::Impl::Run::WriteRow(int world, int step, const World& from) const {
  const std::size_t row = RowIndex(world, step);
  if (!out_.state_rows.empty())
    out_layout_.Pack(from.state(), RowOf(out_.state_rows, row, out_layout_.size()));
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
  RolloutReport report;
  for (std::unique_ptr<WorldTrouble>& trouble : troubles_) {
    if (trouble) report.troubles.push_back(std::move(*trouble));
  }
  return report;
}

Batch::Batch(Model model, BatchOptions options)
    : Batch(
          [&] {
            std::vector<Model> models;
            models.push_back(std::move(model));
            return models;
          }(),
          std::move(options)) {}
Batch::Batch(std::vector<Model> models, BatchOptions options)
    : impl_(std::make_unique<Impl>(std::move(models), std::move(options))) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

int Batch::num_models() const {
  return static_cast<int>(impl_->models.size());
}
const Model& Batch::model(int index) const {
  if (index < 0 || index >= num_models())
    throw std::out_of_range("no model " + std::to_string(index) + ": the batch has " +
                            std::to_string(num_models()));
  return impl_->models[index];
}
const BatchOptions& Batch::options() const {
  return impl_->options;
}
StateLayout Batch::layout(std::optional<int> max_contacts) const {
  return impl_->CommonLayout(max_contacts, "Batch::layout");
}

RolloutReport Batch::Rollout(const RolloutInput& input, const RolloutOutput& output) {
  Impl::Run run(*impl_, input, output);
  impl_->pool.ForEach(input.num_worlds, [&](int world) { run.RunWorld(world); });
  return run.TakeReport();
}

}  // namespace stiction

// Many worlds at once, on several threads (sim/batch.h); and states as rows of numbers.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "contact_row.h"
#include "stiction/model/state_vector.h"
#include "stiction/sim/batch.h"
#include "world.h"

namespace stiction::python {
namespace {

// Numbers of a row of this width that are contacts'; none: a plain row. Throws ValueError: neither.
std::optional<int> FindMaxContacts(const char* argument, const Model& model, py::ssize_t width) {
  const py::ssize_t plain = StateLayout(model).size();
  if (width == plain) return std::nullopt;
  const py::ssize_t empty = StateLayout(model, 0).size(), contact = StateLayout(model, 1).size() - empty;
  if (width >= empty && (width - empty) % contact == 0) return static_cast<int>((width - empty) / contact);
  throw py::value_error(std::string(argument) + ": expected rows of " + std::to_string(plain) +
                        " numbers (time, q, v, activation), or whole ones of " + std::to_string(empty) +
                        " + " + std::to_string(contact) + " n; rows of " + std::to_string(width) + " came");
}

int StateSize(const LoadedModel& self, const std::optional<WholeNumber>& max_contacts) {
  return StateLayout(self.model, ReadWhole("max_contacts", max_contacts, 0)).size();
}

FloatArray PackState(PyWorld& self, const std::optional<WholeNumber>& room) {
  const std::optional<int> max_contacts = ReadWhole("max_contacts", room, 0);
  const PyWorld::Use world(self);
  const StateLayout layout(self.engine_model(), max_contacts);
  std::vector<double> row(static_cast<std::size_t>(layout.size()));
  if (!layout.Pack(world->state(), row)) {
    const State& state = world->state();
    throw py::value_error("max_contacts: the state remembers " +
                          std::to_string(state.contacts.size() + state.sleep.contacts.size()) +
                          " contacts; there is room for " + std::to_string(*max_contacts));
  }
  return MakeVector(row.data(), layout.size());
}

void UnpackState(PyWorld& self, const ArrayLike& row) {
  const Numbers numbers = ReadNumbers("row", row, {kAny});
  const StateLayout layout(self.engine_model(), FindMaxContacts("row", self.engine_model(), numbers.size()));
  const PyWorld::Use world(self, PyWorld::kForgetsState);
  State state = world->state();
  layout.Unpack({numbers.data(), static_cast<std::size_t>(numbers.size())}, state);
  world->set_state(state);
  self.Remember();
}

// An argument of shape (rest...), (1, rest...) or (worlds, rest...).
struct PerWorld {
  Numbers numbers;
  py::ssize_t worlds = 1;
  py::ssize_t rows = 1;   // of steps, where there are such
  py::ssize_t width = 0;  // the last index
  std::span<const double> span() const { return {numbers.data(), static_cast<std::size_t>(numbers.size())}; }
};

PerWorld ReadPerWorld(const char* argument, const py::handle& value, py::ssize_t dimensions) {
  if (py::isinstance<PyWorld>(value))
    throw py::type_error(std::string(argument) +
                         ": expected an array; a World came, whose row is its state()");
  const py::array array = py::array::ensure(value);
  if (!array || (array.ndim() != dimensions && array.ndim() != dimensions + 1)) {
    throw py::value_error(std::string(argument) + ": expected an array of " + std::to_string(dimensions) +
                          " or " + std::to_string(dimensions + 1) + " dimensions; " +
                          (array ? std::to_string(array.ndim()) : "none") + " came");
  }
  PerWorld out{ReadNumbers(argument, array, std::vector<py::ssize_t>(array.ndim(), kAny))};
  const py::array& read = out.numbers.array;
  if (read.ndim() > dimensions) out.worlds = read.shape(0);
  if (dimensions > 1) out.rows = read.shape(read.ndim() - 2);
  out.width = read.shape(read.ndim() - 1);
  return out;
}

// Controls of one step, (nu,) or (..., 1, nu), as those of all of them; others as they are.
ArrayLike RepeatInTime(const ArrayLike& controls, int steps) {
  py::array array = py::array::ensure(controls);
  if (!array || array.ndim() < 1 || array.ndim() > 3) return controls;
  std::vector<py::ssize_t> shape(array.shape(), array.shape() + array.ndim());
  if (shape.size() == 1) shape.insert(shape.begin(), 1);
  if (shape[shape.size() - 2] != 1) return controls;
  shape[shape.size() - 2] = steps;
  return ArrayLike(py::module_::import("numpy").attr("broadcast_to")(array, py::cast(shape)));
}

using PythonPolicy = std::function<py::object(int, int, FloatArray)>;

class ContactTable;

class PyBatch {
 public:
  PyBatch(std::vector<ModelPointer> models, int threads, const WorldArguments& arguments)
      : models_(std::move(models)), batch_(CopyModels(models_), MakeBatchOptions(threads, arguments)) {}

  RolloutObject Rollout(const ArrayLike& states, const std::optional<ArrayLike>& controls,
                        const std::optional<WholeNumber>& steps, const std::optional<PythonPolicy>& policy,
                        const std::optional<WholeNumber>& max_contacts,
                        const std::optional<WholeNumber>& contacts, bool goes_on);
  int num_threads() const { return batch_.options().num_threads; }
  const ModelPointer& model() const { return models_.front(); }

 private:
  static std::vector<Model> CopyModels(const std::vector<ModelPointer>& models) {
    std::vector<Model> out;
    for (const ModelPointer& model : models) out.push_back(NotNone("models", model)->model);
    return out;
  }
  static BatchOptions MakeBatchOptions(int threads, const WorldArguments& arguments) {
    BatchOptions options;
    options.world = MakeOptions(arguments);
    options.num_threads = threads;
    return options;
  }
  // Without the GIL. Throws BusyFailure: another thread rolls out.
  RolloutReport RunAlone(const RolloutInput& input, const RolloutOutput& output);
  void FillContacts(ContactTable& table, py::ssize_t worlds) const;
  py::list Describe(const RolloutReport& report) const;

  std::vector<ModelPointer> models_;
  Batch batch_;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

// Runs on any thread, without the GIL.
RolloutPolicy MakePolicy(const PythonPolicy& policy, const StateLayout& layout) {
  return [&policy, layout](int index, int step, const World& world, Input& input) {
    const py::gil_scoped_acquire mine;
    std::vector<double> row(static_cast<std::size_t>(layout.size()));
    layout.Pack(world.state(), row);
    const py::object control = policy(index, step, MakeVector(row.data(), layout.size()));
    input.ctrl = ReadVector("the policy's controls", control, input.ctrl.size());
  };
}

// On the thread that rolls out, without the GIL: Ctrl-C, or what else a signal's handler in Python throws.
bool LookForSignals() {
  const py::gil_scoped_acquire mine;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  return false;
}

// Over how many worlds, and steps, the arguments agree.
int AgreeOnWorlds(py::ssize_t models, const PerWorld& states, const PerWorld& controls) {
  py::ssize_t worlds = 1;
  const std::pair<const char*, py::ssize_t> counts[] = {
      {"model", models}, {"states", states.worlds}, {"controls", controls.worlds}};
  for (const auto& [argument, count] : counts) {
    if (count == 1 || count == worlds) continue;
    if (worlds != 1) {
      throw py::value_error(std::string(argument) + ": is of " + std::to_string(count) +
                            " worlds, where what comes before it is of " + std::to_string(worlds));
    }
    worlds = count;
  }
  return static_cast<int>(worlds);
}

int FindSteps(std::optional<int> steps, bool has_controls, py::ssize_t rows) {
  if (!steps && !has_controls) throw py::value_error("steps: expected a number, since there are no controls");
  if (!steps || !has_controls) return steps.value_or(static_cast<int>(rows));
  if (*steps == rows) return *steps;
  throw py::value_error("steps: " + std::to_string(*steps) + " came; controls are of " +
                        std::to_string(rows));
}

FloatArray MakeEmpty(std::vector<py::ssize_t> shape) {
  return py::array(py::dtype::of<double>(), std::move(shape));
}

std::span<double> SpanOf(FloatArray& array) {
  return {static_cast<double*>(array.mutable_data()), static_cast<std::size_t>(array.size())};
}

// The contacts of each step, as the engine writes them and as NumPy sees them.
class ContactTable {
 public:
  ContactTable(py::ssize_t worlds, py::ssize_t steps, int room)
      : room_(room), counts_({worlds, steps}), rows_({worlds, steps, py::ssize_t{room}}) {
    contacts_.resize(static_cast<std::size_t>(rows_.size()));
  }

  void AddTo(RolloutOutput& output) {
    output.contacts = contacts_;
    output.max_contacts = room_;
    output.num_contacts = {counts_.mutable_data(), static_cast<std::size_t>(counts_.size())};
  }

  // Of a world's steps. Without the GIL.
  void Convert(py::ssize_t world, const std::vector<Geom>& geoms) {
    const py::ssize_t size = rows_.shape(1) * rows_.shape(2);
    const auto begin = contacts_.begin() + world * size;
    std::transform(begin, begin + size, rows_.mutable_data() + world * size,
                   [&](const Contact& contact) { return MakeContactRow(geoms, contact); });
  }

  // Of steps with more contacts than there is room for. Throws where warnings are errors.
  void WarnOfLosses() const {
    const int *begin = counts_.data(), *end = begin + counts_.size();
    const auto num_cut = std::count_if(begin, end, [&](int count) { return count > room_; });
    if (num_cut == 0 || room_ == 0) return;
    const std::string text = "contacts: " + std::to_string(num_cut) + " steps have more than the " +
                             std::to_string(room_) + " that there is room for, at most " +
                             std::to_string(*std::max_element(begin, end)) +
                             "; num_contacts says which and how many";
    if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) throw py::error_already_set();
  }

  const py::array_t<ContactRow>& rows() const { return rows_; }
  const py::array_t<int>& counts() const { return counts_; }

 private:
  int room_;
  py::array_t<int> counts_;
  py::array_t<ContactRow> rows_;
  std::vector<Contact> contacts_;
};

RolloutReport PyBatch::RunAlone(const RolloutInput& input, const RolloutOutput& output) {
  if (busy_.test_and_set(std::memory_order_acquire)) throw BusyFailure{"Batch"};
  struct Release {
    std::atomic_flag& busy;
    ~Release() { busy.clear(std::memory_order_release); }
  } const release{busy_};
  const py::gil_scoped_release others_may_run;
  return batch_.Rollout(input, output);
}

RolloutObject PyBatch::Rollout(const ArrayLike& states, const std::optional<ArrayLike>& controls,
                               const std::optional<WholeNumber>& steps_asked,
                               const std::optional<PythonPolicy>& policy,
                               const std::optional<WholeNumber>& room_of_states,
                               const std::optional<WholeNumber>& room, bool goes_on) {
  const std::optional<int> steps = ReadWhole("steps", steps_asked, 0);
  const std::optional<int> max_contacts = ReadWhole("max_contacts", room_of_states, 0);
  const std::optional<int> contacts = ReadWhole("contacts", room, 0);
  const Model& model = models_.front()->model;
  const PerWorld start = ReadPerWorld("states", states, 1);
  PerWorld control;
  if (controls) control = ReadPerWorld("controls", steps ? RepeatInTime(*controls, *steps) : *controls, 2);
  if (controls && control.width != model.nu()) {
    throw py::value_error("controls: expected rows of " + std::to_string(model.nu()) + " numbers; rows of " +
                          std::to_string(control.width) + " came");
  }
  RolloutInput input;
  input.num_worlds = AgreeOnWorlds(static_cast<py::ssize_t>(models_.size()), start, control);
  input.num_steps = FindSteps(steps, controls.has_value(), control.rows);
  input.state_rows = start.span();
  input.row_max_contacts = FindMaxContacts("states", model, start.width);
  if (controls) input.controls = control.span();
  if (policy) input.policy = MakePolicy(*policy, batch_.layout());
  input.should_stop = &LookForSignals;
  input.goes_on_after_failure = goes_on;

  const py::ssize_t worlds = input.num_worlds, rows = input.num_steps;
  FloatArray out_states = MakeEmpty({worlds, rows, batch_.layout(max_contacts).size()});
  FloatArray sensors = MakeEmpty({worlds, rows, model.num_sensor_values});
  FloatArray certificate = MakeEmpty({worlds, rows});
  RolloutOutput output{.state_rows = SpanOf(out_states),
                       .row_max_contacts = max_contacts,
                       .sensors = SpanOf(sensors),
                       .ncp = SpanOf(certificate)};
  std::optional<ContactTable> table;
  if (contacts) table.emplace(worlds, rows, *contacts).AddTo(output);
  const RolloutReport report = RunAlone(input, output);
  const py::object out = py::module_::import("stiction._types")
                             .attr("Rollout")(out_states, sensors, certificate, Describe(report));
  if (table) {
    FillContacts(*table, worlds);
    out.attr("contacts") = table->rows();
    out.attr("num_contacts") = table->counts();
  }
  return out;
}

void PyBatch::FillContacts(ContactTable& table, py::ssize_t worlds) const {
  {
    const py::gil_scoped_release others_may_run;
    for (py::ssize_t i = 0; i < worlds; ++i)
      table.Convert(i, models_[models_.size() == 1 ? 0 : i]->model.geoms);
  }
  table.WarnOfLosses();
}

py::list PyBatch::Describe(const RolloutReport& report) const {
  py::list out;
  for (const WorldTrouble& trouble : report.troubles) {
    const StateLayout layout = batch_.layout();
    std::vector<double> row(static_cast<std::size_t>(layout.size()));
    layout.Pack(trouble.last_good_state, row);
    py::dict entry;
    entry["world"] = trouble.world;
    entry["step"] = trouble.step;
    entry["status"] = ToString(trouble.status);
    const Model& model = models_[models_.size() == 1 ? 0 : trouble.world]->model;
    entry["body"] = trouble.bad_body < 0 ? "" : model.DisplayName(trouble.bad_body);
    entry["num_steps"] = trouble.num_steps;
    entry["num_missed"] = trouble.num_missed;
    entry["num_failed"] = trouble.num_failed;
    entry["last_good_state"] = MakeVector(row.data(), layout.size());
    out.append(entry);
  }
  return out;
}

std::shared_ptr<PyBatch> MakePyBatch(const std::vector<ModelPointer>& models, const WholeNumber& threads,
                                     std::optional<double> dt, const std::optional<std::string>& solver,
                                     const std::optional<py::dict>& options, std::optional<double> budget,
                                     const std::string& on_miss, const std::optional<std::string>& integrator,
                                     std::optional<bool> sleep, std::optional<int> halvings) {
  return std::make_shared<PyBatch>(
      models, ReadWhole("threads", threads, 1),
      WorldArguments{dt, solver, options, budget, on_miss, integrator, sleep, halvings});
}

}  // namespace

void BindRollout(py::module_& module, WorldClass& world) {
  py::class_<PyBatch, std::shared_ptr<PyBatch>>(
      module, "Batch",
      "Many simulations of one model, or of one model each, on several threads. Results have the same bits "
      "for\n"
      "any number of threads. It keeps its worlds between rollouts; stiction.rollout makes one where needed.")
      .def(py::init(&MakePyBatch), py::arg("models"), py::kw_only(), py::arg("threads") = 1,
           py::arg("dt") = py::none(), py::arg("solver") = py::none(), py::arg("options") = py::none(),
           py::arg("budget") = py::none(), py::arg("on_miss") = "retry", py::arg("integrator") = py::none(),
           py::arg("sleep") = py::none(), py::arg("halvings") = py::none(),
           "  models   one, or one per world\n"
           "  threads  that step worlds, at least 1; more than there are cores gain nothing\n\n"
           "The other keywords are those of World.")
      .def("rollout", &PyBatch::Rollout, py::arg("states"), py::arg("controls") = py::none(), py::kw_only(),
           py::arg("steps") = py::none(), py::arg("policy") = py::none(),
           py::arg("max_contacts") = py::none(), py::arg("contacts") = py::none(), py::arg("go_on") = false,
           "As stiction.rollout. One rollout at a time: a second thread gets a BusyError.")
      .def_property_readonly("threads", &PyBatch::num_threads)
      .def_property_readonly("model", &PyBatch::model, "The first one.");
  world.def(
      "state", &PackState, py::arg("max_contacts") = py::none(),
      "The state as a row of numbers, a copy: time, q, v, activation; with max_contacts also all that a "
      "step\n"
      "remembers, with room for so many contacts: a simulation that continues from it has the same bits.");
  world.def(
      "set_state", &UnpackState, py::arg("row"),
      "Sets a state that state() or a rollout gave, of either kind. From a row without memory a simulation\n"
      "starts without a past: contacts have no warm start, and no slip to undo.");
  module.def("state_size", &StateSize, py::arg("model"), py::arg("max_contacts") = py::none(),
             "How many numbers World.state() has.");
}

}  // namespace stiction::python

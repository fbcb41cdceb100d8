#include "world.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "stiction/contact/registry.h"
#include "stiction/io/state_file.h"
#include "stiction/model/integrator.h"

namespace stiction::python {
namespace {

bool IsSame(const VectorXd& a, const VectorXd& b) {
  return std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

void CopyInto(const VectorXd& from, VectorXd& to) {
  std::memcpy(to.data(), from.data(), sizeof(double) * static_cast<std::size_t>(from.size()));
}

// Of rows of `width`: two indices where that is not 0.
void CheckWritten(const char* name, const double* values, Eigen::Index size, Eigen::Index width = 0) {
  for (Eigen::Index i = 0; i < size; ++i) {
    if (std::isfinite(values[i])) continue;
    const std::string index =
        width == 0 ? std::to_string(i) : std::to_string(i / width) + ", " + std::to_string(i % width);
    throw py::value_error(std::string(name) + "[" + index + "] was set to a number that is not finite");
  }
}

void CheckWritten(const char* name, const VectorXd& values, Eigen::Index width = 0) {
  CheckWritten(name, values.data(), values.size(), width);
}

void CheckInput(const Input& input) {
  CheckWritten("ctrl", input.ctrl);
  CheckWritten("applied_force", input.applied_generalized);
  CheckWritten("applied_wrench", input.applied_wrench.data(), input.applied_wrench.size(), 6);
  CheckWritten("mocap", input.mocap, 7);
  CheckWritten("equality_target", input.equality_target);
}

OnMiss ParseOnMiss(const std::string& word) {
  if (word == "retry") return OnMiss::kRetry;
  if (word == "fallback") return OnMiss::kFallback;
  if (word == "stop") return OnMiss::kStop;
  if (word == "accept") return OnMiss::kAccept;
  throw py::value_error("on_miss: expected 'retry', 'fallback', 'stop' or 'accept'; '" + word + "' came");
}

std::string DescribeFailure(const Model& model, double time, const StepReport& report) {
  char text[160];
  if (report.status == StepStatus::kBudgetMissed) {
    std::snprintf(
        text, sizeof text,
        "the certificate missed its budget at t = %g s: ncp %.3g m/s; the world stands after that step", time,
        report.certificate.ncp_max);
    return text;
  }
  std::snprintf(text, sizeof text, "%s at t = %g s",
                report.status == StepStatus::kSingularMass ? "the mass matrix became singular"
                                                           : "the simulation diverged",
                time);
  std::string out = text;
  if (report.bad_body >= 0) out += ", body '" + model.DisplayName(report.bad_body) + "'";
  return out + "; the world stands in the last good state";
}

std::shared_ptr<PyWorld> MakeWorld(const ModelPointer& model, std::optional<double> dt,
                                   const std::optional<std::string>& solver,
                                   const std::optional<py::dict>& options, std::optional<double> budget,
                                   const std::string& on_miss, const std::optional<std::string>& integrator,
                                   std::optional<bool> sleep, std::optional<int> halvings, bool skips_still,
                                   const std::optional<NameOrIndex>& keyframe) {
  World world(NotNone("model", model)->model,
              MakeOptions({dt, solver, options, budget, on_miss, integrator, sleep, halvings, skips_still}));
  if (keyframe) world.SetKeyframe(model->model.keyframes[FindIndex(kKeyframes, model->model, *keyframe)]);
  return std::make_shared<PyWorld>(model, std::move(world));
}

// Of a property's owner. Throws TypeError: it is another object, such as in World.q.fget(3).
PyWorld& WorldOf(const py::object& self) {
  try {
    return self.cast<PyWorld&>();
  } catch (const py::cast_error&) {
    throw py::type_error(std::string("expected a World; ") + Py_TYPE(self.ptr())->tp_name + " came");
  }
}

// Views are of an owner that is a Python object: it lives as long as they do.
FloatArray ViewQ(const py::object& self) {
  PyWorld& world = WorldOf(self);
  return ViewVector(world.q(), world.engine_model().nq(), self);
}
FloatArray ViewV(const py::object& self) {
  PyWorld& world = WorldOf(self);
  return ViewVector(world.v(), world.engine_model().nv(), self);
}
FloatArray ViewActivation(const py::object& self) {
  PyWorld& world = WorldOf(self);
  return ViewVector(world.activation(), world.engine_model().na(), self);
}
template <auto Member>
FloatArray ViewInput(const py::object& self) {
  VectorXd& values = WorldOf(self).input().*Member;
  return ViewVector(values.data(), values.size(), self);
}
FloatArray ViewWrench(const py::object& self) {
  Matrix6Xd& values = WorldOf(self).input().applied_wrench;
  return ViewRows(values.data(), values.cols(), 6, self);
}
FloatArray ViewMocap(const py::object& self) {
  VectorXd& values = WorldOf(self).input().mocap;
  return ViewRows(values.data(), values.size() / 7, 7, self);
}

// "world.q = values" writes into the view.
void AssignTo(const char* name, FloatArray view, const py::object& values) {
  const std::vector<py::ssize_t> shape(view.shape(), view.shape() + view.ndim());
  const Numbers numbers = ReadNumbers(name, values, shape);
  std::memcpy(view.mutable_data(), numbers.data(), static_cast<std::size_t>(view.nbytes()));
}

// A property that is a view, and takes arrays of its shape.
template <FloatArray (*View)(const py::object&)>
void AddView(WorldClass& world, const char* name, const char* doc) {
  world.def_property(name, View,
                     py::cpp_function([name](const py::object& self,
                                             const ArrayLike& values) { AssignTo(name, View(self), values); },
                                      py::is_method(world), py::arg("values")),
                     doc);
}

void SetKeyframe(PyWorld& self, const NameOrIndex& keyframe) {
  const Model& model = self.engine_model();
  const int index = FindIndex(kKeyframes, model, keyframe);
  const PyWorld::Use world(self, PyWorld::kForgetsState);
  world->SetKeyframe(model.keyframes[index]);
  self.Remember();
}

void SaveState(PyWorld& self, const PathLike& path) {
  const std::string file = ReadPath("path", path);
  const PyWorld::Use world(self);
  WriteState(file, self.engine_model(), world->state(), self.model()->source);
}

void LoadState(PyWorld& self, const PathLike& path) {
  const std::string file = ReadPath("path", path);
  const PyWorld::Use world(self, PyWorld::kForgetsState);
  world->LoadState(file);
  self.Remember();
}

}  // namespace

void CheckSolver(const std::string& name) {
  std::vector<std::string> names;
  for (const SolverEntry& entry : ListSolvers()) names.emplace_back(entry.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw py::value_error("solver: " + UnknownName("solver", name, names));
}

std::string FormatOption(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  return py::str(value);
}

WorldOptions MakeOptions(const WorldArguments& arguments, WorldOptions base) {
  // A scenario's options are those of its solver.
  if (arguments.solver && *arguments.solver != base.solver) {
    CheckSolver(*arguments.solver);
    base.solver = *arguments.solver;
    base.solver_options.clear();
  }
  if (arguments.options) {
    for (const auto& [name, value] : *arguments.options)
      base.solver_options.emplace_back(py::str(name), FormatOption(value));
  }
  if (arguments.dt) base.timestep = arguments.dt;
  if (arguments.budget) base.budget = arguments.budget;
  if (arguments.sleep) base.sleep = arguments.sleep;
  base.on_miss = ParseOnMiss(arguments.on_miss);
  if (arguments.halvings) base.halvings = arguments.halvings;
  base.skips_still = arguments.skips_still;
  if (arguments.integrator) {
    base.integrator = FindIntegrator(*arguments.integrator);
    if (!base.integrator)
      throw py::value_error("integrator: expected 'euler', 'explicit', 'implicit', 'midpoint' or 'rk4'; '" +
                            *arguments.integrator + "' came");
  }
  return base;
}

PyWorld::PyWorld(ModelPointer model, World world)
    : model_(std::move(model)),
      world_(std::move(world)),
      seen_q_(world_.q()),
      seen_v_(world_.v()),
      seen_activation_(world_.state().activation),
      start_state_(world_.state()),
      start_input_(world_.input()) {}

PyWorld::Use::Use(PyWorld& owner, Purpose purpose) : owner_(owner) {
  if (owner.busy_.test_and_set(std::memory_order_acquire)) throw BusyFailure();
  try {
    if (purpose == kForgetsState) {
      owner.ForgetForces();
      return;
    }
    CheckWritten("mocap", owner.world_.input().mocap, 7);  // where those bodies are now
    if (owner.IsChanged()) owner.AdoptChanges();
  } catch (...) {
    owner.busy_.clear(std::memory_order_release);
    throw;
  }
}

// They were meant for the step from the state that is about to be replaced.
void PyWorld::ForgetForces() {
  if (!world_.next_wrench().isZero(0.0))
    world_.set_next_wrench(Matrix6Xd::Zero(6, engine_model().num_bodies()));
}

bool PyWorld::IsChanged() const {
  return !IsSame(world_.q(), seen_q_) || !IsSame(world_.v(), seen_v_) ||
         !IsSame(world_.state().activation, seen_activation_);
}

void PyWorld::AdoptChanges() {
  CheckWritten("q", world_.q());
  CheckWritten("v", world_.v());
  CheckWritten("activation", world_.state().activation);
  world_.set_state(world_.state());  // to itself: quaternions become unit, what was computed is forgotten
  Remember();
}

void PyWorld::Remember() {
  CopyInto(world_.q(), seen_q_);
  CopyInto(world_.v(), seen_v_);
  CopyInto(world_.state().activation, seen_activation_);
}

PyWorld::Snapshot PyWorld::TakeSnapshot() {
  const Use use(*this);
  return {.options = world_.options(),
          .state = world_.state(),
          .start_state = start_state_,
          .input = world_.input(),
          .start_input = start_input_,
          .next_wrench = world_.next_wrench(),
          .num_misses = num_misses_};
}

std::shared_ptr<PyWorld> PyWorld::FromSnapshot(const ModelPointer& model, const Snapshot& snapshot) {
  World world(model->model, snapshot.options);
  world.set_state(snapshot.start_state);
  world.input() = snapshot.start_input;
  auto out = std::make_shared<PyWorld>(model, std::move(world));
  out->world_.set_state(snapshot.state);
  out->world_.input() = snapshot.input;
  out->world_.set_next_wrench(snapshot.next_wrench);
  out->Remember();
  out->num_misses_ = snapshot.num_misses;
  return out;
}

void PyWorld::Reset() {
  const Use use(*this, kForgetsState);
  world_.set_state(start_state_);
  world_.input() = start_input_;  // a copy of equal sizes: it stays where it is
  Remember();
  num_misses_ = 0;
}

void PyWorld::Finish(const StepReport& report) {
  if (report.status == StepStatus::kOk) return;
  const bool is_miss = report.status == StepStatus::kBudgetMissed;
  num_misses_ += is_miss;
  if (is_miss && world_.options().on_miss != OnMiss::kStop) return;
  throw SimulationFailure{report.status, world_.time(),
                          report.bad_body < 0 ? "" : engine_model().DisplayName(report.bad_body),
                          DescribeFailure(engine_model(), world_.time(), report)};
}

void PyWorld::Step(long long n) {
  using Clock = std::chrono::steady_clock;
  const Use use(*this);
  CheckInput(world_.input());
  const py::gil_scoped_release others_may_run;
  Clock::time_point looked = n > 1 ? Clock::now() : Clock::time_point();
  for (long long i = 0; i < n; ++i) {
    const StepReport& report = world_.Step();
    Remember();
    Finish(report);
    if (n == 1 || Clock::now() - looked < kSignalInterval) continue;
    const py::gil_scoped_acquire mine;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    looked = Clock::now();
  }
}

WorldClass BindWorld(py::module_& module) {
  WorldClass world(
      module, "World",
      "A simulation: a Model, its state, its inputs.\n\n"
      "  world = stiction.World(stiction.load('arm.urdf'))\n"
      "  world.ctrl[:] = 1.0\n"
      "  world.step()\n"
      "  print(world.q, world.report.ncp)\n\n"
      "q, v, ctrl and the other inputs are views of the engine's memory: no copy is made, what is written\n"
      "there counts from then on, and a view keeps its world alive. Vectors are in world axes unless said\n"
      "otherwise; spatial vectors hold the angular part first.\n\n"
      "One thread at a time: a step lets go of the GIL, and a second thread that uses the same world\n"
      "meanwhile gets a BusyError. Different worlds step side by side.");
  world.def(
      py::init(&MakeWorld), py::arg("model"), py::kw_only(), py::arg("dt") = py::none(),
      py::arg("solver") = py::none(), py::arg("options") = py::none(), py::arg("budget") = py::none(),
      py::arg("on_miss") = "retry", py::arg("integrator") = py::none(), py::arg("sleep") = py::none(),
      py::arg("halvings") = py::none(), py::arg("skips_still") = true, py::arg("keyframe") = py::none(),
      "  dt          timestep instead of the model's [s]\n"
      "  solver      name of a contact solver; stiction.solvers() lists them and their options\n"
      "  options     dict of the solver's options, by name\n"
      "  budget      largest certificate ncp of a step [m/s]; 1e-8 unless given, math.inf: none\n"
      "  on_miss     of a step beyond its budget: 'retry' harder; 'fallback': also try another solver;\n"
      "              'accept' the first answer; 'stop': raise SimulationError. Such steps are counted in\n"
      "              budget_misses\n"
      "  integrator  'euler', 'explicit', 'implicit', 'midpoint' or 'rk4', instead of the model's\n"
      "  sleep       whether what rests may fall asleep\n"
      "  halvings    how often a step beyond its budget may be halved, and taken as 2, 4 or more steps of a\n"
      "              fraction of the timestep: 3 with the default solver, else 0, unless given\n"
      "  skips_still whether islands that would only repeat their last step, to the last bit, are left out:\n"
      "              results are the same, but problem() has no rows of theirs\n"
      "  keyframe    name or index of the keyframe to start in\n\n"
      "Raises ValueError: an unknown word, a timestep that is not positive.");
  world.def(
      "step", [](PyWorld& self, const WholeNumber& n) { self.Step(ReadWhole("n", n, 0)); }, py::arg("n") = 1,
      "Advances by n timesteps.\n\n"
      "Raises SimulationError where the simulation diverges, or the mass matrix becomes singular: the\n"
      "world then stands in the last good state; ValueError where a control or another input that was\n"
      "written is not finite. Lets go of the GIL.");
  world.def("reset", &PyWorld::Reset,
            "Back to the state and the inputs in which the world was made; budget_misses become 0.");
  world.def("set_keyframe", &SetKeyframe, py::arg("keyframe"),
            "Time, q, v, activation, ctrl and mocap poses of a keyframe.");
  world.def("save", &SaveState, py::arg("path"),
            "Writes the state to a JSON file, every bit of it; with the model's path, so that stiction-view\n"
            "and stiction render can show it.");
  world.def("load", &LoadState, py::arg("path"),
            "Reads a state that save() wrote; it continues as the saved one would have, given equal input.\n"
            "Raises LoadError: not a state, or one of a model of another size.");

  world.def_property_readonly("model", [](const PyWorld& self) { return self.model(); });
  world.def_property_readonly(
      "time", [](PyWorld& self) { return self.unguarded().time(); }, "[s]");
  world.def_property_readonly(
      "timestep", [](PyWorld& self) { return self.unguarded().timestep(); }, "[s]");
  world.def_property_readonly("solver", [](PyWorld& self) { return self.unguarded().options().solver; });
  world.def_property_readonly(
      "budget", [](PyWorld& self) { return self.unguarded().budget().absolute; },
      "Largest certificate ncp that a step may have [m/s].");
  world.def_property(
      "num_threads", [](PyWorld& self) { return self.unguarded().options().num_threads; },
      py::cpp_function(
          [](PyWorld& self, const WholeNumber& num_threads) {
            const int count = ReadWhole("num_threads", num_threads, 1);
            PyWorld::Use(self)->set_num_threads(count);
          },
          py::is_method(world), py::arg("num_threads")),
      "Threads that share a step, 1 at first; the result is the same for any number.");
  world.def_property_readonly("budget_misses", &PyWorld::num_misses,
                              "Steps beyond the budget since the world was made or reset.");
  world.def_property_readonly(
      "report", [](const WorldPointer& self) { return PyReport{NotNone("self", self)}; },
      "Report of the last step, whenever it is asked.");
  AddView<&ViewQ>(
      world, "q",
      "Coordinates, shape (nq,), a view [m or rad]. Quaternions that are written become unit when the\n"
      "world is used next.");
  AddView<&ViewV>(world, "v", "Velocities, shape (nv,), a view [m/s or rad/s].");
  AddView<&ViewInput<&Input::ctrl>>(world, "ctrl",
                                    "Controls, shape (nu,), a view; clamped to their ranges when used.");
  AddView<&ViewActivation>(world, "activation", "Of actuators with dynamics, shape (na,), a view.");
  AddView<&ViewInput<&Input::applied_generalized>>(
      world, "applied_force",
      "Generalised forces that act until they are changed, shape (nv,), a view [N or N·m].");
  AddView<&ViewWrench>(
      world, "applied_wrench",
      "Moment and force at each body's centre of mass that act until they are changed, shape\n"
      "(bodies, 6), a view [N·m, N].");
  AddView<&ViewMocap>(
      world, "mocap",
      "Poses of mocap bodies: position [m] and quaternion w, x, y, z, shape (mocap bodies, 7), a\n"
      "view.");
  AddView<&ViewInput<&Input::equality_target>>(
      world, "equality_target",
      "Added to the right-hand side of each equality, shape (equalities,), a view [m or rad].");
  world.def("__repr__", [](PyWorld& self) {
    return "<stiction.World of '" + self.engine_model().name +
           "' at t = " + std::to_string(self.unguarded().time()) + " s>";
  });
  return world;
}

}  // namespace stiction::python

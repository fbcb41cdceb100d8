// Copies of models and worlds, and what pickle writes of them: for copy.deepcopy, multiprocessing and Dask.
#include <pybind11/stl.h>

#include "stiction/io/mjcf_writer.h"
#include "stiction/model/state_vector.h"
#include "world.h"

namespace stiction::python {
namespace {

using ModelClass = py::class_<LoadedModel, ModelPointer>;

// What a model that is loaded again must have in common with the one that was pickled: all that convert says
// of it, else at least its sizes.
std::size_t Fingerprint(const Model& model) {
  std::string text;
  for (const int size : {model.nq(), model.nv(), model.nu(), model.na(), model.num_bodies(),
                         model.num_geoms(), model.num_sensor_values})
    text += std::to_string(size) + " ";
  try {
    text += MakeMjcf(model, "model.xml").text;
  } catch (const std::invalid_argument&) {  // trees too deep for a file
  }
  return std::hash<std::string>{}(text);
}

// A model is pickled as what it was loaded from.
py::tuple PickleModel(const LoadedModel& self) {
  if (self.is_of_scenario)
    throw py::type_error("the model of a Scenario cannot be pickled: pickle the path of its file");
  const ModelSource& s = self.source;
  const ModelRepairs& r = s.repairs;
  return py::make_tuple(s.file, self.text, self.text_folder, self.visuals, s.floating_base, s.ground,
                        s.package_paths, s.contact, r.infer_inertia, r.skip_missing_meshes, r.repair_inertia,
                        r.several_roots, Fingerprint(self.model));
}

ModelPointer UnpickleModel(const py::tuple& t) {
  if (t.size() != 13) throw py::value_error("not a Model of this version");
  LoadedModel recipe;
  recipe.text = t[1].cast<std::string>();
  recipe.text_folder = t[2].cast<std::string>();
  recipe.visuals = t[3].cast<bool>();
  recipe.source = {.file = t[0].cast<std::string>(),
                   .floating_base = t[4].cast<bool>(),
                   .ground = t[5].cast<std::optional<double>>(),
                   .package_paths = t[6].cast<std::vector<std::string>>(),
                   .contact = t[7].cast<std::string>(),
                   .repairs = {.infer_inertia = t[8].cast<std::optional<double>>(),
                               .skip_missing_meshes = t[9].cast<bool>(),
                               .repair_inertia = t[10].cast<bool>(),
                               .several_roots = t[11].cast<bool>()}};
  ModelPointer model = Reload(recipe);
  if (Fingerprint(model->model) != t[12].cast<std::size_t>())
    throw LoadError(recipe.source.file, 0, "",
                    "is not the model that was pickled: the file has changed since");
  return model;
}

FloatArray PackWhole(const Model& model, const State& state) {
  const StateLayout layout(model, static_cast<int>(state.contacts.size() + state.sleep.contacts.size()));
  std::vector<double> row(static_cast<std::size_t>(layout.size()));
  if (!layout.Pack(state, row)) throw std::logic_error("a state without room");
  return MakeVector(row.data(), layout.size());
}

State UnpackWhole(const Model& model, const py::handle& packed) {
  const Numbers row = ReadNumbers("state", packed, {kAny});
  const int empty = StateLayout(model, 0).size(), contact = StateLayout(model, 1).size() - empty;
  State state = State::Default(model);
  StateLayout(model, static_cast<int>(row.size() - empty) / contact)
      .Unpack({row.data(), static_cast<std::size_t>(row.size())}, state);
  return state;
}

// Every part of an input, in one order for both ways.
template <typename Function>
void ForEachPart(Input& input, Function&& function) {
  function(input.ctrl.data(), input.ctrl.size());
  function(input.applied_generalized.data(), input.applied_generalized.size());
  function(input.applied_wrench.data(), input.applied_wrench.size());
  function(input.mocap.data(), input.mocap.size());
  function(input.equality_target.data(), input.equality_target.size());
}

FloatArray PackInput(Input input) {
  std::vector<double> row;
  ForEachPart(input,
              [&](const double* part, Eigen::Index size) { row.insert(row.end(), part, part + size); });
  return MakeVector(row.data(), static_cast<py::ssize_t>(row.size()));
}

Input UnpackInput(const Model& model, const py::handle& packed) {
  Input input = Input::Default(model);
  Eigen::Index size = 0;
  ForEachPart(input, [&](double*, Eigen::Index part) { size += part; });
  // What was written may be anything, and is looked at when it is used.
  const auto row = packed.cast<py::array_t<double, py::array::c_style | py::array::forcecast>>();
  if (row.size() != size) throw py::value_error("not an input of this model");
  const double* from = row.data();
  ForEachPart(input, [&](double* part, Eigen::Index count) {
    std::copy_n(from, count, part);
    from += count;
  });
  return input;
}

Matrix6Xd UnpackWrench(const Model& model, const py::handle& packed) {
  const Numbers numbers = ReadNumbers("wrench", packed, {6, model.num_bodies()});
  return Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>>(numbers.data(), 6,
                                                                                     model.num_bodies());
}

py::tuple PackOptions(const WorldOptions& o) {
  std::optional<std::pair<double, double>> budget;
  if (o.budget) budget.emplace(o.budget->absolute, o.budget->relative);
  std::optional<int> integrator;
  if (o.integrator) integrator = static_cast<int>(*o.integrator);
  return py::make_tuple(o.solver, o.solver_options, budget, static_cast<int>(o.on_miss), o.halvings,
                        o.one_island, o.skips_still, o.timestep, integrator, o.sleep, o.num_threads);
}

WorldOptions UnpackOptions(const py::tuple& t) {
  WorldOptions o;
  o.solver = t[0].cast<std::string>();
  o.solver_options = t[1].cast<std::vector<std::pair<std::string, std::string>>>();
  if (const auto budget = t[2].cast<std::optional<std::pair<double, double>>>())
    o.budget = Budget(budget->first, budget->second);
  o.on_miss = static_cast<OnMiss>(t[3].cast<int>());
  o.halvings = t[4].cast<std::optional<int>>();
  o.one_island = t[5].cast<bool>();
  o.skips_still = t[6].cast<bool>();
  o.timestep = t[7].cast<std::optional<double>>();
  if (const auto integrator = t[8].cast<std::optional<int>>())
    o.integrator = static_cast<Integrator>(*integrator);
  o.sleep = t[9].cast<std::optional<bool>>();
  o.num_threads = t[10].cast<int>();
  return o;
}

void RefuseControllers(const PyWorld& world) {
  if (world.model()->is_of_scenario)
    throw py::type_error(
        "the world of a Scenario has controllers, which cannot be copied: make another by its world()");
}

WorldPointer CopyWorld(PyWorld& self) {
  RefuseControllers(self);
  return PyWorld::FromSnapshot(self.model(), self.TakeSnapshot());
}

py::tuple PickleWorld(PyWorld& self) {
  RefuseControllers(self);
  const PyWorld::Snapshot s = self.TakeSnapshot();
  const Model& model = self.engine_model();
  return py::make_tuple(self.model(), PackOptions(s.options), PackWhole(model, s.state), PackInput(s.input),
                        PackWhole(model, s.start_state), PackInput(s.start_input), MakeMatrix(s.next_wrench),
                        s.num_misses);
}

WorldPointer UnpickleWorld(const py::tuple& t) {
  if (t.size() != 8) throw py::value_error("not a World of this version");
  const auto loaded = t[0].cast<ModelPointer>();
  const Model& model = loaded->model;
  return PyWorld::FromSnapshot(loaded, {.options = UnpackOptions(t[1].cast<py::tuple>()),
                                        .state = UnpackWhole(model, t[2]),
                                        .start_state = UnpackWhole(model, t[4]),
                                        .input = UnpackInput(model, t[3]),
                                        .start_input = UnpackInput(model, t[5]),
                                        .next_wrench = UnpackWrench(model, t[6]),
                                        .num_misses = t[7].cast<long long>()});
}

}  // namespace

void BindModelCopies(ModelClass& model) {
  // It never changes.
  model.def("__copy__", [](const ModelPointer& self) { return self; });
  model.def(
      "__deepcopy__", [](const ModelPointer& self, const py::dict&) { return self; }, py::arg("memo"));
  model.def(py::pickle(&PickleModel, &UnpickleModel));
}

void BindWorldCopies(WorldClass& world) {
  world.def(
      "copy", &CopyWorld,
      "A world of the same model in the same state, with the same inputs and options, that goes on by\n"
      "itself with the same bits. Report and contacts are those of its own steps: at first none. As\n"
      "copy.copy and copy.deepcopy do; pickle takes worlds, too, to other processes. Raises TypeError: the\n"
      "world of a Scenario.");
  world.def("__copy__", &CopyWorld);
  world.def(
      "__deepcopy__", [](PyWorld& self, const py::dict&) { return CopyWorld(self); }, py::arg("memo"));
  world.def(py::pickle(&PickleWorld, &UnpickleWorld));
}

}  // namespace stiction::python

#include "model.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "stiction/io/load.h"
#include "stiction/io/scenario.h"
#include "stiction/scenes/scenes.h"
#include "stiction/sim/sensors.h"

namespace stiction::python {
namespace {

template <auto List>
int Count(const Model& model) {
  return static_cast<int>((model.*List).size());
}

// The file's name, or "geom3" for something without one.
std::string NameOr(const std::string& name, const char* kind, int index) {
  return name.empty() ? kind + std::to_string(index) : name;
}

py::tuple Range(double lower, double upper) {
  return py::make_tuple(lower, upper);
}

py::list ListJoints(const Model& model) {
  py::list out;
  for (int i = 0; i < model.num_joints(); ++i) {
    const Joint& joint = model.joints[i];
    py::dict entry;
    entry["name"] = kJoints.name(model, i);
    entry["type"] = joint.type_name();
    entry["body"] = model.DisplayName(joint.body);
    entry["q"] = py::make_tuple(joint.q_address, joint.q_address + joint.nq());
    entry["v"] = py::make_tuple(joint.v_address, joint.v_address + joint.nv());
    entry["range"] = Range(joint.lower, joint.upper);
    out.append(entry);
  }
  return out;
}

py::list ListBodies(const Model& model) {
  py::list out;
  for (int i = 0; i < model.num_bodies(); ++i) {
    const Body& body = model.bodies[i];
    py::dict entry;
    entry["name"] = model.DisplayName(i);
    entry["parent"] = i == 0 ? py::object(py::none()) : py::object(py::str(model.DisplayName(body.parent)));
    entry["mass"] = body.inertia.mass;
    entry["is_mocap"] = body.is_mocap;
    out.append(entry);
  }
  return out;
}

py::list ListActuators(const Model& model) {
  py::list out;
  for (int i = 0; i < model.nu(); ++i) {
    const Actuator& actuator = model.actuators[i];
    py::dict entry;
    entry["name"] = kActuators.name(model, i);
    entry["joint"] = actuator.joint < 0 ? py::object(py::none())
                                        : py::object(py::str(kJoints.name(model, actuator.joint)));
    entry["ctrl_range"] = Range(actuator.ctrl_lower, actuator.ctrl_upper);
    entry["force_range"] = Range(actuator.force_lower, actuator.force_upper);
    out.append(entry);
  }
  return out;
}

py::list ListSensors(const Model& model) {
  py::list out;
  for (int i = 0; i < Count<&Model::sensors>(model); ++i) {
    const Sensor& sensor = model.sensors[i];
    py::dict entry;
    entry["name"] = kSensors.name(model, i);
    entry["values"] = py::make_tuple(sensor.first, sensor.first + sensor.size);
    out.append(entry);
  }
  return out;
}

py::list ListKeyframes(const Model& model) {
  py::list out;
  for (int i = 0; i < Count<&Model::keyframes>(model); ++i) {
    const Keyframe& keyframe = model.keyframes[i];
    py::dict entry;
    entry["name"] = kKeyframes.name(model, i);
    entry["time"] = keyframe.time;
    entry["q"] = MakeVector(keyframe.q);
    entry["v"] = MakeVector(keyframe.v);
    entry["activation"] = MakeVector(keyframe.activation);
    entry["ctrl"] = MakeVector(keyframe.ctrl);
    entry["mocap"] = MakeVector(keyframe.mocap);
    out.append(entry);
  }
  return out;
}

ContactModel ParseContactModel(const std::string& word) {
  if (word == "rigid") return ContactModel::kRigid;
  if (word == "soft") return ContactModel::kSoft;
  throw py::value_error("contact: expected 'rigid' or 'soft'; '" + word + "' came");
}

ModelPointer LoadScene(const std::string& text, bool has_options) {
  if (has_options)
    throw py::value_error(
        "path: a scene built in code says in its text what it has (stiction.scenes()); the "
        "other arguments are for files");
  const SceneText scene = ParseSceneText(text);
  auto out = std::make_shared<LoadedModel>(LoadedModel{.model = MakeScene(scene.name, scene.options)});
  out->source.file = text;
  return out;
}

ModelRepairs ParseRepairs(std::optional<double> infer_inertia, const std::string& missing_mesh,
                          bool repair_inertia, bool several_roots) {
  if (infer_inertia && !(std::isfinite(*infer_inertia) && *infer_inertia > 0.0))
    throw py::value_error("infer_inertia: a density must be positive and finite [kg/m^3]");
  if (missing_mesh != "fail" && missing_mesh != "skip")
    throw py::value_error("missing_mesh: expected 'fail' or 'skip'; '" + missing_mesh + "' came");
  return {.infer_inertia = infer_inertia,
          .skip_missing_meshes = missing_mesh == "skip",
          .repair_inertia = repair_inertia,
          .several_roots = several_roots};
}

// Of `where`: a file, or the folder of a text.
ModelSource MakeSourceOf(const std::string& where, const LoadOptions& options) {
  ModelSource source = MakeSource(where);
  source.floating_base = options.floating_base;
  source.ground = options.ground;
  source.package_paths = options.package_paths;
  source.contact = options.contact_model ? ToString(*options.contact_model) : "";
  source.repairs = options.repairs;
  return source;
}

LoadOptions MakeLoadOptions(bool floating_base, std::optional<double> ground,
                            const std::vector<std::string>& package_paths,
                            const std::optional<std::string>& contact, bool visuals,
                            std::optional<double> infer_inertia, const std::string& missing_mesh,
                            bool repair_inertia, bool several_roots) {
  LoadOptions options{.floating_base = floating_base,
                      .package_paths = package_paths,
                      .ground = ground,
                      .contact_model = {},
                      .visuals = visuals,
                      .repairs = ParseRepairs(infer_inertia, missing_mesh, repair_inertia, several_roots)};
  if (contact) options.contact_model = ParseContactModel(*contact);
  return options;
}

ModelPointer LoadFile(const std::string& file, const LoadOptions& options) {
  auto out = std::make_shared<LoadedModel>();
  {
    py::gil_scoped_release others_may_run;
    if (IsScenario(file)) throw LoadError(file, 0, "", "this is a scenario; read it with stiction.Scenario");
    out->model = LoadModel(file, options, &out->report);
  }
  out->source = MakeSourceOf(file, options);
  out->visuals = options.visuals;
  return out;
}

ModelPointer LoadString(const std::string& text, const std::string& folder, const LoadOptions& options) {
  auto out = std::make_shared<LoadedModel>();
  {
    py::gil_scoped_release others_may_run;
    out->model = LoadModelText(text, folder, options, &out->report);
  }
  out->source = MakeSourceOf(folder, options);
  out->text_folder = std::exchange(out->source.file, "");  // it comes from no file
  out->text = text;
  out->visuals = options.visuals;
  return out;
}

// The first character that is no blank, nor a mark of UTF-8; 0: none.
char BeginOf(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first == std::string::npos ? '\0' : text[first];
}

ModelPointer Load(const PathLike& path, bool floating_base, std::optional<double> ground,
                  const std::vector<std::string>& package_paths, const std::optional<std::string>& contact,
                  bool visuals, std::optional<double> infer_inertia, const std::string& missing_mesh,
                  bool repair_inertia, bool several_roots) {
  const std::string file = ReadPath("path", path);
  const LoadOptions options = MakeLoadOptions(floating_base, ground, package_paths, contact, visuals,
                                              infer_inertia, missing_mesh, repair_inertia, several_roots);
  if (IsSceneText(file)) {
    return LoadScene(file, floating_base || ground || !package_paths.empty() || contact ||
                               options.repairs != ModelRepairs{});
  }
  if (BeginOf(file) == '<')
    throw py::value_error("path: expected the name of a file; a text came, which stiction.load_text reads");
  ModelPointer out = LoadFile(file, options);
  WarnOfLosses(out->report);
  return out;
}

ModelPointer LoadText(const std::string& text, const std::optional<PathLike>& folder, bool floating_base,
                      std::optional<double> ground, const std::vector<std::string>& package_paths,
                      const std::optional<std::string>& contact, bool visuals,
                      std::optional<double> infer_inertia, const std::string& missing_mesh,
                      bool repair_inertia, bool several_roots) {
  if (const char begin = BeginOf(text); begin != '<' && begin != '\0')
    throw py::value_error("text: expected XML; what came does not begin with '<'. stiction.load reads files");
  ModelPointer out = LoadString(text, folder ? ReadPath("folder", *folder) : ".",
                                MakeLoadOptions(floating_base, ground, package_paths, contact, visuals,
                                                infer_inertia, missing_mesh, repair_inertia, several_roots));
  WarnOfLosses(out->report);
  return out;
}

py::list ListSceneEntries() {
  py::list out;
  for (const SceneEntry& entry : ListScenes()) {
    py::dict scene;
    scene["name"] = entry.name;
    scene["summary"] = entry.summary;
    scene["num_bodies"] = entry.num_bodies;
    scene["mass_ratio"] = entry.mass_ratio;
    scene["words"] = py::cast(ListWords(entry));
    out.append(scene);
  }
  return out;
}

template <const NameTable& Table>
std::vector<std::string> Names(const LoadedModel& self) {
  return ListNames(Table, self.model);
}

template <py::list (*List)(const Model&)>
py::list Entries(const LoadedModel& self) {
  return List(self.model);
}

}  // namespace

const NameTable kBodies{"body", &Count<&Model::bodies>,
                        [](const Model& m, int i) { return m.DisplayName(i); }};
const NameTable kJoints{"joint", &Count<&Model::joints>,
                        [](const Model& m, int i) { return NameOr(m.joints[i].name, "joint", i); }};
const NameTable kGeoms{"geom", &Count<&Model::geoms>,
                       [](const Model& m, int i) { return NameOr(m.geoms[i].name, "geom", i); }};
const NameTable kActuators{"actuator", &Count<&Model::actuators>,
                           [](const Model& m, int i) { return NameOr(m.actuators[i].name, "actuator", i); }};
const NameTable kSensors{"sensor", &Count<&Model::sensors>, &SensorDisplayName};
const NameTable kKeyframes{"keyframe", &Count<&Model::keyframes>,
                           [](const Model& m, int i) { return NameOr(m.keyframes[i].name, "keyframe", i); }};
const NameTable kFrames{"frame", &Count<&Model::frames>,
                        [](const Model& m, int i) { return NameOr(m.frames[i].name, "frame", i); }};

std::vector<std::string> ListNames(const NameTable& table, const Model& model) {
  std::vector<std::string> names;
  for (int i = 0; i < table.count(model); ++i) names.push_back(table.name(model, i));
  return names;
}

int FindIndex(const NameTable& table, const Model& model, const py::handle& name_or_index) {
  const int count = table.count(model);
  if (py::isinstance<py::str>(name_or_index)) {
    const auto name = name_or_index.cast<std::string>();
    for (int i = 0; i < count; ++i)
      if (table.name(model, i) == name) return i;
    throw py::value_error(UnknownName(table.what, name, ListNames(table, model)));
  }
  const std::optional<py::ssize_t> index = ToWhole(name_or_index);
  if (!index) {
    throw py::type_error(std::string(table.what) + ": expected a name or an index; " +
                         Py_TYPE(name_or_index.ptr())->tp_name + " came");
  }
  if (*index >= 0 && *index < count) return static_cast<int>(*index);
  throw py::index_error("there is no " + std::string(table.what) + " " + std::string(py::str(name_or_index)) +
                        "; the model has " + std::to_string(count));
}

Frame FindBodyOrFrame(const Model& model, const py::handle& name_or_index) {
  if (!py::isinstance<py::str>(name_or_index)) {
    const int body = FindIndex(kBodies, model, name_or_index);
    return {.name = model.DisplayName(body), .body = body};
  }
  const auto name = name_or_index.cast<std::string>();
  Frame frame = model.FindBodyOrFrame(name);
  if (frame.body < 0) {
    std::vector<std::string> names = ListNames(kBodies, model);
    for (std::string& other : ListNames(kFrames, model)) names.push_back(std::move(other));
    throw py::value_error(UnknownName("body or frame", name, names));
  }
  frame.name = name;
  return frame;
}

py::list DescribeReport(const ImportReport& report) {
  py::list out;
  for (const ImportItem& item : report.items) {
    py::dict entry;
    entry["file"] = item.file;
    entry["line"] = item.line;
    entry["item"] = item.item;
    entry["status"] = ToString(item.status);
    entry["why"] = item.why;
    entry["is_physical_loss"] = item.is_physical_loss();
    out.append(entry);
  }
  return out;
}

void WarnOfLosses(const ImportReport& report) {
  const std::vector<std::string> losses = DescribeLosses(report);
  if (losses.empty()) return;
  const py::object category = py::module_::import("stiction._errors").attr("ModelWarning");
  for (const std::string& loss : losses)
    if (PyErr_WarnEx(category.ptr(), loss.c_str(), 1) != 0) throw py::error_already_set();
}

ModelPointer Reload(const LoadedModel& recipe) {
  if (IsSceneText(recipe.source.file)) return LoadScene(recipe.source.file, false);
  const ModelSource& source = recipe.source;
  LoadOptions options{.floating_base = source.floating_base,
                      .package_paths = source.package_paths,
                      .ground = source.ground,
                      .contact_model = {},
                      .visuals = recipe.visuals,
                      .repairs = source.repairs};
  if (!source.contact.empty()) options.contact_model = ParseContactModel(source.contact);
  return source.file.empty() ? LoadString(recipe.text, recipe.text_folder, options)
                             : LoadFile(source.file, options);
}

ModelSource MakeSource(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error).lexically_normal();
  return {.file = error ? path : absolute.string()};
}

void BindModel(py::module_& module) {
  py::class_<LoadedModel, ModelPointer> model(
      module, "Model",
      "A mechanism: bodies in trees, joints, shapes, actuators, sensors, keyframes. Constant: what changes "
      "in\n"
      "time is a World's. Made by stiction.load; any number of worlds may share one.\n\n"
      "What has no name in the file is called by kind and index, such as 'geom3'. Pickle takes a model as "
      "what it\n"
      "was loaded from: the file is read again.");
  model.def_property_readonly("name", [](const LoadedModel& m) { return m.model.name; })
      .def_property_readonly(
          "nq", [](const LoadedModel& m) { return m.model.nq(); },
          "Size of q: coordinates, a free joint has 7 (position, quaternion w, x, y, z).")
      .def_property_readonly(
          "nv", [](const LoadedModel& m) { return m.model.nv(); },
          "Size of v: degrees of freedom, a free joint has 6 (linear velocity in world\n"
          "axes, angular velocity in body axes).")
      .def_property_readonly(
          "nu", [](const LoadedModel& m) { return m.model.nu(); }, "Size of ctrl: actuators.")
      .def_property_readonly(
          "na", [](const LoadedModel& m) { return m.model.na(); }, "Activations of actuators with dynamics.")
      .def_property_readonly("num_sensor_values",
                             [](const LoadedModel& m) { return m.model.num_sensor_values; })
      .def_property_readonly(
          "q0", [](const LoadedModel& m) { return MakeConstant(m.model.q0); },
          "The configuration in the file, shape (nq,), read-only; .copy() of it may be changed.")
      .def_property_readonly(
          "timestep", [](const LoadedModel& m) { return m.model.options.timestep; },
          "[s], that worlds use unless told otherwise.")
      .def_property_readonly(
          "gravity", [](const LoadedModel& m) { return MakeConstant(m.model.options.gravity); },
          "[m/s²], world axes, shape (3,), read-only: a model is constant. Another one is in another file, "
          "or\n"
          "text for stiction.load_text.")
      .def_property_readonly("body_names", &Names<kBodies>, "The world first.")
      .def_property_readonly("joint_names", &Names<kJoints>)
      .def_property_readonly("geom_names", &Names<kGeoms>)
      .def_property_readonly("frame_names", &Names<kFrames>,
                             "Sites, and links that fixed joints fused into their parents.")
      .def_property_readonly("actuator_names", &Names<kActuators>, "In the order of ctrl.")
      .def_property_readonly("sensor_names", &Names<kSensors>)
      .def_property_readonly("keyframe_names", &Names<kKeyframes>)
      .def_property_readonly("bodies", &Entries<&ListBodies>,
                             "A dict per body: name, parent (None of the world), mass [kg], is_mocap.")
      .def_property_readonly(
          "joints", &Entries<&ListJoints>,
          "A dict per joint: name, type, body, q and v (first and one past the last index),\n"
          "range [m or rad].")
      .def_property_readonly(
          "actuators", &Entries<&ListActuators>,
          "A dict per actuator: name, joint (None if it acts on something else), ctrl_range,\n"
          "force_range [N or N·m].")
      .def_property_readonly("sensors", &Entries<&ListSensors>,
                             "A dict per sensor: name, values (first and one past the last index in\n"
                             "World.sensors).")
      .def_property_readonly(
          "keyframes", &Entries<&ListKeyframes>,
          "A dict per keyframe: name, time [s], q, v, activation, ctrl, mocap (7 numbers a body).")
      .def_property_readonly(
          "import_report", [](const LoadedModel& m) { return DescribeReport(m.report); },
          "What the reader did with everything in the file: a dict per element or attribute, with file, "
          "line,\n"
          "item, status ('honoured', 'approximated' or 'ignored'), why, is_physical_loss.")
      .def_property_readonly(
          "path", [](const LoadedModel& m) { return m.source.file; },
          "The file that it was read from, or the text of a scene.")
      .def("__repr__", [](const LoadedModel& m) {
        return "<stiction.Model '" + m.model.name + "': " + std::to_string(m.model.num_bodies() - 1) +
               " bodies, nq " + std::to_string(m.model.nq()) + ", nv " + std::to_string(m.model.nv()) +
               ", nu " + std::to_string(m.model.nu()) + ">";
      });
  BindModelCopies(model);
  module.def(
      "load", &Load, py::arg("path"), py::kw_only(), py::arg("floating_base") = false,
      py::arg("ground") = py::none(), py::arg("package_paths") = std::vector<std::string>{},
      py::arg("contact") = py::none(), py::arg("visuals") = false, py::arg("infer_inertia") = py::none(),
      py::arg("missing_mesh") = "fail", py::arg("repair_inertia") = false, py::arg("several_roots") = false,
      "Reads a model: URDF or MJCF, told apart by what is in the file; or a scene built in code, by a\n"
      "text such as 'scene:stack:count=10' (stiction.scenes()).\n\n"
      "  floating_base  URDF: the root link moves freely\n"
      "  ground         height of a ground plane to add [m]\n"
      "  package_paths  folders in which package://name/... is looked for\n"
      "  contact        'rigid' or 'soft', whatever the file says; soft reads MJCF's solref and solimp\n"
      "  visuals        also reads what is only looked at, for stiction.render\n"
      "  infer_inertia  URDF: density [kg/m^3] of links without <inertial>, as their shapes have it\n"
      "  missing_mesh   'fail', or 'skip': shapes whose mesh cannot be read are left out\n"
      "  repair_inertia inertias that no body has become the nearest that one has\n"
      "  several_roots  URDF: each link without a parent carries a tree of its own\n\n"
      "Raises LoadError, with file and line. Whatever physical is ignored is a ModelWarning;\n"
      "Model.import_report has it all.");
  module.def(
      "load_text", &LoadText, py::arg("text"), py::kw_only(), py::arg("folder") = py::none(),
      py::arg("floating_base") = false, py::arg("ground") = py::none(),
      py::arg("package_paths") = std::vector<std::string>{}, py::arg("contact") = py::none(),
      py::arg("visuals") = false, py::arg("infer_inertia") = py::none(), py::arg("missing_mesh") = "fail",
      py::arg("repair_inertia") = false, py::arg("several_roots") = false,
      "Reads a model from a text, URDF or MJCF, as stiction.load does from a file; the other keywords are\n"
      "those of load.\n\n"
      "  folder  where meshes, includes and packages are looked for; the working directory unless given\n\n"
      "Raises LoadError, whose file is '(text)' in that folder.");
  module.def(
      "scenes", &ListSceneEntries,
      "The scenes built in code: a dict each, with name, summary, num_bodies, mass_ratio, words (what\n"
      "may follow the name in 'scene:NAME:word').");
}

}  // namespace stiction::python

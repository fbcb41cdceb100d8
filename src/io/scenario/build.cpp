#include <map>

#include "io/xml/root_element.h"
#include "stiction/io/load.h"
#include "stiction/io/scenario.h"
#include "stiction/model/input.h"
#include "stiction/scenario/found_task.h"

namespace stiction {
namespace {

// A model of the scenario as it went into the builder.
struct Part {
  const ScenarioModel& placed;
  AddedModel added;
  int nq = 0;
  int num_keyframes = 0;
};

[[noreturn]] void Fail(const Scenario& scenario, const ScenarioModel& model, const std::string& message) {
  throw LoadError(scenario.file, model.line, "model name=\"" + model.name + "\"", message);
}

// Gravity, timestep, integrator and fluid of the parts do not count; where a file says something else, its
// report says so.
void NoteOptions(const Scenario& scenario, const Model& model, ImportReport& report) {
  const bool same_timestep = model.options.timestep == scenario.timestep;
  const bool same_gravity = model.options.gravity == scenario.gravity;
  const bool same_fluid = model.options.density == scenario.density &&
                          model.options.viscosity == scenario.viscosity &&
                          model.options.wind == scenario.wind;
  const bool same_integrator = model.options.integrator == scenario.integrator;
  for (ImportItem& item : report.items) {
    if (item.item == "option[@integrator]" && !same_integrator) {
      item.status = ImportStatus::kApproximated;
      item.why = "the scenario's integrator is used";
    }
    const bool is_sleep = item.item == "flag[@sleep]" && model.options.sleep != scenario.sleep;
    if (is_sleep ||
        (item.item == "option[@sleep_tolerance]" &&
         model.options.sleep_tolerance != scenario.sleep_tolerance) ||
        (item.item == "option[@sleep_time]" && model.options.sleep_time != scenario.sleep_time)) {
      item.status = ImportStatus::kApproximated;
      item.why = "the scenario says whether, and when, bodies sleep";
    }
    if (item.item == "flag[@filterparent]" && !model.options.filter_parent) {
      item.status = ImportStatus::kApproximated;
      item.why = "in a scenario parent and child do not collide";
    }
    const bool is_fluid =
        item.item == "option[@density]" || item.item == "option[@viscosity]" || item.item == "option[@wind]";
    if (is_fluid && !same_fluid) {
      item.status = ImportStatus::kApproximated;
      item.why = "the scenario's fluid is used";
    }
    const bool is_timestep = item.item == "option[@timestep]";
    const bool is_gravity = item.item == "option[@gravity]" || item.item == "flag[@gravity]";
    if (!(is_timestep && !same_timestep) && !(is_gravity && !same_gravity)) continue;
    item.status = ImportStatus::kApproximated;
    item.why = std::string("the scenario's ") + (is_timestep ? "timestep" : "gravity") + " is used";
  }
}

// A model file as it was read, with the report of that.
struct LoadedFile {
  Model model;
  ImportReport report;
};
// By path, and whether its base floats: a file that stands in a scenario many times is read once.
using LoadedFiles = std::map<std::pair<std::string, bool>, LoadedFile>;

const Model& LoadPart(const Scenario& scenario, const ScenarioModel& placed, LoadedFiles& files,
                      ImportReport* report) {
  // A URDF's root link is part of the world unless its reader knows better; an MJCF file says what floats.
  const bool is_urdf = xml::PeekRootElement(placed.file) == "robot";
  LoadOptions options;
  options.package_paths = scenario.package_paths;
  options.visuals = scenario.visuals;
  options.repairs = scenario.repairs;
  options.contact_model = scenario.contact_model;
  options.floating_base = is_urdf && placed.base == ModelBase::kFloating;
  const auto [entry, is_new] = files.try_emplace({placed.file, options.floating_base});
  LoadedFile& file = entry->second;
  if (is_new) {
    file.model = LoadModel(placed.file, options, &file.report);
    NoteOptions(scenario, file.model, file.report);
  }
  const Model& model = file.model;
  if (!placed.keyframe.empty() && !model.FindKeyframe(placed.keyframe)) {
    std::string known;
    for (const Keyframe& keyframe : model.keyframes) known += (known.empty() ? "" : ", ") + keyframe.name;
    Fail(scenario, placed,
         "there is no keyframe \"" + placed.keyframe + "\" in " + placed.file + "; " +
             (known.empty() ? "it has none" : "known: " + known));
  }
  if (!report) return model;
  report->items.insert(report->items.end(), file.report.items.begin(), file.report.items.end());
  report->cache_hits += is_new ? file.report.cache_hits : 1;
  return model;
}

// The frame that goes by the model's name.
Frame FindModelFrame(const Model& model, const ScenarioModel& placed, const AddedModel& added) {
  int root = 0, num_roots = 0;
  for (int b = 1; b < model.num_bodies(); ++b) {
    if (model.bodies[b].parent != 0) continue;
    root = b;
    ++num_roots;
  }
  const Body& body = model.bodies[root];
  const bool is_base = num_roots == 1 && (body.num_joints == 0 || model.joints[body.first_joint].is_free());
  if (is_base) return {.name = placed.name, .body = added.bodies[root], .X_BF = {}};
  return {.name = placed.name, .body = 0, .X_BF = placed.X_WM};
}

Part AddPart(const Scenario& scenario, const ScenarioModel& placed, LoadedFiles& files, ModelBuilder& builder,
             ImportReport* report) {
  const Model& model = LoadPart(scenario, placed, files, report);
  try {
    Part part{placed, builder.AddModel(model, placed.name, placed.X_WM, placed.base), model.nq(),
              static_cast<int>(model.keyframes.size())};
    builder.AddFrame(FindModelFrame(model, placed, part.added));
    return part;
  } catch (const ModelError& error) {
    Fail(scenario, placed, error.what());
  }
}

// Every part's keyframe is one of the whole scene: their size is a product.
void CheckSize(const Scenario& scenario, const std::vector<Part>& parts) {
  constexpr double kMaxNumbers = 1e8;
  double nq = 0.0, num_keyframes = 0.0;
  for (const Part& part : parts) nq += part.nq, num_keyframes += part.num_keyframes;
  if (nq * num_keyframes > kMaxNumbers)
    throw LoadError(scenario.file, 0, "", "its models have too many keyframes; remove those not used here");
}

void AddGround(const ScenarioGround& ground, ModelBuilder& builder) {
  Geom plane{.name = "ground", .body = 0, .shape = Plane{}, .friction = ground.friction};
  plane.X_BG.p.z() = ground.z;
  builder.AddGeom(plane);
}

// Every pair of geoms gets the scenario's stiffness: two equal springs in series are half as stiff as one.
void SetCompliance(const Scenario& scenario, Model& model) {
  for (Geom& geom : model.geoms) {
    geom.stiffness = 2.0 * scenario.contact_stiffness;
    geom.dissipation_time = scenario.contact_dissipation_time;
  }
}

// Copies what a keyframe says about one part.
void CopyPart(const Model& model, const ModelBuilder& builder, const AddedModel& part, const Keyframe& from,
              Keyframe& to) {
  for (const int j : part.joints) {
    if (j < 0) continue;
    const Joint& joint = model.joints[builder.joint_index(j)];
    to.q.segment(joint.q_address, joint.nq()) = from.q.segment(joint.q_address, joint.nq());
    to.v.segment(joint.v_address, joint.nv()) = from.v.segment(joint.v_address, joint.nv());
  }
  for (const int a : part.actuators) {
    to.ctrl[a] = from.ctrl[a];
    const int first = model.actuators[a].activation, count = NumStates(model.actuators[a]);
    if (count > 0) to.activation.segment(first, count) = from.activation.segment(first, count);
  }
  std::vector<bool> is_in_part(model.num_bodies(), false);
  for (const int b : part.bodies) is_in_part[builder.body_index(b)] = true;
  int address = 0;
  for (int b = 0; b < model.num_bodies(); ++b) {
    if (!model.bodies[b].is_mocap) continue;
    if (is_in_part[b]) to.mocap.segment<7>(address) = from.mocap.segment<7>(address);
    address += 7;
  }
}

// Puts "start" first, and all other parts into it in every part's own keyframe.
void CombineKeyframes(const ModelBuilder& builder, const std::vector<Part>& parts, Model& model) {
  const Input defaults = Input::Default(model);
  Keyframe start{.name = kStartKeyframe,
                 .time = 0.0,
                 .q = model.q0,
                 .v = VectorXd::Zero(model.nv()),
                 .ctrl = defaults.ctrl,
                 .activation = VectorXd::Zero(model.na()),
                 .mocap = defaults.mocap};
  for (const Part& part : parts) {
    if (part.placed.keyframe.empty()) continue;
    const Keyframe* chosen = model.FindKeyframe(part.placed.name + "/" + part.placed.keyframe);
    CopyPart(model, builder, part.added, *chosen, start);
  }
  for (Keyframe& keyframe : model.keyframes) {
    Keyframe combined = start;
    for (const Part& part : parts) {
      if (keyframe.name.starts_with(part.placed.name + "/"))
        CopyPart(model, builder, part.added, keyframe, combined);
    }
    combined.name = keyframe.name;
    combined.time = keyframe.time;
    keyframe = combined;
  }
  model.keyframes.insert(model.keyframes.begin(), start);
}

}  // namespace

Model BuildModel(const Scenario& scenario, ImportReport* report) {
  ModelBuilder builder(scenario.name);
  builder.options() = {.timestep = scenario.timestep,
                       .gravity = scenario.gravity,
                       .integrator = scenario.integrator,
                       .density = scenario.density,
                       .viscosity = scenario.viscosity,
                       .wind = scenario.wind,
                       .contact_model = scenario.contact_model,
                       .sleep = scenario.sleep,
                       .sleep_tolerance = scenario.sleep_tolerance,
                       .sleep_time = scenario.sleep_time};
  if (scenario.ground) AddGround(*scenario.ground, builder);
  std::vector<Part> parts;
  LoadedFiles files;
  for (const ScenarioModel& placed : scenario.models)
    parts.push_back(AddPart(scenario, placed, files, builder, report));
  CheckSize(scenario, parts);
  try {
    Model model = builder.Build();
    if (scenario.contact_model == ContactModel::kCompliant) SetCompliance(scenario, model);
    CombineKeyframes(builder, parts, model);
    CheckNames(scenario, model);
    FindControllerTasks(scenario.controllers, model);
    for (const TaskDescription& task : scenario.tasks) FindTask(task, model);
    return model;
  } catch (const ModelError& error) {
    throw LoadError(scenario.file, 0, "", error.what());
  }
}

}  // namespace stiction

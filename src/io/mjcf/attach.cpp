// <attach model= body= prefix=>: a body of another model, with all that hangs on it.
#include "io/mjcf/body.h"
#include "io/mjcf/include.h"
#include "io/mjcf/read_model.h"
#include "io/mjcf/sections.h"
#include "io/xml/reader.h"

namespace stiction::mjcf {
namespace {

// Models attached to models attached to ...; also what ends a model that attaches itself.
constexpr int kMaxDepth = 8;

// The body of this name at or below the element; null if there is none.
xml::Element* FindBodyElement(const xml::Element& element, const std::string& name) {
  for (const auto& child : element.children()) {
    const std::string* own = child->name() == "body" ? child->Peek("name") : nullptr;
    if (own && *own == name) return child.get();
    if (xml::Element* found = FindBodyElement(*child, name)) return found;
  }
  return nullptr;
}

// Notes all but the body, and what holds it, as left behind.
void NoteBeside(xml::Element& holder, const xml::Element* body) {
  const auto holds = [body](const xml::Element& element) {
    const xml::Element* at = body;
    while (at && at != &element) at = at->parent();
    return at != nullptr;
  };
  for (const xml::Attribute& attribute : holder.attributes())
    holder.Note(attribute.name, ImportStatus::kHonoured, kNotAttached);
  for (const auto& child : holder.children()) {
    if (child.get() == body) continue;
    if (!holds(*child)) {
      child->NoteWhole(ImportStatus::kHonoured, kNotAttached);
      continue;
    }
    child->Note(ImportStatus::kHonoured, kNotAttached);
    NoteBeside(*child, body);
  }
}

// Whether the shape came from a mesh, with which its frame need not stand where the file has the geom.
bool HasOwnFrame(const Shape& shape) {
  return std::holds_alternative<Hull>(shape) || std::holds_alternative<Mesh>(shape);
}

template <typename Elements>
void Rename(Elements& elements, const std::string& prefix, const std::string& suffix) {
  for (auto& element : elements) {
    if (!element.name.empty()) element.name = prefix + element.name + suffix;
  }
}

// The options of a model that is attached stay behind: those that are others than here are told.
void NoteOptions(const Options& here, const Options& there, const xml::Element& root) {
  const std::pair<const char*, bool> differs[] = {{"timestep", there.timestep != here.timestep},
                                                  {"gravity", there.gravity != here.gravity},
                                                  {"integrator", there.integrator != here.integrator},
                                                  {"density", there.density != here.density},
                                                  {"viscosity", there.viscosity != here.viscosity},
                                                  {"wind", there.wind != here.wind},
                                                  {"magnetic", there.magnetic_field != here.magnetic_field}};
  const auto note = [](xml::Element& element, const auto& attributes) {
    for (const auto& [attribute, is_other] : attributes) {
      if (is_other && element.Has(attribute))
        element.Note(attribute, ImportStatus::kIgnored,
                     "of a model that is attached; those of the file that attaches it count");
    }
  };
  for (const auto& child : root.children()) {
    if (child->name() == "compiler")
      child->Note("settotalmass", ImportStatus::kIgnored,
                  "of a model that is attached; that of the file that attaches it counts");
    if (child->name() != "option") continue;
    note(*child, differs);
  }
}

// The model, or one body of it; read once.
const AttachedModel& LoadAttached(Context& context, const xml::Element& element, const std::string& name,
                                  const std::string& body, bool has_heavy_world) {
  const std::filesystem::path* file = context.assets.models.Find(name);
  if (!file) element.Fail("model", "unknown model \"" + name + "\"; define it in <asset>");
  const auto [entry, is_new] = context.attached.models.try_emplace({name, body, has_heavy_world});
  if (!is_new) return entry->second;
  if (context.depth >= kMaxDepth) element.Fail("models are attached to one another more than 8 deep");
  std::unique_ptr<xml::Element> root = xml::ReadFile(file->string());
  if (root->name() != "mujoco") element.Fail("model", "only MJCF models can be attached");
  ExpandIncludes(*root, *file);
  LoadOptions options;
  options.visuals = context.options.visuals;
  options.repairs = context.options.repairs;
  Context inner(file->parent_path(), options, body, context.depth + 1);
  inner.assets.memory = context.assets.memory;
  inner.has_heavy_world = has_heavy_world;
  Model& model = entry->second.model = ReadModel(inner, *root);
  entry->second.fixtures = inner.fixtures;
  NoteOptions(context.builder.options(), model.options, *root);
  std::vector<std::unique_ptr<xml::Element>>& roots = context.attached.roots;
  for (auto& inner_root : inner.attached.roots) roots.push_back(std::move(inner_root));
  roots.push_back(std::move(root));
  std::vector<ImportItem>& notes = context.attached.notes;
  notes.insert(notes.end(), inner.attached.notes.begin(), inner.attached.notes.end());
  if (const std::optional<ImportItem> note = inner.friction_note.Make()) notes.push_back(*note);
  return entry->second;
}

// Cameras whose names are taken here go without one.
void DropTakenCameraNames(const Context& context, xml::Element& element, std::vector<ModelCamera>& cameras) {
  for (ModelCamera& camera : cameras) {
    if (camera.name.empty() || !context.names.cameras.Has(camera.name)) continue;
    element.Note(ImportStatus::kApproximated,
                 "its camera \"" + camera.name + "\" goes without a name: that is taken by another");
    camera.name.clear();
  }
}

// Names become prefix + name + suffix.
void RenameAll(Model& model, const std::string& prefix, const std::string& suffix) {
  Rename(model.bodies, prefix, suffix);
  Rename(model.joints, prefix, suffix);
  Rename(model.geoms, prefix, suffix);
  Rename(model.visuals, prefix, suffix);
  Rename(model.cameras, prefix, suffix);
  Rename(model.lights, prefix, suffix);
  Rename(model.frames, prefix, suffix);
  Rename(model.tendons, prefix, suffix);
  Rename(model.equalities, prefix, suffix);
  Rename(model.actuators, prefix, suffix);
  Rename(model.sensors, prefix, suffix);
  Rename(model.keyframes, prefix, suffix);
}

// What the added elements came from, should one of them be wrong.
void FillTable(const xml::Element& element, const AddedModel& added, ElementTable& table) {
  table.bodies.resize(table.bodies.size() + added.bodies.size() - 1, &element);
  table.joints.resize(table.joints.size() + added.joints.size(), &element);
  table.geoms.resize(table.geoms.size() + added.geoms.size(), &element);
}

template <typename Elements>
void AddIndices(const Elements& elements, const std::vector<int>& indices, NameTable<int>& table) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!elements[i].name.empty()) table.AddIfNew(elements[i].name, indices[i]);
  }
}

// By which the mechanisms of this file find what was added.
//   X_WM  where the model was placed
void AddNames(const Model& model, const AddedModel& added, const RigidTransform& X_WM, Names& names) {
  // As it now stands in this model.
  const auto place = [&](int& of_body, RigidTransform& X_BF) {
    if (of_body == 0) X_BF = X_WM * X_BF;
    of_body = added.bodies[of_body];
  };
  for (int b = 1; b < model.num_bodies(); ++b) {
    if (!model.bodies[b].name.empty()) names.bodies.AddIfNew(model.bodies[b].name, added.bodies[b]);
  }
  AddIndices(model.joints, added.joints, names.joints);
  for (std::size_t g = 0; g < model.geoms.size(); ++g) {
    Geom geom = model.geoms[g];
    if (geom.name.empty()) continue;
    place(geom.body, geom.X_BG);
    names.geoms.AddIfNew(geom.name, {geom, added.geoms[g]});
    names.geom_frames.AddIfNew(geom.name, {{.body = geom.body, .X_BF = geom.X_BG}, HasOwnFrame(geom.shape)});
  }
  for (Frame frame : model.frames) {
    place(frame.body, frame.X_BF);
    if (!frame.name.empty()) names.sites.AddIfNew(frame.name, {.frame = frame});
  }
  for (std::size_t i = 0; i < model.cameras.size(); ++i) {
    ModelCamera camera = model.cameras[i];
    if (camera.name.empty()) continue;
    place(camera.body, camera.X_BC);
    names.cameras.AddIfNew(camera.name, {{.body = camera.body, .X_BF = camera.X_BC}, added.cameras[i]});
  }
}

}  // namespace

// A world of which one body is read; what stands beside it is not part of what is attached.
bool ReadOnlyBody(Context& context, xml::Element& world) {
  xml::Element* body = FindBodyElement(world, context.only_body);
  NoteBeside(world, body);
  if (body) ReadBody(context, *body, Scope{});
  return body != nullptr;
}

// What stands in the world of an attached model is part of the body that it is attached to.
void AddFixtures(Context& context, const MassProperties& fixtures, const Scope& scope) {
  if (fixtures.mass == 0.0 || context.compiler.inertia_from_geom == Compiler::InertiaFromGeom::kFalse) return;
  context.builder.AddMass(scope.body, Transform(scope.X_BF, fixtures));
  context.masses[scope.body].has_geom_mass = true;
}

// Keyframes without a name of their own here, since another attached model has it already, go without one.
void NameKeyframes(Context& context, xml::Element& element, std::vector<Keyframe>& keyframes) {
  for (Keyframe& keyframe : keyframes) {
    if (keyframe.name.empty() || context.keyframe_names.insert(keyframe.name).second) continue;
    element.Note(ImportStatus::kApproximated,
                 "its keyframe \"" + keyframe.name + "\" goes without a name: that is taken by another");
    keyframe.name.clear();
  }
}

// Into the world or into a body. The options of the model that is attached stay behind; with its keyframes
// the rest is where it is by default.
void ReadAttach(Context& context, xml::Element& element, const Scope& scope) {
  element.Visit();
  const std::string name = element.RequireString("model");
  std::string body, prefix;
  element.Read("body", body);
  element.Read("prefix", prefix);
  if (body == "world") body.clear();
  const bool has_heavy_world = scope.body > 0 || context.has_heavy_world;
  const AttachedModel& attached = LoadAttached(context, element, name, body, has_heavy_world);
  AddFixtures(context, attached.fixtures, scope);
  Model model = attached.model;
  context.num_elements_read += model.num_bodies() + model.num_geoms();
  context.num_elements_read += static_cast<int>(model.visuals.size() + model.cameras.size());
  RenameAll(model, prefix, scope.suffix);
  DropTakenCameraNames(context, element, model.cameras);
  NameKeyframes(context, element, model.keyframes);
  model.surroundings = {};

  context.table.current = &element;
  AddedModel added = context.builder.AddModelBodies(model, "", scope.X_BF, ModelBase::kAsInModel, scope.body);
  FillTable(element, added, context.table);
  AddNames(model, added, scope.X_BF, context.names);
  context.masses.resize(context.masses.size() + model.num_bodies() - 1, {.is_attached = true});
  for (const Body& added_body : model.bodies) context.num_mocap += added_body.is_mocap ? 1 : 0;
  context.attached.parts.push_back({&element, std::move(model), std::move(added), scope.X_BF});
}

void AddAttached(Context& context, Mechanisms kind) {
  for (auto& [element, model, added, X_WM] : context.attached.parts) {
    context.table.current = element;
    context.builder.AddModelMechanisms(kind, model, "", X_WM, added);
    switch (kind) {
      case Mechanisms::kTendons:
        context.table.tendons.resize(context.table.tendons.size() + added.tendons.size(), element);
        AddIndices(model.tendons, added.tendons, context.names.tendons);
        break;
      case Mechanisms::kEqualities:
        context.table.equalities.resize(context.table.equalities.size() + added.equalities.size(), element);
        break;
      case Mechanisms::kActuators:
        context.table.actuators.resize(context.table.actuators.size() + added.actuators.size(), element);
        AddIndices(model.actuators, added.actuators, context.names.actuators);
        context.actuator_of_ctrl.insert(context.actuator_of_ctrl.end(), added.actuators.begin(),
                                        added.actuators.end());
        break;
      case Mechanisms::kSensors:
        context.table.sensors.resize(context.table.sensors.size() + added.sensors.size(), element);
        break;
      case Mechanisms::kKeyframes:
        break;
    }
  }
}

}  // namespace stiction::mjcf

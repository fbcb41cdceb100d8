// <attach model= body= prefix=>: a body of another model, with all that hangs on it.
#include "io/mjcf/include.h"
#include "io/mjcf/reader.h"
#include "io/model_path.h"
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

}  // namespace

void Reader::ReadModelAsset(xml::Element& element) {
  element.Visit();
  const std::string file = element.RequireString("file");
  std::string name = std::filesystem::path(file).stem().string();
  element.Read("name", name);
  if (!model_files_.emplace(name, ResolveModelPath(folder_, file, element)).second) {
    element.Fail("the name \"" + name + "\" is taken by another model; rename one");
  }
}

// A world of which one body is read; what stands beside it is not part of what is attached.
void Reader::ReadOnlyBody(xml::Element& world) {
  for (const auto& child : world.children()) {
    child->Note(ImportStatus::kHonoured, "not part of the body that is attached");
  }
  if (xml::Element* body = FindBodyElement(world, only_body_)) {
    found_only_body_ = true;
    ReadBody(*body, Scope{});
  }
}

const Model& Reader::LoadAttached(const xml::Element& element, const std::string& name,
                                  const std::string& body) {
  const auto file = model_files_.find(name);
  if (file == model_files_.end()) {
    element.Fail("model", "unknown model \"" + name + "\"; define it in <asset>");
  }
  const auto [entry, is_new] = attached_.try_emplace({name, body});
  if (!is_new) return entry->second;
  if (depth_ >= kMaxDepth) element.Fail("models are attached to one another more than 8 deep");
  std::unique_ptr<xml::Element> root = xml::ReadFile(file->second.string());
  if (root->name() != "mujoco") element.Fail("model", "only MJCF models can be attached");
  ExpandIncludes(*root, file->second);
  LoadOptions options;
  options.visuals = load_options_.visuals;
  Reader reader(*root, file->second.parent_path(), options);
  reader.depth_ = depth_ + 1;
  reader.only_body_ = body;
  entry->second = reader.Read();
  for (auto& inner : reader.attached_roots_) attached_roots_.push_back(std::move(inner));
  attached_roots_.push_back(std::move(root));
  return entry->second;
}

// Names become prefix + name, with the suffix of <replicate>. Keyframes and options stay behind.
void Reader::ReadAttach(xml::Element& element, const Scope& scope) {
  element.Visit();
  const std::string name = element.RequireString("model");
  std::string body, prefix;
  element.Read("body", body);
  element.Read("prefix", prefix);
  if (scope.body != 0) {
    return element.Note(ImportStatus::kIgnored,
                        "models are attached to the world only, not to bodies; write the bodies out");
  }
  Model model = LoadAttached(element, name, body);
  num_elements_read_ += model.num_bodies() + model.num_geoms();
  num_elements_read_ += static_cast<int>(model.visuals.size() + model.cameras.size());
  Rename(model.bodies, prefix, scope.suffix);
  Rename(model.joints, prefix, scope.suffix);
  Rename(model.geoms, prefix, scope.suffix);
  Rename(model.visuals, prefix, scope.suffix);
  Rename(model.cameras, prefix, scope.suffix);
  ClaimCameraNames(element, model.cameras);
  Rename(model.frames, prefix, scope.suffix);
  Rename(model.tendons, prefix, scope.suffix);
  Rename(model.actuators, prefix, scope.suffix);
  Rename(model.sensors, prefix, scope.suffix);
  model.keyframes.clear();
  table_.current = &element;
  const AddedModel added = builder_.AddModel(model, "", scope.X_BF);
  for (int b = 1; b < model.num_bodies(); ++b) {
    table_.bodies.push_back(&element);
    body_mass_.emplace_back();
    num_mocap_ += model.bodies[b].is_mocap ? 1 : 0;
    if (!model.bodies[b].name.empty()) body_index_.emplace(model.bodies[b].name, added.bodies[b]);
  }
  for (int j = 0; j < model.num_joints(); ++j) {
    table_.joints.push_back(&element);
    if (!model.joints[j].name.empty()) joint_index_.emplace(model.joints[j].name, added.joints[j]);
  }
  // What equalities, tendons and sensors refer to, as it now stands in this model.
  const auto place = [&](int& of_body, RigidTransform& X_BF) {
    if (of_body == 0) X_BF = scope.X_BF * X_BF;
    of_body = added.bodies[of_body];
  };
  for (std::size_t g = 0; g < model.geoms.size(); ++g) {
    Geom geom = model.geoms[g];
    table_.geoms.push_back(&element);
    place(geom.body, geom.X_BG);
    if (geom.name.empty()) continue;
    named_geoms_.emplace(geom.name, geom);
    geom_index_.emplace(geom.name, added.geoms[g]);
    geom_frames_.try_emplace(
        geom.name, SensedGeom{Frame{.body = geom.body, .X_BF = geom.X_BG}, HasOwnFrame(geom.shape)});
  }
  for (Frame frame : model.frames) {
    place(frame.body, frame.X_BF);
    if (!frame.name.empty()) sites_.emplace(frame.name, frame);
  }
  for (ModelCamera camera : model.cameras) {
    place(camera.body, camera.X_BC);
    camera_frames_.try_emplace(camera.name, Frame{.body = camera.body, .X_BF = camera.X_BC});
  }
  for (std::size_t t = 0; t < model.tendons.size(); ++t) {
    table_.tendons.push_back(&element);
    if (!model.tendons[t].name.empty()) tendon_index_.emplace(model.tendons[t].name, added.tendons[t]);
  }
  for (std::size_t e = 0; e < added.equalities.size(); ++e) table_.equalities.push_back(&element);
  for (std::size_t a = 0; a < added.actuators.size(); ++a) {
    table_.actuators.push_back(&element);
    actuator_of_ctrl_.push_back(added.actuators[a]);
    actuator_index_.emplace(model.actuators[a].name, added.actuators[a]);
  }
  for (std::size_t s = 0; s < added.sensors.size(); ++s) table_.sensors.push_back(&element);
}

}  // namespace stiction::mjcf

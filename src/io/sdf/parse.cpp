// The only file that knows libsdformat: a module of its own (CMakeLists.txt beside it).
#include <dlfcn.h>

#include <fstream>
#include <iterator>
#include <sdf/sdf.hh>
#include <sstream>
#include <unordered_map>

#include "io/sdf/module.h"
#include "stiction/math/rotation.h"
#include "stiction/model/load_error.h"

namespace stiction::sdformat {
namespace {

using ElementMap = std::unordered_map<const sdf::Element*, xml::Element*>;

// What libsdformat itself makes something of, where it makes something of it.
constexpr const char* kResolvedAttributes[] = {
    "name",         "type",        "version",         "relative_to",
    "expressed_in", "attached_to", "placement_frame", "canonical_link",
    "degrees",      "default",     "rotation_format"};
constexpr const char* kResolvedElements[] = {"pose", "parent", "child", "xyz", "static", "self_collide"};

// The first element that `wanted` takes, in document order.
template <typename Predicate>
const xml::Element* FindElement(const xml::Element& element, const Predicate& wanted) {
  if (wanted(element)) return &element;
  for (const auto& child : element.children()) {
    if (const xml::Element* found = FindElement(*child, wanted)) return found;
  }
  return nullptr;
}

// Where the library gives no line, as of elements that it does not know: that of the first of this name.
int FindLine(const sdf::ElementPtr& source, const std::string& file, int line, const xml::Element& raw) {
  if (source->LineNumber().value_or(-1) > 0) return *source->LineNumber();
  const xml::Element* found = nullptr;
  if (file == raw.file())
    found = FindElement(
        raw, [&](const xml::Element& e) { return e.name() == source->GetName() && e.line() >= line; });
  return found ? found->line() : line;
}

// libsdformat fills in what a file leaves out; that did not come from the user, and is left out again.
std::unique_ptr<xml::Element> ConvertElement(const sdf::ElementPtr& source,
                                             std::shared_ptr<const std::string> file, int line,
                                             const xml::Element& raw, ElementMap& map) {
  const std::string& path = source->FilePath();
  if (!path.empty() && path != sdf::kSdfStringSource && path != *file)
    file = std::make_shared<const std::string>(path);
  line = FindLine(source, *file, line, raw);
  std::vector<xml::Attribute> attributes;
  for (std::size_t i = 0; i < source->GetAttributeCount(); ++i) {
    const sdf::ParamPtr attribute = source->GetAttribute(i);
    if (attribute->GetSet()) attributes.push_back({attribute->GetKey(), attribute->GetAsString(), line, {}});
  }
  auto element = std::make_unique<xml::Element>(file, line, source->GetName(), std::move(attributes));
  for (const char* name : kResolvedAttributes) element->Note(name, ImportStatus::kHonoured, "");
  for (const char* name : kResolvedElements)
    if (element->name() == name) element->Visit();
  if (source->GetValue()) element->set_text(source->GetValue()->GetAsString());
  map[source.get()] = element.get();
  for (sdf::ElementPtr child = source->GetFirstElement(); child; child = child->GetNextElement()) {
    if (child->GetExplicitlySetInFile()) element->Append(ConvertElement(child, file, line, raw, map));
  }
  return element;
}

const xml::Element* FindNamed(const xml::Element& raw, const std::string& name) {
  return FindElement(raw, [&](const xml::Element& element) {
    const std::string* own = element.Peek("name");
    return own && *own == name;
  });
}

// An element of which the library says no more than that its text cannot be read.
const xml::Element* FindUnreadable(const xml::Element& raw, const std::string& message, int line) {
  return FindElement(raw, [&](const xml::Element& element) {
    return element.line() == line && message.find("reading element <" + element.name() + ">") != message.npos;
  });
}

// The library's errors that name no line name elements: in [brackets], or by a word that is an attribute.
const xml::Element* FindCulprit(const xml::Element& raw, const std::string& message) {
  for (std::size_t begin = 0; (begin = message.find('[', begin)) != message.npos; ++begin) {
    const std::size_t end = message.find(']', begin);
    if (end == message.npos) break;
    std::string name = message.substr(begin + 1, end - begin - 1);
    if (const std::size_t colon = name.rfind("::"); colon != name.npos) name = name.substr(colon + 2);
    if (const xml::Element* element = FindNamed(raw, name)) return element;
  }
  std::istringstream words(message);
  for (std::string word; words >> word;) {
    const xml::Element* element = FindElement(raw, [&](const xml::Element& e) {
      const std::string* type = e.Peek("type");
      return (type && *type == word) || (word == "xyz" && e.name() == word && e.text() == "0 0 0") ||
             (word == "model" && e.name() == word);
    });
    if (element) return element;
  }
  return nullptr;
}

[[noreturn]] void Refuse(const sdf::Error& error, const std::string& path, const xml::Element& raw) {
  const std::string& message = error.Message();
  const int line = error.LineNumber().value_or(0);
  const std::string file = error.FilePath().value_or(path);
  const bool is_own = file == path || file == sdf::kSdfStringSource;
  if (is_own) {
    const xml::Element* element = line > 0 ? FindUnreadable(raw, message, line) : nullptr;
    if (element) element->Fail("\"" + element->text().substr(0, 40) + "\" is not what it holds");
    if (line <= 0) element = FindCulprit(raw, message);
    if (element) element->Fail(message);
  }
  if (line > 0) throw LoadError(is_own ? path : file, line, "", message);
  throw LoadError(path, raw.line(), raw.name(), message);
}

RigidTransform ToTransform(const ignition::math::Pose3d& pose) {
  const ignition::math::Quaterniond& r = pose.Rot();
  return {Quaterniond(r.W(), r.X(), r.Y(), r.Z()).normalized().toRotationMatrix(),
          Vector3d(pose.Pos().X(), pose.Pos().Y(), pose.Pos().Z())};
}

// A text that libsdformat refuses it gives to a reader of URDF, which complains of a missing <robot> through
// console_bridge, a library without headers here. Silent while this lives.
class QuietUrdfReader {
 public:
  QuietUrdfReader() { Call("_ZN14console_bridge15noOutputHandlerEv"); }
  ~QuietUrdfReader() { Call("_ZN14console_bridge28restorePreviousOutputHandlerEv"); }
  QuietUrdfReader(const QuietUrdfReader&) = delete;
  QuietUrdfReader& operator=(const QuietUrdfReader&) = delete;

 private:
  static void Call(const char* symbol) {
    if (auto* function = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, symbol))) function();
  }
};

class Reader {
 public:
  Reader(const std::string& path, const xml::Element& raw) : path_(path), raw_(raw) {}

  File Read(const IncludedFiles& includes) {
    sdf::Console::Instance()->SetQuiet(true);
    sdf::ParserConfig config;
    config.SetWarningsPolicy(sdf::EnforcementPolicy::LOG);
    config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::LOG);
    config.SetDeprecatedElementsPolicy(sdf::EnforcementPolicy::LOG);
    config.SetFindCallback([&](const std::string& uri) {
      const auto found = includes.find(uri);
      return found == includes.end() ? std::string() : found->second.string();
    });
    sdf::Root root;
    // As a text: of a file that it cannot read the library asks itself, aloud, whether it is a URDF.
    std::ifstream stream(path_, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    Check(LoadQuietly(root, text, config));
    file_.root =
        ConvertElement(root.Element(), std::make_shared<const std::string>(path_), raw_.line(), raw_, map_);
    file_.root->Visit();
    const sdf::Model* model = root.Model();
    if (root.WorldCount() > 1) raw_.Fail("has several worlds; keep one");
    if (root.WorldCount() == 1) {
      ReadWorld(*root.WorldByIndex(0));
    } else if (model) {
      file_.name = model->Name();
      ReadModel(*model, ResolveAlone(*model), "", {.model = num_models_++});
    } else {
      raw_.Fail("has neither a <world> nor a <model>");
    }
    return std::move(file_);
  }

 private:
  // What a model passes on to those nested in it.
  struct Inherited {
    int model = 0;
    bool is_static = false;
    bool self_collides = false;
  };

  static sdf::Errors LoadQuietly(sdf::Root& root, const std::string& text, const sdf::ParserConfig& config) {
    const QuietUrdfReader quiet;
    return root.LoadSdfString(text, config);
  }

  // Inertias are judged by the reader itself, which can repair them.
  void Check(const sdf::Errors& errors) const {
    for (const sdf::Error& error : errors) {
      if (error.Code() != sdf::ErrorCode::LINK_INERTIA_INVALID) Refuse(error, path_, raw_);
    }
  }
  xml::Element* Find(const sdf::ElementPtr& element) const { return map_.at(element.get()); }

  RigidTransform Resolve(const sdf::SemanticPose& semantic, const std::string& to) const {
    ignition::math::Pose3d pose;
    Check(semantic.Resolve(pose, to));
    return ToTransform(pose);
  }

  // Of a model without a world: relative to nothing.
  static RigidTransform ResolveAlone(const sdf::Model& model) {
    ignition::math::Pose3d pose;
    const bool is_resolved = model.SemanticPose().Resolve(pose, "__root__").empty();
    return ToTransform(is_resolved ? pose : model.RawPose());
  }

  void ReadWorld(const sdf::World& world) {
    file_.world = Find(world.Element());
    file_.world->Visit();
    file_.name = world.Name();
    for (std::uint64_t i = 0; i < world.ModelCount(); ++i) {
      const sdf::Model& model = *world.ModelByIndex(i);
      ReadModel(model, Resolve(model.SemanticPose(), "world"), model.Name() + "::", {.model = num_models_++});
    }
    for (std::uint64_t i = 0; i < world.FrameCount(); ++i) {
      const sdf::Frame& frame = *world.FrameByIndex(i);
      AddFrame(frame, Resolve(frame.SemanticPose(), "world"), "");
    }
  }

  //   scope  "arm::", of the model's own elements
  void ReadModel(const sdf::Model& model, const RigidTransform& X_WM, const std::string& scope,
                 Inherited inherited) {
    Find(model.Element())->Visit();
    inherited.is_static |= model.Static();
    inherited.self_collides |= model.SelfCollide();
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i)
      ReadLink(*model.LinkByIndex(i), X_WM, scope, inherited);
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      const sdf::Model& nested = *model.ModelByIndex(i);
      ReadModel(nested, X_WM * Resolve(nested.SemanticPose(), "__model__"),
                scope + nested.Name() + "::", inherited);
    }
    for (std::uint64_t i = 0; i < model.JointCount(); ++i) ReadJoint(*model.JointByIndex(i), X_WM, scope);
    for (std::uint64_t i = 0; i < model.FrameCount(); ++i) {
      const sdf::Frame& frame = *model.FrameByIndex(i);
      AddFrame(frame, X_WM * Resolve(frame.SemanticPose(), "__model__"), scope);
    }
  }

  void ReadLink(const sdf::Link& link, const RigidTransform& X_WM, const std::string& scope,
                const Inherited& inherited) {
    Link entry{.element = Find(link.Element()), .name = scope + link.Name()};
    entry.element->Visit();
    entry.X_WL = X_WM * Resolve(link.SemanticPose(), "__model__");
    entry.X_LI = ToTransform(link.Inertial().Pose());
    entry.is_static = inherited.is_static;
    entry.model = inherited.model;
    entry.self_collides = inherited.self_collides;
    for (std::uint64_t i = 0; i < link.CollisionCount(); ++i) {
      const sdf::Collision& collision = *link.CollisionByIndex(i);
      entry.collisions.push_back({Find(collision.Element()), Resolve(collision.SemanticPose(), link.Name())});
    }
    for (std::uint64_t i = 0; i < link.VisualCount(); ++i) {
      const sdf::Visual& visual = *link.VisualByIndex(i);
      entry.visuals.push_back({Find(visual.Element()), Resolve(visual.SemanticPose(), link.Name())});
    }
    link_index_[entry.name] = static_cast<int>(file_.links.size());
    file_.links.push_back(std::move(entry));
  }

  int FindLink(const std::string& scope, const std::string& name, const xml::Element& where) const {
    if (name == "world" || name == "__root__") return kWorld;
    const auto found = link_index_.find(scope + name);
    if (found == link_index_.end()) where.Fail("there is no link \"" + name + "\"");
    return found->second;
  }

  void ReadJoint(const sdf::Joint& joint, const RigidTransform& X_WM, const std::string& scope) {
    JointEntry entry{.element = Find(joint.Element()), .name = scope + joint.Name()};
    entry.element->Visit();
    if (const std::string* type = entry.element->Peek("type")) entry.type = *type;
    std::string parent, child;
    Check(joint.ResolveParentLink(parent));
    Check(joint.ResolveChildLink(child));
    entry.parent = FindLink(scope, parent, *entry.element);
    entry.child = FindLink(scope, child, *entry.element);
    if (entry.child == kWorld) entry.element->Fail("its child is the world; exchange parent and child");
    entry.X_WJ = X_WM * Resolve(joint.SemanticPose(), "__model__");
    for (const unsigned i : {0u, 1u}) {
      const sdf::JointAxis* axis = joint.Axis(i);
      if (!axis) continue;
      ignition::math::Vector3d xyz;
      Check(axis->ResolveXyz(xyz, "__model__"));
      entry.axes.push_back({Find(axis->Element()), X_WM.R * Vector3d(xyz.X(), xyz.Y(), xyz.Z())});
      entry.axes.back().element->Visit();
    }
    file_.joints.push_back(std::move(entry));
  }

  void AddFrame(const sdf::Frame& frame, const RigidTransform& X_WF, const std::string& scope) {
    FrameEntry entry{.element = Find(frame.Element()), .name = scope + frame.Name(), .X_WF = X_WF};
    entry.element->Visit();
    std::string body;
    Check(frame.ResolveAttachedToBody(body));
    // A frame of a static model stands on the model itself.
    const auto found = link_index_.find(scope + body);
    entry.link = found == link_index_.end() ? kWorld : found->second;
    file_.frames.push_back(std::move(entry));
  }

  const std::string& path_;
  const xml::Element& raw_;
  ElementMap map_;
  File file_;
  std::unordered_map<std::string, int> link_index_;
  int num_models_ = 0;
};

void Parse(const std::string& path, const xml::Element& raw, const IncludedFiles& includes, File& file) {
  try {
    file = Reader(path, raw).Read(includes);
  } catch (const LoadError&) {
    throw;
  } catch (const std::exception& error) {  // the library's own
    throw LoadError(path, raw.line(), raw.name(), error.what());
  }
}

}  // namespace
}  // namespace stiction::sdformat

extern "C" const stiction::sdformat::Module stiction_sdformat_module{STICTION_VERSION,
                                                                     stiction::sdformat::Parse};

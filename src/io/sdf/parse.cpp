// The only file that knows libsdformat: a module of its own (CMakeLists.txt beside it).
#include <dlfcn.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
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
// The file's name where the library has made it of a URDF.
constexpr const char* kConvertedUrdf = "urdf file";

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

std::string ToLower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Of numbers, words, or words that are truth values.
bool IsSameValue(const std::string& a, const std::string& b) {
  const auto read = [](const std::string& text) {
    std::vector<double> numbers;
    std::istringstream words(text == "true" ? "1" : text == "false" ? "0" : text);
    for (double x = 0.0; words >> x;) numbers.push_back(x);
    if (!words.eof()) numbers.clear();  // a word
    return numbers;
  };
  const std::vector<double> left = read(a), right = read(b);
  return a == b || (!left.empty() && left == right);
}

bool IsOfTheFormat(const sdf::Element& element) {
  const sdf::ElementPtr parent = element.GetParent();
  return !parent || parent->HasElementDescription(element.GetName());
}

// Whether it says what holds without it: where nobody reads it, nothing is lost.
bool SaysTheDefault(const sdf::Element& source, const xml::Element& element) {
  if (!IsOfTheFormat(source) || !element.attributes().empty()) return false;
  const sdf::ParamPtr value = source.GetValue();
  if (value && !IsSameValue(value->GetAsString(), value->GetDefaultAsString())) return false;
  for (const auto& child : element.children())
    if (!child->fate().status) return false;
  return true;
}

// Makes our own tree of libsdformat's.
class TreeConverter {
 public:
  TreeConverter(const xml::Element& raw, const IncludedFiles& includes, ElementMap& map, File& file)
      : raw_(raw), includes_(includes), map_(map), file_(file) {}

  // libsdformat fills in what a file leaves out; that did not come from the user, and is left out again.
  std::unique_ptr<xml::Element> Convert(const sdf::ElementPtr& source,
                                        std::shared_ptr<const std::string> file, int line) {
    const std::string path = FindFile(*source, *file);
    if (path != *file) file = std::make_shared<const std::string>(path);
    seen_.insert(path);
    line = source->FilePath() == kConvertedUrdf ? 1 : FindLine(source, *file, line, raw_);
    auto element =
        std::make_unique<xml::Element>(file, line, source->GetName(), ConvertAttributes(*source, line));
    for (const char* name : kResolvedAttributes) element->Note(name, ImportStatus::kHonoured, "");
    for (const xml::Attribute& attribute : element->attributes())
      if (attribute.name.starts_with("xmlns")) element->Note(attribute.name, ImportStatus::kHonoured, "");
    for (const char* name : kResolvedElements)
      if (element->name() == name) element->Visit();
    if (source->GetValue()) element->set_text(source->GetValue()->GetAsString());
    map_[source.get()] = element.get();
    for (sdf::ElementPtr child = source->GetFirstElement(); child; child = child->GetNextElement()) {
      if (child->GetExplicitlySetInFile()) element->Append(Convert(child, file, line));
    }
    if (SaysTheDefault(*source, *element)) element->Visit();
    return element;
  }

  // What an <include> names and the library did not take would be missing in silence.
  void CheckAllIncluded() const {
    std::set<std::filesystem::path> files;
    std::error_code error;
    for (const std::string& path : seen_) files.insert(std::filesystem::weakly_canonical(path, error));
    for (const Include& include : includes_) {
      if (!include.is_among_models || files.contains(std::filesystem::weakly_canonical(include.file, error)))
        continue;
      throw LoadError(include.including_file, include.line, "include",
                      "libsdformat leaves " + include.file.string() +
                          " out: it holds no model, or another \"" + include.uri +
                          "\" lies in the working folder or SDF_PATH");
    }
  }

 private:
  std::string FindFile(const sdf::Element& source, const std::string& above) const {
    const std::string& path = source.FilePath();
    if (path == kConvertedUrdf) {
      const sdf::ElementPtr include = source.GetIncludeElement();
      if (!include || !include->HasElement("uri")) return above;
      const std::string uri = include->GetElement("uri")->Get<std::string>();
      for (const Include& known : includes_)
        if (known.uri == uri) return known.file.string();
    }
    return path.empty() || path == sdf::kSdfStringSource ? above : path;
  }

  std::vector<xml::Attribute> ConvertAttributes(const sdf::Element& source, int line) {
    std::vector<xml::Attribute> attributes;
    const bool is_known = IsOfTheFormat(source);
    if (is_known) file_.known_attributes.emplace(source.GetName(), "");
    for (std::size_t i = 0; i < source.GetAttributeCount(); ++i) {
      const sdf::ParamPtr attribute = source.GetAttribute(i);
      if (is_known) file_.known_attributes.emplace(source.GetName(), attribute->GetKey());
      if (attribute->GetSet())
        attributes.push_back({attribute->GetKey(), attribute->GetAsString(), line, {}});
    }
    return attributes;
  }

  const xml::Element& raw_;
  const IncludedFiles& includes_;
  ElementMap& map_;
  File& file_;
  std::set<std::string> seen_;  // files
};

// A world with masses and inertias that no body has the library does not load. They are judged by the
// engine's own reader, which can repair them: here any will do.
void ForgetInertias(const sdf::ElementPtr& element) {
  for (sdf::ElementPtr child = element->GetFirstElement(); child; child = child->GetNextElement()) {
    if (!IsOfTheFormat(*child)) continue;
    const bool is_inertial = element->GetName() == "inertial";
    if (is_inertial && child->GetName() == "mass") child->Set(1.0);
    if (!is_inertial || child->GetName() != "inertia") {
      ForgetInertias(child);
      continue;
    }
    for (const char* moment : {"ixx", "iyy", "izz"}) child->GetElement(moment)->Set(1.0);
    for (const char* product : {"ixy", "ixz", "iyz"}) child->GetElement(product)->Set(0.0);
  }
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
    return element.line() == line && !element.text().empty() &&
           message.find("reading element <" + element.name() + ">") != message.npos;
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

// The library says no more than that it cannot read the text.
std::string DescribeUnreadable(const xml::Element& element) {
  const std::string quoted = "\"" + element.text().substr(0, 40) + "\"";
  int num_words = 0, num_numbers = 0;
  std::istringstream words(element.text());
  for (std::string word; words >> word; ++num_words) {
    char* end = nullptr;
    std::strtod(word.c_str(), &end);
    if (*end == '\0') ++num_numbers;
  }
  if (element.name() == "pose")
    return quoted + " is no pose: 6 numbers with blanks between them, 7 by rotation_format=\"quat_xyzw\"";
  if (num_words == 1 && num_numbers == 1) return quoted + " is not among the values that the format allows";
  if (num_words > 1 && num_numbers == num_words)
    return quoted + ": " + std::to_string(num_words) + " numbers are not as many as it holds";
  return quoted + " is not what it holds";
}

[[noreturn]] void Refuse(const sdf::Error& error, const std::string& path, const xml::Element& raw) {
  const std::string& message = error.Message();
  const int line = error.LineNumber().value_or(0);
  const std::string file = error.FilePath().value_or(path);
  const bool is_own = file == path || file == sdf::kSdfStringSource;
  if (is_own) {
    const xml::Element* element = line > 0 ? FindUnreadable(raw, message, line) : nullptr;
    if (element) element->Fail(DescribeUnreadable(*element));
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

// libsdformat 12 reads what included files include by its global configuration, of which there is one for all
// threads: one reads at a time.
class GlobalConfigScope {
 public:
  explicit GlobalConfigScope(const sdf::ParserConfig& config)
      : lock_(Mutex()), before_(sdf::ParserConfig::GlobalConfig()) {
    sdf::ParserConfig::GlobalConfig() = config;
  }
  ~GlobalConfigScope() { sdf::ParserConfig::GlobalConfig() = before_; }
  GlobalConfigScope(const GlobalConfigScope&) = delete;
  GlobalConfigScope& operator=(const GlobalConfigScope&) = delete;

 private:
  static std::mutex& Mutex() {
    static std::mutex mutex;
    return mutex;
  }
  std::lock_guard<std::mutex> lock_;
  sdf::ParserConfig before_;
};

// Which file an <include> means. A relative URI may mean another one in each folder: asked for it once more,
// this takes the next.
class IncludeFinder {
 public:
  explicit IncludeFinder(const IncludedFiles& includes) {
    for (const Include& include : includes) by_uri_[include.uri].files.push_back(include.file.string());
  }
  std::string Find(const std::string& uri) {
    const auto found = by_uri_.find(uri);
    if (found == by_uri_.end()) return "";
    Places& places = found->second;
    return places.files[places.num_asked++ % places.files.size()];
  }

 private:
  struct Places {
    std::vector<std::string> files = {};
    std::size_t num_asked = 0;
  };
  std::map<std::string, Places> by_uri_;
};

std::string ReadBytesOf(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
}

class Reader {
 public:
  Reader(const std::string& path, const xml::Element& raw) : path_(path), raw_(raw) {}

  File Read(const IncludedFiles& includes) {
    sdf::ParserConfig config;
    config.SetWarningsPolicy(sdf::EnforcementPolicy::LOG);
    config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::LOG);
    config.SetDeprecatedElementsPolicy(sdf::EnforcementPolicy::LOG);
    IncludeFinder finder(includes);
    config.SetFindCallback([&](const std::string& uri) { return finder.Find(uri); });
    const GlobalConfigScope scope(config);
    sdf::Console::Instance()->SetQuiet(true);
    const sdf::SDFPtr document = Parse(ReadBytesOf(path_), path_, raw_, config);
    TreeConverter converter(raw_, includes, map_, file_);
    file_.root = converter.Convert(document->Root(), std::make_shared<const std::string>(path_), raw_.line());
    file_.root->Visit();
    converter.CheckAllIncluded();
    ForgetInertias(document->Root());
    sdf::Root root;
    Check(root.Load(document, config));
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

  // As a text: of a file that it cannot read the library asks itself, aloud, whether it is a URDF.
  static sdf::SDFPtr Parse(const std::string& text, const std::string& path, const xml::Element& raw,
                           const sdf::ParserConfig& config) {
    const sdf::SDFPtr document(new sdf::SDF);
    sdf::init(document);
    sdf::Errors errors;
    bool is_read = false;
    {
      const QuietUrdfReader quiet;
      is_read = sdf::readString(text, config, document, errors);
    }
    for (const sdf::Error& error : errors) {
      ParseUnreadable(error, path, config);
      Refuse(error, path, raw);
    }
    if (!is_read) raw.Fail("libsdformat cannot read it");
    return document;
  }

  // Of an included file the library says no more than that it cannot be read: read alone it says why.
  static void ParseUnreadable(const sdf::Error& error, const std::string& includer,
                              const sdf::ParserConfig& config) {
    const std::string& message = error.Message();
    const std::string start = "Unable to read file[";
    const std::size_t end = message.rfind(']');
    if (error.Code() != sdf::ErrorCode::FILE_READ || !message.starts_with(start) || end == message.npos)
      return;
    const std::string path = message.substr(start.size(), end - start.size());
    if (path == includer) return;
    Parse(ReadBytesOf(path), path, xml::Element(std::make_shared<const std::string>(path), 1, "sdf", {}),
          config);
  }

  void Check(const sdf::Errors& errors) const {
    for (const sdf::Error& error : errors) Refuse(error, path_, raw_);
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
    const xml::Element* self_collide = entry.element->FindChild("self_collide");
    entry.self_collides = inherited.self_collides || (self_collide && IsSameValue(self_collide->text(), "1"));
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
    if (const std::string* type = entry.element->Peek("type")) entry.type = ToLower(*type);
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

#include "io/sdf/assembly.h"

#include <charconv>
#include <iterator>
#include <numbers>
#include <set>
#include <sstream>

#include "io/sdf/values.h"
#include "io/xml/color_attribute.h"

namespace stiction::sdformat {
namespace {

constexpr const char* kSimulator = "what a simulator's own contact model takes; contacts are exact here";

bool HasMask(const xml::Element& element) {
  if (element.name() == "collide_bitmask") return true;
  for (const auto& child : element.children()) {
    if (HasMask(*child)) return true;
  }
  return false;
}

// μ of one of the engines that the format has words for.
void ReadFriction(const xml::Element& friction, Geom& geom) {
  for (const char* engine : {"ode", "bullet"}) {
    const xml::Element* words = friction.FindChild(engine);
    if (!words) continue;
    const bool is_bullet = std::string_view(engine) == "bullet";
    const char *along = is_bullet ? "friction" : "mu", *across = is_bullet ? "friction2" : "mu2";
    double first = 1.0, second = 1.0;
    const bool has_first = ReadChild(*words, along, first);
    const bool has_second = ReadChild(*words, across, second);
    if (!has_first && !has_second) continue;
    if (!has_first) first = second;
    if (!has_second) second = first;
    geom.friction = std::min(first, second);
    if (first != second)
      NoteChild(*words, across, ImportStatus::kApproximated,
                "friction is alike in all directions: the smaller of the two");
    if (geom.friction != 1.0)
      NoteChild(*words, has_first ? along : across, ImportStatus::kApproximated, kLargerFrictionCounts);
    break;
  }
  const xml::Element* torsional = friction.FindChild("torsional");
  double coefficient = 1.0, radius = 0.0;
  if (!torsional || !ReadChild(*torsional, "coefficient", coefficient)) return;
  NoteChild(*torsional, "use_patch_radius", ImportStatus::kHonoured, "");
  if (!ReadChild(*torsional, "patch_radius", radius) || radius == 0.0)
    return NoteChild(friction, "torsional", ImportStatus::kIgnored,
                     "it needs a <patch_radius> here: the area of a contact is not known");
  // Of an area that presses as a ball does: 3π/16 μ a.
  geom.torsional_friction = 3.0 * std::numbers::pi / 16.0 * coefficient * radius;
  geom.condim = 4;
}

// Decimal, or hexadecimal as "0xff".
std::uint32_t ReadBitmask(const xml::Element& mask) {
  std::string_view digits = mask.text();
  const bool is_hex = digits.starts_with("0x") || digits.starts_with("0X");
  if (is_hex) digits.remove_prefix(2);
  std::uint32_t bits = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, bits, is_hex ? 16 : 10);
  if (error != std::errc() || stop != end)
    mask.Fail("\"" + mask.text().substr(0, 40) + "\" is no whole number from 0 to 4294967295 (0xffffffff)");
  return bits;
}

void ReadBounce(const xml::Element& bounce, Geom& geom) {
  ReadChild(bounce, "restitution_coefficient", geom.restitution);
  // A speed from which on things bounce; where nothing does, none is needed.
  if (geom.restitution == 0.0) NoteChild(bounce, "threshold", ImportStatus::kHonoured, "");
}

void ReadSurface(const xml::Element& collision, Geom& geom) {
  const xml::Element* surface = collision.FindChild("surface");
  if (!surface) return;
  if (const xml::Element* friction = surface->FindChild("friction")) ReadFriction(*friction, geom);
  if (const xml::Element* bounce = surface->FindChild("bounce")) ReadBounce(*bounce, geom);
  const xml::Element* contact = surface->FindChild("contact");
  if (!contact) return;
  for (const char* engine : {"ode", "bullet"})
    NoteChild(*contact, engine, ImportStatus::kIgnored, kSimulator, ImportLoss::kHarmless);
  if (const xml::Element* mask = contact->FindChild("collide_bitmask"))
    geom.contype = geom.conaffinity = ReadBitmask(*mask);
}

std::ptrdiff_t CountWords(const std::string& text) {
  std::istringstream words(text);
  return std::distance(std::istream_iterator<std::string>(words), {});
}

std::optional<Color> ReadDiffuse(const xml::Element& visual) {
  const xml::Element* material = visual.FindChild("material");
  xml::Element* diffuse = material ? material->FindChild("diffuse") : nullptr;
  if (!diffuse) return std::nullopt;
  std::vector<double> rgba = diffuse->ReadText(CountWords(diffuse->text()) == 3 ? 3 : 4);
  rgba.resize(4, 1.0);
  double transparency = 0.0;
  ReadChild(visual, "transparency", transparency);
  const auto part = [&](double x) {
    if (x < 0.0 || x > 1.0)
      diffuse->Note(ImportStatus::kApproximated, "clamped to numbers from 0 to 1", ImportLoss::kHarmless);
    return static_cast<float>(std::clamp(x, 0.0, 1.0));
  };
  return Color{part(rgba[0]), part(rgba[1]), part(rgba[2]), part(rgba[3] * (1.0 - transparency))};
}

}  // namespace

Assembly::Assembly(File& file, Paths& paths, const LoadOptions& options)
    : file_(file), options_(options), geometry_(paths, options.repairs) {}

Model Assembly::Build() {
  builder_.set_name(file_.name);
  try {
    tree_ = MakeTree(file_);
    has_masks_ = HasMask(*file_.root);
    body_of_link_.assign(file_.links.size(), 0);
    stands_.assign(file_.links.size(), false);
    ReadWorld();
    for (const int link : tree_.order) AddLink(link);
    for (const int joint : tree_.closures) AddClosure(file_.joints[joint]);
    AddMimics();
    AddFrames();
    ExcludeContacts();
    if (options_.ground) AddGround();
    if (const std::optional<ImportItem> note = friction_note_.Make()) notes_.push_back(*note);
    table_.current = nullptr;
    return builder_.Build();
  } catch (const ModelError& error) {
    ThrowLoadError(error, table_, *file_.root);
  }
}

void Assembly::NotePart(const xml::Element& element, ImportStatus status, const std::string& why) {
  notes_.push_back({element.file(), element.line(), element.name(), status, why});
}

void Assembly::AddLink(int index) {
  const Link& link = file_.links[index];
  const int carrier = tree_.carrier[index];
  const JointEntry* joint = carrier >= 0 ? &file_.joints[carrier] : nullptr;
  const int parent = joint ? joint->parent : kWorld;
  const bool is_fixed = carrier == kFixed || (joint && joint->type == "fixed");
  stands_[index] = is_fixed && (parent == kWorld || stands_[parent]);

  table_.current = link.element;
  Body body{.name = link.name, .parent = BodyOf(parent), .X_PB = PoseOf(parent).Inverse() * link.X_WL};
  double gravity = 1.0;
  if (const xml::Element* word = link.element->FindChild("gravity"))
    gravity = word->text() == "false" || word->text() == "0" ? 0.0 : 1.0;
  body.gravity_compensation = 1.0 - gravity;
  const int added = builder_.AddBody(body);
  table_.bodies.push_back(link.element);
  body_of_link_[index] = added;
  builder_.SetInertia(added, ReadInertial(link));
  if (joint) AddJoints(*joint, added, link.X_WL);
  if (carrier == kLoose) {
    builder_.AddJoint(added, {.name = link.name, .kind = FreeJoint{}});
    table_.joints.push_back(link.element);
  }
  AddCollisions(link, added);
  AddVisuals(link, added);
}

void Assembly::AddCollisions(const Link& link, int body) {
  const bool stands = stands_[&link - file_.links.data()];
  for (const Part& part : link.collisions) {
    RigidTransform X_LG = part.X_LP;
    std::optional<Shape> shape = geometry_.ReadCollision(*part.element, X_LG);
    if (shape && std::holds_alternative<Plane>(*shape) && !stands) {
      part.element->Note(ImportStatus::kIgnored, "a plane on a link that moves: planes stand still");
      shape.reset();
    }
    if (!shape) continue;
    Geom geom{.body = body, .shape = *shape, .X_BG = X_LG};
    if (has_masks_) geom.contype = geom.conaffinity = 0xFFFF;  // the format's default
    ReadSurface(*part.element, geom);
    geom.is_seen = !options_.visuals || link.visuals.empty();
    table_.current = part.element;
    builder_.AddGeom(geom);
    table_.geoms.push_back(part.element);
    friction_note_.Look(*part.element, geom.friction);
  }
}

// How a link looks is no reason not to load it.
void Assembly::AddVisuals(const Link& link, int body) {
  if (!options_.visuals) return;
  for (const Part& part : link.visuals) {
    try {
      Visual visual{.body = body, .X_BV = part.X_LP};
      if (const std::string* name = part.element->Peek("name")) visual.name = *name;
      auto shape = geometry_.ReadVisual(*part.element, visual.X_BV);
      if (!shape) continue;
      visual.shape = std::move(*shape);
      visual.color = ReadDiffuse(*part.element);
      part.element->Visit();
      table_.current = part.element;
      builder_.AddVisual(visual);
    } catch (const LoadError& error) {
      part.element->Note(ImportStatus::kIgnored,
                         "appearance only, and it cannot be shown: " + error.message(),
                         ImportLoss::kHarmless);
    }
  }
}

void Assembly::AddFrames() {
  for (const FrameEntry& frame : file_.frames) {
    table_.current = frame.element;
    builder_.AddFrame(
        {.name = frame.name, .body = BodyOf(frame.link), .X_BF = PoseOf(frame.link).Inverse() * frame.X_WF});
  }
}

void Assembly::ExcludeContacts() {
  std::set<std::pair<int, int>> excluded;
  const auto exclude = [&](int a, int b) {
    const std::pair<int, int> pair = std::minmax({BodyOf(a), BodyOf(b)});
    if (pair.first != pair.second && pair.first != 0 && excluded.insert({pair.first, pair.second}).second)
      builder_.ExcludeBodies(pair.first, pair.second);
  };
  for (const JointEntry& joint : file_.joints) exclude(joint.parent, joint.child);
  const int count = static_cast<int>(file_.links.size());
  for (int a = 0; a < count; ++a) {
    const Link& link = file_.links[a];
    if (link.self_collides || link.collisions.empty()) continue;
    // Links of one model stand together.
    for (int b = a + 1; b < count && file_.links[b].model == link.model; ++b) {
      if (!file_.links[b].self_collides && !file_.links[b].collisions.empty()) exclude(a, b);
    }
  }
}

void Assembly::AddGround() {
  Geom ground{.name = "ground", .body = 0, .shape = Plane{}};
  ground.X_BG.p.z() = *options_.ground;
  if (has_masks_) ground.contype = ground.conaffinity = 0xFFFFFFFF;  // holds all
  builder_.AddGeom(ground);
}

}  // namespace stiction::sdformat

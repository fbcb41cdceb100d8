#include "io/mjcf/body.h"

#include "io/mjcf/orientation.h"
#include "io/mjcf/sections.h"
#include "io/xml/reader.h"

namespace stiction::mjcf {
namespace {

void ReadChildren(Context& context, xml::Element& parent, const Scope& scope);

void ReadFrame(Context& context, xml::Element& element, const Scope& scope) {
  element.Visit();
  std::string unused;
  element.Read("name", unused);
  Scope inner = scope;
  RigidTransform X_FG;
  ReadPose(element, context.compiler, X_FG);
  inner.X_BF = scope.X_BF * X_FG;
  inner.default_class = context.defaults.FindClass(element, "childclass", scope.default_class);
  ReadChildren(context, element, inner);
}

// Copy i is turned by i times the three angles, and moved from copy i - 1 as seen from that one. Of angles
// about more than one axis this is no power of one displacement.
void ReadReplicate(Context& context, xml::Element& element, const Scope& scope) {
  constexpr int kMaxCopies = 100'000;
  element.Visit();
  int count = 0;
  if (!element.Read("count", count) || count < 1 || count > kMaxCopies) {
    element.Fail("count must be a whole number from 1 to " + std::to_string(kMaxCopies));
  }
  Vector3d offset = Vector3d::Zero(), euler = Vector3d::Zero();
  element.Read("offset", offset);
  if (element.Read("euler", euler)) {
    for (double& angle : euler) angle = context.compiler.ToRadians(angle);
  }
  std::string separator;
  element.Read("sep", separator);

  Scope inner = scope;
  RigidTransform place;
  const size_t digits = std::to_string(count).size();
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    ++context.num_elements_read;  // also a copy of nothing takes time
    inner.suffix = separator + std::string(digits - number.size(), '0') + number + scope.suffix;
    RecordReplica(element, inner.suffix, context.replicas);
    inner.X_BF = scope.X_BF * place;
    ReadChildren(context, element, inner);
    place.p = place * offset;
    place.R = EulerRotation(context.compiler.euler_sequence, (i + 1) * euler);
  }
}

void ReadChildren(Context& context, xml::Element& parent, const Scope& scope) {
  // A file of the size that is accepted stays below this, unless nested <replicate> elements multiply what it
  // holds.
  constexpr int kMaxElements = 2 * xml::kMaxElements;
  for (const auto& child : parent.children()) {
    if (++context.num_elements_read > kMaxElements)
      parent.Fail("makes too many copies; lower the count of <replicate>");
    const std::string& name = child->name();
    if (name == "body") ReadBody(context, *child, scope);
    if (name == "geom") ReadGeom(context, *child, scope);
    if (name == "joint") ReadJoint(context, *child, scope);
    if (name == "freejoint") ReadFreeJoint(context, *child, scope);
    if (name == "attach") ReadAttach(context, *child, scope);
    if (name == "site") ReadSite(context, *child, scope);
    if (name == "camera") ReadCamera(context, *child, scope);
    if (name == "light") ReadLight(context, *child, scope);
    if (name == "inertial") ReadInertial(context, *child, scope);
    if (name == "frame") ReadFrame(context, *child, scope);
    if (name == "composite") ReadComposite(context, *child, scope);
    if (name == "replicate") ReadReplicate(context, *child, scope);
  }
}

}  // namespace

std::string ReadName(xml::Element& element, const Scope& scope) {
  std::string name;
  element.Read("name", name);
  return name.empty() ? name : name + scope.suffix;
}

int AddBody(Context& context, xml::Element& element, const Body& body) {
  context.table.current = &element;
  const int index = context.builder.AddBody(body);
  context.table.bodies.push_back(&element);
  context.masses.emplace_back();
  if (!body.name.empty()) context.names.bodies.Add(element, body.name, index);
  return index;
}

void ReadBody(Context& context, xml::Element& element, const Scope& scope) {
  element.Visit();
  Body body{.name = ReadName(element, scope), .parent = scope.body};
  RigidTransform X_FB;
  ReadPose(element, context.compiler, X_FB);
  body.X_PB = scope.X_BF * X_FB;
  element.Read("mocap", body.is_mocap);
  context.num_mocap += body.is_mocap ? 1 : 0;
  element.Read("gravcomp", body.gravity_compensation);
  if (!context.flags.passive()) body.gravity_compensation = 0.0;
  std::string sleep = "auto";
  element.ReadWord("sleep", {"auto", "never", "allowed", "init"}, sleep);
  body.may_sleep = sleep != "never";
  if (sleep == "init")
    element.Note("sleep", ImportStatus::kApproximated, "falls asleep by itself once it has been at rest");
  Scope inner{.default_class = context.defaults.FindClass(element, "childclass", scope.default_class),
              .suffix = scope.suffix};
  inner.body = AddBody(context, element, body);
  ReadChildren(context, element, inner);
}

void ReadWorldBody(Context& context, xml::Element& element) {
  ReadChildren(context, element, Scope{});
}

}  // namespace stiction::mjcf

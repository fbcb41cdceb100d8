#include "io/mjcf/orientation.h"
#include "io/mjcf/reader.h"
#include "io/xml/reader.h"

namespace stiction::mjcf {

std::string Reader::ReadName(xml::Element& element, const Scope& scope) const {
  std::string name;
  element.Read("name", name);
  return name.empty() ? name : name + scope.suffix;
}

void Reader::ReadChildren(xml::Element& parent, const Scope& scope) {
  // A file of the size that is accepted stays below this, unless nested <replicate> elements multiply what it
  // holds.
  constexpr int kMaxElements = 2 * xml::kMaxElements;
  for (const auto& child : parent.children()) {
    if (++num_elements_read_ > kMaxElements)
      parent.Fail("makes too many copies; lower the count of <replicate>");
    const std::string& name = child->name();
    if (name == "body") ReadBody(*child, scope);
    if (name == "geom") ReadGeomElement(*child, scope);
    if (name == "joint") ReadJointElement(*child, scope);
    if (name == "freejoint") ReadFreeJoint(*child, scope);
    if (name == "attach") ReadAttach(*child, scope);
    if (name == "site") ReadSite(*child, scope);
    if (name == "camera") ReadCameraElement(*child, scope);
    if (name == "inertial") ReadInertial(*child, scope);
    if (name == "frame") ReadFrame(*child, scope);
    if (name == "replicate") ReadReplicate(*child, scope);
  }
}

void Reader::ReadBody(xml::Element& element, const Scope& scope) {
  element.Visit();
  Body body{.name = ReadName(element, scope), .parent = scope.body};
  RigidTransform X_FB;
  ReadPose(element, compiler_, X_FB);
  body.X_PB = scope.X_BF * X_FB;
  element.Read("mocap", body.is_mocap);
  num_mocap_ += body.is_mocap ? 1 : 0;
  element.Read("gravcomp", body.gravity_compensation);
  std::string child_class;
  Scope inner{.body = 0, .X_BF = {}, .default_class = scope.default_class, .suffix = scope.suffix};
  if (element.Read("childclass", child_class)) {
    inner.default_class = FindClass(element, "childclass", child_class);
  }
  table_.current = &element;
  inner.body = builder_.AddBody(body);
  table_.bodies.push_back(&element);
  body_mass_.emplace_back();
  if (!body.name.empty() && !body_index_.emplace(body.name, inner.body).second) {
    element.Fail("the name \"" + body.name + "\" is taken by another body; rename one");
  }
  ReadChildren(element, inner);
}

// A frame on the body, to which equalities, tendons and sensors refer.
void Reader::ReadSite(xml::Element& element, const Scope& scope) {
  SiteSpec spec = classes_[ClassOf(element, scope.default_class)].site;
  stiction::mjcf::ReadSite(element, compiler_, spec);
  const std::string name = ReadName(element, scope);
  if (name.empty()) return;
  const Frame site{.name = name, .body = scope.body, .X_BF = scope.X_BF * spec.X_BS};
  if (!sites_.emplace(name, site).second) {
    element.Fail("the name \"" + name + "\" is taken by another site; rename one");
  }
  site_specs_.emplace(name, spec);
  builder_.AddFrame(site);
}

void Reader::ReadFrame(xml::Element& element, const Scope& scope) {
  element.Visit();
  std::string unused;
  element.Read("name", unused);
  Scope inner = scope;
  RigidTransform X_FG;
  ReadPose(element, compiler_, X_FG);
  inner.X_BF = scope.X_BF * X_FG;
  std::string child_class;
  if (element.Read("childclass", child_class)) {
    inner.default_class = FindClass(element, "childclass", child_class);
  }
  ReadChildren(element, inner);
}

// Copy i stands at the i-th power of one displacement: each replica is turned and moved as seen from the one
// before.
void Reader::ReadReplicate(xml::Element& element, const Scope& scope) {
  constexpr int kMaxCopies = 100'000;
  element.Visit();
  int count = 0;
  if (!element.Read("count", count) || count < 1 || count > kMaxCopies) {
    element.Fail("count must be a whole number from 1 to " + std::to_string(kMaxCopies));
  }
  RigidTransform step;
  element.Read("offset", step.p);
  Vector3d euler;
  if (element.Read("euler", euler)) {
    for (double& angle : euler) angle = compiler_.ToRadians(angle);
    step.R = EulerRotation(compiler_.euler_sequence, euler);
  }
  std::string separator;
  element.Read("sep", separator);

  Scope inner = scope;
  const size_t digits = std::to_string(count).size();
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    ++num_elements_read_;  // also a copy of nothing takes time
    inner.suffix = separator + std::string(digits - number.size(), '0') + number + scope.suffix;
    ReadChildren(element, inner);
    inner.X_BF = inner.X_BF * step;
  }
}

}  // namespace stiction::mjcf

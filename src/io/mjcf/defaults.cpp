#include "io/mjcf/defaults.h"

namespace stiction::mjcf {

void Defaults::Read(xml::Element& element, const Compiler& compiler) {
  std::string name;
  if (element.Read("class", name) && !name.empty() && name != "main") {
    if (!index_.emplace(name, kMain).second)
      element.Fail("the default class \"" + name + "\" exists already");
  }
  ReadClass(element, compiler, kMain);
}

void Defaults::ReadClass(xml::Element& element, const Compiler& compiler, int index) {
  element.Visit();
  for (const auto& child : element.children()) {
    // Classes move when nested ones are added, so that they are looked up again for each element.
    DefaultClass& target = classes_[index];
    if (child->name() == "material") ReadMaterialSpec(*child, target.material);
    if (child->name() == "mesh") ReadMeshSpec(*child, target.mesh);
    if (child->name() == "geom") ReadGeomSpec(*child, compiler, target.geom);
    if (child->name() == "pair") ReadPairSpec(*child, compiler, target.pair);
    if (child->name() == "site") ReadSiteSpec(*child, compiler, target.site);
    if (child->name() == "camera") ReadCameraSpec(*child, compiler, target.camera);
    if (child->name() == "light") ReadLightSpec(*child, target.light);
    if (child->name() == "joint") ReadJointSpec(*child, compiler, target.joint);
    if (child->name() == "equality") ReadEqualitySpec(*child, compiler, target.equality);
    if (IsActuator(*child)) ReadActuatorSpec(*child, target.actuator);
    if (child->name() == "tendon") ReadTendonSpec(*child, compiler, target.tendon);
  }
  // Only now, as nested classes start from all that this one says.
  for (const auto& child : element.children()) {
    if (child->name() != "default") continue;
    const std::string name = child->RequireString("class");
    const int nested = static_cast<int>(classes_.size());
    if (!index_.emplace(name, nested).second) {
      child->Fail("the default class \"" + name + "\" exists already; every class needs a name of its own");
    }
    classes_.push_back(DefaultClass(classes_[index]));
    ReadClass(*child, compiler, nested);
  }
}

int Defaults::FindClass(xml::Element& element, std::string_view attribute, int inherited) const {
  std::string name;
  if (!element.Read(attribute, name)) return inherited;
  const auto found = index_.find(name);
  if (found == index_.end()) {
    element.Fail(attribute, "unknown default class \"" + name + "\"; define it in a <default> section");
  }
  return found->second;
}

}  // namespace stiction::mjcf

#include "io/mjcf/reader.h"

namespace stiction::mjcf {

// A top-level <default> adds to the class "main"; several of them merge.
void Reader::ReadMainDefault(xml::Element& element) {
  std::string name;
  if (element.Read("class", name) && !name.empty() && name != "main") {
    if (!class_index_.emplace(name, 0).second)
      element.Fail("the default class \"" + name + "\" exists already");
  }
  ReadDefault(element, 0);
}

void Reader::ReadDefault(xml::Element& element, int index) {
  element.Visit();
  for (const auto& child : element.children()) {
    // Classes move when nested ones are added, so that they are looked up again for each element.
    DefaultClass& target = classes_[index];
    if (child->name() == "material") ReadMaterial(*child, target.material);
    if (child->name() == "mesh") ReadMesh(*child, target.mesh);
    if (child->name() == "geom") ReadGeom(*child, compiler_, target.geom);
    if (child->name() == "pair") ReadPairAttributes(*child, compiler_, target.pair);
    if (child->name() == "site") stiction::mjcf::ReadSite(*child, compiler_, target.site);
    if (child->name() == "camera") ReadCamera(*child, compiler_, target.camera);
    if (child->name() == "joint") ReadJoint(*child, compiler_, target.joint);
    if (child->name() == "equality") stiction::mjcf::ReadEquality(*child, compiler_, target.equality);
    if (IsActuator(*child)) ReadActuator(*child, target.actuator);
    if (child->name() == "tendon") ReadTendonAttributes(*child, compiler_, target.tendon);
  }
  // Nested classes start from all that their parent says, also from what follows them in the file.
  for (const auto& child : element.children()) {
    if (child->name() != "default") continue;
    const std::string name = child->RequireString("class");
    const int nested = static_cast<int>(classes_.size());
    if (!class_index_.emplace(name, nested).second) {
      child->Fail("the default class \"" + name + "\" exists already; every class needs a name of its own");
    }
    DefaultClass copy = classes_[index];
    copy.name = name;
    classes_.push_back(std::move(copy));
    ReadDefault(*child, nested);
  }
}

int Reader::FindClass(const xml::Element& element, std::string_view attribute,
                      const std::string& name) const {
  const auto found = class_index_.find(name);
  if (found == class_index_.end()) {
    element.Fail(attribute, "unknown default class \"" + name + "\"; define it in a <default> section");
  }
  return found->second;
}

int Reader::ClassOf(xml::Element& element, int inherited) const {
  std::string name;
  return element.Read("class", name) ? FindClass(element, "class", name) : inherited;
}

}  // namespace stiction::mjcf

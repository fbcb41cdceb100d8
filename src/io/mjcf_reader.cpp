#include "mjcf_reader.h"

namespace stiction::mjcf {

template <typename Function>
void Reader::ForEachSection(const char* name, Function&& function) {
  for (const auto& section : root_.children()) {
    if (section->name() != name) continue;
    section->Visit();
    function(*section);
  }
}

Model Reader::Read() {
  root_.Visit();
  std::string name;
  if (root_.Read("model", name)) builder_.set_name(name);
  try {
    ForEachSection("compiler", [&](xml::Element& e) { ReadCompiler(e, compiler_); });
    ForEachSection("option", [&](xml::Element& e) { ReadOption(e); });
    ForEachSection("default", [&](xml::Element& e) { ReadMainDefault(e); });
    ForEachSection("asset", [&](xml::Element& e) { ReadAssets(e); });
    ForEachSection("worldbody", [&](xml::Element& e) { ReadChildren(e, Scope{}); });
    if (load_options_.ground) AddGround();
    FinishInertias();
    ForEachSection("contact", [&](xml::Element& e) { ReadContact(e); });
    ForEachSection("equality", [&](xml::Element& e) { ReadEquality(e); });
    ForEachSection("tendon", [&](xml::Element& e) { ReadTendon(e); });
    ForEachSection("actuator", [&](xml::Element& e) { ReadActuators(e); });
    ForEachSection("keyframe", [&](xml::Element& e) { ReadKeyframe(e); });
    // Containers of things that are not simulated: their children are reported one by one.
    for (const char* section : {"sensor", "custom", "visual", "deformable", "extension"}) {
      ForEachSection(section, [](xml::Element&) {});
    }
    table_.current = nullptr;
    Model model = builder_.Build();
    CheckPlanes(model);
    return model;
  } catch (const ModelError& error) {
    ThrowLoadError(error, table_, root_);
  }
}

}  // namespace stiction::mjcf

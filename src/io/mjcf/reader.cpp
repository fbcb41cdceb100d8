#include "io/mjcf/reader.h"

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
  compiler_.contacts_are_soft = load_options_.contact_model == ContactModel::kSoft;
  std::string name;
  if (root_.Read("model", name)) builder_.set_name(name);
  try {
    ForEachSection("compiler", [&](xml::Element& e) {
      ReadCompiler(e, compiler_);
      if (load_options_.visuals) e.Read("discardvisual", compiler_.discard_visual);
    });
    ForEachSection("option", [&](xml::Element& e) { ReadOption(e); });
    ForEachSection("default", [&](xml::Element& e) { ReadMainDefault(e); });
    ForEachSection("asset", [&](xml::Element& e) { ReadAssets(e); });
    ForEachSection("worldbody",
                   [&](xml::Element& e) { only_body_.empty() ? ReadChildren(e, Scope{}) : ReadOnlyBody(e); });
    if (!only_body_.empty() && !found_only_body_) root_.Fail("has no body \"" + only_body_ + "\" to attach");
    if (load_options_.ground) AddGround();
    FinishInertias();
    ForEachSection("contact", [&](xml::Element& e) { ReadContact(e); });
    ForEachSection("tendon", [&](xml::Element& e) { ReadTendons(e); });
    ForEachSection("equality", [&](xml::Element& e) { ReadEquality(e); });
    ForEachSection("actuator", [&](xml::Element& e) { ReadActuators(e); });
    ForEachSection("keyframe", [&](xml::Element& e) {
      depth_ == 0 ? ReadKeyframe(e)
                  : e.Note(ImportStatus::kIgnored, "keyframes of attached models are not taken over");
    });
    ForEachSection("sensor", [&](xml::Element& e) { ReadSensors(e); });
    // Containers of things that are not simulated: their children are reported one by one.
    for (const char* section : {"custom", "visual", "deformable", "extension"}) {
      ForEachSection(section, [](xml::Element&) {});
    }
    table_.current = nullptr;
    Model model = builder_.Build();
    CheckPlanes(model);
    if (load_options_.visuals) ShowBareBodies(model);
    return model;
  } catch (const ModelError& error) {
    ThrowLoadError(error, table_, root_);
  }
}

}  // namespace stiction::mjcf

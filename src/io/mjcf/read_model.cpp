#include "io/mjcf/read_model.h"

#include "io/mjcf/geom.h"
#include "io/mjcf/inertia.h"
#include "io/mjcf/sections.h"
#include "io/mjcf/spring_damper.h"

namespace stiction::mjcf {
namespace {

// Each section, in every place where it occurs.
template <typename Function>
void ForEachSection(const xml::Element& root, const char* name, Function&& function) {
  for (const auto& section : root.children()) {
    if (section->name() != name) continue;
    section->Visit();
    function(*section);
  }
}

void ReadSections(Context& context, const xml::Element& root, const char* name,
                  void (*read)(Context&, xml::Element&)) {
  ForEachSection(root, name, [&](xml::Element& section) { read(context, section); });
}

// How the numbers and words of the file are to be understood.
void ReadSettings(Context& context, const xml::Element& root) {
  context.compiler.contacts_are_soft = context.options.contact_model == ContactModel::kSoft;
  ForEachSection(root, "compiler", [&](xml::Element& section) {
    ReadCompiler(section, context.compiler);
    if (context.options.visuals) section.Read("discardvisual", context.compiler.discard_visual);
  });
  ReadSections(context, root, "option", ReadOption);
  if (!context.flags.passive()) context.builder.options().density = context.builder.options().viscosity = 0.0;
  ForEachSection(root, "keyframe", [&](xml::Element& section) {
    for (const auto& key : section.children()) {
      if (const std::string* name = key->Peek("name")) context.keyframe_names.insert(*name);
    }
  });
  ForEachSection(root, "contact", [&](xml::Element& section) {
    for (const auto& pair : section.children()) {
      if (pair->name() != "pair") continue;
      for (const char* attribute : {"geom1", "geom2"}) {
        if (const std::string* name = pair->Peek(attribute)) context.paired_geoms.insert(*name);
      }
    }
  });
  ForEachSection(root, "default",
                 [&](xml::Element& section) { context.defaults.Read(section, context.compiler); });
  ReadSections(context, root, "actuator", FindReflected);
}

void ReadBodies(Context& context, const xml::Element& root) {
  if (context.only_body.empty()) return ReadSections(context, root, "worldbody", ReadWorldBody);
  bool is_found = false;
  ForEachSection(root, "worldbody",
                 [&](xml::Element& section) { is_found = ReadOnlyBody(context, section) || is_found; });
  if (!is_found) root.Fail("has no body \"" + context.only_body + "\" to attach");
}

void ReadMechanisms(Context& context, const xml::Element& root) {
  for (const char* name : {"contact", "tendon", "equality", "actuator", "sensor"}) {
    std::vector<xml::Element*> sections;
    ForEachSection(root, name, [&](xml::Element& section) { sections.push_back(&section); });
    ExpandReferences(context, sections);
  }
  ReadSections(context, root, "contact", ReadContact);
  ReadSections(context, root, "tendon", ReadTendons);
  AddAttached(context, Mechanisms::kTendons);
  ReadSections(context, root, "equality", ReadEqualities);
  AddAttached(context, Mechanisms::kEqualities);
  ReadSections(context, root, "actuator", ReadActuators);
  AddAttached(context, Mechanisms::kActuators);
  ReadSections(context, root, "keyframe", ReadKeyframes);
  AddAttached(context, Mechanisms::kKeyframes);
  ReadSections(context, root, "sensor", ReadSensors);
  AddAttached(context, Mechanisms::kSensors);
  // Containers of things that are not simulated: their children are reported one by one.
  for (const char* section : {"custom", "deformable", "extension"})
    ForEachSection(root, section, [](xml::Element&) {});
}

// For a body with moments that none has.
std::string FindHint(const Context& context, const ModelError& error) {
  const int body = error.index();
  if (error.kind() != ModelError::Kind::kBody || body < 1 || body >= static_cast<int>(context.masses.size()))
    return "";
  bool triangle = true;
  if (context.masses[body].inertial)
    IsPositiveDefinite(context.masses[body].explicit_inertia.I_BBcm_B, &triangle);
  return triangle ? ""
                  : "; --repair-inertia (ModelRepairs::repair_inertia) takes the nearest that a body has";
}

}  // namespace

Model ReadModel(Context& context, xml::Element& root) {
  root.Visit();
  std::string name;
  if (root.Read("model", name)) context.builder.set_name(name);
  try {
    ReadSettings(context, root);
    ReadSections(context, root, "asset", ReadAssets);
    FinishMaterials(context);
    for (const char* section : {"visual", "statistic"})
      ReadSections(context, root, section, ReadSurroundings);
    ReadBodies(context, root);
    AimCameras(context);
    if (context.options.ground) AddGround(context);
    FinishInertias(context, root);
    if (context.has_heavy_world) context.fixtures = context.builder.CalcInertiaOfParts(0);
    AlignFreeBodies(context);
    ReadMechanisms(context, root);
    context.table.current = nullptr;
    Model model = context.builder.Build();
    SetSpringDampers(context, model);
    CheckPlanes(context, model);
    if (context.options.visuals) ShowBareBodies(model);
    return model;
  } catch (const ModelError& error) {
    ThrowLoadError(error, context.table, root, FindHint(context, error));
  }
}

}  // namespace stiction::mjcf

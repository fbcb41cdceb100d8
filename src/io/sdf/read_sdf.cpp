#include "io/sdf/read_sdf.h"

#include <cstdio>
#include <unordered_map>

#include "io/sdf/assembly.h"
#include "io/sdf/raw_files.h"

namespace stiction::sdformat {
#ifdef STICTION_WITH_SDFORMAT
namespace {

// What libsdformat would take for a broken URDF.
void CheckRoot(const xml::Element& raw) {
  const std::string* version = raw.Peek("version");
  if (!version) raw.Fail("needs the attribute \"version\"");
  int major = 0, minor = 0, end = 0;
  const int count = std::sscanf(version->c_str(), "%d.%d%n", &major, &minor, &end);
  if (count != 2 || version->size() != static_cast<std::size_t>(end))
    raw.Fail("version", "version is \"" + version->substr(0, 40) + "\"; write a number such as 1.9");
  constexpr int kNewest = 12;
  if (major != 1 || minor > kNewest)
    raw.Fail("version",
             "version " + *version + " is not known here; the newest is 1." + std::to_string(kNewest));
  const xml::Element* model = nullptr;
  bool has_world = false;
  for (const auto& child : raw.children()) {
    has_world |= child->name() == "world";
    if (child->name() != "model") continue;
    if (model) child->Fail("is a second model without a world; put both into a <world>, or keep one");
    model = child.get();
  }
  if (!has_world && !model) raw.Fail("has neither a <world> nor a <model>");
}

}  // namespace
#endif

Loaded Read([[maybe_unused]] const std::string& path, const xml::Element& raw,
            [[maybe_unused]] const LoadOptions& options) {
#ifdef STICTION_WITH_SDFORMAT
  if (options.floating_base)
    raw.Fail("an SDFormat file says itself which bodies float; the floating base is for URDF");
  CheckRoot(raw);
  Paths paths(path, options);
  File file = ParseFile(path, raw, paths.FindIncludes(raw));
  const RawFiles raw_files(raw, *file.root);
  raw_files.FindAutomaticInertias(file);
  Assembly assembly(file, paths, options);
  Loaded loaded;
  loaded.model = assembly.Build();
  loaded.notes = assembly.notes();
  const std::vector<ImportItem> lost = raw_files.ListLost(file);
  loaded.notes.insert(loaded.notes.end(), lost.begin(), lost.end());
  loaded.root = std::move(file.root);
  loaded.cache_hits = assembly.num_hits();
  return loaded;
#else
  raw.Fail(
      "SDFormat is read by libsdformat, which this build is without; install Debian's libsdformat-dev and "
      "build "
      "again");
#endif
}

xml::Unread ExplainUnread(const xml::Element& element, std::string_view attribute) {
  constexpr ImportLoss kHarmless = ImportLoss::kHarmless;
  static const std::unordered_map<std::string_view, xml::Unread> reasons{
      {"plugin", {"code for another simulator"}},
      {"sensor", {"sensors are not simulated"}},
      {"actor", {"actors are not simulated"}},
      {"road", {"roads are not simulated"}},
      {"wind", {"there is no wind; <option> of an MJCF file has one"}},
      {"enable_wind", {"there is no wind"}},
      {"state", {"a state that a simulator saved"}},
      {"joint", {"joints of a world are not read"}},
      {"gripper", {"friction holds what is gripped"}},
      {"battery", {"batteries are not simulated"}},
      {"fluid_added_mass", {"added mass is not simulated"}},
      {"velocity_decay", {"bodies move without drag"}},
      {"visual", {"appearance only", kHarmless}},
      {"light", {"appearance only", kHarmless}},
      {"scene", {"appearance only", kHarmless}},
      {"gui", {"settings of another program", kHarmless}},
      {"material", {"appearance only", kHarmless}},
      {"audio", {"sounds are not played", kHarmless}},
      {"audio_source", {"sounds are not played", kHarmless}},
      {"particle_emitter", {"appearance only", kHarmless}},
      {"projector", {"appearance only", kHarmless}},
      {"physics", {"settings of another simulator", kHarmless}},
      {"ode", {"settings of another simulator", kHarmless}},
      {"simbody", {"settings of another simulator", kHarmless}},
      {"bullet", {"settings of another simulator", kHarmless}},
      {"dart", {"settings of another simulator", kHarmless}},
      {"solver", {"settings of another simulator", kHarmless}},
      {"real_time_factor", {"settings of another simulator", kHarmless}},
      {"real_time_update_rate", {"settings of another simulator", kHarmless}},
      {"max_contacts", {"settings of another simulator", kHarmless}},
      {"allow_auto_disable", {"settings of another simulator", kHarmless}},
      {"must_be_base_link", {"settings of another simulator", kHarmless}},
      {"provide_feedback", {"settings of another simulator", kHarmless}},
      {"use_parent_model_frame", {"settings of another simulator", kHarmless}},
      {"implicit_spring_damper", {"settings of another simulator", kHarmless}},
      {"atmosphere", {"of no effect on what is simulated", kHarmless}},
      {"spherical_coordinates", {"of no effect on what is simulated", kHarmless}},
      {"laser_retro", {"of no effect on what is simulated", kHarmless}},
      {"cast_shadows", {"appearance only", kHarmless}},
      {"transparency", {"appearance only", kHarmless}},
      {"texture", {"appearance only", kHarmless}},
      {"blend", {"appearance only", kHarmless}},
      {"use_terrain_paging", {"appearance only", kHarmless}},
      {"meta", {"appearance only", kHarmless}}};
  if (!attribute.empty()) return {"not an attribute that this engine knows"};
  const auto found = reasons.find(element.name());
  if (found != reasons.end()) return found->second;
  if (element.parent() && (element.parent()->name() == "physics" || element.parent()->name() == "material" ||
                           element.parent()->name() == "visual"))
    return {"settings of another program", kHarmless};
  const bool has_prefix = element.name().find(':') != std::string::npos;
  return {has_prefix ? "an extension of another simulator" : "not an element that this engine knows"};
}

}  // namespace stiction::sdformat

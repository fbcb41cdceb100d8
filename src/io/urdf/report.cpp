#include <algorithm>
#include <array>
#include <unordered_map>

#include "io/urdf/robot.h"

namespace stiction::urdf {
namespace {

constexpr ImportLoss kHarmless = ImportLoss::kHarmless;
constexpr const char* kExtension = "an extension of another simulator";

bool IsAnyOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Whether another stands beside it that was read in its place: of the same name, or of any.
bool HasRival(const xml::Element& element, bool of_same_name) {
  if (!element.parent()) return false;
  const auto& siblings = element.parent()->children();
  return std::any_of(siblings.begin(), siblings.end(), [&](const auto& sibling) {
    return sibling->fate().status && (!of_same_name || sibling->name() == element.name());
  });
}

bool IsInExtension(const xml::Element& element) {
  return element.name() == "mujoco" || (element.parent() && IsInExtension(*element.parent()));
}

// Whether an extension says nothing about physics: colours, paths, and notes of other programs.
bool IsSeenOnly(const xml::Element& extension) {
  return std::all_of(extension.children().begin(), extension.children().end(), [](const auto& child) {
    return IsAnyOf(child->name(), {"material", "visual", "light", "gui", "compiler", "size"});
  });
}

bool IsInVisual(const xml::Element& element) {
  return IsAnyOf(element.name(), {"visual", "material"}) ||
         (element.parent() && IsInVisual(*element.parent()));
}

}  // namespace

xml::Unread ExplainUnread(const xml::Element& element, std::string_view attribute) {
  static const std::unordered_map<std::string_view, xml::Unread> reasons{
      {"visual", {"appearance only", kHarmless}},
      {"material", {"appearance only", kHarmless}},
      {"texture", {"appearance only", kHarmless}},
      {"gazebo", {kExtension}},
      {"mujoco", {kExtension}},
      {"safety_controller", {"belongs to the robot's own controller", kHarmless}},
      {"calibration", {"belongs to the robot's own controller", kHarmless}},
      {"verbose", {kExtension, kHarmless}},
      {"self_filter", {kExtension, kHarmless}},
      {"frame", {kExtension, kHarmless}},
      {"ros2_control", {"no actuator is made of it"}},
      {"sensor", {"sensors are not simulated"}}};
  const ImportLoss unknown = IsInVisual(element) ? kHarmless : ImportLoss::kPhysical;
  if (IsInExtension(element)) {
    const bool is_harmless = element.name() == "compiler" || IsSeenOnly(element);
    return {kExtension, is_harmless ? kHarmless : ImportLoss::kPhysical};
  }
  if (element.parent() && IsAnyOf(element.parent()->name(), {"gazebo", "contact"}) && attribute.empty()) {
    const auto found = reasons.find(element.name());
    if (found != reasons.end()) return found->second;
    return {kExtension};
  }
  if (!attribute.empty()) return {"not an attribute that this engine knows", unknown};
  const auto found = reasons.find(element.name());
  if (found != reasons.end()) {
    xml::Unread unread = found->second;
    if (IsAnyOf(element.name(), {"gazebo", "mujoco"}) && IsSeenOnly(element)) unread.loss = kHarmless;
    return unread;
  }
  if (element.parent() && element.parent()->name() == "geometry" && HasRival(element, false))
    return {"a <geometry> is one shape; write another <collision> for the next", unknown};
  if (HasRival(element, true)) return {"given twice: the first one counts", unknown};
  const bool has_prefix = element.name().find(':') != std::string::npos;
  return {has_prefix ? kExtension : "not an element that this engine knows", unknown};
}

}  // namespace stiction::urdf

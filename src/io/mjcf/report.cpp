#include "io/mjcf/report.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace stiction::mjcf {
namespace {

struct Reason {
  const char* why;
  ImportLoss loss = ImportLoss::kPhysical;
  const char* neutral = nullptr;  // of an attribute: the value that is simulated all the same
};
using Reasons = std::unordered_map<std::string_view, Reason>;

constexpr ImportLoss kHarmless = ImportLoss::kHarmless;
constexpr Reason kAppearance{"appearance only", kHarmless};
constexpr Reason kUserData{"user data has no effect", kHarmless};
constexpr Reason kDeformable{"deformable bodies are not simulated"};
constexpr Reason kPlugin{"plugins are not run"};

// By the name of the element.
const Reasons& ElementReasons() {
  static const Reasons reasons{
      {"texture", {"appearance only, which was not asked for", kHarmless}},
      {"skin", kAppearance},
      {"lengthrange", {"length ranges are those of joints and tendons, or searched for"}},
      {"flexcomp", kDeformable},
      {"flex", kDeformable},
      {"size", {"memory settings of another engine; memory is sized by the model", kHarmless}},
      {"plugin", kPlugin}};
  return reasons;
}

// By the name of the section that the element stands in.
const Reasons& SectionReasons() {
  static const Reasons reasons{{"visual", {"a setting of another viewer", kHarmless}},
                               {"sensor", {"sensors of this kind are not measured"}},
                               {"equality", {"equalities of this kind are not simulated"}},
                               {"deformable", kDeformable},
                               {"custom", kUserData},
                               {"extension", kPlugin},
                               {"actuator", {"actuators of this kind are not simulated"}}};
  return reasons;
}

const Reasons& AttributeReasons() {
  constexpr Reason kCompiler{"belongs to another engine's compiler", kHarmless};
  constexpr const char* kHistory = "values are those of the last step, without a history";
  static const Reasons reasons{
      {"rgba", kAppearance},
      {"material", kAppearance},
      {"group", kAppearance},
      {"width", kAppearance},
      {"user", kUserData},
      {"convexhull",
       {"meshes collide by their convex hulls unless the geom says concave=\"true\"", {}, "true"}},
      {"smoothnormal", kAppearance},
      {"texcoord", kAppearance},
      {"normal", kAppearance},
      {"content_type", {"the file's extension decides", kHarmless}},
      {"discardvisual", kAppearance},
      {"usethread", kCompiler},
      {"saveinertial", kCompiler},
      {"springinertial", kCompiler},
      {"actdim", {"an actuator has at most one activation", {}, "-1"}},
      {"nsample", {kHistory, {}, "0"}},
      {"interp", {kHistory}},
      {"delay", {"values are those of the last step, without a delay", {}, "0"}},
      {"interval", {"sensors are measured in every step", {}, "0"}},
      {"cranklength", {"only slider-crank actuators use it", kHarmless}}};
  return reasons;
}

const Reason* LookUp(const Reasons& reasons, std::string_view key) {
  const auto found = reasons.find(key);
  return found == reasons.end() ? nullptr : &found->second;
}

// Elements that only eyes and user programs see, whatever stands in them.
bool IsSeenOnly(const xml::Element& element) {
  constexpr std::array<std::string_view, 7> kNames{"camera", "material",  "light", "texture",
                                                   "visual", "statistic", "custom"};
  const bool is_here = std::find(kNames.begin(), kNames.end(), element.name()) != kNames.end();
  return is_here || (element.parent() && IsSeenOnly(*element.parent()));
}

xml::Unread ExplainAttribute(const xml::Element& element, std::string_view attribute) {
  const Reason* reason = LookUp(AttributeReasons(), attribute);
  const bool is_setting =
      element.name() == "statistic" || (element.parent() && element.parent()->name() == "visual");
  if (is_setting) return {"a setting of another viewer", kHarmless};
  if (!reason)
    return {"not an attribute that this engine knows",
            IsSeenOnly(element) ? kHarmless : ImportLoss::kPhysical};
  const std::string* value = element.Peek(attribute);
  const bool is_neutral = reason->neutral && value && *value == reason->neutral;
  return {reason->why, is_neutral ? kHarmless : reason->loss};
}

xml::Unread ExplainElement(const xml::Element& element) {
  // Inside sections the section decides: a <joint> of <equality> is no joint. But skins are seen wherever
  // they stand.
  const xml::Element* parent = element.parent();
  const Reason* reason = parent ? LookUp(SectionReasons(), parent->name()) : nullptr;
  if (!reason || element.name() == "skin") {
    if (const Reason* own = LookUp(ElementReasons(), element.name())) reason = own;
  }
  if (!reason) reason = LookUp(SectionReasons(), element.name());
  if (reason) return {reason->why, reason->loss};
  return {"not an element that this engine knows", IsSeenOnly(element) ? kHarmless : ImportLoss::kPhysical};
}

}  // namespace

xml::Unread ExplainUnread(const xml::Element& element, std::string_view attribute) {
  return attribute.empty() ? ExplainElement(element) : ExplainAttribute(element, attribute);
}

}  // namespace stiction::mjcf

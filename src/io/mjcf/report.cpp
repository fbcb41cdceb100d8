#include "io/mjcf/report.h"

#include <unordered_map>

namespace stiction::mjcf {
namespace {

using Reasons = std::unordered_map<std::string_view, const char*>;

constexpr const char* kAppearance = "appearance only";

// By the name of the element.
const Reasons& ElementReasons() {
  static const Reasons reasons{{"light", kAppearance},
                               {"texture", kAppearance},
                               {"layer", kAppearance},
                               {"statistic", kAppearance},
                               {"skin", kAppearance},
                               {"composite", "composite bodies are not made; write the bodies out"},
                               {"flexcomp", "deformable bodies are not simulated"},
                               {"flex", "deformable bodies are not simulated"},
                               {"size", "memory settings of another engine; memory is sized by the model"},
                               {"plugin", "plugins are not run"}};
  return reasons;
}

// By the name of the section that the element stands in.
const Reasons& SectionReasons() {
  static const Reasons reasons{{"visual", kAppearance},
                               {"asset", kAppearance},
                               {"sensor", "sensors of this kind are not measured"},
                               {"equality", "equalities of this kind are not simulated"},
                               {"deformable", "deformable bodies are not simulated"},
                               {"custom", "user data has no effect"},
                               {"extension", "plugins are not run"},
                               {"actuator", "actuators of this kind are not simulated"}};
  return reasons;
}

const Reasons& AttributeReasons() {
  constexpr const char* kAssets = "texture files are not read";
  static const Reasons reasons{
      {"rgba", kAppearance},
      {"material", kAppearance},
      {"group", kAppearance},
      {"width", kAppearance},
      {"texture", kAssets},
      {"texrepeat", kAppearance},
      {"texuniform", kAppearance},
      {"emission", kAppearance},
      {"specular", kAppearance},
      {"shininess", kAppearance},
      {"reflectance", kAppearance},
      {"metallic", kAppearance},
      {"roughness", kAppearance},
      {"user", "user data has no effect"},
      {"texturedir", kAssets},
      {"convexhull", "meshes collide by their convex hulls unless the geom says concave=\"true\""},
      {"exactmeshinertia", "write inertia=\"exact\" on the <mesh>"},
      {"fitaabb", "primitives are not fitted to meshes"},
      {"smoothnormal", kAppearance},
      {"texcoord", kAppearance},
      {"normal", kAppearance},
      {"content_type", "the file's extension decides"},
      {"discardvisual", kAppearance},
      {"usethread", "belongs to another engine's compiler"},
      {"saveinertial", "belongs to another engine's compiler"},
      {"fluidshape", "drag is that of the body's inertia box"},
      {"fluidcoef", "drag is that of the body's inertia box"},
      {"springdamper", "write stiffness and damping: they are not derived from the inertia"},
      {"springinertial", "belongs to another engine's compiler"},
      {"actuatorgravcomp", "the compensation of gravity is no actuator's force"},
      {"actdim", "an actuator has at most one activation"},
      {"actearly", "the activation at the start of a step acts"},
      {"nsample", "values are those of the last step, without a history"},
      {"interp", "values are those of the last step, without a history"},
      {"delay", "values are those of the last step, without a delay"},
      {"interval", "sensors are measured in every step"},
      {"cranklength", "only slider-crank actuators use it"}};
  return reasons;
}

}  // namespace

std::string ExplainUnread(const xml::Element& element, std::string_view attribute) {
  const auto look_up = [](const Reasons& reasons, std::string_view key) -> const char* {
    const auto found = reasons.find(key);
    return found == reasons.end() ? nullptr : found->second;
  };
  if (!attribute.empty()) {
    const char* reason = look_up(AttributeReasons(), attribute);
    return reason ? reason : "not an attribute that this engine knows";
  }
  // Inside sections the section decides: a <joint> of <equality> is no joint.
  const char* reason = element.parent() ? look_up(SectionReasons(), element.parent()->name()) : nullptr;
  const bool in_assets = element.parent() && element.parent()->name() == "asset";
  if (!reason || in_assets) {
    const char* own = look_up(ElementReasons(), element.name());
    if (own) reason = own;
  }
  if (!reason) reason = look_up(SectionReasons(), element.name());
  return reason ? reason : "not an element that this engine knows";
}

}  // namespace stiction::mjcf

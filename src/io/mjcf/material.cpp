// Colours of geoms: their own, or those of the materials that they refer to; and what materials show.
#include <algorithm>

#include "io/mjcf/geom.h"
#include "io/xml/color_attribute.h"

namespace stiction::mjcf {
namespace {

// A number that is none, or out of its range, is no reason not to load the model.
void ReadShare(xml::Element& element, const char* attribute, float most, float& value) {
  double number = value;
  try {
    if (!element.Read(attribute, number)) return;
  } catch (const LoadError& error) {
    return element.Note(attribute, ImportStatus::kIgnored, error.message(), ImportLoss::kHarmless);
  }
  value = std::clamp(static_cast<float>(number), std::min(value, 0.0f), most);
  if (static_cast<double>(value) != static_cast<double>(static_cast<float>(number)))
    element.Note(attribute, ImportStatus::kApproximated, "clamped to what it can be", ImportLoss::kHarmless);
}

// <layer role="rgb" texture="..."/>, in place of the attribute.
void ReadLayers(xml::Element& element, MaterialSpec& spec) {
  for (const auto& layer : element.children()) {
    if (layer->name() != "layer") continue;
    layer->Visit();
    std::string role, texture;
    layer->Read("role", role);
    layer->Read("texture", texture);
    if (role == "rgb" || role == "rgba") {
      spec.texture = texture;
    } else {
      layer->Note(ImportStatus::kIgnored, "only layers of the roles rgb and rgba are drawn",
                  ImportLoss::kHarmless);
    }
  }
}

}  // namespace

void ReadMaterialSpec(xml::Element& element, MaterialSpec& spec) {
  element.Visit();
  if (const std::optional<Color> rgba = ReadColor(element, "rgba")) spec.rgba = rgba;
  element.Read("texture", spec.texture);
  ReadLayers(element, spec);
  Material& look = spec.look;
  double repeat[2] = {look.repeat[0], look.repeat[1]};
  try {
    element.ReadNumbers("texrepeat", 2, 2, repeat);
    element.Read("texuniform", look.is_uniform);
  } catch (const LoadError& error) {
    element.Note(ImportStatus::kApproximated,
                 "its texture lies as it would without texrepeat and texuniform: " + error.message(),
                 ImportLoss::kHarmless);
  }
  look.repeat = {static_cast<float>(repeat[0]), static_cast<float>(repeat[1])};
  constexpr float kMostEmission = 100.0f;
  ReadShare(element, "emission", kMostEmission, look.emission);
  ReadShare(element, "specular", 1.0f, look.specular);
  ReadShare(element, "shininess", 1.0f, look.shininess);
  ReadShare(element, "reflectance", 1.0f, look.reflectance);
  ReadShare(element, "metallic", 1.0f, look.metallic);
  ReadShare(element, "roughness", 1.0f, look.roughness);
}

std::optional<Color> ColorOf(const MaterialSpec& material) {
  constexpr Color kWhite{1.0f, 1.0f, 1.0f, 1.0f};
  if (material.rgba || !material.texture.empty()) return material.rgba;
  return kWhite;
}

// MJCF's rule: a colour other than MJCF's own default goes before the material, be it a class's.
std::optional<Color> FindColor(const Context& context, xml::Element& element,
                               const std::optional<Color>& rgba, const std::string& material_name) {
  if (material_name.empty()) return rgba;
  const MaterialSpec* material = context.assets.materials.Find(material_name);
  if (!material) {
    element.Note("material", ImportStatus::kIgnored, "there is no material of this name",
                 ImportLoss::kHarmless);
    return rgba;
  }
  return rgba && *rgba != kDefaultColor ? rgba : ColorOf(*material);
}

void FinishMaterial(Context& context, const std::string& name, const MaterialSpec& spec,
                    xml::Element& element) {
  Material made = spec.look;
  made.name = name;
  if (spec.rgba) made.color = *spec.rgba;
  if (!spec.texture.empty() && context.options.visuals) {
    const SharedTexture* texture = context.assets.textures.Find(spec.texture);
    if (texture) made.texture = *texture;
    if (!texture)
      element.Note("texture", ImportStatus::kIgnored,
                   "there is no texture \"" + spec.texture + "\" that can be shown", ImportLoss::kHarmless);
  }
  context.assets.made_materials.emplace(name, std::make_shared<const Material>(std::move(made)));
}

SharedMaterial FindMaterial(const Context& context, const std::string& name) {
  const auto found = context.assets.made_materials.find(name);
  return found == context.assets.made_materials.end() ? nullptr : found->second;
}

}  // namespace stiction::mjcf

// Colours of geoms: their own, or those of the materials that they refer to.
#include "io/mjcf/geom.h"
#include "io/xml/color_attribute.h"

namespace stiction::mjcf {

void ReadMaterialSpec(xml::Element& element, MaterialSpec& spec) {
  element.Visit();
  if (const std::optional<Color> rgba = ReadColor(element, "rgba")) spec.rgba = rgba;
  // The attribute itself stays unread, and is reported as ignored.
  spec.has_texture |= element.Has("texture");
}

std::optional<Color> ColorOf(const MaterialSpec& material) {
  constexpr Color kWhite{1.0f, 1.0f, 1.0f, 1.0f};
  if (material.rgba || material.has_texture) return material.rgba;
  return kWhite;
}

// MJCF's rule: a colour other than MJCF's own default goes before the material, be it a class's.
std::optional<Color> FindColor(const Context& context, xml::Element& element, const GeomSpec& spec) {
  constexpr Color kDefault{0.5f, 0.5f, 0.5f, 1.0f};
  if (spec.material.empty()) return spec.rgba;
  const MaterialSpec* material = context.assets.materials.Find(spec.material);
  if (!material) {
    element.Note("material", ImportStatus::kIgnored, "there is no material of this name",
                 ImportLoss::kHarmless);
    return spec.rgba;
  }
  return spec.rgba && *spec.rgba != kDefault ? spec.rgba : ColorOf(*material);
}

}  // namespace stiction::mjcf

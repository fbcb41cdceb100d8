// Colours of geoms: their own, or those of the materials that they refer to.
#include "io/mjcf/reader.h"
#include "io/xml/color_attribute.h"

namespace stiction::mjcf {

void ReadMaterial(xml::Element& element, MaterialSpec& spec) {
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

void Reader::ReadMaterialAsset(xml::Element& element) {
  MaterialSpec spec = classes_[ClassOf(element, 0)].material;
  ReadMaterial(element, spec);
  std::string name;
  element.Read("name", name);
  if (!materials_.emplace(name, spec).second) {
    element.Note(ImportStatus::kIgnored, "the name \"" + name + "\" is taken by another material");
  }
}

// MJCF's rule: a colour other than MJCF's own default goes before the material, be it a class's.
std::optional<Color> Reader::FindColor(xml::Element& element, const GeomSpec& spec) const {
  constexpr Color kDefault{0.5f, 0.5f, 0.5f, 1.0f};
  if (spec.material.empty()) return spec.rgba;
  const auto material = materials_.find(spec.material);
  if (material == materials_.end()) {
    element.Note("material", ImportStatus::kIgnored, "there is no material of this name");
    return spec.rgba;
  }
  return spec.rgba && *spec.rgba != kDefault ? spec.rgba : ColorOf(material->second);
}

}  // namespace stiction::mjcf

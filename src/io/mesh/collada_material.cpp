#include "io/mesh/collada_material.h"

#include <algorithm>
#include <array>
#include <optional>

#include "io/mesh/format.h"

namespace stiction::mesh_format {
namespace {

using xml::Element;

// The first numbers of a text; those that cannot be read end them.
template <std::size_t n>
std::array<double, n> ReadSome(std::string_view text, std::array<double, n> values) {
  std::string flat(text);
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  std::string_view rest = flat;
  try {
    for (double& value : values) {
      const std::string_view token = NextToken(rest);
      if (token.empty()) break;
      value = ParseCoordinate(token, 0);
    }
  } catch (const MeshError&) {  // as far as they go
  }
  return values;
}

float Share(double value) {
  return static_cast<float>(std::clamp(value, 0.0, 1.0));
}

std::optional<std::array<double, 4>> ReadEffectColor(const Element& model, const char* name) {
  const Element* part = model.FindChild(name);
  const Element* color = part ? part->FindChild("color") : nullptr;
  if (!color) return std::nullopt;
  return ReadSome<4>(color->text(), {0.0, 0.0, 0.0, 1.0});
}

std::optional<double> ReadEffectNumber(const Element& model, const char* name) {
  const Element* part = model.FindChild(name);
  const Element* number = part ? part->FindChild("float") : nullptr;
  if (!number) return std::nullopt;
  return ReadSome<1>(number->text(), {0.0})[0];
}

const Element* FindParameter(const Element& profile, const std::string& sid) {
  for (const auto& child : profile.children()) {
    const std::string* own = child->Peek("sid");
    if (child->name() == "newparam" && own && *own == sid) return child.get();
  }
  return nullptr;
}

// The text of an element below.
std::string TextAt(const Element* element, std::initializer_list<const char*> path) {
  for (const char* name : path) element = element ? element->FindChild(name) : nullptr;
  return element ? element->text() : "";
}

// A texture names a sampler, that a surface, that an image, that a file; older files name the image at once.
SharedTexture ReadEffectTexture(const Element& profile, const Element& texture,
                                const std::filesystem::path& folder, const FindById& find, MeshLooks& looks) {
  const std::string* name = texture.Peek("texture");
  if (!name) return nullptr;
  std::string image_id = *name;
  if (const Element* sampler = FindParameter(profile, *name)) {
    const std::string source = TextAt(sampler, {"sampler2D", "source"});
    if (const Element* surface = FindParameter(profile, source))
      image_id = TextAt(surface, {"surface", "init_from"});
    const Element* inner = sampler->FindChild("sampler2D");
    const Element* instance = inner ? inner->FindChild("instance_image") : nullptr;
    const std::string* url = instance ? instance->Peek("url") : nullptr;
    if (url && url->starts_with('#')) image_id = url->substr(1);
  }
  const Element* image = find(image_id);
  if (!image) {
    looks.AddProblem("there is no image " + Quote(image_id));
    return nullptr;
  }
  std::string file = TextAt(image, {"init_from"});
  if (file.empty()) file = TextAt(image, {"init_from", "ref"});
  if (file.empty()) return nullptr;
  return looks.ReadTexture(folder, file);
}

void ReadEffectModel(const Element& profile, const Element& model, const std::filesystem::path& folder,
                     const FindById& find, MeshLooks& looks, Material& material) {
  if (const auto color = ReadEffectColor(model, "diffuse"))
    material.color = {Share((*color)[0]), Share((*color)[1]), Share((*color)[2]), 1.0f};
  const Element* diffuse = model.FindChild("diffuse");
  if (const Element* texture = diffuse ? diffuse->FindChild("texture") : nullptr)
    material.texture = ReadEffectTexture(profile, *texture, folder, find, looks);
  constexpr Color kUnknown{0.75f, 0.75f, 0.75f, 1.0f};  // what a picture that is missing would have shown
  const bool is_missing = diffuse && diffuse->FindChild("texture") && !material.texture;
  if (is_missing) material.color = kUnknown;
  if (const auto color = ReadEffectColor(model, "specular"))
    material.specular = Share(*std::max_element(color->begin(), color->begin() + 3));
  if (const auto exponent = ReadEffectNumber(model, "shininess")) material.shininess = ShininessOf(*exponent);
  if (const auto color = ReadEffectColor(model, "emission"))
    material.emission = Share(*std::max_element(color->begin(), color->begin() + 3));
}

}  // namespace

SharedMaterial ReadColladaMaterial(const Element& element, const std::filesystem::path& folder,
                                   const FindById& find, MeshLooks& looks) {
  const Element* instance = element.FindChild("instance_effect");
  const std::string* url = instance ? instance->Peek("url") : nullptr;
  const Element* effect = url && url->starts_with('#') ? find(url->substr(1)) : nullptr;
  const Element* profile = effect ? effect->FindChild("profile_COMMON") : nullptr;
  const Element* technique = profile ? profile->FindChild("technique") : nullptr;
  if (!technique) return nullptr;
  Material material;
  if (const std::string* name = element.Peek("name")) material.name = *name;
  for (const char* kind : {"phong", "blinn", "lambert", "constant"}) {
    if (const Element* model = technique->FindChild(kind))
      ReadEffectModel(*profile, *model, folder, find, looks, material);
  }
  return std::make_shared<const Material>(std::move(material));
}

}  // namespace stiction::mesh_format

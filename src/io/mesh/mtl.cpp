// Materials of OBJ files: the lines newmtl, Kd, map_Kd, Ks, Ns, Ke, d, Tr, Pm and Pr of an .mtl file.
// Whatever else it holds, or holds wrongly, is passed over.
#include "io/mesh/mtl.h"

#include <algorithm>
#include <array>
#include <optional>

#include "io/mesh/format.h"

namespace stiction::mesh_format {
namespace {

std::optional<double> NextNumber(std::string_view& line) {
  const std::string_view token = NextToken(line);
  try {
    return token.empty() ? std::nullopt : std::optional(ParseCoordinate(token, 0));
  } catch (const MeshError&) {
    return std::nullopt;
  }
}

// One number stands for three.
std::optional<std::array<float, 3>> ReadMtlColor(std::string_view line) {
  const std::optional<double> r = NextNumber(line), g = NextNumber(line), b = NextNumber(line);
  if (!r) return std::nullopt;
  const auto part = [](double x) { return static_cast<float>(std::clamp(x, 0.0, 1.0)); };
  return std::array{part(*r), part(g.value_or(*r)), part(b.value_or(*r))};
}

float Largest(const std::array<float, 3>& color) {
  return *std::max_element(color.begin(), color.end());
}

// The file's name comes last, after options such as "-s 1 1 1"; it may hold blanks.
std::string ReadMapName(std::string_view line) {
  std::string_view rest = line;
  while (true) {
    std::string_view after = rest;
    const std::string_view token = NextToken(after);
    const bool is_option = token.size() > 1 && token[0] == '-';
    if (!is_option) break;
    rest = after;
    std::string_view value = rest;
    while (NextNumber(value)) rest = value;
  }
  const std::size_t first = rest.find_first_not_of(" \t"), last = rest.find_last_not_of(" \t\r");
  return first == rest.npos ? "" : std::string(rest.substr(first, last - first + 1));
}

void ReadMtlLine(std::string_view keyword, std::string_view line, const std::filesystem::path& folder,
                 MeshLooks& looks, Material& material) {
  if (keyword == "map_Kd") {
    if (const std::string name = ReadMapName(line); !name.empty())
      material.texture = looks.ReadTexture(folder, name);
  } else if (keyword == "Kd") {
    if (const auto color = ReadMtlColor(line))
      material.color = {(*color)[0], (*color)[1], (*color)[2], material.color.a};
  } else if (keyword == "Ks") {
    if (const auto color = ReadMtlColor(line)) material.specular = Largest(*color);
  } else if (keyword == "Ke") {
    if (const auto color = ReadMtlColor(line)) material.emission = Largest(*color);
  } else if (const std::optional<double> number = NextNumber(line)) {
    const float share = static_cast<float>(std::clamp(*number, 0.0, 1.0));
    if (keyword == "Ns") material.shininess = ShininessOf(*number);
    if (keyword == "d") material.color.a = share;
    if (keyword == "Tr") material.color.a = 1.0f - share;
    if (keyword == "Pm") material.metallic = share;
    if (keyword == "Pr") material.roughness = share;
  }
}

// Exporters write black for what the picture gives alone.
void FinishMtlMaterial(Material& material) {
  const bool is_black = Largest({material.color.r, material.color.g, material.color.b}) == 0.0f;
  if (material.texture && is_black) material.color = {1.0f, 1.0f, 1.0f, material.color.a};
}

}  // namespace

void ReadMtl(const std::filesystem::path& folder, const std::string& written, MeshLooks& looks,
             std::map<std::string, SharedMaterial>& materials) {
  const std::string text = looks.ReadText(folder, written);
  const std::filesystem::path own = (folder / written).parent_path();
  std::string_view rest = text;
  std::optional<Material> material;
  const auto finish = [&] {
    if (!material) return;
    FinishMtlMaterial(*material);
    materials.try_emplace(material->name, std::make_shared<const Material>(*material));
  };
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string_view keyword = NextToken(line);
    if (keyword == "newmtl") {
      finish();
      material = Material{.name = std::string(NextToken(line))};
    } else if (material) {
      ReadMtlLine(keyword, line, own, looks, *material);
    }
  }
  finish();
}

}  // namespace stiction::mesh_format

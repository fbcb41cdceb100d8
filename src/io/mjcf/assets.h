// <asset>: what an MJCF file defines once for several elements to refer to.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/mjcf/hfield.h"
#include "io/mjcf/mesh.h"
#include "io/mjcf/name_table.h"
#include "io/mjcf/specs.h"
#include "stiction/geometry/field_solid.h"

namespace stiction::mjcf {

struct Assets {
  std::shared_ptr<MeshMemory> memory = std::make_shared<MeshMemory>();
  NameTable<MeshAsset> meshes{"mesh", false};
  NameTable<HeightFieldAsset> hfields{"height field", false};
  NameTable<MaterialSpec> materials{"material", false};
  NameTable<SharedTexture> textures{"texture", false};
  std::vector<std::pair<std::string, xml::Element*>> material_elements{};
  std::map<std::string, SharedMaterial> made_materials{};          // once all assets are read
  NameTable<std::filesystem::path> models{"model", false};         // files of <model>
  std::map<std::pair<std::string, double>, PlacedField> fields{};  // by text or mesh, and resolution
};

// The asset of this name, to which the element's attribute refers. Throws LoadError if there is none.
template <typename Asset>
Asset& RequireAsset(const xml::Element& element, std::string_view attribute, NameTable<Asset>& assets,
                    const std::string& name) {
  Asset* asset = assets.Find(name);
  if (!asset) element.Fail(attribute, "unknown asset \"" + name + "\"; define it in <asset>");
  return *asset;
}

}  // namespace stiction::mjcf

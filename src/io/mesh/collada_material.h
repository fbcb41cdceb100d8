// Materials of COLLADA: <material>, <effect> and <image>.
#pragma once

#include <functional>
#include <string>

#include "io/mesh/looks.h"
#include "io/xml/element.h"

namespace stiction::mesh_format {

// What an id names; null if nothing has it.
using FindById = std::function<const xml::Element*(const std::string&)>;

// Of a <material>: colours and picture of its effect, whatever model of light that has. Null where it has
// none.
SharedMaterial ReadColladaMaterial(const xml::Element& material, const std::filesystem::path& folder,
                                   const FindById& find, MeshLooks& looks);

}  // namespace stiction::mesh_format

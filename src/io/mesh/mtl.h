// Materials of OBJ files.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "io/mesh/looks.h"

namespace stiction::mesh_format {

// Adds those of the file that an OBJ file in `folder` names; of one name the first stays.
void ReadMtl(const std::filesystem::path& folder, const std::string& written, MeshLooks& looks,
             std::map<std::string, SharedMaterial>& materials);

}  // namespace stiction::mesh_format

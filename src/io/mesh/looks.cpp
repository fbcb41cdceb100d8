#include "io/mesh/looks.h"

#include <algorithm>

#include "io/mesh/format.h"
#include "io/package_path.h"
#include "io/picture_bytes.h"

namespace stiction {

namespace fs = std::filesystem;

float ShininessOf(double exponent) {
  constexpr double kSharpest = 128.0;
  return static_cast<float>(std::clamp(exponent / kSharpest, 0.0, 1.0));
}

fs::path MeshLooks::Resolve(const fs::path& folder, const std::string& written) const {
  std::error_code error;
  const fs::path own = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  std::string name = written.starts_with("file://") ? written.substr(7) : written;
  std::replace(name.begin(), name.end(), '\\', '/');
  const fs::path full = fs::weakly_canonical(own / name, error);
  if (error || !IsInside(own.parent_path(), full))
    throw MeshError(mesh_format::Quote(written) + " lies outside of the folder above the mesh's");
  return full;
}

SharedTexture MeshLooks::ReadTexture(const fs::path& folder, const std::string& written) {
  try {
    const fs::path path = Resolve(folder, written);
    const auto [entry, is_new] = textures_.try_emplace(path.string());
    if (is_new) entry->second = Decode(path.stem().string(), mesh_format::ReadBytes(path));
    if (!is_new && !entry->second)
      AddProblem("its texture " + mesh_format::Quote(written) + " cannot be read");
    return entry->second;
  } catch (const MeshError& error) {
    AddProblem("its texture " + mesh_format::Quote(written) + ": " + error.what());
    return nullptr;
  }
}

SharedTexture MeshLooks::Decode(const std::string& name, std::string_view bytes) {
  try {
    ColorPicture picture = ReadColorPicture(bytes);
    return std::make_shared<const Texture>(Texture{.name = name,
                                                   .kind = Texture::Kind::kPlane,
                                                   .width = picture.width,
                                                   .height = picture.height,
                                                   .pixels = std::move(picture.pixels)});
  } catch (const std::invalid_argument& error) {
    AddProblem("its texture " + mesh_format::Quote(name) + ": " + error.what());
    return nullptr;
  }
}

std::string MeshLooks::ReadText(const fs::path& folder, const std::string& written) {
  try {
    return mesh_format::ReadBytes(Resolve(folder, written));
  } catch (const MeshError& error) {
    AddProblem("its materials " + mesh_format::Quote(written) + ": " + error.what());
    return "";
  }
}

void MeshLooks::AddProblem(const std::string& problem) {
  if (std::find(problems_.begin(), problems_.end(), problem) == problems_.end()) problems_.push_back(problem);
}

}  // namespace stiction

#include "io/mesh/looks.h"

#include <algorithm>

#include "io/mesh/format.h"
#include "io/package_path.h"
#include "io/picture_bytes.h"

namespace stiction {

namespace fs = std::filesystem;

namespace {

SharedTexture MakeTexture(const std::string& name, std::string_view bytes) {
  ColorPicture picture = ReadColorPicture(bytes);
  return std::make_shared<const Texture>(Texture{.name = name,
                                                 .kind = Texture::Kind::kPlane,
                                                 .width = picture.width,
                                                 .height = picture.height,
                                                 .pixels = std::move(picture.pixels)});
}

}  // namespace

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
  const auto refuse = [&](const std::string& why) {
    AddProblem("its texture " + mesh_format::Quote(written) + ": " + why);
    return nullptr;
  };
  try {
    const fs::path path = Resolve(folder, written);
    const auto [entry, is_new] = textures_.try_emplace(path.string());
    auto& [texture, problem] = entry->second;
    try {
      if (is_new) texture = MakeTexture(path.stem().string(), mesh_format::ReadBytes(path));
    } catch (const std::exception& error) {
      problem = error.what();  // which is said of all meshes that name it
    }
    return texture ? texture : refuse(problem);
  } catch (const MeshError& error) {
    return refuse(error.what());
  }
}

SharedTexture MeshLooks::Decode(const std::string& name, std::string_view bytes) {
  try {
    return MakeTexture(name, bytes);
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

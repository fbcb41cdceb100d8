#include "openable.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "stiction/io/load.h"
#include "stiction/io/model_source.h"
#include "stiction/scenes/scenes.h"

namespace stiction::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 10> kOpenableEndings{".xml",   ".urdf", ".mjcf", ".xacro", ".sdf",
                                                            ".world", ".csv",  ".h5",   ".hdf5",  ".json"};
constexpr std::array<std::string_view, 2> kHdf5Endings{".h5", ".hdf5"};
constexpr std::array<std::string_view, 8> kMeshEndings{".stl",  ".obj", ".dae", ".glb",
                                                       ".gltf", ".msh", ".ply", ".mtl"};
constexpr std::array<std::string_view, 6> kPictureEndings{".png", ".jpg", ".jpeg", ".mp4", ".svg", ".html"};

std::string EndingOf(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

template <typename Endings>
bool IsAmong(const std::string& ending, const Endings& endings) {
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

}  // namespace

bool HasOpenableName(const std::string& name) {
  return IsAmong(EndingOf(name), kOpenableEndings);
}

void CheckCanBeShown(const std::string& path) {
  std::error_code error;
  if (IsSceneText(path) || !fs::exists(path, error)) return;
  if (fs::is_directory(path, error)) throw LoadError(path, 0, "", "is a folder: name a file in it");
  if (fs::is_regular_file(path, error) && fs::file_size(path, error) == 0)
    throw LoadError(path, 0, "", "is empty");
  if (FindFileKind(path) != FileKind::kUnknown) return;
  const std::string ending = EndingOf(path);
  if (IsAmong(ending, kMeshEndings))
    throw LoadError(path, 0, "", "is a part of a model: open the URDF or MJCF file that refers to it");
  if (IsAmong(ending, kPictureEndings))
    throw LoadError(path, 0, "",
                    std::string("is a picture or a page: what can be opened is ") + kOpenableKinds);
  if (IsAmong(ending, kHdf5Endings))
    throw LoadError(path, 0, "", "is no HDF5 file, whatever its name says: was it written to its end?");
  if (ending == ".csv")
    throw LoadError(path, 1, "", "is no log: those begin with a line of names, the first of which is time");
  if (!HasOpenableName(path))
    throw LoadError(path, 0, "",
                    std::string("is nothing that can be shown: what can be opened is ") + kOpenableKinds);
}

}  // namespace stiction::viewer

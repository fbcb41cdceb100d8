#include "assets_folder.h"

#include "command.h"

namespace stiction::runner {
namespace {

constexpr const char* kMark = "models/nut_on_bolt.xml";  // one of the files that are there

std::filesystem::path SearchAssets() {
  std::error_code error;
  const auto bin = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* folder : {"../share/stiction", "../../assets"}) {
    const std::filesystem::path assets = (bin / folder).lexically_normal();
    if (!error && std::filesystem::exists(assets / kMark, error)) return assets;
  }
  return {};
}

}  // namespace

const std::filesystem::path& AssetsFolder() {
  static const std::filesystem::path folder = SearchAssets();
  return folder;
}

std::string FindAsset(const std::string& file) {
  const std::filesystem::path path = AssetsFolder() / file;
  if (AssetsFolder().empty() || !std::filesystem::exists(path))
    throw UsageError(file +
                     ": not found; the project's assets belong into share/stiction beside the programs' "
                     "folder, or two folders above it as in a build");
  return path.string();
}

}  // namespace stiction::runner

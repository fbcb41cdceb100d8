// Where the project's models and scenarios lie.
#pragma once

#include <filesystem>
#include <string>

namespace stiction::runner {

// The assets stand beside the programs: of an installation in <prefix>/share/stiction, of a build two folders
// above bin. Empty if they are not there.
const std::filesystem::path& AssetsFolder();

// A file below it: "models/nut_on_bolt.xml". Throws UsageError if it is not there.
std::string FindAsset(const std::string& file);

}  // namespace stiction::runner

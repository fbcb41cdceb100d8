// Files that are not part of this repository: models of others and numbers computed by other programs. Tests that
// compare with them are skipped by name where they are absent; whatever else matters is tested without.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace stiction {

// STICTION_SHARED_DIR of the environment, or of the build; `inside` is relative to it.
inline std::filesystem::path SharedPath(const std::string& inside) {
  const char* folder = std::getenv("STICTION_SHARED_DIR");
  return std::filesystem::path(folder ? folder : STICTION_SHARED_DIR) / inside;
}

}  // namespace stiction

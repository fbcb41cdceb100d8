#include "model_path.h"

#include <algorithm>

namespace stiction {

namespace fs = std::filesystem;

fs::path ResolveModelPath(const fs::path& directory, const std::string& written,
                          const xml::Element& element) {
  const fs::path relative(written);
  if (relative.is_absolute()) {
    element.Fail("\"" + written + "\" is an absolute path; only files in the model's folder are opened");
  }
  std::error_code error;
  const fs::path home = fs::weakly_canonical(directory.empty() ? fs::path(".") : directory, error);
  // A model in a folder directly below the file system's root does not open up all of it.
  const fs::path above = home.parent_path();
  const fs::path tree = above == above.root_path() ? home : above;
  const fs::path full = fs::weakly_canonical(home / relative, error);
  const auto [tree_end, full_end] = std::mismatch(tree.begin(), tree.end(), full.begin(), full.end());
  if (error || tree_end != tree.end()) {
    element.Fail("\"" + written + "\" lies outside the model's folder " + tree.string());
  }
  if (!fs::exists(full, error)) element.Fail("no such file: " + full.string());
  return (directory / relative).lexically_normal();
}

}  // namespace stiction

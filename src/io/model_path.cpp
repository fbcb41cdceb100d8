#include "io/model_path.h"

#include "io/package_path.h"

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
  const fs::path tree = ModelTree(home);
  const fs::path full = fs::weakly_canonical(home / relative, error);
  if (error || !IsInside(tree, full)) {
    element.Fail("\"" + written + "\" lies outside the model's folder " + tree.string());
  }
  if (!fs::exists(full, error)) element.Fail("no such file: " + full.string());
  return (directory / relative).lexically_normal();
}

}  // namespace stiction

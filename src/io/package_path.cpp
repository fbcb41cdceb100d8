#include "io/package_path.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace stiction {

namespace fs = std::filesystem;

namespace {

fs::path Canonical(const fs::path& path) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(path.empty() ? fs::path(".") : path, error);
  return error ? path : full;
}

bool IsFolder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

// The <name> of the folder's package.xml; empty where there is none.
std::string ReadPackageName(const fs::path& folder) {
  std::ifstream file(folder / "package.xml", std::ios::binary);
  if (!file) return "";
  std::string text(64 << 10, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  for (size_t begin; (begin = text.find("<!--")) != text.npos;) {
    const size_t end = text.find("-->", begin);
    text.erase(begin, end == text.npos ? text.npos : end + 3 - begin);
  }
  const size_t begin = text.find("<name>"), end = text.find("</name>");
  if (begin == text.npos || end == text.npos || end < begin) return "";
  std::istringstream words(text.substr(begin + 6, end - begin - 6));
  std::string name;
  words >> name;
  return name;
}

bool IsPackage(const fs::path& folder, const std::string& name) {
  return IsFolder(folder) && (folder.filename() == name || ReadPackageName(folder) == name);
}

void AppendList(const char* variable, const char* below, std::vector<fs::path>& folders) {
  const char* value = std::getenv(variable);
  std::istringstream list(value ? value : "");
  for (std::string folder; std::getline(list, folder, ':');) {
    if (!folder.empty()) folders.push_back(*below ? fs::path(folder) / below : fs::path(folder));
  }
}

// The package that `folder` is or holds; empty if there is none. A folder of that name goes first, then any
// whose package.xml says so.
fs::path FindIn(const fs::path& folder, const std::string& name) {
  if (IsPackage(folder, name)) return folder;
  if (IsFolder(folder / name)) return folder / name;
  constexpr int kMaxEntries = 10'000;
  std::vector<fs::path> matches;
  std::error_code error;
  int count = 0;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (++count > kMaxEntries) break;
    if (ReadPackageName(it->path()) == name) matches.push_back(it->path());
  }
  // The order of a folder's entries is the file system's.
  return matches.empty() ? fs::path() : *std::min_element(matches.begin(), matches.end());
}

}  // namespace

fs::path ModelTree(const fs::path& home) {
  const fs::path above = home.parent_path();
  return above == above.root_path() ? home : above;
}

bool IsInside(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

PackagePaths::PackagePaths(const fs::path& directory, const std::vector<std::string>& package_paths,
                           std::string variable)
    : home_(Canonical(directory)), tree_(ModelTree(home_)), variable_(std::move(variable)) {
  // A model may reach all of its own package.
  for (fs::path folder = home_; folder != folder.root_path(); folder = folder.parent_path()) {
    if (IsInside(folder, tree_) && !ReadPackageName(folder).empty()) {
      tree_ = folder;
      break;
    }
  }
  for (const std::string& folder : package_paths) configured_.emplace_back(folder);
  AppendList("STICTION_PACKAGE_PATH", "", configured_);
  AppendList("ROS_PACKAGE_PATH", "", configured_);
  AppendList("AMENT_PREFIX_PATH", "share", configured_);
}

const PackagePaths::Package& PackagePaths::FindPackage(const std::string& name) const {
  const auto known = found_.find(name);
  if (known != found_.end()) return known->second;
  const auto keep = [&](const fs::path& root, bool is_configured) -> const Package& {
    return found_[name] = {Canonical(root), is_configured};
  };
  for (fs::path folder = home_; folder != folder.root_path(); folder = folder.parent_path()) {
    const bool in_tree = IsInside(tree_, folder);
    const bool is_top = folder.parent_path() == folder.root_path();
    if (IsPackage(folder, name) && (!is_top || !ReadPackageName(folder).empty())) return keep(folder, false);
    const fs::path beside = folder / name;
    if (IsFolder(beside) && (in_tree || ReadPackageName(beside) == name)) return keep(beside, false);
  }
  for (const fs::path& folder : configured_) {
    const fs::path root = FindIn(Canonical(folder), name);
    if (!root.empty()) return keep(root, true);
  }
  std::string searched;
  for (const fs::path& folder : configured_) searched += ", " + folder.string();
  throw PathError("there is no package \"" + name +
                  "\" (a folder of this name, or one whose package.xml has it)" + " above " + home_.string() +
                  searched + "; say where it is by --package-path DIR (LoadOptions::package_paths) or " +
                  variable_);
}

fs::path PackagePaths::ResolveInPackage(const std::string& written, const std::string& rest) const {
  const size_t slash = rest.find('/');
  const std::string name = rest.substr(0, slash);
  if (name.empty() || name == "." || name == ".." || slash == rest.npos)
    throw PathError("\"" + written + "\" must read package://name/path/to/file");
  const Package& package = FindPackage(name);
  const fs::path wanted =
      (package.root / fs::path(rest.substr(slash + 1)).relative_path()).lexically_normal();
  if (!IsInside(package.root, package.is_configured ? wanted : Canonical(wanted)))
    throw PathError("\"" + written + "\" leads out of the package's folder " + package.root.string());
  return wanted;
}

fs::path PackagePaths::ResolvePlain(const std::string& written, const fs::path& path) const {
  const fs::path wanted = (path.is_absolute() ? path : home_ / path).lexically_normal();
  const fs::path full = Canonical(wanted);
  const bool is_configured = std::any_of(configured_.begin(), configured_.end(), [&](const fs::path& folder) {
    return IsInside(Canonical(folder), full);
  });
  if (!IsInside(tree_, full) && !is_configured) {
    throw PathError("\"" + written + "\" lies outside the model's folder " + tree_.string() +
                    "; move the file there, or name its folder by --package-path");
  }
  return wanted;
}

fs::path PackagePaths::Resolve(const std::string& written) const {
  const size_t scheme_end = written.find("://");
  const std::string scheme = written.substr(0, scheme_end == written.npos ? 0 : scheme_end);
  const std::string rest = scheme.empty() ? written : written.substr(scheme_end + 3);
  if (rest.empty()) throw PathError("names no file");
  fs::path full;
  if (scheme == "package" || scheme == "model") {
    full = ResolveInPackage(written, rest);
  } else if (scheme.empty() || scheme == "file") {
    full = ResolvePlain(written, rest);
  } else {
    throw PathError("\"" + written + "\": only package://, model://, file:// and plain paths are opened");
  }
  std::error_code error;
  if (!fs::exists(full, error)) throw PathError("no such file: " + full.string());
  return full;
}

}  // namespace stiction

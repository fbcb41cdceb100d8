// Where the mesh files of a URDF lie: package:// names, file:// and plain paths.
#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace stiction {

// what() says which path, and what to do.
class PathError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A package is a folder that is called so, or whose package.xml has that <name>. It is looked for, in order,
//   1. above the model: each folder that holds the model's file, from the inside out, and the folders beside
//      those. Outside of the model's own tree (see ModelTree) only a folder with a package.xml counts beside,
//      and none directly below the file system's root by its name alone.
//   2. in `package_paths`, then in the environment's STICTION_PACKAGE_PATH, ROS_PACKAGE_PATH and
//      AMENT_PREFIX_PATH (there in share/): each folder is a package itself, or holds some.
class PackagePaths {
 public:
  // `directory` is the model file's folder; `variable` of the environment is what messages advise to set.
  PackagePaths(const std::filesystem::path& directory, const std::vector<std::string>& package_paths,
               std::string variable = "ROS_PACKAGE_PATH");

  // "package://name/file", "model://name/file", "file://path" or a path relative to the model's folder.
  // Throws PathError: unknown package, another scheme, no such file, or a path that leads out of the package,
  // or out of the model's tree (links followed), into which absolute paths must lead, too.
  std::filesystem::path Resolve(const std::string& written) const;

 private:
  struct Package {
    std::filesystem::path root;
    bool is_configured = false;  // by the user: links out of it, as build tools make them, are trusted
  };
  const Package& FindPackage(const std::string& name) const;
  std::filesystem::path ResolveInPackage(const std::string& written, const std::string& rest) const;
  std::filesystem::path ResolvePlain(const std::string& written, const std::filesystem::path& path) const;

  std::filesystem::path home_;                     // the model's folder, without links
  std::filesystem::path tree_;                     // what plain paths may reach
  std::vector<std::filesystem::path> configured_;  // in the order of the search
  std::string variable_;
  mutable std::map<std::string, Package> found_;
};

// The folders that a model in `home` may open files from: one above its own, as models commonly keep mjcf/,
// urdf/, assets/ and meshes/ side by side; but not the file system's root.
std::filesystem::path ModelTree(const std::filesystem::path& home);

// True if `path` is `folder` or below it, both without links.
bool IsInside(const std::filesystem::path& folder, const std::filesystem::path& path);

}  // namespace stiction

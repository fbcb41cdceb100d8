// Where the files lie that an SDFormat file names: models that it includes, and meshes.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/package_path.h"
#include "io/xml/element.h"
#include "stiction/io/load.h"

namespace stiction::sdformat {

// An <include>: what it names, the file that is meant, and where it stands itself.
struct Include {
  std::string uri;
  std::filesystem::path file;
  std::string including_file;
  int line = 0;
  bool is_among_models = true;  // not where the format has none, as in a link
};
// In the order of a reader that reads each included file where it meets it.
using IncludedFiles = std::vector<Include>;

// "model://name/..." is looked for as PackagePaths does, in the folders models/ above the file, and in those
// that the environment's SDF_PATH, GZ_SIM_RESOURCE_PATH, IGN_GAZEBO_RESOURCE_PATH and GAZEBO_MODEL_PATH list.
// Other paths are relative to the folder of the file that has them; where nothing lies there, they are looked
// for as if "model://" stood before them.
class Paths {
 public:
  Paths(const std::string& path, const LoadOptions& options);

  // The mesh file that `uri`, found in an element, names. Throws PathError.
  std::filesystem::path FindMesh(const std::string& uri, const xml::Element& element);

  // All files that are included, those that included ones include as well; but not what stands in plugins and
  // other elements that are none of the format's. Throws LoadError: one that is not there, is no well-formed
  // XML, or includes itself.
  IncludedFiles FindIncludes(const xml::Element& root);

 private:
  const PackagePaths& In(const std::filesystem::path& folder);
  std::filesystem::path FindModel(const std::string& uri, const xml::Element& include);
  void Collect(const xml::Element& element, std::vector<std::filesystem::path>& chain, IncludedFiles& found);

  std::vector<std::string> folders_;
  std::map<std::filesystem::path, PackagePaths> by_folder_;
};

}  // namespace stiction::sdformat

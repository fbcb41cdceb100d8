// What stands in the files themselves, where libsdformat drops it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "io/sdf/sdf_file.h"

namespace stiction::sdformat {

class RawFiles {
 public:
  // Reads the included files once more. Throws LoadError.
  //   raw  the file's own tree; must outlive this, as `root` must
  RawFiles(const xml::Element& raw, const xml::Element& root);

  // What an element below `root` was made of; nullptr where that is not known.
  const xml::Element* Find(const xml::Element& element) const;

  // <inertial auto="true">, a word that is younger than libsdformat 12.
  void FindAutomaticInertias(File& file) const;
  // Attributes that the format does not have, of elements that are read: `<limit lower="1"/>`; and the files
  // that are URDF.
  std::vector<ImportItem> ListLost(const File& file) const;

 private:
  // By line, name, and attribute "name", in document order.
  struct Elements {
    std::vector<const xml::Element*> found = {};
    std::size_t num_taken = 0;
  };
  using Places = std::map<std::tuple<int, std::string, std::string>, Elements>;
  struct RawFile {
    std::unique_ptr<xml::Element> root = nullptr;  // none: the file that is read
    Places places = {};
  };
  void Match(const xml::Element& element);
  void AppendLost(const xml::Element& element, const File& file, std::vector<ImportItem>& lost) const;

  std::map<std::string, RawFile> files_;
  std::map<const xml::Element*, const xml::Element*> origin_;
};

}  // namespace stiction::sdformat

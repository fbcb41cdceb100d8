// The boundary between the engine and its module libstiction_sdformat, which alone links to libsdformat.
#pragma once

#include <string>

#include "io/sdf/sdf_file.h"

namespace stiction::sdformat {

// What the module offers under the name kModuleName. It holds C++ types, so both sides must be of one
// version.
struct Module {
  const char* version;
  // Throws LoadError: what libsdformat refuses, with its words.
  void (*parse)(const std::string& path, const xml::Element& raw, const IncludedFiles& includes, File& file);
};
constexpr const char* kModuleName = "stiction_sdformat_module";
constexpr const char* kModuleFile = "libstiction_sdformat.so";

}  // namespace stiction::sdformat

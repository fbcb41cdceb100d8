// Paths written in model files.
#pragma once

#include <filesystem>
#include <string>

#include "io/xml/element.h"

namespace stiction {

// The file that `written`, found in an attribute of `element`, names: relative to `directory`. Throws
// LoadError if the path is absolute, leaves the model's folder tree (links followed), or does not exist. The
// tree begins one folder above the main file's folder, as models commonly keep mjcf/, urdf/, assets/ and
// meshes/ side by side; nothing outside of it is ever opened.
std::filesystem::path ResolveModelPath(const std::filesystem::path& directory, const std::string& written,
                                       const xml::Element& element);

}  // namespace stiction

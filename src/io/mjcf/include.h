// <include file="..."/>: puts the children of the included file's root behind the element.
#pragma once

#include <filesystem>

#include "io/xml/element.h"

namespace stiction::mjcf {

// Expands every include below `root`, those of included files too. Paths are relative to the main file's
// folder. Each file may be included once, as in MuJoCo. Throws LoadError: a missing file, one outside the
// model's folder, a repetition (with the chain of files), or elements nested too deeply once spliced.
void ExpandIncludes(xml::Element& root, const std::filesystem::path& main_file);

}  // namespace stiction::mjcf

// What kind of file it is, without reading it.
#pragma once

#include <string>

namespace stiction::xml {

// The name of the root element, from the file's first 64 kB; empty if there is none to be seen, the file
// cannot be read or is none. What is wrong with it is for its reader to say.
std::string PeekRootElement(const std::string& path);

}  // namespace stiction::xml

// Expands .xacro files by the user's own program of that name.
#pragma once

#include <string>
#include <vector>

namespace stiction {

// By its name: "arm.xacro", "arm.urdf.xacro".
bool IsXacroFile(const std::string& path);

// What the program `xacro`, looked for on PATH, writes for the file; it is started directly, without a shell.
//   arguments  "name:=value", as it takes them
// Throws LoadError: there is no such program (and says the command to run elsewhere), or it fails, with its
// own last words.
std::string ExpandXacro(const std::string& path, const std::vector<std::string>& arguments);

}  // namespace stiction

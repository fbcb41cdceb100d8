// What the viewer can show, and what to say of files that are something else.
#pragma once

#include <string>

namespace stiction::viewer {

// In words, for people who choose a file.
inline constexpr const char* kOpenableKinds =
    "a model (URDF, MJCF, SDFormat), a scenario, a log (CSV, HDF5), a saved state or a contact problem (JSON, HDF5)";

// Throws LoadError where the file is plainly none of these: a folder, empty, a mesh, a picture, bytes of
// another program; it says what to open instead. What may be one of them passes: what is wrong with it is for
// its reader to say. So does a scene that is built in code.
void CheckCanBeShown(const std::string& path);

// Whether a file of that name may be one: for lists of files.
bool HasOpenableName(const std::string& name);

}  // namespace stiction::viewer

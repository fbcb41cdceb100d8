// Logs and saved states as the window shows them.
#pragma once

#include <string>
#include <vector>

#include "live/history.h"

namespace stiction::viewer {

// Whether the file looks like a saved state: JSON, and not a problem file.
bool IsState(const std::string& path);

// The rows of a log of this model (io/log_reader.h). Throws LoadError.
std::vector<Moment> ReadMoments(const std::string& path, const Model& model);

}  // namespace stiction::viewer

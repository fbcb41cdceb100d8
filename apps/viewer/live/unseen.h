// What of a file's looks could not be had.
#pragma once

#include <string>
#include <vector>

#include "stiction/io/import_report.h"

namespace stiction::viewer {

// A line for each picture or mesh that is missing, damaged or too large, without the folders of the files
// that refer to it: short enough for a picture's corner.
std::vector<std::string> ListUnseen(const ImportReport& report);

}  // namespace stiction::viewer

// Pictures of a report, by the viewer's program.
#pragma once

#include <string>

#include "paper_experiment.h"

namespace stiction::runner {

// Runs `stiction-view --render ... --out file` in the folder. Returns why there is no picture, in one line;
// empty: there is.
std::string DrawPaperPicture(const PaperPicture& picture, const std::string& folder, const std::string& file);

}  // namespace stiction::runner

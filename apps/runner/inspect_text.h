// The text of `stiction inspect`.
#pragma once

#include "stiction/io/import_report.h"
#include "stiction/sim/world.h"

namespace stiction::runner {

// Prints sizes, the tree with masses and joints, touching pairs, and what the reader did not take as written.
//   is_verbose  of PrintReport
void PrintModel(const World& world, const ImportReport& report, bool is_verbose);

}  // namespace stiction::runner

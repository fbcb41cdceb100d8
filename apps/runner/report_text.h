// Import reports on standard output, and what --strict makes of them.
#pragma once

#include "command.h"
#include "stiction/sim/springs.h"

namespace stiction::runner {

// "NAME: 12 honoured, 1 approximated, 0 ignored", then what is not honoured: a line for items that are alike
// but for their place, and the numbers and names in their reasons, with how many they are and where the first
// stands, under headings that say whether they affect motion or only looks.
//   is_verbose  a line each instead, with file and line
void PrintReport(const char* name, const ImportReport& report, bool is_verbose);
// --verbose, of commands that print a report.
void AddVerboseFlag(CLI::App& command, bool& is_verbose);

// Springs by symplectic Euler (sim/springs.h): "2 explicit, 1 implicit: joint 'knee' (ω dt 1.25)". Of the
// implicit ones as many as `max_names` by name. Empty where there are none.
std::string DescribeSprings(const Model& model, const std::vector<Spring>& springs, std::size_t max_names);

// Throws LoadError, at the first item of the reports that is ignored.
void RefuseIgnored(const ImportReport& report);

}  // namespace stiction::runner

// Import reports on standard output, and what --strict makes of them.
#pragma once

#include "command.h"
#include "stiction/sim/springs.h"

namespace stiction::runner {

// What is not honoured, a line each; then "NAME: 12 honoured, 1 approximated, 0 ignored".
void PrintReport(const char* name, const ImportReport& report);

// Springs by symplectic Euler (sim/springs.h): "2 explicit, 1 implicit: joint 'knee' (ω dt 1.25)". Of the
// implicit ones as many as `max_names` by name. Empty where there are none.
std::string DescribeSprings(const Model& model, const std::vector<Spring>& springs, std::size_t max_names);

// Throws LoadError, at the first item of the reports that is ignored.
void RefuseIgnored(const ImportReport& report);

}  // namespace stiction::runner

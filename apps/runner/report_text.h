// Import reports on standard output, and what --strict makes of them.
#pragma once

#include "command.h"

namespace stiction::runner {

// What is not honoured, a line each; then "NAME: 12 honoured, 1 approximated, 0 ignored".
void PrintReport(const char* name, const ImportReport& report);

// Throws LoadError, at the first item of the reports that is ignored.
void RefuseIgnored(const ImportReport& report);

}  // namespace stiction::runner

// Which source the program was built from.
#pragma once

namespace stiction::runner {

// Short hash of the commit of the last configuration; "unknown" outside of a clone.
extern const char* const kCommit;

}  // namespace stiction::runner

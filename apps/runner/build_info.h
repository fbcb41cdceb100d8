// Which source the programs were built from, and how.
#pragma once

#include <string>

namespace stiction::runner {

// Short hash of the commit; "unknown" outside of a clone.
extern const char* const kCommit;

// "GCC 12.2.0".
extern const char* const kCompiler;

// What --version says: name and version in the first line; commit, compiler and options below.
std::string DescribeBuild(const std::string& program);

}  // namespace stiction::runner

// Logs as HDF5. Private to io.
#pragma once

#include "stiction/io/log.h"

namespace stiction {

// Of files that are written, and the last that can be read.
inline constexpr int kLogVersion = 1;

// Only in builds with HDF5.
std::unique_ptr<LogWriter> OpenHdf5Log(const std::string& path, const LogHeader& header);

}  // namespace stiction

// Logs as HDF5. Private to io.
#pragma once

#include "stiction/io/log.h"

namespace stiction {

// Throws std::runtime_error also where the build has no HDF5.
std::unique_ptr<LogWriter> OpenHdf5Log(const std::string& path, const LogHeader& header);

}  // namespace stiction

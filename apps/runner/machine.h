// The computer on which times are taken.
#pragma once

#include <string>

namespace stiction::runner {

// "Intel(R) Xeon(R) Processor @ 2.80GHz"; "unknown" where the system does not say.
std::string ReadCpuName();

}  // namespace stiction::runner

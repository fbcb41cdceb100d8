#include "machine.h"

#include <fstream>

namespace stiction::runner {

std::string ReadCpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace stiction::runner

// One row a step, as comma-separated values.
#pragma once

#include <fstream>
#include <string>

#include "stiction/sim/world.h"

namespace stiction::runner {

class CsvLog {
 public:
  // Writes the header row. Columns: time; q0...; v0...; contacts; iterations; ncp_max [m/s]; penetration [m];
  // step [us].
  CsvLog(const std::string& path, const World& world);
  // The state after the step and the report of it. Numbers read back bit for bit.
  void Add(const World& world);
  // Throws UsageError if anything could not be written.
  void Close();

 private:
  std::string path_;
  std::ofstream file_;
};

}  // namespace stiction::runner

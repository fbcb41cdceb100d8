// A trajectory as a table of numbers whose columns have titles. Scenarios name files of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stiction/math/types.h"

namespace stiction {

struct TrajectoryTable {
  std::string file{};
  std::vector<std::string> columns{};  // without the time
  std::vector<double> times{};         // ascending, at least one [s]
  MatrixXd values{};                   // a row per column of the file, a column per time

  // Row of `values`, -1 if there is no column of that title.
  int FindColumn(std::string_view title) const;
};

}  // namespace stiction

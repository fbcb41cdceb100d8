// Trajectories in text files: a table of numbers separated by commas, with a line of titles.
//
//   time, shoulder, elbow        the first column is the time [s], ascending; the others are named freely
//   0,    0.0,      1.2          as many numbers as there are titles; blanks around them do not count
//   0.5,  0.3,      1.1
//
// Empty lines and lines that begin with # mean nothing. A title may stand in double quotes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stiction/io/load_error.h"
#include "stiction/math/types.h"

namespace stiction {

struct TrajectoryTable {
  std::string file{};
  std::vector<std::string> columns{};  // without the time
  std::vector<double> times{};         // ascending, at least one [s]
  MatrixXd values{};                   // a row a column of the file, a column a time

  // Row of `values`, -1 if there is no column of that title.
  int FindColumn(std::string_view title) const;
};

// Throws LoadError with the file's line: a file that cannot be read, no titles or no numbers, a first column
// other than time, an empty title or one that stands twice, a line with another count of cells, a cell that
// is not a finite number, a time that is not later than the one before.
TrajectoryTable ReadTrajectoryFile(const std::string& path);

}  // namespace stiction

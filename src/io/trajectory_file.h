// Trajectories in text files: a table of numbers separated by commas, with a line of titles.
//
//   time, shoulder, elbow        the first column is the time [s], ascending; the others are named freely
//   0,    0.0,      1.2          as many numbers as there are titles; blanks around them do not count
//   0.5,  0.3,      1.1
//
// Empty lines and lines that begin with # mean nothing. A title may stand in double quotes.
#pragma once

#include <string>

#include "stiction/model/load_error.h"
#include "stiction/scenario/trajectory_table.h"

namespace stiction {

// Throws LoadError with the file's line: a file that cannot be read, no titles or no numbers, a first column
// other than time, an empty title or one that stands twice, a line with another count of cells, a cell that
// is not a finite number, a time that is not later than the one before.
TrajectoryTable ReadTrajectoryFile(const std::string& path);

}  // namespace stiction

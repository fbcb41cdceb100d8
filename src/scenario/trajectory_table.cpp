#include "stiction/scenario/trajectory_table.h"

#include <algorithm>

namespace stiction {

int TrajectoryTable::FindColumn(std::string_view title) const {
  const auto found = std::find(columns.begin(), columns.end(), title);
  return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

}  // namespace stiction

#include "sim/copy_kinematics.h"

#include <algorithm>

namespace stiction {

void CopyPositions(const TreeSet& trees, const Kinematics& from, Kinematics& to) {
  const auto copy = [](const auto& values, IndexRange range, auto& out) {
    std::copy(values.begin() + range.begin, values.begin() + range.end, out.begin() + range.begin);
  };
  for (const IndexRange& range : trees.bodies) {
    copy(from.X_WB, range, to.X_WB);
    copy(from.p_WBcm, range, to.p_WBcm);
    copy(from.M_B_W, range, to.M_B_W);
  }
  for (const IndexRange& range : trees.geoms) copy(from.X_WG, range, to.X_WG);
  for (const IndexRange& range : trees.dofs)
    to.S.middleCols(range.begin, range.size()) = from.S.middleCols(range.begin, range.size());
  for (std::size_t t = 0; t < trees.contains.size(); ++t) {
    if (trees.contains[t]) to.p_WT[t] = from.p_WT[t];
  }
}

}  // namespace stiction

// Bilateral rows that belong together, such as the five of a hinge, solved as one block.
//
// A run of consecutive bilateral constraints that touch the same trees is one group of at most six rows, with
// the symmetric pseudo-inverse of its diagonal block W_gg: rows of one joint may depend on one another, and
// rows of a closed loop may not move at all. Solving them one by one would converge as slowly as a chain of
// contacts.
#pragma once

#include <vector>

#include "stiction/contact/island.h"

namespace stiction {

class BilateralGroups {
 public:
  static constexpr int kMaxRows = 6;

  void Assign(const Island& island);

  // Rows of the group that begins at constraint i; 0 if none begins there: i is no bilateral constraint, or a
  // later one of its group.
  int NumRows(int i) const { return count_[i]; }
  // Sets the impulses of the group at constraint i so that its rows stand still, of least norm within the
  // group; δ follows. Returns the largest change of velocity, w |Δλ| [m/s].
  //   relaxation  1 takes the whole step
  double Solve(const Island& island, int i, double relaxation, double* lambda, double* delta) const;

 private:
  std::vector<int> count_;      // one per constraint
  std::vector<int> first_;      // into values_, one per constraint
  std::vector<double> values_;  // W_gg and its pseudo-inverse, column-major
  std::vector<double> column_;
};

}  // namespace stiction

// The least value of a quadratic function in a box.
#pragma once

#include <vector>

#include "stiction/math/types.h"

namespace stiction {

// x <- argmin ½ xᵀ H x + gᵀ x with lower ≤ x ≤ upper, by projected Newton steps: coordinates that a bound
// holds against the gradient stay there, the others take Newton's step, cut off at the box and shortened
// until the function falls. Each iterate is better than the one before; nothing is allocated once the
// largest n is known.
//
// Reference: D. Bertsekas, 1982 (Projected Newton methods for optimization problems with simple constraints).
class BoxMinimum {
 public:
  // H of size n x n, symmetric positive definite. In: any x; it is brought into the box first.
  void Find(const MatrixXd& H, const VectorXd& g, const VectorXd& lower, const VectorXd& upper, VectorXd& x);

 private:
  // The step of all coordinates that are not held: trial_ <- x + share * step, within the box.
  bool CalcStep(const MatrixXd& H, const VectorXd& lower, const VectorXd& upper, const VectorXd& x);

  std::vector<double> free_H_;  // n x n
  VectorXd gradient_, step_, trial_, change_, product_;
};

}  // namespace stiction

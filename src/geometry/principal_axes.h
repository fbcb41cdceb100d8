// Principal axes of an inertia. Private to the library.
//
// Axes are a choice: of each the sign, and all of them where moments are equal. Jacobi's method (Golub and
// Van Loan, Matrix Computations, §8.5: rotations by less than 45 degrees, the largest product of inertia
// first) turns the body's own axes as little as it can, and quarter turns then sort the moments. That is what
// MuJoCo does, and so its files mean the same frames here.
#pragma once

#include "stiction/math/types.h"

namespace stiction {

// As columns, right-handed: that of the largest moment first. Moments and products that differ from one
// another, or from zero, by rounding alone turn nothing.
Matrix3d FindPrincipalAxes(const Matrix3d& I);

}  // namespace stiction

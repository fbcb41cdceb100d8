// Principal axes of an inertia. Private to the library.
#pragma once

#include <Eigen/Eigenvalues>

#include "stiction/math/types.h"

namespace stiction {

// As columns, right-handed: that of the largest moment first.
inline Matrix3d FindPrincipalAxes(const Matrix3d& I) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(I);
  Matrix3d R = eigen.eigenvectors().rowwise().reverse();
  if (R.determinant() < 0.0) R.col(2) *= -1.0;
  return R;
}

}  // namespace stiction

#include "io/inertia_note.h"

#include <Eigen/Eigenvalues>
#include <cstdio>

namespace stiction {

std::string DescribeRepair(const Matrix3d& I) {
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
  char text[160];
  std::snprintf(
      text, sizeof text,
      "no rigid body has such moments: the nearest that one has are taken, %.4g, %.4g and %.4g kg m^2",
      moments[0], moments[1], moments[2]);
  return text;
}

}  // namespace stiction

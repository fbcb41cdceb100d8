#include "model/joint/joint_parts.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace stiction {

void AddRangeLimits(int dof, double q, double v, double lower, double upper, JointLimits& limits) {
  for (const bool is_upper : {false, true}) {
    const double sign = is_upper ? -1.0 : 1.0;
    limits.limits[limits.count++] = {.is_upper = is_upper,
                                     .gap = is_upper ? upper - q : q - lower,
                                     .rate = sign * v,
                                     .speed = std::abs(v),
                                     .first = dof,
                                     .slope = sign * Vector3d::UnitX(),
                                     .memory = dof};
  }
}

bool HasInertiaAbout(const Vector3d& axis_B, const Vector3d& p_BJ, const MassProperties& carried,
                     double more) {
  const Vector3d r = carried.p_BBcm - p_BJ;
  const double lever2 = r.cross(axis_B).squaredNorm();
  const double moment = axis_B.dot(carried.I_BBcm_B * axis_B);
  const double rounding = 1e-12 * carried.I_BBcm_B.trace() + 1e-24 * carried.mass * r.squaredNorm();
  return more + moment + carried.mass * lever2 > rounding;
}

bool HasFullRank(const Matrix3d& I) {
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
  return moments[0] > 1e-12 * moments[2];
}

}  // namespace stiction

#include "geometry/principal_axes.h"

#include <array>
#include <cmath>
#include <utility>

namespace stiction {
namespace {

constexpr double kRounding = 1e-12;  // of the trace
constexpr int kMaxRotations = 100;   // convergence is quadratic: about ten

// The place of the largest product of inertia.
std::array<int, 2> FindLargestProduct(const Matrix3d& I) {
  const double xy = std::abs(I(0, 1)), xz = std::abs(I(0, 2)), yz = std::abs(I(1, 2));
  if (xy > xz && xy > yz) return {0, 1};
  if (xz > yz) return {0, 2};
  return {1, 2};
}

// In the plane of two axes, by the smaller of the angles that make their product zero.
Matrix3d RotateProductAway(const Matrix3d& I, int a, int b) {
  const double tau = (I(b, b) - I(a, a)) / (2.0 * I(a, b));
  const double tangent = std::copysign(1.0 / (std::abs(tau) + std::hypot(1.0, tau)), tau);
  const double c = 1.0 / std::hypot(1.0, tangent), s = tangent * c;
  Matrix3d R = Matrix3d::Identity();
  R(a, a) = R(b, b) = c;
  R(a, b) = s;
  R(b, a) = -s;
  return R;
}

}  // namespace

Matrix3d FindPrincipalAxes(const Matrix3d& I) {
  const double rounding = kRounding * I.trace();
  Matrix3d R = Matrix3d::Identity(), in_R = I;
  for (int i = 0; i < kMaxRotations; ++i) {
    const auto [a, b] = FindLargestProduct(in_R);
    if (!(std::abs(in_R(a, b)) > rounding)) break;
    R = (R * RotateProductAway(in_R, a, b)).eval();
    in_R = R.transpose() * I * R;
  }
  Vector3d moments = in_R.diagonal();
  for (const int a : {0, 1, 0}) {
    if (!(moments[a + 1] > moments[a] + rounding)) continue;
    std::swap(moments[a], moments[a + 1]);
    R.col(a).swap(R.col(a + 1));
    R.col(a + 1) *= -1.0;
  }
  return R;
}

}  // namespace stiction

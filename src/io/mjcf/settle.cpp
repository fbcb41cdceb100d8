#include "io/mjcf/settle.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "math/settle.h"
#include "stiction/math/rotation.h"

namespace stiction::mjcf {
namespace {

// The x with function(x) = target that is nearest to inverse(target). Where there is none, that for the value
// which the file then has: the next time it is the target.
template <typename Function, typename Inverse>
double FindPreimage(double target, Function&& function, Inverse&& inverse) {
  constexpr int kReach = 4;  // units in the last place
  for (int pass = 0; pass < 2; ++pass) {
    double below = inverse(target), above = below;
    for (int i = 0; i <= kReach; ++i) {
      if (function(below) == target) return below;
      if (function(above) == target) return above;
      below = std::nextafter(below, -std::numeric_limits<double>::infinity());
      above = std::nextafter(above, std::numeric_limits<double>::infinity());
    }
    target = function(inverse(target));
  }
  return inverse(target);
}

}  // namespace

Matrix3d RotationAsRead(const Wxyz& wxyz) {
  return QuaternionFromWxyz(wxyz.data()).normalized().toRotationMatrix();
}

Wxyz SettleRotation(const Matrix3d& R) {
  const auto to_wxyz = [](const Matrix3d& rotation) {
    Wxyz wxyz;
    QuaternionToWxyz(Quaterniond(rotation), wxyz.data());
    for (double& x : wxyz) x = RoundTo15Places(x);
    return wxyz;
  };
  if (R.isIdentity(0.0)) return {1.0, 0.0, 0.0, 0.0};
  return Settle(to_wxyz(R), [&](const Wxyz& wxyz) { return to_wxyz(RotationAsRead(wxyz)); });
}

Wxyz SettleQuaternion(const double* wxyz) {
  return Settle(Wxyz{wxyz[0], wxyz[1], wxyz[2], wxyz[3]}, [](const Wxyz& before) {
    Wxyz after;
    Eigen::Map<Eigen::Vector4d>(after.data()) = Eigen::Vector4d(before.data()).normalized();
    return after;
  });
}

Vector3d SettleAxis(const Vector3d& axis) {
  using Numbers = std::array<double, 3>;
  const Numbers settled = Settle(Numbers{axis.x(), axis.y(), axis.z()}, [](const Numbers& before) {
    Vector3d unit(before.data());
    unit.normalize();
    return Numbers{unit.x(), unit.y(), unit.z()};
  });
  return Vector3d(settled.data());
}

// To 13 decimal places of the largest: what rounding leaves of RᵀR - 1 would else change them in every round.
Vector3d SettleMoments(const Wxyz& axes, const Matrix3d& I) {
  using Numbers = std::array<double, 3>;
  const Matrix3d R = RotationAsRead(axes);
  const double grid = std::pow(10.0, 13.0 - std::floor(std::log10(I.trace())));
  const auto take_apart = [&](const Matrix3d& inertia) {
    const Vector3d moments = (R.transpose() * inertia * R).diagonal();
    Numbers rounded;
    for (int i = 0; i < 3; ++i) rounded[i] = std::round(grid * moments[i]) / grid;
    return rounded;
  };
  const Numbers settled = Settle(take_apart(I), [&](const Numbers& before) {
    const Matrix3d read = R * Vector3d(before.data()).asDiagonal() * R.transpose();
    return take_apart(0.5 * (read + read.transpose()));
  });
  return Vector3d(settled.data());
}

double SettleDegrees(double radians) {
  return FindPreimage(
      radians, [](double degrees) { return degrees * std::numbers::pi / 180.0; },
      [](double angle) { return angle * 180.0 / std::numbers::pi; });
}

double SettleDifference(double a, double b) {
  return FindPreimage(
      a, [b](double x) { return x + b; }, [b](double x) { return x - b; });
}

Vector3d SettleOrigin(const Matrix3d& R_BF, const Vector3d& p_FG, const Vector3d& p_BG) {
  const Vector3d turned = R_BF * p_FG;
  Vector3d p_BF;
  for (int i = 0; i < 3; ++i) {
    p_BF[i] = FindPreimage(
        p_BG[i],
        [&](double x) {
          return (RigidTransform{R_BF, Vector3d::Constant(x)} * p_FG)[i];
        },
        [&](double x) { return x - turned[i]; });
  }
  return p_BF;
}

}  // namespace stiction::mjcf

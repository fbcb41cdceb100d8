#include "geometry/principal_axes.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using testing::RandomNumbers;

Matrix3d Columns(const Vector3d& x, const Vector3d& y, const Vector3d& z) {
  Matrix3d R;
  R << x, y, z;
  return R;
}

TEST(PrincipalAxes, SortByQuarterTurns) {
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  const auto find = [](double xx, double yy, double zz) {
    return FindPrincipalAxes(Vector3d(xx, yy, zz).asDiagonal());
  };
  EXPECT_EQ(find(2.5, 2, 1), Columns(x, y, z));
  EXPECT_EQ(find(2.5, 1, 2), Columns(x, z, -y));
  EXPECT_EQ(find(2, 2.5, 1), Columns(y, -x, z));
  EXPECT_EQ(find(1, 2.5, 2), Columns(y, z, x));
  EXPECT_EQ(find(2, 1, 2.5), Columns(z, -x, -y));
  EXPECT_EQ(find(1, 2, 2.5), Columns(z, -y, x));
  EXPECT_EQ(find(2, 2, 2), Columns(x, y, z)) << "equal moments turn nothing";
  EXPECT_EQ(find(2, 2, 2 * (1 + 1e-14)), Columns(x, y, z)) << "nor does rounding";
  EXPECT_EQ(FindPrincipalAxes(Matrix3d::Zero()), Columns(x, y, z));
}

// Frames that are turned by little are found as they were turned, whatever the scale: up to the products that
// count as rounding, 1e-12 of the trace, by the least difference of two moments.
TEST(PrincipalAxes, AreTheNearestOfAllThatDoIt) {
  constexpr double kBound = 2.0 * std::numbers::sqrt2 * 1e-12 * 6.5 / 0.5;
  RandomNumbers random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const Matrix3d R = Eigen::AngleAxisd(0.3, random.Vector3().normalized()).toRotationMatrix();
    const double scale = random.LogUniform(1e-12, 1e6);
    const Matrix3d I = scale * R * Vector3d(3.0, 2.0, 1.5).asDiagonal() * R.transpose();
    EXPECT_LT((FindPrincipalAxes(0.5 * (I + I.transpose())) - R).norm(), kBound) << trial;
  }
}

TEST(PrincipalAxes, DiagonalizeAnyInertia) {
  RandomNumbers random(8);
  for (int trial = 0; trial < 1000; ++trial) {
    const Matrix3d I = random.PositiveDefinite(3);
    const Matrix3d R = FindPrincipalAxes(I), D = R.transpose() * I * R;
    EXPECT_LT((R.transpose() * R - Matrix3d::Identity()).norm(), 1e-13);
    EXPECT_NEAR(R.determinant(), 1.0, 1e-13);
    EXPECT_LT((D - Matrix3d(D.diagonal().asDiagonal())).norm(), 1e-11 * I.trace());
    EXPECT_GE(D(0, 0), D(1, 1));
    EXPECT_GE(D(1, 1), D(2, 2));
  }
}

}  // namespace
}  // namespace stiction

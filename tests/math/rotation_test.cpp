#include "stiction/math/rotation.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "stiction/math/rigid_transform.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::RandomNumbers;

constexpr double kRotationTolerance = 1e-14;  // a few dozen roundings of numbers near one

TEST(Rotation, WxyzOrderIsKeptBothWays) {
  const double wxyz[4] = {0.1, 0.2, 0.3, 0.4};
  const Quaterniond quat = QuaternionFromWxyz(wxyz);
  EXPECT_EQ(quat.w(), 0.1);
  EXPECT_EQ(quat.x(), 0.2);
  EXPECT_EQ(quat.z(), 0.4);
  double back[4];
  QuaternionToWxyz(quat, back);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(back[i], wxyz[i]);
}

TEST(Rotation, SkewIsTheCrossProduct) {
  RandomNumbers random(1);
  for (int i = 0; i < 100; ++i) {
    const Vector3d a = random.Vector3(), b = random.Vector3();
    EXPECT_LT((Skew(a) * b - a.cross(b)).norm(), kRotationTolerance);
  }
}

// Angles from far below the series' threshold to several turns.
TEST(Rotation, ExpEqualsAngleAxis) {
  RandomNumbers random(2);
  for (double angle : {0.0, 1e-300, 1e-12, 9.9e-5, 1.01e-4, 0.3, 1.0, 3.0, M_PI, 4.0, 20.0}) {
    const Vector3d axis = random.Vector3().normalized();
    const Quaterniond exp = QuaternionExp(angle * axis);
    EXPECT_NEAR(exp.norm(), 1.0, kRotationTolerance);
    const Matrix3d R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    EXPECT_LT((exp.toRotationMatrix() - R).norm(), kRotationTolerance * (1.0 + angle));
  }
}

TEST(Rotation, LogInvertsExpBelowAHalfTurn) {
  RandomNumbers random(3);
  for (double angle : {0.0, 1e-300, 1e-12, 1e-9, 1e-8, 1e-4, 0.3, 1.0, 3.0, 3.1415}) {
    const Vector3d w = angle * random.Vector3().normalized();
    EXPECT_LE((QuaternionLog(QuaternionExp(w)) - w).norm(), kRotationTolerance * angle);
  }
}

TEST(Rotation, LogTakesTheShorterWayRound) {
  RandomNumbers random(4);
  for (int i = 0; i < 100; ++i) {
    const Quaterniond quat = Quaterniond(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1),
                                         random.Uniform(-1, 1))
                                 .normalized();
    const Vector3d w = QuaternionLog(quat);
    EXPECT_LE(w.norm(), M_PI * (1.0 + 1e-15));
    EXPECT_LT((QuaternionLog(Quaterniond(-quat.coeffs())) - w).norm(), kRotationTolerance);
    EXPECT_LT((QuaternionExp(w).toRotationMatrix() - quat.toRotationMatrix()).norm(), kRotationTolerance);
  }
}

TEST(Rotation, LogOfAHalfTurnIsAHalfTurn) {
  EXPECT_NEAR(QuaternionLog(Quaterniond(0, 0, 1, 0)).norm(), M_PI, kRotationTolerance);
  EXPECT_EQ(QuaternionLog(Quaterniond(-1, 0, 0, 0)).norm(), 0.0);
}

// Some quaternions a division by their size changes in every step anew.
TEST(Rotation, TurnByNothingChangesNoBit) {
  const double fallen[4] = {0.8062573862012943, 0.004711493302145318, 0.5915279994768852,
                            -0.004631939290974793};
  double wxyz[4];
  QuaternionToWxyz(QuaternionFromWxyz(fallen).normalized(), wxyz);
  EXPECT_NE(wxyz[0], fallen[0]);
  std::copy_n(fallen, 4, wxyz);
  TurnWxyz(Vector3d(0.0, -0.0, 0.0), wxyz);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(wxyz[i], fallen[i]);
  TurnWxyz(Vector3d(0.1, -0.2, 0.3), wxyz);
  const Quaterniond expected = QuaternionFromWxyz(fallen) * QuaternionExp(Vector3d(0.1, -0.2, 0.3));
  EXPECT_LT((QuaternionFromWxyz(wxyz).coeffs() - expected.coeffs()).norm(), 1e-15);
}

TEST(Rotation, CayleyEqualsItsMatrixForm) {
  RandomNumbers random(5);
  for (double bound : {1e-12, 1e-3, 1.0, 100.0}) {
    const Vector3d w = random.Vector3(bound);
    const Matrix3d half = 0.5 * Skew(w), one = Matrix3d::Identity();
    const Matrix3d R = (one - half).inverse() * (one + half);
    // The inverse by cofactors cancels numbers of size |w|².
    EXPECT_LT((QuaternionCayley(w).toRotationMatrix() - R).norm(),
              kRotationTolerance * (1.0 + w.squaredNorm()));
  }
}

TEST(Rotation, CayleyAgreesWithExpToThirdOrder) {
  const Vector3d u = Vector3d(1, -2, 3).normalized();
  // tan(a/2) = a/2 + a³/24: the angles differ by a³/12.
  for (double angle : {1e-2, 1e-3}) {
    const double difference = angle - QuaternionLog(QuaternionCayley(angle * u)).norm();
    EXPECT_NEAR(difference / std::pow(angle, 3), 1.0 / 12.0, 1e-4);  // next term: a²/80 of it, and rounding
  }
}

TEST(Rotation, MatricesAreOrthogonalAndRightHanded) {
  RandomNumbers random(6);
  for (int i = 0; i < 100; ++i) {
    const Vector3d w = random.Vector3(4.0);
    for (const Quaterniond& quat : {QuaternionExp(w), QuaternionCayley(w)}) {
      const Matrix3d R = quat.toRotationMatrix();
      EXPECT_LT((R.transpose() * R - Matrix3d::Identity()).norm(), kRotationTolerance);
      EXPECT_NEAR(R.determinant(), 1.0, kRotationTolerance);
    }
  }
}

TEST(RigidTransform, ComposesLikeHomogeneousMatrices) {
  RandomNumbers random(7);
  const auto draw = [&] {
    return RigidTransform{QuaternionExp(random.Vector3(3)).toRotationMatrix(), random.Vector3(2)};
  };
  const auto matrix = [](const RigidTransform& X) {
    Eigen::Matrix4d M = Eigen::Matrix4d::Identity();
    M.topLeftCorner<3, 3>() = X.R;
    M.topRightCorner<3, 1>() = X.p;
    return M;
  };
  const RigidTransform X_AB = draw(), X_BC = draw();
  EXPECT_LT((matrix(X_AB * X_BC) - matrix(X_AB) * matrix(X_BC)).norm(), kRotationTolerance);
  EXPECT_LT((matrix(X_AB.Inverse()) - matrix(X_AB).inverse()).norm(), kRotationTolerance);
  const Vector3d p_BQ = random.Vector3();
  EXPECT_LT((X_AB.Inverse() * (X_AB * p_BQ) - p_BQ).norm(), kRotationTolerance);
}

}  // namespace
}  // namespace stiction

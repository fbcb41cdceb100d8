#include <gtest/gtest.h>

#include "math/spatial_algebra.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::RandomNumbers;

constexpr double kInertiaTolerance = 1e-13;  // sums of six products of numbers up to ten

struct Draw {
  double mass;
  Vector3d p;
  Matrix3d I_cm;
};

Draw DrawBody(RandomNumbers& random) {
  return {random.Uniform(0.5, 5.0), random.Vector3(), random.PositiveDefinite(3)};
}

// Takes the motion of a body at the reference point to its motion at p.
Matrix6d MakeMotionShift(const Vector3d& p) {
  Matrix6d X = Matrix6d::Identity();
  X.bottomLeftCorner<3, 3>() = -Skew(p);
  return X;
}

TEST(SpatialInertia, ShiftsCentralInertiaLikeADenseCongruence) {
  RandomNumbers random(1);
  for (int i = 0; i < 20; ++i) {
    const Draw body = DrawBody(random);
    Matrix6d central = Matrix6d::Zero();
    central.topLeftCorner<3, 3>() = body.I_cm;
    central.bottomRightCorner<3, 3>() = body.mass * Matrix3d::Identity();
    const Matrix6d X = MakeMotionShift(body.p);
    const Matrix6d expected = X.transpose() * central * X;
    const SpatialInertia M = MakeSpatialInertia(body.mass, body.p, body.I_cm);
    EXPECT_LT((ToMatrix(M) - expected).norm(), kInertiaTolerance);
  }
}

TEST(SpatialInertia, OperatorEqualsItsMatrix) {
  RandomNumbers random(2);
  for (int i = 0; i < 20; ++i) {
    const Draw body = DrawBody(random);
    const SpatialInertia M = MakeSpatialInertia(body.mass, body.p, body.I_cm);
    const Vector6d V = random.Vector(6, 2.0);
    EXPECT_LT((M * V - ToMatrix(M) * V).norm(), kInertiaTolerance);
  }
}

TEST(SpatialInertia, SumActsOnBothBodies) {
  RandomNumbers random(3);
  const Draw a = DrawBody(random), b = DrawBody(random);
  const SpatialInertia A = MakeSpatialInertia(a.mass, a.p, a.I_cm);
  const SpatialInertia B = MakeSpatialInertia(b.mass, b.p, b.I_cm);
  SpatialInertia sum = A;
  sum += B;
  const Vector6d V = random.Vector(6, 2.0);
  EXPECT_LT((sum * V - A * V - B * V).norm(), kInertiaTolerance);
  EXPECT_EQ(sum.mass, a.mass + b.mass);
}

TEST(SpatialInertia, KineticEnergyIsThatOfPointMasses) {
  RandomNumbers random(4);
  SpatialInertia M;
  const Vector6d V = random.Vector(6, 2.0);
  double energy = 0.0;
  for (int i = 0; i < 10; ++i) {
    const double mass = random.Uniform(0.1, 1.0);
    const Vector3d p = random.Vector3();
    M += MakeSpatialInertia(mass, p, Matrix3d::Zero());
    energy += 0.5 * mass * (V.tail<3>() + V.head<3>().cross(p)).squaredNorm();
  }
  EXPECT_NEAR(0.5 * V.dot(M * V), energy, kInertiaTolerance * energy);
}

// A vector carried along by V for a time h changes by h V × S: compare with the motion transform itself.
TEST(SpatialCross, MotionIsTheRateOfACarriedVector) {
  RandomNumbers random(5);
  const Vector6d V = random.Vector(6), S = random.Vector(6);
  const auto carry = [&](double h) {
    const Matrix3d R = QuaternionExp(h * V.head<3>()).toRotationMatrix();
    const Vector3d p = h * V.tail<3>();  // of the carried frame, to first order
    Vector6d out;
    out.head<3>() = R * S.head<3>();
    out.tail<3>() = R * S.tail<3>() + p.cross(R * S.head<3>());
    return out;
  };
  const double h = 1e-6;
  const Vector6d rate = (carry(h) - carry(-h)) / (2.0 * h);
  EXPECT_LT((CrossMotion(V, S) - rate).norm(), 1e-9);  // rounding over h; the truncation is h²
}

TEST(SpatialCross, ForceIsDualToMotion) {
  RandomNumbers random(6);
  for (int i = 0; i < 20; ++i) {
    const Vector6d V = random.Vector(6), S = random.Vector(6), F = random.Vector(6);
    EXPECT_NEAR(CrossMotion(V, S).dot(F), -S.dot(CrossForce(V, F)), kInertiaTolerance);
    EXPECT_LT(CrossMotion(V, V).norm(), kInertiaTolerance);
  }
}

}  // namespace
}  // namespace stiction

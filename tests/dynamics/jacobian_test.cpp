#include "stiction/dynamics/jacobian.h"

#include <gtest/gtest.h>

#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

// A point of every body, by its place in the body.
const Vector3d kPointInB(0.3, -0.2, 0.4);

TEST(Jacobian, ColumnsMatchFiniteDifferencesOfPositions) {
  constexpr double kStep = 1e-5;  // truncation and rounding balance
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    MovingModel probe = moving;
    const int body = 1 + seed % kNumBodies;
    Matrix3Xd J, J_fd(3, moving.model.nv());
    CalcPointJacobian(moving.model, moving.kin, body, moving.kin.X_WB[body] * kPointInB, J);
    for (int k = 0; k < moving.model.nv(); ++k) {
      probe.v = VectorXd::Unit(moving.model.nv(), k);
      J_fd.col(k) = (probe.Advanced(kStep).kin.X_WB[body] * kPointInB -
                     probe.Advanced(-kStep).kin.X_WB[body] * kPointInB) /
                    (2 * kStep);
    }
    worst = std::max(worst, RelativeError(J, J_fd));
  }
  EXPECT_LT(worst, 1e-9);  // ten times the largest over the seeds
}

TEST(Jacobian, TimesVelocityGivesTheVelocityOfTheSweep) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    Matrix3Xd J;
    for (int b = 0; b < moving.model.num_bodies(); ++b) {
      const Vector3d p_WQ = moving.kin.X_WB[b] * kPointInB;
      CalcPointJacobian(moving.model, moving.kin, b, p_WQ, J);
      worst = std::max(
          worst, RelativeError(Vector3d(J * moving.v), CalcPointVelocity(moving.model, moving.kin, b, p_WQ)));
      CalcAngularJacobian(moving.model, moving.kin, b, J);
      worst = std::max(worst, RelativeError(Vector3d(J * moving.v), CalcAngularVelocity(moving.kin, b)));
    }
  }
  EXPECT_LT(worst, 1e-14);  // rounding of sums over the branch
}

TEST(Jacobian, OfAFixedBodyIsZero) {
  const MovingModel moving = MovingModel::MakeRandom(1);
  Matrix3Xd J = Matrix3Xd::Constant(3, moving.model.nv(), std::numeric_limits<double>::infinity());
  CalcPointJacobian(moving.model, moving.kin, 0, kPointInB, J);
  EXPECT_TRUE(J.isZero(0.0));
}

}  // namespace
}  // namespace stiction::testing

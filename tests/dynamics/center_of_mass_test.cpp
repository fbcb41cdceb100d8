#include "stiction/dynamics/center_of_mass.h"

#include <gtest/gtest.h>

#include "stiction/dynamics/energy.h"
#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

bool IsInSubtree(const Model& model, int body, int root) {
  while (body > root) body = model.bodies[body].parent;
  return body == root;
}

TEST(CenterOfMass, OfASubtreeIsTheWeightedMeanOfItsBodies) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    const int root = 1 + seed % kNumBodies;
    Vector3d moment = Vector3d::Zero();
    double mass = 0.0;
    for (int b = 1; b < moving.model.num_bodies(); ++b) {
      if (!IsInSubtree(moving.model, b, root)) continue;
      mass += moving.model.bodies[b].inertia.mass;
      moment +=
          moving.model.bodies[b].inertia.mass * (moving.kin.X_WB[b] * moving.model.bodies[b].inertia.p_BBcm);
    }
    EXPECT_NEAR(CalcMass(moving.model, root), mass, 1e-14 * mass);
    worst = std::max(worst, RelativeError(CalcCenterOfMass(moving.model, moving.kin, root), moment / mass));
  }
  EXPECT_LT(worst, 1e-14);  // rounding
}

TEST(CenterOfMass, MovesWithTheMomentumOfAllBodies) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    Matrix3Xd J;
    CalcCenterOfMassJacobian(moving.model, moving.kin, J);
    Vector3d linear, angular;
    CalcMomentum(moving.model, moving.kin, linear, angular);
    worst = std::max(worst, RelativeError(Vector3d(J * moving.v), linear / CalcMass(moving.model)));
  }
  EXPECT_LT(worst, 2e-14);  // rounding of sums over branches
}

TEST(CenterOfMass, JacobianOfASubtreeMatchesFiniteDifferences) {
  constexpr double kStep = 1e-5;  // truncation and rounding balance
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    const MovingModel before = moving.Advanced(-kStep), after = moving.Advanced(kStep);
    const int root = 1 + seed % kNumBodies;
    Matrix3Xd J;
    CalcCenterOfMassJacobian(moving.model, moving.kin, J, root);
    const Vector3d velocity =
        (CalcCenterOfMass(after.model, after.kin, root) - CalcCenterOfMass(before.model, before.kin, root)) /
        (2 * kStep);
    worst = std::max(worst, RelativeError(Vector3d(J * moving.v), velocity));
  }
  EXPECT_LT(worst, 1e-8);  // ten times the largest over the seeds
}

}  // namespace
}  // namespace stiction::testing

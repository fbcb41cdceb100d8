#include "stiction/dynamics/aba.h"

#include <gtest/gtest.h>

#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

VectorXd ForwardDynamics(const MovingModel& moving, const VectorXd& tau) {
  AbaWorkspace ws;
  VectorXd vdot;
  CalcForwardDynamics(moving.model, moving.kin, moving.v, tau, moving.model.options.gravity, ws, vdot);
  return vdot;
}

TEST(Aba, MatchesSolvingWithTheMassMatrix) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    const VectorXd tau = Random(seed).Vector(moving.model.nv(), 10.0);
    BranchSparseMatrix M(MakeMassMatrixPattern(moving.model));
    CrbaWorkspace ws;
    CalcMassMatrix(moving.model, moving.kin, ws, M);
    BranchSparseFactor factor;
    ASSERT_EQ(factor.Factor(M), -1);
    VectorXd vdot = tau - Bias(moving);
    factor.Solve(vdot.data());
    worst = std::max(worst, RelativeError(ForwardDynamics(moving, tau), vdot));
  }
  EXPECT_LT(worst, 1e-12);  // ten times the largest over the seeds: rounding, magnified by M's condition
}

TEST(Aba, InverseDynamicsReturnsTheForces) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    const VectorXd tau = Random(seed).Vector(moving.model.nv(), 10.0);
    RneaWorkspace ws;
    VectorXd returned;
    CalcInverseDynamics(moving.model, moving.kin, moving.v, ForwardDynamics(moving, tau),
                        moving.model.options.gravity, ws, returned);
    worst = std::max(worst, RelativeError(returned, tau));
  }
  EXPECT_LT(worst, 1e-12);  // ten times the largest over the seeds
}

TEST(Aba, FreeBodiesFall) {
  ModelBuilder builder;
  for (int i = 0; i < 3; ++i) {
    const int b = builder.AddBody({.X_PB = {.p = {0.0, 0.0, 1.0 * i}}});
    builder.SetInertia(b, CalcSolidMassProperties(Box{{0.1, 0.2, 0.3}}, 1.0 + i));
    builder.AddJoint(b, {.kind = FreeJoint{}});
  }
  const Model model = builder.Build();
  const MovingModel moving(model, MakeRandomConfiguration(model, 2), VectorXd::Zero(18));
  const VectorXd vdot = ForwardDynamics(moving, VectorXd::Zero(18));
  for (int i = 0; i < 3; ++i) {
    // Rounding.
    EXPECT_LT((vdot.segment<3>(6 * i) - model.options.gravity).norm(), 1e-14);
    EXPECT_LT(vdot.segment<3>(6 * i + 3).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace stiction::testing

#include "stiction/dynamics/rnea.h"

#include <gtest/gtest.h>

#include "stiction/dynamics/energy.h"
#include "stiction/math/rotation.h"
#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

MovingModel At(const MovingModel& moving, const VectorXd& q) {
  MovingModel moved = moving;
  moved.q = q;
  moved.Update();
  return moved;
}

double GravityPotential(const MovingModel& moving) {
  return CalcEnergy(moving.model, moving.kin, moving.q, moving.v).potential;
}

// Lagrange: h = Ṁ v - ½ ∂(vᵀ M v)/∂q + ∂U/∂q, by central differences. Only where v = q̇.
VectorXd LagrangianBias(const MovingModel& moving) {
  constexpr double kStep = 1e-5;  // truncation and rounding balance
  const VectorXd& v = moving.v;
  const MatrixXd M_after = DenseMassMatrix(At(moving, moving.q + kStep * v));
  const MatrixXd M_before = DenseMassMatrix(At(moving, moving.q - kStep * v));
  VectorXd h = (M_after - M_before) * v / (2 * kStep);
  for (int k = 0; k < v.size(); ++k) {
    const VectorXd step = kStep * VectorXd::Unit(v.size(), k);
    const MovingModel after = At(moving, moving.q + step), before = At(moving, moving.q - step);
    const double kinetic = 0.5 * v.dot((DenseMassMatrix(after) - DenseMassMatrix(before)) * v);
    h[k] += (GravityPotential(after) - GravityPotential(before) - kinetic) / (2 * kStep);
  }
  return h;
}

TEST(Rnea, BiasMatchesLagrangesEquations) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed, JointSet::kScalar);
    worst = std::max(worst, RelativeError(Bias(moving), LagrangianBias(moving)));
  }
  EXPECT_LT(worst, 5e-9);  // ten times the largest over the seeds
}

TEST(Rnea, InverseDynamicsIsMassTimesAccelerationPlusBias) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    const VectorXd vdot = Random(seed).Vector(moving.model.nv(), 10.0);
    RneaWorkspace ws;
    VectorXd tau;
    CalcInverseDynamics(moving.model, moving.kin, moving.v, vdot, moving.model.options.gravity, ws, tau);
    worst = std::max(worst, RelativeError(tau, DenseMassMatrix(moving) * vdot + Bias(moving)));
  }
  EXPECT_LT(worst, 2e-14);  // ten times the largest over the seeds: rounding
}

TEST(Rnea, HangingPendulumNeedsNoTorqueAndALevelOneItsMoment) {
  ModelBuilder builder;
  const int bob = builder.AddBody({.name = "bob"});
  builder.SetInertia(bob, {.mass = 2.0, .p_BBcm = {0.0, 0.0, -0.5}, .I_BBcm_B = Matrix3d::Identity()});
  builder.AddJoint(bob, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
  const Model model = builder.Build();
  const VectorXd at_rest = VectorXd::Zero(1);
  EXPECT_EQ(Bias(MovingModel(model, VectorXd::Zero(1), at_rest))[0], 0.0);
  // m g l; rounding.
  const double angle = std::acos(0.0);
  EXPECT_NEAR(Bias(MovingModel(model, VectorXd::Constant(1, angle), at_rest))[0], 2.0 * 9.81 * 0.5, 1e-14);
}

TEST(Rnea, SpinningFreeBodyFeelsTheGyroscopicMoment) {
  ModelBuilder builder;
  builder.options().gravity.setZero();
  const int box = builder.AddBody({.name = "box"});
  const MassProperties solid = CalcSolidMassProperties(Box{{0.1, 0.2, 0.3}}, 2.0);
  builder.SetInertia(box, solid);
  builder.AddJoint(box, {.kind = FreeJoint{}});
  const Model model = builder.Build();
  VectorXd v(6);
  v << 3.0, -2.0, 1.0, 5.0, 7.0, -4.0;  // the straight flight must not matter
  const MovingModel moving(model, MakeRandomConfiguration(model, 5), v);
  const Vector3d w_B = v.tail<3>();
  VectorXd expected = VectorXd::Zero(6);
  expected.tail<3>() = w_B.cross(solid.I_BBcm_B * w_B);
  EXPECT_LT(RelativeError(Bias(moving), expected), 1e-14);  // rounding
}

}  // namespace
}  // namespace stiction::testing

// Tendons with an armature: in M, the bias, energy and forward dynamics.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/dynamics/aba.h"
#include "stiction/dynamics/energy.h"
#include "stiction/dynamics/tendon.h"
#include "tests/dynamics/moving_model.h"
#include "tests/io/model_text.h"

namespace stiction::testing {
namespace {

constexpr double kArmature = 1.7;

MovingModel Moving(const Model& model, unsigned seed) {
  return {model, MakeRandomConfiguration(model, seed), MakeRandomVelocity(model, seed)};
}

// Five links in a row; sites on three of them and on the world.
Model MakeChain(const std::string& tendon) {
  std::string begin, end;
  for (int i = 0; i < 5; ++i) {
    begin += "<body name='b" + std::to_string(i) + "' pos='0.1 0.2 -0.4'><joint axis='" +
             (i % 2 == 0 ? "0 1 0.3" : "1 0 0") + "'/><geom size='0.1' pos='0 0.1 0'/><site name='s" +
             std::to_string(i) + "' pos='0.1 0 0.2'/>";
    end += "</body>";
  }
  return LoadText("<mujoco><option gravity='0 0 0'/><worldbody><site name='w' pos='1 0 0.5'/>" + begin + end +
                  "</worldbody><tendon>" + tendon + "</tendon></mujoco>");
}

Model MakeSpatialChain() {
  return MakeChain(
      "<spatial armature='" + std::to_string(kArmature) +
      "'><site site='w'/><site site='s1'/><site site='s3'/><pulley divisor='2'/><site site='s0'/>"
      "<site site='s4'/></spatial>");
}

// The bias from the derivatives of M alone, by Lagrange's equations without gravity.
VectorXd LagrangeBias(const MovingModel& moving) {
  constexpr double kStep = 1e-6;
  const int n = moving.model.nv();
  VectorXd h = VectorXd::Zero(n);
  for (int k = 0; k < n; ++k) {
    MovingModel up = moving, down = moving;
    up.q[k] += kStep, down.q[k] -= kStep;
    up.Update(), down.Update();
    const MatrixXd slope = (DenseMassMatrix(up) - DenseMassMatrix(down)) / (2.0 * kStep);
    h += slope * moving.v * moving.v[k];
    h[k] -= 0.5 * moving.v.dot(slope * moving.v);
  }
  return h;
}

TEST(TendonInertia, OfAPointOnALineHasItsClosedForm) {
  // A point at distance ℓ: M = m 1 + a u uᵀ, and L̈ without acceleration is |v⊥|² / ℓ.
  const Model model = LoadText(
      "<mujoco><option gravity='0 0 0'/><worldbody><site name='w'/><body pos='3 4 0'>"
      "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
      "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/><site name='s'/></body></worldbody>"
      "<tendon><spatial armature='1.7'><site site='w'/><site site='s'/></spatial></tendon></mujoco>");
  const MovingModel moving(model, model.q0, Vector3d(1, -2, 3));
  const Vector3d u(0.6, 0.8, 0.0), v(1, -2, 3);
  const Matrix3d M = 2.0 * Matrix3d::Identity() + kArmature * u * u.transpose();
  EXPECT_LT((DenseMassMatrix(moving) - M).norm(), 1e-14);
  const double rate = (v.squaredNorm() - std::pow(u.dot(v), 2)) / 5.0;
  EXPECT_LT((Bias(moving) - VectorXd(kArmature * rate * u)).norm(), 1e-14);
}

TEST(TendonInertia, AddsTheGradientTwiceToTheMassMatrix) {
  const Model model = MakeSpatialChain();
  Model bare = model;
  bare.tendon_inertia = {};
  for (unsigned seed = 0; seed < 5; ++seed) {
    const MovingModel moving = Moving(model, seed), without = Moving(bare, seed);
    TendonWorkspace ws;
    ws.Resize(model);
    CalcTendons(model, moving.kin, moving.q, ws);
    VectorXd J = VectorXd::Zero(model.nv());
    AddTendonForce(ws, 0, 1.0, J);
    const MatrixXd added = kArmature * J * J.transpose();
    EXPECT_LT(RelativeError(DenseMassMatrix(moving), MatrixXd(DenseMassMatrix(without) + added)), 1e-13);
  }
}

TEST(TendonInertia, BiasIsThatOfLagrangesEquations) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const MovingModel moving = Moving(MakeSpatialChain(), seed);
    // Central differences with a step of 1e-6: 1e-9 of M's third derivatives and of round-off.
    EXPECT_LT(RelativeError(Bias(moving), LagrangeBias(moving)), 1e-7) << seed;
  }
}

TEST(TendonInertia, InverseAndForwardDynamicsAgreeWithMassMatrixAndEnergy) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const MovingModel moving = Moving(MakeSpatialChain(), seed);
    const VectorXd vdot = MakeRandomVelocity(moving.model, seed + 100);
    const MatrixXd M = DenseMassMatrix(moving);
    RneaWorkspace rnea;
    AbaWorkspace aba;
    VectorXd tau, back;
    CalcInverseDynamics(moving.model, moving.kin, moving.v, vdot, Vector3d::Zero(), rnea, tau);
    EXPECT_LT(RelativeError(tau, VectorXd(M * vdot + Bias(moving))), 1e-12);
    CalcForwardDynamics(moving.model, moving.kin, moving.v, tau, Vector3d::Zero(), aba, back);
    EXPECT_LT(RelativeError(back, vdot), 1e-9);
    const double energy = CalcEnergy(moving.model, moving.kin, moving.q, moving.v).kinetic;
    EXPECT_NEAR(energy, 0.5 * moving.v.dot(M * moving.v), 1e-12 * energy);
  }
}

TEST(TendonInertia, BetweenBranchesIsLeftOutAndSaid) {
  const std::string text =
      "<mujoco><worldbody><body><joint name='a'/><geom size='0.1'/></body>"
      "<body pos='1 0 0'><joint name='b'/><geom size='0.1'/></body></worldbody>"
      "<tendon><fixed armature='2'><joint joint='a' coef='3'/><joint joint='b' coef='-1'/></fixed></tendon>"
      "</mujoco>";
  ImportReport report;
  const Model model = LoadText(text, &report);
  const MovingModel moving(model, model.q0, Eigen::Vector2d(1, 2));
  const double ball = 0.4 * 1000.0 * 4.0 / 3.0 * M_PI * 1e-3 * 1e-2;
  EXPECT_LT((DenseMassMatrix(moving) - MatrixXd(Eigen::Vector2d(ball + 18, ball + 2).asDiagonal())).norm(),
            1e-13);
  const ImportItem* item = FindItem(report, "fixed[@armature]");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->status, ImportStatus::kApproximated);
}

TEST(TendonInertia, IsRefusedWhereItIsNegative) {
  const std::string message = LoadFailure(
      "<mujoco><worldbody><body><joint name='a'/><geom size='0.1'/></body></worldbody>\n"
      "<tendon><fixed armature='-1'><joint joint='a' coef='3'/></fixed></tendon></mujoco>");
  EXPECT_NE(message.find(":2: <fixed"), std::string::npos) << message;
  EXPECT_NE(message.find("armature"), std::string::npos) << message;
}

}  // namespace
}  // namespace stiction::testing

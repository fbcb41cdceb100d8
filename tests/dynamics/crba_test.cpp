#include "stiction/dynamics/crba.h"

#include <gtest/gtest.h>

#include "stiction/math/rotation.h"
#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

TEST(Crba, ColumnsMatchInverseDynamics) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    MovingModel moving = MovingModel::MakeRandom(seed);
    moving.v.setZero();
    moving.Update();
    const int nv = moving.model.nv();
    MatrixXd columns(nv, nv);
    RneaWorkspace ws;
    VectorXd tau;
    for (int k = 0; k < nv; ++k) {
      CalcInverseDynamics(moving.model, moving.kin, moving.v, VectorXd::Unit(nv, k), Vector3d::Zero(), ws,
                          tau);
      columns.col(k) = tau;
    }
    worst = std::max(worst, RelativeError(DenseMassMatrix(moving), columns));
  }
  EXPECT_LT(worst, 5e-15);  // ten times the largest over the seeds: rounding
}

TEST(Crba, MatchesJacobiansOfEveryBody) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    const Model& model = moving.model;
    MatrixXd M = MatrixXd::Zero(model.nv(), model.nv());
    for (int k = 0; k < model.nv(); ++k) M(k, k) = model.joints[model.dof_joint[k]].armature;
    for (int b = 1; b < model.num_bodies(); ++b) {
      MatrixXd J = MatrixXd::Zero(6, model.nv());  // of the body's mass centre, unlike S
      for (int k = model.bodies[b].last_dof; k >= 0; k = model.dof_parent[k]) {
        const Vector3d p_TBcm_W = moving.kin.p_WBcm[b] - moving.kin.p_WT[model.bodies[b].tree];
        J.col(k) = moving.kin.S.col(k);
        J.col(k).tail<3>() += J.col(k).head<3>().cross(p_TBcm_W);
      }
      const Matrix3d& R_WB = moving.kin.X_WB[b].R;
      M += J.topRows<3>().transpose() * R_WB * model.bodies[b].inertia.I_BBcm_B * R_WB.transpose() *
           J.topRows<3>();
      M += model.bodies[b].inertia.mass * J.bottomRows<3>().transpose() * J.bottomRows<3>();
    }
    worst = std::max(worst, RelativeError(DenseMassMatrix(moving), M));
  }
  EXPECT_LT(worst, 5e-15);  // ten times the largest over the seeds: rounding
}

TEST(Crba, PendulumHasItsInertiaAboutTheHinge) {
  ModelBuilder builder;
  const int rod = builder.AddBody({.name = "rod"});
  builder.AddGeom({.name = "rod", .body = rod, .shape = Cylinder{0.02, 0.5}, .X_BG = {.p = {0.0, 0.0, -0.5}}},
                  {.mass = 2.0});
  builder.AddJoint(rod, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}, .armature = 0.125});
  const Model model = builder.Build();
  const MovingModel pendulum(model, VectorXd::Constant(1, 0.7), VectorXd::Zero(1));
  // m (r²/4 + (2h)²/3) about the end, plus the rotor; rounding.
  EXPECT_NEAR(DenseMassMatrix(pendulum)(0, 0), 2.0 * (0.0001 + 1.0 / 3.0) + 0.125, 1e-15);
}

TEST(Crba, FreeBodyAtItsMassCentreHasADiagonalMatrix) {
  ModelBuilder builder;
  const int box = builder.AddBody({.name = "box"});
  const MassProperties solid = CalcSolidMassProperties(Box{{0.1, 0.2, 0.3}}, 2.0);
  builder.SetInertia(box, solid);
  builder.AddJoint(box, {.kind = FreeJoint{}});
  const Model model = builder.Build();
  MovingModel moving(model, MakeRandomConfiguration(model, 3), VectorXd::Zero(6));
  // Angular columns are in body axes: the principal moments stay on the diagonal at every attitude.
  MatrixXd expected = 2.0 * MatrixXd::Identity(6, 6);
  expected.bottomRightCorner<3, 3>() = solid.I_BBcm_B;
  EXPECT_LT(RelativeError(DenseMassMatrix(moving), expected), 1e-15);  // rounding
}

TEST(Crba, DofsOfOtherBranchesDoNotCouple) {
  const Model model = MakeRandomModel(7, kNumBodies);
  const BranchPattern pattern = MakeMassMatrixPattern(model);
  EXPECT_EQ(pattern.size(), model.nv());
  for (int k = 0; k < model.nv(); ++k) EXPECT_EQ(pattern.root(k), model.trees[model.dof_tree[k]].first_dof);
}

}  // namespace
}  // namespace stiction::testing

// Wrenches and forces on bodies, along three routes: the recursion of inverse dynamics, Jᵀ F, and the
// articulated body algorithm.
#include <gtest/gtest.h>

#include "stiction/dynamics/aba.h"
#include "stiction/dynamics/forces.h"
#include "stiction/dynamics/jacobian.h"
#include "stiction/dynamics/rnea.h"
#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

// With a random wrench on every body, the world included.
MovingModel MakePushed(unsigned seed) {
  MovingModel moving = MovingModel::MakeRandom(seed);
  Random random(seed + 4000);
  for (int b = 0; b < moving.model.num_bodies(); ++b) {
    moving.input.applied_wrench.col(b) = random.Vector(6, 20.0);
  }
  return moving;
}

VectorXd InverseDynamics(const MovingModel& moving, const VectorXd& vdot) {
  RneaWorkspace ws;
  VectorXd tau;
  CalcInverseDynamics(moving.model, moving.kin, moving.v, vdot, moving.model.options.gravity,
                      moving.input.applied_wrench, ws, tau);
  return tau;
}

TEST(AppliedForce, InverseDynamicsIsMassTimesAccelerationPlusBiasLessJacobianTransposedWrench) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MakePushed(seed);
    const VectorXd vdot = Random(seed).Vector(moving.model.nv(), 10.0);
    VectorXd expected = DenseMassMatrix(moving) * vdot + Bias(moving);
    Matrix6Xd J;
    for (int b = 0; b < moving.model.num_bodies(); ++b) {
      CalcSpatialJacobian(moving.model, moving.kin, b, moving.kin.p_WBcm[b], J);
      expected -= J.transpose() * moving.input.applied_wrench.col(b);
    }
    worst = std::max(worst, RelativeError(InverseDynamics(moving, vdot), expected));
  }
  EXPECT_LT(worst, 2e-14);  // ten times the largest over the seeds: rounding
}

TEST(AppliedForce, ForwardDynamicsUndoesInverseDynamics) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MakePushed(seed);
    const VectorXd vdot = Random(seed).Vector(moving.model.nv(), 10.0);
    JointForces forces;
    CalcJointForces(moving.model, moving.kin, moving.q, moving.v, {}, moving.input, forces);
    const VectorXd tau = InverseDynamics(moving, vdot) + forces.applied;
    AbaWorkspace ws;
    VectorXd back;
    CalcForwardDynamics(moving.model, moving.kin, moving.v, tau, moving.model.options.gravity, ws, back);
    worst = std::max(worst, RelativeError(back, vdot));
  }
  EXPECT_LT(worst, 2e-12);  // ten times the largest over the seeds: rounding times the condition of M
}

TEST(AppliedForce, ForceAtAPointIsItsJacobianTransposed) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    MovingModel moving = MovingModel::MakeRandom(seed);
    Random random(seed + 5000);
    VectorXd expected = VectorXd::Zero(moving.model.nv());
    Matrix3Xd J;
    for (int i = 0; i < 5; ++i) {
      const int body = random.Index(moving.model.num_bodies());
      const Vector3d p_WQ = random.Vector(1.0), f_W = random.Vector(10.0);
      AddForceAtPoint(moving.kin, body, p_WQ, f_W, moving.input);
      CalcPointJacobian(moving.model, moving.kin, body, p_WQ, J);
      expected += J.transpose() * f_W;
    }
    JointForces forces;
    CalcJointForces(moving.model, moving.kin, moving.q, moving.v, {}, moving.input, forces);
    worst = std::max(worst, RelativeError(forces.applied, expected));
  }
  EXPECT_LT(worst, 1e-14);  // rounding
}

// Forces are kept where nothing of the model writes them.
TEST(AppliedForce, SlopesAreGoneWithTheInputThatHadThem) {
  ModelBuilder builder;
  const int body = builder.AddBody({});
  builder.SetInertia(body, {1.0, Vector3d::Zero(), Matrix3d::Identity()});
  builder.AddJoint(body, {.kind = HingeJoint{}});
  const Model model = builder.Build();
  Kinematics kin;
  kin.Resize(model);
  Input input = Input::Default(model);
  CalcPositionKinematics(model, model.q0, input.mocap, kin);
  const VectorXd v = VectorXd::Constant(1, 2.0);
  JointForces forces;
  input.applied_damping = VectorXd::Constant(1, 3.0);
  CalcJointForces(model, kin, model.q0, v, {}, input, forces);
  EXPECT_EQ(forces.damping[0], 3.0);
  EXPECT_EQ(forces.applied[0], -6.0);
  input.applied_damping.resize(0);
  CalcJointForces(model, kin, model.q0, v, {}, input, forces);
  EXPECT_EQ(forces.damping[0], 0.0);
  EXPECT_EQ(forces.applied[0], 0.0);
}

}  // namespace
}  // namespace stiction::testing

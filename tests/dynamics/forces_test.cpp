#include "stiction/dynamics/forces.h"

#include <gtest/gtest.h>

#include "stiction/dynamics/energy.h"
#include "stiction/dynamics/jacobian.h"
#include "stiction/math/rotation.h"
#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

JointForces ForcesOf(const MovingModel& moving) {
  JointForces forces;
  CalcJointForces(moving.model, moving.kin, moving.q, moving.v, {}, moving.input, forces);
  return forces;
}

// One body on the given joint, standing off the origin and turned.
ModelBuilder MakeBuilder(const Joint& joint) {
  ModelBuilder builder;
  builder.options().gravity.setZero();
  const int b = builder.AddBody({.name = "body", .X_PB = Random(4).Pose(1.0)});
  builder.SetInertia(b, CalcSolidMassProperties(Box{{0.1, 0.2, 0.3}}, 1.0));
  builder.AddJoint(b, joint);
  return builder;
}

MovingModel MakeMoving(ModelBuilder builder) {
  const Model model = builder.Build();
  return {model, MakeRandomConfiguration(model, 1), MakeRandomVelocity(model, 1)};
}

const std::vector<JointKind> kKinds = {HingeJoint{}, SlideJoint{},     BallJoint{},
                                       FreeJoint{},  UniversalJoint{}, ScrewJoint{.pitch = 0.4}};

TEST(Forces, SpringsAreTheGradientOfTheirEnergy) {
  constexpr double kStep = 1e-5;  // truncation and rounding balance
  for (const JointKind& kind : kKinds) {
    const MovingModel moving =
        MakeMoving(MakeBuilder({.kind = kind, .stiffness = 3.0, .spring_reference = 0.4}));
    const JointForces forces = ForcesOf(moving);
    MovingModel probe = moving;
    for (int k = 0; k < moving.model.nv(); ++k) {
      probe.v = VectorXd::Unit(moving.model.nv(), k);
      const MovingModel after = probe.Advanced(kStep), before = probe.Advanced(-kStep);
      const double slope = (CalcEnergy(after.model, after.kin, after.q, after.v).potential -
                            CalcEnergy(before.model, before.kin, before.q, before.v).potential) /
                           (2 * kStep);
      EXPECT_NEAR(forces.passive[k], -slope, 1e-8)
          << moving.model.joints[0].type_name();  // kStep² times a slope of 10
    }
  }
}

// What the step takes for slopes is what the force has: over every v, and over q of coordinates.
TEST(Forces, AppliedSlopesAreTheDerivatives) {
  constexpr double kStep = 1e-4;  // the force is affine: rounding alone
  for (unsigned seed = 0; seed < 10; ++seed) {
    MovingModel moving = MovingModel::MakeRandom(seed);
    const JointForces plain = ForcesOf(moving);
    const int nv = moving.model.nv();
    moving.input.applied_stiffness = VectorXd::LinSpaced(nv, 1.0, 20.0);
    moving.input.applied_damping = VectorXd::LinSpaced(nv, 2.0, 5.0);
    const JointForces forces = ForcesOf(moving);
    for (const Joint& joint : moving.model.joints) {
      for (int k = joint.v_address; k < joint.v_address + joint.nv(); ++k) {
        MovingModel pushed = moving;
        pushed.v[k] += kStep;
        EXPECT_NEAR((forces.applied - ForcesOf(pushed).applied)[k] / kStep,
                    forces.damping[k] - plain.damping[k], 1e-9);
        pushed = moving;
        if (joint.num_coordinates() > 0) pushed.q[joint.q_address + k - joint.v_address] += kStep;
        EXPECT_NEAR((forces.applied - ForcesOf(pushed).applied)[k] / kStep,
                    forces.stiffness[k] - plain.stiffness[k], 1e-9);
      }
    }
  }
}

TEST(Forces, SpringsRestAtTheirReference) {
  for (const JointKind& kind : kKinds) {
    MovingModel moving = MakeMoving(MakeBuilder({.kind = kind, .stiffness = 3.0, .spring_reference = 0.4}));
    const int count = moving.model.joints[0].num_coordinates();
    moving.q = count > 0 ? VectorXd::Constant(count, 0.4) : moving.model.q0;
    moving.v.setZero();
    moving.Update();
    EXPECT_LT(ForcesOf(moving).passive.norm(), 1e-15);  // rounding of the quaternion's product with itself
  }
}

// Whichever the step takes explicitly is its affair (sim/springs.h).
TEST(Forces, SpringsHaveASlopeAlongEveryDof) {
  for (const JointKind& kind : kKinds) {
    const MovingModel moving = MakeMoving(MakeBuilder({.kind = kind, .stiffness = 3.0, .damping = 2.0}));
    const JointForces forces = ForcesOf(moving);
    EXPECT_EQ(forces.stiffness, VectorXd::Constant(moving.model.nv(), 3.0));
    EXPECT_EQ(forces.damping, VectorXd::Constant(moving.model.nv(), 2.0));
  }
}

TEST(Forces, DampersOpposeEveryDof) {
  for (const JointKind& kind : kKinds) {
    const MovingModel moving = MakeMoving(MakeBuilder({.kind = kind, .damping = 2.0}));
    EXPECT_EQ(ForcesOf(moving).passive, -2.0 * moving.v);
  }
}

TEST(Forces, PositionServoPullsTowardsItsTarget) {
  ModelBuilder builder = MakeBuilder({});
  builder.AddActuator({.joint = 0, .gear = {2, 0, 0, 0, 0, 0}, .gain = {50, 0, 0}, .bias = {0, -50, -5}});
  MovingModel moving = MakeMoving(std::move(builder));
  moving.input.ctrl[0] = 0.3;
  const JointForces forces = ForcesOf(moving);
  const double expected = 50 * (0.3 - 2 * moving.q[0]) - 5 * 2 * moving.v[0];
  EXPECT_NEAR(forces.actuator_force[0], expected, 1e-13);  // rounding at 100 N
  EXPECT_NEAR(forces.actuation[0], 2 * expected, 1e-13);
  EXPECT_EQ(forces.stiffness[0], 4 * 50.0);
  EXPECT_EQ(forces.damping[0], 4 * 5.0);
}

TEST(Forces, SlopesMatchFiniteDifferences) {
  ModelBuilder builder = MakeBuilder({.stiffness = 7.0, .damping = 0.5});
  // Every term at work, slopes of the right sign: gain1 u + bias1 < 0, gain2 u + bias2 < 0 at u = 0.8.
  builder.AddActuator({.joint = 0, .gear = {1.5, 0, 0, 0, 0, 0}, .gain = {4, -2, -1}, .bias = {1, -3, -0.5}});
  MovingModel moving = MakeMoving(std::move(builder));
  moving.input.ctrl[0] = 0.8;
  const auto total = [&](double dq, double dv) {
    MovingModel moved = moving;
    moved.q[0] += dq, moved.v[0] += dv;
    moved.Update();
    const JointForces forces = ForcesOf(moved);
    return forces.passive[0] + forces.actuation[0];
  };
  const JointForces forces = ForcesOf(moving);
  // The force is linear in q and v: only rounding, 1e-14 over the step.
  EXPECT_NEAR(forces.stiffness[0], -(total(1e-3, 0) - total(-1e-3, 0)) / 2e-3, 1e-10);
  EXPECT_NEAR(forces.damping[0], -(total(0, 1e-3) - total(0, -1e-3)) / 2e-3, 1e-10);
}

TEST(Forces, SaturatedActuatorHasNoSlope) {
  ModelBuilder builder = MakeBuilder({});
  builder.AddActuator(
      {.joint = 0, .gain = {50, 0, 0}, .bias = {0, -50, -5}, .force_lower = -1, .force_upper = 1});
  MovingModel moving = MakeMoving(std::move(builder));
  moving.input.ctrl[0] = 100.0;
  const JointForces forces = ForcesOf(moving);
  EXPECT_EQ(forces.actuation[0], 1.0);
  EXPECT_EQ(forces.stiffness[0], 0.0);
  EXPECT_EQ(forces.damping[0], 0.0);
}

TEST(Forces, ActuatorThatPushesAwayStaysExplicit) {
  ModelBuilder builder = MakeBuilder({});
  builder.AddActuator({.joint = 0, .gain = {0, 0, 0}, .bias = {0, 50, 5}});
  const JointForces forces = ForcesOf(MakeMoving(std::move(builder)));
  EXPECT_NE(forces.actuation[0], 0.0);
  EXPECT_EQ(forces.stiffness[0], 0.0);
  EXPECT_EQ(forces.damping[0], 0.0);
}

TEST(Forces, ControlsAreClampedToTheirRange) {
  ModelBuilder builder = MakeBuilder({});
  builder.AddActuator({.joint = 0, .gain = {3, 0, 0}, .ctrl_lower = -1, .ctrl_upper = 2});
  MovingModel moving = MakeMoving(std::move(builder));
  moving.input.ctrl[0] = 1e9;
  EXPECT_EQ(ForcesOf(moving).actuation[0], 6.0);
  moving.input.ctrl[0] = -1e9;
  EXPECT_EQ(ForcesOf(moving).actuation[0], -3.0);
}

TEST(Forces, BallServoActsAlongItsGear) {
  ModelBuilder builder = MakeBuilder({.kind = BallJoint{}});
  builder.AddActuator({.joint = 0, .gear = {1, 2, -1, 0, 0, 0}, .gain = {10, 0, 0}, .bias = {0, -10, -1}});
  MovingModel moving = MakeMoving(std::move(builder));
  moving.input.ctrl[0] = 0.5;
  const Vector3d gear(1, 2, -1), turned(0.2, -0.3, 0.4);
  QuaternionToWxyz(QuaternionExp(turned), moving.q.data());
  moving.Update();
  const double force = 10 * (0.5 - gear.dot(turned)) - gear.dot(moving.v);
  EXPECT_LT((ForcesOf(moving).actuation - force * gear).norm(), 1e-13);  // rounding at 10 N·m
}

TEST(Forces, WrenchesActThroughTheJacobian) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    MovingModel moving = MovingModel::MakeRandom(seed);
    Random random(seed);
    moving.input.applied_generalized = random.Vector(moving.model.nv(), 1.0);
    VectorXd expected = moving.input.applied_generalized;
    for (int b = 1; b < moving.model.num_bodies(); ++b) {
      const Vector6d wrench = random.Vector(6, 10.0);
      moving.input.applied_wrench.col(b) = wrench;
      Matrix3Xd J_w, J_v;
      CalcAngularJacobian(moving.model, moving.kin, b, J_w);
      CalcPointJacobian(moving.model, moving.kin, b, moving.kin.p_WBcm[b], J_v);
      expected += J_w.transpose() * wrench.head<3>() + J_v.transpose() * wrench.tail<3>();
    }
    worst = std::max(worst, RelativeError(ForcesOf(moving).applied, expected));
  }
  EXPECT_LT(worst, 1e-14);  // ten times the largest over the seeds: rounding
}

}  // namespace
}  // namespace stiction::testing

#include "stiction/dynamics/energy.h"

#include <gtest/gtest.h>

#include "stiction/dynamics/aba.h"
#include "stiction/dynamics/forces.h"
#include "stiction/math/rotation.h"
#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

constexpr double kDt = 1e-5;  // of central differences: truncation and rounding balance

VectorXd Acceleration(const MovingModel& moving, const VectorXd& tau) {
  AbaWorkspace ws;
  VectorXd vdot;
  CalcForwardDynamics(moving.model, moving.kin, moving.v, tau, moving.model.options.gravity, ws, vdot);
  return vdot;
}

// A tree of bodies on one free joint: nothing holds it, so that its momentum changes only by outer forces.
MovingModel MakeFloatingArm(unsigned seed) {
  Random random(seed);
  ModelBuilder builder;
  const JointKind kinds[] = {FreeJoint{},  HingeJoint{},     BallJoint{}, SlideJoint{},
                             HingeJoint{}, UniversalJoint{}, ScrewJoint{}};
  for (int i = 0; i < static_cast<int>(std::size(kinds)); ++i) {
    const int b = builder.AddBody({.parent = i, .X_PB = random.Pose(0.5)});
    builder.SetInertia(b, random.Inertia());
    Joint joint = MakeRandomJoint(random, kinds[i]);
    joint.armature = 0.0;  // a rotor's momentum is not counted
    builder.AddJoint(b, joint);
  }
  const Model model = builder.Build();
  return {model, MakeRandomConfiguration(model, seed), MakeRandomVelocity(model, seed)};
}

TEST(Energy, KineticEnergyIsTheQuadraticFormOfTheMassMatrix) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    const double kinetic = CalcEnergy(moving.model, moving.kin, moving.q, moving.v).kinetic;
    const double expected = 0.5 * moving.v.dot(DenseMassMatrix(moving) * moving.v);
    worst = std::max(worst, std::abs(kinetic - expected) / std::max(1.0, expected));
  }
  EXPECT_LT(worst, 2e-14);  // ten times the largest over the seeds: rounding
}

TEST(Energy, ChangesByThePowerOfTheJointForces) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    const VectorXd tau = Random(seed).Vector(moving.model.nv(), 10.0);
    const VectorXd vdot = Acceleration(moving, tau);
    const MovingModel after = moving.Advanced(kDt, vdot), before = moving.Advanced(-kDt, vdot);
    const double power = (CalcEnergy(after.model, after.kin, after.q, after.v).total() -
                          CalcEnergy(before.model, before.kin, before.q, before.v).total()) /
                         (2 * kDt);
    worst = std::max(worst, std::abs(power - tau.dot(moving.v)) / std::max(1.0, std::abs(power)));
  }
  EXPECT_LT(worst, 3e-6);  // ten times the largest over the seeds
}

TEST(Energy, MomentumChangesByGravityAndTheAppliedWrench) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    MovingModel moving = MakeFloatingArm(seed);
    const int pushed = 1 + seed % 5;
    const Vector6d wrench = 10.0 * Random(seed).Vector(6, 1.0);
    moving.input.applied_wrench.col(pushed) = wrench;
    JointForces forces;
    CalcJointForces(moving.model, moving.kin, moving.q, moving.v, {}, moving.input, forces);
    const VectorXd vdot = Acceleration(moving, forces.applied);

    Vector3d force = wrench.tail<3>(), moment = wrench.head<3>() + moving.kin.p_WBcm[pushed].cross(force);
    for (int b = 1; b < moving.model.num_bodies(); ++b) {
      const Vector3d weight = moving.model.bodies[b].inertia.mass * moving.model.options.gravity;
      force += weight;
      moment += moving.kin.p_WBcm[b].cross(weight);
    }
    const MovingModel after = moving.Advanced(kDt, vdot), before = moving.Advanced(-kDt, vdot);
    Vector3d linear_after, angular_after, linear_before, angular_before;
    CalcMomentum(after.model, after.kin, linear_after, angular_after);
    CalcMomentum(before.model, before.kin, linear_before, angular_before);
    worst = std::max(worst, RelativeError((linear_after - linear_before) / (2 * kDt), force));
    worst = std::max(worst, RelativeError((angular_after - angular_before) / (2 * kDt), moment));
  }
  EXPECT_LT(worst, 2e-7);  // ten times the largest over the seeds
}

}  // namespace
}  // namespace stiction::testing

#include "sim/free_body.h"

#include <gtest/gtest.h>

#include "stiction/dynamics/crba.h"
#include "stiction/math/rotation.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// Inertia with three different principal moments, axes that are not the body's, and a distant mass centre.
Model MakeTumblingBody() {
  ModelBuilder builder;
  builder.options().gravity.setZero();
  const int body = builder.AddBody({.X_PB = Turn(0.4, Vector3d(1, 2, 2) / 3, {0.3, -0.2, 1.0})});
  const Matrix3d R = Turn(0.7, Vector3d(2, -1, 2) / 3).R;
  const Matrix3d I = R * Vector3d(0.02, 0.05, 0.06).asDiagonal() * R.transpose();
  builder.SetInertia(body, {2.0, Vector3d(0.10, -0.05, 0.20), I});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  return builder.Build();
}

struct Motion {
  Vector3d linear, angular, p_Wcm;
  double energy;
};

Motion CalcMotion(const World& world) {
  const Model& model = world.model();
  Kinematics kin;
  kin.Resize(model);
  CalcPositionKinematics(model, world.q(), world.input().mocap, kin);
  CalcVelocityKinematics(model, world.v(), kin);
  Motion motion;
  CalcMomentum(model, kin, motion.linear, motion.angular);
  motion.energy = CalcEnergy(model, kin, world.q(), world.v()).total();
  motion.p_Wcm = kin.p_WBcm[1];
  return motion;
}

TEST(FreeBody, MassIsThatOfTheCompositeRigidBodyAlgorithm) {
  const Model model = MakeTumblingBody();
  const FreeBody free_body = FindFreeBodies(model).front();
  EXPECT_FALSE(free_body.is_centred);
  const BranchPattern pattern = MakeMassMatrixPattern(model);
  Kinematics kin;
  kin.Resize(model);
  CrbaWorkspace ws;
  for (int i = 0; i < 20; ++i) {
    VectorXd q = model.q0;
    const Vector3d axis = Vector3d(1.0, 0.3 * i - 2.0, 0.1 * i * i - 5.0).normalized();
    QuaternionToWxyz(Quaterniond(Eigen::AngleAxisd(0.4 * i, axis)), q.data() + 3);
    CalcPositionKinematics(model, q, VectorXd(), kin);
    BranchSparseMatrix expected(pattern), M(pattern);
    CalcMassMatrix(model, kin, ws, expected);
    CalcFreeBodyMass(free_body, kin.X_WB[free_body.body].R, M.row(0));
    EXPECT_LT((M.ToDense() - expected.ToDense()).norm(), 1e-14);  // rounding
  }
}

TEST(FreeBody, TumblingConservesMomentumAndEnergyForTenSeconds) {
  World world = MakeWorld(MakeTumblingBody(), 0.001);
  SetFreeVelocity(world, 0, {0.5, -0.3, 0.2}, {3.0, -4.0, 6.0});
  const Motion start = CalcMotion(world);
  double angular = 0.0, linear = 0.0, energy = 0.0, path = 0.0;
  for (int i = 1; i <= 10000; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    if (i % 100 != 0) continue;
    const Motion now = CalcMotion(world);
    angular = std::max(angular, (now.angular - start.angular).norm() / start.angular.norm());
    linear = std::max(linear, (now.linear - start.linear).norm() / start.linear.norm());
    energy = std::max(energy, std::abs(now.energy - start.energy) / start.energy);
    path = std::max(path, (now.p_Wcm - start.p_Wcm - world.time() * start.linear / 2.0).norm());
  }
  // The scheme conserves exactly; what is left is rounding of 1e4 steps.
  EXPECT_LT(angular, 1e-10);
  EXPECT_LT(linear, 1e-12);
  EXPECT_LT(energy, 1e-10);
  EXPECT_LT(path, 1e-10);
}

TEST(FreeBody, TumblesAsTheExactEquationsInTheLimitOfSmallSteps) {
  // The end of half a second by successive halving: second order, so that the differences fall by four.
  std::vector<VectorXd> q;
  for (const double dt : {0.004, 0.002, 0.001, 0.0005}) {
    World world = MakeWorld(MakeTumblingBody(), dt);
    SetFreeVelocity(world, 0, {0.5, -0.3, 0.2}, {3.0, -4.0, 6.0});
    RunSteps(world, static_cast<int>(std::lround(0.5 / dt)));
    q.push_back(world.q().tail<4>());
  }
  const double coarse = (q[1] - q[0]).norm(), middle = (q[2] - q[1]).norm(), fine = (q[3] - q[2]).norm();
  EXPECT_NEAR(coarse / middle, 4.0, 0.1);
  EXPECT_NEAR(middle / fine, 4.0, 0.03);
}

TEST(FreeBody, SymmetricTopPrecessesByTheMidpointAngle) {
  // Body axes: ω_z stays, and (ω_x, ω_y) turns at the rate Ω = (C - A)/A ω_z; the midpoint rule turns it by
  // 2 atan(Ω dt/2) a step.
  const double A = 0.3, C = 0.5, dt = 0.01;
  Vector3d w(1.0, 0.5, 12.0);
  const Vector3d start = w;
  const double turn = 2.0 * std::atan(0.5 * dt * (C - A) / A * w.z());
  const int steps = 500;
  for (int i = 0; i < steps; ++i) w = AdvanceSpin(Vector3d(A, A, C).asDiagonal(), w, dt);
  const Vector3d expected = Turn(steps * turn, Vector3d::UnitZ()).R * start;
  EXPECT_LT((w - expected).norm(), 1e-11);  // rounding of 500 steps
  // And the true precession within the rule's Ω³ dt² t / 12.
  const double rate = (C - A) / A * start.z(),
               phase_error = std::pow(rate, 3) * dt * dt * (steps * dt) / 12.0;
  EXPECT_NEAR(steps * turn, rate * steps * dt, 1.01 * phase_error);
}

TEST(FreeBody, SpinOfAnAsymmetricBodyKeepsEnergyAndMomentumAtLargeSteps) {
  const Matrix3d I = Vector3d(0.2, 0.5, 0.6).asDiagonal();
  for (const double dt : {0.001, 0.01, 0.03}) {
    Vector3d w(0.01, 10.0, 0.02);  // about the middle axis: it flips over and over
    const double energy = w.dot(I * w), momentum = (I * w).norm();
    double least = w.y();
    for (int i = 0; i < 2000; ++i) {
      w = AdvanceSpin(I, w, dt);
      least = std::min(least, w.y());
      ASSERT_NEAR(w.dot(I * w) / energy, 1.0, 1e-11);  // rounding
      ASSERT_NEAR((I * w).norm() / momentum, 1.0, 1e-11);
    }
    EXPECT_LT(least, -9.5) << "dt " << dt;
  }
}

// Newton's method does not find the midpoint rule's spin where the body turns by radians in a step.
TEST(FreeBody, SpinTooFastForTheStepKeepsEnergyAndMomentum) {
  const Matrix3d I = Vector3d(0.2, 0.5, 0.6).asDiagonal();
  const Vector3d direction = Vector3d(1.0, 2.0, -1.5).normalized();
  for (const double turn : {1.0, 3.0, 10.0, 60.0, 1e3, 1e6}) {
    const double dt = 0.01;
    Vector3d w = turn / dt * direction;
    const double energy = w.dot(I * w), momentum = (I * w).norm();
    for (int i = 0; i < 200; ++i) {
      w = AdvanceSpin(I, w, dt);
      ASSERT_NEAR(w.dot(I * w) / energy, 1.0, 1e-11) << "turn " << turn << " step " << i;  // rounding
      ASSERT_NEAR((I * w).norm() / momentum, 1.0, 1e-11) << "turn " << turn << " step " << i;
    }
  }
}

TEST(FreeBody, ProjectileFollowsItsParabola) {
  const double dt = 0.001;
  World world = MakeWorld(MakeBall(0.1, 100.0), dt);
  SetFreeVelocity(world, 0, {3.0, 0.0, 5.0}, {1.0, 2.0, 3.0});
  const Vector3d start = world.q().head<3>();
  RunSteps(world, 2000);
  const double t = 2.0;
  const Vector3d moved = world.q().head<3>() - start;
  EXPECT_NEAR(moved.x(), 3.0 * t, 1e-11);  // rounding of 2000 sums
  EXPECT_NEAR(world.v()[2], 5.0 - kGravity * t, 1e-11);
  // Semi-implicit Euler ends g t dt/2 below the parabola, and nowhere else.
  EXPECT_NEAR(moved.z(), 5.0 * t - 0.5 * kGravity * t * (t + dt), 1e-11);
}

// Dampers act on the velocity that the step ends with (of its middle, by the midpoint rule), that of the fall
// and of the spin included: m (v⁺ − v) = dt (m g − b v⁺).
TEST(FreeBody, FallsThroughADamperAsTheImplicitLawSays) {
  constexpr double kDamping = 400.0, kDampedStep = 0.01;
  for (const Integrator integrator :
       {Integrator::kSymplecticEuler, Integrator::kImplicitEuler, Integrator::kMidpoint}) {
    ModelBuilder builder;
    const int ball = builder.AddBody({.inertia = CalcSolidMassProperties(Sphere{0.5}, 2.0)});
    builder.AddJoint(ball, {.kind = FreeJoint{}, .damping = kDamping});
    WorldOptions options;
    options.integrator = integrator;
    options.timestep = kDampedStep;
    World world(builder.Build(), options);
    SetFreeVelocity(world, 0, {0.3, 0.0, 1.0}, {2.0, -1.0, 0.5});
    const double theta = integrator == Integrator::kMidpoint ? 0.5 : 1.0, b = kDampedStep * kDamping;
    const auto advance = [&](double m, double g, double v) {
      return ((m - (1.0 - theta) * b) * v + kDampedStep * m * g) / (m + theta * b);
    };
    const double I = CalcSolidMassProperties(Sphere{0.5}, 2.0).I_BBcm_B(0, 0);
    double fall = 1.0, drift = 0.3, spin = 2.0;
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(world.Step().status, StepStatus::kOk);
      fall = advance(2.0, -kGravity, fall), drift = advance(2.0, 0.0, drift), spin = advance(I, 0.0, spin);
      EXPECT_NEAR(world.v()[2], fall, 1e-12) << ToString(integrator) << i;
      EXPECT_NEAR(world.v()[0], drift, 1e-12) << ToString(integrator) << i;
      EXPECT_NEAR(world.v()[3], spin, 1e-12) << ToString(integrator) << i;
    }
  }
}

TEST(FreeBody, FindsWeldedBodiesAsOneAndSkipsArmature) {
  ModelBuilder builder;
  const int base = AddFreeBody(builder, Sphere{0.1}, 1.0, {});
  const int tip = builder.AddBody({.parent = base, .X_PB = Shift(1, 0, 0)});
  builder.AddGeom({.body = tip, .shape = Sphere{0.1}}, {.mass = 3.0});
  const int other = builder.AddBody({});
  builder.AddJoint(other, {.kind = FreeJoint{}, .armature = 0.1});
  builder.AddGeom({.body = other, .shape = Sphere{0.1}}, {.mass = 1.0});
  const Model model = builder.Build();
  const std::vector<FreeBody> free_bodies = FindFreeBodies(model);
  ASSERT_EQ(free_bodies.size(), 1u);
  EXPECT_DOUBLE_EQ(free_bodies[0].inertia.mass, 4.0);
  EXPECT_DOUBLE_EQ(free_bodies[0].inertia.p_BBcm.x(), 0.75);
}

}  // namespace
}  // namespace stiction::testing

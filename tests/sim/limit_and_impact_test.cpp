// Limits of ball joints, impacts below and above the threshold of restitution, and what each integrator
// leaves of penetration.
#include <gtest/gtest.h>

#include "stiction/math/rotation.h"
#include "stiction/sim/passed_limit.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

constexpr Integrator kIntegrators[] = {Integrator::kSymplecticEuler, Integrator::kImplicitEuler,
                                       Integrator::kMidpoint, Integrator::kRungeKutta4};

World MakeImpactWorld(Model model, Integrator integrator, double dt = 0.002) {
  WorldOptions options;
  options.integrator = integrator;
  options.timestep = dt;
  return World(std::move(model), options);
}

// A point mass of 1 kg at 0.5 m on a ball joint, whose cone about −z is 0.5 rad wide.
constexpr double kCone = 0.5;
Model MakeConePendulum(const Vector3d& gravity, double damping) {
  ModelBuilder builder("cone");
  builder.options().gravity = gravity;
  const int bob = builder.AddBody({});
  builder.SetInertia(bob, Transform(Shift(0, 0, -0.5), CalcSolidMassProperties(Sphere{0.01}, 1.0)));
  Joint joint{.kind = BallJoint{}, .damping = damping};
  joint.upper = kCone;
  builder.AddJoint(bob, joint);
  builder.AddSensor({.name = "limit", .type = SensorType::kJointLimitForce, .index = 0});
  return builder.Build();
}

double AngleOf(const World& world) {
  return QuaternionLog(QuaternionFromWxyz(world.q().data())).norm();
}

// Gravity pulls sideways, to 90 degrees: the cone holds, with the moment m g l cos θ.
TEST(BallLimit, HoldsAgainstGravity) {
  for (const Integrator integrator : kIntegrators) {
    World world = MakeImpactWorld(MakeConePendulum({kGravity, 0, 0}, 1.0), integrator);
    double largest = 0.0;
    for (int i = 0; i < 1500; ++i) {
      ASSERT_EQ(world.Step().status, StepStatus::kOk);
      largest = std::max(largest, AngleOf(world));
    }
    EXPECT_LT(largest, kCone + 2e-5) << ToString(integrator);  // what the position stage leaves
    EXPECT_NEAR(AngleOf(world), kCone, 2e-5) << ToString(integrator);
    // The stages of rk4 move before the limit stops them, and are damped: by 1 − c dt/(2 I), I = 1/4.
    const double share = integrator == Integrator::kRungeKutta4 ? 1.0 - 0.004 : 1.0;
    EXPECT_NEAR(world.sensor(0)[0], share * 0.5 * kGravity * std::cos(kCone), 1e-3) << ToString(integrator);
    EXPECT_NEAR(world.q()[2], -std::sin(0.5 * kCone), 1e-4) << "turned about −y, towards x";
  }
}

// Without gravity it slides around the inside of the cone: the limit does no work and has no moment about the
// cone's axis.
TEST(BallLimit, GuidesAroundTheConeWithoutFriction) {
  World world = MakeImpactWorld(MakeConePendulum(Vector3d::Zero(), 0.0), Integrator::kMidpoint, 0.0005);
  State state = world.state();
  const Quaterniond start = QuaternionExp(Vector3d(0.0, kCone - 1e-4, 0.0));
  QuaternionToWxyz(start, state.q.data());
  state.v << 2.0 * std::cos(kCone), 0.0, 2.0 * std::sin(kCone);  // across, and a little turn about itself
  world.set_state(state);
  const double energy = world.CalcEnergy().kinetic;
  const double about_axis = world.CalcMomentum().second.z();
  ASSERT_GT(std::abs(about_axis), 0.01);
  double pressed = 0.0;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    ASSERT_LT(AngleOf(world), kCone + 2e-5);
    pressed = std::max(pressed, world.sensor(0)[0]);
  }
  EXPECT_GT(pressed, 0.0);
  EXPECT_LT(world.CalcEnergy().kinetic, energy * (1.0 + 1e-3));
  EXPECT_GT(world.CalcEnergy().kinetic, energy * 0.9) << "the first touch takes what goes outwards";
}

// A light finger of 4 cm at rest, half a radian or more from what limits it: a motor of 0.3 N·m turns it by
// radians in a step.
Model MakeFinger(const decltype(Joint::kind)& kind, double lower, double upper) {
  ModelBuilder builder("finger");
  builder.options().gravity.setZero();
  const int finger = builder.AddBody({});
  builder.SetInertia(finger,
                     Transform(Shift(0, 0, -0.02), CalcSolidMassProperties(Capsule{0.004, 0.02}, 0.01)));
  Joint joint{.kind = kind};
  joint.lower = lower, joint.upper = upper;
  builder.AddJoint(finger, joint);
  return builder.Build();
}

// What begins the step at rest and far from a limit stops there all the same.
TEST(Limit, HoldsWhatReachesItFromAfarInOneStep) {
  const decltype(Joint::kind) kinds[] = {HingeJoint{.axis_B = Vector3d::UnitX()}, BallJoint{}};
  for (const auto& kind : kinds) {
    const bool is_ball = std::holds_alternative<BallJoint>(kind);
    for (const Integrator integrator : kIntegrators) {
      World world = MakeImpactWorld(MakeFinger(kind, -kCone, kCone), integrator, 0.01);
      for (int i = 0; i < 10; ++i) {
        world.input().applied_generalized[0] = 0.3;
        ASSERT_EQ(world.Step().status, StepStatus::kOk);
        const double angle = is_ball ? AngleOf(world) : world.q()[0];
        EXPECT_LT(angle, kCone + 2e-5) << ToString(integrator) << " step " << i;
        EXPECT_GT(angle, 0.0) << ToString(integrator) << " step " << i;
      }
    }
  }
}

// The same by a blow: a ball of 0.2 kg at 30 m/s throws a flap of 20 g open, which stops where its hinge
// does.
TEST(Limit, HoldsWhatABlowThrowsAtIt) {
  for (const double dt : {0.001, 0.002, 0.005, 0.01}) {
    ModelBuilder builder("flap");
    builder.options().gravity.setZero();
    const int flap = builder.AddBody({});
    const Box board{{0.005, 0.05, 0.05}};
    builder.SetInertia(flap, Transform(Shift(0, 0, -0.05), CalcSolidMassProperties(board, 0.02)));
    builder.AddGeom({.body = flap, .shape = board, .X_BG = Shift(0, 0, -0.05)});
    Joint hinge{.kind = HingeJoint{.axis_B = Vector3d::UnitY()}};
    hinge.lower = -0.3, hinge.upper = 0.3;
    const int joint = builder.AddJoint(flap, hinge);
    AddFreeBody(builder, Sphere{0.01}, 0.2, Shift(-0.0151, 0, -0.08));
    World world = MakeImpactWorld(builder.Build(), Integrator::kSymplecticEuler, dt);
    SetFreeVelocity(world, joint + 1, {30, 0, 0});
    double furthest = 0.0;
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(world.Step().status, StepStatus::kOk) << dt;
      furthest = std::max(furthest, std::abs(world.q()[0]));
    }
    EXPECT_NEAR(furthest, 0.3, 2e-5) << dt;
  }
}

// Approaches slower than 2 g dt do not bounce, so that rest is reached.
TEST(Restitution, HasAThreshold) {
  constexpr double kStep = 0.002, kThreshold = 2.0 * kGravity * kStep;
  for (const auto& [share, bounces] : {std::pair(0.9, false), std::pair(1.1, true), std::pair(5.0, true)}) {
    World world =
        MakeImpactWorld(MakeBall(0.1, 0.0, {.restitution = 0.5}), Integrator::kSymplecticEuler, kStep);
    State state = world.state();
    state.v[2] = -share * kThreshold;
    world.set_state(state);
    world.Step();
    EXPECT_NEAR(world.v()[2], bounces ? 0.5 * share * kThreshold : 0.0, 1e-10) << share;
  }
}

// Each impact leaves the share e of the speed, until one below the threshold leaves none.
TEST(Restitution, BouncesFollowOneAnotherAndEnd) {
  constexpr double kStep = 0.001;
  World world =
      MakeImpactWorld(MakeBall(0.1, 0.3, {.restitution = 0.6}), Integrator::kSymplecticEuler, kStep);
  int impacts = 0;
  for (int i = 0; i < 3000; ++i) {
    const double before = world.v()[2];
    world.Step();
    const double after = world.v()[2];
    if (before >= 0.0 || after <= 0.0) continue;
    ++impacts;
    EXPECT_NEAR(after / -before, 0.6, 1e-8) << impacts;
    EXPECT_GT(-before, 2.0 * kGravity * kStep);
  }
  EXPECT_GT(impacts, 5);
  EXPECT_LT(std::abs(world.v()[2]), 1e-9);
  EXPECT_NEAR(world.q()[2], 0.1, 1e-6);
}

// An impact in the middle of a step leaves no penetration, and rest neither lifts nor sinks, whatever mean of
// the velocities moves the body.
TEST(Impact, LeavesNoPenetrationWithAnyIntegrator) {
  for (const Integrator integrator : kIntegrators) {
    World world = MakeImpactWorld(MakeBall(0.1, 0.5), integrator);
    double lowest = 1.0;
    for (int i = 0; i < 400; ++i) {
      world.Step();
      lowest = std::min(lowest, world.q()[2] - 0.1);
    }
    EXPECT_GT(lowest, -1e-9) << ToString(integrator);
    EXPECT_NEAR(world.q()[2], 0.1, 1e-9) << ToString(integrator);
    EXPECT_NEAR(world.v()[2], 0.0, 1e-9) << ToString(integrator);
  }
}

// A hinge driven into its limit at speed, the same.
TEST(Impact, OfALimitLeavesNoPenetrationWithAnyIntegrator) {
  for (const Integrator integrator : kIntegrators) {
    ModelBuilder builder("gate");
    builder.options().gravity.setZero();
    const int gate = builder.AddBody({});
    builder.SetInertia(gate, CalcSolidMassProperties(Box{{0.3, 0.02, 0.5}}, 2.0));
    Joint hinge{.kind = HingeJoint{.axis_B = Vector3d::UnitZ()}};
    hinge.lower = -1.0, hinge.upper = 0.31;
    builder.AddJoint(gate, hinge);
    World world = MakeImpactWorld(builder.Build(), integrator);
    State state = world.state();
    state.v[0] = 3.0;
    world.set_state(state);
    for (int i = 0; i < 100; ++i) {
      world.Step();
      ASSERT_LT(world.q()[0], 0.31 + 1e-9) << ToString(integrator);
    }
    EXPECT_NEAR(world.q()[0], 0.31, 2e-6) << ToString(integrator);
  }
}

TEST(PassedLimits, AreNamed) {
  ModelBuilder builder("start");
  int bodies[3];
  for (int i = 0; i < 3; ++i) {
    bodies[i] =
        builder.AddBody({.X_PB = Shift(0, i, 0), .inertia = CalcSolidMassProperties(Sphere{0.1}, 1.0)});
    Joint joint{.name = i == 2 ? "" : "slide" + std::to_string(i), .kind = SlideJoint{}};
    joint.lower = i == 1 ? -1.0 : 0.25, joint.upper = 1.0;
    if (i == 2) joint.limit_softness = Softness{};
    builder.AddJoint(bodies[i], joint);
  }
  Tendon tendon{.name = "cord", .path = FixedTendon{{{1, 2.0}}}};
  tendon.upper = -0.5;
  tendon.lower = -0.75;
  builder.AddTendon(tendon);
  const World world = MakeImpactWorld(builder.Build(), Integrator::kSymplecticEuler);
  const auto passed = FindPassedLimits(world.model(), world.input(), world.state());
  ASSERT_EQ(passed.size(), 2u);  // soft ones give way
  EXPECT_EQ(Describe(world.model(), passed[0]),
            "joint 'slide0' starts 0.25 m or rad beyond its lower limit, and is brought back");
  EXPECT_EQ(Describe(world.model(), passed[1]),
            "tendon 'cord' starts 0.5 m or rad beyond its upper limit, and is brought back");
  EXPECT_TRUE(FindPassedLimits(world.model(), world.input(), world.state(), 0.6).empty());
}

}  // namespace
}  // namespace stiction::testing

// Mocap bodies that move what they touch: by the normal, by friction, by neither where they jump.
#include "sim/mocap_motion.h"

#include <gtest/gtest.h>

#include "tests/support/mocap_plate.h"

namespace stiction::testing {
namespace {

constexpr double kMocapStep = 0.002;  // of the models

TEST(MocapMotion, LiftsWithItsSpeed) {
  World world(MakeBoxOnPlate({.friction = 0.5}));
  world.Step();
  const double start = world.time();
  Drive(world, 0.5, [&](double t) { return Shift(0, 0, -0.1 + 0.3 * (t - start)); });
  EXPECT_NEAR(world.v()[2], 0.3, 1e-9);
  EXPECT_NEAR(world.q()[2], 0.05 + 0.15, 1e-8);
  EXPECT_NEAR(world.sensor(0)[2], kGravity, 1e-6) << "steady motion weighs nothing";
  EXPECT_LT(world.report().penetration, 1e-8);
}

// An accelerated lift presses with m (g + a); the velocity is that of the plate over each step.
TEST(MocapMotion, PressesWithTheWeightAndTheAcceleration) {
  World world(MakeBoxOnPlate({.friction = 0.5}));
  world.Step();
  const double start = world.time();
  Drive(world, 0.4, [&](double t) { return Shift(0, 0, -0.1 + 1.5 * (t - start) * (t - start)); });
  EXPECT_NEAR(world.sensor(0)[2], kGravity + 3.0, 1e-5);
  EXPECT_NEAR(world.v()[2], 3.0 * (0.4 - 0.5 * kMocapStep), 1e-8);
}

TEST(MocapMotion, PushesWhatStandsInItsWay) {
  World world(MakeBoxOnPlate({.friction = 0.0}, Vector3d::Zero()));
  world.Step();
  const double start = world.time();
  Drive(world, 0.3, [&](double t) { return Shift(0, 0, -0.1 + 0.8 * (t - start)); });
  EXPECT_NEAR(world.v()[2], 0.8, 1e-8);  // the budget of a step
  // It stops, the box goes on.
  Drive(world, 0.2, [&](double) { return Shift(0, 0, -0.1 + 0.24); });
  EXPECT_NEAR(world.v()[2], 0.8, 1e-8);
}

// Bounces off a moving wall: e relative to it, v⁺ = V + e (V − v).
TEST(MocapMotion, BouncesRelativeToIt) {
  ModelBuilder builder("racket");
  builder.options().gravity.setZero();
  const int racket = builder.AddBody({.X_PB = Shift(0, 0, -0.1), .is_mocap = true});
  builder.AddGeom({.body = racket, .shape = Box{{1.0, 1.0, 0.1}}, .restitution = 0.8});
  AddFreeBody(builder, Sphere{0.05}, 1.0, Shift(0, 0, 0.3), {.restitution = 0.8});
  World world(builder.Build());
  State state = world.state();
  state.v[2] = -1.0;
  world.set_state(state);
  Drive(world, 0.3, [&](double t) { return Shift(0, 0, -0.1 + 0.5 * t); });
  EXPECT_NEAR(world.v()[2], 0.5 + 0.8 * 1.5, 1e-9);
}

// Sideways within the friction cone: the box goes with the plate, and neither lags behind nor drifts.
TEST(MocapMotion, CarriesByFriction) {
  World world(MakeBoxOnPlate({.friction = 0.6}));
  world.Step();
  const double start = world.time();
  const auto place = [&](double t) { return 0.1 * (1.0 - std::cos(4.0 * (t - start))); };  // up to 1.6 m/s²
  Drive(world, 3.0, [&](double t) { return Shift(place(t), 0, -0.1); });
  EXPECT_NEAR(world.q()[0], 0.2 + place(world.time()), 1e-5);
  EXPECT_NEAR(world.v()[0], (place(world.time()) - place(world.time() - kMocapStep)) / kMocapStep, 1e-3);
}

// Beyond it: a belt that starts at once drags with μ g until the speeds are equal.
TEST(MocapMotion, DragsByFriction) {
  World world(MakeBoxOnPlate({.friction = 0.3}));
  world.Step();
  const double start = world.time();
  Drive(world, 0.2, [&](double t) { return Shift(1.0 * (t - start), 0, -0.1); });
  EXPECT_NEAR(world.v()[0], 0.3 * kGravity * 0.2, 1e-6);
  Drive(world, 0.4, [&](double t) { return Shift(1.0 * (t - start), 0, -0.1); });
  EXPECT_NEAR(world.v()[0], 1.0, 1e-6);
}

// What the box misses of the turn it makes up for: all but that of the last step, and without a solve.
TEST(MocapMotion, TurnsWhatLiesOnIt) {
  World world(MakeBoxOnPlate({.friction = 0.8}));
  world.Step();
  const double start = world.time();
  const auto angle = [&](double t) { return 0.5 * (1.0 - std::cos(2.0 * (t - start))); };
  Drive(world, 8.0, [&](double t) { return Turn(angle(t), Vector3d::UnitZ(), {0, 0, -0.1}); });
  const double end = angle(world.time());
  const double missed = 0.5 * std::pow(kMocapStep * 1.0, 2) * 0.2;  // at its fastest, 1 rad/s
  EXPECT_NEAR(world.q()[0], 0.2 * std::cos(end), missed);
  EXPECT_NEAR(world.q()[1], 0.2 * std::sin(end), missed);
  EXPECT_NEAR(2.0 * std::atan2(world.q()[6], world.q()[3]), end, 1e-12);
}

// A plate that rocks about an axis 0.7 m from the box, by 0.3 rad: neither slides nor leaves the other.
TEST(MocapMotion, RocksWhatLiesOnIt) {
  World world(MakeBoxOnPlate({.friction = 0.8}));
  world.Step();
  const double start = world.time();
  const RigidTransform pivot = Shift(-0.5, 0, -0.1);
  const auto place = [&](double t) {
    const double angle = 0.15 * (1.0 - std::cos(3.0 * (t - start)));
    return pivot * Turn(angle, Vector3d(1.0, -2.0, 0.0).normalized()) * pivot.Inverse() * Shift(0, 0, -0.1);
  };
  Drive(world, 8.0, place);
  const Vector3d p = place(world.time()).Inverse() * world.body_poses()[2].p;
  EXPECT_LT((p - Vector3d(0.2, 0, 0.15)).norm(), 2e-6);
}

// A ball of 1 kg that a plate turns under it drags by torsional friction, μ N about the normal; then it turns
// with the plate.
TEST(MocapMotion, SpinsByTorsionalFriction) {
  const double torsional = 0.002, speed = 3.0, inertia = 0.4 * 0.05 * 0.05;
  ModelBuilder builder("turntable");
  const Geom law{.torsional_friction = torsional, .condim = 4};
  AddPlate(builder, law);
  Geom ball = law;
  ball.body = builder.AddBody({.X_PB = Shift(0, 0, 0.05)});
  ball.shape = Sphere{0.05};
  builder.AddJoint(ball.body, {.kind = FreeJoint{}});
  builder.AddGeom(ball, {.mass = 1.0});
  World world(builder.Build());
  world.Step();
  const double start = world.time(), acceleration = torsional * kGravity / inertia;
  const auto place = [&](double t) { return Turn(speed * (t - start), Vector3d::UnitZ(), {0, 0, -0.1}); };
  Drive(world, 0.1, place);
  EXPECT_NEAR(world.v()[5], 0.1 * acceleration, 1e-6);
  Drive(world, 0.3, place);
  EXPECT_NEAR(world.v()[5], speed, 1e-7);
}

// A wheel on a shaft that rests on a roller without sliding friction: rolling friction μ N about the shafts.
TEST(MocapMotion, RollsByRollingFriction) {
  const double rolling = 0.003, speed = 3.0, inertia = 0.4 * 0.05 * 0.05;
  ModelBuilder builder("roller");
  const Geom law{.friction = 0.0, .torsional_friction = 0.0, .rolling_friction = rolling, .condim = 6};
  Geom roller = law, wheel = law;
  roller.body = builder.AddBody({.X_PB = Shift(0, 0, -0.1), .is_mocap = true});
  roller.shape = Sphere{0.1};
  wheel.body = builder.AddBody({.X_PB = Shift(0, 0, 0.05)});
  wheel.shape = Sphere{0.05};
  builder.AddJoint(wheel.body, {.kind = SlideJoint{}});
  builder.AddJoint(wheel.body, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
  builder.AddGeom(roller);
  builder.AddGeom(wheel, {.mass = 1.0});
  World world(builder.Build());
  world.Step();
  const double start = world.time(), acceleration = rolling * kGravity / inertia;
  const auto place = [&](double t) { return Turn(speed * (t - start), Vector3d::UnitY(), {0, 0, -0.1}); };
  Drive(world, 0.08, place);
  EXPECT_NEAR(world.v()[1], 0.08 * acceleration, 1e-6);
  Drive(world, 0.3, place);
  EXPECT_NEAR(world.v()[1], speed, 1e-7);
}

TEST(MocapMotion, AJumpThrowsNothing) {
  World world(MakeBoxOnPlate({.friction = 0.5}, Vector3d::Zero()));
  world.Step();
  Drive(world, kMocapStep, [](double) { return Shift(0, 0, -0.06); });  // 4 cm into a box of 10 cm: reached
  EXPECT_GT(world.v()[2], 10.0);
  World jumped(MakeBoxOnPlate({.friction = 0.5}, Vector3d::Zero()));
  jumped.Step();
  Drive(jumped, 0.2, [](double) { return Shift(0, 0, -0.04); });  // 6 cm: more than half of it
  EXPECT_LT(jumped.v().norm(), 1e-9);
}

// Every integrator has the laws at the end of the step.
TEST(MocapMotion, IsThatOfAllIntegrators) {
  for (const Integrator integrator :
       {Integrator::kImplicitEuler, Integrator::kMidpoint, Integrator::kRungeKutta4}) {
    WorldOptions options;
    options.integrator = integrator;
    World world(MakeBoxOnPlate({.friction = 0.5}), options);
    world.Step();
    const double start = world.time();
    Drive(world, 0.5, [&](double t) { return Shift(0, 0, -0.1 + 0.3 * (t - start)); });
    EXPECT_NEAR(world.v()[2], 0.3, 1e-6) << ToString(integrator);
    EXPECT_NEAR(world.q()[2], 0.05 + 0.15, 1e-4) << ToString(integrator);
  }
}

}  // namespace
}  // namespace stiction::testing

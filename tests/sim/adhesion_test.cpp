// Adhesion against weight, friction and the force that pulls off.
#include "sim/adhesion.h"

#include <gtest/gtest.h>

#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

constexpr double kWeight = 2.0 * kGravity;

// A body of 2 kg under a ceiling, which it touches, with adhesion of f.
World MakeHanging(const Shape& shape, double depth, double f, const Vector3d& gravity,
                  double friction = 0.5) {
  ModelBuilder builder("hanging");
  builder.options().gravity = gravity;
  AddFloor(builder, {.friction = friction}, Turn(kPi, Vector3d::UnitX()));
  const int body = AddFreeBody(builder, shape, 2.0, Shift(0, 0, -depth), {.friction = friction});
  builder.AddActuator({.name = "grip", .body = body, .gain = {10.0, 0, 0}});
  builder.AddSensor({.name = "f", .type = SensorType::kActuatorForce, .index = 0});
  builder.AddSensor({.name = "contact", .type = SensorType::kContactForce, .side_b = {.body = body}});
  World world(builder.Build());
  world.input().ctrl[0] = 0.1 * f;
  return world;
}

void Pass(World& world, double seconds) {
  for (int i = 0; i < std::lround(seconds / world.timestep()); ++i) world.Step();
}

TEST(Adhesion, CarriesABallUnderACeiling) {
  World world = MakeHanging(Sphere{0.1}, 0.1, 1.5 * kWeight, {0, 0, -kGravity});
  Pass(world, 1.0);
  EXPECT_NEAR(world.q()[2], -0.1, 1e-9);
  EXPECT_NEAR(world.sensor(0)[0], 1.5 * kWeight, 1e-12);
  EXPECT_NEAR(world.sensor(1)[2], -0.5 * kWeight, 1e-6) << "what presses is the pull without the weight";
}

TEST(Adhesion, LetsGoOfWhatIsHeavier) {
  World world = MakeHanging(Sphere{0.1}, 0.1, 0.9 * kWeight, {0, 0, -kGravity});
  Pass(world, 0.2);
  // The pull ends with the first micrometre.
  EXPECT_NEAR(world.q()[2], -0.1 - 0.5 * kGravity * 0.04, 5e-3);
}

TEST(Adhesion, IsSharedByTheContactsOfABox) {
  World world = MakeHanging(Box{{0.1, 0.1, 0.05}}, 0.05, 1.5 * kWeight, {0, 0, -kGravity});
  Pass(world, 1.0);
  EXPECT_NEAR(world.q()[2], -0.05, 1e-9);
  ASSERT_EQ(world.contacts().size(), 4u);
  EXPECT_NEAR(world.sensor(1)[2], -0.5 * kWeight, 1e-6);
  EXPECT_LT(world.v().norm(), 1e-8) << "and turns nothing";
}

// Gravity along the ceiling: what adhesion presses together holds by friction, or slides at g − μ f/m.
TEST(Adhesion, BearsFriction) {
  World held = MakeHanging(Box{{0.1, 0.1, 0.05}}, 0.05, 2.2 * kWeight, {kGravity, 0, 0});
  Pass(held, 1.0);
  EXPECT_NEAR(held.q()[0], 0.0, 1e-8);
  World sliding = MakeHanging(Box{{0.1, 0.1, 0.05}}, 0.05, 1.5 * kWeight, {kGravity, 0, 0});
  Pass(sliding, 1.0);
  EXPECT_NEAR(sliding.v()[0], 0.25 * kGravity, 1e-6);
}

TEST(Adhesion, ActsOnBothBodiesAlike) {
  ModelBuilder builder("pair");
  builder.options().gravity.setZero();
  AddFreeBody(builder, Sphere{0.1}, 1.0, {});
  const int b = AddFreeBody(builder, Sphere{0.1}, 3.0, Shift(0.2, 0, 0));
  builder.AddActuator({.name = "grip", .body = b});
  World world(builder.Build());
  State state = world.state();
  state.v[0] = -0.5;  // pulled apart by an impulse that is stronger than the pull of the first step
  world.set_state(state);
  world.input().ctrl[0] = 40.0;
  world.Step();
  EXPECT_NEAR(world.v()[0] * 1.0 + world.v()[6] * 3.0, -0.5, 1e-14);
  EXPECT_NEAR(world.v()[6] - 0.0, -40.0 * world.timestep() / 3.0, 1e-12);
}

}  // namespace
}  // namespace stiction::testing

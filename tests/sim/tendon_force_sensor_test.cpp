// Force sensors beside tendons: what a tendon carries, no parent has to.
#include <gtest/gtest.h>

#include "stiction/sim/world.h"
#include "tests/support/scenes.h"

namespace stiction {
namespace {

using namespace stiction::testing;

constexpr double kHungMass = 2.0;
constexpr double kRopeLength = 0.5;

// A weight on a slide along gravity, which can carry none of it, below a point of the world.
int AddHungWeight(ModelBuilder& builder, double x, double damping) {
  const int body = builder.AddBody({.X_PB = Shift(x, 0, 1.0 - kRopeLength)});
  builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitZ()}, .damping = damping});
  builder.AddGeom({.body = body, .shape = Sphere{0.05}, .contype = 0, .conaffinity = 0}, {.mass = kHungMass});
  return body;
}

SpatialTendon MakeRope(int body, double x) {
  return {{SpatialTendon::Site{0, {x, 0, 1}}, SpatialTendon::Site{body, Vector3d::Zero()}}};
}

// What the slide holds at rest [N].
Vector3d ReadForceOnSlide(const Tendon& tendon, const std::vector<Equality>& equalities = {},
                          bool is_driven = false) {
  ModelBuilder builder("hung");
  const int body = AddHungWeight(builder, 0.0, 20.0);
  Tendon rope = tendon;
  rope.path = MakeRope(body, 0.0);
  builder.AddTendon(rope);
  for (const Equality& equality : equalities) builder.AddEquality(equality);
  if (is_driven) builder.AddActuator({.tendon = 0, .gear = {2, 0, 0, 0, 0, 0}});
  builder.AddSensor({.type = SensorType::kForce, .frame = {.body = body}});
  World world(builder.Build(), {.timestep = 0.002});
  if (is_driven) world.input().ctrl[0] = -0.5 * kHungMass * kGravity;
  while (world.time() < 3.0) EXPECT_EQ(world.Step().status, StepStatus::kOk);
  EXPECT_LT(world.v().norm(), 1e-6) << "at rest";
  return world.sensor(0);
}

TEST(TendonForceSensor, ASlideAlongGravityHoldsNothingOfWhatHangsOnATendon) {
  EXPECT_LT(ReadForceOnSlide({.path = {}, .stiffness = 400.0, .damping = 3.0}).norm(), 1e-4) << "a spring";
  EXPECT_LT(ReadForceOnSlide({.path = {}, .upper = kRopeLength}).norm(), 1e-4) << "its limit";
  EXPECT_LT(ReadForceOnSlide({.path = {}, .friction_loss = 100.0}).norm(), 1e-4) << "dry friction";
  EXPECT_LT(ReadForceOnSlide({}, {{.kind = TendonPolynomial{.tendon = 0, .coefficients = {}}}}).norm(), 1e-4)
      << "a coupling";
  EXPECT_LT(ReadForceOnSlide({}, {}, true).norm(), 1e-4) << "an actuator with a gear";
}

// Two weights on one rope over a cylinder: what carries it carries both.
TEST(TendonForceSensor, ACylinderCarriesWhatHangsOverIt) {
  ModelBuilder builder("pulley");
  const int wheel = builder.AddBody({.X_PB = Shift(0, 0, 1)});
  builder.SetInertia(wheel, {.mass = 3.0, .I_BBcm_B = 0.01 * Matrix3d::Identity()});
  const double radius = 0.1;
  const int left = AddHungWeight(builder, -radius, 1.0), right = AddHungWeight(builder, radius, 1.0);
  SpatialTendon::Wrap wrap{.center = {.body = wheel, .X_BF = Turn(kPi / 2, Vector3d::UnitX())},
                           .radius = radius,
                           .is_cylinder = true,
                           .side = SpatialTendon::Site{wheel, {0, 0, 2.0 * radius}}};
  builder.AddTendon({.path = SpatialTendon{{SpatialTendon::Site{left, Vector3d::Zero()}, wrap,
                                            SpatialTendon::Site{right, Vector3d::Zero()}}},
                     .upper = 2.0 * kRopeLength + kPi * radius});
  builder.AddSensor({.type = SensorType::kForce, .frame = {.body = wheel}});
  builder.AddSensor({.type = SensorType::kTorque, .frame = {.body = wheel}});
  World world(builder.Build(), {.timestep = 0.002});
  while (world.time() < 1.0) EXPECT_EQ(world.Step().status, StepStatus::kOk);
  EXPECT_NEAR(world.q()[0], 0.0, 1e-6);
  EXPECT_LT((Vector3d(world.sensor(0)) - Vector3d(0, 0, (3.0 + 2.0 * kHungMass) * kGravity)).norm(), 1e-4);
  EXPECT_LT(Vector3d(world.sensor(1)).norm(), 1e-4);
}

}  // namespace
}  // namespace stiction

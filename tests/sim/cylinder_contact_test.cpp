// Cylinders and ellipsoids in motion and at rest.
#include <gtest/gtest.h>

#include "tests/support/scenes.h"

namespace stiction {
namespace {

using testing::AddFloor;
using testing::AddFreeBody;
using testing::kGravity;
using testing::kPi;
using testing::Shift;
using testing::Turn;

double CalcLargestMove(const World& world, const std::vector<RigidTransform>& start) {
  double move = 0.0;
  for (std::size_t b = 1; b < start.size(); ++b)
    move = std::max(move, (world.body_poses()[b].p - start[b].p).norm());
  return move;
}

// Drums on one another, turned and shifted, on a box that stands on a drum: caps on caps, boxes and the
// floor.
TEST(CylinderContact, AStackOfDrumsStands) {
  ModelBuilder builder("drums");
  AddFloor(builder);
  double z = 0.0;
  const auto put = [&](const Shape& shape, double half_height, double x, double angle, double mass) {
    AddFreeBody(builder, shape, mass, Turn(angle, Vector3d::UnitZ(), {x, 0.3 * x, z + half_height}));
    z += 2.0 * half_height;
  };
  put(Cylinder{0.2, 0.1}, 0.1, 0.0, 0.0, 1.0);
  put(Box{{0.15, 0.1, 0.05}}, 0.05, 0.01, 0.4, 2.0);
  put(Cylinder{0.1, 0.1}, 0.1, 0.0, 0.3, 1.0);
  put(Cylinder{0.1, 0.05}, 0.05, 0.02, 0.9, 50.0);
  put(Cylinder{0.2, 0.05}, 0.05, -0.01, 0.0, 5.0);
  World world(builder.Build());
  const auto start = world.body_poses();
  int missed = 0;
  for (int i = 0; i < 1500; ++i) missed += world.Step().status != StepStatus::kOk;
  EXPECT_EQ(missed, 0);
  EXPECT_LT(CalcLargestMove(world, start), 1e-7);
}

// Pure rolling on a table: the centre keeps its speed.
TEST(CylinderContact, ALyingCylinderRolls) {
  constexpr double kRadius = 0.1, kSpeed = 0.5;
  ModelBuilder builder("roller");
  builder.AddGeom({.shape = Box{{3, 1, 0.1}}});
  AddFreeBody(builder, Cylinder{kRadius, 0.15}, 1.0,
              Turn(kPi / 2.0, Vector3d::UnitX(), {-1, 0, 0.1 + kRadius}));
  World world(builder.Build());
  State state = world.state();
  state.v[0] = kSpeed;
  state.v[5] = -kSpeed / kRadius;  // body z lies along the world's -y: rolls towards +x
  world.set_state(state);
  double lowest = 1.0, highest = 0.0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    lowest = std::min(lowest, world.q()[2]);
    highest = std::max(highest, world.q()[2]);
  }
  EXPECT_NEAR(world.q()[0], -1.0 + 2.0 * kSpeed, 1e-4);
  EXPECT_NEAR(world.v()[0], kSpeed, 1e-5);
  EXPECT_NEAR(world.q()[1], 0.0, 1e-6);
  EXPECT_LT(highest - lowest, 1e-7);
}

// A drum on a slope below its friction angle holds, above it slides as a block does.
TEST(CylinderContact, StandsOnASlopeUntilFrictionGivesWay) {
  for (const double friction : {0.5, 0.2}) {
    const double angle = 0.3;
    ModelBuilder builder("slope");
    const Matrix3d R = Turn(angle, Vector3d::UnitY()).R;
    builder.AddGeom({.shape = Box{{3, 3, 0.1}}, .X_BG = {R, Vector3d::Zero()}, .friction = friction});
    AddFreeBody(builder, Cylinder{0.1, 0.05}, 1.0, {R, R * Vector3d(0, 0, 0.15)}, {.friction = friction});
    World world(builder.Build());
    const Vector3d start = world.body_poses()[1].p;
    for (int i = 0; i < 500; ++i) world.Step();
    const double moved = (world.body_poses()[1].p - start).norm();
    const double acceleration = kGravity * (std::sin(angle) - friction * std::cos(angle));
    if (acceleration < 0.0)
      EXPECT_LT(moved, 1e-8);
    else
      EXPECT_NEAR(moved, 0.5 * acceleration, 0.01 * acceleration);
  }
}

// Without damping an egg rocks on: it gains no energy and never sinks in.
TEST(CylinderContact, AnEggRocksOnATable) {
  ModelBuilder builder("egg");
  builder.AddGeom({.shape = Box{{1, 1, 0.1}}});
  AddFreeBody(builder, Ellipsoid{{0.1, 0.15, 0.08}}, 1.0, Turn(0.3, Vector3d::UnitX(), {0, 0, 0.2}));
  World world(builder.Build());
  const double start = world.CalcEnergy().total();
  double penetration = 0.0, highest = start;
  for (int i = 0; i < 2000; ++i) {
    const StepReport& report = world.Step();
    ASSERT_EQ(report.status, StepStatus::kOk);
    penetration = std::max(penetration, report.penetration);
    highest = std::max(highest, world.CalcEnergy().total());
  }
  EXPECT_LT(penetration, 1e-4);
  EXPECT_LT(highest, start + 1e-3);
  EXPECT_GT(world.q()[2], 0.1 + 0.0799);
}

// A drum that lies in the groove between two others.
TEST(CylinderContact, DrumsLieOnDrums) {
  constexpr double kRadius = 0.1;
  ModelBuilder builder("pyramid");
  const Matrix3d R = Turn(kPi / 2.0, Vector3d::UnitX()).R;
  AddFloor(builder, {.friction = 1.0});
  for (const double x : {-kRadius, kRadius})
    AddFreeBody(builder, Cylinder{kRadius, 0.2}, 1.0, {R, {x, 0, kRadius}});
  AddFreeBody(builder, Cylinder{kRadius, 0.2}, 1.0, {R, {0, 0, kRadius * (1.0 + std::sqrt(3.0))}});
  World world(builder.Build());
  const auto start = world.body_poses();
  for (int i = 0; i < 500; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk);
  EXPECT_LT(CalcLargestMove(world, start), 1e-6);
}

}  // namespace
}  // namespace stiction

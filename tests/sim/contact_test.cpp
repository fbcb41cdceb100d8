// Whole steps with contacts: stacks, penetration, restitution, far contacts, slip memory.
#include <gtest/gtest.h>

#include <random>

#include "sim/step_workspace.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/field_text.h"
#include "stiction/io/load.h"
#include "stiction/math/rotation.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

TEST(Contact, StacksStandWhateverTheMassRatio) {
  for (const double ratio : {1.0, 1000.0}) {
    World world = MakeWorld(MakeBoxStack(10, ratio), 0.005);
    RunSteps(world, 40);
    const double settled = world.CalcEnergy().total();
    const RunSummary run = RunSteps(world, 360);
    EXPECT_EQ(run.not_ok, 0) << "ratio " << ratio;
    EXPECT_LE(run.ncp, 1e-8) << "ratio " << ratio;
    for (int i = 0; i < 10; ++i) {
      // The closed gap, 1e-6 m, is what a rigid stack may be off by.
      EXPECT_NEAR(world.q()[7 * i + 2], 0.05 + 0.1 * i, 1e-6) << "box " << i << ", ratio " << ratio;
    }
    // Tolerance times weight times time: 1e-8 m/s, up to 2.7e4 N, 2 s.
    EXPECT_LE(world.CalcEnergy().total() - settled, 1e-8 * kGravity * 2.0 * (ratio > 1 ? 2200 : 10));
  }
}

// MuJoCo's and Gazebo's users write 1e6 and more for what does not slip.
TEST(Contact, AnyFrictionHoldsAndNothingFallsThrough) {
  for (const double friction : {1e3, 1e5, 1e9, 1e300}) {
    ModelBuilder builder;
    AddFloor(builder, {.friction = friction});
    AddFreeBody(builder, Box{Vector3d::Constant(0.1)}, 1.0, Shift(0, 0, 0.3), {.friction = friction});
    World world = MakeWorld(builder.Build());
    State state = world.state();
    state.v[0] = 2.0;
    world.set_state(state);
    const RunSummary run = RunSteps(world, 500);
    EXPECT_EQ(run.not_ok, 0) << friction;
    EXPECT_NEAR(world.q()[2], 0.1, 1e-6) << friction;
    EXPECT_LT(world.v().norm(), 1e-7) << friction;
  }
}

TEST(Contact, OverlappingBoxesSeparateWithoutKineticEnergy) {
  World world = MakeWorld(MakeBoxStack(5, 1.0, 2e-3), 0.005);
  const RunSummary run = RunSteps(world, 200);
  EXPECT_EQ(run.not_ok, 0);
  EXPECT_GT(run.penetration, 1.9e-3);
  EXPECT_LT(run.kinetic, 1e-9);
  EXPECT_LT(world.report().penetration, 1.1e-5);  // the slop that the stage leaves
}

// SAP's contacts are damped springs, R_n = β² w/4π² and e_n = φ/(2 dt): under the impulse m g dt a ball rests
// at φ = −2 dt R_n m g dt. Its w is (1 + 7/2 + 7/2)/3m = 8/3m.
TEST(Contact, BallRestsWhereTheLawOfSapHoldsIt) {
  const double dt = 0.01;
  World world = MakeWorld(MakeBall(0.1, 0.0), dt, "sap");
  RunSteps(world, 100);
  const double depth = 2.0 * dt * (8.0 / 3.0) / (4.0 * kPi * kPi) * kGravity * dt;
  EXPECT_NEAR(0.1 - world.q()[2], depth, 2e-3 * depth);  // w is that of a lever shorter by the depth
  EXPECT_LT(world.v().norm(), 1e-9);
}

// Nothing sinks, even at the bottom of a stack, whose contacts carry more than they were made for.
TEST(Contact, StackOfSapStands) {
  World world = MakeWorld(MakeBoxStack(10), 0.01, "sap");
  RunSteps(world, 200);
  const double top = world.q()[7 * 9 + 2];
  RunSteps(world, 400);
  EXPECT_NEAR(world.q()[7 * 9 + 2], top, 1e-9);
  EXPECT_LT(world.report().penetration, 1e-3);
  EXPECT_LE(world.report().solve.iterations, 1);
}

TEST(Contact, BallPressedIntoAGrooveIsCertifiedEveryStep) {
  for (const double degrees : {60.0, 75.0}) {
    const double slope = degrees * kPi / 180.0, radius = 0.1;
    ModelBuilder builder;
    AddFloor(builder, {}, Turn(slope, Vector3d::UnitY()));
    AddFloor(builder, {}, Turn(-slope, Vector3d::UnitY()));
    AddFreeBody(builder, Sphere{radius}, 1.0, Shift(0, 0, (radius - 2e-3) / std::cos(slope)));
    World world = MakeWorld(builder.Build(), 0.005);
    const RunSummary run = RunSteps(world, 200);
    EXPECT_EQ(run.not_ok, 0) << degrees;
    EXPECT_LE(run.ncp, 1e-8) << degrees;
    EXPECT_LT(run.kinetic, 1e-9) << degrees;
    EXPECT_LT(world.report().penetration, 1.1e-5) << degrees;
  }
}

TEST(Contact, BallSqueezedBetweenTwoWallsFallsFreely) {
  const double radius = 0.1;
  ModelBuilder builder;
  AddFloor(builder, {}, Turn(kPi / 2, Vector3d::UnitY(), {-(radius - 5e-4), 0, 0}));
  AddFloor(builder, {}, Turn(-kPi / 2, Vector3d::UnitY(), {radius - 5e-4, 0, 0}));
  AddFreeBody(builder, Sphere{radius}, 1.0, {});
  World world = MakeWorld(builder.Build(), 0.005);
  const RunSummary run = RunSteps(world, 100);
  EXPECT_EQ(run.not_ok, 0);
  EXPECT_LE(run.ncp, 1e-8);
  // The walls contradict one another, which moves nothing and presses on nothing.
  EXPECT_NEAR(world.v()[2], -kGravity * world.time(), 1e-6);
  EXPECT_NEAR(world.q()[0], 0.0, 1e-6);
}

TEST(Contact, PositionStageLeavesVelocityAndImpulsesAlone) {
  const Model model = MakeBoxStack(3, 10.0, 2e-3);
  const Input input = Input::Default(model);
  State state = State::Default(model);
  StepWorkspace ws(model, {});
  StepReport report;
  for (int step = 0; step < 5; ++step) {
    const Vector3d z(state.q[2], state.q[9], state.q[16]);
    const Vector3d gap_below = z - Vector3d(0.05, 0.1 + z[0], 0.1 + z[1]);  // boxes of 10 cm
    Step(model, input, state, ws, report);
    ASSERT_GT(report.correction, 1e-5);  // the stage acts
    EXPECT_TRUE(state.v == ws.solution.v);
    ASSERT_EQ(state.contacts.size(), static_cast<std::size_t>(ws.problem.num_constraints()));
    for (int k = 0; k < ws.problem.num_constraints(); ++k) {
      const Vector3d lambda = ws.solution.lambda.segment<3>(3 * k);
      const Matrix3d R_WC = MakeContactFrame(ws.contacts[k].tracked.point.n_W);
      EXPECT_TRUE(state.contacts[k].impulse_W == R_WC * lambda);
    }
    // In a stack, each box is lifted by what its own and all lower contacts are pushed apart: γ of what they
    // overlap beyond the slop, 1 mm at most. The stage solves every row to some 1e-9 m.
    double lift = 0.0;
    for (int box = 0; box < 3; ++box) {
      const double gap = gap_below[box], push = std::min(0.2 * (-gap - 1e-5), 1e-3);
      ASSERT_GT(push, 1e-5) << step;
      lift += push;
      EXPECT_NEAR(ws.position_stage.displacement()[6 * box + 2], lift, 1e-8) << step << ", box " << box;
    }
  }
}

TEST(Contact, BallBouncesAtItsRestitution) {
  World world = MakeWorld(MakeBall(0.1, 1.0, {.restitution = 0.5}), 0.001);
  int bounces = 0;
  for (int i = 0; i < 1200 && bounces < 3; ++i) {
    const double before = world.v()[2];
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    if (before < 0.0 && world.v()[2] > 0.0) {
      ++bounces;
      EXPECT_NEAR(world.v()[2] / -before, 0.5, 1e-4);
    }
  }
  EXPECT_EQ(bounces, 3);
}

TEST(Contact, RestingBodiesDoNotBounce) {
  ModelBuilder builder;
  AddFloor(builder, {.restitution = 0.9});
  AddFreeBody(builder, Box{Vector3d::Constant(0.1)}, 1.0, Shift(0, 0, 0.1), {.restitution = 0.9});
  World world = MakeWorld(builder.Build());
  const RunSummary run = RunSteps(world, 500);
  EXPECT_LT(run.kinetic, 1e-14);  // v of the solver's tolerance
  EXPECT_NEAR(world.q()[2], 0.1, 1e-6);
}

TEST(Contact, FastBallStopsAtTheFloorWithinTheMargin) {
  // 9 m/s over 5 ms is 4.5 cm, less than the largest margin: half of the ball's 10 cm.
  for (int k = 0; k < 10; ++k) {
    World world = MakeWorld(MakeBall(0.05, 0.2 + 0.0047 * k), 0.005);
    SetFreeVelocity(world, 0, {1.0, 0, -9.0});
    const RunSummary run = RunSteps(world, 40);
    EXPECT_EQ(run.not_ok, 0);
    EXPECT_LT(run.penetration, 1e-6) << k;  // the closed gap
    EXPECT_NEAR(world.q()[2], 0.05, 1e-6) << k;
  }
}

// A ball at 10 m/s whose path clears the upper edge of a fixed box by `clearance`.
double CalcDeflection(double clearance, double start) {
  ModelBuilder builder;
  builder.options().gravity.setZero();
  builder.AddGeom({.shape = Box{{0.5, 0.5, 0.5}}, .X_BG = Shift(0.5, 0, -0.5)});
  AddFreeBody(builder, Sphere{0.05}, 1.0, Shift(start, 0, 0.05 + clearance));
  World world = MakeWorld(builder.Build(), 0.005);
  SetFreeVelocity(world, 0, {10, 0, 0});
  RunSteps(world, 40);
  return (world.v() - Eigen::Matrix<double, 6, 1>::Unit(0) * 10.0).norm();
}

TEST(Contact, BallPassingAnEdgeIsNotDeflected) {
  // Clear of everything: every contact is far and none comes about.
  for (int k = 0; k < 20; ++k) {
    EXPECT_LT(CalcDeflection(1e-3, -0.3 - 0.001 * k), 1e-8) << k;
    EXPECT_LT(CalcDeflection(3e-3, -0.5 - 0.005 * k), 1e-8) << k;
  }
}

// A ball falls after another that is about to land, too slowly to reach it in this step at the present
// velocities. Both spin, so that the pair counts as fast and is swept; landing stops the lower one at once.
TEST(Contact, BallDoesNotRunIntoOneThatLandsAhead) {
  constexpr double kRadius = 0.0168, kGap = 0.0031;
  for (const double spin : {0.0, 60.0, 300.0}) {
    ModelBuilder builder;
    builder.AddGeom({.shape = Plane{}});
    AddFreeBody(builder, Sphere{kRadius}, 0.05, Shift(0, 0, kRadius + 1e-3));
    AddFreeBody(builder, Sphere{kRadius}, 0.05, Shift(0, 0, 3.0 * kRadius + 1e-3 + kGap));
    World world = MakeWorld(builder.Build(), 0.005);
    SetFreeVelocity(world, 0, {0, 0, -1.0}, {0, 0, spin});
    SetFreeVelocity(world, 1, {0, 0, -1.5}, {0, 0, spin});
    const RunSummary run = RunSteps(world, 3);
    EXPECT_EQ(run.not_ok, 0) << spin;
    EXPECT_LT(run.penetration, 1e-5) << spin;
  }
}

constexpr double kThinPlate = 1.5e-3;  // half of its thickness [m]

// Falls on a plate from heights at which the step that meets it, of 10 ms, ends anywhere: in the plate, or
// below it. What turns meets it with one end, and then with the other.
void FallOnThinPlate(const Shape& plate, const Shape& thing, double spin) {
  for (int k = 0; k < 60; ++k) {
    SCOPED_TRACE(std::string(ShapeName(thing)) + " on " + std::string(ShapeName(plate)) + " " +
                 std::to_string(k) + " at " + std::to_string(spin));
    ModelBuilder builder;
    builder.AddGeom({.shape = plate, .X_BG = Shift(0, 0, -kThinPlate)});
    const double speed = 0.4 + 0.02 * k, height = 0.026 + 0.00035 * (7 * k % 60);
    AddFreeBody(builder, thing, 1e-3, {Turn(0.3 * k, Vector3d(1, 2, k).normalized()).R, {0, 0, height}});
    World world = MakeWorld(builder.Build(), 0.01);
    SetFreeVelocity(world, 0, {0, 0, -speed}, spin * Vector3d(1, std::sin(k), std::cos(3 * k)).normalized());
    const RunSummary run = RunSteps(world, 12);
    EXPECT_EQ(run.not_ok, 0);
    EXPECT_GT(world.q()[2], 0.0);
    if (std::holds_alternative<Sphere>(thing)) {
      EXPECT_LT(run.penetration, 1e-9) << "a ball is where it was, however it turns";
    }
  }
}

TEST(Contact, NothingSmallFallsThroughAThinPlate) {
  constexpr double kSize = 5e-3;  // [m]
  const Vector3d half(0.1, 0.1, kThinPlate);
  const Shape plates[] = {Box{half}, Cylinder{0.1, kThinPlate}, MakeHull(MakeBoxMesh(half).vertices).hull};
  const Shape things[] = {
      Sphere{kSize},          Box{{kSize, kSize, kSize}},
      Capsule{kSize, kSize},  Capsule{0.6 * kSize, 2.0 * kSize},
      Cylinder{kSize, kSize},
  };
  for (const double spin : {0.0, 50.0, 100.0, 200.0}) {  // up to two radians a step
    for (const Shape& plate : plates) {
      for (const Shape& thing : things) FallOnThinPlate(plate, thing, spin);
    }
  }
}

TEST(Contact, NothingSmallFallsThroughAThinField) {
  const Shape plate = MakeField(MakeBoxField({0.1, 0.1, kThinPlate}), 3e-3).shape;
  for (const double spin : {0.0, 50.0, 100.0, 200.0}) {
    for (const Shape& thing :
         {Shape(Sphere{5e-3}), Shape(Box{Vector3d::Constant(5e-3)}), Shape(Capsule{5e-3, 5e-3}),
          Shape(Capsule{3e-3, 1e-2}), Shape(Capsule{4e-3, 2e-2}), Shape(Cylinder{5e-3, 5e-3})})
      FallOnThinPlate(plate, thing, spin);
  }
}

// A ball flies at a cup's wall and is led down along it, through the floor if nobody looks again.
TEST(Contact, WhatMeetsOneSideOfACupMeetsTheNext) {
  for (const double speed : {0.8, 1.0, 1.2, 1.4, 2.0, 3.0}) {
    const std::string cup = "profile(0.0015, 0, -0.0285, 0.0255, -0.0285, 0.0255, 0.0285)";
    Model model = LoadModelText(R"xml(<mujoco><worldbody>
          <geom type="sdf" resolution="0.0015" friction="0.3" field=")xml" +
                                cup + R"xml("/>
          <body pos="0.0016 0.0143 -0.0063"><freejoint/>
            <geom type="sphere" size="0.005" density="1000" friction="0.3"/>
          </body>
        </worldbody></mujoco>)xml");
    World world = MakeWorld(std::move(model), 0.02);
    SetFreeVelocity(world, 0, {0.016, 0.4 * speed, -speed}, Vector3d::Zero());
    EXPECT_EQ(RunSteps(world, 20).not_ok, 0) << speed;
    EXPECT_GT(world.q()[2], -0.0221) << speed;
    EXPECT_LT(world.q().head<2>().norm(), 0.0191) << speed;
  }
}

// A small ball that is thrown at the corner between a cup's floor and its wall rolls up the wall and back,
// and touches both at once on its way.
TEST(Contact, ABallThrownIntoACupsCornerStaysInTheCup) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (const auto& [speed, dt] : {std::pair(0.4, 0.02), std::pair(0.8, 0.02), std::pair(0.8, 0.01)}) {
    for (int k = 0; k < 40; ++k) {
      const double phi = 2.0 * kPi * uniform(random), psi = 2.0 * kPi * uniform(random);
      const double rho = 0.02 * uniform(random), z = -0.023 + 0.018 * uniform(random);
      const Vector3d p(rho * std::cos(phi), rho * std::sin(phi), z);
      const Vector3d corner(0.028 * std::cos(psi), 0.028 * std::sin(psi), -0.027);
      const PlacedField cup =
          MakeField(ParseDistanceField("profile(0.003, 0, -0.03, 0.03, -0.03, 0.05, 0.03)"), 0.003);
      ModelBuilder builder;
      builder.AddGeom({.shape = cup.shape, .X_BG = {Matrix3d::Identity(), cup.p_FG}, .friction = 0.3});
      AddFreeBody(builder, Sphere{0.003}, 1e-4, Shift(p.x(), p.y(), p.z()), {.friction = 0.3});
      World world = MakeWorld(builder.Build(), dt);
      SetFreeVelocity(world, 0, speed * (corner - p).normalized(), Vector3d::Zero());
      for (int step = 0; step < 30; ++step) {
        world.Step();
        const double gap = cup.shape.solid->field.CalcValue(world.q().head<3>() - cup.p_FG) - 0.003;
        ASSERT_GT(gap, -1e-5) << k << " at " << speed << ", step " << step;
        ASSERT_GT(world.q()[2], -0.0241) << k << " at " << speed << ", step " << step;
      }
    }
  }
}

// On a thin plate that is a field, with a load beside the middle, or sliding and turning. Each triangle of
// the box's faces has one point that is least; beside these it would tip into the plate.
TEST(Contact, BoxesLieFlatOnAThinField) {
  const Shape plate = MakeField(MakeBoxField({0.1, 0.1, kThinPlate}), 3e-3).shape;
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int k = 0; k < 20; ++k) {
    const bool is_loaded = k % 2 == 0;
    const Vector3d half(0.02 + 0.005 * uniform(random), 0.03 + 0.005 * uniform(random), 0.02);
    const RigidTransform X{Turn(3.0 * uniform(random), Vector3d::UnitZ()).R,
                           {0.04 * uniform(random), 0.04 * uniform(random), half.z() + 1e-6}};
    ModelBuilder builder;
    builder.AddGeom({.shape = plate, .X_BG = Shift(0, 0, -kThinPlate), .friction = 0.5});
    AddFreeBody(builder, Box{half}, 0.5, X, {.friction = 0.5});
    if (is_loaded) {
      const Vector3d beside = X * Vector3d(0.013, 0.022, half.z() + 5e-3 + 1e-6);
      AddFreeBody(builder, Box{Vector3d::Constant(5e-3)}, 2.0, {X.R, beside}, {.friction = 0.5});
    }
    World world = MakeWorld(builder.Build(), 0.02);
    if (!is_loaded)
      SetFreeVelocity(world, 0, {0.5 * uniform(random), 0.5 * uniform(random), -0.1},
                      {0, 0, 3.0 * uniform(random)});
    for (int step = 0; step < 60; ++step) {
      world.Step();
      const auto q = world.q();
      const Matrix3d R = Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix();
      ASSERT_NEAR(q[2], half.z(), 2e-6) << k << ", step " << step;
      ASSERT_GT(R(2, 2), 1.0 - 1e-12) << k << ", step " << step;
    }
  }
}

// One corner meets the floor first, and the blow throws the others at it within the step.
TEST(Contact, FastBoxThatLandsAskewDoesNotTurnIntoTheFloor) {
  constexpr double kStep = 0.01, kSpeed = 5.0;  // [s], [m/s]
  const Vector3d half(0.1, 0.2, 0.05);
  for (int k = 0; k < 10; ++k) {
    const double tilt = 2e-3 * (k + 1);
    ModelBuilder builder;
    builder.AddGeom({.shape = Plane{}, .friction = 0.8});
    const RigidTransform X_WB{Turn(tilt, Vector3d::UnitX()).R,
                              {0, 0, half.z() + half.y() * std::sin(tilt) + 0.015 + 0.002 * k}};
    AddFreeBody(builder, Box{half}, 10.0, X_WB, {.friction = 0.8});
    World world = MakeWorld(builder.Build(), kStep);
    SetFreeVelocity(world, 0, {0, 0, -kSpeed}, {0, 3.0, 0});
    const RunSummary run = RunSteps(world, 6);
    EXPECT_EQ(run.not_ok, 0) << k;
    // What is left is that rows are linear in a turn by the tilt and more: second order in it.
    EXPECT_LT(run.penetration, 1e-3) << k;
  }
}

// A heavy ball strikes a resting one, which goes further in the step than its own speed had anyone look: past
// the near distance, past half its size, and into a row of others. Where they lie apart, and are met
// head-on, each of them is driven as far, and known to be only once the one before it is met.
TEST(Contact, BallThatABlowDrivesFarMeetsWhatLiesThere) {
  constexpr double kRadius = 0.01;
  for (const double gap : {0.0025, 0.008, 0.02, 0.05}) {
    for (const auto& [count, apart] : {std::pair(1, 0.0), std::pair(3, 0.0), std::pair(3, 0.005)}) {
      ModelBuilder builder;
      builder.options().gravity.setZero();
      AddFreeBody(builder, Sphere{5.0 * kRadius}, 10.0, Shift(-6.5 * kRadius, 0, 0));
      AddFreeBody(builder, Sphere{kRadius}, 0.01, Shift(0, 0, 0));
      for (int i = 0; i < count; ++i)
        AddFreeBody(builder, Sphere{kRadius}, 0.01,
                    Shift(2.0 * kRadius * (i + 1) + gap + apart * i, apart > 0.0 ? 0.0 : 1e-3, 0));
      World world = MakeWorld(builder.Build(), 0.005);
      SetFreeVelocity(world, 0, {20.0, 0, 0}, Vector3d::Zero());
      const RunSummary run = RunSteps(world, 3);
      EXPECT_EQ(run.not_ok, 0) << gap;
      EXPECT_LT(run.penetration, 5e-4) << gap << " " << count;  // normals turn while the balls slide
      EXPECT_GT(world.v()[12], 10.0) << gap << " " << count;
    }
  }
}

// A brick that stands as far from another as contacts are looked for at rest, but for rounding: two corners
// of the faces are a contact, two are not, and the blow turns it so that these strike.
TEST(Contact, BlockThatABlowTurnsStrikesWithAllItsCorners) {
  constexpr double kGap = 0.04, kDt = 0.02;
  for (const double lean : {-5e-7, 0.0, 5e-7}) {
    ModelBuilder builder;
    builder.options().gravity.setZero();
    const Shape brick = Box{{1.98, 2.0, 1.0}};
    AddFreeBody(builder, brick, 1584.0, Shift(0, 0, 0));
    AddFreeBody(builder, brick, 1584.0, Shift(2.0 * 1.98 + kGap, 0, 0));
    World world = MakeWorld(builder.Build(), kDt);
    State state = world.state();
    state.q[13] = 0.5 * lean;
    world.set_state(state);
    const double inertia = 1584.0 * (1.98 * 1.98 + 4.0) / 3.0;
    world.input().applied_generalized[6] = -1584.0 * 2.9 / kDt;
    world.input().applied_generalized[11] = inertia * 1.1 / kDt;
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    world.input().applied_generalized.setZero();
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    EXPECT_LT(world.report().penetration, 2e-3) << lean;  // the face turns by 0.02 rad
    EXPECT_LT(world.v()[0], -0.1) << lean;
  }
}

// A heavy ball strikes the end of a row of touching ones, and the last of them would run into those that come
// along too slowly to touch it otherwise, one behind the other. Their contacts are far, and out of reach of
// the loose solve, which takes a sweep from ball to ball. A double pendulum strikes a slope apart from them:
// where the integrator solves once more, its island is solved again as well.
class BlowThroughARow : public ::testing::TestWithParam<Integrator> {};
INSTANTIATE_TEST_SUITE_P(Integrators, BlowThroughARow,
                         ::testing::Values(Integrator::kSymplecticEuler, Integrator::kMidpoint),
                         [](const auto& test) { return std::string(ToString(test.param)); });

TEST_P(BlowThroughARow, MeetsWhatComesAlong) {
  constexpr int kRow = 40, kMore = 4;
  constexpr double kRadius = 0.1, kGap = 0.006;
  ModelBuilder builder("row");
  builder.options().gravity.setZero();
  const Surface smooth{.friction = 0.0};
  AddFreeBody(builder, Sphere{kRadius}, 1.0, Shift(2.0 * kRadius + kGap, 0, 0), smooth);
  for (int i = 0; i < kRow; ++i)
    AddFreeBody(builder, Sphere{kRadius}, 1.0, Shift(-2.0 * kRadius * i, 0, 0), smooth);
  AddFreeBody(builder, Sphere{kRadius}, 1e4, Shift(-2.0 * kRadius * kRow, 0, 0), smooth);
  for (int i = 1; i <= kMore; ++i)
    AddFreeBody(builder, Sphere{kRadius}, 1.0, Shift((2.0 * kRadius + kGap) * (i + 1), 0, 0), smooth);
  const Vector3d uphill(-std::sin(0.5), 0.0, std::cos(0.5));  // the slope's normal
  builder.AddGeom({.shape = Plane{},
                   .X_BG = {Eigen::AngleAxisd(-0.5, Vector3d::UnitY()).toRotationMatrix(),
                            Vector3d(0.0, 5.0, -0.95) - 0.05 * uphill}});
  for (int i = 0, parent = 0; i < 2; ++i) {
    const int link =
        builder.AddBody({.parent = parent, .X_PB = parent == 0 ? Shift(0, 5, -0.5) : Shift(0, 0, -0.25)});
    builder.AddJoint(link, {.kind = HingeJoint{Vector3d::UnitY()}});
    builder.SetInertia(link, Transform(Shift(0, 0, -0.25), CalcSolidMassProperties(Sphere{0.05}, 1.0)));
    if (parent > 0) builder.AddGeom({.body = link, .shape = Sphere{0.05}, .X_BG = Shift(0, 0, -0.2)});
    parent = link;
  }
  WorldOptions options;
  options.timestep = 0.01;
  options.integrator = GetParam();
  World world(builder.Build(), options);
  State state = world.state();
  state.v.tail<2>() << -8.0, 3.0;
  state.v[0] = -0.5;              // 5 mm in a step
  state.v[6 * (kRow + 1)] = 2.0;  // 2 cm
  for (int i = 1; i <= kMore; ++i) state.v[6 * (kRow + 1 + i)] = -0.5;
  world.set_state(state);
  ASSERT_EQ(world.Step().status, StepStatus::kOk);
  EXPECT_LE(world.report().certificate.ncp_max, 1e-8);
  ASSERT_EQ(world.Step().status, StepStatus::kOk);
  EXPECT_LT(world.report().penetration, 1e-6);
}

TEST(Contact, PartStaysInASwingingHand) {
  World world{LoadModel(STICTION_SOURCE_DIR "/assets/models/swinging_hand.xml")};
  world.SetKeyframe(*world.model().FindKeyframe("grip"));
  const int hand = world.model().FindBody("hand"), part = world.model().FindBody("part");
  const auto position = [&] {
    world.Refresh();
    const Vector3d p = (world.body_poses()[hand].Inverse() * world.body_poses()[part]).p;
    return Vector2d(p.y(), p.z());  // the sprung pads give along x
  };
  RunSteps(world, 500);
  const Vector2d start = position();
  double moved = 0.0;
  int not_ok = 0;
  for (int i = 0; i < 200; ++i) {
    for (int k = 0; k < 10; ++k) not_ok += world.Step().status != StepStatus::kOk;
    moved = std::max(moved, (position() - start).norm());
  }
  EXPECT_LT(moved, 50e-6);  // bounded by the integration error of one stick; 8 mm without the memory
  EXPECT_EQ(not_ok, 0);
}

TEST(Contact, RollingAndPivotingBallsKeepTheirSpeed) {
  const double radius = 0.1;
  World world = MakeWorld(MakeBall(radius, 0.0));
  SetFreeVelocity(world, 0, {1, 0, 0}, {0, 1 / radius, 20});  // rolls along x and pivots about z
  const RunSummary run = RunSteps(world, 1000);
  EXPECT_EQ(run.not_ok, 0);
  const Vector3d w_W = QuaternionFromWxyz(world.q().data() + 3) * Vector3d(world.v().tail<3>());
  // Nothing acts on it: the solver's tolerance is all that may add up.
  EXPECT_LT((world.v().head<3>() - Vector3d(1, 0, 0)).norm(), 1e-9);
  EXPECT_LT((w_W - Vector3d(0, 1 / radius, 20)).norm(), 1e-8);
  EXPECT_NEAR(world.q()[0], 2.0, 1e-9);
  EXPECT_NEAR(world.q()[1], 0.0, 1e-9);
}

TEST(Contact, SpinningCoinComesToRestWhereItLies) {
  ModelBuilder builder;
  AddFloor(builder, {.friction = 0.5});
  AddFreeBody(builder, Cylinder{0.05, 0.005}, 0.05, Shift(0, 0, 0.005), {.friction = 0.5});
  World world = MakeWorld(builder.Build());
  SetFreeVelocity(world, 0, {0, 0, 0}, {0, 0, 20});
  double spin = 20.0;
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    ASSERT_LE(world.v()[5], spin + 1e-7);  // never speeds up, beyond the budget over the radius
    spin = world.v()[5];
  }
  EXPECT_NEAR(spin, 0.0, 1e-7);
  EXPECT_LT(world.q().head<2>().norm(), 1e-8);  // the budget over one second
}

TEST(Contact, FastBallDoesNotPassAThinWall) {
  // Steps of up to 5 cm against a wall of 5 mm: too fast for the margin, but the ball is larger than its
  // step.
  for (const double speed : {10.0, 20.0, 50.0}) {
    for (int k = 0; k < 10; ++k) {
      ModelBuilder builder;
      builder.options().gravity.setZero();
      builder.AddGeom({.shape = Box{{0.0025, 0.5, 0.5}}});
      AddFreeBody(builder, Sphere{0.05}, 1.0, Shift(-0.2 - 0.005 * k, 0, 0));
      World world = MakeWorld(builder.Build(), 0.001);
      SetFreeVelocity(world, 0, {speed, 0, 0});
      RunSteps(world, 100);
      EXPECT_LT(world.q()[0], 0.0) << speed << " m/s, start " << k;
    }
  }
}

// Models mark contact points by tiny spheres: half of their size is too short a margin for one step.
TEST(Contact, PointOfOneMillimetreLandsWithoutPenetration) {
  for (int k = 0; k < 10; ++k) {
    ModelBuilder builder;
    AddFloor(builder);
    AddFreeBody(builder, Sphere{0.001}, 1.0, Shift(0, 0, 0.05 + 0.001 * k));
    World world = MakeWorld(builder.Build(), 0.002);
    SetFreeVelocity(world, 0, {0, 0, -4.0});
    EXPECT_LT(RunSteps(world, 50).penetration, 1e-9) << k;
  }
}

TEST(Contact, BoxPushedPastItsFrictionForgetsItsSlip) {
  World world = MakeWorld(MakeBoxOnSlope(0.0, 0.5));
  world.input().applied_wrench.col(1) << 0, 0, 0, 3.0, 0, 0;  // the limit is 4.9 N
  RunSteps(world, 50);
  for (const ContactMemory& memory : world.state().contacts) EXPECT_TRUE(memory.stuck);
  EXPECT_LT(std::abs(world.q()[0]), 1e-9);
  world.input().applied_wrench(3, 1) = 9.0;
  RunSteps(world, 2);
  ASSERT_FALSE(world.state().contacts.empty());
  for (const ContactMemory& memory : world.state().contacts) {
    EXPECT_FALSE(memory.stuck);
    EXPECT_TRUE(memory.slip_A.isZero(0.0));
  }
  const double v = world.v()[0];
  RunSteps(world, 50);
  EXPECT_NEAR((world.v()[0] - v) / 0.1, 9.0 - 0.5 * kGravity, 1e-5);  // Coulomb, from the first sliding step
}

TEST(Contact, HingeStopsAtItsLimit) {
  Pendulum pendulum;
  pendulum.joint.lower = -0.3;
  World world = MakeWorld(pendulum.Build());
  State state = world.state();
  state.q[0] = 1.0;
  world.set_state(state);
  double lowest = 1.0;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    lowest = std::min(lowest, world.q()[0]);
    for (const LimitMemory& memory : world.state().limits) {
      ASSERT_GE(memory.lower_impulse, 0.0);
      ASSERT_EQ(memory.upper_impulse, 0.0);
    }
  }
  EXPECT_GT(lowest, -0.3 - 1e-5);  // the stage's slop
  EXPECT_LT(lowest, -0.3 + 1e-5);  // reached without restitution...
  EXPECT_LT(world.q()[0], 0.31);   // ...so that it swings back no further than it stopped
}

TEST(Contact, BallJointStopsAtItsCone) {
  Pendulum pendulum;
  pendulum.joint = {.kind = BallJoint{}, .upper = 0.5};
  World world = MakeWorld(pendulum.Build());
  State state = world.state();
  state.v = Vector3d(3.0, 2.0, 0.0);
  world.set_state(state);
  double widest = 0.0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    widest = std::max(widest, QuaternionLog(QuaternionFromWxyz(world.q().data())).norm());
    for (const LimitMemory& memory : world.state().limits) ASSERT_GE(memory.upper_impulse, 0.0);
  }
  EXPECT_GT(widest, 0.5 - 1e-5);
  EXPECT_LT(widest, 0.5 + 1e-4);  // (|w| dt)² of the rotation that the linear gap leaves out
}

}  // namespace
}  // namespace stiction::testing

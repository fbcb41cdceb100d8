// Mechanisms that start apart, or where no joint may be.
#include <gtest/gtest.h>

#include "stiction/sim/open_equality.h"
#include "tests/support/random_model.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// A chain of links on alternating axes of which the last is to hold a pose in the world.
//   locked  of the six directions of its end: rotations first
Model MakeChain(const std::vector<Vector3d>& axes, double length, double limit, const RigidTransform& goal,
                const std::array<bool, 6>& locked) {
  ModelBuilder builder("chain");
  int parent = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    MassProperties inertia = CalcSolidMassProperties(Capsule{0.02, length}, 1.0);
    inertia.p_BBcm = {0.5 * length, 0, 0};
    parent =
        builder.AddBody({.parent = parent, .X_PB = {.p = {i == 0 ? 0.0 : length, 0, 0}}, .inertia = inertia});
    Joint hinge{.kind = HingeJoint{.axis_B = axes[i]}};
    hinge.lower = -limit, hinge.upper = limit;
    builder.AddJoint(parent, hinge);
  }
  FrameLock lock{.a = {.body = 0, .X_BF = goal}, .b = {.body = parent, .X_BF = {.p = {length, 0, 0}}}};
  lock.locked = locked;
  builder.AddEquality({.kind = lock});
  return builder.Build();
}

// Newton's steps ended at singular places in 9 of 60 such starts of two links, and 8 of 60 of seven.
TEST(LoopDrawing, ClosesFromWhereverAMechanismStarts) {
  const std::array<bool, 6> point{false, false, false, true, true, true};
  const std::array<bool, 6> pose{true, true, true, true, true, true};
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  const Model two = MakeChain({y, y}, 0.3, INFINITY, {.p = {0.36, 0, 0}}, point);
  const Model seven = MakeChain({z, y, x, y, z, y, x}, 0.15, INFINITY,
                                Turn(2.0, Vector3d(0.1, 0.5, 0.2).normalized(), {0.3, 0.3, -0.1}), pose);
  int told_apart = 0;
  for (const Model& model : {two, seven}) {
    Random random(1);
    for (int start = 0; start < 60; ++start) {
      World world = MakeWorld(model, 0.002);
      State state = world.state();
      state.q = random.Vector(model.nq(), start % 3 == 0 ? 0.02 : 2.5);
      world.set_state(state);
      for (const OpenEquality& open : FindOpenEqualities(world.model(), world.input(), world.state()))
        told_apart += open.rest > 0.0 ? 1 : 0;
      for (int i = 0; i < 1500; ++i) world.Step();
      EXPECT_LT(world.report().loop, 1e-10) << model.nv() << " " << start;
    }
  }
  // No search of the start finds every way: weight helps on the way itself.
  EXPECT_LE(told_apart, 1);
}

// Where a way down stays within them; loops come first.
TEST(LoopDrawing, StaysWithinLimits) {
  const std::array<bool, 6> point{false, false, false, true, true, true};
  const Vector3d y = Vector3d::UnitY();
  const Model model = MakeChain({y, y}, 0.3, 2.6, {.p = {0.36, 0, 0}}, point);
  Random random(2);
  int beyond = 0;
  for (int start = 0; start < 60; ++start) {
    World world = MakeWorld(model, 0.002);
    State state = world.state();
    state.q = random.Vector(2, start % 3 == 0 ? 0.02 : 2.5);
    world.set_state(state);
    for (int i = 0; i < 1500; ++i) world.Step();
    EXPECT_LT(world.report().loop, 1e-10) << start;
    if (world.q().lpNorm<Eigen::Infinity>() > 2.6 + 2e-5) ++beyond;
  }
  EXPECT_LE(beyond, 2);
}

// A light body comes to a heavy one, which hardly moves, and turns to it.
TEST(LoopDrawing, LeavesTheMassCentreWhereItIs) {
  ModelBuilder builder("apart");
  builder.options().gravity.setZero();
  const double masses[] = {1.0, 1000.0};
  for (int i = 0; i < 2; ++i) {
    const int body =
        builder.AddBody({.X_PB = Turn(0.7 * i, Vector3d(1, 2, 3).normalized(), {0.5 * i, 0.1 * i, 0}),
                         .inertia = CalcSolidMassProperties(Sphere{0.1}, masses[i])});
    builder.AddJoint(body, {.kind = FreeJoint{}});
  }
  builder.AddEquality({.kind = FrameLock{.a = {.body = 1}, .b = {.body = 2}}});
  World world = MakeWorld(builder.Build(), 0.002);
  for (int i = 0; i < 400; ++i) world.Step();
  EXPECT_LT(world.report().loop, 1e-12);
  for (const int q : {0, 7})
    EXPECT_LT((world.q().segment<3>(q) - Vector3d(0.5, 0.1, 0) * 1000.0 / 1001.0).norm(), 1e-6);
}

// A rocker that its coupler holds on the wrong side of a dead centre, a seventh of a radian from where the
// loop closes again: no motion with closed loops leads to where its joints may be.
TEST(LoopDrawing, CrossesADeadCentreToWhereJointsMayBe) {
  constexpr double kCrank = 0.055, kRod = 0.35, kBeside = 0.006;
  ModelBuilder builder("dead centre");
  const auto add_link = [&](int parent, const Vector3d& p_PB, double length) {
    MassProperties inertia = CalcSolidMassProperties(Capsule{0.01, length}, 0.2);
    inertia.p_BBcm = {0.5 * length, 0, 0};
    const int body = builder.AddBody({.parent = parent, .X_PB = {.p = p_PB}, .inertia = inertia});
    Joint hinge{.kind = HingeJoint{.axis_B = Vector3d::UnitZ()}};
    if (parent == 0) hinge.lower = -2.4, hinge.upper = -0.5;
    builder.AddJoint(body, hinge);
    return body;
  };
  const int rod = add_link(add_link(0, Vector3d::Zero(), kCrank), {kCrank, 0, 0}, kRod);
  const int rocker = add_link(0, {kRod, -kBeside, 0}, kCrank);
  FrameLock pin{.a = {.body = rocker, .X_BF = {.p = {kCrank, kBeside, 0}}},
                .b = {.body = rod, .X_BF = {.p = {kRod, 0, 0}}}};
  pin.locked = {false, false, false, true, true, true};
  builder.AddEquality({.kind = pin});
  World world = MakeWorld(builder.Build(), 0.002);
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
    EXPECT_LT(world.report().loop, 1e-10) << i;
  }
  for (const int q : {0, 2}) {
    EXPECT_LT(world.q()[q], -0.5 + 2e-5);
    EXPECT_GT(world.q()[q], -2.4 - 2e-5);
  }
}

}  // namespace
}  // namespace stiction::testing

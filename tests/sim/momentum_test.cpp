// Momentum of systems that act on themselves alone.
//
// Rows and forces between bodies are equal and opposite, so that Σ m v changes by rounding alone wherever
// every body's velocity is a coordinate: bodies on free joints, coupled by welds, pins, tendons, distances,
// contacts and motors. Angular momentum, and along joints linear momentum too, hold for the configuration of
// each step only, J(q) v⁺ against J(q) v: what the motion to the next one adds is taken out at the end
// (sim/floating_momentum.h), but by rk4.
#include <gtest/gtest.h>

#include "stiction/dynamics/energy.h"
#include "stiction/math/rotation.h"
#include "tests/support/four_bar.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// Rods of 1 kg on free joints at (i, 0.3 i², 0), each joined to the one before it in another way.
Model MakeFloatingChain() {
  ModelBuilder builder("chain");
  builder.options().gravity.setZero();
  std::vector<int> rods;
  for (int i = 0; i < 6; ++i)
    rods.push_back(AddFreeBody(builder, Box{{0.2, 0.05, 0.08}}, 1.0 + 0.5 * i, Shift(i, 0.3 * i * i, 0)));
  const auto frame = [&](int i, double x) { return Frame{.body = rods[i], .X_BF = Shift(x, 0, 0)}; };
  const Vector3d to_next(1.0, 0.3, 0.0);
  builder.AddEquality({.kind = FrameLock{.a = {.body = rods[0], .X_BF = {.p = to_next}}, .b = frame(1, 0)}});
  FrameLock ball{.a = {.body = rods[1], .X_BF = {.p = {0.5, 0.45, 0}}},
                 .b = {.body = rods[2], .X_BF = {.p = {-0.5, -0.45, 0}}}};
  ball.locked = {false, false, false, true, true, true};
  builder.AddEquality({.kind = ball});
  builder.AddEquality(
      {.kind = PointDistance{.a = frame(2, 0.2), .b = frame(3, -0.2), .distance = 1.6155494421403513}});
  SpatialTendon path;
  path.path = {SpatialTendon::Site{rods[3], {0.2, 0, 0.05}}, SpatialTendon::Site{rods[4], {-0.2, 0.05, 0}},
               SpatialTendon::Site{rods[5], {0, 0.05, 0}}};
  const int tendon =
      builder.AddTendon({.path = path, .stiffness = 30.0, .damping = 2.0, .friction_loss = 0.5});
  builder.AddActuator({.tendon = tendon, .gain = {4.0, 0, 0}});
  builder.AddActuator({.frame = frame(5, 0.1), .reference = frame(0, 0.0), .gear = {1, 2, 0, 0.5, 0, 1}});
  return builder.Build();
}

World MakeFreeWorld(Model model, Integrator integrator, double dt) {
  WorldOptions options;
  options.integrator = integrator;
  options.timestep = dt;
  return World(std::move(model), options);
}

constexpr Integrator kEveryIntegrator[] = {Integrator::kSymplecticEuler, Integrator::kImplicitEuler,
                                           Integrator::kMidpoint, Integrator::kRungeKutta4};

constexpr Integrator kKept[] = {Integrator::kSymplecticEuler, Integrator::kImplicitEuler,
                                Integrator::kMidpoint};

constexpr Integrator kEuler[] = {Integrator::kSymplecticEuler, Integrator::kImplicitEuler};

void Stir(World& world) {
  State state = world.state();
  for (int k = 0; k < state.v.size(); ++k) state.v[k] = 0.5 * std::sin(1.0 + k);
  world.set_state(state);
}

// A mote that a hand holds sideways, by an impulse that is nothing beside those of a heavy box far away: it
// is held, and moves as it does without the box.
TEST(Momentum, IslandsFloatOrAreHeldByTheirOwnImpulses) {
  const auto velocity_of_mote = [](bool has_box) {
    ModelBuilder builder("mote");
    AddFloor(builder);
    const int hand = builder.AddBody({.name = "hand", .X_PB = Shift(0, 0, 2), .is_mocap = true});
    const int mote = AddFreeBody(builder, Sphere{0.01}, 1e-6, Shift(0, 0, 1));
    FrameLock lock{.a = {.body = hand, .X_BF = Shift(0, 0, -1)}, .b = {.body = mote}};
    lock.locked = {false, false, false, true, true, false};
    builder.AddEquality({.kind = lock});
    if (has_box) AddFreeBody(builder, Box{Vector3d::Constant(0.5)}, 1e6, Shift(5, 0, 0.5));
    World world = MakeFreeWorld(builder.Build(), Integrator::kSymplecticEuler, 0.002);
    State state = world.state();
    state.v.head<3>() << 1e-8, 0.0, -10.0;
    world.set_state(state);
    EXPECT_EQ(world.Step().status, StepStatus::kOk);
    return Vector6d(world.v().head<6>());
  };
  const Vector6d alone = velocity_of_mote(false);
  EXPECT_NEAR(alone[0], 0.0, 1e-12);
  EXPECT_EQ(velocity_of_mote(true), alone);
}

TEST(Momentum, LinearOfCoupledFreeBodiesIsKeptToRounding) {
  for (const Integrator integrator : kEveryIntegrator) {
    World world = MakeFreeWorld(MakeFloatingChain(), integrator, 0.001);
    Stir(world);
    const Vector3d start = world.CalcMomentum().first;
    ASSERT_GT(start.norm(), 1.0);
    double fastest = 0.0;
    for (int i = 0; i < 1000; ++i) {
      world.input().ctrl << std::sin(0.01 * i), std::cos(0.02 * i);
      ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
      fastest = std::max(fastest, world.CalcEnergy().kinetic);
    }
    EXPECT_LT((world.CalcMomentum().first - start).norm(), 1e-12 * start.norm()) << ToString(integrator);
    EXPECT_GT(fastest, 5.0);
  }
}

TEST(Momentum, AngularOfCoupledFreeBodiesIsKeptToRounding) {
  for (const Integrator integrator : kKept) {
    World world = MakeFreeWorld(MakeFloatingChain(), integrator, 0.002);
    Stir(world);
    const auto [linear, angular] = world.CalcMomentum();
    EXPECT_GT(angular.norm(), 10.0);
    for (int i = 0; i < 500; ++i) {
      world.input().ctrl << std::sin(0.01 * i), std::cos(0.02 * i);
      ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
    }
    EXPECT_LT((world.CalcMomentum().second - angular).norm(), 1e-11 * angular.norm()) << ToString(integrator);
    EXPECT_LT((world.CalcMomentum().first - linear).norm(), 1e-12 * linear.norm()) << ToString(integrator);
  }
}

// What bends of loops ask for comes and goes, and is no impact, whose moment is not given back at the cost of
// energy: three boxes on ball joints, and on threads, lost 0.25 and 0.46 % of their angular momentum so.
TEST(Momentum, AngularOfBodiesThatLoopsJoinIsKeptToRounding) {
  for (const bool has_threads : {false, true}) {
    ModelBuilder builder("satellites");
    builder.options().gravity.setZero();
    const Vector3d half[] = {{0.1, 0.05, 0.2}, {0.03, 0.15, 0.1}, {0.2, 0.1, 0.06}};
    for (int i = 0; i < 3; ++i)
      AddFreeBody(builder, Box{half[i]}, 1.0 + i, Turn(0.7 * i, Vector3d::UnitY(), {0.6 * i, 0, 0}));
    for (int i = 0; i < 2; ++i) {
      const auto frame = [&](int k, const Vector3d& p_W) {
        const RigidTransform X_WB = Turn(0.7 * k, Vector3d::UnitY(), {0.6 * k, 0, 0});
        return Frame{.body = k + 1, .X_BF = {Matrix3d::Identity(), X_WB.Inverse() * p_W}};
      };
      const Vector3d p_W(0.6 * i + 0.3, 0.05, -0.08);
      FrameLock ball{.a = frame(i, p_W), .b = frame(i + 1, p_W)};
      ball.locked = {false, false, false, true, true, true};
      const PointDistance thread{
          .a = frame(i, p_W), .b = frame(i + 1, p_W + Vector3d(0.06, 0.08, 0)), .distance = 0.1};
      if (has_threads) {
        builder.AddEquality({.kind = thread});
      } else {
        builder.AddEquality({.kind = ball});
      }
    }
    World world = MakeFreeWorld(builder.Build(), Integrator::kSymplecticEuler, 0.005);
    State state = world.state();
    for (int k = 0; k < state.v.size(); ++k) state.v[k] = (k % 6 < 3 ? 1.0 : 3.0) * std::sin(1.0 + 5.0 * k);
    world.set_state(state);
    world.Step();  // brings the velocities together
    const Vector3d start = world.CalcMomentum().second;
    const double energy = world.CalcEnergy().kinetic;
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(world.Step().status, StepStatus::kOk);
      EXPECT_LT(world.CalcEnergy().kinetic, 1.02 * energy) << i;
    }
    EXPECT_LT((world.CalcMomentum().second - start).norm(), 1e-11 * start.norm()) << has_threads;
  }
}

TEST(Momentum, AngularByRungeKuttaIsKeptToFirstOrderWhereImpulsesAct) {
  const auto drift = [&](double dt) {
    World world = MakeFreeWorld(MakeFloatingChain(), Integrator::kRungeKutta4, dt);
    Stir(world);
    world.Step();  // the first one brings the velocities together
    const Vector3d start = world.CalcMomentum().second;
    for (int i = 0; i < std::lround(0.5 / dt); ++i) world.Step();
    return (world.CalcMomentum().second - start).norm();
  };
  const double coarse = drift(0.002), fine = drift(0.001);
  EXPECT_LT(coarse, 1e-4);
  EXPECT_NEAR(coarse / fine, 2.0, 0.3);
}

// Two rods that overlap and spin by radians in a step: what their angular momentum then is at the end says
// nothing, and to restore it would bring any energy.
TEST(Momentum, IsNotBoughtWithEnergyWhereBodiesTurnTooFar) {
  ModelBuilder builder("rods");
  builder.options().gravity.setZero();
  for (int i = 0; i < 2; ++i)
    AddFreeBody(builder, Box{{1.0, 0.02, 0.01}}, 1.0,
                Turn(0.3 * i, Vector3d::UnitX(), {0.5 * i, 0, 0.015 * i}), {.friction = 0.0});
  World world = MakeFreeWorld(builder.Build(), Integrator::kSymplecticEuler, 0.01);
  State state = world.state();
  state.v << 0, 0, 0, 150, 90, 2, 0, 0, 0, -100, 120, 30;
  world.set_state(state);
  double energy = world.CalcEnergy().kinetic;
  int num_corrected = 0;
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    const double now = world.CalcEnergy().kinetic;
    EXPECT_LE(now, energy * (1.0 + 1e-9)) << i;
    energy = now;
    num_corrected += world.report().correction > 0.0;
  }
  EXPECT_GT(num_corrected, 0);
}

// Balls that spin one way and circle each other the other way, pushed out of one another: that takes from
// their angular momentum, and to restore it would take energy from nowhere.
TEST(Momentum, IsNotBoughtWithEnergyWhereBodiesArePushedApart) {
  ModelBuilder builder("balls");
  builder.options().gravity.setZero();
  for (const double side : {-1.0, 1.0})
    AddFreeBody(builder, Sphere{1.0}, 1.0, Shift(0.5 * side, 0, 0), {.friction = 0.0});
  World world = MakeFreeWorld(builder.Build(), Integrator::kSymplecticEuler, 0.01);
  for (int ball = 0; ball < 2; ++ball)
    SetFreeVelocity(world, ball, {0, ball == 0 ? 1.0 : -1.0, 0}, {0, 0, 3.0});
  const double start = world.CalcEnergy().kinetic;
  int num_corrected = 0;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    EXPECT_LE(world.CalcEnergy().kinetic, start * (1.0 + 1e-12)) << i;
    num_corrected += world.report().correction > 0.0;
  }
  EXPECT_GT(num_corrected, 50);
}

// A body with two arms of two links each, with springs, dampers, dry friction, limits that are reached, a
// motor and a tendon between the arms.
Model MakeSwimmer(const Vector3d& gravity) {
  ModelBuilder builder("swimmer");
  builder.options().gravity = gravity;
  const int trunk = AddFreeBody(builder, Box{{0.2, 0.1, 0.05}}, 2.0, Shift(0.3, -0.2, 1.0));
  SpatialTendon path;
  int joint = -1;
  for (const double side : {-1.0, 1.0}) {
    int parent = trunk;
    for (int i = 0; i < 2; ++i) {
      const int link =
          builder.AddBody({.parent = parent, .X_PB = Shift(i == 0 ? side * 0.25 : side * 0.4, 0, 0)});
      builder.SetInertia(
          link, Transform(Shift(side * 0.2, 0.02, 0), CalcSolidMassProperties(Box{{0.2, 0.03, 0.04}}, 0.7)));
      Joint hinge{
          .kind = HingeJoint{.axis_B = Vector3d(0.3, 1, i).normalized()}, .stiffness = 0.3, .damping = 0.01};
      hinge.armature = 0.01 * i;
      hinge.friction_loss = 0.02 * i;
      hinge.lower = -0.9, hinge.upper = 0.9;
      joint = builder.AddJoint(link, hinge);
      parent = link;
    }
    path.path.push_back(SpatialTendon::Site{parent, {side * 0.4, 0, 0.05}});
  }
  builder.AddTendon({.path = path, .stiffness = 5.0, .damping = 0.1});
  builder.AddActuator({.joint = joint, .gain = {0.8, 0, 0}});
  return builder.Build();
}

TEST(Momentum, OfAJointedTreeInFlightIsKeptToRounding) {
  for (const Integrator integrator : kEuler) {
    World world = MakeFreeWorld(MakeSwimmer(Vector3d::Zero()), integrator, 0.002);
    Stir(world);
    const auto [linear, angular] = world.CalcMomentum();
    const Vector3d start = world.CalcCenterOfMass();
    const double mass = 2.0 + 4 * 0.7;
    int limits = 0;
    for (int i = 0; i < 2000; ++i) {
      world.input().ctrl << std::sin(0.02 * i);
      ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
      limits += world.report().num_limits > 0;
    }
    EXPECT_GT(limits, 0);
    EXPECT_LT((world.CalcMomentum().second - angular).norm(), 1e-11 * angular.norm()) << ToString(integrator);
    EXPECT_LT((world.CalcMomentum().first - linear).norm(), 1e-11 * linear.norm()) << ToString(integrator);
    EXPECT_LT((world.CalcCenterOfMass() - start - world.time() / mass * linear).norm(), 1e-11);
  }
}

// The midpoint rule is symmetric in time, and keeps it to its order.
TEST(Momentum, OfAJointedTreeByTheMidpointRuleIsKeptToSecondOrder) {
  const auto drift = [](double dt) {
    Model model = MakeSwimmer(Vector3d::Zero());
    for (Joint& joint : model.joints) joint.friction_loss = 0.0, joint.lower = -1e9, joint.upper = 1e9;
    World world = MakeFreeWorld(std::move(model), Integrator::kMidpoint, dt);
    Stir(world);
    const auto [linear, angular] = world.CalcMomentum();
    for (int i = 0; i < std::lround(0.5 / dt); ++i) world.Step();
    return (world.CalcMomentum().second - angular).norm() / angular.norm();
  };
  const double coarse = drift(0.004), fine = drift(0.002);
  EXPECT_LT(coarse, 1e-4);
  EXPECT_NEAR(coarse / fine, 4.0, 0.5);
}

// With gravity the centre of mass falls as a point mass does by the same rule, and the spin about it stays.
TEST(Momentum, OfAFallingTreeIsThatOfAPointMass) {
  for (const Integrator integrator : kEuler) {
    const Vector3d g(0, 0, -9.81);
    World world = MakeFreeWorld(MakeSwimmer(g), integrator, 0.002);
    Stir(world);
    const double mass = 2.0 + 4 * 0.7;
    const auto spin = [&] {
      const auto [linear, angular] = world.CalcMomentum();
      return Vector3d(angular - world.CalcCenterOfMass().cross(linear));
    };
    const Vector3d start_spin = spin();
    Vector3d p = world.CalcCenterOfMass(), v = world.CalcMomentum().first / mass;
    for (int i = 0; i < 1000; ++i) {
      world.Step();
      v += 0.002 * g;
      p += 0.002 * v;
    }
    EXPECT_LT((world.CalcMomentum().first / mass - v).norm(), 1e-11) << ToString(integrator);
    EXPECT_LT((world.CalcCenterOfMass() - p).norm(), 1e-11) << ToString(integrator);
    EXPECT_LT((spin() - start_spin).norm(), 1e-10 * start_spin.norm()) << ToString(integrator);
  }
}

// Boxes that fly at one another and tumble apart, with friction.
TEST(Momentum, OfBodiesThatCollideInTheAirIsKeptToRounding) {
  for (const Integrator integrator : kKept) {
    ModelBuilder builder("collision");
    builder.options().gravity.setZero();
    for (int i = 0; i < 5; ++i)
      AddFreeBody(builder, Box{{0.1, 0.15, 0.2}}, 1.0 + i,
                  Shift(0.5 * std::cos(1.26 * i), 0.5 * std::sin(1.26 * i), 0), {.friction = 0.6});
    World world = MakeFreeWorld(builder.Build(), integrator, 0.004);
    for (int i = 0; i < 5; ++i)
      SetFreeVelocity(world, i, Vector3d(-std::cos(1.26 * i), -std::sin(1.26 * i), 0.1 * i),
                      Vector3d(i, 2, -3));
    const auto [linear, angular] = world.CalcMomentum();
    int contacts = 0;
    for (int i = 0; i < 500; ++i) {
      ASSERT_EQ(world.Step().status, StepStatus::kOk);
      contacts += world.report().num_contacts > 0;
    }
    EXPECT_GT(contacts, 20);
    EXPECT_LT((world.CalcMomentum().first - linear).norm(), 1e-11) << ToString(integrator);
    EXPECT_LT((world.CalcMomentum().second - angular).norm(), 1e-11) << ToString(integrator);
  }
}

// What touches the floor is left as the laws leave it: a box that slides and tumbles ends each step at v⁺.
TEST(Momentum, IsNotTheAffairOfWhatTouchesTheFloor) {
  ModelBuilder builder("floor");
  AddFloor(builder);
  AddFreeBody(builder, Box{{0.1, 0.15, 0.2}}, 1.0, Shift(0, 0, 0.21));
  World world = MakeFreeWorld(builder.Build(), Integrator::kSymplecticEuler, 0.002);
  SetFreeVelocity(world, 0, Vector3d(1, 0.5, -1), Vector3d(3, -2, 1));
  int contacts = 0;
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    if (world.solution().lambda.isZero(0.0)) continue;
    ++contacts;
    // Angular rates are coordinates of their own; the origin's velocity is the mass centre's.
    EXPECT_EQ(world.v().tail<3>(), world.solution().v.tail<3>());
  }
  EXPECT_GT(contacts, 20);
}

// The midpoint rule stays of second order, in a tree whose inertia changes all the time.
TEST(Momentum, KeepsTheOrderOfTheIntegrator) {
  const auto run = [](Integrator integrator, double dt) {
    Model model = MakeSwimmer(Vector3d(0, 0, -9.81));
    for (Joint& joint : model.joints) joint.friction_loss = 0.0, joint.lower = -1e9, joint.upper = 1e9;
    World world = MakeFreeWorld(std::move(model), integrator, dt);
    Stir(world);
    for (int i = 0; i < std::lround(0.4 / dt); ++i) world.Step();
    return world.q();
  };
  const VectorXd exact = run(Integrator::kRungeKutta4, 2.5e-4);
  for (const auto& [integrator, order] :
       {std::pair(Integrator::kSymplecticEuler, 1.0), std::pair(Integrator::kImplicitEuler, 1.0),
        std::pair(Integrator::kMidpoint, 2.0)}) {
    const double coarse = (run(integrator, 4e-3) - exact).norm(),
                 fine = (run(integrator, 2e-3) - exact).norm();
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.2) << ToString(integrator);
  }
}

// What one step adds from rest, at the configuration of its start: nothing but rounding, linear and angular.
void ExpectNoMomentum(World& world, const State& state, double tolerance) {
  State still = state;
  still.v.setZero();
  world.set_state(still);
  ASSERT_EQ(world.Step().status, StepStatus::kOk);
  State pushed = still;
  pushed.v = world.solution().v;
  world.set_state(pushed);
  const auto [linear, angular] = world.CalcMomentum();
  const double size = std::sqrt(2.0 * world.CalcEnergy().kinetic * 1.0);  // √(2 E m) of 1 kg
  ASSERT_GT(size, 1e-4);
  EXPECT_LT(linear.norm(), tolerance * size);
  EXPECT_LT(angular.norm(), tolerance * size);
}

TEST(Momentum, ImpulsesOfAStepHaveNone) {
  World world = MakeFreeWorld(MakeFloatingChain(), Integrator::kSymplecticEuler, 0.001);
  Stir(world);
  for (int i = 0; i < 5; ++i) {
    world.input().ctrl << 2.0, -1.5;
    for (int k = 0; k < 100; ++k) world.Step();
    const State state = world.state();
    // Rows are taken where the loops stand, open by up to 1e-10 of their length.
    ExpectNoMomentum(world, state, 1e-9);
    world.set_state(state);
  }
}

// Motors of a mechanism that floats: its joints are coordinates, and so is its loop a row between them.
TEST(Momentum, MotorsOfAFloatingFourBarHaveNone) {
  World world = MakeFreeWorld(MakeFourBar(true), Integrator::kSymplecticEuler, 0.001);
  State state = world.state();
  state.v << 0.3, -0.2, 0.1, 0.4, 0.5, -0.3, 3.0, -3.0, 3.0;
  world.set_state(state);
  for (int i = 0; i < 5; ++i) {
    world.input().applied_generalized.setZero();
    for (int k = 0; k < 100; ++k) world.Step();
    const State moved = world.state();
    world.input().applied_generalized.tail<3>() << 0.3, -0.2, 0.1;
    ExpectNoMomentum(world, moved, 1e-11);
    world.set_state(moved);
  }
}

// Loops and motors in a tree that floats.
TEST(Momentum, OfAFloatingFourBarIsKeptToRounding) {
  for (const Integrator integrator : kEuler) {
    World world = MakeFreeWorld(MakeFourBar(true), integrator, 0.002);
    State state = world.state();
    state.v << 0.3, -0.2, 0.1, 0.4, 0.5, -0.3, 3.0, -3.0, 3.0;
    world.set_state(state);
    const auto [linear, angular] = world.CalcMomentum();
    for (int i = 0; i < 1000; ++i) {
      world.input().applied_generalized.tail<3>() << 0.02 * std::sin(0.01 * i), -0.01, 0.01;
      ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
    }
    EXPECT_LT((world.CalcMomentum().first - linear).norm(), 1e-11 * linear.norm()) << ToString(integrator);
    EXPECT_LT((world.CalcMomentum().second - angular).norm(), 1e-11 * angular.norm()) << ToString(integrator);
  }
}

}  // namespace
}  // namespace stiction::testing

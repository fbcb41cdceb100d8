// Momentum of systems that act on themselves alone.
//
// Rows and forces between bodies are equal and opposite, so that Σ m v changes by rounding alone wherever
// every body's velocity is a coordinate: bodies on free joints, coupled by welds, pins, tendons, distances,
// contacts and motors. Angular momentum about the world's origin, Σ I ω + p × m v: positions move along the
// end-of-step velocities, whose p × m v they do not change; what remains is the rotation of I ω by a step in
// which impulses acted, which is of first order in the step. Along joints the coordinates are relative, and
// linear momentum too holds for the configuration of each step only: J(q) v⁺ against J(q) v.
#include <gtest/gtest.h>

#include "stiction/dynamics/energy.h"
#include "tests/support/four_bar.h"

namespace stiction::testing {
namespace {

// Rods of 1 kg on free joints at (i, 0.3 i², 0), each joined to the one before it in another way.
Model MakeChain() {
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

World MakeWorld(Model model, Integrator integrator, double dt) {
  WorldOptions options;
  options.integrator = integrator;
  options.timestep = dt;
  return World(std::move(model), options);
}

constexpr Integrator kAll[] = {Integrator::kSymplecticEuler, Integrator::kImplicitEuler,
                               Integrator::kMidpoint, Integrator::kRungeKutta4};

void Stir(World& world) {
  State state = world.state();
  for (int k = 0; k < state.v.size(); ++k) state.v[k] = 0.5 * std::sin(1.0 + k);
  world.set_state(state);
}

TEST(Momentum, LinearOfCoupledFreeBodiesIsKeptToRounding) {
  for (const Integrator integrator : kAll) {
    World world = MakeWorld(MakeChain(), integrator, 0.001);
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

// First order in the step; measured 5.8e-5 of 37 in a second with 2 ms.
TEST(Momentum, AngularOfCoupledFreeBodiesIsKeptToFirstOrder) {
  for (const Integrator integrator : kAll) {
    const auto drift = [&](double dt) {
      World world = MakeWorld(MakeChain(), integrator, dt);
      Stir(world);
      world.Step();  // the first one brings the velocities together
      const Vector3d start = world.CalcMomentum().second;
      EXPECT_GT(start.norm(), 10.0);
      for (int i = 0; i < std::lround(0.5 / dt); ++i) world.Step();
      return (world.CalcMomentum().second - start).norm();
    };
    const double coarse = drift(0.002), fine = drift(0.001);
    EXPECT_LT(coarse, 1e-4) << ToString(integrator);
    EXPECT_NEAR(coarse / fine, 2.0, 0.3) << ToString(integrator);
  }
}

// What one step adds from rest, at the configuration of its start: nothing but rounding, linear and angular.
void ExpectNoMomentum(World& world, const State& state, double tolerance) {
  State still = state;
  still.v.setZero();
  world.set_state(still);
  ASSERT_EQ(world.Step().status, StepStatus::kOk);
  State pushed = still;
  pushed.v = world.v();
  world.set_state(pushed);
  const auto [linear, angular] = world.CalcMomentum();
  const double size = std::sqrt(2.0 * world.CalcEnergy().kinetic * 1.0);  // √(2 E m) of 1 kg
  ASSERT_GT(size, 1e-4);
  EXPECT_LT(linear.norm(), tolerance * size);
  EXPECT_LT(angular.norm(), tolerance * size);
}

TEST(Momentum, ImpulsesOfAStepHaveNone) {
  World world = MakeWorld(MakeChain(), Integrator::kSymplecticEuler, 0.001);
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
  World world = MakeWorld(MakeFourBar(true), Integrator::kSymplecticEuler, 0.001);
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

// Over many steps the linear momentum of joint coordinates drifts by the integrator's error.
TEST(Momentum, OfAFloatingFourBarDriftsWithTheStep) {
  const auto drift = [](double dt) {
    World world = MakeWorld(MakeFourBar(true), Integrator::kSymplecticEuler, dt);
    State state = world.state();
    state.v << 0.3, -0.2, 0.1, 0.4, 0.5, -0.3, 3.0, -3.0, 3.0;
    world.set_state(state);
    world.Step();
    const Vector3d start = world.CalcMomentum().first;
    for (int i = 0; i < std::lround(0.5 / dt); ++i) world.Step();
    return (world.CalcMomentum().first - start).norm() / start.norm();
  };
  const double coarse = drift(0.002), fine = drift(0.001);
  EXPECT_LT(coarse, 1e-2);  // measured 6.6e-3
  EXPECT_NEAR(coarse / fine, 2.0, 0.5);
}

}  // namespace
}  // namespace stiction::testing

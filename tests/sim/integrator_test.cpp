// Integrators: orders of convergence, and what each conserves.
#include <gtest/gtest.h>

#include "stiction/io/load.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

World MakeWorldWith(Model model, Integrator integrator, double dt) {
  WorldOptions options;
  options.timestep = dt;
  options.integrator = integrator;
  return World(std::move(model), options);
}

// A mass on a spring without damping: q = cos(ωt), ω = 5.
Model MakeOscillator() {
  ModelBuilder builder("oscillator");
  builder.options().gravity.setZero();
  const int body = builder.AddBody({.inertia = CalcSolidMassProperties(Sphere{0.1}, 2.0)});
  builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}, .stiffness = 50.0});
  return builder.Build();
}

double CalcOscillatorError(Integrator integrator, double dt) {
  World world = MakeWorldWith(MakeOscillator(), integrator, dt);
  State state = world.state();
  state.q[0] = 1.0;
  world.set_state(state);
  const int steps = static_cast<int>(std::lround(2.0 / dt));
  double sum = 0.0;
  for (int i = 0; i < steps; ++i) {
    world.Step();
    sum += std::pow(world.q()[0] - std::cos(5.0 * world.time()), 2);
  }
  return std::sqrt(sum / steps);
}

TEST(Integrators, HaveTheirOrder) {
  for (const auto& [integrator, order] :
       {std::pair(Integrator::kExplicitEuler, 1.0), std::pair(Integrator::kSymplecticEuler, 1.0),
        std::pair(Integrator::kImplicitEuler, 1.0), std::pair(Integrator::kMidpoint, 2.0),
        std::pair(Integrator::kRungeKutta4, 4.0)}) {
    const double coarse = CalcOscillatorError(integrator, 2e-3), fine = CalcOscillatorError(integrator, 1e-3);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << ToString(integrator);
  }
}

TEST(Integrators, MidpointKeepsTheEnergyOfASpringExactly) {
  World world = MakeWorldWith(MakeOscillator(), Integrator::kMidpoint, 0.02);
  State state = world.state();
  state.q[0] = 1.0;
  world.set_state(state);
  const double start = world.CalcEnergy().total();
  for (int i = 0; i < 5000; ++i) world.Step();
  EXPECT_NEAR(world.CalcEnergy().total(), start, 1e-10 * start);
}

TEST(Integrators, ImplicitEulerDampsIt) {
  World world = MakeWorldWith(MakeOscillator(), Integrator::kImplicitEuler, 0.02);
  State state = world.state();
  state.q[0] = 1.0;
  world.set_state(state);
  const double start = world.CalcEnergy().total();
  double before = start;
  for (int i = 0; i < 150; ++i) {
    world.Step();
    ASSERT_LT(world.CalcEnergy().total(), before);
    before = world.CalcEnergy().total();
  }
  EXPECT_NEAR(before / start, std::pow(1.0 + 25.0 * 0.02 * 0.02, -150.0), 1e-3);  // 1/(1 + ω²dt²) a step
}

// H = E − ω² dt x v/2 · m is kept exactly: E swings by ω dt/2 to both sides, at any time.
TEST(Integrators, SymplecticEulerKeepsTheEnergyOfASpringWithinItsBandForTenMinutes) {
  const double dt = 0.02, half = 0.5 * 5.0 * dt;  // ω = 5
  World world = MakeWorldWith(MakeOscillator(), Integrator::kSymplecticEuler, dt);
  State state = world.state();
  state.q[0] = 1.0;
  world.set_state(state);
  const double start = world.CalcEnergy().total();
  double low = start, high = start, late_low = start, late_high = start;
  for (int i = 0; i < 30000; ++i) {
    world.Step();
    const double energy = world.CalcEnergy().total();
    low = std::min(low, energy), high = std::max(high, energy);
    if (i < 29000) continue;
    late_low = std::min(late_low, energy), late_high = std::max(late_high, energy);
  }
  EXPECT_GE(low, start / (1.0 + half) - 1e-9 * start);
  EXPECT_LE(high, start / (1.0 - half) + 1e-9 * start);
  EXPECT_NEAR(late_high / late_low, (1.0 + half) / (1.0 - half), 1e-3);
}

// Explicit Euler multiplies the energy by 1 + ω² dt² per step.
TEST(Integrators, ExplicitEulerFeedsASpring) {
  World world = MakeWorldWith(MakeOscillator(), Integrator::kExplicitEuler, 0.02);
  State state = world.state();
  state.q[0] = 1.0;
  world.set_state(state);
  const double start = world.CalcEnergy().total();
  for (int i = 0; i < 150; ++i) world.Step();
  EXPECT_NEAR(world.CalcEnergy().total() / start, std::pow(1.0 + 25.0 * 0.02 * 0.02, 150.0), 1e-9);
}

// Positions follow the velocity of the start: z = −g dt² n (n − 1)/2 after n steps.
TEST(Integrators, ExplicitEulerFallsAStepLate) {
  ModelBuilder builder("falling");
  AddFreeBody(builder, Sphere{0.1}, 1.0, {});
  World world = MakeWorldWith(builder.Build(), Integrator::kExplicitEuler, 0.01);
  for (int i = 0; i < 100; ++i) world.Step();
  EXPECT_NEAR(world.v()[2], -kGravity, 1e-12);
  EXPECT_NEAR(world.q()[2], -kGravity * 1e-4 * 100 * 99 / 2, 1e-12);
}

// Two links on two hinges whose axes cross: inertia and Coriolis forces change all the time.
Model MakeTumblingArm() {
  ModelBuilder builder("arm");
  int parent = 0;
  for (int i = 0; i < 2; ++i) {
    const int link = builder.AddBody({.parent = parent, .X_PB = Shift(i == 0 ? 0 : 0.4, 0, 0)});
    builder.SetInertia(link,
                       Transform(Shift(0.2, 0, 0), CalcSolidMassProperties(Box{{0.2, 0.03, 0.02}}, 1.0)));
    builder.AddJoint(link, {.kind = HingeJoint{.axis_B = Vector3d(i, 1, 0.3)}});
    parent = link;
  }
  return builder.Build();
}

double CalcArmError(Integrator integrator, double dt) {
  const auto run = [](Integrator by, double step) {
    World world = MakeWorldWith(MakeTumblingArm(), by, step);
    State state = world.state();
    state.v << 3.0, -2.0;
    world.set_state(state);
    const int steps = static_cast<int>(std::lround(0.5 / step));
    for (int i = 0; i < steps; ++i) world.Step();
    return world.q();
  };
  static const VectorXd exact = run(Integrator::kRungeKutta4, 2.5e-4);
  return (run(integrator, dt) - exact).norm();
}

TEST(Integrators, HaveTheirOrderWhereInertiaAndCoriolisForcesChange) {
  for (const auto& [integrator, order] :
       {std::pair(Integrator::kExplicitEuler, 1.0), std::pair(Integrator::kSymplecticEuler, 1.0),
        std::pair(Integrator::kImplicitEuler, 1.0), std::pair(Integrator::kMidpoint, 2.0),
        std::pair(Integrator::kRungeKutta4, 4.0)}) {
    // Explicit Euler feeds the swing, so that its error is of first order at smaller steps only.
    const double dt = integrator == Integrator::kExplicitEuler ? 5e-4 : 1e-2;
    const double coarse = CalcArmError(integrator, dt), fine = CalcArmError(integrator, 0.5 * dt);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.3) << ToString(integrator);
  }
}

// An arm whose motors have dynamics: their activation is seen where a scheme's stages are.
TEST(Integrators, HaveTheirOrderWhereActivationsChange) {
  const Model model = LoadModelText(R"(<mujoco><worldbody><body><joint name="a" axis="0 1 0"/>
    <geom size="0.1" mass="1" pos="0.3 0 0"/></body></worldbody><actuator>
    <muscle joint="a" lengthrange="-2 2" force="20" timeconst="0.05 0.2"/>
    <general joint="a" dyntype="filter" dynprm="0.1" gainprm="4"/>
    <general joint="a" dyntype="filterexact" dynprm="0.2" gainprm="-2"/>
    <general joint="a" dyntype="integrator" gainprm="3"/></actuator></mujoco>)");
  const auto run = [&](Integrator by, double step) {
    World world = MakeWorldWith(model, by, step);
    world.input().ctrl << 0.8, 1.0, 1.0, -0.5;
    for (int i = 0; i < std::lround(0.4 / step); ++i) world.Step();
    return world.q()[0];
  };
  const double exact = run(Integrator::kRungeKutta4, 1e-4);
  for (const auto& [integrator, order] :
       {std::pair(Integrator::kMidpoint, 2.0), std::pair(Integrator::kRungeKutta4, 4.0)}) {
    const double coarse = run(integrator, 8e-3) - exact, fine = run(integrator, 4e-3) - exact;
    EXPECT_NEAR(std::log2(std::abs(coarse / fine)), order, 0.3) << ToString(integrator);
  }
}

// The period of a pendulum against the closed form, from passes through the lowest point.
TEST(Integrators, MidpointMeetsThePeriodOfAPendulum) {
  const Pendulum pendulum;
  World world = MakeWorldWith(pendulum.Build(), Integrator::kMidpoint, 2e-4);
  State state = world.state();
  state.q[0] = 1.0;
  world.set_state(state);
  double a = 1.0, b = std::cos(0.5);
  for (int i = 0; i < 10; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  const double period = 2.0 * kPi / (std::sqrt(kGravity * pendulum.length / pendulum.inertia()) * a);
  double first = 0.0, last = 0.0;
  int passes = 0;
  while (passes < 6) {
    const double before = world.q()[0];
    world.Step();
    const double after = world.q()[0];
    if (!(before > 0.0 && after <= 0.0)) continue;
    // Linear within the step: the acceleration vanishes there.
    last = world.time() - world.timestep() * after / (after - before);
    if (passes++ == 0) first = last;
  }
  EXPECT_NEAR((last - first) / 5.0 / period, 1.0, 1e-6);
}

TEST(Integrators, AThrownBodyKeepsItsEnergyWithTheMidpointRule) {
  ModelBuilder builder("thrown");
  AddFreeBody(builder, Box{{0.1, 0.2, 0.3}}, 1.0, Shift(0, 0, 1));
  World world = MakeWorldWith(builder.Build(), Integrator::kMidpoint, 0.01);
  State state = world.state();
  state.v << 1.0, 0.0, 3.0, 4.0, -2.0, 1.0;
  world.set_state(state);
  const double start = world.CalcEnergy().total();
  for (int i = 0; i < 100; ++i) world.Step();
  EXPECT_NEAR(world.CalcEnergy().total(), start, 1e-12 * start);
  // Height of a throw: exact for a force that does not change.
  EXPECT_NEAR(world.q()[2], 1.0 + 3.0 - 0.5 * kGravity, 1e-12);
}

TEST(Integrators, AreFoundByName) {
  World world = MakeWorldWith(MakeOscillator(), Integrator::kRungeKutta4, 0.01);
  EXPECT_STREQ(ToString(world.integrator()), "rk4");
}

// Problem A02 of the multibody benchmark library: four-bar windows that pass their singular position, where
// their rods lie in one line, once in this second. Closed form.
double CalcWindowsError(Integrator integrator, const char* file, double dt) {
  const Model model = LoadModel(std::string(STICTION_SOURCE_DIR) + "/assets/benchmarks/" + file);
  World world = MakeWorldWith(model, integrator, dt);
  world.SetKeyframe(model.keyframes.front());
  for (int i = 0; i < std::lround(1.0 / dt); ++i) world.Step();
  const Vector3d p = world.CalcFramePose(world.model().FindFrame("B0")).p;
  return (p - Vector3d(-0.195020301949435, 0.0, -0.980799205662174)).norm();
}

TEST(Integrators, LoopsPassSingularPositionsInOrder) {
  for (const auto& [integrator, order] :
       {std::pair(Integrator::kSymplecticEuler, 1.0), std::pair(Integrator::kMidpoint, 2.0),
        std::pair(Integrator::kRungeKutta4, 4.0)}) {
    const double coarse = CalcWindowsError(integrator, "windows_2.xml", 4e-3);
    const double fine = CalcWindowsError(integrator, "windows_2.xml", 2e-3);
    EXPECT_GT(std::log2(coarse / fine), order - 0.1) << ToString(integrator);
    EXPECT_LT(fine, 1e-4) << ToString(integrator);
  }
  // Free bodies, pinned: rotations about moving axes.
  const double coarse = CalcWindowsError(Integrator::kRungeKutta4, "windows_2_free.xml", 4e-3);
  const double fine = CalcWindowsError(Integrator::kRungeKutta4, "windows_2_free.xml", 2e-3);
  EXPECT_GT(std::log2(coarse / fine), 3.9);
  EXPECT_LT(fine, 1e-8);
}

// Problem A04: off its loop, the rows that leave the mechanism one motion seem to leave none.
TEST(Integrators, DependentLoopsMove) {
  for (const char* file : {"bricard.xml", "bricard_free.xml"}) {
    for (const auto& [integrator, bound] :
         {std::pair(Integrator::kSymplecticEuler, 1e-2), std::pair(Integrator::kMidpoint, 1e-4),
          std::pair(Integrator::kRungeKutta4, 1e-7)}) {
      World world = MakeWorldWith(LoadModel(std::string(STICTION_SOURCE_DIR) + "/assets/benchmarks/" + file),
                                  integrator, 4e-3);
      for (int i = 0; i < 250; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk);
      const Vector3d p = world.CalcFramePose(world.model().FindFrame("end2")).p;
      EXPECT_LT((p - Vector3d(0.274481319265, -0.886707938735, -0.462330002687)).norm(), bound)
          << ToString(integrator) << ' ' << file;
    }
  }
}

// What the stages of Runge-Kutta's method do to close loops counts in the loops' impulses: a pendulum of free
// bodies hangs in its pin by its weight.
TEST(Integrators, RungeKuttaReportsTheImpulsesOfLoops) {
  ModelBuilder builder("hanging");
  const int body = AddFreeBody(builder, Sphere{0.1}, 3.0, Shift(0, 0, -1.0));
  FrameLock pin{.a = {.body = 0}, .b = {.body = body, .X_BF = Shift(0, 0, 1.0)}};
  pin.locked = {false, false, false, true, true, true};
  builder.AddEquality({.kind = pin});
  World world = MakeWorldWith(builder.Build(), Integrator::kRungeKutta4, 0.01);
  for (int i = 0; i < 10; ++i) world.Step();
  EXPECT_NEAR(world.state().equality_impulses.norm(), 3.0 * 9.81 * 0.01, 1e-9);
}

}  // namespace
}  // namespace stiction::testing

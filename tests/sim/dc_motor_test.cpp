// DC motors: closed forms of their parts, and what they do in a world.
#include "dynamics/dc_motor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stiction/io/load.h"
#include "stiction/sim/world.h"
#include "tests/io/model_text.h"

namespace stiction::testing {
namespace {

// Its state after `time` at a constant control, length and rate, in steps of dt.
std::vector<double> RunMotor(const DcMotor& motor, double u, double length, double rate, double time,
                             double dt) {
  std::vector<double> state(5, 0.0);
  for (int i = 0; i < std::lround(time / dt); ++i)
    (void)CalcMotor(motor, u, length, rate, dt, state.data(), state.data());
  return state;
}

DcMotor MakeWinding() {
  DcMotor motor;
  motor.constant = 0.05;
  motor.resistance = 2.0;
  motor.lag = 0.01;
  return motor;
}

TEST(DcMotor, CurrentRisesAsItsWindingLetsItInStepsOfAnyLength) {
  const DcMotor motor = MakeWinding();
  const double final_current = (12.0 - 0.05 * 40.0) / 2.0;
  for (const double dt : {1e-4, 1e-3, 5e-3}) {
    const double current = RunMotor(motor, 12.0, 0.0, 40.0, 0.02, dt)[0];
    EXPECT_NEAR(current, final_current * -std::expm1(-2.0), 1e-12);
  }
  DcMotor slow = motor;
  slow.current_rate = 10.0;
  EXPECT_NEAR(RunMotor(slow, 12.0, 0.0, 40.0, 0.02, 1e-3)[0], 0.2, 1e-12);
  // A lag much shorter than the step is none.
  DcMotor quick = motor, plain = motor;
  quick.lag = 1e-9;
  plain.lag = 0.0;
  double state = 0.0;
  const ActuatorForce a = CalcMotor(quick, 12.0, 0.0, 40.0, 1e-3, &state, nullptr);
  const ActuatorForce b = CalcMotor(plain, 12.0, 0.0, 40.0, 1e-3, nullptr, nullptr);
  EXPECT_NEAR(a.value, b.value, 1e-15);
  EXPECT_NEAR(a.rate_slope, b.rate_slope, 1e-15);
  EXPECT_DOUBLE_EQ(b.value, 0.05 * final_current);
  EXPECT_DOUBLE_EQ(b.rate_slope, -0.05 * 0.05 / 2.0);
}

TEST(DcMotor, WindingWarmsAndItsResistanceWithIt) {
  DcMotor motor = MakeWinding();
  motor.lag = 0.0;
  motor.thermal_resistance = 3.0;
  motor.thermal_time = 20.0;
  motor.reference_temperature = motor.ambient_temperature = 25.0;
  const double power = 4.0 * 4.0 / 2.0;  // of 4 V at rest
  EXPECT_NEAR(RunMotor(motor, 4.0, 0.0, 0.0, 20.0, 0.1)[0], 3.0 * power * -std::expm1(-1.0), 1e-9);
  motor.temperature_coefficient = 0.004;
  const double heat = RunMotor(motor, 4.0, 0.0, 0.0, 1000.0, 0.1)[0];
  EXPECT_NEAR(heat, 3.0 * 16.0 / (2.0 * (1.0 + 0.004 * heat)), 1e-9);
  EXPECT_LT(heat, 0.95 * 3.0 * power);
  // A colder day than the data sheet's.
  motor.ambient_temperature = 0.0;
  const double none = 0.0;
  EXPECT_NEAR(CalcMotor(motor, 4.0, 0.0, 0.0, 0.1, &none, nullptr).value, 0.05 * 4.0 / (2.0 * 0.9), 1e-15);
}

TEST(DcMotor, ControllerHasItsTorqueUntilTheVoltageIsAtItsBound) {
  DcMotor motor = MakeWinding();
  motor.lag = 0.0;
  motor.input = DcMotor::Input::kPosition;
  motor.kp = 2.0;
  motor.kd = 0.1;
  const ActuatorForce free = CalcMotor(motor, 0.3, 0.1, 5.0, 1e-3, nullptr, nullptr);
  EXPECT_NEAR(free.value, 2.0 * 0.2 - 0.1 * 5.0, 1e-14);
  EXPECT_NEAR(free.length_slope, -2.0, 1e-14);
  EXPECT_NEAR(free.rate_slope, -0.1, 1e-14);
  motor.voltage_max = 3.0;
  const ActuatorForce bound = CalcMotor(motor, 0.3, 0.1, 5.0, 1e-3, nullptr, nullptr);
  EXPECT_NEAR(bound.value, 0.05 / 2.0 * (-3.0 - 0.05 * 5.0), 1e-14);
  EXPECT_EQ(bound.length_slope, 0.0);
  motor.voltage_max = 0.0;
  motor.slew_max = 10.0;
  motor.ki = 4.0;
  motor.integral_max = 0.02;
  const std::vector<double> state = RunMotor(motor, 0.3, 0.1, 0.0, 0.025, 1e-3);
  EXPECT_NEAR(state[0], 0.25, 1e-12) << "the set point on its way";
  EXPECT_NEAR(RunMotor(motor, 0.3, 0.1, 0.0, 0.5, 1e-3)[1], 0.02, 1e-15) << "the integral at its bound";
}

DcMotor MakeSticky() {
  DcMotor motor;
  motor.bristle_stiffness = 1e4;
  motor.bristle_damping = 5.0;
  motor.coulomb = 0.6;
  motor.static_friction = 0.9;
  motor.stribeck_speed = 0.1;
  return motor;
}

TEST(DcMotor, SlidingFrictionIsStribecksCurve) {
  const DcMotor motor = MakeSticky();
  for (const double rate : {-3.0, -0.1, 0.02, 0.1, 1.0}) {
    const double g = 0.6 + 0.3 * std::exp(-rate * rate / 0.01);
    for (const double dt : {1e-4, 1e-2}) {
      const std::vector<double> state = RunMotor(motor, 0.0, 0.0, rate, 1.0, dt);
      EXPECT_NEAR(CalcMotor(motor, 0.0, 0.0, rate, dt, state.data(), nullptr).value, std::copysign(g, -rate),
                  1e-9);
    }
  }
}

// Of all that is smooth, at random points.
TEST(DcMotor, SlopesAreThoseOfItsForce) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0.1, 1.0);
  for (int i = 0; i < 50; ++i) {
    DcMotor motor = MakeWinding();
    motor.input = i % 2 ? DcMotor::Input::kPosition : DcMotor::Input::kVoltage;
    if (i % 2) motor.kp = unit(random), motor.kd = unit(random);
    motor.cogging = unit(random);
    motor.cogging_periods = 7.0;
    motor.cogging_phase = unit(random);
    const double u = unit(random), length = unit(random), rate = unit(random), h = 1e-6;
    const double state = unit(random);
    const auto force = [&](double l, double r) { return CalcMotor(motor, u, l, r, 3e-3, &state, nullptr); };
    const ActuatorForce f = force(length, rate);
    EXPECT_NEAR(f.length_slope, (force(length + h, rate).value - force(length - h, rate).value) / (2 * h),
                1e-7);
    EXPECT_NEAR(f.rate_slope, (force(length, rate + h).value - force(length, rate - h).value) / (2 * h),
                1e-7);
  }
}

// A wheel of 0.02 kg m^2 on a hinge along z.
World MakeWheel(const std::string& motor, double dt = 1e-3) {
  World world(
      LoadText("<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='h' axis='0 0 1'/>"
               "<inertial pos='0 0 0' mass='1' diaginertia='.02 .02 .02'/></body></worldbody><actuator>"
               "<motor joint='h'/><dcmotor joint='h' " +
               motor + "/></actuator></mujoco>"),
      {.timestep = dt});
  return world;
}

void RunWorld(World& world, double time) {
  for (int i = 0; i < std::lround(time / world.timestep()); ++i)
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
}

TEST(DcMotor, BristleHoldsALoadAndLetsALargerOneGo) {
  for (const double dt : {1e-4, 1e-3, 1e-2}) {
    World world = MakeWheel("input='none' lugre='1e4 20 .6 .9 .1'", dt);
    world.input().ctrl[0] = 0.5;
    RunWorld(world, 1.0);
    EXPECT_NEAR(world.state().activation[0], 0.5 / 1e4, 1e-12) << "the bristle carries it";
    const double place = world.q()[0];
    EXPECT_LT(place, 1e-4);
    RunWorld(world, 1.0);
    EXPECT_NEAR(world.q()[0], place, 1e-12) << "no creep " << dt;
    world.input().ctrl[0] = 1.0;
    RunWorld(world, 1.0);
    const double speed = world.v()[0];
    RunWorld(world, 1.0);
    // The secant takes the friction of the step before: (g dt / I) log(v1 / v0) late.
    const double late = 0.6 * dt / 0.02 * std::log(world.v()[0] / speed);
    EXPECT_NEAR(world.v()[0] - speed, (1.0 - 0.6) / 0.02 - late, 0.1 * late + 1e-6) << "Coulomb's " << dt;
    world.input().ctrl[0] = 0.0;
    RunWorld(world, 3.0);
    EXPECT_LT(std::abs(world.v()[0]), 1e-9) << "and stops it";
  }
}

TEST(DcMotor, CogsLikeASpringOfItsPeriods) {
  // A sin(N q + pi): about q = 0 a spring of A N.
  World world = MakeWheel("input='none' cogging='.2 8 3.141592653589793'", 1e-4);
  State state = world.state();
  state.q[0] = 1e-3;
  world.set_state(state);
  const double period = 2.0 * M_PI / std::sqrt(0.2 * 8.0 / 0.02);
  RunWorld(world, std::round(period / 1e-4) * 1e-4);
  EXPECT_NEAR(world.q()[0], 1e-3, 2e-5);
}

// As u and ℓ, x is that at the start of the step, as it is in MuJoCo.
TEST(DcMotor, IntegralActsAsItIsAtTheStartOfTheStep) {
  DcMotor motor = MakeWinding();
  motor.lag = 0.0;
  motor.input = DcMotor::Input::kPosition;
  motor.kp = 10.0, motor.ki = 1.0, motor.kd = 0.2;
  const double integral = 0.6;
  double next = 0.0;
  // 10 (0.7 - 0.9) + 0.6 - 0.2 · 6
  EXPECT_NEAR(CalcMotor(motor, 0.7, 0.9, 6.0, 2e-3, &integral, &next).value, -2.6, 1e-12);
  EXPECT_NEAR(next, 0.6 - 0.2 * 2e-3, 1e-15);
}

TEST(DcMotor, IntegralTakesALoadsErrorAway) {
  const std::string motor = "motorconst='.05' resistance='2' inductance='0 .002' input='pos' ";
  World without = MakeWheel(motor + "controller='4 0 .6'"), with = MakeWheel(motor + "controller='4 8 .6'");
  for (World* world : {&without, &with}) {
    world->input().ctrl[0] = -0.4;  // the load
    world->input().ctrl[1] = 0.3;
    RunWorld(*world, 8.0);
  }
  EXPECT_NEAR(without.q()[0], 0.3 - 0.4 / 4.0, 1e-4);
  EXPECT_NEAR(with.q()[0], 0.3, 1e-4);
  EXPECT_NEAR(with.state().activation[0], 0.4 / 8.0, 1e-4) << "the integral carries it";
  EXPECT_NEAR(with.state().activation[1], 0.4 / 0.05, 1e-2) << "so does the current";
}

TEST(DcMotor, RunsUpToTheSpeedWithoutLoad) {
  for (const double dt : {1e-3, 2e-2}) {
    World world = MakeWheel("motorconst='.5' resistance='2' inductance='.004'", dt);
    world.input().ctrl[1] = 12.0;
    RunWorld(world, 4.0);
    EXPECT_NEAR(world.v()[0], 24.0, 1e-4);
  }
}

}  // namespace
}  // namespace stiction::testing

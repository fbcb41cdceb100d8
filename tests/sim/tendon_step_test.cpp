// Tendons and transmissions in the step: springs, limits, dry friction, couplings, actuators with dynamics.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

constexpr double kStep = 0.002;
constexpr double kTendonMass = 2.0;

MassProperties Ball() {
  return CalcSolidMassProperties(Sphere{0.1}, kTendonMass);
}

// Two masses on slides of their own trees along x, and a fixed tendon L = q0 − q1.
struct TwoSlides {
  TwoSlides() {
    builder.options().gravity.setZero();
    for (int i = 0; i < 2; ++i) {
      const int body = builder.AddBody({.inertia = Ball()});
      builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
    }
    tendon.path = FixedTendon{{{0, 1.0}, {1, -1.0}}};
  }
  World Build() {
    builder.AddTendon(tendon);
    return MakeWorld(builder.Build(), kStep);
  }
  ModelBuilder builder{"slides"};
  Tendon tendon;
};

void SetPosition(World& world, int i, double q) {
  State state = world.state();
  state.q[i] = q;
  world.set_state(state);
}

TEST(TendonSprings, AcrossTreesAreImplicit) {
  TwoSlides slides;
  slides.tendon.stiffness = 1e6;  // dt² k = 4: explicit, it would blow up
  slides.tendon.damping = 30.0;
  World world = slides.Build();
  SetPosition(world, 0, 0.1);
  const double start = world.CalcEnergy().total();
  EXPECT_NEAR(start, 0.5 * 1e6 * 0.01, 1e-9);
  world.Step();
  const double slope = kStep * kStep * 1e6 + kStep * 30.0;
  const double impulse = -kStep * 1e6 * 0.1 / (1.0 + 2.0 * slope / kTendonMass);
  EXPECT_NEAR(world.v()[0], impulse / kTendonMass, 1e-10);
  EXPECT_NEAR(world.v()[1], -impulse / kTendonMass, 1e-10);
  for (int i = 0; i < 200; ++i) world.Step();
  EXPECT_LT(world.CalcEnergy().total(), 1e-6 * start);
  EXPECT_NEAR(world.q()[0], 0.05, 1e-3);  // the centre of both stays
  EXPECT_NEAR(world.q()[0] + world.q()[1], 0.1, 1e-12);
}

TEST(TendonSprings, OfOneBranchEnterTheMassMatrix) {
  ModelBuilder builder("chain");
  builder.options().gravity.setZero();
  int parent = 0;
  for (int i = 0; i < 2; ++i) {
    parent = builder.AddBody({.parent = parent, .X_PB = Shift(0.3 * i, 0, 0)});
    builder.SetInertia(parent, Transform(Shift(0.3, 0, 0), Ball()));
    builder.AddJoint(parent, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
  }
  builder.AddTendon({.path = FixedTendon{{{0, 1.0}, {1, -2.0}}}, .stiffness = 5e4, .damping = 3.0});
  World world = MakeWorld(builder.Build(), kStep);
  SetPosition(world, 0, 0.2);
  const Vector2d c(1.0, -2.0);
  const Eigen::Matrix2d A = world.CalcMassMatrix() + (kStep * kStep * 5e4 + kStep * 3.0) * c * c.transpose();
  const Vector2d expected = A.inverse() * (-kStep * 5e4 * 0.2 * c);
  world.Step();
  EXPECT_LT((world.v() - expected).norm(), 1e-10);
  EXPECT_EQ(world.problem().num_constraints(), 0);
}

TEST(TendonLimits, StopItsLength) {
  TwoSlides slides;
  slides.tendon.lower = -0.5;
  slides.tendon.upper = 0.1;
  World world = slides.Build();
  world.input().applied_generalized << 10.0, 0.0;
  for (int i = 0; i < 500; ++i) {
    world.Step();
    ASSERT_LT(world.q()[0] - world.q()[1], 0.1 + 2e-5);
  }
  EXPECT_NEAR(world.v()[0], world.v()[1], 1e-9);
  EXPECT_NEAR(world.v()[0] * 2.0 * kTendonMass, 10.0 * 1.0, 1e-8);  // momentum of both
}

TEST(TendonFriction, HoldsBelowItsForce) {
  TwoSlides slides;
  slides.tendon.friction_loss = 4.0;
  World world = slides.Build();
  world.input().applied_generalized << 3.9, -3.9;
  for (int i = 0; i < 50; ++i) world.Step();
  EXPECT_LT(world.v().norm(), 1e-12);
  world.input().applied_generalized << 6.0, -6.0;
  for (int i = 0; i < 50; ++i) world.Step();
  EXPECT_NEAR(world.v()[0], (6.0 - 4.0) / kTendonMass * 0.1, 1e-10);
}

TEST(TendonCouplings, FollowTheirPolynomial) {
  TwoSlides slides;
  slides.builder.AddTendon({.path = FixedTendon{{{0, 1.0}}}});
  slides.builder.AddTendon({.path = FixedTendon{{{1, 1.0}}}});
  slides.builder.AddEquality(
      {.kind = TendonPolynomial{.tendon = 0, .of_tendon = 1, .coefficients = {0.0, 2.0, 1.0, 0.0, 0.0}}});
  World world = slides.Build();
  world.input().applied_generalized << 5.0, 0.0;
  for (int i = 0; i < 300; ++i) {
    world.Step();
    const double x = world.q()[1];
    ASSERT_NEAR(world.q()[0], 2.0 * x + x * x, 1e-11);
  }
  EXPECT_GT(world.q()[0], 0.1);
}

TEST(TendonActuators, PullAndServo) {
  TwoSlides slides;
  slides.builder.AddTendon(slides.tendon);
  slides.builder.AddActuator({.tendon = 0, .gear = {3.0}});
  World world = slides.Build();
  world.input().ctrl[0] = 2.0;
  world.Step();
  EXPECT_NEAR(world.v()[0], 6.0 / kTendonMass * kStep, 1e-13);
  EXPECT_NEAR(world.v()[1], -6.0 / kTendonMass * kStep, 1e-13);

  TwoSlides servo;
  servo.builder.AddTendon(servo.tendon);
  servo.builder.AddActuator({.tendon = 0, .gain = {1e5, 0, 0}, .bias = {0, -1e5, -900}});
  World held = servo.Build();
  held.input().ctrl[0] = 0.3;
  for (int i = 0; i < 2000; ++i) held.Step();
  EXPECT_NEAR(held.q()[0] - held.q()[1], 0.3, 1e-6);
  EXPECT_LT(held.v().norm(), 1e-5);
}

TEST(FrameActuators, AreWrenchesInTheFramesAxes) {
  ModelBuilder builder("thruster");
  builder.options().gravity.setZero();
  const int body = builder.AddBody({.X_PB = Turn(0.5 * kPi, Vector3d::UnitZ()), .inertia = Ball()});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  Actuator jet;
  jet.frame = Frame{.name = "", .body = body, .X_BF = Shift(0, 0.1, 0)};
  jet.gear = {1, 0, 0, 0, 0, 0};
  builder.AddActuator(jet);
  World world = MakeWorld(builder.Build(), kStep);
  world.input().ctrl[0] = 7.0;
  world.Step();
  EXPECT_NEAR(world.v()[1], 7.0 / kTendonMass * kStep, 1e-12);  // x of the frame is the world's y
  const double inertia = 0.4 * kTendonMass * 0.01;
  EXPECT_NEAR(world.v()[5], -0.7 / inertia * kStep, 1e-10);
}

TEST(FrameActuators, DampersOnFreeBodiesAreImplicit) {
  ModelBuilder builder("damped");
  builder.options().gravity.setZero();
  const int body = builder.AddBody({.inertia = Ball()});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.AddActuator({.joint = 0, .gear = {1, 0, 0, 0, 0, 0}, .gain = {1e4, 0, 0}, .bias = {0, 0, -1e4}});
  World world = MakeWorld(builder.Build(), kStep);
  world.input().ctrl[0] = 0.5;
  // kv dt = 20 kg, ten times the mass: v⁺ = (m v + dt kv u) / (m + dt kv).
  world.Step();
  EXPECT_NEAR(world.v()[0], 20.0 * 0.5 / (kTendonMass + 20.0), 1e-12);
  for (int i = 0; i < 50; ++i) world.Step();
  EXPECT_NEAR(world.v()[0], 0.5, 1e-9);
}

TEST(FrameActuators, ServoOneBodyToAnother) {
  ModelBuilder builder("docking");
  builder.options().gravity.setZero();
  for (int i = 0; i < 2; ++i) {
    const int body = builder.AddBody({.X_PB = Shift(i, 0, 0), .inertia = Ball()});
    builder.AddJoint(body, {.kind = FreeJoint{}});
  }
  Actuator servo{.gain = {1e3, 0, 0}, .bias = {0, -1e3, -90}};
  servo.frame = Frame{.name = "", .body = 2};
  servo.reference = Frame{.name = "", .body = 1};
  servo.gear = {1, 0, 0, 0, 0, 0};
  builder.AddActuator(servo);
  World world = MakeWorld(builder.Build(), kStep);
  world.input().ctrl[0] = 0.6;
  for (int i = 0; i < 2000; ++i) world.Step();
  EXPECT_NEAR(world.q()[7] - world.q()[0], 0.6, 1e-6);
  EXPECT_NEAR(world.q()[7] + world.q()[0], 1.0, 1e-12);  // equal and opposite
}

TEST(Activations, FollowTheirDynamics) {
  for (const ActuatorDynamics dynamics :
       {ActuatorDynamics::kIntegrator, ActuatorDynamics::kFilter, ActuatorDynamics::kFilterExact}) {
    ModelBuilder builder("lagging");
    const int body = builder.AddBody({.inertia = Ball()});
    builder.AddJoint(body, {.kind = SlideJoint{}});
    builder.AddActuator({.joint = 0, .dynamics = dynamics, .time_constant = 0.1, .activation_upper = 0.9});
    World world = MakeWorld(builder.Build(), kStep);
    ASSERT_EQ(world.state().activation.size(), 1);
    world.input().ctrl[0] = 1.0;
    for (int i = 0; i < 100; ++i) world.Step();
    const double t = 100 * kStep, exact = 1.0 - std::exp(-t / 0.1);
    const double expected = dynamics == ActuatorDynamics::kIntegrator ? t
                            : dynamics == ActuatorDynamics::kFilter   ? 1.0 - std::pow(1.0 - kStep / 0.1, 100)
                                                                      : exact;
    EXPECT_NEAR(world.state().activation[0], expected, 1e-12);
    for (int i = 0; i < 1000; ++i) world.Step();
    EXPECT_EQ(world.state().activation[0], 0.9);
  }
}

// A falling box reaches the speed at which the drag of the box that it is carries its weight.
TEST(Fluids, DragByTheInertiaBox) {
  for (const bool is_viscous : {false, true}) {
    ModelBuilder builder("sinking");
    (is_viscous ? builder.options().viscosity : builder.options().density) = is_viscous ? 5.0 : 1000.0;
    const Box box{{0.1, 0.2, 0.05}};
    const int body = builder.AddBody({.X_PB = Turn(0.3, Vector3d::UnitZ())});
    builder.SetInertia(body, CalcSolidMassProperties(box, kTendonMass));
    builder.AddJoint(body, {.kind = FreeJoint{}});
    World world = MakeWorld(builder.Build(), 0.001);
    for (int i = 0; i < 5000; ++i) world.Step();
    const double weight = kTendonMass * kGravity;
    const double expected = is_viscous ? weight / (3.0 * kPi * 5.0 * (0.2 + 0.4 + 0.1) / 3.0)
                                       : std::sqrt(2.0 * weight / (1000.0 * 0.2 * 0.4));
    EXPECT_NEAR(world.v()[2], -expected, 1e-3 * expected) << is_viscous;
    EXPECT_NEAR(world.v().head<2>().norm(), 0.0, 1e-9);
  }
}

TEST(Fluids, WindCarriesABodyAndSpinDecays) {
  ModelBuilder builder("leaf");
  builder.options().gravity.setZero();
  builder.options().viscosity = 5.0;
  builder.options().wind = {0.0, 3.0, 0.0};
  const int body = builder.AddBody({});
  builder.SetInertia(body, CalcSolidMassProperties(Box{{0.1, 0.1, 0.1}}, kTendonMass));
  builder.AddJoint(body, {.kind = FreeJoint{}});
  World world = MakeWorld(builder.Build(), 0.001);
  State state = world.state();
  state.v[5] = 2.0;
  world.set_state(state);
  for (int i = 0; i < 1000; ++i) world.Step();
  const double rate = kPi * 5.0 * 0.008 / (kTendonMass / 6.0 * 0.04);  // π β d³ / I of a cube
  EXPECT_NEAR(world.v()[5], 2.0 * std::exp(-rate), 2e-3 * rate);
  const double pull = 3.0 * kPi * 5.0 * 0.2 / kTendonMass;
  EXPECT_NEAR(world.v()[1], 3.0 * (1.0 - std::exp(-pull)), 2e-3);
}

TEST(TendonSensors, MeasureLengthRateAndForces) {
  TwoSlides slides;
  slides.tendon.upper = 0.1;
  slides.builder.AddTendon(slides.tendon);
  slides.builder.AddActuator({.tendon = 0, .gear = {2.0}});
  for (const SensorType type :
       {SensorType::kTendonPosition, SensorType::kTendonVelocity, SensorType::kTendonActuatorForce,
        SensorType::kTendonLimitForce, SensorType::kActuatorPosition, SensorType::kActuatorVelocity}) {
    Sensor sensor;
    sensor.type = type;
    sensor.index = 0;
    slides.builder.AddSensor(sensor);
  }
  World world = MakeWorld(slides.builder.Build(), kStep);
  world.input().ctrl[0] = 3.0;
  world.Step();
  const double length = world.q()[0] - world.q()[1], rate = world.v()[0] - world.v()[1];
  EXPECT_NEAR(world.sensors()[0], length, 1e-15);
  EXPECT_NEAR(world.sensors()[1], rate, 1e-15);
  EXPECT_EQ(world.sensors()[2], 3.0);
  EXPECT_EQ(world.sensors()[3], 0.0);
  EXPECT_NEAR(world.sensors()[4], 2.0 * length, 1e-15);
  EXPECT_NEAR(world.sensors()[5], 2.0 * rate, 1e-15);
  for (int i = 0; i < 2000; ++i) world.Step();
  EXPECT_NEAR(world.sensors()[3], 6.0, 1e-6);  // the limit carries what the actuator pulls
}

// A straight tendon from 0.3 m above the origin to the body's, of that length at most.
void AddLeash(ModelBuilder& builder, int body, double longest) {
  SpatialTendon path;
  path.path = {SpatialTendon::Site{0, {0, 0, 0.3}}, SpatialTendon::Site{body, Vector3d::Zero()}};
  Tendon tendon{.path = path};
  tendon.upper = longest;
  builder.AddTendon(tendon);
}

// A tendon whose range is shorter than its shortest way, which hardly tells of the slide there: it comes to
// rest across from where it begins. By its row alone the slide was thrown off by metres.
TEST(TendonLimits, OutOfReachThrowNothingAway) {
  for (const double start : {-0.1, -0.03, 2e-3, 0.05}) {
    ModelBuilder builder("shortest");
    builder.options().gravity.setZero();
    const int body = builder.AddBody({.inertia = Ball()});
    builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
    AddLeash(builder, body, 0.2);
    World world = MakeWorld(builder.Build(), kStep);
    SetPosition(world, 0, start);
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(world.Step().status, StepStatus::kOk);
      ASSERT_LT(std::abs(world.q()[0]), 1.001 * std::abs(start)) << start << ": " << i;
    }
    EXPECT_LT(std::abs(world.q()[0]), 1e-4);
    EXPECT_EQ(world.v()[0], 0.0);
  }
}

// A mocap body has no dofs: nothing can be pushed into the range of its tendon, beside one that can, or
// alone.
TEST(TendonLimits, OfMocapBodiesAskForNothing) {
  for (const bool is_alone : {true, false}) {
    ModelBuilder builder("mocap");
    const int mocap = builder.AddBody({.X_PB = Shift(0, 0, 1), .inertia = Ball(), .is_mocap = true});
    const int slider = builder.AddBody({.inertia = Ball()});
    builder.AddJoint(slider, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
    AddLeash(builder, mocap, 0.35);
    if (!is_alone) AddLeash(builder, slider, 0.35);
    World world = MakeWorld(builder.Build(), kStep);
    SetPosition(world, 0, 0.5);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk);
    EXPECT_EQ(std::hypot(world.q()[0], 0.3) < 0.35 + 1e-4, !is_alone);
  }
}

// How far beyond a limit, and how fast away from it: of both sides, and nothing where neither is near.
TEST(TendonSensors, MeasureLimitsFromTheirSide) {
  TwoSlides slides;
  slides.tendon.lower = -0.2;
  slides.tendon.upper = 0.1;
  slides.builder.AddTendon(slides.tendon);
  for (const SensorType type : {SensorType::kTendonLimitPosition, SensorType::kTendonLimitVelocity}) {
    Sensor sensor;
    sensor.type = type;
    sensor.index = 0;
    slides.builder.AddSensor(sensor);
  }
  World world = MakeWorld(slides.builder.Build(), kStep);
  const auto measure = [&](double length, double rate) {
    State state = world.state();
    state.q << 0.5 * length, -0.5 * length;
    state.v << 0.5 * rate, -0.5 * rate;
    state.limits.assign(state.limits.size(), {});
    world.set_state(state);
    return Vector2d(world.sensors()[0], world.sensors()[1]);
  };
  EXPECT_LT((measure(0.13, 0.7) - Vector2d(-0.03, -0.7)).norm(), 1e-15);
  EXPECT_LT((measure(-0.25, 0.7) - Vector2d(-0.05, 0.7)).norm(), 1e-15);
  EXPECT_EQ(measure(0.05, 0.7), Vector2d(0.0, 0.0));
}

}  // namespace
}  // namespace stiction::testing

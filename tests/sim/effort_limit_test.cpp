// Servos with a force range: the implicit law f⁺ = clamp(f at the end of the step), against solutions by
// hand.
#include <gtest/gtest.h>

#include <set>

#include "sim/assembly.h"
#include "stiction/contact/default_solver.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/dynamics/crba.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

constexpr double kEffortStep = 0.01;

// Slides along x of the given masses, without gravity.
ModelBuilder MakeSlides(const std::vector<double>& masses, const Joint& joint = {}) {
  ModelBuilder builder("slides");
  builder.options().gravity.setZero();
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const int body = builder.AddBody({.X_PB = Shift(0, static_cast<double>(i), 0)});
    builder.SetInertia(body, CalcSolidMassProperties(Sphere{0.1}, masses[i]));
    Joint slide = joint;
    slide.kind = SlideJoint{.axis_B = Vector3d::UnitX()};
    builder.AddJoint(body, slide);
  }
  return builder;
}

Actuator Servo(double kp, double kv, double range) {
  Actuator servo{.gain = {kp > 0.0 ? kp : kv, 0, 0}, .bias = {0, -kp, -kv}};
  servo.force_lower = -range;
  servo.force_upper = range;
  return servo;
}

World MakeEffortWorld(ModelBuilder builder, Integrator integrator = Integrator::kSymplecticEuler) {
  WorldOptions options;
  options.timestep = kEffortStep;
  options.integrator = integrator;
  return World(builder.Build(), options);
}

// m (v⁺ − v) = dt clamp(kp (u − q − dt v⁺) − kv v⁺), which is monotone in v⁺: the linear solution where its
// force is within the range, else that of the bound.
double SolveByHand(double m, double kp, double kv, double range, double u, double q, double v) {
  const double linear =
      (m * v + kEffortStep * kp * (u - q)) / (m + kEffortStep * kv + kEffortStep * kEffortStep * kp);
  const double force = kp * (u - q - kEffortStep * linear) - kv * linear;
  return std::abs(force) <= range ? linear : v + kEffortStep * std::copysign(range, force) / m;
}

TEST(EffortLimit, IsExactWhileTheServoEntersAndLeavesIt) {
  constexpr double kGear = 1.5;
  ModelBuilder builder = MakeSlides({2.0});
  Actuator servo = Servo(4000.0, 150.0, 60.0);
  servo.joint = 0;
  servo.gear[0] = kGear;
  builder.AddActuator(servo);
  World world = MakeEffortWorld(std::move(builder));
  std::set<int> sides;
  for (int i = 0; i < 400; ++i) {
    // In ℓ = gear q the mass is m / gear².
    world.input().ctrl[0] = i < 200 ? 0.7 : 0.4 * std::sin(0.2 * i);
    const double q = kGear * world.q()[0], v = kGear * world.v()[0];
    const double expected =
        SolveByHand(2.0 / (kGear * kGear), 4000.0, 150.0, 60.0, world.input().ctrl[0], q, v);
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    ASSERT_NEAR(kGear * world.v()[0], expected, 1e-12) << i;
    const double force = (kGear * world.v()[0] - v) * 2.0 / (kGear * kGear) / kEffortStep;
    sides.insert(std::abs(force) < 60.0 - 1e-9 ? 0 : force > 0.0 ? 1 : -1);
  }
  EXPECT_EQ(sides.size(), 3u);
}

// What is far out of its range at the start of the step, and within it at the end: a clamp at the start would
// brake with the bound, and reverse the motion.
TEST(EffortLimit, AStiffBrakeWithARangeStopsAndStays) {
  ModelBuilder builder = MakeSlides({1.0});
  Actuator brake = Servo(0.0, 1e5, 30.0);
  brake.joint = 0;
  builder.AddActuator(brake);
  World world = MakeEffortWorld(std::move(builder));
  State state = world.state();
  state.v[0] = 1.0;
  world.set_state(state);
  double before = 1.0;
  for (int i = 0; i < 20; ++i) {
    world.Step();
    EXPECT_NEAR(world.v()[0], std::max(before - 0.3, before / 1001.0), 1e-12) << i;
    before = world.v()[0];
  }
  EXPECT_GE(world.v()[0], 0.0);
  EXPECT_LT(world.v()[0], 1e-6);
}

// A brake that carries a free body: its force at the end of the step knows of the fall in it.
TEST(EffortLimit, OfABrakeOnAFallingBodyIsExact) {
  constexpr double kRange = 50.0, kBrake = 1000.0;
  ModelBuilder builder("falling");
  const int ball = AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(0, 0, 5));
  Actuator brake = Servo(0.0, kBrake, kRange);
  brake.frame = Frame{.body = ball};
  brake.gear = {0, 0, 1, 0, 0, 0};
  builder.AddActuator(brake);
  World world = MakeEffortWorld(std::move(builder));
  SetFreeVelocity(world, 0, {0, 0, -2.0}, {0, 0, 0});
  double v = -2.0;
  int num_held = 0;
  for (int i = 0; i < 20; ++i) {
    const double linear = (v - kEffortStep * kGravity) / (1.0 + kEffortStep * kBrake);
    const bool is_held = -kBrake * linear > kRange;
    v = is_held ? v + kEffortStep * (kRange - kGravity) : linear;
    num_held += is_held;
    ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
    ASSERT_NEAR(world.v()[2], v, 1e-12) << i;
  }
  EXPECT_GT(num_held, 1);
  EXPECT_LT(num_held, 10);
}

// A limit of the joint stops the motion within the step, and what that makes of the servo's force is beyond
// its range: it presses with the bound.
TEST(EffortLimit, KnowsOfTheImpulsesOfTheStep) {
  Joint joint;
  joint.lower = -1.0, joint.upper = 0.0;
  ModelBuilder builder = MakeSlides({1.0}, joint);
  Actuator servo = Servo(0.0, 10.0, 15.0);
  servo.joint = 0;
  builder.AddActuator(servo);
  builder.AddSensor({.name = "f", .type = SensorType::kActuatorForce, .index = 0});
  builder.AddSensor({.name = "tau", .type = SensorType::kJointActuatorForce, .index = 0});
  World world = MakeEffortWorld(std::move(builder));
  State state = world.state();
  state.v[0] = 1.0;
  world.set_state(state);
  world.input().ctrl[0] = 2.0;
  const StepReport& report = world.Step();
  EXPECT_EQ(report.status, StepStatus::kOk);
  EXPECT_LT(report.certificate.ncp_max, 1e-10);
  EXPECT_NEAR(world.v()[0], 0.0, 1e-12);
  EXPECT_NEAR(world.state().limits[0].upper_impulse, 1.0 + 15.0 * kEffortStep, 1e-10);
  EXPECT_NEAR(world.sensor(0)[0], 15.0, 1e-9) << "10 (2 − v) is 10 before, 20 after";
  EXPECT_NEAR(world.sensor(1)[0], 15.0, 1e-9);
  for (int i = 0; i < 5; ++i) world.Step();
  EXPECT_NEAR(world.state().limits[0].upper_impulse, 15.0 * kEffortStep, 1e-10);
  // And back: an impulse away from the limit puts the force within its range again.
  world.input().ctrl[0] = 0.5;
  world.Step();
  EXPECT_NEAR(world.state().limits[0].upper_impulse, 5.0 * kEffortStep, 1e-10);
  EXPECT_NEAR(world.sensor(0)[0], 5.0, 1e-9);
}

// Two servos of 4000 N/m and 60 N·s/m push 2 kg to and fro with 40 N at most between them.
void ExpectHeldTogether(ModelBuilder&& builder) {
  World world = MakeEffortWorld(std::move(builder));
  int free_steps = 0, held_steps = 0;
  for (int i = 0; i < 300; ++i) {
    world.input().ctrl.setConstant(i / 75 % 2 == 0 ? 0.2 : -0.2);
    const double q = world.q()[0], v = world.v()[0];
    const double expected = SolveByHand(2.0, 8000.0, 120.0, 40.0, world.input().ctrl[0], q, v);
    world.Step();
    ASSERT_NEAR(world.v()[0], expected, 1e-12) << i;
    (std::abs(world.v()[0] - v) < 40.0 * kEffortStep / 2.0 - 1e-12 ? free_steps : held_steps) += 1;
  }
  EXPECT_GT(free_steps, 20);
  EXPECT_GT(held_steps, 20);
}

// All actuators of a joint together, within the joint's own range.
TEST(EffortLimit, OfTheJointHoldsForAllItsServosTogether) {
  Joint joint;
  joint.actuator_force_lower = -40.0, joint.actuator_force_upper = 40.0;
  ModelBuilder builder = MakeSlides({2.0}, joint);
  for (int i = 0; i < 2; ++i) {
    Actuator servo = Servo(4000.0, 60.0, std::numeric_limits<double>::infinity());
    servo.joint = 0;
    builder.AddActuator(servo);
  }
  ExpectHeldTogether(std::move(builder));
}

// The same of a tendon over the joint, which has to move it to the same bits of the law.
TEST(EffortLimit, OfTheTendonHoldsForAllItsServosTogether) {
  ModelBuilder builder = MakeSlides({2.0});
  Tendon tendon{.path = FixedTendon{{{0, 1.0}}}};
  tendon.actuator_force_lower = -40.0, tendon.actuator_force_upper = 40.0;
  builder.AddTendon(tendon);
  for (int i = 0; i < 2; ++i) {
    Actuator servo = Servo(4000.0, 60.0, std::numeric_limits<double>::infinity());
    servo.tendon = 0;
    builder.AddActuator(servo);
  }
  ExpectHeldTogether(std::move(builder));
}

// Forces beyond the tendon's range are scaled alike, gears left out: values of MuJoCo 3.14.
TEST(EffortLimit, OfTheTendonSharesItsBoundAmongMotors) {
  ModelBuilder builder = MakeSlides({1.0, 1.0});
  Tendon tendon{.path = FixedTendon{{{0, 2.0}, {1, 1.0}}}};
  tendon.actuator_force_lower = -3.0, tendon.actuator_force_upper = 3.0;
  builder.AddTendon(tendon);
  for (const double gear : {2.0, 5.0}) {
    Actuator motor;
    motor.tendon = 0;
    motor.gear[0] = gear;
    builder.AddActuator(motor);
  }
  builder.AddSensor({.type = SensorType::kTendonActuatorForce, .index = 0});
  World world = MakeEffortWorld(std::move(builder));
  const double cases[][4] = {{4, 1, 15.6, 3}, {1, 0.5, 9, 1.5}, {-4, 10, 42, 3}, {3, -1, 2, 2}};
  for (const auto& [first, second, force, sum] : cases) {
    const VectorXd v = world.v();
    world.input().ctrl << first, second;
    world.Step();
    EXPECT_NEAR((world.v()[0] - v[0]) / kEffortStep, force, 1e-10);
    EXPECT_NEAR((world.v()[1] - v[1]) / kEffortStep, force / 2.0, 1e-10);
    EXPECT_NEAR(world.sensor(0)[0], sum, 1e-12);
  }
}

// A servo of a tendon through two trees: its slope is a row of the problem that comes and goes. By hand along
// ℓ = a + 2 b, of the effective mass 1/(1/2 + 4/3), with the other direction untouched.
TEST(EffortLimit, HoldsAlongTendonsToo) {
  ModelBuilder builder = MakeSlides({2.0, 3.0});
  FixedTendon path;
  path.terms = {{0, 1.0}, {1, 2.0}};
  const int tendon = builder.AddTendon({.path = path});
  Actuator servo = Servo(2000.0, 40.0, 25.0);
  servo.tendon = tendon;
  builder.AddActuator(servo);
  World world = MakeEffortWorld(std::move(builder));
  const double m = 1.0 / (1.0 / 2.0 + 4.0 / 3.0);
  int free_steps = 0, held_steps = 0;
  for (int i = 0; i < 300; ++i) {
    world.input().ctrl[0] = i / 75 % 2 == 0 ? 0.3 : -0.3;
    const double length = world.q()[0] + 2.0 * world.q()[1], rate = world.v()[0] + 2.0 * world.v()[1];
    const double expected = SolveByHand(m, 2000.0, 40.0, 25.0, world.input().ctrl[0], length, rate);
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    const double after = world.v()[0] + 2.0 * world.v()[1];
    ASSERT_NEAR(after, expected, 1e-8) << i;  // the slope is a row of the problem, solved to the budget
    ASSERT_NEAR(world.v()[1] * 3.0, 2.0 * 2.0 * world.v()[0], 1e-12) << "impulses 1 : 2";
    (std::abs(after - rate) < 25.0 * kEffortStep / m - 1e-9 ? free_steps : held_steps) += 1;
  }
  EXPECT_GT(free_steps, 20);
  EXPECT_GT(held_steps, 20);
}

// A gripper's finger between a part and its servo: the grip is the servo's bound, neither more nor less.
TEST(EffortLimit, IsTheForceOfAGrip) {
  ModelBuilder builder("grip");
  builder.options().gravity.setZero();
  AddFreeBody(builder, Box{{0.02, 0.02, 0.02}}, 0.1, {});
  for (const double side : {-1.0, 1.0}) {
    const int finger = builder.AddBody({.X_PB = Shift(side * 0.05, 0, 0)});
    builder.AddGeom({.body = finger, .shape = Box{{0.01, 0.02, 0.02}}}, {.mass = 0.2});
    const int joint = builder.AddJoint(finger, {.kind = SlideJoint{.axis_B = -side * Vector3d::UnitX()}});
    Actuator servo = Servo(5000.0, 50.0, 12.0);
    servo.joint = joint;
    builder.AddActuator(servo);
  }
  builder.AddSensor({.name = "grip", .type = SensorType::kContactForce, .side_b = {.body = 2}});
  WorldOptions options;
  options.timestep = 0.002;
  World world(builder.Build(), options);
  world.input().ctrl.setConstant(0.1);
  for (int i = 0; i < 500; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
  EXPECT_NEAR(std::abs(world.sensor(0)[0]), 12.0, 1e-6);
  EXPECT_LT(world.v().lpNorm<Eigen::Infinity>(), 1e-6);
}

// A row with a spring in series is the same law: the solver finds the side.
TEST(EffortLimit, AsARowIsTheSameLaw) {
  constexpr double kMass = 2.0, kGear = 1.5, kStiffness = 4000.0, kDamping = 150.0, kRange = 60.0;
  const Model model = MakeSlides({kMass}).Build();
  const BranchPattern pattern = MakeMassMatrixPattern(model);
  const double m = kMass / (kGear * kGear);  // in ℓ = gear q
  std::set<double> sides;
  for (const double q : {-0.5, -0.05, -0.01, 0.0, 0.02, 0.3}) {
    const double v = 0.3;  // of ℓ
    const LimitedForce servo{.actuator = 0,
                             .lower = -kRange,
                             .upper = kRange,
                             .force = -kStiffness * q - kDamping * v,
                             .stiffness = kStiffness,
                             .damping = kDamping,
                             .rate = v,
                             .dof = 0,
                             .gear = kGear};
    ContactProblem problem;
    InitializeProblem(model, pattern, problem);
    problem.A.diagonal(0) = kMass;
    problem.v_star[0] = v / kGear;
    AddEffortRow(model, pattern, {}, servo, kEffortStep, problem);
    Solution solution;
    const ProblemReport report = ProblemSolver().Solve(problem, *MakeSolver(kDefaultSolver), solution);
    EXPECT_LT(report.certificate.ncp_max, 1e-8);
    EXPECT_NEAR(kGear * solution.v[0], SolveByHand(m, kStiffness, kDamping, kRange, 0.0, q, v), 1e-8) << q;
    const double force = solution.lambda[0] / kEffortStep;
    sides.insert(std::abs(force) < kRange ? 0.0 : force);
  }
  EXPECT_EQ(sides, std::set<double>({-kRange, 0.0, kRange}));
}

// An arm that begins in a wall and presses on the floor, whose friction makes the sides of its servos go
// round: tried one after the other they never settle, and 73 of the first 100 steps miss their budget.
TEST(EffortLimit, SettlesWhereFrictionJamsAnArm) {
  ModelBuilder builder("jam");
  constexpr double kFriction = 1.5;
  AddFloor(builder, {.friction = kFriction});
  builder.AddGeom({.shape = Box{{0.05, 1, 1}}, .X_BG = Shift(0.4928, 0, 1), .friction = kFriction});
  int parent = 0;
  const double length[] = {0.1434, 0.227}, mass[] = {0.1388, 1.0169}, damping[] = {1.0, 0.1};
  const double kp[] = {4021.922, 1954.367}, kv[] = {123.8434, 189.595}, range[] = {2.643, 7.993};
  for (int i = 0; i < 2; ++i) {
    parent = builder.AddBody(
        {.parent = parent, .X_PB = i == 0 ? Shift(0, 0, 0.2056) : Shift(length[i - 1], 0, 0)});
    const double half = length[i] / 2.0;
    builder.AddGeom({.body = parent,
                     .shape = Box{{half, 0.025, 0.025}},
                     .X_BG = Shift(half, 0, 0),
                     .friction = kFriction},
                    {.mass = mass[i]});
    Joint joint{.kind = HingeJoint{.axis_B = Vector3d::UnitY()}};
    joint.damping = damping[i];
    Actuator servo = Servo(kp[i], kv[i], range[i]);
    servo.joint = builder.AddJoint(parent, joint);
    builder.AddActuator(servo);
  }
  World world = MakeWorld(builder.Build(), 0.005);
  State state = world.state();
  state.q << -0.556, 0.547;
  world.set_state(state);
  world.input().ctrl << 0.892, 0.421;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk) << i << ": " << world.report().certificate.ncp_max;
    ASSERT_LE(world.report().certificate.ncp_max, 1e-8) << i;
  }
}

// Light bodies, which a bound's force moves by metres in a step: where forces had no slope beyond their
// range, Newton's method threw them from one end to the other.
TEST(EffortLimit, IsExactByTheImplicitMethodToo) {
  for (const double mass : {1e-4, 1e-2, 1.0}) {
    ModelBuilder builder = MakeSlides({mass});
    Actuator servo = Servo(1000.0, 2.0, 10.0);
    servo.joint = 0;
    builder.AddActuator(servo);
    World world = MakeEffortWorld(std::move(builder), Integrator::kImplicitEuler);
    for (int i = 0; i < 200; ++i) {
      world.input().ctrl[0] = i % 50 < 25 ? 0.7 : -0.4;
      const double q = world.q()[0], v = world.v()[0];
      const double expected = SolveByHand(mass, 1000.0, 2.0, 10.0, world.input().ctrl[0], q, v);
      ASSERT_EQ(world.Step().status, StepStatus::kOk);
      ASSERT_NEAR(world.v()[0], expected, 1e-9 * (1.0 + std::abs(expected))) << mass << ": " << i;
    }
  }
}

// A finger of 10 g whose servo asks for more than its joint's limits allow presses on the nearer one. By the
// implicit method and the midpoint rule it ended at the other.
TEST(EffortLimit, PressesOnTheLimitThatItIsSentTo) {
  for (const Integrator integrator :
       {Integrator::kSymplecticEuler, Integrator::kImplicitEuler, Integrator::kMidpoint}) {
    for (const double target : {1.3, -1.3}) {
      ModelBuilder builder("finger");
      const int finger = builder.AddBody({.X_PB = Shift(0, 0, 1)});
      builder.AddGeom({.body = finger, .shape = Box{{0.05, 0.01, 0.01}}, .X_BG = Shift(0.05, 0, 0)},
                      {.mass = 0.01});
      Joint hinge{.kind = HingeJoint{.axis_B = Vector3d::UnitY()}};
      hinge.lower = -0.6, hinge.upper = 0.9;
      Actuator servo = Servo(50.0, 0.5, 3.0);
      servo.joint = builder.AddJoint(finger, hinge);
      builder.AddActuator(servo);
      World world = MakeEffortWorld(std::move(builder), integrator);
      world.input().ctrl[0] = target;
      for (int i = 0; i < 200; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
      EXPECT_NEAR(world.q()[0], target > 0.0 ? 0.9 : -0.6, 1e-6) << ToString(integrator);
    }
  }
}

// A range that is never met changes no bit.
TEST(EffortLimit, OutOfReachChangesNothing) {
  const auto run = [](double range) {
    ModelBuilder builder = MakeSlides({2.0, 1.0});
    for (int i = 0; i < 2; ++i) {
      Actuator servo = Servo(900.0, 40.0, range);
      servo.joint = i;
      builder.AddActuator(servo);
    }
    World world = MakeEffortWorld(std::move(builder));
    world.input().ctrl << 0.3, -0.2;
    for (int i = 0; i < 100; ++i) world.Step();
    return Hash(world.state());
  };
  EXPECT_EQ(run(1e6), run(std::numeric_limits<double>::infinity()));
}

}  // namespace
}  // namespace stiction::testing

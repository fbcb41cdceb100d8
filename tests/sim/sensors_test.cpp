// What sensors read, against closed forms, finite differences and the queries of World.
#include "stiction/sim/sensors.h"

#include <gtest/gtest.h>

#include <array>

#include "stiction/dynamics/center_of_mass.h"
#include "stiction/dynamics/energy.h"
#include "stiction/io/load.h"
#include "stiction/math/rotation.h"
#include "tests/io/model_text.h"
#include "tests/support/random_model.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

const Vector3d kUp = Vector3d::UnitZ();

// A sensor of a frame on a body.
Sensor OfFrame(SensorType type, int body, const RigidTransform& X_BF = {}) {
  Sensor sensor;
  sensor.type = type;
  sensor.frame = {.body = body, .X_BF = X_BF};
  return sensor;
}
Sensor OfIndex(SensorType type, int index) {
  Sensor sensor;
  sensor.type = type;
  sensor.index = index;
  return sensor;
}

// The model again, with these sensors.
Model WithSensors(Model model, const std::vector<Sensor>& sensors) {
  ModelBuilder builder(model.name);
  builder.options() = model.options;
  builder.AddModel(model, "");
  for (const Sensor& sensor : sensors) builder.AddSensor(sensor);
  return builder.Build();
}

Vector3d Read3(const World& world, int sensor) {
  EXPECT_EQ(world.sensor(sensor).size(), 3);
  return world.sensor(sensor);
}
double Read1(const World& world, int sensor) {
  EXPECT_EQ(world.sensor(sensor).size(), 1);
  return world.sensor(sensor)[0];
}

// A box of 2 kg on the floor, with whatever sensors; body 1.
Model MakeBoxOnFloor(const std::vector<Sensor>& sensors, double height = 0.05) {
  ModelBuilder builder("box");
  AddFloor(builder);
  AddFreeBody(builder, Box{{0.1, 0.08, 0.05}}, 2.0, Shift(0, 0, height));
  for (const Sensor& sensor : sensors) builder.AddSensor(sensor);
  return builder.Build();
}

// An arm of 3 kg in the plane y = 0 on a hinge about y at the origin, its mass centre and a site at (r, 0,
// 0).
constexpr double kArmRadius = 0.4;
Model MakeArm(const std::vector<Sensor>& sensors,
              const Joint& joint = {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}},
              double gravity = kGravity) {
  ModelBuilder builder("arm");
  builder.options().gravity = -gravity * kUp;
  const int arm = builder.AddBody({});
  builder.AddJoint(arm, joint);
  builder.AddGeom({.body = arm, .shape = Sphere{0.05}, .X_BG = Shift(kArmRadius, 0, 0)}, {.mass = 3.0});
  for (const Sensor& sensor : sensors) builder.AddSensor(sensor);
  return builder.Build();
}

void SetSpeeds(World& world, const VectorXd& v) {
  State state = world.state();
  state.v = v;
  world.set_state(state);
}

TEST(Sensors, AccelerometerReadsGravityUpwardsAtRestAndNothingInFreeFall) {
  const RigidTransform X_BF = Turn(0.7, Vector3d(1, 2, 3).normalized(), {0.03, 0.02, 0.01});
  const std::vector<Sensor> sensors = {OfFrame(SensorType::kAccelerometer, 1),
                                       OfFrame(SensorType::kAccelerometer, 1, X_BF),
                                       OfFrame(SensorType::kFrameLinearAcceleration, 1, X_BF)};
  World resting = MakeWorld(MakeBoxOnFloor(sensors));
  RunSteps(resting, 200);
  // 1e-5: the budget's 1e-8 m/s over a step of 2 ms.
  EXPECT_LT((Read3(resting, 0) - kGravity * kUp).norm(), 1e-5);
  EXPECT_LT((Read3(resting, 1) - X_BF.R.transpose() * kGravity * kUp).norm(), 1e-5);
  EXPECT_LT((Read3(resting, 2) - kGravity * kUp).norm(), 1e-5);
  World falling = MakeWorld(MakeBoxOnFloor(sensors, 10.0));
  RunSteps(falling, 100);
  for (int s = 0; s < 3; ++s) EXPECT_LT(Read3(falling, s).norm(), 1e-10) << s;
}

// The mass centre of a tumbling body that falls is weightless, wherever the body's origin is: to second
// order in the step, as velocities are differenced over it.
TEST(Sensors, MassCentreOfATumblingBodyIsWeightless) {
  double error[2] = {};
  for (const int halving : {0, 1}) {
    ModelBuilder builder("tumbling");
    AddFreeBody(builder, Box{{0.1, 0.05, 0.02}}, 1.0, {});
    builder.AddGeom({.body = 1, .shape = Sphere{0.05}, .X_BG = Shift(0.3, 0.1, 0)}, {.mass = 1.0});
    builder.AddSensor(OfFrame(SensorType::kAccelerometer, 1, Shift(0.15, 0.05, 0)));
    builder.AddSensor(OfFrame(SensorType::kForce, 1));
    builder.AddSensor(OfFrame(SensorType::kTorque, 1, Shift(0.15, 0.05, 0)));
    World world = MakeWorld(builder.Build(), 0.002 / (1 << halving));
    SetFreeVelocity(world, 0, {1, 2, 3}, {3, -5, 4});
    RunSteps(world, 20 << halving);
    error[halving] = Read3(world, 0).norm();
    EXPECT_LT(error[halving], 5e-4) << "of ω²r = 8 m/s²";
    EXPECT_LT(Read3(world, 1).norm(), 1e-3) << "nothing holds it";
    EXPECT_LT(Read3(world, 2).norm(), 1e-10) << "the midpoint rule has no torque";
  }
  EXPECT_NEAR(error[0] / error[1], 4.0, 0.3);
}

TEST(Sensors, GyroReadsBodyAxesWhateverTheWorldSees) {
  ModelBuilder builder("spinning");
  builder.options().gravity.setZero();
  const Matrix3d R_WB = Turn(1.1, Vector3d(3, -1, 2).normalized()).R;
  AddFreeBody(builder, Sphere{0.1}, 1.0, {R_WB, {0, 0, 1}});
  const RigidTransform X_BF = Turn(0.5, Vector3d::UnitX(), {0.2, 0, 0});
  builder.AddSensor(OfFrame(SensorType::kGyro, 1));
  builder.AddSensor(OfFrame(SensorType::kGyro, 1, X_BF));
  builder.AddSensor(OfFrame(SensorType::kFrameAngularVelocity, 1, X_BF));
  builder.AddSensor(OfFrame(SensorType::kVelocimeter, 1, X_BF));
  World world = MakeWorld(builder.Build());
  const Vector3d w_B(0.3, -0.2, 0.9), v_W(1, 2, 3);
  SetFreeVelocity(world, 0, v_W, w_B);
  // Before any step; a ball keeps its spin.
  for (int i = 0; i < 2; ++i) {
    const Matrix3d R = world.body_poses()[1].R;
    EXPECT_LT((Read3(world, 0) - w_B).norm(), 1e-13);
    EXPECT_LT((Read3(world, 1) - X_BF.R.transpose() * w_B).norm(), 1e-13);
    EXPECT_LT((Read3(world, 2) - R * w_B).norm(), 1e-13);
    const Vector3d v_B = R.transpose() * v_W + w_B.cross(X_BF.p);
    EXPECT_LT((Read3(world, 3) - X_BF.R.transpose() * v_B).norm(), 1e-12);
    world.Step();
  }
}

TEST(Sensors, HingePullsInwardsWithOmegaSquaredR) {
  const double w = 5.0;
  const std::vector<Sensor> sensors = {OfFrame(SensorType::kAccelerometer, 1, Shift(kArmRadius, 0, 0)),
                                       OfFrame(SensorType::kForce, 1),
                                       OfFrame(SensorType::kFrameAngularAcceleration, 1)};
  World world = MakeWorld(MakeArm(sensors, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}}, 0.0));
  SetSpeeds(world, VectorXd::Constant(1, w));
  for (int i = 0; i < 50; ++i) {
    EXPECT_LT((Read3(world, 0) - Vector3d(-w * w * kArmRadius, 0, 0)).norm(), 1e-10) << i;
    EXPECT_LT((Read3(world, 1) - Vector3d(-3.0 * w * w * kArmRadius, 0, 0)).norm(), 1e-10) << i;
    EXPECT_LT(Read3(world, 2).norm(), 1e-10) << i;
    world.Step();
  }
}

// Released from the horizontal: α = m g r / I about the hinge, before the arm has moved far.
TEST(Sensors, ReleasedArmAcceleratesAsItsMomentSays) {
  const std::vector<Sensor> sensors = {OfFrame(SensorType::kFrameAngularAcceleration, 1),
                                       OfFrame(SensorType::kAccelerometer, 1, Shift(kArmRadius, 0, 0)),
                                       OfFrame(SensorType::kTorque, 1)};
  World world = MakeWorld(MakeArm(sensors), 1e-5);
  world.Step();
  const double alpha = 3.0 * kGravity * kArmRadius / (3.0 * (kArmRadius * kArmRadius + 0.4 * 0.05 * 0.05));
  EXPECT_LT((Read3(world, 0) - Vector3d(0, alpha, 0)).norm(), 1e-6);
  EXPECT_LT((Read3(world, 1) - Vector3d(0, 0, kGravity - alpha * kArmRadius)).norm(), 1e-6);
  EXPECT_LT(Read3(world, 2).norm(), 1e-6) << "a hinge holds no torque about its axis";
}

TEST(Sensors, ForceSensorCarriesWhatHangsBelow) {
  // A hook welded to the world, with a child on a hinge at rest below it.
  ModelBuilder builder("hanging");
  const int hook = builder.AddBody({.X_PB = Turn(0.5, Vector3d::UnitX(), {0, 0, 2})});
  builder.SetInertia(hook, {.mass = 0.5, .p_BBcm = {0, 0, -0.1}, .I_BBcm_B = 0.01 * Matrix3d::Identity()});
  const Matrix3d R = builder.body(hook).X_PB.R;
  const int lamp = builder.AddBody({.parent = hook, .X_PB = {R.transpose(), Vector3d::Zero()}});
  builder.AddJoint(lamp, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
  builder.AddGeom({.body = lamp, .shape = Sphere{0.1}, .X_BG = Shift(0, 0, -0.7)}, {.mass = 3.0});
  builder.AddSensor(OfFrame(SensorType::kForce, hook));
  builder.AddSensor(OfFrame(SensorType::kTorque, hook));
  builder.AddSensor(OfFrame(SensorType::kForce, lamp));
  World world = MakeWorld(builder.Build());
  RunSteps(world, 10);
  EXPECT_LT((Read3(world, 0) - R.transpose() * 3.5 * kGravity * kUp).norm(), 1e-9);
  // The hook's mass centre is at y = 0.1 sin 0.5 from the axis below which the lamp hangs.
  EXPECT_LT((Read3(world, 1) - R.transpose() * Vector3d(0.5 * kGravity * 0.1 * std::sin(0.5), 0, 0)).norm(),
            1e-9);
  EXPECT_LT((Read3(world, 2) - 3.0 * kGravity * kUp).norm(), 1e-9);
  // A push on the lamp that lasts one step goes on to the hook; the second route is the mean wrench.
  world.AddForce(2, world.kinematics().p_WBcm[2], {0, 7, 0});
  world.Step();
  EXPECT_LT((Read3(world, 0) - R.transpose() * Vector3d(0, -7, 3.5 * kGravity)).norm(), 1e-9);
  world.Step();
  EXPECT_LT((Read3(world, 0) - R.transpose() * 3.5 * kGravity * kUp).norm(), 1e-9);
}

// A plate fixed to the world on which a box stands off-centre: the plate's sensor reads both weights, and the
// box's moment. Static bodies carry contact forces too.
TEST(Sensors, ForceSensorUnderAPlateWeighsWhatStandsOnIt) {
  ModelBuilder builder("scale");
  const int plate = builder.AddBody({.X_PB = Shift(0, 0, 1)});
  builder.AddGeom({.body = plate, .shape = Box{{0.5, 0.5, 0.02}}}, {.mass = 4.0});
  AddFreeBody(builder, Box{{0.1, 0.1, 0.1}}, 2.0, Shift(0.3, 0, 1.12));
  builder.AddSensor(OfFrame(SensorType::kForce, plate));
  builder.AddSensor(OfFrame(SensorType::kTorque, plate));
  builder.AddSensor(OfFrame(SensorType::kTouch, plate));
  World world = MakeWorld(builder.Build());
  RunSteps(world, 200);
  EXPECT_LT((Read3(world, 0) - 6.0 * kGravity * kUp).norm(), 1e-4);
  EXPECT_LT((Read3(world, 1) - Vector3d(0, -0.3 * 2.0 * kGravity, 0)).norm(), 1e-4);
  EXPECT_NEAR(Read1(world, 2), 2.0 * kGravity, 1e-4);
}

// What an equality holds hangs on the body that it is locked to: the sensor carries both weights, of the
// fixed body and of the floating one welded to it at a distance, whatever other equalities and dry friction
// there are.
TEST(Sensors, ForceSensorCarriesWhatIsWeldedOn) {
  ModelBuilder builder("welded");
  const Vector3d gravity(1, 2, 3);
  builder.options().gravity = gravity;
  const auto add_cube = [&](const Vector3d& p) {
    const int body = builder.AddBody({.X_PB = Shift(p.x(), p.y(), p.z())});
    builder.AddGeom({.body = body, .shape = Box{Vector3d::Constant(0.05)}}, {.mass = 1.5});
    return body;
  };
  const auto add_weld = [&](int a, int b, const Vector3d& p_AB) {
    builder.AddEquality({.kind = FrameLock{.a = {.body = a, .X_BF = Shift(p_AB.x(), p_AB.y(), p_AB.z())},
                                           .b = {.body = b, .X_BF = {}}}});
  };
  const int held = add_cube({0, 0, 0}), floating = add_cube({1, 2, 3});
  builder.AddJoint(floating, {.kind = FreeJoint{}});
  const int slider = add_cube({-3, 0, 0});
  const int slide = builder.AddJoint(slider, {.kind = SlideJoint{.axis_B = Vector3d::UnitZ()}});
  const int rubbing = add_cube({3, 0, -1});
  builder.AddJoint(rubbing, {.kind = SlideJoint{.axis_B = Vector3d::UnitZ()}, .friction_loss = 9.0});
  const int other = add_cube({5, 0, 0}), other_floating = add_cube({6, 0, 0});
  builder.AddJoint(other_floating, {.kind = FreeJoint{}});
  builder.AddEquality({.kind = JointPolynomial{.joint = slide, .of_joint = -1}});
  add_weld(other, other_floating, {1, 0, 0});
  add_weld(held, floating, {1, 2, 3});
  builder.AddSensor(OfFrame(SensorType::kForce, held));
  World world = MakeWorld(builder.Build());
  RunSteps(world, 10);
  EXPECT_LT((Read3(world, 0) + 2 * 1.5 * gravity).norm(), 1e-4);
}

// The same on a plate that is driven along at 10 m/s: contact points move with it, 1 cm in half a step.
TEST(Sensors, TorqueSensorOfAMovingPlateKnowsWhereItIsTouched) {
  ModelBuilder builder("cart");
  const int cart = builder.AddBody({.X_PB = Shift(0, 0, 1)});
  builder.AddJoint(cart, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  builder.AddGeom({.body = cart, .shape = Box{{0.5, 0.5, 0.02}}}, {.mass = 4.0});
  const int box = AddFreeBody(builder, Box{{0.1, 0.1, 0.1}}, 2.0, Shift(0.3, 0, 1.12));
  builder.AddSensor(OfFrame(SensorType::kTorque, cart));
  World world = MakeWorld(builder.Build());
  SetSpeeds(world, (VectorXd(7) << 10, 10, 0, 0, 0, 0, 0).finished());
  RunSteps(world, 200);
  const double arm = world.body_poses()[box].p.x() - world.body_poses()[cart].p.x();
  EXPECT_NEAR(arm, 0.3, 1e-3);
  EXPECT_LT((Read3(world, 0) - Vector3d(0, -arm * 2.0 * kGravity, 0)).norm(), 1e-3);
}

// A beam that floats but for what locks it to a bracket: the bracket's sensor feels its moment, whichever
// other rotations are free.
TEST(Sensors, LocksCarryMoments) {
  for (const std::array<bool, 3> turns : {std::array{true, true, true}, std::array{true, true, false},
                                          std::array{false, true, true}, std::array{false, true, false}}) {
    ModelBuilder builder("bracket");
    const int bracket = builder.AddBody({.X_PB = Shift(0, 0, 2)});
    builder.SetInertia(bracket, {.mass = 1.0, .p_BBcm = {}, .I_BBcm_B = Matrix3d::Identity()});
    const int beam = builder.AddBody({.X_PB = Shift(0, 0, 2)});
    builder.AddJoint(beam, {.kind = FreeJoint{}});
    builder.AddGeom({.body = beam, .shape = Box{{0.5, 0.05, 0.05}}, .X_BG = Shift(0.5, 0, 0)}, {.mass = 4.0});
    FrameLock lock{.a = {.body = bracket, .X_BF = {}}, .b = {.body = beam, .X_BF = {}}};
    std::copy(turns.begin(), turns.end(), lock.locked.begin());
    builder.AddEquality({.kind = lock});
    builder.AddSensor(OfFrame(SensorType::kForce, bracket));
    builder.AddSensor(OfFrame(SensorType::kTorque, bracket));
    World world = MakeWorld(builder.Build());
    RunSteps(world, 50);
    EXPECT_LT((Read3(world, 0) - 5.0 * kGravity * kUp).norm(), 1e-3);
    EXPECT_LT((Read3(world, 1) - Vector3d(0, -0.5 * 4.0 * kGravity, 0)).norm(), 1e-3);
  }
}

// A beam pinned at both ends: one hinge and one lock, of a kind, to the world. Each end carries half of it.
TEST(Sensors, LocksCarryTheirShare) {
  FrameLock pin;
  pin.a = {.body = 0, .X_BF = Shift(1, 0, 0)};
  pin.b = {.body = 1, .X_BF = Shift(1, 0, 0)};
  FrameLock planar = pin;
  pin.locked = {false, false, false, true, true, true};
  planar.locked = {true, false, true, true, false, true};
  PointDistance rod;
  rod.a = {.body = 0, .X_BF = Shift(1, 0, 0.5)};
  rod.b = pin.b;
  rod.distance = 0.5;
  for (const EqualityKind& kind : {EqualityKind(pin), EqualityKind(planar), EqualityKind(rod)}) {
    ModelBuilder builder("beam");
    const int beam = builder.AddBody({});
    builder.AddJoint(beam, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
    builder.AddGeom({.body = beam, .shape = Box{{0.5, 0.05, 0.05}}, .X_BG = Shift(0.5, 0, 0)}, {.mass = 4.0});
    builder.AddEquality({.kind = kind});
    builder.AddSensor(OfFrame(SensorType::kForce, beam));
    builder.AddSensor(OfFrame(SensorType::kTorque, beam));
    World world = MakeWorld(builder.Build());
    RunSteps(world, 200);
    EXPECT_LT((Read3(world, 0) - 2.0 * kGravity * kUp).norm(), 1e-3) << kind.index();
    EXPECT_LT(Read3(world, 1).norm(), 1e-3) << kind.index();
  }
}

// The torque along a hinge's axis is what actuator, damper and spring exert, on chains that swing: sensors
// take them at the step's middle, the step at its start.
TEST(Sensors, TorqueAlongAHingeIsThatOfItsMotor) {
  Joint joint{.kind = HingeJoint{.axis_B = Vector3d::UnitY()}};
  ModelBuilder builder("double");
  int parent = 0;
  for (int i = 0; i < 2; ++i) {
    const int link = builder.AddBody({.parent = parent, .X_PB = Shift(i == 0 ? 0 : 0.5, 0, 0)});
    builder.AddJoint(link, joint);
    builder.AddGeom(
        {.body = link, .shape = Capsule{0.03, 0.2}, .X_BG = Turn(kPi / 2, Vector3d::UnitY(), {0.25, 0, 0})},
        {.mass = 1.0 + i});
    builder.AddActuator({.joint = i, .gear = {2, 0, 0, 0, 0, 0}});
    builder.AddSensor(OfFrame(SensorType::kTorque, link));
    builder.AddSensor(OfIndex(SensorType::kJointActuatorForce, i));
    builder.AddSensor(OfIndex(SensorType::kActuatorForce, i));
    parent = link;
  }
  World world = MakeWorld(builder.Build(), 1e-4);
  world.input().ctrl << 0.5, -0.25;
  for (int i = 0; i < 1000; ++i) {
    world.Step();
    for (int j = 0; j < 2; ++j) {
      EXPECT_NEAR(Read3(world, 3 * j)[1], 2.0 * world.input().ctrl[j], 0.02) << "at step " << i;
      EXPECT_EQ(Read1(world, 3 * j + 1), 2.0 * world.input().ctrl[j]);
      EXPECT_EQ(Read1(world, 3 * j + 2), world.input().ctrl[j]);
    }
  }
  EXPECT_GT(world.v().norm(), 3.0) << "the arm must have swung";
}

// Two cubes of 1 kg that are one body, with a jet of 2 N on the second: they gain 1 m/s², so that the first
// holds the second back with 1 N.
TEST(Sensors, ForceSensorCarriesNothingOfWhatAJetPushes) {
  ModelBuilder builder("jet");
  builder.options().gravity.setZero();
  const int first = builder.AddBody({}),
            second = builder.AddBody({.parent = first, .X_PB = Shift(0, 0, 0.5)});
  builder.AddJoint(first, {.kind = FreeJoint{}});
  for (const int body : {first, second})
    builder.AddGeom({.body = body, .shape = Box{Vector3d::Constant(0.1)}}, {.mass = 1.0});
  Actuator jet{.gear = {0, 0, 1, 0, 0, 0}};
  jet.frame = Frame{.name = "", .body = second};
  builder.AddActuator(jet);
  builder.AddSensor(OfFrame(SensorType::kForce, second));
  builder.AddSensor(OfFrame(SensorType::kTorque, second));
  World world = MakeWorld(builder.Build());
  world.input().ctrl << 2.0;
  RunSteps(world, 3);
  EXPECT_LT((Read3(world, 0) + kUp).norm(), 1e-12);
  EXPECT_LT(Read3(world, 1).norm(), 1e-12);
}

// A rod of 5 m from a slider on x at the origin to a pin at (4, 0, 3), on a wheel about (4, 0, 0). A force of
// 1 N along x at the slider is one of (1, 0, 0.75) along the rod, which the axle holds.
TEST(Sensors, AxleHoldsWhatACrankRodPushes) {
  ModelBuilder builder("crank");
  builder.options().gravity.setZero();
  const int wheel = builder.AddBody({.X_PB = Shift(4, 0, 0)});
  builder.AddJoint(wheel, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
  builder.AddGeom({.body = wheel, .shape = Sphere{1.0}}, {.mass = 7.0});
  Actuator rod{.crank_length = 5.0, .gear = {2, 0, 0, 0, 0, 0}};
  rod.frame = Frame{.name = "", .body = wheel, .X_BF = Shift(0, 0, 3)};
  rod.reference = Frame{.name = "", .body = 0, .X_BF = Turn(kPi / 2, Vector3d::UnitY())};
  builder.AddActuator(rod);
  builder.AddSensor(OfFrame(SensorType::kForce, wheel));
  World world = MakeWorld(builder.Build(), 1e-6);
  world.input().ctrl << 1.5;
  world.Step();
  EXPECT_LT((Read3(world, 0) + 3.0 * Vector3d(1, 0, 0.75)).norm(), 1e-9);
}

// A ball on a rail across the wind, whose geom has the drag: of its blunt area, ρ c π r² w².
TEST(Sensors, RailHoldsABallInTheWind) {
  ModelBuilder builder("wind");
  builder.options().gravity.setZero();
  builder.options().density = 1.2;
  builder.options().wind = Vector3d(0, 0, 3);
  const int ball = builder.AddBody({});
  builder.AddJoint(ball, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  Geom geom{.body = ball, .shape = Sphere{0.2}};
  geom.fluid = FluidEllipsoid{.blunt = 0.6};
  builder.AddGeom(geom, {.mass = 1.0});
  builder.AddSensor(OfFrame(SensorType::kForce, ball));
  World world = MakeWorld(builder.Build());
  world.Step();
  EXPECT_LT((Read3(world, 0) + 1.2 * 0.6 * kPi * 0.04 * 9.0 * kUp).norm(), 1e-12);
}

TEST(Sensors, TouchReadsTheWeightWithinItsRegion) {
  Sensor all = OfFrame(SensorType::kTouch, 1), half = all, beside = all, above = all;
  half.frame.X_BF = Shift(0.1, 0, -0.05);
  half.region = {0.05, 0.1, 0.01};
  beside.frame.X_BF = Shift(0.3, 0, 0);
  beside.region = {0.05, 0.1, 0.1};
  above.frame.X_BF = Shift(0, 0, 0.04);  // the normals come up through it
  above.region = {0.15, 0.15, 0.01};
  Sensor behind = above;
  behind.frame.X_BF = Shift(0, 0, -0.2);
  World world = MakeWorld(MakeBoxOnFloor({all, half, beside, above, behind}));
  EXPECT_EQ(Read1(world, 0), 0.0) << "nothing touches before a step";
  RunSteps(world, 200);
  EXPECT_NEAR(Read1(world, 0), 2.0 * kGravity, 1e-5);
  EXPECT_NEAR(Read1(world, 1), 1.0 * kGravity, 1e-5);
  EXPECT_EQ(Read1(world, 2), 0.0);
  EXPECT_NEAR(Read1(world, 3), 2.0 * kGravity, 1e-5);
  EXPECT_EQ(Read1(world, 4), 0.0) << "normals go into the body, not out of it";
}

TEST(Sensors, ContactsOfTwoBodiesAreCountedAndSummed) {
  Sensor count = OfIndex(SensorType::kContactCount, -1), force = OfIndex(SensorType::kContactForce, -1);
  count.side_a.body = force.side_a.body = 2, count.side_b.body = force.side_b.body = 3;
  Sensor turned = force, lowest = force, others = count;
  turned.side_a.body = 3, turned.side_b.body = 2;
  lowest.side_a.body = -1, lowest.side_b.body = 1;
  others.side_a.body = 1, others.side_b.body = 3;
  World world = MakeWorld(WithSensors(MakeBoxStack(3, 4.0), {count, force, turned, lowest, others}));
  RunSteps(world, 200);
  EXPECT_EQ(Read1(world, 0), 4.0);
  EXPECT_LT((Read3(world, 1) - 4.0 * kGravity * kUp).norm(), 1e-4);
  EXPECT_EQ(Read3(world, 2), -Read3(world, 1));
  EXPECT_LT((Read3(world, 3) - kGravity * kUp).norm(), 1e-4) << "the floor carries 7 kg, 6 press from above";
  EXPECT_EQ(Read1(world, 4), 0.0);
}

// A ball of 1 kg rests on its lowest point, from which the normal goes straight up. Regions stand beside that
// line by 0.8 or 0.7 of their half width in x and in y: in a box both times, in what is round the second
// time.
TEST(Sensors, TouchTellsTheShapeOfItsRegion) {
  const auto beside = [](RegionShape shape, double share, const RigidTransform& X_BF,
                         const Vector3d& region) {
    Sensor sensor = OfFrame(SensorType::kTouch, 1);
    sensor.region = region;
    sensor.region_shape = shape;
    sensor.frame.X_BF = Shift(0.01 * share, 0.01 * share, -0.05) * X_BF;
    return sensor;
  };
  const Vector3d round(0.01, 0.01, 0.03);
  const RigidTransform lying = Turn(0.5 * kPi, Vector3d::UnitY(), {0.02, 0, 0});  // its axis along x
  std::vector<Sensor> sensors;
  for (const double share : {0.8, 0.7}) {
    for (const RegionShape shape :
         {RegionShape::kBox, RegionShape::kEllipsoid, RegionShape::kCylinder, RegionShape::kCapsule})
      sensors.push_back(beside(shape, share, {}, round));
    // The last centimetre of each along x: of a capsule its cap.
    for (const RegionShape shape : {RegionShape::kBox, RegionShape::kCylinder, RegionShape::kCapsule})
      sensors.push_back(beside(shape, share, lying, round));
  }
  World world = MakeWorld(WithSensors(MakeBall(0.1, 0.0), sensors));
  RunSteps(world, 100);
  const bool touched[] = {true, false, false, false, true, true, false,  //
                          true, true,  true,  true,  true, true, true};
  for (std::size_t i = 0; i < sensors.size(); ++i)
    EXPECT_NEAR(Read1(world, static_cast<int>(i)), touched[i] ? kGravity : 0.0, 1e-6) << i;
}

// A tray of 2 kg carries two boxes; its two plates are geoms of its own, its foot a body below it.
TEST(Sensors, ContactsAreToldApartByGeomAndSubtreeAndSite) {
  ModelBuilder builder("tray");
  AddFloor(builder);
  const int tray = builder.AddBody({.name = "tray", .X_PB = Shift(0, 0, 0.2)});
  builder.AddJoint(tray, {.kind = FreeJoint{}});
  const int left = builder.AddGeom({.body = tray, .shape = Box{{0.1, 0.1, 0.01}}, .X_BG = Shift(-0.1, 0, 0)},
                                   {.mass = 1.0});
  const int right = builder.AddGeom({.body = tray, .shape = Box{{0.1, 0.1, 0.01}}, .X_BG = Shift(0.1, 0, 0)},
                                    {.mass = 1.0});
  const int foot = builder.AddBody({.name = "foot", .parent = tray, .X_PB = Shift(0, 0, -0.105)});
  builder.AddGeom({.body = foot, .shape = Box{{0.15, 0.08, 0.095}}}, {.mass = 3.0});
  AddFreeBody(builder, Box{{0.02, 0.02, 0.02}}, 0.5, Shift(-0.1, 0, 0.23));
  AddFreeBody(builder, Box{{0.02, 0.02, 0.02}}, 0.7, Shift(0.1, 0, 0.23));
  const auto force = [](const ContactSide& a, const ContactSide& b) {
    Sensor sensor = OfIndex(SensorType::kContactForce, -1);
    sensor.side_a = a, sensor.side_b = b;
    return sensor;
  };
  Sensor near_left = force({}, {.body = tray, .is_subtree = true});
  near_left.frame.X_BF = Shift(-0.1, 0, 0.21);
  near_left.region = {0.05, 0.05, 0.01};
  for (const Sensor& sensor : {force({.geom = left}, {}), force({.geom = right}, {}),
                               force({}, {.body = tray}), force({}, {.body = tray, .is_subtree = true}),
                               force({.geom = 0}, {.body = tray, .is_subtree = true}), near_left})
    builder.AddSensor(sensor);
  World world = MakeWorld(builder.Build());
  RunSteps(world, 300);
  EXPECT_NEAR(Read3(world, 0).z(), 0.5 * kGravity, 1e-4) << "on the box, from its left plate";
  EXPECT_NEAR(Read3(world, 1).z(), 0.7 * kGravity, 1e-4);
  EXPECT_NEAR(Read3(world, 2).z(), -1.2 * kGravity, 1e-4) << "the tray itself does not reach the floor";
  EXPECT_NEAR(Read3(world, 3).z(), 5.0 * kGravity, 1e-4) << "with its foot: its own weight is left";
  EXPECT_NEAR(Read3(world, 4).z(), 6.2 * kGravity, 1e-4) << "from the floor alone";
  EXPECT_NEAR(Read3(world, 5).z(), -0.5 * kGravity, 1e-4) << "within the box at the left";
}

TEST(Sensors, RangefinderMeasuresHeights) {
  ModelBuilder builder("ranges");
  AddFloor(builder);
  const int drone = builder.AddBody({.X_PB = Shift(0, 0, 1.5), .is_mocap = true});
  builder.AddGeom({.body = drone, .shape = Sphere{0.3}});
  builder.AddGeom({.shape = Box{{0.2, 0.2, 0.25}}, .X_BG = Shift(1, 0, 0.25)});
  const auto down = [&](double x) {
    return OfFrame(SensorType::kRangefinder, drone, Turn(kPi, Vector3d::UnitX(), {x, 0, 0}));
  };
  Sensor cut = down(0.0);
  cut.cutoff = 1.2;
  Sensor up = OfFrame(SensorType::kRangefinder, drone);
  up.cutoff = 0.5;
  for (const Sensor& sensor : {down(0.0), down(1.0), up, cut}) builder.AddSensor(sensor);
  World world = MakeWorld(builder.Build());
  EXPECT_NEAR(Read1(world, 0), 1.5, 1e-12) << "its own body is no obstacle";
  EXPECT_NEAR(Read1(world, 1), 1.0, 1e-12);
  EXPECT_EQ(Read1(world, 2), -1.0) << "nothing above, cutoff or not";
  EXPECT_EQ(Read1(world, 3), 1.2);
}

// Positions are those of FrameLinearVelocity's integral, seen from a reference that itself moves and turns.
TEST(Sensors, FrameVelocitiesAreTheRatesOfFramePoses) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Model base = MakeRandomModel(seed, 6);
    Random random(seed);
    Sensor sensor = OfFrame(SensorType::kFramePosition, base.num_bodies() - 1, random.Pose(0.3));
    sensor.reference = Frame{.body = 2, .X_BF = random.Pose(0.3)};
    std::vector<Sensor> sensors;
    for (const bool relative : {true, false}) {
      for (const SensorType type : {SensorType::kFramePosition, SensorType::kFrameQuaternion,
                                    SensorType::kFrameLinearVelocity, SensorType::kFrameAngularVelocity}) {
        sensors.push_back(sensor);
        sensors.back().type = type;
        if (!relative) sensors.back().reference.reset();
      }
    }
    World world = MakeWorld(WithSensors(base, sensors));
    const VectorXd q = MakeRandomConfiguration(world.model(), seed),
                   v = MakeRandomVelocity(world.model(), seed);
    const double h = 1e-6;
    const auto values_at = [&](double t) {
      State state = world.state();
      state.q = q;
      state.v = v;
      IntegrateConfiguration(world.model(), v, t, state.q);
      world.set_state(state);
      return VectorXd(world.sensors());
    };
    const VectorXd before = values_at(-h), after = values_at(h), now = values_at(0.0);
    for (const int s : {0, 14 - 1}) {  // 3 + 4 + 3 + 3 values each
      const Vector3d rate = (after.segment<3>(s) - before.segment<3>(s)) / (2 * h);
      EXPECT_LT((rate - now.segment<3>(s + 7)).norm(), 1e-7 * (1.0 + rate.norm())) << seed << " " << s;
      const Quaterniond q0 = QuaternionFromWxyz(before.data() + s + 3),
                        q1 = QuaternionFromWxyz(after.data() + s + 3);
      const Vector3d spin = QuaternionLog(q1 * q0.conjugate()) / (2 * h);  // in the reference's axes
      EXPECT_LT((spin - now.segment<3>(s + 10)).norm(), 1e-7 * (1.0 + spin.norm())) << seed << " " << s;
      EXPECT_GE(now[s + 3], 0.0);
    }
  }
}

TEST(Sensors, FrameAxesAreTheColumnsOfItsQuaternion) {
  std::vector<Sensor> sensors;
  const RigidTransform X_BF = Turn(2.5, Vector3d(1, -2, 0.5).normalized());
  for (const SensorType type : {SensorType::kFrameQuaternion, SensorType::kFrameXAxis,
                                SensorType::kFrameYAxis, SensorType::kFrameZAxis})
    sensors.push_back(OfFrame(type, 1, X_BF));
  sensors.push_back(OfFrame(SensorType::kMagnetometer, 1, X_BF));
  World world = MakeWorld(MakeArm(sensors));
  State state = world.state();
  state.q[0] = 0.8;
  world.set_state(state);
  const Matrix3d R = Turn(0.8, Vector3d::UnitY()).R * X_BF.R;
  EXPECT_LT((QuaternionFromWxyz(world.sensor(0).data()).toRotationMatrix() - R).norm(), 1e-14);
  for (int i = 0; i < 3; ++i) EXPECT_LT((Read3(world, 1 + i) - R.col(i)).norm(), 1e-14);
  EXPECT_LT((Read3(world, 4) - R.transpose() * Vector3d(0, -0.5, 0)).norm(), 1e-14);
}

TEST(Sensors, ActuatorsReadTheirTransmission) {
  ModelBuilder builder("actuators");
  const int arm = builder.AddBody({});
  builder.AddJoint(arm, {.kind = BallJoint{}});
  builder.AddGeom({.body = arm, .shape = Box{{0.1, 0.1, 0.1}}}, {.mass = 1.0});
  const int cart = builder.AddBody({.X_PB = Shift(3, 0, 0)});
  builder.AddJoint(cart, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  builder.AddGeom({.body = cart, .shape = Sphere{0.1}}, {.mass = 1.0});
  builder.AddActuator({.joint = 0, .gear = {1, 2, 3, 0, 0, 0}});
  builder.AddActuator({.joint = 1,
                       .gear = {4, 0, 0, 0, 0, 0},
                       .gain = {100, 0, 0},
                       .bias = {0, -100, 0},
                       .force_lower = -5.0,
                       .force_upper = 5.0});
  for (int a = 0; a < 2; ++a) {
    for (const SensorType type :
         {SensorType::kActuatorPosition, SensorType::kActuatorVelocity, SensorType::kActuatorForce})
      builder.AddSensor(OfIndex(type, a));
  }
  builder.AddSensor(OfIndex(SensorType::kBallQuaternion, 0));
  builder.AddSensor(OfIndex(SensorType::kBallAngularVelocity, 0));
  builder.AddSensor(OfIndex(SensorType::kJointPosition, 1));
  builder.AddSensor(OfIndex(SensorType::kJointVelocity, 1));
  builder.AddSensor(OfIndex(SensorType::kJointActuatorForce, 1));
  World world = MakeWorld(builder.Build());
  State state = world.state();
  const Vector3d turn(0.1, -0.4, 0.3);
  QuaternionToWxyz(QuaternionExp(turn), state.q.data());
  state.q[4] = 0.25;
  state.v << 1, 2, -1, 0.5;
  world.set_state(state);
  EXPECT_NEAR(Read1(world, 0), Vector3d(1, 2, 3).dot(turn), 1e-14);
  EXPECT_NEAR(Read1(world, 1), 1.0 + 4.0 - 3.0, 1e-14);
  EXPECT_EQ(Read1(world, 2), 0.0) << "nothing acts before a step";
  EXPECT_EQ(Read1(world, 3), 1.0);
  EXPECT_EQ(Read1(world, 4), 2.0);
  EXPECT_EQ(VectorXd(world.sensor(6)), state.q.head<4>());
  EXPECT_EQ(VectorXd(world.sensor(7)), state.v.head<3>());
  EXPECT_EQ(Read1(world, 8), 0.25);
  EXPECT_EQ(Read1(world, 9), 0.5);
  world.input().ctrl << 0.5, 0.98;
  world.Step();
  EXPECT_EQ(Read1(world, 2), 0.5);
  EXPECT_NEAR(Read1(world, 5), 100.0 * (0.98 - 1.0), 1e-12) << "of where it was at the start of the step";
  EXPECT_EQ(Read1(world, 10), 4.0 * Read1(world, 5));
  world.input().ctrl[1] = 3.0;
  world.Step();
  EXPECT_EQ(Read1(world, 5), 5.0) << "clamped";
}

TEST(Sensors, LimitCarriesWhatLeansOnIt) {
  Joint joint{.kind = HingeJoint{.axis_B = Vector3d::UnitY()}};
  joint.lower = -1.0, joint.upper = 0.2;  // positive turns lower the arm
  World world = MakeWorld(
      MakeArm({OfIndex(SensorType::kJointLimitForce, 0), OfIndex(SensorType::kJointLimitPosition, 0),
               OfIndex(SensorType::kJointLimitVelocity, 0)},
              joint));
  world.Step();
  for (int s = 0; s < 3; ++s) EXPECT_EQ(Read1(world, s), 0.0) << "free of the limit";
  RunSteps(world, 1000);
  EXPECT_NEAR(Read1(world, 0), 3.0 * kGravity * kArmRadius * std::cos(0.2), 1e-3);
  EXPECT_LE(Read1(world, 1), 0.0);
  EXPECT_GT(Read1(world, 1), -2e-5) << "the position stage's slop, twice";
  EXPECT_NEAR(Read1(world, 2), 0.0, 1e-7);
  State state = world.state();
  state.q[0] = 0.3, state.v[0] = 0.7;
  world.set_state(state);
  EXPECT_EQ(Read1(world, 0), 0.0) << "no step: no force";
  EXPECT_NEAR(Read1(world, 1), -0.1, 1e-14);
  EXPECT_EQ(Read1(world, 2), -0.7);
  state.q[0] = -1.25;
  world.set_state(state);
  EXPECT_NEAR(Read1(world, 1), -0.25, 1e-14);
  EXPECT_EQ(Read1(world, 2), 0.7);
}

TEST(Sensors, SubtreesMoveAsTheirMassCentresDo) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Model base = MakeRandomModel(seed, 8);
    std::vector<Sensor> sensors;
    for (const int root : {0, 3}) {
      for (const SensorType type : {SensorType::kSubtreeCenterOfMass, SensorType::kSubtreeLinearVelocity,
                                    SensorType::kSubtreeAngularMomentum})
        sensors.push_back(OfIndex(type, root));
    }
    sensors.push_back(OfIndex(SensorType::kPotentialEnergy, -1));
    sensors.push_back(OfIndex(SensorType::kKineticEnergy, -1));
    sensors.push_back(OfIndex(SensorType::kClock, -1));
    World world = MakeWorld(WithSensors(base, sensors));
    const Model& model = world.model();
    State state = world.state();
    state.q = MakeRandomConfiguration(model, seed);
    state.v = MakeRandomVelocity(model, seed);
    state.time = 4.5;
    world.set_state(state);
    const auto [linear, angular] = world.CalcMomentum();
    const Vector3d p_WC = world.CalcCenterOfMass();
    EXPECT_LT((Read3(world, 0) - p_WC).norm(), 1e-12);
    EXPECT_LT((Read3(world, 1) - linear / CalcMass(model)).norm(), 1e-12 * (1 + linear.norm()));
    EXPECT_LT((Read3(world, 2) - (angular - p_WC.cross(linear))).norm(), 1e-11 * (1 + angular.norm()));
    // Of a part: by the Jacobian of its mass centre.
    Matrix3Xd J;
    CalcCenterOfMassJacobian(model, world.kinematics(), J, 3);
    EXPECT_LT((Read3(world, 3) - CalcCenterOfMass(model, world.kinematics(), 3)).norm(), 1e-13);
    EXPECT_LT((Read3(world, 4) - J * state.v).norm(), 1e-12 * (1 + state.v.norm()));
    EXPECT_EQ(Read1(world, 6), world.CalcEnergy().potential);
    EXPECT_EQ(Read1(world, 7), world.CalcEnergy().kinetic);
    EXPECT_EQ(Read1(world, 8), 4.5);
  }
}

// A dumbbell that turns about its middle: L = 2 m r² ω, wherever it flies.
TEST(Sensors, SubtreeAngularMomentumOfADumbbell) {
  ModelBuilder builder("dumbbell");
  const int body = AddFreeBody(builder, Sphere{0.01}, 1.0, Shift(5, 6, 7));
  const int other = builder.AddBody({.parent = body, .X_PB = Shift(1, 0, 0)});
  builder.AddGeom({.body = other, .shape = Sphere{0.01}}, {.mass = 1.0});
  builder.AddSensor(OfIndex(SensorType::kSubtreeAngularMomentum, body));
  builder.AddSensor(OfIndex(SensorType::kSubtreeLinearVelocity, body));
  World world = MakeWorld(builder.Build());
  SetFreeVelocity(world, 0, {10, 0, 0}, {0, 0, 2});
  const double inertia = 2.0 * (0.25 + 0.4 * 1e-4);
  EXPECT_LT((Read3(world, 0) - Vector3d(0, 0, 2.0 * inertia)).norm(), 1e-12);
  EXPECT_LT((Read3(world, 1) - Vector3d(10, 1, 0)).norm(), 1e-12);
}

// A pinhole: what stands x to the right and y above at a depth of z is that many focal lengths over z from
// the middle, of pixels that count to the right and down.
TEST(Sensors, ProjectionsAreThoseOfAPinhole) {
  const double fovy = 1.0, f_y = 240.0 / std::tan(0.5 * fovy);
  struct View {
    ModelCamera camera;
    Vector2d focal;  // [pixels]
  };
  const View views[] = {{{.field_of_view = fovy}, Vector2d::Constant(0.5 / std::tan(0.5 * fovy))},
                        {{.field_of_view = fovy, .resolution = {640, 480}}, {f_y, f_y}},
                        {{.resolution = {640, 480}, .focal = {1.5, 1.0}}, {960.0, 480.0}}};
  for (const auto& [view, focal] : views) {
    for (const Vector3d& p_C : {Vector3d(0, 0, -2), Vector3d(0.3, 0.2, -2), Vector3d(-1, 3, -0.1),
                                Vector3d(0.3, 0.2, 2)}) {  // behind it: upside down
      ModelBuilder builder("pinhole");
      const int body =
          AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(1, 2, 3) * Turn(0.7, Vector3d(1, 2, 2) / 3));
      ModelCamera camera = view;
      camera.body = body, camera.X_BC = Shift(0.1, 0, 0) * Turn(-0.4, kUp);
      Sensor sensor = OfIndex(SensorType::kCameraProjection, builder.AddCamera(camera));
      sensor.frame.X_BF.p = Shift(1, 2, 3) * Turn(0.7, Vector3d(1, 2, 2) / 3) * camera.X_BC * p_C;
      builder.AddSensor(sensor);
      World world = MakeWorld(builder.Build());
      ASSERT_EQ(world.sensor(0).size(), 2);
      const Vector2d expected(0.5 * view.resolution[0] - focal.x() * p_C.x() / p_C.z(),
                              0.5 * view.resolution[1] + focal.y() * p_C.y() / p_C.z());
      EXPECT_LT((VectorXd(world.sensor(0)) - expected).norm(), 1e-12 * (1.0 + expected.norm()))
          << p_C.transpose();
    }
  }
}

// Numbers of MuJoCo 3.14, with a camera that is fixed and one that is turned to its target; it keeps a lens
// in single precision.
TEST(Sensors, ProjectionsAreMuJoCos) {
  struct Case {
    const char *camera, *sensor, *site;
    Vector2d expected;
    double tolerance = 1e-9;
  };
  const char* const kAhead = "0.3 0.2 -2";
  const Case cases[] = {
      {"", "", kAhead, {0.8740312454930358, 0.8473665059848425}},
      {"resolution='640 480' fovy='60'", "", kAhead, {448.80539768163317, 359.6228429677812}},
      {"resolution='640 480' fovy='60'", "", "0.3 0.2 3", {371.5170040389032, 409.17404230661873}},
      {"resolution='640 480' fovy='60'", "", "0.1 0.2 0.3", {453.75979434172416, 92.88653730448985}},
      {"resolution='640 480' fovy='60'", "cutoff='100'", kAhead, {100, 100}},
      {"resolution='640 480' sensorsize='.02 .01' focal='.03 .01' principal='.001 .002'",
       "",
       kAhead,
       {617.4633240982707, 378.1285611773536},
       1e-4},
      {"mode='targetbody' target='b' resolution='100 100'",
       "",
       kAhead,
       {50.59078855415241, 139.315473634613}},
      {"mode='track' resolution='100 100'", "", kAhead, {87.40312454930358, 84.73665059848426}}};
  for (const Case& one : cases) {
    const Model model =
        LoadText(std::string("<mujoco><worldbody><body name='b' pos='.1 -.2 .3' euler='10 20 30'><freejoint/>"
                             "<geom size='.1'/><camera name='c' pos='.1 .2 .3' ") +
                 one.camera + "/></body><site name='s' pos='" + one.site + "'/></worldbody><sensor>" +
                 "<camprojection site='s' camera='c' " + one.sensor + "/></sensor></mujoco>");
    const World world(model);
    EXPECT_LT((VectorXd(world.sensors()) - one.expected).norm(), one.tolerance) << one.camera << one.site;
  }
}

TEST(Sensors, NumbersOfUsersAreZeroAndNamed) {
  std::vector<Sensor> sensors(3, OfIndex(SensorType::kUser, -1));
  for (int i = 0; i < 3; ++i)
    sensors[i].name = std::string("u") + std::to_string(i), sensors[i].count = 2 - i;
  sensors[0].cutoff = 1.0;
  World world = MakeWorld(MakeBoxOnFloor(sensors));
  world.Step();
  EXPECT_EQ(world.sensors(), VectorXd::Zero(3).eval());
  EXPECT_EQ(world.sensor(2).size(), 0);
  EXPECT_EQ(SensorValueNames(world.model()), (std::vector<std::string>{"u0.0", "u0.1", "u1"}));
}

TEST(Sensors, CutoffClampsNumbersButNotDirections) {
  Sensor signed_one = OfFrame(SensorType::kAccelerometer, 1), touch = OfFrame(SensorType::kTouch, 1);
  Sensor axis = OfFrame(SensorType::kFrameZAxis, 1), down = signed_one;
  down.frame.X_BF = Turn(kPi, Vector3d::UnitX());
  signed_one.cutoff = down.cutoff = 3.0;
  touch.cutoff = 5.0;
  axis.cutoff = 0.1;
  World world = MakeWorld(MakeBoxOnFloor({signed_one, touch, axis, down}));
  RunSteps(world, 100);
  EXPECT_EQ(Read3(world, 0)[2], 3.0);
  EXPECT_EQ(Read1(world, 1), 5.0);
  EXPECT_NEAR(Read3(world, 2)[2], 1.0, 1e-9);
  EXPECT_EQ(Read3(world, 3)[2], -3.0);
}

TEST(Sensors, AskingChangesNothingAndRefreshKeepsTheStep) {
  const std::vector<Sensor> sensors = {OfFrame(SensorType::kTouch, 1),
                                       OfFrame(SensorType::kAccelerometer, 1)};
  World asked = MakeWorld(MakeBoxOnFloor(sensors)), silent = MakeWorld(MakeBoxOnFloor(sensors)),
        without = MakeWorld(MakeBoxOnFloor({}));
  for (int i = 0; i < 100; ++i) {
    asked.Step(), silent.Step(), without.Step();
    asked.sensors();
  }
  EXPECT_EQ(Hash(asked.state()), Hash(silent.state()));
  EXPECT_EQ(Hash(asked.state()), Hash(without.state()));
  EXPECT_EQ(without.sensors().size(), 0);
  silent.Refresh();
  EXPECT_EQ(VectorXd(asked.sensors()), VectorXd(silent.sensors()));
  EXPECT_NEAR(Read1(silent, 0), 2.0 * kGravity, 1e-5);
  EXPECT_THROW(silent.sensor(2), std::out_of_range);
  EXPECT_THROW(silent.sensor(-1), std::out_of_range);
}

TEST(Sensors, NamesOfValues) {
  Sensor touch = OfFrame(SensorType::kTouch, 1), gyro = OfFrame(SensorType::kGyro, 1);
  touch.name = "pad", gyro.name = "imu";
  const Model model = MakeBoxOnFloor({touch, gyro, OfFrame(SensorType::kFrameQuaternion, 1)});
  EXPECT_EQ(SensorValueNames(model), (std::vector<std::string>{"pad", "imu.x", "imu.y", "imu.z", "sensor2.qw",
                                                               "sensor2.qx", "sensor2.qy", "sensor2.qz"}));
  EXPECT_EQ(model.num_sensor_values, 8);
}

TEST(Sensors, SensorOfTheWrongKindOfJointIsRefused) {
  for (const SensorType type : {SensorType::kBallQuaternion, SensorType::kBallAngularVelocity})
    EXPECT_THROW(MakeArm({OfIndex(type, 0)}), ModelError);
  EXPECT_THROW(MakeArm({OfIndex(SensorType::kJointPosition, 0)}, {.kind = BallJoint{}}), ModelError);
}

TEST(Sensors, WithoutTheirRegionOrSidesAreRefused) {
  EXPECT_THROW(MakeArm({OfFrame(SensorType::kInsideRegion, 1)}), ModelError);
  EXPECT_THROW(MakeArm({OfFrame(SensorType::kNearestDistance, 1)}), ModelError);
}

// Values as MuJoCo 3.14 has them, to twelve digits.
TEST(Sensors, DistancesAreThoseOfMuJoCo) {
  const Model model = LoadText(R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
    <site name="s" type="box" size=".5 .5 .5"/>
    <body name="A" pos="0 0 1"><freejoint/><geom name="s1" size=".1"/><geom name="s2" size=".2" pos=".5 0 0"/></body>
    <body name="B" pos="2 0 1"><freejoint/><geom name="bx" type="box" size=".1 .2 .3" euler="10 20 30"/></body>
    </worldbody><sensor>
    <distance geom1="s1" geom2="bx" cutoff="10"/><normal geom1="s1" geom2="bx" cutoff="10"/>
    <fromto geom1="s1" geom2="bx" cutoff="10"/>
    <distance body1="B" body2="A" cutoff="10"/><normal body1="B" body2="A" cutoff="10"/>
    <distance body1="A" geom2="floor" cutoff=".3"/><normal body1="A" geom2="floor" cutoff=".3"/>
    <fromto body1="A" geom2="floor" cutoff=".3"/><insidesite objtype="body" objname="A" site="s"/></sensor>
    </mujoco>)");
  World world(model);
  const auto expect = [&](const std::vector<double>& values) {
    ASSERT_EQ(world.sensors().size(), static_cast<Eigen::Index>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(world.sensors()[i], values[i], 1e-11) << i;
  };
  const std::vector<double> upper{1.640166574543,  0.989586256845, 0.091487533642, -0.111126376037,
                                  0.098958625685,  0.009148753364, 0.988887362396, 1.722044926789,
                                  0.159203548031,  0.806621594870, 1.047451313826, -0.979633363839,
                                  -0.127623055318, 0.155018799521};
  std::vector<double> values = upper;
  values.insert(values.end(), {0.3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  expect(values);
  State state = world.state();
  state.q[2] = 0.15;
  world.set_state(state);
  EXPECT_NEAR(world.sensors()[0], 1.749847674387, 1e-11);
  const double* floor = world.sensors().data() + upper.size();
  const double deep[] = {-0.05, 0, 0, 1, 0.5, 0, -0.05, 0.5, 0, 0, 1};
  for (int i = 0; i < 11; ++i) EXPECT_NEAR(floor[i], deep[i], 1e-12) << i;
  EXPECT_EQ(SensorValueNames(model)[4], "sensor2.ax");
}

}  // namespace
}  // namespace stiction::testing

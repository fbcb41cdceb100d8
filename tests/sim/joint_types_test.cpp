// Screws and universal joints in the whole step: closed forms, limits, springs, motors, loops, sensors.
#include <gtest/gtest.h>

#include "stiction/dynamics/energy.h"
#include "stiction/math/rotation.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

constexpr Integrator kAll[] = {Integrator::kSymplecticEuler, Integrator::kImplicitEuler,
                               Integrator::kMidpoint, Integrator::kRungeKutta4};

World MakeJointWorld(Model model, Integrator integrator, double dt = 0.001) {
  WorldOptions options;
  options.integrator = integrator;
  options.timestep = dt;
  return World(std::move(model), options);
}

// A nut of 2 kg on a vertical thread, whose inertia about it is 0.5 kg·m², and whose mass centre is off it.
constexpr double kFlyerMass = 2.0, kFlyerInertia = 0.5;
constexpr double kPitch = 1.5;  // [m per revolution]
constexpr double kLead = kPitch / (2.0 * kPi);

Joint MakeThread() {
  return {.name = "thread",
          .kind = ScrewJoint{.axis_B = Vector3d::UnitZ(), .reference = 0.3, .pitch = kPitch}};
}

ModelBuilder MakeNut(const Joint& joint = MakeThread()) {
  ModelBuilder builder("nut");
  const int nut = builder.AddBody({.name = "nut"});
  builder.SetInertia(
      nut, {.mass = kFlyerMass, .I_BBcm_B = Vector3d(0.6, 0.4, kFlyerInertia).asDiagonal().toDenseMatrix()});
  builder.AddJoint(nut, joint);
  return builder;
}

// a = g / (1 + I/(m p²)), p in m/rad. The acceleration is steady, which every rule integrates to its rounding
// but for Euler's, half a step ahead.
TEST(ScrewJoint, FallsAsItsThreadAllows) {
  const double a = kGravity / (1.0 + kFlyerInertia / (kFlyerMass * kLead * kLead));
  for (const Integrator integrator : kAll) {
    for (const double dt : {0.001, 0.004}) {
      World world = MakeJointWorld(MakeNut().Build(), integrator, dt);
      const int steps = static_cast<int>(std::lround(1.0 / dt));
      for (int i = 0; i < steps; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk);
      const bool is_euler =
          integrator == Integrator::kSymplecticEuler || integrator == Integrator::kImplicitEuler;
      const double ahead = is_euler ? 0.5 * a * dt : 0.0;
      EXPECT_NEAR(world.v()[0] * kLead, -a, 1e-12) << ToString(integrator);
      EXPECT_NEAR((world.q()[0] - 0.3) * kLead, -0.5 * a - ahead, 1e-12) << ToString(integrator);
      EXPECT_NEAR(world.body_poses()[1].p.z(), (world.q()[0] - 0.3) * kLead, 1e-14);
    }
  }
}

// The rotor of a motor adds to I; dry friction on the thread subtracts from the moment that turns it.
TEST(ScrewJoint, RotorAndFrictionSlowItDown) {
  Joint joint = MakeThread();
  joint.armature = 0.25;
  joint.friction_loss = 1.0;
  World world = MakeJointWorld(MakeNut(joint).Build(), Integrator::kMidpoint);
  for (int i = 0; i < 500; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk);
  const double moment = kFlyerMass * kGravity * kLead - 1.0;
  ASSERT_GT(moment, 0.0);
  EXPECT_NEAR(world.v()[0], -0.5 * moment / (kFlyerInertia + 0.25 + kFlyerMass * kLead * kLead), 1e-8);
  // More friction than that holds it: a self-locking thread.
  joint.friction_loss = 1.001 * kFlyerMass * kGravity * kLead;
  World locked = MakeJointWorld(MakeNut(joint).Build(), Integrator::kSymplecticEuler);
  for (int i = 0; i < 500; ++i) locked.Step();
  EXPECT_NEAR(locked.q()[0], 0.3, 1e-9);
}

TEST(ScrewJoint, StopsAtItsLimitWithTheMomentOfItsWeight) {
  for (const Integrator integrator : kAll) {
    Joint joint = MakeThread();
    joint.lower = -1.0;
    joint.damping = 0.1;
    ModelBuilder builder = MakeNut(joint);
    for (const SensorType type : {SensorType::kJointPosition, SensorType::kJointVelocity,
                                  SensorType::kJointLimitForce, SensorType::kJointLimitPosition})
      builder.AddSensor({.type = type, .index = 0});
    World world = MakeJointWorld(builder.Build(), integrator, 0.002);
    double lowest = 0.0;
    for (int i = 0; i < 2000; ++i) {
      ASSERT_EQ(world.Step().status, StepStatus::kOk);
      lowest = std::min(lowest, world.q()[0]);
    }
    EXPECT_GT(lowest, -1.0 - 2e-5) << ToString(integrator);  // what the position stage leaves
    EXPECT_NEAR(world.q()[0], -1.0, 2e-5) << ToString(integrator);
    EXPECT_EQ(world.sensor(0)[0], world.q()[0]);
    EXPECT_EQ(world.sensor(1)[0], world.v()[0]);
    EXPECT_NEAR(world.sensor(2)[0], kFlyerMass * kGravity * kLead, 2e-2) << ToString(integrator);
  }
}

// A spring over the angle: k/(I + m p²) is the square of the frequency.
TEST(ScrewJoint, SwingsOnItsSpring) {
  Joint joint = MakeThread();
  joint.stiffness = 40.0;
  joint.spring_reference = 0.8;
  ModelBuilder builder = MakeNut(joint);
  builder.options().gravity.setZero();
  World world = MakeJointWorld(builder.Build(), Integrator::kRungeKutta4);
  const double w = std::sqrt(40.0 / (kFlyerInertia + kFlyerMass * kLead * kLead));
  for (int i = 0; i < 1000; ++i) {
    world.Step();
    EXPECT_NEAR(world.q()[0], 0.8 - 0.5 * std::cos(w * world.time()), 1e-9) << i;
  }
}

// A leadscrew: a motor turns the screw against gravity, and its nut follows a hinge by an equality.
TEST(ScrewJoint, IsDrivenAndFollows) {
  ModelBuilder builder = MakeNut();
  builder.AddActuator({.joint = 0, .gear = {2, 0, 0, 0, 0, 0}, .gain = {400, 0, 0}, .bias = {0, -400, -40}});
  World world = MakeJointWorld(builder.Build(), Integrator::kSymplecticEuler);
  world.input().ctrl[0] = 1.0;
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk);
  // 2 · 400 (1 − 2 q) = m g p holds the weight.
  EXPECT_NEAR(world.q()[0], 0.5 * (1.0 - kFlyerMass * kGravity * kLead / 800.0), 1e-9);

  ModelBuilder pair = MakeNut();
  const int wheel = pair.AddBody({.name = "wheel"});
  pair.SetInertia(wheel, CalcSolidMassProperties(Sphere{0.2}, 1.0));
  const int hinge = pair.AddJoint(wheel, {.name = "hinge"});
  pair.AddEquality(
      {.kind = JointPolynomial{.joint = 0, .of_joint = hinge, .coefficients = {0.3, -2, 0, 0, 0}}});
  World follower = MakeJointWorld(pair.Build(), Integrator::kSymplecticEuler);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(follower.Step().status, StepStatus::kOk);
  EXPECT_GT(std::abs(follower.q()[1]), 0.1);
  EXPECT_NEAR(follower.q()[0], 0.3 - 2.0 * follower.q()[1], 1e-9);
  const double inertia = kFlyerInertia + kFlyerMass * kLead * kLead +
                         0.25 * CalcSolidMassProperties(Sphere{0.2}, 1.0).I_BBcm_B(2, 2);
  EXPECT_NEAR(follower.v()[0], -0.3 * kFlyerMass * kGravity * kLead / inertia, 1e-9);
}

// ---- Universal ----

// An arm that hangs on a universal joint, or on two hinges in its place, and swings another on a hinge.
Model MakeSwing(bool is_universal, double stiffness = 0.0) {
  ModelBuilder builder("swing");
  const int arm = builder.AddBody({.name = "arm", .X_PB = Turn(0.3, Vector3d::UnitY(), {0.1, 0.2, 0.3})});
  builder.SetInertia(arm,
                     Transform(Shift(0.1, 0.05, -0.4), CalcSolidMassProperties(Box{{0.05, 0.1, 0.3}}, 1.5)));
  const Vector3d axis1 = Vector3d(2, 1, 2) / 3, axis2 = Vector3d(1, 2, -2) / 3, p(0.02, 0.0, 0.1);
  Joint joint{.stiffness = stiffness, .spring_reference = 0.2, .damping = 0.05, .armature = 0.01};
  if (is_universal) {
    joint.kind = UniversalJoint{.axis1_B = axis1, .axis2_B = axis2, .p_BJ = p};
    builder.AddJoint(arm, joint);
  } else {
    joint.kind = HingeJoint{.axis_B = axis1, .p_BJ = p};
    builder.AddJoint(arm, joint);
    joint.kind = HingeJoint{.axis_B = axis2, .p_BJ = p};
    builder.AddJoint(arm, joint);
  }
  const int tip = builder.AddBody({.name = "tip", .parent = arm, .X_PB = Shift(0, 0, -0.6)});
  builder.SetInertia(tip, Transform(Shift(0, 0, -0.2), CalcSolidMassProperties(Capsule{0.03, 0.2}, 0.7)));
  builder.AddJoint(tip, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
  return builder.Build();
}

// Two hinges without a mass between them are the same mechanism, over which the errors of 2 s grow tenfold.
TEST(UniversalJoint, SwingsAsTwoHingesDo) {
  for (const Integrator integrator : kAll) {
    for (const double stiffness : {0.0, 20.0}) {
      World one = MakeJointWorld(MakeSwing(true, stiffness), integrator, 0.002);
      World two = MakeJointWorld(MakeSwing(false, stiffness), integrator, 0.002);
      for (World* world : {&one, &two}) {
        State state = world->state();
        state.v << 2.0, -3.0, 1.0;
        world->set_state(state);
      }
      double far = 0.0;
      for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(one.Step().status, StepStatus::kOk);
        ASSERT_EQ(two.Step().status, StepStatus::kOk);
        far = std::max(far, one.q().norm());
      }
      EXPECT_GT(far, 0.5);
      EXPECT_LT((one.q() - two.q()).norm() + (one.v() - two.v()).norm(), 1e-10) << ToString(integrator);
    }
  }
}

// Without damping energy stays, and without gravity so does the moment of momentum about the anchor of a body
// that starts free of forces: second order, and the order shows that no rate of a column is missing.
TEST(UniversalJoint, KeepsItsEnergyToTheOrderOfTheRule) {
  const auto drift = [](Integrator integrator, double dt) {
    ModelBuilder builder("top");
    const int body = builder.AddBody({});
    builder.SetInertia(body,
                       Transform(Shift(0, 0.05, -0.2), CalcSolidMassProperties(Box{{0.1, 0.2, 0.3}}, 1.0)));
    builder.AddJoint(body, {.kind = UniversalJoint{}});
    World world = MakeJointWorld(builder.Build(), integrator, dt);
    State state = world.state();
    state.q << 0.7, -0.4;
    state.v << 3.0, -2.0;
    world.set_state(state);
    const double start = world.CalcEnergy().total();
    for (int i = 0; i < std::lround(0.5 / dt); ++i) world.Step();
    return std::abs(world.CalcEnergy().total() - start);
  };
  EXPECT_NEAR(drift(Integrator::kSymplecticEuler, 0.002) / drift(Integrator::kSymplecticEuler, 0.001), 2.0,
              0.3);
  // At least fourth order: what energy a smooth motion loses may be of the fifth.
  const double ratio = drift(Integrator::kRungeKutta4, 0.02) / drift(Integrator::kRungeKutta4, 0.01);
  EXPECT_GT(ratio, 13.0);
  EXPECT_LT(ratio, 35.0);
}

// A Cardan shaft: two shafts in bearings at the angle β, the one behind the joint held by an equality that
// closes the loop. tan θ_out = tan θ_in / cos β through whole turns, and the speeds obey its derivative.
TEST(UniversalJoint, CardanShaftTurnsInALoop) {
  constexpr double kBeta = 0.5;
  ModelBuilder builder("cardan");
  builder.options().gravity.setZero();
  const MassProperties inertia = CalcSolidMassProperties(Cylinder{0.1, 0.2}, 1.0);
  const int in = builder.AddBody({.name = "in"});
  builder.SetInertia(in, inertia);
  builder.AddJoint(in, {.name = "in", .kind = HingeJoint{.axis_B = Vector3d::UnitZ()}, .armature = 5.0});
  // At θ = 0 arms and shafts are y, x and z of the bearings.
  const Matrix3d R_bearing = Eigen::AngleAxisd(kBeta, Vector3d::UnitX()).toRotationMatrix();
  const int out = builder.AddBody({.name = "out", .parent = in, .X_PB = {.R = R_bearing}});
  builder.SetInertia(out, inertia);
  builder.AddJoint(out, {.name = "cross",
                         .kind = UniversalJoint{.axis1_B = R_bearing.transpose() * Vector3d::UnitY(),
                                                .axis2_B = Vector3d::UnitX()}});
  FrameLock bearing{.a = {.body = 0, .X_BF = {.R = R_bearing}}, .b = {.body = out}};
  bearing.locked = {true, true, false, false, false, false};  // the joint holds the point
  builder.AddEquality({.name = "bearing", .kind = bearing});
  World world = MakeJointWorld(builder.Build(), Integrator::kSymplecticEuler);
  State state = world.state();
  state.v[0] = 6.0;
  // The shaft behind starts at its speed by the derivative: 1/cos β.
  state.v[1] = 0.0;
  world.set_state(state);
  double turned = 0.0, worst = 0.0, fastest = 0.0, slowest = 1e3;
  for (int i = 0; i < 2500; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
    const double theta = world.q()[0];
    const Matrix3d R = R_bearing.transpose() * world.body_poses()[2].R;
    const double out_angle = std::atan2(R(1, 0), R(0, 0));
    worst = std::max(worst, std::abs(std::sin(out_angle) * std::cos(theta) * std::cos(kBeta) -
                                     std::sin(theta) * std::cos(out_angle)));
    const Vector3d w = CalcAngularVelocity(world.kinematics(), 2);
    if (i > 100) {
      const double ratio = R_bearing.col(2).dot(w) / world.v()[0];
      fastest = std::max(fastest, ratio), slowest = std::min(slowest, ratio);
    }
    turned = theta;
  }
  EXPECT_GT(turned, 4.0 * kPi) << "whole turns";
  EXPECT_LT(worst, 1e-8);
  EXPECT_NEAR(fastest, 1.0 / std::cos(kBeta), 2e-2);  // the extremes, between steps of a hundredth of a turn
  EXPECT_NEAR(slowest, std::cos(kBeta), 2e-2);
}

// Gravity along x + y pulls both angles to their limits: two rows of one joint, each with its own warm start.
TEST(UniversalJoint, BothLimitsHoldAtOnce) {
  for (const Integrator integrator : kAll) {
    ModelBuilder builder("corner");
    builder.options().gravity = kGravity * Vector3d(0.8, -0.5, -0.1);
    const int bob = builder.AddBody({});
    builder.SetInertia(bob, Transform(Shift(0, 0, -0.5), CalcSolidMassProperties(Sphere{0.05}, 1.0)));
    builder.AddJoint(bob, {.kind = UniversalJoint{.axis1_B = Vector3d::UnitX(), .axis2_B = Vector3d::UnitY()},
                           .damping = 0.3,
                           .lower = -0.3,
                           .upper = 0.3});
    builder.AddSensor({.type = SensorType::kJointLimitForce, .index = 0});
    World world = MakeJointWorld(builder.Build(), integrator, 0.002);
    double largest = 0.0;
    for (int i = 0; i < 2000; ++i) {
      ASSERT_EQ(world.Step().status, StepStatus::kOk);
      largest = std::max(largest, world.q().lpNorm<Eigen::Infinity>());
    }
    EXPECT_LT(largest, 0.3 + 2e-5) << ToString(integrator);
    EXPECT_NEAR(std::abs(world.q()[0]), 0.3, 2e-5) << ToString(integrator);
    EXPECT_NEAR(std::abs(world.q()[1]), 0.3, 2e-5) << ToString(integrator);
    ASSERT_EQ(world.state().limits.size(), 2u);
    double sum = 0.0;
    for (const LimitMemory& limit : world.state().limits) {
      EXPECT_GT(limit.lower_impulse + limit.upper_impulse, 0.0);
      sum += limit.lower_impulse + limit.upper_impulse;
    }
    const VectorXd held = world.CalcBias() - world.CalcPassive();
    EXPECT_NEAR(sum / 0.002, held.lpNorm<1>(), 2e-2 * held.lpNorm<1>()) << ToString(integrator);
    EXPECT_NEAR(world.sensor(0)[0], sum / 0.002, 1e-12);
  }
}

// An actuator along both angles by its gear; each servo's slope is implicit, along with the other dof.
TEST(UniversalJoint, ServosHoldBothAngles) {
  ModelBuilder builder("gimbal");
  const int bob = builder.AddBody({});
  builder.SetInertia(bob, Transform(Shift(0, 0.1, -0.5), CalcSolidMassProperties(Sphere{0.05}, 1.0)));
  builder.AddJoint(bob, {.kind = UniversalJoint{.axis1_B = Vector3d::UnitX(), .axis2_B = Vector3d::UnitY()}});
  builder.AddActuator({.joint = 0, .gear = {1, 0, 0, 0, 0, 0}, .gain = {500, 0, 0}, .bias = {0, -500, -20}});
  builder.AddActuator({.joint = 0, .gear = {0, 1, 0, 0, 0, 0}, .gain = {500, 0, 0}, .bias = {0, -500, -20}});
  for (const Integrator integrator : kAll) {
    World world = MakeJointWorld(ModelBuilder(builder).Build(), integrator, 0.002);
    world.input().ctrl << 0.4, -0.2;
    for (int i = 0; i < 2500; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk);
    const VectorXd load = world.CalcBias();
    EXPECT_NEAR(500.0 * (0.4 - world.q()[0]), load[0], 1e-6) << ToString(integrator);
    EXPECT_NEAR(500.0 * (-0.2 - world.q()[1]), load[1], 1e-6) << ToString(integrator);
    EXPECT_GT(std::abs(load[0]), 1.0);
  }
}

TEST(UniversalJoint, HasNoOnePositionToSenseOrToFollow) {
  const auto refused = [](const auto& add) {
    ModelBuilder builder("refused");
    const int bob = builder.AddBody({});
    builder.SetInertia(bob, CalcSolidMassProperties(Sphere{0.05}, 1.0));
    builder.AddJoint(bob, {.name = "u", .kind = UniversalJoint{}});
    try {
      add(builder);
      builder.Build();
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused([](ModelBuilder& b) { b.AddSensor({.type = SensorType::kJointPosition, .index = 0}); }),
            "");
  EXPECT_NE(refused([](ModelBuilder& b) {
              b.AddEquality({.kind = JointPolynomial{.joint = 0}});
            }).find("more than one coordinate"),
            std::string::npos);
  EXPECT_NE(refused([](ModelBuilder& b) {
              b.AddTendon({.path = FixedTendon{.terms = {{0, 1.0}}}});
            }).find("more than one coordinate"),
            std::string::npos);
}

// Bodies on a free one push off each other by the springs of both joints: forces between them have no sum, so
// that the momentum of the accelerations, taken for velocities, is none.
TEST(JointTypes, ActAndReactAlike) {
  ModelBuilder builder("chain");
  builder.options().gravity.setZero();
  const JointKind kinds[] = {FreeJoint{}, UniversalJoint{}, ScrewJoint{.axis_B = {1, 2, 3}, .pitch = 0.4},
                             UniversalJoint{}};
  int parent = 0;
  for (const JointKind& kind : kinds) {
    Joint joint{.kind = kind, .spring_reference = 0.5};
    if (parent > 0) joint.stiffness = 30.0;
    parent = builder.AddBody({.parent = parent, .X_PB = Turn(0.4, Vector3d::UnitX(), {0.3, 0.1, -0.2})});
    builder.SetInertia(parent,
                       Transform(Shift(0.1, 0, 0.1), CalcSolidMassProperties(Box{{0.1, 0.15, 0.2}}, 1.0)));
    builder.AddJoint(parent, joint);
  }
  World world = MakeJointWorld(builder.Build(), Integrator::kSymplecticEuler);
  State state = world.state();
  state.v = world.CalcForwardDynamics();
  ASSERT_GT(state.v.norm(), 10.0);
  world.set_state(state);
  const auto [linear, angular] = world.CalcMomentum();
  EXPECT_LT(linear.norm() + angular.norm(), 1e-14 * state.v.norm());  // of bodies of 1 kg and 1 m
}

// What rests on these joints falls asleep, and a push wakes it.
TEST(JointTypes, FallAsleep) {
  ModelBuilder builder("sleepers");
  const int bob = builder.AddBody({});
  builder.SetInertia(bob, Transform(Shift(0, 0, -0.5), CalcSolidMassProperties(Sphere{0.05}, 1.0)));
  builder.AddJoint(bob, {.kind = UniversalJoint{.axis1_B = Vector3d::UnitX(), .axis2_B = Vector3d::UnitY()},
                         .damping = 1.0});
  const int nut = builder.AddBody({});
  builder.SetInertia(nut, CalcSolidMassProperties(Sphere{0.1}, 1.0));
  Joint thread = MakeThread();
  thread.lower = 0.0;
  thread.damping = 0.1;
  builder.AddJoint(nut, thread);
  WorldOptions options;
  options.timestep = 0.002;
  options.sleep = true;
  World world(builder.Build(), options);
  State state = world.state();
  state.q << 0.2, -0.3, 0.4;
  world.set_state(state);
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk);
  EXPECT_TRUE(world.v().isZero(0.0)) << world.v().transpose();
  EXPECT_GE(world.state().sleep.island[0], 0);
  EXPECT_GE(world.state().sleep.island[1], 0);
  world.input().applied_generalized[1] = 1.0;
  world.Step();
  EXPECT_EQ(world.state().sleep.island[0], -1);
  EXPECT_GE(world.state().sleep.island[1], 0);
  EXPECT_GT(world.v()[1], 0.0);
}

}  // namespace
}  // namespace stiction::testing

#include "stiction/sim/controller.h"

#include <gtest/gtest.h>

#include "dynamics/gravity_load.h"
#include "sim/controller_set.h"
#include "stiction/dynamics/jacobian.h"
#include "stiction/math/rotation.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// A target that stands still.
ControllerTarget Still(const std::vector<double>& values) {
  return {.values = values, .times = {0.0}};
}

// A block of 2 kg on a slide along x, weightless across.
Model MakeSlide(const Joint& joint = {.name = "slide", .kind = SlideJoint{.axis_B = Vector3d::UnitX()}},
                double mass = 2.0) {
  ModelBuilder builder("slide");
  const int block = builder.AddBody({.name = "block"});
  builder.AddJoint(block, joint);
  builder.AddGeom({.body = block, .shape = Box{{0.1, 0.1, 0.1}}}, {.mass = mass});
  return builder.Build();
}

// Seven hinges about changing axes, each link 20 cm long and 1 kg; a frame "tool" at the end.
Model MakeArm(double damping = 0.0) {
  ModelBuilder builder("arm");
  int parent = 0;
  for (int i = 0; i < 7; ++i) {
    const int link = builder.AddBody(
        {.name = "link" + std::to_string(i), .parent = parent, .X_PB = Shift(0, 0, i == 0 ? 0.0 : 0.2)});
    builder.AddJoint(link, {.name = "j" + std::to_string(i),
                            .kind = HingeJoint{.axis_B = i % 2 == 0 ? Vector3d::UnitZ() : Vector3d::UnitY()},
                            .damping = damping});
    builder.AddGeom({.body = link,
                     .shape = Box{{0.03, 0.02, 0.1}},
                     .X_BG = Shift(0.01, 0, 0.1),
                     .contype = 0,
                     .conaffinity = 0},
                    {.mass = 1.0});
    parent = link;
  }
  builder.AddFrame({.name = "tool", .body = parent, .X_BF = Turn(0.3, Vector3d::UnitX(), {0, 0, 0.2})});
  return builder.Build();
}

const std::vector<double> kBent = {0.3, 0.7, -0.4, 0.9, 0.2, 0.6, -0.5};

void SetBent(World& world) {
  State state = world.state();
  for (int i = 0; i < 7; ++i) state.q[i] = kBent[i];
  world.set_state(state);
}

ControllerDescription Pd(double kp, double kd, const ControllerTarget& target = {}) {
  return {.type = ControllerType::kJointPd, .target = target, .kp = {kp}, .kd = {kd}};
}

// A free ball of 2 kg and 0.1 m, without gravity.
World MakeFloatingBall(double dt = 0.01) {
  ModelBuilder builder("ball");
  builder.options().gravity.setZero();
  const int ball = builder.AddBody({.name = "ball"});
  builder.AddJoint(ball, {.kind = FreeJoint{}});
  builder.AddGeom({.body = ball, .shape = Sphere{0.1}}, {.mass = 2.0});
  return MakeWorld(builder.Build(), dt);
}

// Two routes to one motion: what a joint's own spring and damper do, whatever the integrator.
TEST(JointPd, MovesAsTheJointsOwnSpringAndDamperDo) {
  constexpr double kd = 7.0, rest = 0.25;
  for (const Integrator integrator : {Integrator::kSymplecticEuler, Integrator::kImplicitEuler,
                                      Integrator::kMidpoint, Integrator::kRungeKutta4}) {
    // Controllers are implicit by symplectic Euler, springs where they are as stiff as this (sim/springs.h).
    const double kp = integrator == Integrator::kSymplecticEuler ? 1e6 : 300.0;
    WorldOptions options;
    options.integrator = integrator;
    World own(MakeSlide({.name = "slide",
                         .kind = SlideJoint{.axis_B = Vector3d::UnitX()},
                         .stiffness = kp,
                         .spring_reference = rest,
                         .damping = kd}),
              options);
    World controlled(MakeSlide(), options);
    AttachControllers(controlled, {Pd(kp, kd, Still({rest}))});
    for (int i = 0; i < 1000; ++i) {
      own.Step();
      controlled.Step();
      ASSERT_NEAR(controlled.q()[0], own.q()[0], 1e-13) << ToString(integrator) << i;
      ASSERT_NEAR(controlled.v()[0], own.v()[0], 1e-12) << ToString(integrator) << i;
    }
  }
}

// x = x_d (1 − e^{−ζωt} (cos ω_d t + ζω/ω_d sin ω_d t)) from rest; semi-implicit Euler is of first order, so
// that half the step halves the error.
TEST(JointPd, OnASlideIsADampedOscillator) {
  constexpr double kp = 200.0, kd = 8.0, mass = 2.0, rest = 0.5;
  const double w = std::sqrt(kp / mass), decay = kd / (2.0 * mass), wd = std::sqrt(w * w - decay * decay);
  const auto calc_error = [&](double dt) {
    World world = MakeWorld(MakeSlide(), dt);
    AttachControllers(world, {Pd(kp, kd, Still({rest}))});
    double error = 0.0;
    while (world.time() < 1.0) {
      world.Step();
      const double t = world.time();
      const double x =
          rest * (1.0 - std::exp(-decay * t) * (std::cos(wd * t) + decay / wd * std::sin(wd * t)));
      error = std::max(error, std::abs(world.q()[0] - x));
    }
    return error;
  };
  const double coarse = calc_error(2e-4), fine = calc_error(1e-4);
  EXPECT_LT(fine, w * 1e-4 * rest);  // a step of the phase, of the amplitude
  EXPECT_NEAR(coarse / fine, 2.0, 0.05);
}

TEST(JointPd, IsStableForAnyGains) {
  for (const double kp : {1e3, 1e6, 1e9}) {
    for (const double kd : {0.0, 1e2, 1e6}) {
      World world = MakeWorld(MakeSlide(Joint{.kind = SlideJoint{.axis_B = Vector3d::UnitX()}}, 0.01));
      AttachControllers(world, {Pd(kp, kd, Still({0.3}))});
      double largest = 0.0;
      for (int i = 0; i < 2000; ++i) {
        ASSERT_EQ(world.Step().status, StepStatus::kOk);
        largest = std::max(largest, std::abs(world.q()[0]));
      }
      EXPECT_LE(largest, 0.6 + 1e-9) << kp << " " << kd;  // an oscillator from rest goes twice as far at most
    }
  }
}

// What the contact carries is what kp makes of the error: the implicit treatment takes nothing away.
TEST(JointPd, PressesWithStiffnessTimesError) {
  ModelBuilder builder("press");
  AddFloor(builder);
  const int ram = builder.AddBody({.name = "ram", .X_PB = Shift(0, 0, 0.1)});
  builder.AddJoint(ram, {.name = "slide", .kind = SlideJoint{.axis_B = Vector3d::UnitZ()}});
  builder.AddGeom({.body = ram, .shape = Sphere{0.1}}, {.mass = 0.05});
  World world = MakeWorld(builder.Build());
  ControllerDescription pd = Pd(2000.0, 50.0, Still({-0.01}));
  pd.compensation = Compensation::kGravity;
  AttachControllers(world, {pd});
  for (int i = 0; i < 500; ++i) world.Step();
  const double force = world.CalcContactWrench(1, Vector3d::Zero())[5];
  EXPECT_NEAR(force, 2000.0 * (world.q()[0] + 0.01), 1e-6);
  EXPECT_NEAR(force, 20.0, 0.05);
}

TEST(JointPd, FollowsATargetThatMovesSteadilyWithoutLag) {
  World world = MakeWorld(MakeSlide());
  ControllerTarget ramp{.values = {0.0, 2.0}, .times = {0.0, 2.0}};
  AttachControllers(world, {Pd(500.0, 60.0, ramp)});
  for (int i = 0; i < 900; ++i) world.Step();
  EXPECT_NEAR(world.q()[0], world.time(), 1e-9);
  EXPECT_NEAR(world.v()[0], 1.0, 1e-9);
}

TEST(JointPd, EffortBoundsTheForce) {
  World world = MakeWorld(MakeSlide());
  ControllerDescription pd = Pd(1e4, 0.0, Still({1e3}));
  pd.effort = {5.0};
  AttachControllers(world, {pd});
  for (int i = 1; i <= 100; ++i) {
    world.Step();
    ASSERT_NEAR(world.v()[0], i * 0.002 * 5.0 / 2.0, 1e-12);
  }
}

TEST(JointPd, WithoutATargetHoldsTheStartAndWithoutCompensationSags) {
  World world = MakeWorld(MakeArm());
  AttachControllers(world, {Pd(1e3, 1e2)});
  for (int i = 0; i < 3000; ++i) world.Step();
  // Static: kp (q0 − q) = g(q).
  RneaWorkspace ws;
  VectorXd g;
  CalcGravityLoad(world.model(), world.kinematics(), world.model().options.gravity, ws, g);
  EXPECT_LE((-1e3 * world.q() - g).norm(), 1e-6);
}

TEST(Compensation, OfGravityIsTheBiasAtRest) {
  World world = MakeWorld(MakeArm());
  SetBent(world);
  RneaWorkspace ws;
  VectorXd g;
  CalcGravityLoad(world.model(), world.kinematics(), world.model().options.gravity, ws, g);
  EXPECT_GT(g.norm(), 1.0);
  EXPECT_LE((g - world.CalcBias()).norm(), 1e-12);
}

TEST(Compensation, OfGravityHoldsAnArmStill) {
  World world = MakeWorld(MakeArm());
  SetBent(world);
  ControllerDescription hold = Pd(0.0, 0.0);
  hold.compensation = Compensation::kGravity;
  AttachControllers(world, {hold});
  const VectorXd start = world.q();
  for (int i = 0; i < 1000; ++i) world.Step();
  EXPECT_LE((world.q() - start).lpNorm<Eigen::Infinity>(), 1e-9);  // it falls by metres without
}

// With all of h(q, v) no force is left: generalised velocities stay what they are while the arm swings.
TEST(Compensation, OfBiasLeavesVelocitiesAlone) {
  World world = MakeWorld(MakeArm());
  SetBent(world);
  State state = world.state();
  state.v = VectorXd::LinSpaced(7, -1.0, 2.0);
  world.set_state(state);
  ControllerDescription swing = Pd(0.0, 0.0);
  swing.compensation = Compensation::kBias;
  AttachControllers(world, {swing});
  for (int i = 0; i < 1000; ++i) world.Step();
  EXPECT_LE((world.v() - state.v).lpNorm<Eigen::Infinity>(), 1e-9);
}

// Nothing but rounding and the way of integration is left to the springs, which are weak here.
TEST(Compensation, OfDynamicsFollowsATarget) {
  const auto calc_error = [](Compensation compensation, double dt) {
    World world = MakeWorld(MakeArm(), dt);
    ControllerDescription pd = Pd(20.0, 2.0);
    pd.target = {.keyframes = {},
                 .values = std::vector<double>(7, 0.0),
                 .times = {0.0, 1.0},
                 .interpolation = Interpolation::kMinimumJerk};
    pd.target.values.insert(pd.target.values.end(), kBent.begin(), kBent.end());
    pd.compensation = compensation;
    AttachControllers(world, {pd});
    double error = 0.0;
    while (world.time() < 1.5) {
      world.Step();
      const double u = std::min(world.time(), 1.0), s = u * u * u * (10 + u * (6 * u - 15));
      error = std::max(error, (world.q() - s * Eigen::Map<const VectorXd>(kBent.data(), 7)).norm());
    }
    return error;
  };
  EXPECT_GT(calc_error(Compensation::kBias, 0.002), 1e-2);
  const double coarse = calc_error(Compensation::kDynamics, 0.002),
               fine = calc_error(Compensation::kDynamics, 0.001);
  EXPECT_LT(coarse, 1e-4);
  EXPECT_LT(fine, 0.6 * coarse);
}

// The bodies' own compensation is not counted twice.
TEST(Compensation, LeavesOutWhatTheModelCompensates) {
  Model model = MakeArm();
  for (Body& body : model.bodies) body.gravity_compensation = 0.25;
  World all = MakeWorld(MakeArm()), part = MakeWorld(model);
  RneaWorkspace ws;
  VectorXd g_all, g_part;
  SetBent(all);
  SetBent(part);
  CalcGravityLoad(all.model(), all.kinematics(), model.options.gravity, ws, g_all);
  CalcGravityLoad(part.model(), part.kinematics(), model.options.gravity, ws, g_part);
  EXPECT_LE((g_part - 0.75 * g_all).norm(), 1e-13);
}

TEST(Control, WritesTheTargetAtTheEndOfTheStep) {
  ModelBuilder builder("servo");
  const int block = builder.AddBody({.name = "block"});
  builder.AddJoint(block, {.name = "slide", .kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  builder.AddGeom({.body = block, .shape = Box{{0.1, 0.1, 0.1}}}, {.mass = 2.0});
  builder.AddActuator({.name = "servo", .joint = 0, .gain = {500, 0, 0}, .bias = {0, -500, -60}});
  World world = MakeWorld(builder.Build());
  const ControllerTarget ramp{.values = {0.0, 1.0}, .times = {0.0, 0.5}};
  AttachControllers(world, {{.type = ControllerType::kControl, .target = ramp, .actuators = {"slide"}}});
  world.Step();
  EXPECT_NEAR(world.input().ctrl[0], 0.004, 1e-15);
  for (int i = 0; i < 2000; ++i) world.Step();
  EXPECT_EQ(world.input().ctrl[0], 1.0);
  EXPECT_NEAR(world.q()[0], 1.0, 1e-9);
}

// 3 N from 13.7 ms to 102.1 ms on 2 kg, in steps of 10 ms.
TEST(Wrench, HasExactlyTheImpulseOfItsDuration) {
  World world = MakeFloatingBall();
  AttachControllers(world, {{.type = ControllerType::kWrench,
                             .of = "ball",
                             .force = {3, 0, -1},
                             .torque = {0, 0.02, 0},
                             .from = 0.0137,
                             .to = 0.1021}});
  world.Step();
  EXPECT_EQ(world.v().norm(), 0.0);
  for (int i = 0; i < 30; ++i) world.Step();
  const double duration = 0.1021 - 0.0137, inertia = 0.4 * 2.0 * 0.01;
  EXPECT_LE((world.v().head<3>() - duration / 2.0 * Vector3d(3, 0, -1)).norm(), 1e-15);
  EXPECT_LE((world.v().tail<3>() - duration / inertia * Vector3d(0, 0.02, 0)).norm(), 1e-13);
}

TEST(Wrench, HasTheMomentOfItsPointAndTurnsWithTheBody) {
  World world = MakeFloatingBall(1e-3);
  State state = world.state();
  QuaternionToWxyz(QuaternionExp({0, 0, kPi / 2}), state.q.data() + 3);  // its x is the world's y
  world.set_state(state);
  ControllerDescription push{.type = ControllerType::kWrench,
                             .of = "ball",
                             .force = {1, 0, 0},
                             .point = Vector3d(0, 0, 0.1),
                             .in_body_axes = true};
  AttachControllers(world, {push});
  world.Step();
  EXPECT_LE((world.v().head<3>() - Vector3d(0, 0.5e-3, 0)).norm(), 1e-15);
  // 0.1 N·m about the body's y.
  EXPECT_LE((world.v().tail<3>() - Vector3d(0, 0.1e-3 / 8e-3, 0)).norm(), 1e-14);
  World other = MakeFloatingBall(1e-3);
  other.set_state(state);
  push.in_body_axes = false;
  AttachControllers(other, {push});
  other.Step();
  EXPECT_LE((other.v().head<3>() - Vector3d(0.5e-3, 0, 0)).norm(), 1e-15);
}

TEST(Wrench, TwoOnOneBodyAddUp) {
  World world = MakeFloatingBall();
  const ControllerDescription push{.type = ControllerType::kWrench, .of = "ball", .force = {1, 0, 0}};
  AttachControllers(world, {push, push});
  for (int i = 0; i < 5; ++i) world.Step();
  EXPECT_NEAR(world.v()[0], 2.0 / 2.0 * 0.05, 1e-15);
}

TEST(Mocap, FollowsItsPoses) {
  ModelBuilder builder("mocap");
  builder.AddBody({.name = "first", .is_mocap = true});
  const int handle =
      builder.AddBody({.name = "handle", .X_PB = Turn(0.4, Vector3d::UnitX(), {0, 0, 1}), .is_mocap = true});
  builder.AddFrame({.name = "grip", .body = handle, .X_BF = Shift(0, 0.5, 0)});
  const Model model = builder.Build();
  World world = MakeWorld(model);
  ControllerTarget target{.values = {0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 0.6, 0, 0.8, 0}, .times = {0.0, 1.0}};
  AttachControllers(world, {{.type = ControllerType::kMocap, .target = target, .of = "grip"}});
  for (int i = 0; i < 150; ++i) world.Step();
  const Trajectory trajectory{.times = target.times,
                              .values = Eigen::Map<const MatrixXd>(target.values.data(), 7, 2)};
  const RigidTransform X_WF = SamplePose(trajectory, world.time()).X_WF;
  const RigidTransform found = world.CalcFramePose(0);
  EXPECT_LE((found.p - X_WF.p).norm() + (found.R - X_WF.R).norm(), 1e-14);
  EXPECT_EQ(world.body_poses()[1].p, Vector3d::Zero());
  // Positions alone leave the rotation of the file.
  AttachControllers(world, {{.type = ControllerType::kMocap, .target = Still({1, 1, 1}), .of = "handle"}});
  world.Step();
  EXPECT_LE((world.body_poses()[handle].R - Turn(0.4, Vector3d::UnitX()).R).norm(), 1e-14);
  EXPECT_EQ(world.body_poses()[handle].p, Vector3d(1, 1, 1));
}

TEST(EqualityController, WritesItsTarget) {
  ModelBuilder builder("driven");
  const int block = builder.AddBody({.name = "block"});
  builder.AddJoint(block, {.name = "slide", .kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  builder.AddGeom({.body = block, .shape = Box{{0.1, 0.1, 0.1}}}, {.mass = 2.0});
  builder.AddEquality(
      {.name = "drive", .kind = JointPolynomial{.joint = 0, .coefficients = {0, 0, 0, 0, 0}}});
  World world = MakeWorld(builder.Build());
  const ControllerTarget ramp{.values = {0.0, 3.0}, .times = {0.0, 1.0}};
  AttachControllers(world, {{.type = ControllerType::kEquality, .target = ramp, .of = "drive"}});
  for (int i = 0; i < 100; ++i) world.Step();
  EXPECT_NEAR(world.input().equality_target[0], 0.6, 1e-12);
}

ControllerDescription PoseOf(const World& world, const Vector3d& offset_W, const Vector3d& turn_W) {
  const RigidTransform X_WF = world.CalcFramePose(0);
  std::vector<double> values(7);
  Eigen::Map<Vector3d>{values.data()} = X_WF.p + offset_W;
  QuaternionToWxyz(QuaternionExp(turn_W) * Quaterniond(X_WF.R), values.data() + 3);
  ControllerDescription pose{.type = ControllerType::kPose, .target = Still(values), .of = "tool"};
  pose.compensation = Compensation::kGravity;
  pose.stiffness.setConstant(2000.0);
  pose.damping.setConstant(200.0);
  pose.rotational_stiffness.setConstant(100.0);
  pose.rotational_damping.setConstant(10.0);
  pose.nullspace_damping = 2.0;
  return pose;
}

// Distance and angle between the tool and a pose of seven numbers.
std::pair<double, double> CalcPoseError(const World& world, const std::vector<double>& values) {
  const RigidTransform X_WF = world.CalcFramePose(0);
  const Quaterniond quat = QuaternionFromWxyz(values.data() + 3);
  return {(Eigen::Map<const Vector3d>(values.data()) - X_WF.p).norm(),
          QuaternionLog(quat * Quaterniond(X_WF.R).conjugate()).norm()};
}

TEST(Pose, ReachesItsTarget) {
  World world = MakeWorld(MakeArm());
  State state = world.state();
  state.q << 0.5, 0.9, -0.2, 1.2, 0.1, 0.4, -0.3;
  world.set_state(state);
  const ControllerDescription pose = PoseOf(world, Vector3d::Zero(), Vector3d::Zero());
  SetBent(world);
  EXPECT_GT(CalcPoseError(world, pose.target.values).first, 0.1);
  AttachControllers(world, {pose});
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk);
  const auto [distance, angle] = CalcPoseError(world, pose.target.values);
  EXPECT_LE(distance, 1e-6);
  EXPECT_LE(angle, 1e-6);
}

TEST(Pose, IsStableForAnyGains) {
  for (const double factor : {1.0, 100.0, 1e5}) {
    World world = MakeWorld(MakeArm());
    SetBent(world);
    ControllerDescription pose = PoseOf(world, {0.05, 0, 0.05}, {0.1, 0, 0});
    pose.stiffness *= factor;
    pose.damping *= factor;
    pose.rotational_stiffness *= factor;
    pose.rotational_damping *= factor;
    AttachControllers(world, {pose});
    const auto before = CalcPoseError(world, pose.target.values);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk) << factor;
    const auto after = CalcPoseError(world, pose.target.values);
    EXPECT_LT(after.first, 0.5 * before.first) << factor;
    EXPECT_LT(after.second, 0.5 * before.second) << factor;
    EXPECT_LE(world.v().norm(), 1.0) << factor;
  }
}

// At rest the generalised forces are Jᵀ F + g, whatever the step adds for stability: a weight on the tool
// moves it by weight / stiffness.
TEST(Pose, YieldsByForceOverStiffness) {
  World world = MakeWorld(MakeArm());
  SetBent(world);
  const ControllerDescription pose = PoseOf(world, Vector3d::Zero(), Vector3d::Zero());
  AttachControllers(world, {pose});
  const Vector3d f_W(3.0, -2.0, -4.0);
  const Vector3d p_start = world.CalcFramePose(0).p;
  for (int i = 0; i < 8000; ++i) {
    world.AddForce(7, world.CalcFramePose(0).p, f_W);
    world.Step();
  }
  EXPECT_LE(world.v().norm(), 1e-6);  // what the elbow still creeps
  EXPECT_LE((world.CalcFramePose(0).p - p_start - f_W / 2000.0).norm(), 1e-8);
}

TEST(Pose, NullspaceDampingLeavesTheFrameAlone) {
  World world = MakeWorld(MakeArm());
  SetBent(world);
  const Matrix6Xd J = world.CalcFrameJacobian(0);
  const VectorXd free = CalcKernel(J).col(0).normalized();  // the elbow's way round
  State state = world.state();
  state.v = 2.0 * free;
  world.set_state(state);
  ControllerDescription pose = PoseOf(world, Vector3d::Zero(), Vector3d::Zero());
  pose.stiffness.setZero();
  pose.rotational_stiffness.setZero();
  pose.damping.setZero();
  pose.rotational_damping.setZero();
  pose.compensation = Compensation::kNone;
  AttachControllers(world, {pose});
  world.Step();
  const auto calc_force = [&] {  // at the start of the step
    const Input& input = world.input();
    return VectorXd(input.applied_generalized - input.applied_damping.cwiseProduct(state.v));
  };
  EXPECT_LE((calc_force() + 2.0 * 2.0 * free).norm(), 1e-6);  // all of it is damped
  state.v = J.transpose() * Vector6d::Constant(0.3);          // what moves the frame, and none is
  world.set_state(state);
  world.Step();
  EXPECT_LE(calc_force().norm(), 1e-6);
}

TEST(Pose, BoundsForceAndTorque) {
  World world = MakeWorld(MakeArm());
  SetBent(world);
  ControllerDescription pose = PoseOf(world, {0, 5, 0}, {2, 0, 0});
  pose.compensation = Compensation::kNone;
  pose.max_force = 7.0;
  pose.max_torque = 0.5;
  pose.nullspace_damping = 0.0;
  AttachControllers(world, {pose});
  const Matrix6Xd J = world.CalcFrameJacobian(0);
  world.Step();
  Vector6d F;
  F << 0.5, 0, 0, 0, 7.0, 0;
  EXPECT_LE((world.input().applied_generalized - J.transpose() * F).norm(), 1e-9);
}

// All types at once, as far as a model has them.
std::vector<ControllerDescription> MakeSeveral(const World& arm) {
  const ControllerTarget swing{
      .values = {0.1, 0.4}, .times = {0.0, 0.3}, .interpolation = Interpolation::kCubic};
  ControllerDescription pd = Pd(50.0, 5.0, swing);
  pd.joints = {"j0"};
  return {
      PoseOf(arm, {0.1, 0, 0}, {0, 0.2, 0}), pd,
      ControllerDescription{.type = ControllerType::kWrench, .of = "link3", .force = {5, 0, 0}, .to = 0.1}};
}

TEST(ControllerSet, DependsOnTimeAndStateAlone) {
  World world = MakeWorld(MakeArm());
  SetBent(world);
  AttachControllers(world, MakeSeveral(world));
  for (int i = 0; i < 40; ++i) world.Step();
  World copy = MakeWorld(MakeArm());
  SetBent(copy);
  AttachControllers(copy, MakeSeveral(copy));
  copy.set_state(world.state());
  for (int i = 0; i < 40; ++i) {
    world.Step();
    copy.Step();
  }
  EXPECT_EQ(Hash(world.state()), Hash(copy.state()));
}

TEST(ControllerSet, LeavesOtherInputsAlone) {
  World world = MakeWorld(MakeArm());
  ControllerDescription pd = Pd(50.0, 5.0);
  pd.joints = {"j2"};
  AttachControllers(world, {pd});
  world.input().applied_generalized[4] = 3.0;
  world.input().applied_wrench(5, 6) = -1.0;
  for (int i = 0; i < 3; ++i) world.Step();
  EXPECT_EQ(world.input().applied_generalized[4], 3.0);
  EXPECT_EQ(world.input().applied_wrench(5, 6), -1.0);
  AttachControllers(world, {});  // none
  world.input() = Input::Default(world.model());
  world.Step();
  EXPECT_EQ(world.input().applied_generalized.norm(), 0.0);
}

TEST(ControllerSet, RefusesInputOfAnotherSize) {
  World world = MakeWorld(MakeArm());
  world.input().applied_damping.setZero(3);
  EXPECT_EQ(world.Step().status, StepStatus::kInvalidInput);
}

TEST(ControllerSet, RefusesWhatTheModelDoesNotHave) {
  const Model model = MakeArm();
  const auto failure = [&](const ControllerDescription& d) -> std::string {
    try {
      ControllerSet set(model, {d});
    } catch (const LoadError& error) {
      return error.what();
    }
    return "";
  };
  ControllerDescription pd = Pd(1, 1);
  pd.joints = {"elbow"};
  EXPECT_EQ(failure(pd).find("<controller type=\"joint_pd\">: there is no joint \"elbow\"; known: j0, j1"),
            0u);
  pd = Pd(1, 1);
  pd.kp = {1, 2};
  EXPECT_NE(failure(pd).find("kp has 2 numbers for 7 joints"), std::string::npos);
  EXPECT_NE(failure({.type = ControllerType::kWrench, .of = "world"}).find("cannot move"), std::string::npos);
  EXPECT_NE(
      failure({.type = ControllerType::kMocap, .target = Still({0, 0, 0}), .of = "link0"}).find("no mocap"),
      std::string::npos);
  EXPECT_NE(failure(Pd(1, 1, Still({1, 2}))).find("2 values for 1 times of 7 numbers"), std::string::npos);
}

}  // namespace
}  // namespace stiction::testing

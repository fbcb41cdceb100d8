// Whole steps against closed forms of mechanics.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "stiction/math/rotation.h"
#include "tests/io/model_text.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// Period of a pendulum of small-amplitude frequency w0 released at rest at `amplitude`:
// 2π / (w0 agm(1, cos(amplitude/2))).
double CalcPendulumPeriod(double w0, double amplitude) {
  double a = 1.0, b = std::cos(0.5 * amplitude);
  for (int i = 0; i < 10; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2.0 * kPi / (w0 * a);
}

TEST(Motion, PendulumKeepsItsPhaseForTenPeriods) {
  for (const double amplitude : {0.05, 1.0, 2.5}) {
    const Pendulum pendulum;
    World world = MakeWorld(pendulum.Build(), 0.001);
    State state = world.state();
    state.q[0] = amplitude;
    world.set_state(state);
    const double period =
        CalcPendulumPeriod(std::sqrt(kGravity * pendulum.length / pendulum.inertia()), amplitude);
    // Downward passes through the lowest point: at T/4 and each period after.
    int passes = 0;
    double time = 0.0;
    while (passes < 11 && world.time() < 12.0 * period) {
      const double before = world.q()[0];
      world.Step();
      const double after = world.q()[0];
      if (before > 0.0 && after <= 0.0) {
        ++passes;
        time = world.time() - world.timestep() * after / (after - before);
      }
    }
    ASSERT_EQ(passes, 11);
    // Semi-implicit Euler: positions lead by half a step, ω dt/2 = 2e-3 rad, without accumulating.
    EXPECT_NEAR(2.0 * kPi * (time - 10.25 * period) / period, 0.0, 3e-3) << "amplitude " << amplitude;
  }
}

TEST(Motion, PendulumEnergyStaysBounded) {
  World world = MakeWorld(Pendulum{}.Build(), 0.001);
  State state = world.state();
  state.q[0] = 1.0;
  world.set_state(state);
  const double start = world.CalcEnergy().total();
  double worst = 0.0;
  for (int i = 0; i < 20000; ++i) {
    world.Step();
    worst = std::max(worst, std::abs(world.CalcEnergy().total() - start));
  }
  // A symplectic scheme oscillates by (dt/2) θ' times the torque, here 5e-4 x 4 x 4 J, and does not drift.
  EXPECT_LT(worst, 8e-3);
}

TEST(Motion, SlidingBallEndsRollingAtFiveSevenths) {
  const double radius = 0.1, v0 = 3.0;
  World world = MakeWorld(MakeBall(radius, 0.0, {.friction = 0.5}));
  SetFreeVelocity(world, 0, {v0, 0, 0});
  const RunSummary run = RunSteps(world, 500);
  EXPECT_EQ(run.not_ok, 0);
  // Angular momentum about the contact point is kept: 5/7 of v0, exact up to the solver's 1e-8 m/s.
  EXPECT_NEAR(world.v()[0], 5.0 / 7.0 * v0, 1e-7);
  const Vector3d w_W = QuaternionFromWxyz(world.q().data() + 3) * Vector3d(world.v().tail<3>());
  EXPECT_NEAR(w_W.y() * radius, world.v()[0], 1e-7);
  EXPECT_NEAR(world.v()[1], 0.0, 1e-8);
  EXPECT_NEAR(world.q()[2], radius, 1e-7);
}

TEST(Motion, BoxOnSlopeSticksBelowTheFrictionAngle) {
  const double friction = 0.5;  // angle 26.57 degrees
  World world = MakeWorld(MakeBoxOnSlope(25.0 * kPi / 180.0, friction), 0.005);
  RunSteps(world, 100);
  const Vector3d start = world.q().head<3>();
  const RunSummary run = RunSteps(world, 400);
  EXPECT_EQ(run.not_ok, 0);
  EXPECT_LT((Vector3d(world.q().head<3>()) - start).norm() / 2.0, 1e-8);  // the budget, as creep [m/s]
}

// Towers of cubes in a circle on a heavy table that turns, and slides along x.
class TurningTable {
 public:
  struct Spec {
    int towers = 1, height = 1;           // height in cubes
    double half = 0.02, friction = 1.0;   // of a cube [m]
    double spin = 3.0, timestep = 0.002;  // [rad/s], [s]
    double push = 0.0;                    // largest acceleration to and fro, once a second [m/s²]
  };

  explicit TurningTable(const Spec& spec) : spec_(spec), world_(Build()) {
    State state = world_.state();
    state.v[1] = spec.spin;
    for (std::size_t i = 0; i < place_.size(); ++i) {
      state.v.segment<3>(2 + 6 * i) = spec.spin * Vector3d::UnitZ().cross(place_[i]);
      state.v[7 + 6 * i] = spec.spin;
    }
    world_.set_state(state);
  }

  const StepReport& Step() {
    world_.input().applied_generalized[0] = kMass * spec_.push * std::cos(2.0 * kPi * world_.time());
    return world_.Step();
  }

  // Of a cube from where it stood on the table [m].
  double FindFarthest() const {
    const VectorXd& q = world_.q();
    const Matrix3d R = Turn(q[1], Vector3d::UnitZ()).R;
    double moved = 0.0;
    for (std::size_t i = 0; i < place_.size(); ++i) {
      const Vector3d p = q.segment<3>(2 + 7 * i) - q[0] * Vector3d::UnitX();
      moved = std::max(moved, (R.transpose() * p - place_[i]).norm());
    }
    return moved;
  }

  // What one step misses of the way around [m].
  double missed() const { return 0.5 * std::pow(spec_.timestep * spec_.spin, 2) * kRadius; }

 private:
  static constexpr double kRadius = 0.3, kMass = 1e4;

  World Build() {
    ModelBuilder builder;
    const int sledge = builder.AddBody({}), table = builder.AddBody({.parent = sledge});
    builder.AddJoint(sledge, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
    builder.AddJoint(table, {.kind = HingeJoint{.axis_B = Vector3d::UnitZ()}});
    builder.AddGeom({.body = table, .shape = Box{{0.5, 0.5, 0.05}}, .friction = spec_.friction},
                    {.mass = kMass});
    const double half = spec_.half;
    for (int i = 0; i < spec_.towers; ++i) {
      const double angle = 2.0 * kPi * i / spec_.towers;
      for (int k = 0; k < spec_.height; ++k) {
        place_.emplace_back(kRadius * std::cos(angle), kRadius * std::sin(angle), 0.05 + (2 * k + 1) * half);
        AddFreeBody(builder, Box{Vector3d::Constant(half)}, 0.1, {Matrix3d::Identity(), place_.back()},
                    {.friction = spec_.friction});
      }
    }
    return MakeWorld(builder.Build(), spec_.timestep);
  }

  Spec spec_;
  std::vector<Vector3d> place_;
  World world_;
};

// Cubes on a table that turns are held by friction. The points that touch part by dt² ω² r / 2 in every step,
// here 2.7 mm in a second, unless they come back: all but that of the last step must. Friction turns with the
// cubes, so that the impulses of a step are where the next one begins and ends.
TEST(Motion, CubesStayWhereTheyStandOnATurningTable) {
  for (const int cubes : {1, 5, 7}) {
    TurningTable table({.towers = cubes});
    int newton_steps = 0;
    for (int step = 1; step <= 2000; ++step) {
      const StepReport& report = table.Step();
      ASSERT_EQ(report.status, StepStatus::kOk);
      newton_steps += report.solve.newton_steps;
      if (step % 500 != 0) continue;
      EXPECT_LT(table.FindFarthest(), 1.01 * table.missed()) << cubes << " until step " << step;
    }
    EXPECT_LT(newton_steps, 10) << cubes;  // of the beginning
  }
}

// In the first steps towers ask for more friction than there is: for what turns them, and the push, and what
// the step before missed, all at once. What could not be undone then is undone later.
TEST(Motion, TowersStayWhereTheyStandOnAPushedTurningTable) {
  for (const TurningTable::Spec& spec :
       {TurningTable::Spec{.towers = 2, .height = 2, .half = 0.04, .friction = 0.5, .push = 1.0},
        TurningTable::Spec{.towers = 5,
        .height = 2,
        .half = 0.04,
        .friction = 0.8,
        .spin = 2.0,
        .timestep = 0.005,
        .push = 2.0}}) {
    TurningTable table(spec);
    double moved = 0.0;
    for (double time = 0.0; time < 4.0; time += spec.timestep) {
      ASSERT_EQ(table.Step().status, StepStatus::kOk);
      moved = std::max(moved, table.FindFarthest());
    }
    EXPECT_LT(moved, 1.2 * table.missed()) << spec.towers << " towers";
  }
}

// Eight grippers around a heavy hub that swings hold a part each: one island, of 57 dofs.
class EightHands {
 public:
  EightHands() : world_(MakeWorld(MakeModel(place_), kStep)) {
    State state = world_.state();
    state.v[0] = kSpin;
    for (int i = 0; i < kHands; ++i) {
      state.v.segment<3>(1 + kHands + 6 * i) = kSpin * Axis().cross(place_[i]);
      state.v.segment<3>(4 + kHands + 6 * i) = kSpin * Axis();
    }
    world_.set_state(state);
  }
  World& world() { return world_; }
  StepStatus Step() {
    world_.input().applied_generalized.segment<kHands>(1).setConstant(-20.0);
    return world_.Step().status;
  }
  // How far a part is from where it was in its hand, of the farthest [m].
  double FindFarthest() const {
    double moved = 0.0;
    const Matrix3d R = Turn(world_.q()[0], Axis()).R;
    for (int i = 0; i < kHands; ++i)
      moved = std::max(moved, (R.transpose() * world_.q().segment<3>(1 + kHands + 7 * i) - place_[i]).norm());
    return moved;
  }
  // What one step misses [m].
  static double missed() { return 0.5 * std::pow(kStep * kSpin, 2) * kRadius; }

 private:
  static constexpr int kHands = 8;
  static constexpr double kStep = 0.005, kSpin = 3.0, kRadius = 0.4;  // [s], [rad/s], [m]
  static Vector3d Axis() { return Vector3d(1.0, 1.0, 0.0).normalized(); }

  static Model MakeModel(std::vector<Vector3d>& place) {
    ModelBuilder builder;
    const int hub = builder.AddBody({});
    builder.AddJoint(hub, {.kind = HingeJoint{.axis_B = Axis()}, .stiffness = 1e7});
    builder.SetInertia(hub,
                       {.mass = 1e4, .p_BBcm = Vector3d::Zero(), .I_BBcm_B = 1e6 * Matrix3d::Identity()});
    for (int i = 0; i < kHands; ++i) {
      const double angle = 2.0 * kPi * i / kHands;
      place.emplace_back(kRadius * std::cos(angle), kRadius * std::sin(angle), 0.0);
      const Geom pad{.body = hub,
                     .shape = Box{{0.02, 0.02, 0.005}},
                     .X_BG = {.p = place.back() - Vector3d(0, 0, 0.025)},
                     .friction = 0.6};
      builder.AddGeom(pad);
      Geom finger = pad;
      finger.body = builder.AddBody({.parent = hub, .X_PB = {.p = place.back() + Vector3d(0, 0, 0.025)}});
      finger.X_BG = {};
      builder.AddJoint(finger.body, {.kind = SlideJoint{}});
      builder.AddGeom(finger, {.mass = 0.1});
    }
    for (const Vector3d& p : place)
      AddFreeBody(builder, Box{{0.02, 0.05, 0.02}}, 1.0, Shift(p.x(), p.y(), 0.0), {.friction = 0.6});
    return builder.Build();
  }

  std::vector<Vector3d> place_;
  World world_;
};

// What contacts undo must agree, or pads pull parts against each other until these slip.
TEST(Motion, EightHandsOnOneSwingingHubHoldTheirParts) {
  EightHands hands;
  double moved = 0.0;
  while (hands.world().time() < 3.0) {
    ASSERT_EQ(hands.Step(), StepStatus::kOk);
    moved = std::max(moved, hands.FindFarthest());
  }
  EXPECT_LT(moved, 1.2 * hands.missed());
}

// Steps that miss the budget at first let slip wait. What is held must not creep for that.
TEST(Motion, MissedStepsMakeHandsLoseNothing) {
  EightHands hands;
  double moved = 0.0;
  for (int step = 0; step < 400; ++step) {
    if (step % 50 == 10) {
      State state = hands.world().state();
      for (ContactMemory& contact : state.contacts) contact.slip_pause = 100;
      hands.world().set_state(state);
    }
    ASSERT_EQ(hands.Step(), StepStatus::kOk);
    moved = std::max(moved, hands.FindFarthest());
  }
  EXPECT_LT(moved, 1.2 * hands.missed());
}

TEST(Motion, BoxOnSlopeSlidesWithCoulombsAcceleration) {
  const double friction = 0.5;
  for (const double degrees : {32.0, 60.0}) {
    const double slope = degrees * kPi / 180.0;
    World world = MakeWorld(MakeBoxOnSlope(slope, friction), 0.004);
    RunSteps(world, 10);
    const double v = world.v()[0], t = world.time();
    RunSteps(world, 100);
    const double expected = kGravity * (std::sin(slope) - friction * std::cos(slope));
    // 1e-8 m/s over 0.4 s against 1 to 6 m/s².
    EXPECT_NEAR((world.v()[0] - v) / (world.time() - t) / expected, 1.0, 1e-6);
    EXPECT_LT(world.v().tail<3>().norm(), 1e-7);  // and does not turn
  }
}

// A slide joint of 1 kg with a position actuator and joint damping, released at x0.
Model MakeServo(double kp, double kv, double damping) {
  ModelBuilder builder;
  builder.options().gravity.setZero();
  const int cart = builder.AddBody({});
  const int joint =
      builder.AddJoint(cart, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}, .damping = damping});
  builder.AddGeom({.body = cart, .shape = Sphere{0.1}}, {.mass = 1.0});
  builder.AddActuator({.joint = joint, .gain = {kp, 0, 0}, .bias = {0, -kp, -kv}});
  return builder.Build();
}

// Links of robots often overlap where they pass one another. Nothing can part them, and nothing tries to.
TEST(Motion, LinksThatOverlapAlongTheirAxisSwingAsIfTheyDidNot) {
  const auto run = [](const std::string& contype) {
    const Model model = LoadText(R"(<mujoco><default>
      <geom type="capsule" size="0.03" mass="1" conaffinity="0" contype=")" +
                                 contype + R"("/></default>
      <worldbody><geom type="sphere"/>
        <body><joint axis="0 1 0"/><geom type="sphere" pos="0.2 0 0.1" contype="0"/>
          <body><joint axis="0 1 0"/><geom fromto="-0.1 0.05 0 0.2 0.05 0" conaffinity="1"/></body>
        </body></worldbody></mujoco>)");
    World world = MakeWorld(model, 0.002);
    double correction = 0.0, depth = 0.0;
    for (int i = 0; i < 1000; ++i) {
      EXPECT_EQ(world.Step().status, StepStatus::kOk);
      correction = std::max(correction, world.report().correction);
      depth = std::max(depth, world.report().penetration);
    }
    EXPECT_EQ(correction, 0.0);
    EXPECT_NEAR(depth, contype == "1" ? 0.01 : 0.0, 1e-6);
    return VectorXd(world.q());
  };
  EXPECT_LT((run("1") - run("0")).norm(), 1e-9);
}

TEST(Motion, StiffServoMatchesImplicitEulerAndStaysStable) {
  const double kp = 15000.0, kv = 20.0, damping = 5.0, dt = 0.01, target = 0.02;
  World world = MakeWorld(MakeServo(kp, kv, damping), dt);
  State state = world.state();
  state.q[0] = 0.1, state.v[0] = -1.0;
  world.set_state(state);
  world.input().ctrl[0] = target;
  // m (v' - v) = dt (kp (target - x') - (kv + damping) v'),  x' = x + dt v', solved as two equations.
  Eigen::Matrix2d system;
  system << 1.0, -dt, dt * kp, 1.0 + dt * (kv + damping);
  Vector2d x(0.1, -1.0);
  for (int i = 0; i < 200; ++i) {
    world.Step();
    x = system.inverse() * Vector2d(x[0], x[1] + dt * kp * target);
    ASSERT_NEAR(world.q()[0], x[0], 1e-12) << i;  // rounding
    ASSERT_NEAR(world.v()[0], x[1], 1e-12) << i;
  }
  EXPECT_NEAR(world.q()[0], target, 1e-12);  // explicit forces would have blown up: dt² kp = 1.5
}

TEST(Motion, SpringOnAJointMatchesImplicitEuler) {
  // ω dt = 1.07: too stiff to be explicit (sim/springs.h).
  ModelBuilder builder;
  builder.options().gravity.setZero();
  const int wheel = builder.AddBody({});
  builder.AddJoint(wheel, {.stiffness = 4000.0, .spring_reference = 0.3, .damping = 0.5, .armature = 0.25});
  builder.AddGeom({.body = wheel, .shape = Sphere{0.5}}, {.mass = 1.0});
  const double dt = 0.01, inertia = 0.4 * 0.25 + 0.25;
  World world = MakeWorld(builder.Build(), dt);
  Eigen::Matrix2d system;
  system << 1.0, -dt, dt * 4000.0, inertia + dt * 0.5;
  Vector2d x(0.0, 0.0);
  for (int i = 0; i < 200; ++i) {
    world.Step();
    x = system.inverse() * Vector2d(x[0], inertia * x[1] + dt * 4000.0 * 0.3);
    ASSERT_NEAR(world.q()[0], x[0], 1e-12) << i;
  }
}

TEST(Motion, AppliedWrenchAcceleratesByForceOverMass) {
  ModelBuilder builder;
  builder.options().gravity.setZero();
  const int body = builder.AddBody({.X_PB = Turn(0.5, Vector3d::UnitX())});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.SetInertia(body, {4.0, Vector3d(0.1, 0.2, -0.3), 0.5 * Matrix3d::Identity()});
  World world = MakeWorld(builder.Build());
  world.input().applied_wrench.col(1) << 0, 0, 0, 2.0, 0.0, -1.0;  // at the centre of mass: no rotation
  RunSteps(world, 500);
  EXPECT_NEAR(world.v()[0], 2.0 / 4.0, 1e-12);  // one second, rounding
  EXPECT_NEAR(world.v()[2], -1.0 / 4.0, 1e-12);
  EXPECT_LT(world.v().tail<3>().norm(), 1e-12);
  world.input().applied_wrench.col(1) << 0, 0.25, 0, 0, 0, 0;
  const Vector3d spin = world.v().tail<3>();
  RunSteps(world, 500);
  const Vector3d w_W = QuaternionFromWxyz(world.q().data() + 3) * Vector3d(world.v().tail<3>() - spin);
  EXPECT_NEAR(w_W.y(), 0.25 / 0.5, 1e-12);  // M/I for one second
}

}  // namespace
}  // namespace stiction::testing

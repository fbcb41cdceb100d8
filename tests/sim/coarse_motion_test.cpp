// Bodies on joints that turn by a quarter of a radian and more in a step: no answer is right, and none has
// more energy than there was.
#include <gtest/gtest.h>

#include <random>

#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

constexpr double kCoarseStep = 0.005;

class Tumbles {
 public:
  explicit Tumbles(int seed) : random_(static_cast<unsigned>(seed)) {}
  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vector3d Direction() {
    std::normal_distribution<double> normal;
    return Vector3d(normal(random_), normal(random_), normal(random_)).normalized();
  }
  VectorXd Vector(int size, double length) {
    std::normal_distribution<double> normal;
    VectorXd v(size);
    for (double& x : v) x = normal(random_);
    return length * v.normalized();
  }

 private:
  std::mt19937 random_;
};

// A box, and others behind it on hinges and balls, from `first` on.
void AddLinks(ModelBuilder& builder, int first, int count, Tumbles& tumbles) {
  for (int k = 0, parent = first; k < count; ++k) {
    const int body = builder.AddBody(
        {.parent = parent, .X_PB = Shift(tumbles.Uniform(0.02, 0.06), tumbles.Uniform(-0.02, 0.02), 0)});
    const HingeJoint hinge{.axis_B = tumbles.Direction()};
    builder.AddJoint(body, {.kind = k % 2 == 0 ? JointKind(hinge) : JointKind(BallJoint{})});
    const Vector3d half(tumbles.Uniform(0.005, 0.02), tumbles.Uniform(0.005, 0.02), 0.01);
    const Geom box{
        .body = body, .shape = Box{half}, .X_BG = Shift(0.02, 0, 0), .contype = 0, .conaffinity = 0};
    builder.AddGeom(box, {.mass = 8e3 * half.prod()});
    parent = body;
  }
}

Model MakeTumbler(int num_links, Tumbles& tumbles, bool floats = true) {
  ModelBuilder builder("tumbler");
  builder.options().gravity.setZero();
  const int root = floats ? AddFreeBody(builder, Box{{0.02, 0.01, 0.015}}, 0.024, {}) : 0;
  AddLinks(builder, root, num_links, tumbles);
  return builder.Build();
}

// Two chains on the ground whose last links are held together by a point.
Model MakeTiedChains(Tumbles& tumbles) {
  ModelBuilder builder("tied");
  builder.options().gravity.setZero();
  AddLinks(builder, 0, 3, tumbles);
  AddLinks(builder, 0, 4, tumbles);
  const auto pose = [&](int body) {
    RigidTransform X_WB;
    for (int b = body; b > 0; b = builder.body(b).parent) X_WB = builder.body(b).X_PB * X_WB;
    return X_WB;
  };
  const Vector3d p_BQ(0.03, 0.01, 0.0);
  FrameLock pin{.a = {.body = 3, .X_BF = {.p = p_BQ}},
                .b = {.body = 7, .X_BF = {.p = pose(7).Inverse() * (pose(3) * p_BQ)}}};
  pin.locked = {false, false, false, true, true, true};
  builder.AddEquality({.kind = pin});
  return builder.Build();
}

// Near singular places loops ask for velocities that grow from step to step, in one tree or in several.
TEST(CoarseMotion, NothingThatLoopsHoldFliesApart) {
  Tumbles tumbles(5);
  for (int run = 0; run < 80; ++run) {
    WorldOptions options;
    options.timestep = 0.002;
    options.integrator = run % 2 == 0 ? Integrator::kSymplecticEuler : Integrator::kMidpoint;
    World world(MakeTiedChains(tumbles), options);
    State state = world.state();
    state.v = tumbles.Vector(world.model().nv(), tumbles.Uniform(20.0, 150.0));
    world.set_state(state);
    world.Step();
    const double start = world.CalcEnergy().kinetic;
    for (int i = 0; i < 500; ++i) {
      world.Step();
      ASSERT_EQ(world.report().status, StepStatus::kOk) << run << ", step " << i;
      ASSERT_LT(world.CalcEnergy().kinetic, 1.5 * start) << run << ", step " << i;
    }
  }
}

TEST(CoarseMotion, NothingThatTumblesGainsEnergy) {
  Tumbles tumbles(1);
  for (const double turn : {0.8, 1.5, 3.0, 10.0}) {
    for (int k = 0; k < 12; ++k) {
      const int held = k < 9 ? 3 : 0;  // dofs of what floats that stand still at first
      World world = MakeWorld(MakeTumbler(1 + k % 3, tumbles, k < 9), kCoarseStep);
      State state = world.state();
      const int turning = static_cast<int>(state.v.size()) - held;
      state.v.tail(turning) = tumbles.Vector(turning, turn / kCoarseStep);
      world.set_state(state);
      const double before = world.CalcEnergy().kinetic;
      const RunSummary run = RunSteps(world, 2000);
      EXPECT_EQ(run.not_ok, 0);
      EXPECT_LE(run.kinetic, 1.1 * before) << turn << " " << k;
    }
  }
}

// Whatever is taken is taken from the motion about the mass centre, which moves as a point of that mass does.
TEST(CoarseMotion, TheMassCentreGoesOn) {
  Tumbles tumbles(2);
  int num_coarse = 0;
  for (int k = 0; k < 20; ++k) {
    Model model = MakeTumbler(2, tumbles);
    model.options.gravity = {0.0, 0.0, -9.81};
    World world = MakeWorld(model, kCoarseStep);
    double mass = 0.0;
    for (const Body& body : model.bodies) mass += body.inertia.mass;
    State state = world.state();
    state.v = tumbles.Vector(static_cast<int>(state.v.size()), 500.0);
    state.v.head<3>() = 2.0 * tumbles.Direction();
    world.set_state(state);
    for (int step = 0; step < 50; ++step) {
      const Vector3d momentum = world.CalcMomentum().first;
      world.Step();
      if (kCoarseStep * world.v().lpNorm<Eigen::Infinity>() < 0.25) continue;
      ++num_coarse;
      const Vector3d expected = momentum + kCoarseStep * mass * model.options.gravity;
      EXPECT_LT((world.CalcMomentum().first - expected).norm(), 1e-9 * (1.0 + momentum.norm())) << k;
    }
  }
  EXPECT_GT(num_coarse, 500);
}

// Nor does a step move anything further than that energy could.
TEST(CoarseMotion, NothingGoesFurtherThanItIsFast) {
  Tumbles tumbles(3);
  for (int k = 0; k < 100; ++k) {
    const Model model = MakeTumbler(1 + k % 3, tumbles, k % 4 != 0);
    World world = MakeWorld(model, kCoarseStep);
    State state = world.state();
    state.v =
        tumbles.Vector(static_cast<int>(state.v.size()), std::exp(tumbles.Uniform(0.0, 5.0)) / kCoarseStep);
    if (k % 4 != 0) state.v.head<3>().setZero();
    world.set_state(state);
    const double energy = world.CalcEnergy().kinetic;
    const std::vector<Vector3d> before = world.kinematics().p_WBcm;
    world.Step();
    for (int b = 1; b < model.num_bodies(); ++b) {
      const double speed = std::sqrt(2.0 * energy / model.bodies[b].inertia.mass);
      EXPECT_LT((world.kinematics().p_WBcm[b] - before[b]).norm(), 1.6 * kCoarseStep * speed)
          << k << " " << b;
    }
  }
}

// A wheel on its axle has the same inertia wherever it stands.
TEST(CoarseMotion, AWheelTurnsOn) {
  ModelBuilder builder("wheel");
  const int body = AddFreeBody(builder, Box{{0.1, 0.05, 0.02}}, 1.0, Shift(0, 0, 1));
  const int wheel = builder.AddBody({.parent = body, .X_PB = Shift(0.1, 0, 0.03)});
  builder.AddJoint(wheel, {.kind = HingeJoint{.axis_B = Vector3d::UnitZ()}});
  builder.AddGeom({.body = wheel, .shape = Cylinder{0.03, 0.005}, .contype = 0, .conaffinity = 0},
                  {.mass = 0.1});
  World world = MakeWorld(builder.Build(), kCoarseStep);
  State state = world.state();
  state.v[6] = 1000.0;  // five radians a step
  world.set_state(state);
  for (int step = 0; step < 200; ++step) world.Step();
  EXPECT_NEAR(world.v()[6], 1000.0, 1e-9);
  EXPECT_NEAR(world.v()[2], -kGravity * 200 * kCoarseStep, 1e-9);
}

// What a step nearly resolves keeps its energy in the mean: it is not taken where it comes and left where it
// goes.
TEST(CoarseMotion, AnArmThatSwingsFastIsNotBraked) {
  for (const double speed : {50.0, 80.0}) {  // of its first link [rad/s], the second's is 1.3 times that
    ModelBuilder builder("arm");
    builder.options().gravity.setZero();
    for (int parent = 0; parent < 2; ++parent) {
      const int link = builder.AddBody({.parent = parent, .X_PB = Shift(parent * 0.2, 0, 0)});
      builder.AddJoint(link, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
      const Geom rod{.body = link,
                     .shape = Capsule{0.02, 0.1},
                     .X_BG = Turn(0.5 * kPi, Vector3d::UnitY(), {0.1, 0, 0}),
                     .contype = 0,
                     .conaffinity = 0};
      builder.AddGeom(rod, {.mass = 1.0});
    }
    World world = MakeWorld(builder.Build(), kCoarseStep);
    State state = world.state();
    state.v << speed, 0.3 * speed;
    world.set_state(state);
    const double before = world.CalcEnergy().kinetic;
    RunSteps(world, 1000);
    EXPECT_NEAR(world.CalcEnergy().kinetic, before, 0.02 * before) << speed;
  }
}

// Both joints of an arm run into their limits in one step, and it stands: it has no energy, and by rounding
// was allowed less than none.
TEST(CoarseMotion, AnArmThatItsLimitsStopStands) {
  Tumbles tumbles(2);
  for (int k = 0; k < 50; ++k) {
    ModelBuilder builder("arm");
    builder.options().gravity.setZero();
    for (int parent = 0; parent < 2; ++parent) {
      const int link = builder.AddBody({.parent = parent, .X_PB = Shift(parent * 0.2, 0, 0)});
      Joint joint{.kind = HingeJoint{.axis_B = Vector3d::UnitY()}};
      joint.lower = -1.0, joint.upper = tumbles.Uniform(0.0, 0.2);
      builder.AddJoint(link, joint);
      builder.SetInertia(link, Transform(Turn(0.5 * kPi, Vector3d::UnitY(), {0.1, 0, 0}),
                                         CalcSolidMassProperties(Capsule{0.02, 0.1}, 1.0)));
    }
    World world = MakeWorld(builder.Build(), kCoarseStep);
    State state = world.state();
    state.v << tumbles.Uniform(55.0, 90.0), tumbles.Uniform(55.0, 90.0);
    world.set_state(state);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk) << k << " step " << i;
    EXPECT_LT(world.v().norm(), 1e-8) << k;
  }
}

// A rope of 16 links of 10 g with much more at its end, which falls over a beam: what presses it is no reason
// to gain energy, at turns of a tenth of a radian a step as at larger ones.
TEST(CoarseMotion, ARopeThatFallsOverABeamGainsNoEnergy) {
  constexpr double kLength = 0.06, kRadius = 0.012, kHalf = 0.5 * 0.95 * kLength;
  const auto fall = [&](const JointKind& kind, double limit, double weight) {
    ModelBuilder builder("rope");
    builder.AddGeom(
        {.shape = Cylinder{0.1, 0.5}, .X_BG = Turn(0.5 * kPi, Vector3d::UnitX(), {0.3, 0, -0.15})});
    for (int i = 0, parent = 0; i < 16; ++i) {
      parent = builder.AddBody({.parent = parent, .X_PB = Shift(i == 0 ? 0.0 : kLength, 0, 0)});
      Joint joint{.kind = kind};
      if (limit > 0.0) joint.lower = -limit, joint.upper = limit;
      builder.AddJoint(parent, joint);
      builder.AddGeom({.body = parent,
                       .shape = Capsule{kRadius, kHalf},
                       .X_BG = Turn(0.5 * kPi, Vector3d::UnitY(), {kHalf, 0, 0})},
                      {.mass = i == 15 ? weight : 0.01});
    }
    World world = MakeWorld(builder.Build(), 0.001);
    const auto energy = [&] { return world.CalcEnergy().kinetic + world.CalcEnergy().potential; };
    const double start = energy();
    double most = start;
    for (int i = 0; i < 2000; ++i) {
      EXPECT_EQ(world.Step().status, StepStatus::kOk) << i;
      most = std::max(most, energy());
    }
    return (most - start) / (weight * kGravity * 16 * kLength);
  };
  const HingeJoint hinge{.axis_B = Vector3d::UnitY()};
  EXPECT_LT(fall(hinge, 0.0, 100.0), 0.01);
  EXPECT_LT(fall(hinge, 1.0, 10.0), 0.04);
  EXPECT_LT(fall(BallJoint{}, 1.0, 100.0), 0.01);
}

// A tendon that begins far beyond its range turns two links by up to a tenth of a radian a step, which
// changes their inertia and no velocity: that made energy.
TEST(CoarseMotion, GainsNothingFromDisplacements) {
  ModelBuilder builder("pulled");
  builder.options().gravity.setZero();
  int parent = 0;
  for (const double mass : {0.1, 0.5}) {
    parent = builder.AddBody({.parent = parent, .X_PB = Shift(parent == 0 ? 0.0 : 0.2, 0, 0)});
    builder.AddJoint(parent, {.kind = HingeJoint{.axis_B = Vector3d::UnitZ()}});
    builder.SetInertia(parent,
                       Transform(Shift(0.1, 0, 0), CalcSolidMassProperties(Box{{0.1, 0.02, 0.02}}, mass)));
  }
  SpatialTendon path;
  path.path = {SpatialTendon::Site{0, {0.4, 0, 0}}, SpatialTendon::Site{parent, {0.2, 0, 0}}};
  Tendon tendon{.path = path};
  tendon.upper = 0.1;
  builder.AddTendon(tendon);
  World world = MakeWorld(builder.Build(), 5e-4);
  State state = world.state();
  state.q << 1.5, 1.0;
  state.v << 20.0, -150.0;
  world.set_state(state);
  const double start = world.CalcEnergy().total();
  for (int i = 0; i < 400; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
    ASSERT_LT(world.CalcEnergy().total(), 1.02 * start) << i;
  }
}

}  // namespace
}  // namespace stiction::testing

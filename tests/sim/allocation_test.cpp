// A step allocates nothing once its buffers have seen every size that occurs: contacts come and go in these
// scenes, so a run is repeated from its start, and the second time must be free of allocations.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "stiction/io/load.h"
#include "stiction/sim/batch.h"
#include "stiction/sim/controller.h"
#include "stiction/sim/expectation.h"
#include "stiction/sim/recorder.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/four_bar.h"
#include "tests/support/scenes.h"

namespace stiction {
namespace {

using stiction::testing::CanCountAllocations;
using stiction::testing::CountAllocations;

// Of the second of two equal runs.
long CountInRepetition(World& world, int steps) {
  const State start = world.state();
  for (int i = 0; i < steps; ++i) world.Step();
  const std::uint64_t hash = Hash(world.state());
  world.set_state(start);
  const long before = CountAllocations();
  for (int i = 0; i < steps; ++i) world.Step();
  const long count = CountAllocations() - before;
  EXPECT_EQ(Hash(world.state()), hash) << "the two runs must be the same work";
  return count;
}

// Boxes, balls and capsules in a heap: manifolds of all these shapes, ghosts, retries, sweeps and Newton.
Model MakeHeap() {
  ModelBuilder builder("heap");
  stiction::testing::AddFloor(builder);
  for (int i = 0; i < 12; ++i) {
    const double x = 0.07 * (i % 3), y = 0.06 * (i % 2), z = 0.1 + 0.11 * i;
    const Shape shapes[] = {Box{{0.05, 0.04, 0.03}}, Sphere{0.04}, Capsule{0.03, 0.04}};
    stiction::testing::AddFreeBody(
        builder, shapes[i % 3], 1.0 + i,
        stiction::testing::Turn(0.3 * i, Vector3d(1, i, 2).normalized(), Vector3d(x, y, z)));
  }
  return builder.Build();
}

// A chain with limits and springs that swings onto the floor.
Model MakeChain() {
  ModelBuilder builder("chain");
  stiction::testing::AddFloor(builder);
  int parent = 0;
  for (int i = 0; i < 6; ++i) {
    const int link = builder.AddBody(
        {.parent = parent, .X_PB = stiction::testing::Shift(i == 0 ? 0 : 0.2, 0, i == 0 ? 0.5 : 0)});
    builder.AddJoint(link, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()},
                            .stiffness = 0.5,
                            .damping = 0.01,
                            .lower = -0.5,
                            .upper = 0.5});
    builder.AddGeom(
        {.body = link, .shape = Box{{0.08, 0.02, 0.02}}, .X_BG = stiction::testing::Shift(0.1, 0, 0)},
        {.mass = 0.5});
    parent = link;
  }
  return builder.Build();
}

// Soft shapes of all kinds on a plane and on one another.
Model MakeSoftHeap() {
  ModelBuilder builder("soft heap");
  stiction::testing::AddFloor(builder);
  const Shape shapes[] = {Box{{0.05, 0.04, 0.03}}, Sphere{0.04}, Capsule{0.03, 0.04}, Cylinder{0.04, 0.03},
                          Ellipsoid{{0.03, 0.04, 0.05}}};
  for (int i = 0; i < 10; ++i) {
    const RigidTransform X_WB = stiction::testing::Turn(
        0.3 * i, Vector3d(1, i, 2).normalized(), Vector3d(0.07 * (i % 2), 0.06 * (i % 3), 0.06 + 0.07 * i));
    const int body = builder.AddBody({.X_PB = X_WB});
    builder.AddJoint(body, {.kind = FreeJoint{}});
    const Hydroelastic soft{.modulus = 1e5, .dissipation_time = 0.02, .max_polygons = 4};
    builder.AddGeom({.body = body, .shape = shapes[i % 5], .hydroelastic = soft}, {.mass = 0.3});
  }
  return builder.Build();
}

class StepAllocation : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!CanCountAllocations()) GTEST_SKIP() << "malloc belongs to a sanitizer";
  }
};

TEST_F(StepAllocation, NoneWithPatches) {
  World world(MakeSoftHeap());
  EXPECT_EQ(CountInRepetition(world, 100), 0);
}

TEST_F(StepAllocation, NoneInAHeapOfMixedShapes) {
  World world(MakeHeap());
  EXPECT_EQ(CountInRepetition(world, 600), 0);
  EXPECT_GT(world.report().num_contacts, 12);
}

TEST_F(StepAllocation, NoneWithFrictionMomentsAndCompliance) {
  for (const ContactModel contact : {ContactModel::kRigid, ContactModel::kSoft, ContactModel::kCompliant}) {
    Model model = MakeHeap();
    model.options.contact_model = contact;
    for (Geom& geom : model.geoms) {
      geom.condim = 6;
      geom.stiffness = 1e5;
    }
    for (const char* solver : {"auto", "canal"}) {  // of impulses alone, and with a velocity
      World world = stiction::testing::MakeWorld(model, 0.002, solver);
      EXPECT_EQ(CountInRepetition(world, 600), 0) << ToString(contact) << ' ' << solver;
      EXPECT_GE(world.report().num_contacts, 6) << ToString(contact) << ' ' << solver;
    }
  }
}

TEST_F(StepAllocation, NoneInAChainThatHitsLimitsAndFloor) {
  World world(MakeChain());
  EXPECT_EQ(CountInRepetition(world, 600), 0);
  EXPECT_GT(world.report().num_contacts + world.report().num_limits, 0);
}

TEST_F(StepAllocation, NoneWithEachSolver) {
  for (const char* solver : {"auto", "canal", "nbgs_c", "subadmm", "admm_nosub", "admm_ncp", "admm_ccp"}) {
    World world = stiction::testing::MakeWorld(stiction::testing::MakeBoxStack(5, 100.0), 0.002, solver);
    EXPECT_EQ(CountInRepetition(world, 100), 0) << solver;
  }
}

TEST_F(StepAllocation, NoneInWatchingExpectations) {
  World world = stiction::testing::MakeWorld(stiction::testing::MakeBoxStack(3));
  std::vector<Expectation> expectations;
  for (int q = 0; q <= static_cast<int>(Quantity::kContacts); ++q)
    expectations.push_back({.what = static_cast<Quantity>(q), .of = "body2", .min = 0, .max = 1});
  ExpectationMonitor monitor(world, expectations);
  world.Step();
  monitor.Observe(world);
  world.Step();
  const long before = CountAllocations();
  monitor.Observe(world);
  EXPECT_EQ(CountAllocations() - before, 0);
}

// One of every type, on the last link of a chain that hits limits and floor.
TEST_F(StepAllocation, NoneInAskingSensors) {
  const Model chain = MakeChain();
  ModelBuilder builder("measured");
  builder.AddModel(chain, "");
  for (int type = 0; type <= static_cast<int>(SensorType::kClock); ++type) {
    Sensor sensor;
    sensor.type = static_cast<SensorType>(type);
    const bool is_of_ball =
        sensor.type == SensorType::kBallQuaternion || sensor.type == SensorType::kBallAngularVelocity;
    if (is_of_ball || FamilyOf(sensor.type) == SensorFamily::kTendon ||
        FamilyOf(sensor.type) == SensorFamily::kActuator)
      continue;
    sensor.index = 3;
    sensor.frame.body = chain.num_bodies() - 1;
    if (sensor.type == SensorType::kCameraProjection)
      sensor.index = builder.AddCamera({.body = 3, .mode = CameraMode::kTrackCom});
    if (sensor.type == SensorType::kInsideRegion) sensor.reference = Frame{.body = 1};
    if (sensor.type == SensorType::kContactSlots) sensor.slots.count = 3, sensor.slots.fields.fill(true);
    if (FamilyOf(sensor.type) == SensorFamily::kNearest)
      sensor.side_a.body = 1, sensor.side_b.body = chain.num_bodies() - 1, sensor.cutoff = 10.0;
    builder.AddSensor(sensor);
  }
  World world(builder.Build());
  const State start = world.state();
  long before = 0;
  for (int repetition = 0; repetition < 2; ++repetition) {
    world.set_state(start);
    before = CountAllocations();
    for (int i = 0; i < 400; ++i) {
      world.Step();
      EXPECT_TRUE(world.sensors().allFinite());
    }
  }
  EXPECT_EQ(CountAllocations() - before, 0);
}

TEST_F(StepAllocation, NoneInControllers) {
  World world(MakeChain());
  const ControllerTarget still{.values = {0.1, 0, 0.3}, .times = {0.0}};
  ControllerDescription pd{
      .type = ControllerType::kJointPd, .compensation = Compensation::kBias, .kp = {50}, .kd = {5}};
  ControllerDescription pose{.type = ControllerType::kPose, .target = still, .of = "body6"};
  pose.stiffness.setConstant(100.0);
  pose.damping.setConstant(10.0);
  pose.nullspace_damping = 0.1;
  const ControllerDescription push{.type = ControllerType::kWrench, .of = "body3", .force = {0, 0, 5}};
  AttachControllers(world, {pd, pose, push});
  EXPECT_EQ(CountInRepetition(world, 300), 0);
}

// The same worlds for more steps: what a rollout allocates does not depend on how many there are.
TEST_F(StepAllocation, NoneInTheStepsOfARollout) {
  for (const int threads : {1, 2}) {
    const Model model = MakeHeap();
    Batch batch(model, {.num_threads = threads});
    const State start = State::Default(model);
    const int size = batch.layout(200).size();
    constexpr int kWorlds = 4, kLong = 250, kShort = 200;
    std::vector<double> rows(kWorlds * kLong * size), ncp(kWorlds * kLong);
    std::vector<int> num_contacts(kWorlds * kLong);
    std::vector<Contact> contacts(kWorlds * kLong * 4);
    const auto count = [&](int steps) {
      const auto part = [&](auto& array) { return std::span(array).first(array.size() / kLong * steps); };
      const long before = CountAllocations();
      const RolloutReport report =
          batch.Rollout({.num_worlds = kWorlds, .num_steps = steps, .states = {&start, 1}},
                        {.state_rows = part(rows),
                         .row_max_contacts = 200,
                         .ncp = part(ncp),
                         .num_contacts = part(num_contacts),
                         .contacts = part(contacts),
                         .max_contacts = 4});
      EXPECT_TRUE(report.troubles.empty());
      return CountAllocations() - before;
    };
    // Every World that is ever made is warm when it has taken part in a long rollout.
    for (int i = 0; i < 3; ++i) count(kLong);
    long least = count(kLong);
    for (int i = 0; i < 2; ++i) least = std::min(least, count(kLong));
    long least_short = count(kShort);
    for (int i = 0; i < 2; ++i) least_short = std::min(least_short, count(kShort));
    if (threads == 1) {
      EXPECT_EQ(least, least_short);
    }
    EXPECT_LT(least - least_short, kWorlds * (kLong - kShort) / 10) << threads;
    EXPECT_GT(*std::max_element(num_contacts.begin(), num_contacts.end()), 12);
  }
}

TEST_F(StepAllocation, NoneWhileRecording) {
  World world(MakeHeap());
  const std::string path = ::testing::TempDir() + "stiction_" + std::to_string(getpid()) + "_allocation.csv";
  Recorder recorder(path, world, {.all_bodies = true, .contacts = true, .energy = true});
  const State start = world.state();
  long before = 0;
  for (int repetition = 0; repetition < 2; ++repetition) {
    world.set_state(start);
    before = CountAllocations();
    for (int i = 0; i < 300; ++i) {
      world.Step();
      recorder.Record(world);
    }
  }
  EXPECT_EQ(CountAllocations() - before, 0);
  std::filesystem::remove(path);
}

TEST_F(StepAllocation, NoneWithLoops) {
  for (const Integrator integrator :
       {Integrator::kSymplecticEuler, Integrator::kExplicitEuler, Integrator::kImplicitEuler,
        Integrator::kMidpoint, Integrator::kRungeKutta4}) {
    WorldOptions options;
    options.timestep = 0.002;
    options.integrator = integrator;
    World world(stiction::testing::MakeFourBar(false), options);
    world.input().applied_generalized[0] = 0.2;
    world.Step();
    EXPECT_EQ(CountInRepetition(world, 100), 0) << ToString(integrator);
  }
}

// Falling asleep and waking may allocate, because geoms change trees in the broadphase; neither state does.
// Boxes come to rest one after another, and a ball strikes some of them again.
TEST_F(StepAllocation, NoneWhereIslandsBecomeStill) {
  using stiction::testing::Shift;
  ModelBuilder builder("boxes");
  stiction::testing::AddFloor(builder);
  for (int i = 0; i < 10; ++i)
    stiction::testing::AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(i, 0, 0.05 + 0.01 * i));
  stiction::testing::AddFreeBody(builder, Sphere{0.05}, 1.0, Shift(-1, 0, 0.05));
  World world(builder.Build());
  State rolling = world.state();
  rolling.v[60] = 4.0, rolling.v[64] = 80.0;
  world.set_state(rolling);
  EXPECT_EQ(CountInRepetition(world, 300), 0);
  const auto is_left_out = [](const Contact& contact) { return contact.constraint < 0; };
  EXPECT_GT(std::count_if(world.contacts().begin(), world.contacts().end(), is_left_out), 20);
}

TEST_F(StepAllocation, NoneWhileSomeSleep) {
  ModelBuilder builder("half");
  builder.AddModel(stiction::testing::MakeBoxStack(3), "");
  builder.AddModel(stiction::testing::Pendulum{}.Build(), "swing", stiction::testing::Shift(1, 0, 2));
  WorldOptions options;
  options.sleep = true;
  World world(builder.Build(), options);
  State state = world.state();
  state.q[21] = 1.0;
  world.set_state(state);
  const auto count = [&](int steps) {
    world.Step();
    const std::size_t contacts = world.contacts().size();
    const long before = CountAllocations();
    for (int i = 0; i < steps; ++i) {
      world.Step();
      EXPECT_EQ(world.contacts().size(), contacts);
    }
    return CountAllocations() - before;
  };
  for (int i = 0; i < 100; ++i) world.Step();
  EXPECT_EQ(count(50), 0);
  EXPECT_EQ(world.report().num_sleeping, 0);
  for (int i = 0; i < 300; ++i) world.Step();
  EXPECT_EQ(world.report().num_sleeping, 3);
  EXPECT_EQ(count(50), 0);
  EXPECT_EQ(world.contacts().size(), 12u);
}

}  // namespace
}  // namespace stiction

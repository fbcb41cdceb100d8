#include "sim/sleep.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "stiction/sim/step.h"
#include "tests/support/four_bar.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

World MakeSleepyWorld(const Model& model, Integrator integrator = Integrator::kSymplecticEuler) {
  WorldOptions options;
  options.timestep = 0.002;
  options.sleep = true;
  options.integrator = integrator;
  return World(model, options);
}

// Steps until so many trees sleep; false if that does not happen within the given number of steps.
bool StepUntilAsleep(World& world, int trees, int steps = 1500) {
  for (int i = 0; i < steps; ++i) {
    if (world.Step().num_sleeping == trees) return true;
  }
  return false;
}

// Two stacks of three boxes a metre apart, dropped by half a millimetre, and a ball that hangs far above the
// first: bodies 1-3, 4-6, 7.
Model MakeStacksUnderBall(double ball_height = 5.0) {
  ModelBuilder builder("stacks");
  AddFloor(builder);
  for (int i = 0; i < 6; ++i)
    AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(i / 3, 0, 0.0505 + 0.1 * (i % 3)));
  AddFreeBody(builder, Sphere{0.05}, 1.0, Shift(0, 0, ball_height));
  return builder.Build();
}

// The position of the i-th free body.
Vector3d PositionOf(const World& world, int i) {
  return world.q().segment<3>(7 * i);
}

TEST(Sleep, IsOffUnlessAskedFor) {
  World world = MakeWorld(MakeBoxStack(2));
  EXPECT_FALSE(StepUntilAsleep(world, 2, 600));
  EXPECT_TRUE(world.state().sleep.island.empty());
}

TEST(Sleep, StackFallsAsleepAndStaysBitForBit) {
  World world = MakeSleepyWorld(MakeBoxStack(3, 1.0, -1e-4));
  ASSERT_TRUE(StepUntilAsleep(world, 3));
  EXPECT_GE(world.time(), 0.5);
  EXPECT_TRUE(world.IsAsleep(1) && world.IsAsleep(3));
  EXPECT_TRUE(world.v().isZero(0.0));
  const VectorXd q = world.q();
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(world.Step().status, StepStatus::kOk);
    EXPECT_EQ(world.report().num_sleeping, 3);
    EXPECT_EQ(world.report().num_contacts, 0);
    ASSERT_EQ(world.q(), q) << "step " << i;
    ASSERT_TRUE(world.v().isZero(0.0)) << "step " << i;
  }
}

// Boxes of 1 kg: what lies below carries what lies above, asleep as awake.
TEST(Sleep, ContactsKeepTellingWhatHoldsTheStack) {
  World world = MakeSleepyWorld(MakeBoxStack(3));
  ASSERT_TRUE(StepUntilAsleep(world, 3));
  const double ncp = world.report().certificate.ncp_max;
  const std::size_t count = world.contacts().size();
  EXPECT_EQ(count, 12u);
  RunSteps(world, 100);
  ASSERT_EQ(world.contacts().size(), count);
  for (int body = 1; body <= 3; ++body) {
    double carried = 0.0;
    for (const Contact& contact : world.FindContacts(body)) {
      if (world.model().geoms[contact.geom_a].body < body)
        carried += contact.impulse_W.z() / world.timestep();
    }
    EXPECT_NEAR(carried, (4 - body) * kGravity, 1e-6) << body;
  }
  EXPECT_GE(world.report().certificate.ncp_max, 0.0);
  EXPECT_LE(world.report().certificate.ncp_max, 1e-8);
  EXPECT_LE(ncp, 1e-8);
}

TEST(Sleep, ChangesNothingUntilTheFirstFallsAsleep) {
  const Model model = MakeStacksUnderBall();
  World sleepy = MakeSleepyWorld(model), wakeful = MakeWorld(model);
  int steps = 0;
  while (sleepy.Step().num_sleeping == 0) {
    wakeful.Step();
    ASSERT_EQ(Hash(sleepy.state()), Hash(wakeful.state())) << "step " << steps;
    ASSERT_LT(++steps, 1000);
  }
  EXPECT_GT(steps, 250);
}

// What others do does not change because some sleep, as long as they do not meet: bit for bit with the
// explicit scheme, and as closely as their Newton iterations converge, all trees together, with the implicit
// ones.
TEST(Sleep, LeavesTheOthersAlone) {
  for (const Integrator integrator :
       {Integrator::kSymplecticEuler, Integrator::kImplicitEuler, Integrator::kMidpoint}) {
    ModelBuilder builder("two");
    builder.AddModel(MakeBoxStack(2), "");
    builder.AddModel(Pendulum{}.Build(), "swing", Shift(1, 0, 2));
    const Model model = builder.Build();
    WorldOptions options;
    options.timestep = 0.002;
    options.integrator = integrator;
    World sleepy = MakeSleepyWorld(model, integrator), wakeful(model, options);
    for (World* world : {&sleepy, &wakeful}) {
      State state = world->state();
      state.q[14] = 1.0;
      world->set_state(state);
    }
    for (int i = 0; i < 800; ++i) {
      sleepy.Step(), wakeful.Step();
      const bool is_explicit = integrator == Integrator::kSymplecticEuler;
      ASSERT_NEAR(sleepy.q()[14], wakeful.q()[14], is_explicit ? 0.0 : 1e-10)
          << ToString(integrator) << ", step " << i;
    }
    EXPECT_EQ(sleepy.report().num_sleeping, 2) << ToString(integrator);
    EXPECT_NE(sleepy.q()[14], 1.0);
  }
}

// Without contacts rk4 rests, too.
TEST(Sleep, DampedPendulumSleepsWithEveryIntegrator) {
  for (const Integrator integrator : {Integrator::kSymplecticEuler, Integrator::kImplicitEuler,
                                      Integrator::kMidpoint, Integrator::kRungeKutta4}) {
    Pendulum pendulum;
    pendulum.joint.damping = 1.0;
    World world = MakeSleepyWorld(pendulum.Build(), integrator);
    State state = world.state();
    state.q[0] = 0.5;
    world.set_state(state);
    ASSERT_TRUE(StepUntilAsleep(world, 1, 3000)) << ToString(integrator);
    const double angle = world.q()[0];
    // At most the tolerance times the time constant of the damping, 0.25 s, over the length.
    EXPECT_NEAR(angle, 0.0, 1e-4);
    RunSteps(world, 10);
    EXPECT_EQ(world.q()[0], angle) << ToString(integrator);
  }
}

TEST(Sleep, FallingBallWakesItsStackAlone) {
  World world = MakeSleepyWorld(MakeStacksUnderBall());
  ASSERT_TRUE(StepUntilAsleep(world, 6));
  const VectorXd q = world.q();
  int step = 0;
  while (world.IsAsleep(1) && step++ < 1000) world.Step();
  // 5 m − 0.35 m − 5 cm fall in √(2 · 4.6 / 9.81) s; the margin lets it wake a little earlier.
  EXPECT_NEAR(world.time(), std::sqrt(2.0 * 4.6 / kGravity), 0.01);
  EXPECT_FALSE(world.IsAsleep(2) || world.IsAsleep(3)) << "an island wakes as a whole";
  EXPECT_TRUE(world.IsAsleep(4) && world.IsAsleep(5) && world.IsAsleep(6));
  RunSteps(world, 30);
  EXPECT_LT(world.report().certificate.ncp_max, 1e-8);
  EXPECT_FALSE(world.IsAsleep(3));
  double load = 0.0;  // on the ground, of three boxes and the ball
  for (const Contact& contact : world.FindContacts(0, 1)) load += contact.impulse_W.z() / world.timestep();
  EXPECT_NEAR(load, 4.0 * kGravity, 1e-3) << "what wakes carries what woke it";
  EXPECT_EQ(PositionOf(world, 3), Vector3d(q.segment<3>(21)));
  EXPECT_GT(world.q()[7 * 6 + 2], 0.1) << "the ball is stopped, not passed through";
}

TEST(Sleep, ForceWakesAndActsInFull) {
  World world = MakeSleepyWorld(MakeBoxStack(1));
  ASSERT_TRUE(StepUntilAsleep(world, 1));
  world.AddForce(1, PositionOf(world, 0), {0, 0, 2.0 * kGravity});
  EXPECT_EQ(world.Step().num_sleeping, 0);
  EXPECT_NEAR(world.v()[2], kGravity * world.timestep(), 1e-9);
  ASSERT_TRUE(StepUntilAsleep(world, 1));
  // A steady force that friction holds: it wakes, and then sleeps under it.
  world.input().applied_wrench(3, 1) = 5.0;
  EXPECT_EQ(world.Step().num_sleeping, 0);
  ASSERT_TRUE(StepUntilAsleep(world, 1));
  Vector3d force = Vector3d::Zero();
  for (const Contact& contact : world.FindContacts(1)) force += contact.impulse_W / world.timestep();
  EXPECT_NEAR(force.x(), -5.0, 1e-5);  // the budget of 1e-8 m/s, times 1 kg, in a step of 2 ms
  world.input().applied_wrench(3, 1) = 0.0;
  EXPECT_EQ(world.Step().num_sleeping, 0) << "forces that end wake, too";
}

TEST(Sleep, ControlWakesAnArmThatHoldsStill) {
  ModelBuilder builder("arm");
  Pendulum pendulum;
  pendulum.joint.name = "hinge";
  pendulum.joint.damping = 2.0;
  builder.AddModel(pendulum.Build(), "");
  builder.AddActuator({.name = "servo", .joint = 0, .gain = {200, 0, 0}, .bias = {0, -200, -20}});
  World world = MakeSleepyWorld(builder.Build());
  world.input().ctrl[0] = 0.5;
  ASSERT_TRUE(StepUntilAsleep(world, 1));
  // Held against gravity by the servo, out of its target by τ/kp.
  const double angle = world.q()[0];
  EXPECT_NEAR(200.0 * (0.5 - angle), kGravity * 0.5 * std::sin(angle), 1e-3);
  EXPECT_EQ(world.Step().num_sleeping, 1);
  world.input().ctrl[0] = 0.6;
  EXPECT_EQ(world.Step().num_sleeping, 0);
  RunSteps(world, 1000);
  EXPECT_NEAR(world.q()[0] - angle, 0.1, 3e-3);
}

// An actuator that winds up against friction moves nothing for long, yet is not at rest.
TEST(Sleep, WindingActivationKeepsAwake) {
  ModelBuilder builder("winding");
  const int arm = builder.AddBody({});
  builder.AddJoint(arm,
                   {.name = "slide", .kind = SlideJoint{.axis_B = Vector3d::UnitX()}, .friction_loss = 5.0});
  builder.AddGeom({.body = arm, .shape = Sphere{0.05}}, {.mass = 1.0});
  builder.AddActuator({.name = "winder", .joint = 0, .dynamics = ActuatorDynamics::kIntegrator});
  World world = MakeSleepyWorld(builder.Build());
  world.input().ctrl[0] = 1.0;  // 5 N after 5 s
  for (int i = 0; i < 2450; ++i) ASSERT_EQ(world.Step().num_sleeping, 0) << i;
  EXPECT_NEAR(world.q()[0], 0.0, 1e-9);
  RunSteps(world, 500);
  EXPECT_GT(world.q()[0], 0.01);
}

// A box on a mocap plate.
Model MakeBoxOnPlate() {
  ModelBuilder builder("plate");
  const int plate = builder.AddBody({.name = "plate", .is_mocap = true});
  builder.AddGeom({.body = plate, .shape = Box{{0.5, 0.5, 0.05}}});
  AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(0, 0, 0.1));
  return builder.Build();
}

TEST(Sleep, MocapBodyThatLeavesLetsItsLoadFall) {
  World world = MakeSleepyWorld(MakeBoxOnPlate());
  ASSERT_TRUE(StepUntilAsleep(world, 1));
  RunSteps(world, 50);
  EXPECT_EQ(world.report().num_sleeping, 1) << "a mocap body that stands still wakes nobody";
  world.input().mocap[0] += 3.0;
  EXPECT_EQ(world.Step().num_sleeping, 0);
  EXPECT_NEAR(world.v()[2], -kGravity * world.timestep(), 1e-9);
}

TEST(Sleep, MocapBodyThatMovesKeepsAwakeWhatItTouches) {
  World world = MakeSleepyWorld(MakeBoxOnPlate());
  for (int i = 0; i < 600; ++i) {
    world.input().mocap[0] += 1e-8;
    ASSERT_EQ(world.Step().num_sleeping, 0) << i;
  }
  EXPECT_TRUE(StepUntilAsleep(world, 1));
}

// The plate was elsewhere when the workspace last saw it, and does not move in the state's eyes.
TEST(Sleep, MocapBodyOfAnotherStateIsFound) {
  World world = MakeSleepyWorld(MakeBoxOnPlate());
  RunSteps(world, 5);
  world.input().mocap[0] = 3.0;
  State state = State::Default(world.model());
  state.q[0] = 3.0;
  world.set_state(state);
  ASSERT_TRUE(StepUntilAsleep(world, 1));
  EXPECT_NEAR(world.q()[2], 0.1, 1e-6);
}

TEST(Sleep, StackFallsWhenItsLowestBoxIsTaken) {
  World world = MakeSleepyWorld(MakeBoxStack(3));
  ASSERT_TRUE(StepUntilAsleep(world, 3));
  State state = world.state();
  state.q[0] += 1.0;  // beside the others
  world.set_state(state);
  EXPECT_EQ(world.Step().num_sleeping, 0);
  EXPECT_NEAR(world.v()[6 + 2], -kGravity * world.timestep(), 1e-9);
  ASSERT_TRUE(StepUntilAsleep(world, 3));
  EXPECT_NEAR(world.q()[7 + 2], 0.05, 1e-4);
  EXPECT_NEAR(world.q()[14 + 2], 0.15, 1e-4);
}

TEST(Sleep, VelocityThatIsSetWakes) {
  World world = MakeSleepyWorld(MakeBoxStack(1));
  ASSERT_TRUE(StepUntilAsleep(world, 1));
  SetFreeVelocity(world, 0, {0, 0, 1.0});
  EXPECT_EQ(world.Step().num_sleeping, 0);
  EXPECT_NEAR(world.v()[2], 1.0 - kGravity * world.timestep(), 1e-9);
}

TEST(Sleep, WakeWakesTheWholeIslandWarm) {
  World world = MakeSleepyWorld(MakeStacksUnderBall(500.0));
  ASSERT_TRUE(StepUntilAsleep(world, 6));
  world.Wake(2);
  EXPECT_FALSE(world.IsAsleep(1) || world.IsAsleep(2) || world.IsAsleep(3));
  EXPECT_TRUE(world.IsAsleep(5));
  const StepReport& report = world.Step();
  EXPECT_EQ(report.num_contacts, 12);
  EXPECT_EQ(report.solve.iterations, 0) << "the impulses that held it up still do";
  world.Wake(0);
  EXPECT_THROW(world.Wake(100), std::out_of_range);
  EXPECT_THROW(world.IsAsleep(-1), std::out_of_range);
}

// v = 0.3 mm/s down a slope that friction balances exactly at the speed tolerance: creep above it goes on.
TEST(Sleep, SlowSlideAboveTheToleranceGoesOn) {
  ModelBuilder builder("slow");
  const int sled = builder.AddBody({});
  builder.AddJoint(sled, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}, .damping = 10.0});
  builder.AddGeom({.body = sled, .shape = Box{{0.1, 0.1, 0.1}}}, {.mass = 1.0});
  const Model model = builder.Build();
  for (const double speed : {1.5e-4, 0.5e-4}) {
    World world = MakeSleepyWorld(model);
    world.input().applied_generalized[0] = 10.0 * speed;
    RunSteps(world, 1500);
    const double terminal = world.timestep() * 1500 * speed;
    if (speed > world.model().options.sleep_tolerance) {
      EXPECT_EQ(world.report().num_sleeping, 0);
      EXPECT_NEAR(world.q()[0], terminal, 0.1 * terminal);
    } else {
      EXPECT_EQ(world.report().num_sleeping, 1);
      EXPECT_LT(world.q()[0], 0.5 * terminal);
    }
  }
}

// The speed of a dof is that of the points it moves: a long arm that turns slowly is as fast as a box.
TEST(Sleep, ToleranceIsASpeedOfPoints) {
  for (const double length : {0.1, 10.0}) {
    Pendulum pendulum{.length = length};
    pendulum.joint.damping = 10.0;
    const Model swing = pendulum.Build();
    ModelBuilder builder("weightless");
    builder.AddModel(swing, "");
    builder.options().gravity.setZero();
    World world = MakeSleepyWorld(builder.Build());
    // Terminal spin of 5e-5 rad/s: 5e-6 m/s at 0.1 m, 5e-4 m/s at 10 m.
    world.input().applied_generalized[0] = 10.0 * 5e-5;
    State state = world.state();
    state.v[0] = 5e-5;
    world.set_state(state);
    RunSteps(world, 600);
    EXPECT_EQ(world.report().num_sleeping, length < 1.0 ? 1 : 0) << length;
  }
}

// Of two stacks alike, with a budget that rounding alone exceeds: none may sleep.
TEST(Sleep, IslandThatMissesItsBudgetStaysAwake) {
  WorldOptions options;
  options.timestep = 0.002;
  options.sleep = true;
  World lax(MakeBoxStack(3), options);
  options.budget = 1e-22;
  options.solver_options = {{"walk_newton", "0"}};  // which would seek what rounding forbids
  World strict(MakeBoxStack(3), options);
  int misses = 0;
  for (int i = 0; i < 600; ++i) {
    misses += strict.Step().status == StepStatus::kBudgetMissed;
    ASSERT_EQ(strict.report().num_sleeping, 0) << "step " << i;
    lax.Step();
  }
  EXPECT_EQ(misses, 600);
  EXPECT_LT(strict.v().lpNorm<Eigen::Infinity>(), 1e-9) << "for want of rest it was not";
  EXPECT_EQ(lax.report().num_sleeping, 3);
}

TEST(Sleep, SavedWhileAsleepContinuesBitForBit) {
  const Model model = MakeStacksUnderBall(4.0);
  World original = MakeSleepyWorld(model), loaded = MakeSleepyWorld(model);
  ASSERT_TRUE(StepUntilAsleep(original, 6));
  RunSteps(original, 10);
  const std::string path = ::testing::TempDir() + "stiction_" + std::to_string(getpid()) + "_asleep.json";
  original.SaveState(path);
  loaded.LoadState(path);
  std::filesystem::remove(path);
  bool was_woken = false;
  for (int i = 0; i < 600; ++i) {
    original.Step(), loaded.Step();
    ASSERT_EQ(Hash(original.state()), Hash(loaded.state())) << "step " << i;
    ASSERT_EQ(original.report().num_sleeping, loaded.report().num_sleeping) << "step " << i;
    ASSERT_EQ(original.report().penetration, loaded.report().penetration) << "step " << i;
    ASSERT_EQ(original.report().certificate.ncp_max, loaded.report().certificate.ncp_max) << "step " << i;
    ASSERT_EQ(original.contacts().size(), loaded.contacts().size());
    for (std::size_t k = 0; k < original.contacts().size(); ++k)
      ASSERT_EQ(original.contacts()[k].impulse_W, loaded.contacts()[k].impulse_W);
    was_woken = was_woken || original.report().num_sleeping < 6;
  }
  EXPECT_TRUE(was_woken) << "the ball has to arrive";
}

// Boxes and capsules fall upon one another and are kicked now and then; a world that takes over the state
// every 60 steps, whoever sleeps then, does the same. Nobody who sleeps moves, and nobody falls through
// anything.
TEST(Sleep, KickedHeapContinuesFromEveryState) {
  ModelBuilder builder("heap");
  AddFloor(builder);
  for (int i = 0; i < 12; ++i) {
    const Shape shapes[] = {Box{{0.05, 0.04, 0.03}}, Capsule{0.03, 0.04}};
    AddFreeBody(builder, shapes[i % 2], 1.0 + i,
                Turn(0.3 * i, Vector3d(1, i, 2).normalized(),
                     Vector3d(0.25 * (i % 4), 0.2 * (i % 2), 0.1 + 0.1 * i)));
  }
  const Model model = builder.Build();
  World world = MakeSleepyWorld(model), follower = MakeSleepyWorld(model);
  int most = 0, wakings = 0, last = 0;
  for (int i = 0; i < 4000; ++i) {
    if (i % 60 == 0) {
      follower = MakeSleepyWorld(model);
      follower.set_state(world.state());
      follower.input() = world.input();
    }
    if (i % 900 == 899) {
      const int body = 1 + (i / 900) % 12;
      for (World* pushed : {&world, &follower})
        pushed->AddForce(body, pushed->body_poses()[body].p, {300.0, 100.0, 400.0});
    }
    const VectorXd q = world.q();
    std::vector<bool> slept;
    for (int body = 1; body <= 12; ++body) slept.push_back(world.IsAsleep(body));
    world.Step(), follower.Step();
    ASSERT_EQ(Hash(world.state()), Hash(follower.state())) << "step " << i;
    const int sleeping = world.report().num_sleeping;
    ASSERT_EQ(sleeping, follower.report().num_sleeping) << "step " << i;
    ASSERT_EQ(world.contacts().size(), follower.contacts().size()) << "step " << i;
    for (int k = 0; k < 12; ++k) {
      if (slept[k] && world.IsAsleep(k + 1)) {
        ASSERT_EQ(PositionOf(world, k), Vector3d(q.segment<3>(7 * k))) << "step " << i;
      }
      ASSERT_GT(world.q()[7 * k + 2], 0.025) << "step " << i << ", body " << k;
    }
    wakings += sleeping < last;
    most = std::max(most, sleeping);
    last = sleeping;
  }
  EXPECT_GE(most, 6);
  EXPECT_GE(wakings, 3);
}

// A state goes from one world to another that is in the middle of something else, and back.
TEST(Sleep, StateOfSleepersReplacesAnother) {
  const Model model = MakeStacksUnderBall(4.0);
  World world = MakeSleepyWorld(model), other = MakeSleepyWorld(model);
  ASSERT_TRUE(StepUntilAsleep(world, 6));
  State shifted = other.state();
  for (int i = 0; i < 6; ++i) shifted.q[7 * i + 1] += 2.0;
  other.set_state(shifted);
  ASSERT_TRUE(StepUntilAsleep(other, 6));
  other.set_state(world.state());
  for (int i = 0; i < 600; ++i) {
    if (i == 100) {
      // To look at another state in between leaves no trace.
      const State kept = other.state();
      other.set_state(shifted);
      other.Refresh();
      other.set_state(kept);
    }
    world.Step(), other.Step();
    ASSERT_EQ(Hash(world.state()), Hash(other.state())) << "step " << i;
  }
}

TEST(Sleep, WorldWithoutSleepWakesTheStatesSleepers) {
  World asleep = MakeSleepyWorld(MakeBoxStack(2)), awake = MakeWorld(MakeBoxStack(2));
  ASSERT_TRUE(StepUntilAsleep(asleep, 2));
  awake.set_state(asleep.state());
  EXPECT_EQ(awake.Step().num_sleeping, 0);
  EXPECT_EQ(awake.report().num_contacts, 8);
  EXPECT_LT(awake.v().lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_TRUE(awake.state().sleep.contacts.empty());
  State wrong = asleep.state();
  wrong.sleep.island[0] = 7;
  EXPECT_THROW(awake.set_state(wrong), std::invalid_argument);
}

TEST(Sleep, LoopSleepsAsOneAndWakesByItsTarget) {
  ModelBuilder builder("locked");
  for (int i = 0; i < 2; ++i) {
    Pendulum pendulum;
    pendulum.joint.name = "hinge";
    pendulum.joint.damping = 1.0;
    builder.AddModel(pendulum.Build(), i == 0 ? "a" : "b", Shift(0, 2.0 * i, 0));
  }
  builder.AddEquality({.kind = JointPolynomial{.joint = 0, .of_joint = 1, .coefficients = {0, 1, 0, 0, 0}}});
  World world = MakeSleepyWorld(builder.Build());
  ASSERT_TRUE(StepUntilAsleep(world, 2, 4000));
  EXPECT_EQ(world.state().sleep.island[1], 0);
  RunSteps(world, 20);
  EXPECT_EQ(world.report().num_equality_rows, 0);
  EXPECT_LT(world.report().loop, 1e-9);
  world.input().equality_target[0] = 0.2;
  world.Step();
  EXPECT_EQ(world.report().num_sleeping, 0);
  RunSteps(world, 100);
  EXPECT_NEAR(world.q()[0] - world.q()[1], 0.2, 1e-9);
}

// Two boxes that are one by a weld, and a ball that is shot at the first while they sleep: the step that
// wakes them is the one that pushes, and has the weld's rows.
TEST(Sleep, LoopThatABlowWakesHoldsInTheSameStep) {
  ModelBuilder builder("shot");
  AddFloor(builder);
  for (const double x : {0.0, 0.3})
    AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(x, 0, 0.05));
  AddFreeBody(builder, Sphere{0.05}, 1.0, Shift(-1.0, 0, 0.05));
  builder.AddEquality({.kind = FrameLock{.a = {.body = 1, .X_BF = Shift(0.15, 0, 0)},
                                         .b = {.body = 2, .X_BF = Shift(-0.15, 0, 0)}}});
  World world = MakeSleepyWorld(builder.Build());
  ASSERT_TRUE(StepUntilAsleep(world, 3));
  SetFreeVelocity(world, 2, {30.0, 0, 0});
  for (int i = 0; i < 30 && world.IsAsleep(1); ++i) world.Step();
  EXPECT_FALSE(world.IsAsleep(1) || world.IsAsleep(2));
  EXPECT_EQ(world.report().num_equality_rows, 6);
  EXPECT_GT(world.state().equality_impulses.norm(), 0.1);
  EXPECT_GT(world.v()[0], 1.0);
  EXPECT_NEAR(world.v()[0], world.v()[6], 1e-6);
}

TEST(Sleep, LimitsKeepTheirImpulses) {
  Pendulum pendulum;
  pendulum.joint.lower = 0.3;
  pendulum.joint.upper = 2.0;
  pendulum.joint.damping = 0.2;
  ModelBuilder builder("stop");
  builder.AddModel(pendulum.Build(), "");
  builder.AddSensor({.name = "stop", .type = SensorType::kJointLimitForce, .index = 0});
  World world = MakeSleepyWorld(builder.Build());
  State state = world.state();
  state.q[0] = 0.3;
  world.set_state(state);
  ASSERT_TRUE(StepUntilAsleep(world, 1));
  RunSteps(world, 10);
  EXPECT_EQ(world.report().num_limits, 0);
  EXPECT_NEAR(world.sensor(0)[0], kGravity * 0.5 * std::sin(0.3), 1e-6);
}

}  // namespace
}  // namespace stiction::testing

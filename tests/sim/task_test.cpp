#include "stiction/sim/task.h"

#include <gtest/gtest.h>

#include "stiction/sim/controller.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// A carriage of 2 kg on a slide along x without gravity, and a wall whose face stands at x = 0.5 m.
Model MakeCarriage() {
  ModelBuilder builder("carriage");
  builder.options().gravity.setZero();
  const int block = builder.AddBody({.name = "block"});
  builder.AddJoint(block, {.name = "slide", .kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  builder.AddGeom({.body = block, .shape = Box{{0.1, 0.1, 0.1}}}, {.mass = 2.0});
  builder.AddGeom({.name = "wall", .shape = Box{{0.1, 1.0, 1.0}}, .X_BG = Shift(0.6, 0, 0)});
  return builder.Build();
}

ControllerDescription Servo(double kp = 2000.0, double kd = 200.0) {
  return {.type = ControllerType::kJointPd,
          .name = "servo",
          .is_of_task = true,
          .joints = {"slide"},
          .kp = {kp},
          .kd = {kd}};
}

MoveDescription MoveTo(double x, double duration) {
  return {.what = "servo", .values = {x}, .duration = duration};
}

World MakeTaskWorld(const Model& model, const TaskDescription& task, double dt = 0.005) {
  World world(model, {.timestep = dt});
  AttachControllers(world, {}, {task});
  return world;
}

TaskProgress ProgressOf(const World& world, const TaskDescription& task) {
  return TaskSet(world.model(), {task}).ReadProgress(world).at(0);
}

void StepUntil(World& world, double time) {
  while (world.time() < time - 1e-9) world.Step();
}

TEST(Task, MovesOneAfterAnother) {
  const TaskDescription task{.name = "there and back",
                             .controllers = {Servo()},
                             .phases = {{.name = "there", .moves = {MoveTo(0.2, 1.0)}},
                                        {.name = "back", .moves = {MoveTo(-0.1, 0.5)}}}};
  World world = MakeTaskWorld(MakeCarriage(), task);
  EXPECT_EQ(ProgressOf(world, task).phase, "there");
  // Half of the way by minimum jerk, where the rate is 15/8 of the mean.
  StepUntil(world, 0.5);
  EXPECT_NEAR(world.q()[0], 0.1, 2e-3);
  EXPECT_NEAR(world.v()[0], 0.2 * 1.875, 5e-3);
  StepUntil(world, 1.0);
  EXPECT_NEAR(world.q()[0], 0.2, 2e-3);
  StepUntil(world, 1.25);
  EXPECT_EQ(ProgressOf(world, task).phase, "back");
  StepUntil(world, 2.0);
  EXPECT_NEAR(world.q()[0], -0.1, 1e-4);
  const TaskProgress done = ProgressOf(world, task);
  EXPECT_EQ(done.status, TaskStatus::kDone);
  EXPECT_EQ(done.num_ended, 2);
  EXPECT_NEAR(done.since, 1.5, 0.0101);
}

// The wall stops the carriage long before the move ends; what the spring then presses grows until it is felt.
// (At 0.05 m/s: the impact alone is 20 N over a step.)
TEST(Task, AGuardedMoveStopsWhereItIs) {
  TaskDescription task{
      .name = "touch",
      .controllers = {Servo()},
      .phases = {{.name = "push",
                  .moves = {{.what = "servo",
                             .values = {1.0},
                             .duration = 20.0,
                             .interpolation = Interpolation::kLinear}},
                  .until = {{.what = Quantity::kForce, .of = "block", .axis = Axis::kX, .max = -40.0}}},
                 {.name = "wait", .until = {{.what = Quantity::kTime, .min = 1.0}}}}};
  World world = MakeTaskWorld(MakeCarriage(), task);
  StepUntil(world, 14.0);
  EXPECT_EQ(ProgressOf(world, task).status, TaskStatus::kDone);
  EXPECT_NEAR(world.q()[0], 0.5 - 0.1, 1e-6);
  const double force = -world.CalcContactWrench(world.model().FindBody("block"), Vector3d::Zero())[3];
  // Of the 40 N, kd times 0.05 m/s end with the move; the spring is held within a step of it.
  EXPECT_GE(force, 30.0 - 1e-6);
  EXPECT_LE(force, 30.0 + 2000.0 * 0.05 * 2 * 0.005 + 1e-6);
}

TEST(Task, ConditionsHaveToHoldForAWhile) {
  TaskDescription task{
      .name = "hold",
      .controllers = {Servo()},
      .phases = {
          {.name = "through",
           .moves =
               {{.what = "servo", .values = {0.3}, .duration = 3.0, .interpolation = Interpolation::kLinear}},
           .until = {{.what = Quantity::kPosition, .of = "block", .axis = Axis::kX, .min = 0.1, .max = 0.2}},
           .hold = 0.5}}};
  World world = MakeTaskWorld(MakeCarriage(), task);
  StepUntil(world, 3.0);
  const TaskProgress progress = ProgressOf(world, task);
  EXPECT_EQ(progress.status, TaskStatus::kDone);
  EXPECT_NEAR(progress.since, 1.5, 0.02);  // at 0.1 m after 1 s
}

TEST(Task, RepeatsPhasesAndLoopsWithinLoops) {
  const auto wait = [](const char* name, const char* back_to = "", int times = 0) {
    return PhaseDescription{
        .name = name, .until = {{.what = Quantity::kTime, .min = 0.01}}, .back_to = back_to, .times = times};
  };
  const TaskDescription task{
      .name = "loops",
      .controllers = {Servo()},
      .phases = {wait("a"), wait("b"), wait("c", "b", 2), wait("d", "a", 1), wait("e")}};
  World world = MakeTaskWorld(MakeCarriage(), task);
  StepUntil(world, 2.0);
  const TaskProgress progress = ProgressOf(world, task);
  EXPECT_EQ(progress.status, TaskStatus::kDone);
  EXPECT_EQ(progress.num_ended, 2 * (1 + 3 * 2 + 1) + 1);
}

TEST(Task, FailsAtItsTimeoutAndHolds) {
  const TaskDescription task{
      .name = "reach",
      .controllers = {Servo()},
      .phases = {{.name = "through the wall",
                  .moves = {MoveTo(0.45, 0.5)},
                  .until = {{.what = Quantity::kPosition, .of = "block", .axis = Axis::kX, .min = 0.44}},
                  .timeout = 1.0},
                 {.name = "never", .moves = {MoveTo(0.0, 0.1)}}}};
  World world = MakeTaskWorld(MakeCarriage(), task);
  const TaskSet tasks(world.model(), {task});
  StepUntil(world, 0.9);
  EXPECT_FALSE(tasks.HaveFailed(world.state()));
  StepUntil(world, 2.0);
  EXPECT_TRUE(tasks.HaveFailed(world.state()));
  const TaskProgress progress = ProgressOf(world, task);
  EXPECT_EQ(progress.phase, "through the wall");
  ASSERT_EQ(progress.missing.size(), 1u);
  EXPECT_EQ(progress.missing[0], "position of block along x: 0.4 m, min 0.44");
  EXPECT_EQ(Describe(progress),
            "task reach failed in phase \"through the wall\" since 0 s, longer than its timeout; not met: "
            "position of block along x: 0.4 m, min 0.44");
  EXPECT_NEAR(world.q()[0], 0.4, 1e-6);  // against the wall still
}

// In the middle of a move, of a repetition and of a hold.
TEST(Task, GoesOnFromASavedStateBitForBit) {
  const TaskDescription task{
      .name = "again",
      .controllers = {Servo()},
      .phases = {{.name = "there", .moves = {MoveTo(0.2, 0.3)}},
                 {.name = "back",
                  .moves = {MoveTo(-0.1, 0.2)},
                  .until = {{.what = Quantity::kDrift, .of = "block", .axis = Axis::kX, .max = -0.25}},
                  .hold = 0.1,
                  .back_to = "there",
                  .times = 2}}};
  const Model model = MakeCarriage();
  for (const double time : {0.1, 0.45, 0.6, 0.87}) {
    World straight = MakeTaskWorld(model, task);
    StepUntil(straight, time);
    World loaded = MakeTaskWorld(model, task);
    loaded.set_state(straight.state());
    StepUntil(straight, 2.5);
    StepUntil(loaded, 2.5);
    EXPECT_EQ(Hash(loaded.state()), Hash(straight.state())) << time;
    EXPECT_EQ(loaded.state().memory, straight.state().memory);
    EXPECT_EQ(ProgressOf(loaded, task).num_ended, 6);
  }
}

// A state of which someone edited the memory: the task begins anew, and nothing is read beyond its phases.
TEST(Task, BeginsAnewWhereTheMemoryIsNotItsOwn) {
  const TaskDescription task{
      .name = "there", .controllers = {Servo()}, .phases = {{.name = "there", .moves = {MoveTo(0.2, 0.3)}}}};
  World world = MakeTaskWorld(MakeCarriage(), task);
  StepUntil(world, 0.2);
  const State sound = world.state();
  for (const double wrong : {1e9, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    for (const int i : {0, 1}) {  // status, phase
      State state = sound;
      state.memory[i] = wrong;
      world.set_state(state);
      EXPECT_EQ(ProgressOf(world, task).phase, "there");
      StepUntil(world, 1.0);
      EXPECT_EQ(ProgressOf(world, task).status, TaskStatus::kDone);
      EXPECT_NEAR(ProgressOf(world, task).since, 0.5, 0.02);
    }
  }
}

// A motor: its no-load speed without a load, its stall force where something stops it.
TEST(Task, AGripGoesAtItsSpeedAndPressesWithItsForce) {
  ControllerDescription grip{
      .type = ControllerType::kGrip, .name = "grip", .is_of_task = true, .joints = {"slide"}, .speed = 0.3};
  const TaskDescription task{
      .name = "press",
      .controllers = {grip},
      .phases = {{.name = "close",
                  .moves = {{.what = "grip", .values = {25.0}}},
                  .until = {{.what = Quantity::kSpeed, .of = "block", .max = 1e-6}},
                  .hold = 0.2},
                 {.name = "open",
                  .moves = {{.what = "grip", .values = {-10.0}}},
                  .until = {{.what = Quantity::kPosition, .of = "block", .axis = Axis::kX, .max = 0.0}}}}};
  World world = MakeTaskWorld(MakeCarriage(), task, 0.002);
  StepUntil(world, 0.8);
  EXPECT_NEAR(world.v()[0], 0.3, 1e-4);
  StepUntil(world, 1.55);
  EXPECT_EQ(ProgressOf(world, task).phase, "close");
  EXPECT_NEAR(-world.CalcContactWrench(world.model().FindBody("block"), Vector3d::Zero())[3], 25.0, 1e-6);
  StepUntil(world, 4.0);
  EXPECT_EQ(ProgressOf(world, task).status, TaskStatus::kDone);
  EXPECT_LT(world.q()[0], 0.0);
}

// An arm of two hinges in the plane of x and z holds a tray; `reach` brings the tray where it shall be.
Model MakeTrayArm(double load) {
  ModelBuilder builder("arm");
  int parent = 0;
  for (int i = 0; i < 3; ++i) {
    const int link = builder.AddBody(
        {.name = "link" + std::to_string(i), .parent = parent, .X_PB = Shift(i == 0 ? 0.0 : 0.4, 0, 0)});
    builder.AddJoint(link,
                     {.name = "j" + std::to_string(i), .kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
    builder.AddGeom({.body = link,
                     .shape = Box{{0.2, 0.02, 0.02}},
                     .X_BG = Shift(0.2, 0, 0),
                     .contype = 0,
                     .conaffinity = 0},
                    {.mass = 1.0});
    parent = link;
  }
  builder.AddGeom({.name = "tray", .body = parent, .shape = Box{{0.1, 0.1, 0.01}}, .X_BG = Shift(0.4, 0, 0)},
                  {.mass = 0.2});
  builder.AddFrame({.name = "tool", .body = parent, .X_BF = Shift(0.4, 0, 0.01)});
  if (load > 0.0) {
    const int part = builder.AddBody({.name = "part", .X_PB = Shift(1.2, 0, 0.0601)});
    builder.AddJoint(part, {.kind = FreeJoint{}});
    builder.AddGeom({.body = part, .shape = Box{{0.05, 0.05, 0.05}}}, {.mass = load});
  }
  return builder.Build();
}

TaskDescription CarryTask(const std::vector<std::string>& carries) {
  ControllerDescription reach{.type = ControllerType::kReach,
                              .name = "arm",
                              .is_of_task = true,
                              .compensation = Compensation::kGravity,
                              .carries = carries,
                              .kp = {100.0},
                              .kd = {10.0},
                              .of = "tool"};
  return {.name = "carry",
          .controllers = {reach},
          .phases = {
              {.name = "wait", .until = {{.what = Quantity::kTime, .min = 1.0}}},
              {.name = "move", .moves = {{.what = "arm", .by = Vector3d(-0.2, 0, 0.15), .duration = 1.0}}}}};
}

TEST(Task, AReachBringsTheFrameToItsGoal) {
  const TaskDescription task = CarryTask({});
  World world(MakeTrayArm(0.0), {.timestep = 0.004});
  // Stretched out there is only one way to go.
  State bent = world.state();
  bent.q << -0.6, 1.2, -0.6;
  world.set_state(bent);
  AttachControllers(world, {}, {task});
  const RigidTransform before = world.CalcFramePose(world.model().FindFrame("tool"));
  StepUntil(world, 8.0);
  const RigidTransform after = world.CalcFramePose(world.model().FindFrame("tool"));
  EXPECT_LT((after.p - before.p - Vector3d(-0.2, 0, 0.15)).norm(), 1e-6);
  EXPECT_LT((after.R - before.R).norm(), 1e-6);
  EXPECT_LT(world.v().norm(), 1e-6);
}

// The weight that is carried is held up as the arm's own: otherwise springs of 100 N·m/rad give way.
TEST(Task, WhatIsCarriedWeighsNothingOnTheSprings) {
  double sag[2];
  for (const bool carries : {false, true}) {
    TaskDescription task = CarryTask(carries ? std::vector<std::string>{"part"} : std::vector<std::string>{});
    task.phases.pop_back();
    World world(MakeTrayArm(0.5), {.timestep = 0.004});
    AttachControllers(world, {}, {task});
    const double before = world.CalcFramePose(world.model().FindFrame("tool")).p.z();
    StepUntil(world, 4.0);
    sag[carries] = before - world.CalcFramePose(world.model().FindFrame("tool")).p.z();
  }
  EXPECT_GT(sag[0], 0.05);
  EXPECT_LT(std::abs(sag[1]), 1e-3);
}

TEST(Task, APoseIsTurnedByMoreThanHalfATurn) {
  ModelBuilder builder("handle");
  const int handle = builder.AddBody({.name = "handle", .is_mocap = true});
  builder.AddGeom({.body = handle, .shape = Sphere{0.1}});
  AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(5, 0, 0));
  const TaskDescription task{
      .name = "turn",
      .controllers = {{.type = ControllerType::kMocap, .name = "handle", .is_of_task = true, .of = "handle"}},
      .phases = {{.name = "turn",
                  .moves = {{.what = "handle",
                             .by = Vector3d(0, 0, 1),
                             .turn = Vector3d(0, 0, 3.5 * kPi),
                             .duration = 1.0,
                             .interpolation = Interpolation::kLinear}}}}};
  World world = MakeTaskWorld(builder.Build(), task, 0.01);
  double angle = 0.0, last = 0.0;
  while (world.time() < 0.999) {
    world.Step();
    const Matrix3d& R = world.body_poses()[1].R;
    const double now = std::atan2(R(1, 0), R(0, 0));
    angle += std::remainder(now - last, 2 * kPi);
    last = now;
  }
  EXPECT_NEAR(angle, 3.5 * kPi, 1e-9);
  EXPECT_NEAR(world.body_poses()[1].p.z(), 1.0, 1e-12);
}

}  // namespace
}  // namespace stiction::testing

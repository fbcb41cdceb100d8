// Torsional and rolling friction against closed forms, on the whole step.

#include <gtest/gtest.h>

#include <filesystem>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/math/rotation.h"
#include "tests/support/scenes.h"

namespace stiction {
namespace {

using namespace stiction::testing;

constexpr double kRadius = 0.05;
constexpr double kInertia = 0.4 * kRadius * kRadius;  // of a ball of 1 kg

struct Moments {
  int condim = 6;
  double torsional = 0.0;  // [m]
  double rolling = 0.0;    // [m]
};

// A ball of 1 kg on a plane that falls off along +x by `slope`: gravity is tilted.
Model MakeBallOnSlope(const Moments& moments, double slope = 0.0) {
  ModelBuilder builder("ball");
  builder.options().gravity = kGravity * Vector3d(std::sin(slope), 0, -std::cos(slope));
  builder.AddGeom({.shape = Plane{}, .torsional_friction = 0.0, .rolling_friction = 0.0});
  const int ball = builder.AddBody({.X_PB = Shift(0, 0, kRadius)});
  builder.AddJoint(ball, {.kind = FreeJoint{}});
  builder.AddGeom({.body = ball,
                   .shape = Sphere{kRadius},
                   .torsional_friction = moments.torsional,
                   .rolling_friction = moments.rolling,
                   .condim = moments.condim},
                  {.mass = 1.0});
  return builder.Build();
}

void SetVelocity(World& world, const VectorXd& v) {
  State state = world.state();
  state.v = v;
  world.set_state(state);
}

// Steps until `time`; every step has to meet the default budget.
void RunExactly(World& world, double time) {
  while (world.time() < time - 0.5 * world.timestep()) {
    const StepReport& report = world.Step();
    ASSERT_EQ(report.status, StepStatus::kOk)
        << "t " << world.time() << " ncp " << report.certificate.ncp_max;
  }
}

TEST(FrictionMoment, SpinningBallSlowsDownLinearlyAndStops) {
  const double torsional = 0.002, spin = 6.0;
  World world(MakeBallOnSlope({.condim = 4, .torsional = torsional}));
  SetVelocity(world, (VectorXd(6) << 0, 0, 0, 0, 0, spin).finished());
  const double deceleration = torsional * kGravity / kInertia;  // 19.6 rad/s²
  RunExactly(world, 0.2);
  EXPECT_NEAR(world.v()[5], spin - 0.2 * deceleration, 1e-7);
  ASSERT_GT(world.v()[5], 1.0);
  RunExactly(world, 0.5);
  EXPECT_LT(world.v().norm(), 1e-7);
  EXPECT_NEAR(world.q()[2], kRadius, 1e-9);
}

TEST(FrictionMoment, SpinGoesOnWithCondimThree) {
  World world(MakeBallOnSlope({.condim = 3, .torsional = 0.002, .rolling = 0.001}));
  SetVelocity(world, (VectorXd(6) << 0, 0, 0, 0, 0, 6.0).finished());
  RunExactly(world, 0.5);
  EXPECT_NEAR(world.v()[5], 6.0, 1e-12);
}

TEST(FrictionMoment, RollingBallSlowsDownAlikeInEveryDirection) {
  const double rolling = 0.001, speed = 0.5;
  const double deceleration = rolling * kGravity / kRadius / 1.4;  // 0.14 m/s²
  for (const double angle : {0.0, 0.4, kPi / 4, 2.0, 4.4}) {
    World world(MakeBallOnSlope({.condim = 6, .rolling = rolling}));
    const Vector3d along(std::cos(angle), std::sin(angle), 0.0);
    VectorXd v(6);
    v << speed * along, Vector3d::UnitZ().cross(along) * speed / kRadius;
    SetVelocity(world, v);
    RunExactly(world, 1.0);
    const Vector3d expected = (speed - deceleration) * along;
    EXPECT_LT((world.v().head<3>() - expected).norm(), 1e-8) << "angle " << angle;
    RunExactly(world, 4.0);
    EXPECT_LT(world.v().norm(), 1e-8) << "angle " << angle;
  }
}

TEST(FrictionMoment, BallHoldsOnASlopeBelowTheRollingAngle) {
  const double rolling = 0.002;
  const double critical = std::atan(rolling / kRadius);
  World held(MakeBallOnSlope({.condim = 6, .rolling = rolling}, 0.99 * critical));
  RunExactly(held, 5.0);
  EXPECT_LT(held.q().head<2>().norm(), 1e-9);
  const double slope = 1.05 * critical;
  World rolls(MakeBallOnSlope({.condim = 6, .rolling = rolling}, slope));
  RunExactly(rolls, 5.0);
  const double acceleration = kGravity * (std::sin(slope) - rolling / kRadius * std::cos(slope)) / 1.4;
  EXPECT_NEAR(rolls.v()[0], 5.0 * acceleration, 1e-7);
  ASSERT_GT(rolls.v()[0], 0.01);
}

// Two fingers with single contacts hold a rod beside its centre of mass: torsional friction alone keeps it
// from swinging, up to 2 μ_n N.
TEST(FrictionMoment, PinchedRodHoldsUpToItsTorsionalLimit) {
  const double grip = 40.0, torsional = 0.01, lever = 0.05;
  for (const bool holds : {true, false}) {
    ModelBuilder builder("pinch");
    const double mass = (holds ? 0.9 : 1.1) * 2.0 * torsional * grip / (kGravity * lever);
    const int rod = builder.AddBody({});
    builder.AddJoint(rod, {.kind = FreeJoint{}});
    builder.AddGeom({.body = rod,
                     .shape = Box{{0.1, 0.01, 0.01}},
                     .X_BG = Shift(lever, 0, 0),
                     .friction = 2.0,
                     .torsional_friction = torsional,
                     .condim = 4},
                    {.mass = mass});
    for (const double side : {-1.0, 1.0}) {
      const int finger = builder.AddBody({.X_PB = Shift(0, side * 0.02, 0)});
      builder.AddJoint(finger, {.kind = SlideJoint{.axis_B = Vector3d(0, -side, 0)}});
      builder.AddGeom({.body = finger,
                       .shape = Sphere{0.01},
                       .friction = 2.0,
                       .torsional_friction = torsional,
                       .condim = 4},
                      {.mass = 0.1});
    }
    World world(builder.Build());
    world.input().applied_generalized[6] = world.input().applied_generalized[7] = grip;
    RunExactly(world, 2.0);
    const double turn = 2.0 * std::asin(world.q().segment<3>(4).norm());
    if (holds) {
      EXPECT_LT(turn, 1e-6);
      EXPECT_LT(world.q().head<3>().norm(), 1e-5);
    } else {
      EXPECT_GT(turn, 0.1);
    }
  }
}

// Balls, boxes and a capsule in a heap, all of them with all three kinds of friction.
Model MakeRollingHeap() {
  ModelBuilder builder("heap");
  builder.AddGeom({.shape = Plane{}, .friction = 0.6, .condim = 6});
  const auto add = [&](const Shape& shape, const Vector3d& p, double turn) {
    const int body = builder.AddBody({.X_PB = Turn(turn, Vector3d(1, 2, 3).normalized(), p)});
    builder.AddJoint(body, {.kind = FreeJoint{}});
    builder.AddGeom({.body = body,
                     .shape = shape,
                     .friction = 0.6,
                     .torsional_friction = 0.01,
                     .rolling_friction = 0.002,
                     .condim = 6},
                    {.mass = 0.5});
  };
  for (int i = 0; i < 3; ++i) {
    add(Sphere{0.05}, {0.07 * i, 0.01 * i, 0.06 + 0.02 * i}, 0.0);
    add(Box{{0.04, 0.05, 0.03}}, {0.07 * i, 0.1, 0.06 + 0.03 * i}, 0.3 * i);
    add(Capsule{0.03, 0.05}, {0.06 * i, 0.05, 0.2}, 1.0 + i);
  }
  return builder.Build();
}

TEST(FrictionMoment, HeapIsSolvedExactly) {
  World world(MakeRollingHeap());
  SetVelocity(world, VectorXd::LinSpaced(54, -1.0, 1.0));
  int moments = 0, loaded = 0;
  while (world.time() < 1.0) {
    const StepReport& report = world.Step();
    ASSERT_LE(report.certificate.ncp_max, 1e-8) << "t " << world.time();
    for (const Constraint& c : world.problem().constraints) {
      moments += c.contact >= 0;
      loaded += c.contact >= 0 && world.solution().lambda.segment(c.row, c.dim()).norm() > 1e-9;
    }
  }
  EXPECT_GT(moments, 2000);
  EXPECT_GT(loaded, 1000);
}

TEST(FrictionMoment, EverySolverTakesThem) {
  World world(MakeRollingHeap());
  SetVelocity(world, VectorXd::LinSpaced(54, -1.0, 1.0));
  while (world.time() < 0.15) world.Step();
  const ContactProblem& problem = world.problem();
  ASSERT_GT(problem.num_constraints(), 20);
  ProblemSolver reference_solver;
  Solution reference;
  const auto exact = MakeSolver("auto");
  ASSERT_LE(reference_solver.Solve(problem, *exact, reference).certificate.ncp_max, 1e-8);
  for (const SolverEntry& entry : ListSolvers()) {
    const auto solver = entry.Make();
    Solution solution;
    const ProblemReport report = ProblemSolver().Solve(problem, *solver, solution);
    EXPECT_NE(report.solve.status, SolveStatus::kUnsupported) << entry.name;
    EXPECT_TRUE(solution.lambda.allFinite()) << entry.name;
    EXPECT_LT((solution.v - reference.v).norm(), 0.5 * reference.v.norm()) << entry.name;
    if (solver->law().is_exact() && report.solve.status == SolveStatus::kConverged) {
      EXPECT_LE(report.certificate.ncp_max, 1e-4) << entry.name;
    }
  }
}

TEST(FrictionMoment, SavedStateContinuesBitForBit) {
  const std::string path = (std::filesystem::temp_directory_path() / "stiction_moments.json").string();
  World world(MakeRollingHeap());
  RunExactly(world, 0.3);
  world.SaveState(path);
  World other(MakeRollingHeap());
  other.LoadState(path);
  RunExactly(world, 0.5);
  RunExactly(other, 0.5);
  EXPECT_EQ(Hash(world.state()), Hash(other.state()));
  std::filesystem::remove(path);
}

TEST(FrictionMoment, ContactWrenchHoldsTheMoment) {
  const double slope = 0.03, rolling = 0.002;
  World world(MakeBallOnSlope({.condim = 6, .rolling = rolling}, slope));
  RunExactly(world, 0.1);
  // About the contact point gravity has the moment m g sin(slope) r, which rolling friction takes up.
  const Vector6d wrench = world.CalcContactWrench(1, Vector3d::Zero());
  EXPECT_NEAR(wrench[1], -kGravity * std::sin(slope) * kRadius, 1e-6);
  ASSERT_EQ(world.contacts().size(), 1u);
  EXPECT_NEAR(world.contacts()[0].moment_W[1] / world.timestep(), wrench[1], 1e-9);
}

}  // namespace
}  // namespace stiction

// Equalities: rows against differences, loops against closed forms and against the same mechanism in maximal
// coordinates, prescribed motion, dry friction.
#include <gtest/gtest.h>

#include <filesystem>

#include "sim/assembly.h"
#include "sim/equality_rows.h"
#include "stiction/contact/bilateral_basis.h"
#include "stiction/io/load.h"
#include "stiction/sim/open_equality.h"
#include "stiction/sim/step.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/four_bar.h"
#include "tests/support/random_model.h"
#include "tests/support/scenes.h"
#include "tests/support/shared_files.h"

namespace stiction::testing {
namespace {

TEST(EqualityRows, AreTheDerivativeOfTheResidual) {
  Random random(7);
  ModelBuilder builder("tree");
  int parent = 0;
  for (int i = 0; i < 4; ++i) {
    parent = builder.AddBody(
        {.parent = i == 2 ? 1 : parent, .X_PB = random.Pose(0.3), .inertia = random.Inertia()});
    if (i == 1) builder.AddJoint(parent, {.kind = BallJoint{}});
    if (i != 1) builder.AddJoint(parent, {.kind = HingeJoint{.axis_B = random.Vector(1.0)}});
  }
  const int free = builder.AddBody({.X_PB = random.Pose(0.3), .inertia = random.Inertia()});
  builder.AddJoint(free, {.kind = FreeJoint{}});
  const auto frame = [&](int body) { return Frame{.body = body, .X_BF = random.Pose(0.2)}; };
  // Locks of every kind at poses where their residual is exact, or whose rotations are near zero.
  for (const auto& [a, b] : {std::pair(4, 3), std::pair(2, free), std::pair(0, 4)}) {
    FrameLock ball{.a = frame(a), .b = frame(b)};
    ball.locked = {false, false, false, true, true, true};
    builder.AddEquality({.kind = ball});
    FrameLock universal{.a = frame(a), .b = frame(b)};
    universal.locked = {false, false, true, true, false, true};
    builder.AddEquality({.kind = universal});
    builder.AddEquality({.kind = PointDistance{.a = frame(a), .b = frame(b), .distance = 0.3}});
  }
  builder.AddEquality(
      {.kind = JointPolynomial{.joint = 2, .of_joint = 0, .coefficients = {0.1, -2.0, 0.5, 0.3, -0.2}}});
  const Model model = builder.Build();
  const BranchPattern pattern(model.dof_parent);
  const VectorXd targets = VectorXd::Zero(model.num_equalities());
  Kinematics kin;
  kin.Resize(model);
  for (int trial = 0; trial < 20; ++trial) {
    VectorXd q = model.q0;
    IntegrateConfiguration(model, random.Vector(model.nv(), 1.0), 1.0, q);
    const VectorXd v = random.Vector(model.nv(), 1.0);
    ContactProblem problem;
    CalcPositionKinematics(model, q, {}, kin);
    InitializeProblem(model, pattern, problem);
    for (int i = 0; i < model.num_equalities(); ++i) AddEqualityRows(model, kin, pattern, q, {}, i, problem);
    ASSERT_EQ(problem.num_rows(), model.num_equality_rows);
    VectorXd rate(problem.num_rows());
    problem.MultiplyJ(v.data(), rate.data());
    const auto residual = [&](double t) {
      VectorXd moved = q, phi;
      IntegrateConfiguration(model, v, t, moved);
      CalcPositionKinematics(model, moved, {}, kin);
      CalcEqualityResiduals(model, kin, moved, {}, targets, phi);
      return phi;
    };
    const double h = 1e-5;
    const VectorXd difference = (residual(h) - residual(-h)) / (2.0 * h);
    EXPECT_LT((rate - difference).lpNorm<Eigen::Infinity>(), 1e-8) << "trial " << trial;
  }
}

// Full and hinge locks: where they hold, and open by what two random poses are apart, nearly half a turn
// among them.
TEST(EqualityRows, OfRotationsAreExactHoweverFarTheLockIsOpen) {
  Random random(3);
  const Frame a{.body = 1, .X_BF = random.Pose(0.2)};
  for (const bool is_hinge : {false, true}) {
    ModelBuilder builder("pair");
    for (int i = 0; i < 2; ++i) {
      const int body = builder.AddBody({.inertia = random.Inertia()});
      builder.AddJoint(body, {.kind = FreeJoint{}});
    }
    FrameLock lock{.a = a, .b = {.body = 2, .X_BF = a.X_BF}};
    if (is_hinge) {
      lock.locked[1] = false;
      lock.b.X_BF = a.X_BF * Turn(0.8, Vector3d::UnitY(), Vector3d::Zero());
    }
    builder.AddEquality({.kind = lock});
    const Model model = builder.Build();
    Kinematics kin;
    kin.Resize(model);
    const BranchPattern pattern(model.dof_parent);
    double widest = 0.0;
    for (int trial = 0; trial < 40; ++trial) {
      VectorXd start = model.q0;
      if (trial > 0) IntegrateConfiguration(model, random.Vector(model.nv(), 2.0), 1.0, start);
      ContactProblem problem;
      InitializeProblem(model, pattern, problem);
      CalcPositionKinematics(model, start, {}, kin);
      AddEqualityRows(model, kin, pattern, start, {}, 0, problem);
      const VectorXd v = random.Vector(model.nv(), 1.0);
      VectorXd rate(problem.num_rows());
      problem.MultiplyJ(v.data(), rate.data());
      const auto residual = [&](double t) {
        VectorXd q = start, phi;
        IntegrateConfiguration(model, v, t, q);
        CalcPositionKinematics(model, q, {}, kin);
        CalcEqualityResiduals(model, kin, q, {}, VectorXd::Zero(1), phi);
        return phi;
      };
      const double h = 1e-5;
      const VectorXd difference = (residual(h) - residual(-h)) / (2.0 * h);
      EXPECT_LT((rate - difference).lpNorm<Eigen::Infinity>(), 1e-7 * std::max(1.0, rate.norm()))
          << "trial " << trial;
      if (trial == 0) {
        EXPECT_LT(residual(0.0).norm(), 1e-14);
      }
      widest = std::max(widest, residual(0.0).head(is_hinge ? 2 : 3).norm());
    }
    EXPECT_GT(widest, 2.5);
  }
}

TEST(Loops, FourBarInMaximalCoordinatesHasRank23Of26Rows) {
  World world = MakeWorld(MakeMaximalFourBar(), 0.001);
  world.Step();
  EXPECT_EQ(world.report().num_equality_rows, 26);
  ScaledProblem scaled;
  BranchSparseFactor factor;
  ASSERT_EQ(factor.Factor(world.problem().A), -1);
  scaled.Assign(world.problem(), factor);
  IslandPartition partition;
  partition.Assign(world.problem());
  ASSERT_EQ(partition.num_islands, 1);
  Island island;
  island.Assign(world.problem(), scaled, partition, 0);
  BilateralBasis basis;
  basis.Assign(island);
  EXPECT_EQ(basis.rank(), 23);

  // Reactions of least norm: nothing of them lies in the null space of Jᵀ.
  const MatrixXd J = world.problem().DenseJ();
  const MatrixXd null = CalcKernel(J.transpose());
  ASSERT_EQ(null.cols(), 3);
  const double scale = world.solution().lambda.norm();
  EXPECT_LT((null.transpose() * world.solution().lambda).norm(), 1e-10 * scale);
  EXPECT_LT(world.report().certificate.ncp_max, 1e-12);
}

TEST(Loops, ReducedAndMaximalCoordinatesFallAlike) {
  World reduced = MakeWorld(MakeFourBar(false), 0.001), maximal = MakeWorld(MakeMaximalFourBar(), 0.001);
  // The weight of a square does no work at first: a force along the coupler, which only translates, moves it
  // from rest, ω = dt F L / (m L² + 2 I) with the inertia I of crank and rocker about their pins.
  for (World* world : {&reduced, &maximal}) {
    world->input().applied_wrench(3, world->model().FindBody("coupler")) = 1.0;
    world->Step();
  }
  const VectorXd& v = reduced.v();
  const MassProperties link = LinkInertia();
  const double about_pin = link.I_BBcm_B(1, 1) + link.mass * 0.25 * kLink * kLink;
  const double expected = 0.001 * kLink / (link.mass * kLink * kLink + 2.0 * about_pin);
  EXPECT_NEAR(v[0], expected, 1e-12);
  EXPECT_NEAR(maximal.v()[6 + 4], expected, 1e-12);
  EXPECT_NEAR(maximal.v()[18 + 4], v[2], 1e-12);
  EXPECT_LT(reduced.report().loop, 1e-12);
  EXPECT_LT(maximal.report().loop, 1e-12);
}

TEST(Loops, DrivenFourBarStaysClosed) {
  for (const bool is_maximal : {false, true}) {
    World world = MakeWorld(is_maximal ? MakeMaximalFourBar() : MakeFourBar(false), 0.002);
    double worst = 0.0, turned = 0.0;
    for (int i = 0; i < 2500; ++i) {
      // A torque between the base, which is held, and the crank.
      if (is_maximal) {
        world.input().applied_wrench(1, world.model().FindBody("crank")) = 0.03;
        turned += world.timestep() * world.v()[6 + 4];
      } else {
        world.input().applied_generalized[0] = 0.03;
        turned += world.timestep() * world.v()[0];
      }
      world.Step();
      ASSERT_EQ(world.report().status, StepStatus::kOk);
      worst = std::max(worst, world.report().loop);
    }
    EXPECT_LT(worst, 1e-9) << "maximal " << is_maximal;
    EXPECT_GT(std::abs(turned), 2.0);  // it went through the flat positions
  }
}

TEST(Loops, FreeFourBarKeepsItsEnergyWithTheMidpointRule) {
  WorldOptions options;
  options.timestep = 0.0025;
  options.integrator = Integrator::kMidpoint;
  World world(MakeFourBar(true), options);
  State state = world.state();
  state.v << 0.3, 0.1, 1.0, 2.0, 3.0, 1.0, 5.0, -5.0, 5.0;
  world.set_state(state);
  const double start = world.CalcEnergy().total();
  double worst = 0.0, open = 0.0;
  for (int i = 0; i < 2000; ++i) {
    world.Step();
    worst = std::max(worst, std::abs(world.CalcEnergy().total() - start));
    open = std::max(open, world.report().loop);
  }
  EXPECT_LT(worst, 1e-3 * start);
  EXPECT_LT(open, 2e-12);
}

// What a start has against the loops is gone with the first step. It does not come back with the other sign
// in every step, to drive the linkage off its path where all its links are in line.
TEST(Loops, AStartThatTheyForbidLeavesTheMidpointRuleItsEnergy) {
  WorldOptions options;
  options.timestep = 0.0025;
  options.integrator = Integrator::kMidpoint;
  for (const double off : {0.05, 0.1, -0.1}) {
    World world(MakeFourBar(true), options);
    State state = world.state();
    state.v << 0.3, 0.1, 1.0, 2.0, 3.0, 1.0, 5.0, -5.0, 5.0 + off;
    world.set_state(state);
    world.Step();
    const double start = world.CalcEnergy().total();
    EXPECT_NEAR(world.v()[6], -world.v()[7], 1e-9);  // a parallelogram, until links are in line
    EXPECT_NEAR(world.v()[6], world.v()[8], 1e-9);
    double worst = 0.0, open = 0.0;
    for (int i = 0; i < 2000; ++i) {
      world.Step();
      worst = std::max(worst, std::abs(world.CalcEnergy().total() - start));
      open = std::max(open, world.report().loop);
    }
    EXPECT_LT(worst, 1e-3 * start) << off;
    EXPECT_LT(open, 2e-12) << off;
  }
}

TEST(Loops, ThatDoNotFitAreDrawnTogetherWithoutEnergy) {
  ModelBuilder builder("apart");
  builder.options().gravity.setZero();
  for (int i = 0; i < 2; ++i) {
    const int body = builder.AddBody({.X_PB = Shift(0.2 * i, 0, 0), .inertia = LinkInertia()});
    builder.AddJoint(body, {.kind = FreeJoint{}});
  }
  builder.AddEquality({.kind = FrameLock{.a = {.body = 1}, .b = {.body = 2}}});
  World world = MakeWorld(builder.Build(), 0.002);
  world.Step();
  EXPECT_GT(world.report().loop, 0.1);  // a little a step
  for (int i = 0; i < 20; ++i) world.Step();
  EXPECT_LT(world.report().loop, 1e-12);
  EXPECT_EQ(world.v().norm(), 0.0);
  EXPECT_NEAR(world.q()[0], 0.1, 1e-12);  // equal masses meet in the middle
  EXPECT_NEAR(world.q()[7], 0.1, 1e-12);
}

// Also where nothing presses on what they hold to the world, and no impulse tells that it does not float.
TEST(Loops, ThatHoldToTheWorldCloseWithoutAnImpulse) {
  ModelBuilder builder("astray");
  builder.options().gravity.setZero();
  const int body = builder.AddBody(
      {.X_PB = Shift(0.01, 0.005, 0.0), .inertia = Transform(Shift(0.1, 0, 0), LinkInertia())});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.AddEquality(
      {.kind = FrameLock{.a = {.body = 0, .X_BF = Turn(0.01, Vector3d::UnitZ())}, .b = {.body = body}}});
  World world = MakeWorld(builder.Build(), 0.002);
  for (int i = 0; i < 20; ++i) world.Step();
  EXPECT_LT(world.report().loop, 1e-12);
  EXPECT_LT(world.q().head<3>().norm(), 1e-12);
  EXPECT_NEAR(2.0 * std::asin(world.q()[6]), 0.01, 1e-12);
}

// A hinge whose axes are nearly opposite, while it moves: closing it turns the axis back, and takes nothing
// from the position stage into the velocity.
TEST(Loops, ThatAreFarOpenCloseWithoutGainingEnergy) {
  ModelBuilder builder("turned");
  builder.options().gravity.setZero();
  const int body =
      builder.AddBody({.X_PB = Turn(2.6, Vector3d::UnitX(), {0.1, 0.2, 0.3}), .inertia = LinkInertia()});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  FrameLock hinge{.a = {.body = 0}, .b = {.body = body, .X_BF = Shift(0.02, 0, 0)}};
  hinge.locked[1] = false;
  builder.AddEquality({.kind = hinge});
  World world = MakeWorld(builder.Build(), 0.002);
  State state = world.state();
  state.v << 0.1, 0.2, -0.1, 0.1, 0.2, 0.1;
  world.set_state(state);
  const double start = world.CalcEnergy().kinetic;
  double most = 0.0;
  for (int i = 0; i < 400; ++i) {
    world.Step();
    most = std::max(most, world.CalcEnergy().kinetic);
  }
  EXPECT_LT(most, start);
  EXPECT_LT(world.report().loop, 1e-12);
}

double CalcSolvedEnergy(const World& world) {
  const VectorXd& v = world.solution().v;
  return 0.5 * v.dot(world.problem().A.ToDense() * v);
}

// A displacement changes no velocity: a body whose mass is off its origin, and turns, keeps that of the mass;
// and of two that float the momentum that they have, not that which they would have had elsewhere.
TEST(Loops, ThatAreDrawnTogetherLeaveTheEnergyAsSolved) {
  for (const bool is_floating : {false, true}) {
    ModelBuilder builder("drawn");
    builder.options().gravity.setZero();
    MassProperties inertia = LinkInertia();
    inertia.p_BBcm = {0.3, 0.1, -0.2};
    std::vector<int> bodies = {0};
    for (int i = 0; i < 2; ++i) {
      bodies.push_back(builder.AddBody(
          {.X_PB = Turn(0.5 * i, Vector3d::UnitX(), {0.4 * i, 0.1 * i, 0}), .inertia = inertia}));
      builder.AddJoint(bodies.back(), {.kind = FreeJoint{}});
    }
    FrameLock lock{.a = {.body = is_floating ? bodies[1] : 0}, .b = {.body = bodies[2]}};
    lock.locked[2] = false;
    builder.AddEquality({.kind = lock});
    World world = MakeWorld(builder.Build(), 0.002);
    State state = world.state();
    for (int k = 0; k < state.v.size(); ++k) state.v[k] = 3.0 * std::sin(1.0 + k);
    world.set_state(state);
    for (int i = 0; i < 10; ++i) {
      ASSERT_EQ(world.Step().status, StepStatus::kOk);
      EXPECT_GT(world.report().loop, 0.05);
      EXPECT_NEAR(world.CalcEnergy().kinetic / CalcSolvedEnergy(world), 1.0, 1e-12) << is_floating << i;
      // What is open by so much is not bent.
      for (const double e : world.problem().e) EXPECT_EQ(e, 0.0);
    }
  }
}

// A mass that a limit lets not follow its rod: the rod leads down on both sides of the middle, and wedges.
// What its bend asks for would be had by throwing the mass back, ever faster the nearer to the middle.
TEST(Loops, ThatALimitBlocksGainNoEnergy) {
  constexpr double kLength = 1.0, kBeside = 1e-3;
  ModelBuilder builder("wedge");
  builder.options().gravity.setZero();
  const int mass = builder.AddBody({.inertia = CalcSolidMassProperties(Sphere{0.1}, 1.0)});
  builder.AddJoint(mass, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  Joint up{.kind = SlideJoint{.axis_B = Vector3d::UnitY()}};
  up.lower = 0.0, up.upper = 1.0;
  builder.AddJoint(mass, up);
  builder.AddEquality({.kind = PointDistance{.a = {.X_BF = Shift(0, -kLength, 0)},
                                             .b = {.body = mass},
                                             .distance = std::hypot(kLength, kBeside)}});
  World world = MakeWorld(builder.Build(), 0.01);
  State state = world.state();
  state.q[0] = kBeside;
  state.v << 1.0, -kBeside;
  world.set_state(state);
  const double start = world.CalcEnergy().kinetic;
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
    EXPECT_LE(world.CalcEnergy().kinetic, start) << i;
    EXPECT_GE(world.q()[1], -1e-5) << i;
    EXPECT_LT(world.report().loop, 1e-10) << i;
  }
}

// Masses on rods that go round and meet two stops at once: each may only move outwards, where its rod does
// not let it, and stops. What its bend asks for, inwards, no velocity can give.
TEST(Loops, BetweenTwoLimitsStop) {
  const double place = std::sqrt(0.5);
  ModelBuilder builder("corners");
  builder.options().gravity.setZero();
  for (int i = 0; i < 3; ++i) {
    const int mass = builder.AddBody({.inertia = CalcSolidMassProperties(Sphere{0.1}, 1.0)});
    for (const Vector3d& axis : {Vector3d(1, 0, 0), Vector3d(0, 1, 0)}) {
      Joint slide{.kind = SlideJoint{.axis_B = axis}};
      slide.lower = place, slide.upper = 2.0;
      builder.AddJoint(mass, slide);
    }
    builder.AddEquality({.kind = PointDistance{.b = {.body = mass}, .distance = 1.0}});
  }
  World world = MakeWorld(builder.Build(), 0.01);
  State state = world.state();
  state.q.setConstant(place);
  state.v << -1.0, 1.0, -2.0, 2.0, -3.0, 3.0;
  world.set_state(state);
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk) << i << " " << world.report().certificate.ncp_max;
    EXPECT_LT(world.v().norm(), 1e-8) << i;
    EXPECT_LT(world.report().loop, 1e-10) << i;
  }
}

// A universal joint whose axes are nearly parallel, a right angle away from where they belong.
TEST(Loops, OfParallelAxesCloseWithoutGainingEnergy) {
  ModelBuilder builder("parallel");
  builder.options().gravity.setZero();
  const int body =
      builder.AddBody({.X_PB = Turn(1.57, Vector3d::UnitZ(), Vector3d::Zero()), .inertia = LinkInertia()});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  FrameLock universal{.a = {.body = 0}, .b = {.body = body}};
  universal.locked = {false, false, true, true, true, true};
  builder.AddEquality({.kind = universal});
  World world = MakeWorld(builder.Build(), 0.002);
  State state = world.state();
  state.v << 0.0, 0.0, 0.0, 1.0, 2.0, 1.0;
  world.set_state(state);
  const double start = world.CalcEnergy().kinetic;
  double most = 0.0;
  for (int i = 0; i < 300; ++i) {
    world.Step();
    most = std::max(most, world.CalcEnergy().kinetic);
  }
  EXPECT_LT(most, 1.01 * start);
  EXPECT_LT(world.report().loop, 1e-12);
}

TEST(Loops, OfAHingeOnItsHeadTurnsBack) {
  ModelBuilder builder("opposite");
  builder.options().gravity.setZero();
  const int body = builder.AddBody({.inertia = LinkInertia()});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  FrameLock hinge{.a = {.body = 0},
                  .b = {.body = body, .X_BF = Turn(kPi, Vector3d::UnitX(), Vector3d::Zero())}};
  hinge.locked[1] = false;
  builder.AddEquality({.kind = hinge});
  World world = MakeWorld(builder.Build(), 0.002);
  State state = world.state();
  state.v << 0.0, 0.0, 0.0, 0.1, 0.2, 0.1;
  world.set_state(state);
  const double start = world.CalcEnergy().kinetic;
  world.Step();
  EXPECT_NEAR(world.report().loop, kPi, 0.1);
  EXPECT_LT(world.CalcEnergy().kinetic, start);
  for (int i = 0; i < 200; ++i) world.Step();
  EXPECT_LT(world.report().loop, 1e-12);
  EXPECT_LT(world.CalcEnergy().kinetic, start);
}

// Steps of 30 rad: what the rows would foresee is of any size and sign.
TEST(Loops, ThatTurnSeveralTimesAStepGainNoEnergy) {
  ModelBuilder builder("whirl");
  builder.options().gravity.setZero();
  Random random(5);
  for (int i = 0; i < 2; ++i) {
    const int body = builder.AddBody({.X_PB = random.Pose(0.5), .inertia = random.Inertia()});
    builder.AddJoint(body, {.kind = FreeJoint{}});
  }
  FrameLock pin{.a = {.body = 1, .X_BF = random.Pose(0.2)}, .b = {.body = 2, .X_BF = random.Pose(0.2)}};
  pin.locked = {false, false, false, true, true, true};
  builder.AddEquality({.kind = pin});
  World world = MakeWorld(builder.Build(), 0.005);
  State state = world.state();
  state.v = random.Vector(12, 10.0);
  state.v.segment<3>(3) << 4000.0, -3000.0, 2000.0;
  world.set_state(state);
  const double start = world.CalcEnergy().kinetic;
  for (int i = 0; i < 50; ++i) {
    world.Step();
    ASSERT_LT(world.CalcEnergy().kinetic, 1.01 * start) << "step " << i;
  }
}

TEST(Loops, ThatContradictOneAnotherEndInTheLeastResidual) {
  ModelBuilder builder("stretched");
  builder.options().gravity.setZero();
  const int body = builder.AddBody({.inertia = LinkInertia()});
  builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  for (const double x : {-0.05, 0.05}) {
    FrameLock pin{.a = {.body = 0, .X_BF = Shift(x, 0, 0)}, .b = {.body = body}};
    pin.locked = {false, false, false, true, true, true};
    builder.AddEquality({.kind = pin});
  }
  World world = MakeWorld(builder.Build(), 0.002);
  for (int i = 0; i < 50; ++i) world.Step();
  EXPECT_NEAR(world.report().loop, 0.05, 1e-12);
  EXPECT_NEAR(world.q()[0], 0.0, 1e-12);
  EXPECT_LT(world.v().norm(), 1e-12);
}

TEST(Loops, ThatAreOpenAtTheStartAreNamed) {
  ModelBuilder builder("open");
  const int body = builder.AddBody({.inertia = LinkInertia()});
  builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  const auto pin = [&](const char* name, const Vector3d& p, double x_B) {
    FrameLock lock{.a = {.name = "", .body = 0, .X_BF = {.p = p}},
                   .b = {.name = "", .body = body, .X_BF = Shift(x_B, 0, 0)}};
    lock.locked = {false, false, false, true, true, true};
    builder.AddEquality({.name = name, .kind = lock});
  };
  pin("reachable", {0.1, 0, 0}, 0.0);
  pin("beside", {0.1, 0.02, 0}, 0.0);
  const World world = MakeWorld(builder.Build(), 0.002);
  const auto open = FindOpenEqualities(world.model(), world.input(), world.state());
  ASSERT_EQ(open.size(), 2u);
  EXPECT_NEAR(open[0].residual, 0.1, 1e-15);
  EXPECT_EQ(open[0].rest, 0.0);
  EXPECT_NEAR(open[1].rest, 0.02, 1e-9);
  EXPECT_EQ(Describe(world.model(), open[0]),
            "equality 'reachable' is open by 0.1 m or rad at the start, and is drawn together");
  EXPECT_EQ(Describe(world.model(), open[1]),
            "equality 'beside' cannot be met: open by 0.1 m or rad at the start, 0.02 stay open");
  EXPECT_TRUE(FindOpenEqualities(MakeFourBar(false), Input::Default(MakeFourBar(false)),
                                 State::Default(MakeFourBar(false)))
                  .empty());
}

TEST(Loops, CarryWeightWithReactionsThatAddUp) {
  // A ball joint holds a body at its mass centre: the impulse of a step is m g dt upwards.
  ModelBuilder builder("hung");
  const int body = builder.AddBody({.X_PB = Shift(0, 0, 1), .inertia = LinkInertia()});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  for (int copy = 0; copy < 2; ++copy) {  // twice the same rows: each then carries half
    FrameLock pin{.a = {.body = 0, .X_BF = Shift(0, 0, 1)}, .b = {.body = body}};
    pin.locked = {false, false, false, true, true, true};
    builder.AddEquality({.kind = pin});
  }
  World world = MakeWorld(builder.Build(), 0.002);
  for (int i = 0; i < 3; ++i) world.Step();
  const VectorXd& impulses = world.state().equality_impulses;
  EXPECT_NEAR(impulses[2], 0.5 * kGravity * 0.002, 1e-13);
  EXPECT_NEAR(impulses[5], 0.5 * kGravity * 0.002, 1e-13);
  EXPECT_EQ(world.v().norm() < 1e-14, true);
}

TEST(Couplings, FollowTheirPolynomial) {
  ModelBuilder builder("coupled");
  builder.options().gravity.setZero();
  for (int i = 0; i < 2; ++i) {
    const int body = builder.AddBody({.inertia = LinkInertia()});
    builder.AddJoint(body, {.kind = HingeJoint{.axis_B = Vector3d::UnitY(), .reference = 0.2 * i}});
  }
  builder.AddEquality(
      {.kind = JointPolynomial{
           .joint = 1, .of_joint = 0, .coefficients = {0.0, -1.5, 0.4, 0.2, 0.1}, .reference = 0.2}});
  World world = MakeWorld(builder.Build(), 0.002);
  for (int i = 0; i < 500; ++i) {
    world.input().applied_generalized[0] = 2e-3;
    world.Step();
    const double x = world.q()[0];
    ASSERT_NEAR(world.q()[1], 0.2 + x * (-1.5 + x * (0.4 + x * (0.2 + x * 0.1))), 1e-12);
  }
  EXPECT_GT(world.q()[0], 0.1);
}

// Equalities may say the same twice, and one another's inverse: rows that depend on one another are legal,
// and move together as the formula says. (URDF's mimics must not: there it is a mistake.)
TEST(Couplings, MayFollowOneAnotherInACircle) {
  ModelBuilder builder("redundant");
  builder.options().gravity.setZero();
  const double inertia = LinkInertia().I_BBcm_B(1, 1);
  for (int i = 0; i < 3; ++i)
    builder.AddJoint(builder.AddBody({.inertia = LinkInertia()}),
                     {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
  const auto follow = [&](int joint, int of_joint, double ratio) {
    builder.AddEquality(
        {.kind = JointPolynomial{
             .joint = joint, .of_joint = of_joint, .coefficients = {0.0, ratio, 0.0, 0.0, 0.0}}});
  };
  follow(0, 1, 2.0), follow(1, 0, 0.5), follow(1, 2, -1.0), follow(2, 0, -0.5), follow(0, 1, 2.0);
  World world = MakeWorld(builder.Build(), 0.002);
  for (int i = 0; i < 500; ++i) {
    world.input().applied_generalized[0] = 2e-3;
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    ASSERT_NEAR(world.q()[1], 0.5 * world.q()[0], 1e-12);
    ASSERT_NEAR(world.q()[2], -0.5 * world.q()[0], 1e-12);
  }
  // τ = (I + 2 I / 4) a, for a second.
  EXPECT_NEAR(world.v()[0], 2e-3 / (1.5 * inertia), 1e-6 * world.v()[0]);
}

TEST(Couplings, PrescribedMotionIsMetAtTheEndOfEveryStep) {
  ModelBuilder builder("driven");
  const int cart = builder.AddBody({.inertia = LinkInertia()});
  builder.AddJoint(cart, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  const int bob = builder.AddBody({.parent = cart, .inertia = Transform(Shift(0, 0, -0.3), LinkInertia())});
  builder.AddJoint(bob, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
  builder.AddEquality({.name = "drive", .kind = JointPolynomial{.joint = 0, .coefficients = {}}});
  for (const Integrator integrator : {Integrator::kSymplecticEuler, Integrator::kMidpoint}) {
    WorldOptions options;
    options.timestep = 0.002;
    options.integrator = integrator;
    ModelBuilder copy = builder;
    World world(copy.Build(), options);
    world.Step();
    const auto path = [](double t) { return 0.05 * std::sin(3.0 * t); };
    for (int i = 0; i < 1000; ++i) {
      const double end = world.time() + world.timestep();
      world.input().equality_target[0] = path(end);
      world.Step();
      ASSERT_NEAR(world.q()[0], path(end), 1e-12);
      // Its velocity, too, and not only where it stands: the bob feels it.
      if (i > 0 && integrator == Integrator::kSymplecticEuler) {
        ASSERT_NEAR(world.v()[0], (path(end) - path(end - 0.002)) / 0.002, 1e-9);
      }
    }
    EXPECT_GT(std::abs(world.q()[1]), 1e-4);
  }
}

// A pendulum on a shaft that is turned: Runge-Kutta's stages know of it, and the difference between two
// steps' lengths falls sixteenfold where they are halved.
TEST(Couplings, AreDrivenWithinTheStagesOfRungeKutta) {
  const Model model =
      LoadModel(std::filesystem::path(STICTION_SOURCE_DIR) / "assets/benchmarks/turned_pendulum.xml");
  constexpr double kRate = 6.0;
  const auto swing = [&](double dt) {
    WorldOptions options;
    options.timestep = dt;
    options.integrator = Integrator::kRungeKutta4;
    World world(model, options);
    State state = world.state();
    state.q[1] = 0.3, state.v[0] = kRate;
    // As if it had been turned before: what a state keeps of its last input.
    state.equality_target = world.input().equality_target;
    state.mocap = world.input().mocap;
    world.set_state(state);
    for (int i = 1; i <= std::lround(0.8 / dt); ++i) {
      world.input().equality_target[0] = kRate * dt * i;
      EXPECT_EQ(world.Step().status, StepStatus::kOk);
    }
    EXPECT_NEAR(world.q()[0], 0.8 * kRate, 1e-12);
    return world.q()[1];
  };
  const double coarse = swing(0.005), middle = swing(0.0025), fine = swing(0.00125);
  EXPECT_GT(std::abs(coarse - middle), 1e-10);
  EXPECT_NEAR((coarse - middle) / (middle - fine), 16.0, 2.0);
}

TEST(Couplings, LockToAMocapBodyFollowsItsPose) {
  ModelBuilder builder("carried");
  builder.AddBody({.name = "hand", .X_PB = Shift(0, 0, 1), .is_mocap = true});
  const int body = builder.AddBody({.X_PB = Shift(0, 0, 1), .inertia = LinkInertia()});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.AddEquality({.kind = FrameLock{.a = {.body = 1}, .b = {.body = 2}}});
  World world = MakeWorld(builder.Build(), 0.002);
  world.Step();
  for (int i = 1; i <= 100; ++i) {
    world.input().mocap[0] = 0.001 * i;  // 0.5 m/s
    world.Step();
    ASSERT_NEAR(world.q()[0], 0.001 * i, 1e-12);
    ASSERT_NEAR(world.v()[0], 0.5, 1e-9);
  }
}

TEST(Distances, AreKept) {
  ModelBuilder builder("dumbbell");
  builder.options().gravity.setZero();
  for (int i = 0; i < 2; ++i) {
    const int body = builder.AddBody({.X_PB = Shift(i, 0, 0), .inertia = LinkInertia()});
    builder.AddJoint(body, {.kind = FreeJoint{}});
  }
  builder.AddEquality({.kind = PointDistance{.a = {.body = 1}, .b = {.body = 2}, .distance = 1.0}});
  World world = MakeWorld(builder.Build(), 0.002);
  State state = world.state();
  state.v[1] = -1.0, state.v[7] = 1.0;
  world.set_state(state);
  const Vector3d momentum = world.CalcMomentum().first;
  for (int i = 0; i < 1000; ++i) {
    world.Step();
    ASSERT_NEAR((world.q().head<3>() - world.q().segment<3>(7)).norm(), 1.0, 1e-12);
  }
  EXPECT_LT((world.CalcMomentum().first - momentum).norm(), 1e-12);
  EXPECT_NEAR(world.v().squaredNorm(), 2.0, 0.02);  // it turned twice a second and a half
}

TEST(DryFriction, HoldsBelowItsForceAndBrakesAtIt) {
  ModelBuilder builder("brake");
  builder.options().gravity.setZero();
  const int body = builder.AddBody({.inertia = LinkInertia()});
  builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}, .friction_loss = 3.0});
  World world = MakeWorld(builder.Build(), 0.002);
  world.input().applied_generalized[0] = 2.9;
  for (int i = 0; i < 100; ++i) world.Step();
  EXPECT_EQ(world.q()[0], 0.0);
  EXPECT_NEAR(world.state().friction_impulses[0], -2.9 * 0.002, 1e-15);
  world.input().applied_generalized[0] = 5.0;
  for (int i = 0; i < 100; ++i) world.Step();
  EXPECT_NEAR(world.v()[0], (5.0 - 3.0) * 0.2, 1e-12);  // 1 kg
  world.input().applied_generalized[0] = 0.0;
  for (int i = 0; i < 100; ++i) world.Step();
  EXPECT_NEAR(world.v()[0], 0.0, 1e-15);  // stopped after 0.4/3 s, and did not turn back
  EXPECT_LT(world.report().certificate.ncp_max, 1e-8);
}

TEST(JointForces, OfAllActuatorsTogetherStayWithinTheJointsRange) {
  ModelBuilder builder("geared");
  builder.options().gravity.setZero();
  const int body = builder.AddBody({.inertia = LinkInertia()});
  const int joint = builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()},
                                            .actuator_force_lower = -1.0,
                                            .actuator_force_upper = 2.0});
  for (int i = 0; i < 2; ++i) builder.AddActuator({.joint = joint});
  World world = MakeWorld(builder.Build(), 0.002);
  world.input().ctrl << 5.0, 5.0;
  world.Step();
  EXPECT_NEAR(world.v()[0], 2.0 * 0.002, 1e-15);
  world.input().ctrl << -5.0, 3.0;
  world.Step();
  EXPECT_NEAR(world.v()[0], 1.0 * 0.002, 1e-15);
}

TEST(GravityCompensation, CarriesItsShareOfTheWeight) {
  ModelBuilder builder("light");
  for (const double share : {1.0, 0.5}) {
    const int body = builder.AddBody({.inertia = LinkInertia(), .gravity_compensation = share});
    builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitZ()}});
  }
  World world = MakeWorld(builder.Build(), 0.002);
  world.Step();
  EXPECT_NEAR(world.v()[0], 0.0, 1e-16);
  EXPECT_NEAR(world.v()[1], -0.5 * kGravity * 0.002, 1e-15);
}

TEST(Loops, ContinueBitForBitFromASavedState) {
  const std::string path = (std::filesystem::temp_directory_path() / "stiction_loop_state.json").string();
  World world = MakeWorld(MakeFourBar(false), 0.002);
  for (int i = 0; i < 50; ++i) {
    world.input().applied_generalized[0] = 0.2;
    world.Step();
  }
  world.SaveState(path);
  World loaded = MakeWorld(MakeFourBar(false), 0.002);
  loaded.LoadState(path);
  std::filesystem::remove(path);
  for (World* w : {&world, &loaded}) {
    w->input().applied_generalized[0] = 0.2;
    for (int i = 0; i < 50; ++i) w->Step();
  }
  EXPECT_EQ(Hash(world.state()), Hash(loaded.state()));
}

TEST(Loops, ThatAreNotActiveDoNothing) {
  ModelBuilder builder("loose");
  const int body = builder.AddBody({.inertia = LinkInertia()});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.AddEquality({.kind = FrameLock{.a = {.body = 0}, .b = {.body = body}}, .is_active = false});
  World world = MakeWorld(builder.Build(), 0.002);
  world.Step();
  EXPECT_EQ(world.report().num_equality_rows, 0);
  EXPECT_NEAR(world.v()[2], -kGravity * 0.002, 1e-15);
}

// Moving closed chains of robots, ours and those of others: the loops stay closed to a nanometre.
void ExpectLoopsStayClosed(const std::filesystem::path& path) {
  World world(LoadModel(path.string()));
  for (int a = 0; a < world.model().nu(); ++a) {
    if (world.model().actuators[a].tendon >= 0) world.input().ctrl[a] = world.model().actuators[a].ctrl_upper;
  }
  double worst = 0.0, moved = 0.0;
  for (int i = 0; i < 1000; ++i) {
    world.Step();
    ASSERT_EQ(world.report().status, StepStatus::kOk);
    if (i > 100) worst = std::max(worst, world.report().loop);
    moved = std::max(moved, world.v().lpNorm<Eigen::Infinity>());
  }
  EXPECT_LT(worst, 1e-9);
  EXPECT_GT(moved, 0.1);
}
TEST(RobotLoops, StayClosed) {
  for (const char* robot : {"four_bar_gripper", "linkage_walker"}) {
    SCOPED_TRACE(robot);
    ExpectLoopsStayClosed(STICTION_SOURCE_DIR "/assets/models/" + std::string(robot) + ".xml");
  }
}

// Falling, its legs wedge: cranks and feet are at limits, with rods that couple them.
TEST(RobotLoops, MeetTheBudgetBetweenLimits) {
  World world(LoadModel(STICTION_SOURCE_DIR "/assets/models/linkage_walker.xml"));
  int most_limits = 0;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
    int at_limits = 0;
    for (const Joint& joint : world.model().joints) {
      if (!joint.is_scalar() || !joint.traits().is_angular) continue;
      const double q = world.q()[joint.q_address];
      at_limits += q < joint.lower + 1e-4 || q > joint.upper - 1e-4;
    }
    most_limits = std::max(most_limits, at_limits);
  }
  EXPECT_GE(most_limits, 4);
  EXPECT_LT(world.report().loop, 1e-11);
}

class RealLoops : public ::testing::TestWithParam<const char*> {};

TEST_P(RealLoops, StayClosed) {
  const std::filesystem::path path = SharedPath("models/") / GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  ExpectLoopsStayClosed(path);
}
INSTANTIATE_TEST_SUITE_P(Robots, RealLoops,
                         ::testing::Values("cassie/closed_chain.xml", "tidybot_2f85/scene.xml"),
                         [](const auto& robot) { return std::string(robot.param).substr(0, 6); });

TEST(Cassie, MeetsTheBudgetBetweenItsLimits) {
  const std::filesystem::path path = SharedPath("models/cassie/closed_chain.xml");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  World world(LoadModel(path.string()));
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
  EXPECT_LT(world.report().loop, 1e-11);
}

}  // namespace
}  // namespace stiction::testing

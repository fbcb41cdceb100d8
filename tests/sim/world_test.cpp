#include "stiction/sim/world.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// Cubes falling upon one another, every second one tilted and off centre; `piles` of them 10 m apart, each
// from 0.3 m higher, so that one falls while another rests.
Model MakePiles(int piles) {
  ModelBuilder builder("piles");
  AddFloor(builder);
  for (int pile = 0; pile < piles; ++pile) {
    for (int i = 0; i < 4; ++i) {
      const Vector3d p(10.0 * pile + 0.02 * (i % 2), 0.01 * i, 0.06 + 0.14 * i + 0.3 * pile);
      const RigidTransform X_WB = Turn(i % 2 ? 0.3 : 0.0, Vector3d::UnitX(), p);
      AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0 + i, X_WB, {.friction = 0.5});
    }
  }
  return builder.Build();
}

TEST(World, EqualWorldsHaveEqualBits) {
  World a = MakeWorld(MakePiles(1)), b = MakeWorld(MakePiles(1));
  for (int i = 0; i < 300; ++i) {
    a.Step(), b.Step();
    ASSERT_EQ(Hash(a.state()), Hash(b.state())) << "step " << i;
  }
}

// Problem and warm start are all that a solver sees of a step.
TEST(World, WarmStartAndProblemGiveTheStepsSolution) {
  WorldOptions options;
  options.solver = "nbgs_c";
  options.budget = kNoBudget;  // or steps that miss it are solved again
  options.skips_still = false;
  World world(MakePiles(1), options);
  bool was_warm = false;
  for (int i = 0; i < 200; ++i) {
    world.Step();
    Solution solution = world.warm_start();
    ASSERT_EQ(solution.lambda.size(), world.problem().num_rows());
    was_warm = was_warm || (solution.lambda.size() > 0 && !solution.lambda.isZero(0.0));
    const ProblemReport again = ProblemSolver().Solve(world.problem(), *MakeSolver("nbgs_c"), solution);
    ASSERT_EQ(again.certificate.ncp_max, world.report().certificate.ncp_max) << "step " << i;
    ASSERT_EQ(solution.lambda, world.solution().lambda) << "step " << i;
  }
  EXPECT_TRUE(was_warm);
}

TEST(World, SavedStateContinuesBitForBit) {
  World original = MakeWorld(MakePiles(1));
  RunSteps(original, 150);
  ASSERT_GT(original.report().num_contacts, 0);
  World copy = MakeWorld(MakePiles(1));
  copy.set_state(original.state());
  for (int i = 0; i < 200; ++i) {
    original.Step(), copy.Step();
    ASSERT_EQ(Hash(original.state()), Hash(copy.state())) << "step " << i;
  }
}

// Whatever a step leaves in a state, it has the sizes that set_state asks for.
TEST(World, TakesBackItsOwnStateWithEveryContactModel) {
  for (const ContactModel contact : {ContactModel::kRigid, ContactModel::kSoft, ContactModel::kCompliant}) {
    for (const char* solver : {"auto", "canal", "subadmm", "admm_ncp"}) {
      Model model = MakePiles(2);
      model.options.contact_model = contact;
      for (Geom& geom : model.geoms) {
        geom.condim = 6;
        geom.stiffness = 1e5;
      }
      World world = MakeWorld(model, 0.002, solver);
      RunSteps(world, 60);
      ASSERT_GT(world.report().num_contacts, 0);
      EXPECT_NO_THROW(world.set_state(world.state())) << ToString(contact) << ' ' << solver;
    }
  }
}

// Who looks at q and v where they stand, such as an array of another language, always sees those of now.
TEST(World, StateStaysWhereItIsInMemory) {
  World world = MakeWorld(MakePiles(1));
  const double* q = world.q().data();
  const double* v = world.v().data();
  const State start = world.state();
  for (int i = 0; i < 3; ++i) {
    world.Step();
    EXPECT_EQ(world.q().data(), q);
    EXPECT_EQ(world.v().data(), v);
  }
  world.set_state(start);
  EXPECT_EQ(world.q().data(), q);
  EXPECT_EQ(world.v().data(), v);
}

TEST(World, FarPileDoesNotChangeTheBitsOfTheFirst) {
  World alone = MakeWorld(MakePiles(1)), both = MakeWorld(MakePiles(2));
  for (int i = 0; i < 300; ++i) {
    alone.Step(), both.Step();
    ASSERT_TRUE(alone.q() == both.q().head(alone.q().size())) << "step " << i;
    ASSERT_TRUE(alone.v() == both.v().head(alone.v().size())) << "step " << i;
  }
}

TEST(World, RejectsWrongOptionsAndStates) {
  const Model model = MakeBoxStack(1);
  EXPECT_THROW(MakeWorld(model, 0.002, "no_such_solver"), std::invalid_argument);
  for (const double dt : {0.0, -0.001, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(MakeWorld(model, dt), std::invalid_argument) << dt;
  }
  WorldOptions options;
  options.solver_options = {{"no_such_option", "1"}};
  EXPECT_THROW(World(model, options), std::invalid_argument);
  options.solver_options.clear();
  options.budget = 0.0;
  EXPECT_THROW(World(model, options), std::invalid_argument);

  World world(model);
  State state = world.state();
  state.v[2] = std::nan("");
  EXPECT_THROW(world.set_state(state), std::invalid_argument);
  state = world.state();
  state.q.conservativeResize(3);
  EXPECT_THROW(world.set_state(state), std::invalid_argument);
}

TEST(World, DivergenceNamesTheBodyAndKeepsTheState) {
  for (const double force : {std::nan(""), 1e300, std::numeric_limits<double>::infinity()}) {
    World world = MakeWorld(MakeBoxStack(3));
    RunSteps(world, 5);
    const std::uint64_t before = Hash(world.state());
    world.input().applied_wrench(3, 3) = force;
    EXPECT_EQ(world.Step().status, StepStatus::kDiverged) << force;
    EXPECT_EQ(Hash(world.state()), before) << force;
    world.input().applied_wrench.setZero();
    EXPECT_EQ(world.Step().status, StepStatus::kOk) << force;  // and goes on from there
  }
}

// What no motion tells of in the step itself.
TEST(World, InputsThatAreNotFiniteDivergeAndKeepTheState) {
  ModelBuilder builder("inputs");
  const int arm = builder.AddBody({.name = "arm"});
  const int joint = builder.AddJoint(arm, {.name = "h", .kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
  builder.AddGeom({.body = arm, .shape = Sphere{0.1}}, {.mass = 1.0});
  builder.AddBody({.name = "table", .is_mocap = true});
  builder.AddActuator({.name = "a", .joint = joint, .dynamics = ActuatorDynamics::kIntegrator});
  World world(builder.Build());
  const std::uint64_t before = Hash(world.state());
  for (double* input : {world.input().ctrl.data(), world.input().mocap.data()}) {
    const double kept = std::exchange(*input, std::nan(""));
    EXPECT_EQ(world.Step().status, StepStatus::kDiverged);
    EXPECT_EQ(Hash(world.state()), before);
    EXPECT_TRUE(world.state().activation.allFinite() && world.state().mocap.allFinite());
    *input = kept;
  }
  EXPECT_EQ(world.Step().status, StepStatus::kOk);
  State state = world.state();
  state.activation[0] = std::nan("");
  EXPECT_THROW(world.set_state(state), std::invalid_argument);
}

TEST(World, DivergenceOfOneBodyAloneBlamesThatBody) {
  ModelBuilder builder;
  for (int i = 0; i < 3; ++i) AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(i, 0, 1));
  World world = MakeWorld(builder.Build());
  world.input().applied_wrench(5, 2) = 1e300;
  EXPECT_EQ(world.Step().status, StepStatus::kDiverged);
  EXPECT_EQ(world.report().bad_body, 2);
}

TEST(World, SingularMassIsReportedAndKeepsTheState) {
  // Two slides along one line, parallel as long as the hinge between them stands at zero.
  ModelBuilder builder;
  const int body = builder.AddBody({});
  builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  builder.AddJoint(body, {.kind = HingeJoint{.axis_B = Vector3d::UnitZ()}});
  builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  builder.AddGeom({.body = body, .shape = Sphere{0.1}}, {.mass = 1.0});
  World world = MakeWorld(builder.Build());
  const std::uint64_t before = Hash(world.state());
  EXPECT_EQ(world.Step().status, StepStatus::kSingularMass);
  EXPECT_EQ(world.report().bad_body, 1);
  EXPECT_EQ(Hash(world.state()), before);
  State state = world.state();
  state.q[1] = 0.5;  // turned, the slides differ
  world.set_state(state);
  EXPECT_EQ(world.Step().status, StepStatus::kOk);
}

TEST(World, CallsTheControllerOnceAStep) {
  World world = MakeWorld(MakeBall(0.1, 10.0));
  int calls = 0;
  world.set_controller([&](const World& seen, Input& input) {
    EXPECT_NEAR(seen.time(), 0.002 * calls, 1e-15);  // rounding of the sum
    input.applied_wrench(5, 1) = kGravity;           // holds the ball
    ++calls;
  });
  RunSteps(world, 50);
  EXPECT_EQ(calls, 50);
  EXPECT_NEAR(world.v()[2], 0.0, 1e-12);
}

TEST(World, MocapBodyPushesWhatStandsInItsWay) {
  // Below 1: from there on friction at hand and floor together can wedge the box between them.
  const Surface surface{.friction = 0.8};
  ModelBuilder builder;
  AddFloor(builder, surface);
  const int hand = builder.AddBody({.X_PB = Shift(-0.2, 0, 0.1), .is_mocap = true});
  builder.AddGeom({.body = hand, .shape = Box{Vector3d::Constant(0.08)}, .friction = surface.friction});
  AddFreeBody(builder, Box{Vector3d::Constant(0.1)}, 1.0, Shift(0, 0, 0.1), surface);
  World world = MakeWorld(builder.Build());
  for (int i = 0; i < 1000; ++i) {
    world.input().mocap[0] = -0.2 + 0.1 * world.time();
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
  }
  // The hand ends 0.2 mm before x = 0, its face at 0.0798.
  EXPECT_NEAR(world.q()[0], 0.1798, 1e-6);
  EXPECT_NEAR(world.v()[0], 0.1, 1e-7);
}

TEST(World, SolversAgreeOnARestingBox) {
  World reference = MakeWorld(MakeBoxStack(1));
  RunSteps(reference, 100);
  for (const char* solver : {"canal", "nbgs_c"}) {
    World world = MakeWorld(MakeBoxStack(1), 0.002, solver);
    const RunSummary run = RunSteps(world, 100);
    EXPECT_LE(run.ncp, 1e-8) << solver;
    EXPECT_LT((world.q() - reference.q()).norm(), 1e-8) << solver;  // tolerance over 0.2 s
    double weight = 0.0;
    for (const Contact& contact : world.contacts()) weight += contact.impulse_W.z() / world.timestep();
    EXPECT_NEAR(weight, kGravity, 1e-5) << solver;
  }
}

}  // namespace
}  // namespace stiction::testing

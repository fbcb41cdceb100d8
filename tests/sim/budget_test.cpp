// Nothing unconverged in silence: the budget of named solvers, the solves that no certificate covers, and
// factorisations that fail in the middle of a step.
#include <gtest/gtest.h>

#include "sim/step_workspace.h"
#include "tests/support/failing_solver.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

// The first step of five boxes that rest on one another: their weight has to be found from nothing.
StepReport StepStack(const WorldOptions& options) {
  World world(MakeBoxStack(5, 100.0), options);
  return world.Step();
}

TEST(Budget, HoldsASolverThatIsNamed) {
  WorldOptions options{.solver = "nbgs_c", .solver_options = {{"max_sweeps", "2"}}};
  const StepReport held = StepStack(options);
  EXPECT_EQ(held.status, StepStatus::kBudgetMissed);
  EXPECT_FALSE(held.is_converged);
  EXPECT_GT(held.certificate.ncp_max, kDefaultBudget.absolute);
  EXPECT_EQ(held.solve.sweeps, 2 + 8);  // and four times as many in the retry
  EXPECT_EQ(World(MakeBoxStack(1), options).budget(), kDefaultBudget);
}

TEST(Budget, NoneLetsASolverStopEarly) {
  for (const auto& [solver, option] : {std::pair{"nbgs_c", "max_sweeps"}, {"auto", "retry_newton"}}) {
    const StepReport free =
        StepStack({.solver = solver, .solver_options = {{option, "2"}}, .budget = kNoBudget});
    EXPECT_EQ(free.status, StepStatus::kOk);
    EXPECT_TRUE(free.is_converged);
    EXPECT_LE(free.solve.sweeps, 20);  // auto has 20 before Newton
  }
  EXPECT_EQ(StepStack({.solver = "nbgs_c", .solver_options = {{"max_sweeps", "2"}}, .budget = kNoBudget})
                .solve.sweeps,
            2);
}

TEST(Budget, AcceptCountsAMissWithoutARetry) {
  const StepReport report =
      StepStack({.solver = "nbgs_c", .solver_options = {{"max_sweeps", "2"}}, .on_miss = OnMiss::kAccept});
  EXPECT_EQ(report.status, StepStatus::kBudgetMissed);
  EXPECT_FALSE(report.is_converged);
  EXPECT_EQ(report.solve.sweeps, 2);
}

// A box that slides: the convex law lifts it, by μ times the slide, where the exact one does not.
World SlideBox(const std::string& solver, OnMiss on_miss) {
  ModelBuilder builder("slide");
  AddFloor(builder, {.friction = 0.5});
  AddFreeBody(builder, Box{{0.1, 0.1, 0.025}}, 1.0, Shift(0, 0, 0.025), {.friction = 0.5});
  World world(builder.Build(), {.solver = solver, .on_miss = on_miss});
  SetFreeVelocity(world, 0, {2.0, 0, 0});
  return world;
}

TEST(Budget, SolverOfAnotherLawMissesItAndIsNotTriedAgain) {
  for (const char* solver : {"sap", "admm_ccp", "pgs_ccp"}) {
    World once = SlideBox(solver, OnMiss::kAccept), retried = SlideBox(solver, OnMiss::kRetry);
    int misses = 0;
    for (int i = 0; i < 5; ++i) {
      const StepReport& report = retried.Step();
      once.Step();
      EXPECT_LE(report.certificate.own_law, kDefaultBudget.absolute) << solver;
      EXPECT_TRUE(report.is_converged) << solver;
      EXPECT_EQ(report.solve.iterations, once.report().solve.iterations) << solver;
      misses += report.status == StepStatus::kBudgetMissed && report.certificate.ncp_max > 1e-3;
    }
    EXPECT_GT(misses, 0) << solver;
    EXPECT_EQ(Hash(once.state()), Hash(retried.state())) << solver;
  }
}

// A solver that is merely slow undoes the slip of its contacts. (That of one that gives up early waits:
// SolveStage.LetsSlipWaitOfWhomGivesUpEarlyOrGrows.)
TEST(Budget, MissOfASlowSolverForgetsNoSlip) {
  World world(MakeBoxStack(5), {.solver = "nbgs_c", .solver_options = {{"max_sweeps", "20"}}});
  int misses = 0, paused = 0, with_slip = 0;
  for (int i = 0; i < 20; ++i) {
    misses += world.Step().status == StepStatus::kBudgetMissed;
    for (const ContactMemory& contact : world.state().contacts) {
      paused += contact.slip_pause > 0;
      with_slip += !contact.slip_A.isZero(0.0);
    }
  }
  EXPECT_EQ(misses, 20);
  EXPECT_EQ(paused, 0);
  EXPECT_GT(with_slip, 0);
}

// Two boxes at rest on the floor, and two that a ball is about to strike at 3 m/s.
Model MakePiles(bool has_resting, bool has_struck) {
  ModelBuilder builder("piles");
  AddFloor(builder);
  for (const double x : {0.0, 1.0}) {
    if (!(x == 0.0 ? has_resting : has_struck)) continue;
    for (const double z : {0.05, 0.15})
      AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(x, 0, z));
  }
  if (has_struck) AddFreeBody(builder, Sphere{0.1}, 5.0, Shift(1.02, 0.01, 0.301));
  return builder.Build();
}

// The first step, by a solver that is too hasty for any pile.
StepStatus StepPiles(bool has_resting, bool has_struck, const Budget& budget) {
  World world(MakePiles(has_resting, has_struck),
              {.solver = "nbgs_c", .solver_options = {{"max_sweeps", "3"}}, .budget = budget});
  State state = world.state();
  if (has_struck) state.v[state.v.size() - 4] = -3.0;
  world.set_state(state);
  return world.Step().status;
}

TEST(RelativeBudget, IsOfTheIslandThatIsStruck) {
  const Budget loose(1e-8, 0.2);  // 0.6 m/s for what is struck
  EXPECT_EQ(StepPiles(false, true, 1e-8), StepStatus::kBudgetMissed);
  EXPECT_EQ(StepPiles(false, true, loose), StepStatus::kOk);
  EXPECT_EQ(StepPiles(true, false, loose), StepStatus::kBudgetMissed);
  EXPECT_EQ(StepPiles(true, true, loose), StepStatus::kBudgetMissed) << "lent to the pile at rest";
}

TEST(RelativeBudget, IsTheSameAsTheAbsoluteOneWhereNothingApproaches) {
  World strict = SlideBox("auto", OnMiss::kRetry);
  WorldOptions options = strict.options();
  options.budget = Budget(1e-8, 1e-2);
  World loose(strict.model(), options);
  loose.set_state(strict.state());
  for (int i = 0; i < 50; ++i) EXPECT_LE(loose.Step().certificate.ncp_max, 1e-8);
}

TEST(RelativeBudget, HasToBeValid) {
  for (const Budget& budget : {Budget(0.0, 1.0), Budget(1e-8, -1.0), Budget(1e-8, INFINITY)})
    EXPECT_THROW(World(MakeBoxStack(1), {.budget = budget}), std::invalid_argument);
}

struct Stepper {
  explicit Stepper(Model model_in)
      : model(std::move(model_in)),
        input(Input::Default(model)),
        state(State::Default(model)),
        ws(model, {}) {}
  const StepReport& Step() {
    stiction::Step(model, input, state, ws, report);
    return report;
  }
  Model model;
  Input input;
  State state;
  StepWorkspace ws;
  StepReport report;
};

TEST(StageSolves, PositionStageThatDoesNotSolveSaysSo) {
  // More contacts overlap than few rows that push.
  Stepper good(MakeBoxStack(14, 1.0, 2e-3)), lazy(good.model), broken(good.model);
  lazy.ws.position_stage.set_method(std::make_unique<FailingSolver>());
  broken.ws.position_stage.set_method(std::make_unique<FailingSolver>(Failure::kNan));
  EXPECT_TRUE(good.Step().position_stage.has_run);
  EXPECT_FALSE(good.report.position_stage.missed()) << good.report.position_stage.residual;
  EXPECT_GT(good.report.correction, 0.0);

  EXPECT_TRUE(lazy.Step().position_stage.missed());
  EXPECT_EQ(lazy.report.position_stage.status, SolveStatus::kMaxIterations);
  EXPECT_GT(lazy.report.position_stage.residual, 1e-6);

  EXPECT_TRUE(broken.Step().position_stage.missed());
  EXPECT_EQ(broken.report.position_stage.status, SolveStatus::kNonFinite);
  EXPECT_EQ(broken.report.correction, 0.0);
  EXPECT_EQ(broken.report.status, StepStatus::kOk);  // the laws were met; the overlap stays
  EXPECT_TRUE(broken.state.q.allFinite());
}

// Ball over a box that the ghost solve has to hold: where that solve fails, no far contact may be dropped for
// it.
TEST(StageSolves, GhostFilterThatOverflowsAdmitsAll) {
  ModelBuilder builder("both");
  AddFloor(builder);
  AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(0, 0, 0.05));
  AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(0, 0, 0.21));
  const Model model = builder.Build();
  for (const Failure failure : {Failure::kLazy, Failure::kNan}) {
    Stepper stepper(model);
    stepper.state.v[6 + 2] = -8.0;
    stepper.ws.ghost_filter.set_method(std::make_unique<FailingSolver>(failure));
    EXPECT_TRUE(stepper.Step().ghost_filter.missed());
    EXPECT_EQ(stepper.report.num_contacts, 4 + 1);
    EXPECT_EQ(stepper.report.status, StepStatus::kOk);
  }
}

// A stack that has nothing to do with the far contact is left out of the ghost solve.
TEST(StageSolves, GhostFilterSolvesIslandsOfFarContactsAlone) {
  ModelBuilder builder("apart");
  AddFloor(builder);
  AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(0, 0, 0.05));
  AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(1, 0, 0.11));
  Stepper stepper(builder.Build());
  stepper.state.v[6 + 2] = -8.0;
  stepper.ws.ghost_filter.set_method(std::make_unique<FailingSolver>(Failure::kNan));
  EXPECT_TRUE(stepper.Step().ghost_filter.has_run);
  EXPECT_FALSE(stepper.report.ghost_filter.missed());
  EXPECT_EQ(stepper.report.num_contacts, 4 + 1);
}

// Falls on the floor at 1 m/s and bounces. An applied force grows with the velocity, by 2000 N·s/m, which is
// more than 1 kg can take implicitly: m − θ dt 2000 < 0. A servo for -1 m/s holds it, by 4000 N·s/m, until
// the bounce takes it to its limit.
Model MakeRunaway() {
  ModelBuilder builder("runaway");
  builder.options().gravity.setZero();
  AddFloor(builder, {.restitution = 0.9});
  const int body = builder.AddBody({.X_PB = Shift(0, 0, 0.1)});
  builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::UnitZ()}});
  builder.AddGeom({.body = body, .shape = Sphere{0.1}, .restitution = 0.9}, {.mass = 1.0});
  Actuator servo{.gain = {4000.0, 0, 0}, .bias = {0, 0, -4000.0}};
  servo.joint = 0;
  servo.force_lower = -10.0;
  servo.force_upper = 10.0;
  builder.AddActuator(servo);
  return builder.Build();
}

TEST(StageSolves, SingularMassAfterTheSolveKeepsTheLastGoodState) {
  for (const Integrator integrator :
       {Integrator::kSymplecticEuler, Integrator::kImplicitEuler, Integrator::kMidpoint}) {
    World world(MakeRunaway(), {.timestep = 0.002, .integrator = integrator});
    State state = world.state();
    state.v[0] = -1.0;
    world.set_state(state);
    world.input().ctrl[0] = -1.0;
    world.input().applied_damping = VectorXd::Constant(1, -2000.0);
    world.input().applied_generalized[0] = 2000.0;  // in balance at -1 m/s
    EXPECT_EQ(world.Step().status, StepStatus::kSingularMass) << ToString(integrator);
    EXPECT_GT(world.report().num_islands, 0) << "before the solve";
    EXPECT_EQ(world.report().bad_body, 1);
    EXPECT_EQ(world.q(), state.q);
    EXPECT_EQ(world.v(), state.v);
    EXPECT_EQ(world.time(), 0.0);
  }
}

}  // namespace
}  // namespace stiction::testing

#include "stiction/sim/scenario.h"

#include <gtest/gtest.h>

#include "stiction/io/scenario.h"
#include "stiction/sim/expectation.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

constexpr double kScenarioStep = 0.01;  // [s]

// What each expectation measures in `seconds` of simulation.
std::vector<ExpectationResult> Evaluate(World& world, const std::vector<Expectation>& expectations,
                                        double seconds) {
  ExpectationMonitor monitor(world, expectations);
  const int steps = static_cast<int>(std::lround(seconds / world.timestep()));
  for (int i = 0; i < steps; ++i) {
    world.Step();
    monitor.Observe(world);
  }
  return monitor.results();
}

ExpectationResult Evaluate(World& world, const Expectation& expectation, double seconds) {
  return Evaluate(world, std::vector{expectation}, seconds).at(0);
}

// Two balls without gravity; the first moves at 2 m/s along x, the second at 1 m/s along y, turned by 90
// degrees about z.
World MakeFlyingPair() {
  ModelBuilder builder("pair");
  builder.options().gravity.setZero();
  const int first = builder.AddBody({.name = "first"});
  const int second = builder.AddBody({.name = "second", .X_PB = Turn(kPi / 2, Vector3d::UnitZ(), {0, 5, 0})});
  for (const int body : {first, second}) {
    builder.AddJoint(body, {.kind = FreeJoint{}});
    builder.AddGeom({.body = body, .shape = Sphere{0.1}}, {.mass = 1.0});
  }
  builder.AddFrame({.name = "tip", .body = second, .X_BF = Shift(0, 0, 0.5)});
  World world = MakeWorld(builder.Build(), kScenarioStep);
  SetFreeVelocity(world, 0, {2, 0, 0});
  State state = world.state();
  state.v.segment<3>(6) = Vector3d(0, 1, 0);
  world.set_state(state);
  return world;
}

Expectation Position(const std::string& of, Axis axis, double from, double to) {
  return {
      .what = Quantity::kPosition, .of = of, .axis = axis, .from = from, .to = to, .min = -100, .max = 100};
}

TEST(Expectation, PicksTheTimeItConcerns) {
  const auto at = [](double from, double to, std::optional<double> max) {
    World world = MakeFlyingPair();
    Expectation e = Position("first", Axis::kX, from, to);
    e.max = max;
    if (max) e.min.reset();
    return Evaluate(world, e, 1.0);
  };
  // x = 2 t
  EXPECT_NEAR(at(0, 0, {}).measured, 0.0, 1e-12);
  EXPECT_NEAR(at(kScenarioEnd, kScenarioEnd, {}).measured, 2.0, 1e-12);
  EXPECT_NEAR(at(0.5, 0.5, {}).measured, 1.0, 1e-12);
  EXPECT_NEAR(at(0.504, 0.504, {}).measured, 1.0, 1e-12);  // the nearest step
  EXPECT_NEAR(at(0.2, 0.7, 100.0).measured, 1.4, 1e-12);   // the largest in between
  EXPECT_NEAR(at(0.2, 0.7, 100.0).time, 0.7, 1e-12);
  EXPECT_NEAR(at(0.2, 0.7, {}).measured, 0.4, 1e-12);  // the smallest: nearer to its bound
  EXPECT_NEAR(at(0.2, kScenarioEnd, 100.0).measured, 2.0, 1e-12);
}

// As controllers do: of what goes on from a saved state.
TEST(Expectation, GoesByTheTimeOfTheSimulation) {
  World world = MakeFlyingPair();
  State state = world.state();
  state.time = 1.0;
  world.set_state(state);
  const auto results =
      Evaluate(world, {Position("first", Axis::kX, 0.5, 0.5), Position("first", Axis::kX, 1.2, 1.2)}, 0.5);
  EXPECT_TRUE(std::isnan(results[0].measured)) << "was due before";
  EXPECT_FALSE(results[0].is_met);
  EXPECT_NEAR(results[1].measured, 0.4, 1e-12);
  EXPECT_NEAR(results[1].time, 1.2, 1e-12);
}

TEST(Expectation, HoldsWithinItsBoundsAndFailsOutside) {
  const auto is_met = [](std::optional<double> min, std::optional<double> max) {
    World world = MakeFlyingPair();
    Expectation e = Position("first", Axis::kX, 0.0, kScenarioEnd);
    e.min = min, e.max = max;
    return Evaluate(world, e, 1.0).is_met;
  };
  EXPECT_TRUE(is_met({}, 2.001));
  EXPECT_FALSE(is_met({}, 1.999));
  EXPECT_TRUE(is_met(0.0, {}));
  EXPECT_FALSE(is_met(0.001, {}));
  EXPECT_TRUE(is_met(-0.001, 2.001));
  EXPECT_FALSE(is_met(0.5, 2.001));
}

TEST(Expectation, FailsWhereTheSimulationEndsBeforeItsTime) {
  const auto evaluate = [](double from, double to) {
    World world = MakeFlyingPair();
    return Evaluate(world, Position("first", Axis::kX, from, to), 0.5);
  };
  EXPECT_FALSE(evaluate(0.8, 0.8).is_met);
  EXPECT_TRUE(std::isnan(evaluate(0.8, 0.8).measured));
  EXPECT_FALSE(evaluate(0.2, 0.8).is_met);
  EXPECT_FALSE(evaluate(0.8, kScenarioEnd).is_met);
  EXPECT_TRUE(evaluate(0.2, 0.5).is_met);
  World world = MakeFlyingPair();
  ExpectationMonitor monitor(
      world, {Position("first", Axis::kX, 0.0, kScenarioEnd), Position("first", Axis::kX, 0, 0)});
  EXPECT_TRUE(monitor.results()[0].is_met);
  EXPECT_FALSE(monitor.results(false)[0].is_met);  // the end was not reached
  EXPECT_TRUE(monitor.results(false)[1].is_met);
  EXPECT_EQ(Describe(evaluate(0.8, 0.8)),
            "position of first along x at 0.8 s: not measured, min -100, max 100");
}

TEST(Expectation, MeasuresPositionDriftAndSpeedInAnotherFrame) {
  World world = MakeFlyingPair();
  const auto make = [](Quantity what, Axis axis) {
    return Expectation{.what = what, .of = "first", .in = "second", .axis = axis, .min = -100, .max = 100};
  };
  std::vector<Expectation> expectations;
  for (const Quantity what : {Quantity::kPosition, Quantity::kDrift, Quantity::kSpeed}) {
    for (const Axis axis : {Axis::kX, Axis::kY, Axis::kNorm}) expectations.push_back(make(what, axis));
  }
  for (Expectation& e : expectations) {
    if (e.what != Quantity::kDrift) e.from = kScenarioEnd;
    e.min.reset();
  }
  expectations[4].max.reset();  // the drift along y is negative
  expectations[4].min = -100;
  const std::vector<ExpectationResult> r = Evaluate(world, expectations, 1.0);
  // After 1 s the first stands at (2, 0, 0), the second at (0, 6, 0) with its x along the world's y. From the
  // second, (2, −6, 0) is x = −6, y = −2; it was (−5, 0); and the velocity (2, −1, 0) is (−1, −2).
  const double expected[] = {-6, -2, std::sqrt(40.0), 0, -2, std::sqrt(5.0), -1, -2, std::sqrt(5.0)};
  for (int i = 0; i < 9; ++i) {
    if (i == 3) continue;  // along x the drift falls from 0 to −1: its largest is 0, at the start
    EXPECT_NEAR(r[i].measured, expected[i], 1e-12) << Describe(r[i]);
  }
  EXPECT_EQ(r[3].measured, 0.0);
}

TEST(Expectation, SpeedSeenFromATurningBodyHasNoPartOfItsTurning) {
  // A ball at rest on a turntable, seen from it, does not move; seen from the world it does.
  ModelBuilder builder("turntable");
  builder.options().gravity.setZero();
  const int table = builder.AddBody({.name = "table"});
  builder.AddJoint(table, {.kind = HingeJoint{.axis_B = Vector3d::UnitZ()}});
  builder.AddGeom({.body = table, .shape = Cylinder{0.5, 0.1}}, {.mass = 1.0});
  builder.AddFrame({.name = "rim", .body = table, .X_BF = Shift(0.4, 0, 0)});
  World world = MakeWorld(builder.Build(), kScenarioStep);
  State state = world.state();
  state.v[0] = 3.0;
  world.set_state(state);
  const Expectation still{.what = Quantity::kSpeed, .of = "rim", .in = "table", .min = {}, .max = 1e-12};
  const Expectation moving{.what = Quantity::kSpeed, .of = "rim", .in = "", .min = {}, .max = 2.0};
  const Expectation fastest{.what = Quantity::kSpeed, .min = {}, .max = 1e-12};  // the table's origin rests
  const auto r = Evaluate(world, {still, moving, fastest}, 0.5);
  EXPECT_TRUE(r[0].is_met) << Describe(r[0]);
  EXPECT_NEAR(r[1].measured, 1.2, 1e-12);
  EXPECT_TRUE(r[2].is_met) << Describe(r[2]);
}

TEST(Expectation, DriftBeginsAtFrom) {
  World world = MakeFlyingPair();
  const Expectation e{
      .what = Quantity::kDrift, .of = "first", .from = 0.25, .to = 0.75, .min = {}, .max = 1.0};
  EXPECT_NEAR(Evaluate(world, e, 1.0).measured, 1.0, 1e-12);
}

TEST(Expectation, ReadsPenetrationNcpAndContactsFromTheSteps) {
  // Three boxes; the lowest stands on the floor and carries the second one: 4 + 4 contact points, and 4 at
  // the top.
  World world = MakeWorld(MakeBoxStack(3), kScenarioStep);
  RunSteps(world, 50);
  const auto make = [](Quantity what, const std::string& of) {
    return Expectation{.what = what, .of = of, .from = kScenarioEnd, .min = {}, .max = 1e9};
  };
  const auto r = Evaluate(
      world,
      {make(Quantity::kContacts, ""), make(Quantity::kContacts, "body1"), make(Quantity::kContacts, "body3"),
       make(Quantity::kPenetration, ""), make(Quantity::kNcp, ""), make(Quantity::kPenetration, "body3")},
      0.1);
  EXPECT_EQ(r[0].measured, 12);
  EXPECT_EQ(r[1].measured, 8);
  EXPECT_EQ(r[2].measured, 4);
  EXPECT_EQ(r[3].measured, world.report().penetration);
  EXPECT_EQ(r[4].measured, world.report().certificate.ncp_max);
  EXPECT_LE(r[5].measured, r[3].measured);
}

TEST(Expectation, MeasuresEnergyDriftInJoules) {
  // A ball that falls freely keeps its energy but for the integrator: over a step of semi-implicit Euler it
  // loses m g² dt²/2, so n steps lose n times that.
  World world = MakeWorld(MakeBall(0.1, 100.0), kScenarioStep);
  const Expectation e{.what = Quantity::kEnergyDrift, .min = {}, .max = 1.0};
  EXPECT_NEAR(Evaluate(world, e, 1.0).measured,
              100 * 0.5 * kGravity * kGravity * kScenarioStep * kScenarioStep, 1e-9);
}

TEST(Expectation, ANumberThatIsNoneFails) {
  World world = MakeFlyingPair();
  const Expectation e{.what = Quantity::kNcp, .min = {}, .max = 1e9};
  EXPECT_FALSE(Evaluate(world, e, 0.0).is_met);  // no step, no certificate
}

TEST(Expectation, RefusesUnknownNames) {
  const World world = MakeFlyingPair();
  EXPECT_THROW(ExpectationMonitor(world, {Position("third", Axis::kX, 0, 1)}), std::invalid_argument);
}

// A scenario of the assets, whose bounds are those of the motion itself: within them by every integrator.
TEST(Scenario, ArmFollowsItsTrajectoryByEveryIntegrator) {
  Scenario scenario = LoadScenario(STICTION_SOURCE_DIR "/assets/scenarios/arm_trajectory.xml");
  for (const Integrator integrator : {Integrator::kSymplecticEuler, Integrator::kImplicitEuler,
                                      Integrator::kMidpoint, Integrator::kRungeKutta4}) {
    scenario.integrator = integrator;
    World world = stiction::MakeWorld(scenario);
    for (const ExpectationResult& result : Evaluate(world, scenario.expectations, scenario.duration))
      EXPECT_TRUE(result.is_met) << ToString(integrator) << ": " << Describe(result);
  }
}

}  // namespace
}  // namespace stiction::testing

// The viewer's simulation without its window.
#include "live/player.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <future>
#include <thread>

#include "live/shadow_solves.h"
#include "live/simulation.h"
#include "stiction/io/log_reader.h"
#include "stiction/io/model_source.h"
#include "stiction/math/rotation.h"
#include "tests/support/scenes.h"
#include "tests/viewer/look.h"

namespace stiction::viewer {
namespace {

using testing::AddFloor;
using testing::AddFreeBody;
using testing::kGravity;
using testing::Shift;
using Clock = Player::Clock;
using std::chrono::milliseconds;

// Of wall time, for which a slow machine may take as long as it likes.
constexpr std::chrono::hours kForever(24);

LivePlan PlanStack(int count) {
  return {testing::MakeBoxStack(count), {}, "", 7};
}

WorldOptions With(const std::string& solver) {
  WorldOptions options;
  options.solver = solver;
  return options;
}

void StepTimes(Player& player, int count) {
  for (int i = 0; i < count; ++i) player.StepOnce();
}

TEST(Player, StartsPausedAtTheStart) {
  Player player(PlanStack(2));
  const Snapshot now = LookAt(player);
  EXPECT_FALSE(now.is_running);
  EXPECT_EQ(now.model_id, 7);
  EXPECT_EQ(now.time, 0.0);
  EXPECT_EQ(now.X_WB.size(), 3u);
  EXPECT_FALSE(now.contacts.empty());
  EXPECT_EQ(now.history_size, 1);
  EXPECT_FALSE(player.has_news());
}

TEST(Player, StepsAreThoseOfAWorld) {
  Player player(PlanStack(3));
  World world(testing::MakeBoxStack(3));
  StepTimes(player, 50);
  for (int i = 0; i < 50; ++i) world.Step();
  EXPECT_EQ(Hash(player.world().state()), Hash(world.state()));
  const Snapshot now = LookAt(player);
  EXPECT_EQ(now.num_steps, 50);
  ASSERT_FALSE(now.samples.empty());
  EXPECT_EQ(now.samples.back().time, world.time());
}

// The clock is the test's: exactly the steps that are due are taken.
TEST(Player, KeepsToTheWantedSpeed) {
  Player player(PlanStack(1));
  player.SetSpeed(0.5);
  player.Run(true);
  const Clock::time_point start = *player.due() - std::chrono::microseconds(4000);  // 2 ms at half speed
  player.Advance(start + milliseconds(3), kForever);
  EXPECT_EQ(LookAt(player).num_steps, 0);
  player.Advance(start + milliseconds(41), kForever);
  EXPECT_EQ(LookAt(player).num_steps, 10);
  player.Run(false);
  player.Advance(start + milliseconds(90), kForever);
  EXPECT_EQ(LookAt(player).num_steps, 10);
}

TEST(Player, ALongPauseIsNotCaughtUp) {
  Player player(PlanStack(1));
  player.Run(true);
  player.Advance(*player.due() + std::chrono::seconds(10), kForever);
  EXPECT_LE(LookAt(player).num_steps, 1);
}

// Step after step, however far the simulation is ahead of the clock; until the time that it was given is
// over, which is asked after each.
TEST(Player, AsFastAsPossibleUsesItsSlice) {
  Player player(PlanStack(1));
  int steps = 0;
  player.world().set_controller([&](const World&, Input&) {
    if (++steps == 50) player.Run(false);
  });
  player.SetSpeed(0.0);
  player.Run(true);
  const Clock::time_point now = Clock::now();
  player.Advance(now, kForever);
  EXPECT_EQ(LookAt(player).num_steps, 50);
  player.Run(true);
  player.Advance(now, std::chrono::microseconds(0));
  EXPECT_EQ(LookAt(player).num_steps, 50);
  player.Advance(now, std::chrono::microseconds(1));  // over long ago
  EXPECT_EQ(LookAt(player).num_steps, 51);
}

TEST(Player, GoingBackAndOnAgainRepeatsTheSameBits) {
  Player player(PlanStack(3));
  StepTimes(player, 40);
  const std::uint64_t end = Hash(player.world().state());
  EXPECT_EQ(LookAt(player).history_size, 41);
  player.Scrub(15);
  EXPECT_NEAR(LookAt(player).time, 15 * 0.002, 1e-12);
  EXPECT_EQ(LookAt(player).history_index, 15);
  EXPECT_FALSE(LookAt(player).contacts.empty());
  StepTimes(player, 25);
  EXPECT_EQ(Hash(player.world().state()), end);
  EXPECT_EQ(LookAt(player).history_size, 41);
}

TEST(Player, ScrubbingShowsWhatWasShownThen) {
  Player player(PlanStack(2));
  StepTimes(player, 30);
  const Snapshot then = LookAt(player);
  StepTimes(player, 10);
  player.Scrub(then.history_index);
  const Snapshot again = LookAt(player);
  EXPECT_EQ(again.q, then.q);
  ASSERT_EQ(again.contacts.size(), then.contacts.size());
  for (std::size_t i = 0; i < then.contacts.size(); ++i)
    EXPECT_EQ(again.contacts[i].impulse_W, then.contacts[i].impulse_W);
  EXPECT_EQ(again.report.certificate.ncp_max, then.report.certificate.ncp_max);
  player.Scrub(1000);
  EXPECT_EQ(LookAt(player).history_index, then.history_index + 10);
  player.Scrub(-5);
  EXPECT_EQ(LookAt(player).time, 0.0);
}

TEST(Player, PausingBetweenMomentsKeepsTheState) {
  Player player(PlanStack(1));
  player.Run(true);
  const Clock::time_point start = *player.due();
  player.Advance(start + milliseconds(26), kForever);
  player.Run(false);
  const Snapshot paused = LookAt(player);
  player.Scrub(0);
  player.Scrub(1000);
  EXPECT_EQ(LookAt(player).time, paused.time);
}

TEST(Player, ResetGoesToTheStartAndForgets) {
  Player player(PlanStack(2));
  const VectorXd q = player.world().q();
  StepTimes(player, 10);
  player.Reset();
  const Snapshot now = LookAt(player);
  EXPECT_EQ(now.q, q);
  EXPECT_EQ(now.time, 0.0);
  EXPECT_EQ(now.num_steps, 0);
  EXPECT_EQ(now.history_size, 1);
  EXPECT_TRUE(now.has_reset);
}

// Whichever it is; and what the user chose stays chosen.
TEST(Player, EverySolverIsHeldToTheBudget) {
  for (const char* solver : {"auto", "canal", "nbgs", "subadmm"}) {
    Player player({testing::MakeBoxStack(1), With(solver), "", 1});
    EXPECT_EQ(LookAt(player).budget, 1e-8) << solver;
  }
  Player player(PlanStack(1));
  WorldOptions options = With("canal");
  options.budget = kNoBudget;
  player.SetOptions(options);
  EXPECT_EQ(LookAt(player).budget, kNoBudget);
  StepTimes(player, 3);
  EXPECT_EQ(LookAt(player).budget_misses, 0);
}

TEST(Player, ChangesTheSolverAndKeepsTheState) {
  Player player(PlanStack(3));
  StepTimes(player, 20);
  const Snapshot before = LookAt(player);
  WorldOptions options = With("pgs_ncp");
  options.solver_options = {{"max_sweeps", "7"}};
  player.SetOptions(options);
  const Snapshot after = LookAt(player);
  EXPECT_EQ(after.q, before.q);
  EXPECT_EQ(after.time, before.time);
  EXPECT_EQ(after.solver, "pgs_ncp");
  StepTimes(player, 1);
  EXPECT_LE(LookAt(player).report.solve.iterations, 4 * 7);
}

TEST(Player, AWrongSolverChangesNothingAndSaysSo) {
  Player player(PlanStack(1));
  player.SetOptions(With("magic"));
  EXPECT_NE(LookAt(player).message.find("magic"), std::string::npos);
  EXPECT_EQ(LookAt(player).solver, "auto");
  WorldOptions options;
  options.timestep = -1.0;
  player.SetOptions(options);
  EXPECT_NE(LookAt(player).message.find("timestep"), std::string::npos);
  EXPECT_EQ(player.world().timestep(), 0.002);
}

// Speeds that no step survives stop the run with the last good state.
TEST(Player, DivergenceStopsWithAMessage) {
  Player player(PlanStack(1));
  State state = player.world().state();
  state.v[0] = 1e12;
  player.SetState(state);
  player.Run(true);
  player.Advance(Clock::now() + milliseconds(10), milliseconds(100));
  const Snapshot now = LookAt(player);
  EXPECT_FALSE(now.is_running);
  EXPECT_NE(now.message.find("diverged"), std::string::npos) << now.message;
  player.Reset();
  EXPECT_EQ(LookAt(player).message, "");
}

TEST(Player, AWrongStateIsRefused) {
  Player player(PlanStack(1));
  State state = player.world().state();
  state.q[0] = std::nan("");
  player.SetState(state);
  EXPECT_NE(LookAt(player).message, "");
  EXPECT_TRUE(player.world().q().allFinite());
}

TEST(Player, FreezesTheProblemOfTheLastStep) {
  Player player(PlanStack(2));
  EXPECT_EQ(player.Freeze(), nullptr);
  StepTimes(player, 5);
  const auto step = player.Freeze();
  ASSERT_NE(step, nullptr);
  EXPECT_EQ(step->problem.num_constraints(), static_cast<int>(step->contacts.size()));
  EXPECT_EQ(step->warm_start.lambda.size(), step->problem.num_rows());
}

// A log of `count` steps, and what the steps reported.
struct LoggedRun {
  std::string path;
  std::vector<StepReport> reports{};
  std::vector<Energy> energies{};
};
LoggedRun LogRun(const std::string& name, int count) {
  LoggedRun run{.path = ::testing::TempDir() + name};
  Player player(PlanStack(2));
  player.StartLog(run.path);
  for (int i = 0; i < count; ++i) {
    player.StepOnce();
    run.reports.push_back(player.world().report());
    run.energies.push_back(player.world().CalcEnergy());
  }
  player.StopLog();
  EXPECT_EQ(LookAt(player).message, "");
  return run;
}

// Numbers and plots are the log's, at every row.
TEST(Playback, ShowsWhatTheLogHolds) {
  for (const std::string name : {"playback.h5", "playback.csv"}) {
    const LoggedRun run = LogRun(name, 12);
    Player player(PlanStack(2));
    StepTimes(player, 3);
    player.PlayBack(ReadRecording(run.path, player.world().model()));
    Snapshot now = LookAt(player);
    EXPECT_TRUE(now.is_playback);
    EXPECT_EQ(now.history_size, 12);
    EXPECT_EQ(now.num_steps, 12);
    EXPECT_TRUE(now.has_reset);
    ASSERT_EQ(now.samples.size(), 12u) << "all at once";
    for (int i = 0; i < 12; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const StepReport& wanted = run.reports[at];
      player.Scrub(i);
      now.report = LookAt(player).report;
      EXPECT_EQ(now.report.certificate.ncp_max, wanted.certificate.ncp_max);
      EXPECT_EQ(now.report.certificate.own_law, wanted.certificate.own_law);
      EXPECT_EQ(now.report.certificate.canal, wanted.certificate.canal);
      EXPECT_EQ(now.report.solve.iterations, wanted.solve.iterations);
      EXPECT_EQ(now.report.solve.factorizations, wanted.solve.factorizations);
      EXPECT_EQ(now.report.solve.status, wanted.solve.status);
      EXPECT_EQ(now.report.num_contacts, wanted.num_contacts);
      EXPECT_EQ(now.report.num_islands, wanted.num_islands);
      EXPECT_EQ(now.report.num_parts, wanted.num_parts);
      EXPECT_EQ(now.report.penetration, wanted.penetration);
      EXPECT_NEAR(now.report.phases.total, wanted.phases.total, 1e-12);
      EXPECT_NEAR(now.report.phases.solve, wanted.phases.solve, 1e-12);
      const Sample& sample = now.samples[at];
      EXPECT_EQ(sample.ncp_max, wanted.certificate.ncp_max);
      EXPECT_EQ(sample.kinetic, run.energies[at].kinetic);
      EXPECT_EQ(sample.potential, run.energies[at].potential);
      EXPECT_EQ(sample.contacts, wanted.num_contacts);
      EXPECT_EQ(sample.iterations, wanted.solve.iterations);
      EXPECT_EQ(sample.penetration, wanted.penetration);
      EXPECT_NEAR(sample.step, wanted.phases.total, 1e-12);
    }
    const bool is_table = name.ends_with("csv");
    now = LookAt(player);
    EXPECT_EQ(now.has_contacts, !is_table);
    EXPECT_EQ(now.contacts.empty(), is_table);
    EXPECT_EQ(now.solver, is_table ? "" : "auto");
    EXPECT_EQ(now.budget_misses, 0);
    EXPECT_EQ(now.budget, is_table ? std::nullopt : std::optional<Budget>(1e-8));
  }
}

// Where a body was pulled, how hard and when: of the run's own history as of a log.
TEST(Playback, ShowsWhoWasPulled) {
  for (const std::string name : {"pulled.h5", "pulled.csv"}) {
    const std::string path = ::testing::TempDir() + name;
    Player player(PlanStack(2));
    player.StartLog(path);
    StepTimes(player, 2);
    player.PullSteadily(2, {0.0, 0.0, 3.0}, Vector3d::Zero());
    StepTimes(player, 2);
    const PullView live = LookAt(player).pull;
    player.StopPull();
    StepTimes(player, 1);
    player.StopLog();
    const auto expect = [&](const char* what) {
      const int first = what == std::string("history");  // the start
      for (int i = 0; i < 5; ++i) {
        player.Scrub(first + i);
        const PullView pull = LookAt(player).pull;
        EXPECT_EQ(pull.is_active, i == 2 || i == 3) << what << i;
        if (!pull.is_active) continue;
        EXPECT_TRUE(pull.is_past);
        EXPECT_EQ(pull.force_W, Vector3d(0.0, 0.0, 3.0)) << what;
        if (i < 3) continue;
        EXPECT_EQ(pull.p_W, live.p_W) << what;
      }
    };
    expect("history");
    player.PlayBack(ReadRecording(path, player.world().model()));
    const Snapshot now = LookAt(player);
    ASSERT_EQ(now.samples.size(), 5u);
    EXPECT_EQ(now.samples[1].pull, 0.0);
    EXPECT_EQ(now.samples[2].pull, 3.0) << "the timeline marks it";
    EXPECT_EQ(now.samples[4].pull, 0.0);
    expect("log");
  }
}

// Also when the model's own timestep is another.
TEST(Playback, ForcesAreThoseOfTheTimestepOfTheLog) {
  const LoggedRun run = LogRun("timestep.h5", 3);
  LivePlan plan = PlanStack(2);
  plan.options.timestep = 0.01;
  Player player(plan);
  player.PlayBack(ReadRecording(run.path, player.world().model()));
  EXPECT_EQ(LookAt(player).timestep, 0.002);
  player.Reset();
  EXPECT_EQ(LookAt(player).timestep, 0.01);
  EXPECT_FALSE(LookAt(player).is_playback);
  EXPECT_TRUE(LookAt(player).has_contacts);
}

TEST(Playback, NothingIsMadeUp) {
  const std::string path = ::testing::TempDir() + "bare.csv";
  std::ofstream(path) << "time,q0,q1,q2,q3,q4,q5,q6,v0,v1,v2,v3,v4,v5\n0.5,0,0,0.1,1,0,0,0,0,0,0,0,0,0\n";
  Player player(PlanStack(1));
  player.PlayBack(ReadRecording(path, player.world().model()));
  const Snapshot now = LookAt(player);
  EXPECT_EQ(now.time, 0.5);
  EXPECT_TRUE(std::isnan(now.report.certificate.ncp_max));
  EXPECT_TRUE(std::isnan(now.report.penetration));
  EXPECT_EQ(now.report.num_contacts, kNotLogged);
  EXPECT_EQ(now.budget_misses, kNotLogged);
  EXPECT_FALSE(now.budget);
  ASSERT_EQ(now.samples.size(), 1u);
  EXPECT_EQ(now.samples[0].missed, kNotLogged);
  EXPECT_EQ(now.samples[0].impacts, kNotLogged);
  EXPECT_TRUE(std::isnan(now.samples[0].pull));
  EXPECT_EQ(now.counts.over, kNotLogged);
  // Energies follow from what it holds.
  EXPECT_EQ(now.samples[0].kinetic, 0.0);
  EXPECT_EQ(now.samples[0].potential, player.world().CalcEnergy().potential);
  EXPECT_NE(now.samples[0].potential, 0.0);
  EXPECT_TRUE(std::isnan(now.samples[0].step));
  EXPECT_EQ(now.samples[0].contacts, kNotLogged);
}

TEST(Player, LogsAndStatesNameTheModelsFile) {
  const std::string folder = ::testing::TempDir();
  LivePlan plan = PlanStack(1);
  plan.source = {.file = "/somewhere/stack.xml", .ground = -1.0, .contact = "soft"};
  Player player(plan);
  player.StartLog(folder + "source.h5");
  player.SaveState(folder + "source.json");
  player.StopLog();
  for (const char* name : {"source.h5", "source.json"})
    EXPECT_EQ(ReadModelMention(folder + name).source, plan.source) << name;
}

TEST(Player, ContinuesFromAStateAndRefusesAWrongOne) {
  Player player(PlanStack(1));
  State state = player.world().state();
  state.time = 3.0;
  player.Continue(state);
  EXPECT_EQ(LookAt(player).time, 3.0);
  EXPECT_EQ(LookAt(player).history_size, 1);
  state.q[2] = std::nan("");
  player.Continue(state);
  EXPECT_NE(LookAt(player).message, "");
  EXPECT_EQ(LookAt(player).time, 3.0);
}

TEST(History, ForgetsTheOldestWhereMemoryEnds) {
  History history(20000);
  for (int i = 0; i < 100; ++i) {
    Moment moment;
    moment.state.time = i;
    moment.state.q = VectorXd::Zero(100);
    history.Append(std::move(moment));
  }
  EXPECT_LT(history.size(), 25);
  EXPECT_GT(history.size(), 5);
  EXPECT_EQ(history.back().state.time, 99.0);
  EXPECT_EQ(history.index(), history.size() - 1);
  history.set_index(2);
  history.Append(Moment{});
  EXPECT_EQ(history.size(), 4);
}

// A ball that hangs on the spring comes to rest where the spring carries its weight.
TEST(Pull, CarriesAFreeBody) {
  ModelBuilder builder("ball");
  const int ball = AddFreeBody(builder, Sphere{0.1}, 2.0, Shift(0, 0, 1));
  World world(builder.Build());
  Pull pull;
  ASSERT_TRUE(pull.Start(world, ball, {0, 0, 1}));
  pull.SetTarget({0.5, 0, 1.5});
  for (int i = 0; i < 5000; ++i) {
    pull.Apply(world);
    world.Step();
  }
  const PullView view = pull.View(world);
  EXPECT_NEAR(view.force_W.z(), 2.0 * kGravity, 1e-6);
  EXPECT_NEAR(view.force_W.head<2>().norm(), 0.0, 1e-6);
  const Vector3d p = world.body_poses()[ball].p;
  EXPECT_NEAR(p.x(), 0.5, 1e-6);
  EXPECT_LT(p.z(), 1.5);
  EXPECT_GT(p.z(), 1.3);  // the spring gives 9.81 / (2π 1.5)² = 0.11 m
}

// A light finger on a heavy robot must not make the spring's force blow up.
TEST(Pull, IsStableAtALightLimbOfAHeavyBody) {
  ModelBuilder builder("robot");
  const int trunk = AddFreeBody(builder, Box{Vector3d(0.3, 0.2, 0.1)}, 50.0, Shift(0, 0, 1));
  int parent = trunk;
  for (int i = 0; i < 3; ++i) {
    parent = builder.AddBody({.parent = parent, .X_PB = Shift(0.3, 0, 0)});
    builder.AddJoint(parent, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
    builder.AddGeom({.body = parent, .shape = Sphere{0.02}, .contype = 0, .conaffinity = 0}, {.mass = 0.01});
  }
  World world(builder.Build());
  const int finger = world.model().num_bodies() - 1;
  Pull pull;
  const Vector3d p = world.body_poses()[finger].p;
  ASSERT_TRUE(pull.Start(world, finger, p));
  pull.SetTarget(p + Vector3d(0.5, 0.2, 0.5));
  double fastest = 0.0;
  for (int i = 0; i < 3000; ++i) {
    pull.Apply(world);
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    fastest =
        std::max(fastest, world.CalcPointVelocity(finger, world.body_poses()[finger].p).tail<3>().norm());
  }
  EXPECT_LT(fastest, 20.0);
  EXPECT_LT((world.body_poses()[finger].p - (p + Vector3d(0.5, 0.2, 0.5))).norm(), 0.4);
}

TEST(Pull, TurnsABody) {
  ModelBuilder builder("box");
  const int box = AddFreeBody(builder, Box{Vector3d(0.3, 0.2, 0.1)}, 3.0, Shift(0, 0, 1));
  Model model = builder.Build();
  model.options.gravity.setZero();
  World world(model);
  Pull pull;
  ASSERT_TRUE(pull.Start(world, box, {0, 0, 1}));
  pull.SetTurn({0, 0, 1.2});
  for (int i = 0; i < 3000; ++i) {
    pull.Apply(world);
    world.Step();
  }
  const Eigen::AngleAxisd turned(world.body_poses()[box].R);
  EXPECT_NEAR(turned.angle() * turned.axis().z(), 1.2, 1e-6);
  EXPECT_LT((world.body_poses()[box].p - Vector3d(0, 0, 1)).norm(), 1e-9);
}

// An arm of two links of half a metre over a floor, along x at a height of 0.3 m.
Model MakeArmOverFloor() {
  ModelBuilder builder("arm");
  AddFloor(builder);
  const Matrix3d along_x = Eigen::AngleAxisd(0.5 * M_PI, Vector3d::UnitY()).toRotationMatrix();
  int parent = 0;
  for (int i = 0; i < 2; ++i) {
    parent = builder.AddBody({.parent = parent, .X_PB = i == 0 ? Shift(0, 0, 0.3) : Shift(0.5, 0, 0)});
    builder.AddJoint(parent, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
    builder.AddGeom({.body = parent, .shape = Capsule{0.05, 0.25}, .X_BG = {along_x, {0.25, 0, 0}}},
                    {.mass = 1.0});
  }
  return builder.Build();
}

Vector3d HandOf(const Player& player) {
  return player.world().body_poses()[2] * Vector3d(0.5, 0, 0);
}

// As many steps as a pull's clock gives in some seconds, which are the test's.
void WaitForPose(Player& player, Clock::time_point& now) {
  for (int i = 0; i < 600; ++i) player.Advance(now += milliseconds(4), kForever);
}

// A place in reach is reached, without time; one below the floor as far as the floor lets the arm.
TEST(Player, APullWhilePausedMakesAPose) {
  Player player({MakeArmOverFloor(), {}, "", 1});
  Clock::time_point clock = Clock::now();
  player.pull().Start(player.world(), 2, HandOf(player));
  WaitForPose(player, clock);
  EXPECT_EQ(HandOf(player), Vector3d(1.0, 0, 0.3)) << "only a grip";
  player.pull().SetTarget({0.6, 0, 0.7});
  WaitForPose(player, clock);
  EXPECT_LT((HandOf(player) - Vector3d(0.6, 0, 0.7)).norm(), 1e-6);
  player.pull().SetTarget({0.6, 0, -0.2});
  WaitForPose(player, clock);
  EXPECT_NEAR(HandOf(player).z(), 0.05, 1e-4) << "the radius of the link above the floor";
  player.StopPull();
  const Snapshot now = LookAt(player);
  EXPECT_EQ(now.time, 0.0);
  EXPECT_EQ(now.num_steps, 0);
  EXPECT_FALSE(now.has_report());
  EXPECT_EQ(player.world().v().norm(), 0.0);
  const double height = HandOf(player).z();
  WaitForPose(player, clock);
  EXPECT_EQ(HandOf(player).z(), height) << "it stays";
}

// Held joints carry the arm, go where they are told, and fall when they are released; one that is frozen is
// so for a pose as well.
TEST(Player, JointsAreHeldWhereTheyAre) {
  Player player({MakeArmOverFloor(), {}, "", 1});
  Clock::time_point clock = Clock::now();
  player.Hold({0, 1});
  StepTimes(player, 500);
  EXPECT_LT(player.world().q().norm(), 5e-3) << "it sags by g / ω² over its length";
  player.SetHeld(1, 0, -0.8);
  StepTimes(player, 500);
  EXPECT_NEAR(player.world().q()[1], -0.8, 5e-3);
  EXPECT_EQ(LookAt(player).held[1], -0.8);
  player.Release({1});
  player.pull().Start(player.world(), 2, HandOf(player));
  player.pull().SetTarget({0.5, 0, 0.8});
  WaitForPose(player, clock);
  player.StopPull();
  EXPECT_NEAR(player.world().q()[0], 0.0, 1e-3) << "where it is held, without the sag";
  EXPECT_LT(player.world().q()[1], -1.3);
  player.Release({0});
  EXPECT_EQ(LookAt(player).held.size(), 0);
  StepTimes(player, 300);
  EXPECT_GT(player.world().q()[0], 0.1) << "it falls";
}

// Free of weight: a = F / m, and α = M / I of a ball.
TEST(Player, ASteadyPullIsTheForceThatWasAskedFor) {
  ModelBuilder builder("ball");
  const int ball = AddFreeBody(builder, Sphere{0.1}, 2.0, Shift(0, 0, 1));
  Model model = builder.Build();
  model.options.gravity.setZero();
  Player player({model, {}, "", 1});
  player.PullSteadily(ball, {3, 0, 0}, {0, 0, 0.01});
  StepTimes(player, 100);
  EXPECT_NEAR(player.world().v()[0], 3.0 / 2.0 * player.world().time(), 1e-9);
  EXPECT_NEAR(player.world().v()[5], 0.01 / (0.4 * 2.0 * 0.01) * player.world().time(), 1e-6);
  EXPECT_TRUE(LookAt(player).pull.is_steady);
  player.StopPull();
  const double v = player.world().v()[0];
  StepTimes(player, 10);
  EXPECT_EQ(player.world().v()[0], v);
}

TEST(Pull, WhatCannotMoveIsNotGrabbed) {
  ModelBuilder builder("floor");
  AddFloor(builder);
  const World world(builder.Build());
  Pull pull;
  EXPECT_FALSE(pull.Start(world, 0, Vector3d::Zero()));
  EXPECT_FALSE(pull.Start(world, -1, Vector3d::Zero()));
  EXPECT_FALSE(pull.View(world).is_active);
}

// The shadow of the solver that made the step finds what the step found.
TEST(ShadowSolver, JudgesTheStepsOwnSolverAsTheStepDid) {
  Player player({testing::MakeBoxStack(4), With("canal"), "", 1});
  StepTimes(player, 30);
  const auto step = player.Freeze();
  ShadowResult result;
  ShadowSolver("canal").Solve(*step, result);
  ASSERT_EQ(result.impulses_W.size(), step->contacts.size());
  for (std::size_t i = 0; i < step->contacts.size(); ++i)
    EXPECT_LT((result.impulses_W[i] - step->contacts[i].impulse_W).norm(), 1e-9);
  EXPECT_NEAR(result.certificate.ncp_max, player.world().report().certificate.ncp_max, 1e-9);
  EXPECT_THROW(ShadowSolver("magic"), std::invalid_argument);
}

// Long enough for any machine: what never comes is a failure.
template <typename Condition>
bool WaitFor(const Condition& condition) {
  for (int i = 0; i < 60'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return false;
}

TEST(Simulation, RunsInItsThreadAndTellsByTheWay) {
  Simulation simulation;
  simulation.Show(PlanStack(2));
  Snapshot now;
  ASSERT_TRUE(WaitFor([&] { return simulation.Take(now); }));
  EXPECT_EQ(now.num_steps, 0);
  simulation.Do([](Player& player) { player.Run(true); });
  ASSERT_TRUE(WaitFor([&] { return simulation.Take(now) && now.num_steps > 20; }));
  EXPECT_TRUE(now.is_running);
  simulation.Do([](Player& player) { player.Run(false); });
  ASSERT_TRUE(WaitFor([&] { return simulation.Take(now) && !now.is_running; }));
  // Nothing happens while it is paused, however often it is woken and asked.
  for (int round = 0; round < 100; ++round) {
    std::promise<double> time;
    simulation.Do([&](Player& player) { time.set_value(player.world().time()); });
    ASSERT_EQ(time.get_future().get(), now.time);
  }
  EXPECT_FALSE(simulation.Take(now));
}

TEST(Simulation, AModelThatCannotBeShownLeavesTheOldOne) {
  Simulation simulation;
  simulation.Show(PlanStack(1));
  EXPECT_THROW(simulation.Show({testing::MakeBoxStack(1), With("magic"), "", 2}), std::invalid_argument);
  Snapshot now;
  simulation.Do([](Player& player) { player.StepOnce(); });
  ASSERT_TRUE(WaitFor([&] { return simulation.Take(now) && now.num_steps == 1; }));
  EXPECT_EQ(now.model_id, 7);
  simulation.Show(PlanStack(2));
  ASSERT_TRUE(WaitFor([&] { return simulation.Take(now); }));
  EXPECT_EQ(now.X_WB.size(), 3u);
}

// Closing waits for the step under way, whatever that does, and none comes after it.
TEST(Simulation, ClosingWhileItRunsIsSafe) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> steps = 0;
    std::atomic<bool> is_closing = false, is_in_step = false;
    {
      Simulation simulation;
      simulation.Show(PlanStack(3));
      simulation.shadows().Select({"pgs_ncp", "canal"});
      simulation.Do([&](Player& player) {
        player.world().set_controller([&](const World&, Input&) {
          is_in_step = true;
          // From some on, steps last until the simulation is being closed, and a while longer.
          if (++steps > 2 + round) {
            while (!is_closing) std::this_thread::yield();
            std::this_thread::sleep_for(milliseconds(5));
          }
          is_in_step = false;
        });
        player.SetSpeed(0.0);
        player.Run(true);
      });
      ASSERT_TRUE(WaitFor([&] { return steps > 2 + round; }));
      is_closing = true;
    }
    EXPECT_FALSE(is_in_step) << "closed in the middle of a step";
    const int at_the_end = steps;
    std::this_thread::yield();
    EXPECT_EQ(steps, at_the_end);
  }
}

TEST(ShadowSolves, EveryStepWaitsForItsShadows) {
  Simulation simulation;
  simulation.Show(PlanStack(3));
  simulation.shadows().set_every_step(true);
  simulation.shadows().Select({"pgs_ncp", "canal"});
  simulation.Do([](Player& player) {
    player.SetSpeed(0.0);
    player.Run(true);
  });
  Snapshot now;
  ASSERT_TRUE(WaitFor([&] { return simulation.Take(now) && now.num_steps > 50; }));
  simulation.Do([](Player& player) { player.Run(false); });
  ASSERT_TRUE(WaitFor([&] { return simulation.Take(now) && !now.is_running; }));
  ASSERT_TRUE(WaitFor([&] {
    const auto report = simulation.shadows().latest();
    return report && report->results[0].count == now.num_steps;
  }));
  const auto report = simulation.shadows().latest();
  ASSERT_EQ(report->results.size(), 2u);
  EXPECT_EQ(report->results[1].solver, "canal");
  EXPECT_LT(report->results[1].max_ncp, 1e-6);
  EXPECT_EQ(report->results[1].count, now.num_steps);
}

}  // namespace
}  // namespace stiction::viewer

// What the timeline, plots, comparisons and the panel of scenarios are told, without a window.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "live/sample_table.h"
#include "stiction/io/log_reader.h"
#include "tests/support/mocap_plate.h"
#include "tests/viewer/look.h"

namespace stiction::viewer {
namespace {

//   ratio  of the highest box's mass to the lowest one's: a large one is hard for sweeps over contacts
LivePlan PlanBoxes(int count, double ratio = 1.0) {
  return {testing::MakeBoxStack(count, ratio), {}, "", 7};
}

// A ball above the floor, into which it falls.
LivePlan PlanFall() {
  ModelBuilder builder("fall");
  testing::AddFloor(builder);
  testing::AddFreeBody(builder, Sphere{0.1}, 1.0, testing::Shift(0, 0, 0.2));
  return {builder.Build(), {}, "", 7};
}

void TakeSteps(Player& player, int count) {
  for (int i = 0; i < count; ++i) player.StepOnce();
}

const Signal& FindIn(const Snapshot& snapshot, const std::string& name) {
  static const Signal kNone;
  for (const Signal& signal : *snapshot.signal_list)
    if (signal.name == name) return signal;
  ADD_FAILURE() << name;
  return kNone;
}

WorldOptions WithoutBudget(const std::string& solver) {
  WorldOptions options;
  options.solver = solver;
  options.budget = kNoBudget;
  return options;
}

TEST(SampleTable, GoingOnFromAnEarlierTimeForgetsTheRest) {
  SampleTable table(8);
  for (int i = 1; i <= 5; ++i) table.Append({.time = 0.1 * i, .kinetic = 1.0 * i, .contacts = kNotLogged});
  EXPECT_EQ(table.CountUntil(0.35), 3u);
  table.Append({.time = 0.3, .kinetic = 30.0, .potential = 2.0});
  ASSERT_EQ(table.size(), 3u);
  EXPECT_EQ(table.column(Track::kEnergy)[2], 32.0);
  EXPECT_TRUE(std::isnan(table.column(Track::kContacts)[1]));
  for (int i = 4; i <= 20; ++i) table.Append({.time = 0.1 * i});
  EXPECT_LE(table.size(), 8u);
  EXPECT_EQ(table.times().back(), 2.0);
  EXPECT_EQ(table.column(Track::kPull).size(), table.size());
}

TEST(Timeline, SeekingShowsTheNearestMomentWithItsCounts) {
  LivePlan plan = PlanBoxes(3, 1000.0);
  plan.options = WithoutBudget("pgs_ncp");
  Player player(std::move(plan));
  TakeSteps(player, 10);
  const Snapshot then = LookAt(player);
  EXPECT_GT(then.counts.over, 0) << "without a budget the steps above the default are counted";
  EXPECT_EQ(then.counts.misses, 0);
  TakeSteps(player, 10);
  player.Seek(then.time + 0.4 * then.timestep);
  const Snapshot again = LookAt(player);
  EXPECT_EQ(again.time, then.time);
  EXPECT_EQ(again.num_steps, 10);
  EXPECT_EQ(again.counts.over, then.counts.over);
  EXPECT_EQ(again.step_solver, "pgs_ncp");
  EXPECT_EQ(again.worst_contact, then.worst_contact);
  EXPECT_GE(again.worst_contact, 0);
  player.Seek(-3.0);
  EXPECT_EQ(LookAt(player).time, 0.0);
  player.Seek(1e9);
  EXPECT_EQ(LookAt(player).num_steps, 20);
}

TEST(Timeline, AnImpactIsMarkedOnceAndRestIsNone) {
  Player fall(PlanFall());
  TakeSteps(fall, 120);
  int impacts = 0;
  double time = 0.0;
  for (const Sample& sample : LookAt(fall).samples) {
    impacts += sample.impacts;
    if (sample.impacts > 0) time = sample.time;
  }
  EXPECT_EQ(impacts, 1);
  EXPECT_NEAR(time, std::sqrt(2.0 * 0.1 / 9.81), 0.01) << "0.1 m of free fall";
  Player rest(PlanBoxes(2));
  TakeSteps(rest, 20);
  for (const Sample& sample : LookAt(rest).samples) EXPECT_EQ(sample.impacts, 0);
}

// Steps that repeat are no samples of their own: the last of them stands for all.
TEST(Timeline, AStretchOfRestIsOneSample) {
  Player player(PlanBoxes(2));
  TakeSteps(player, 200);
  const Snapshot before = LookAt(player);
  EXPECT_LT(before.samples.size(), 200u);
  for (std::size_t i = 1; i < before.samples.size(); ++i)
    EXPECT_LT(before.samples[i - 1].time, before.samples[i].time);
  TakeSteps(player, 300);
  const Snapshot rest = LookAt(player);
  ASSERT_TRUE(rest.report.is_still);
  EXPECT_EQ(rest.num_steps, 500);
  ASSERT_EQ(rest.samples.size(), 1u);
  EXPECT_EQ(rest.samples[0].time, rest.time);
  EXPECT_EQ(rest.samples[0].contacts, rest.report.num_contacts);
  EXPECT_EQ(rest.samples[0].potential, rest.energy.potential);
  player.world().AddForce(2, Vector3d::Zero(), {0.0, 0.0, 100.0});
  TakeSteps(player, 3);
  const Snapshot pushed = LookAt(player);
  ASSERT_EQ(pushed.samples.size(), 3u) << "every step of what moves";
  EXPECT_GT(pushed.samples[0].kinetic, 0.0);
}

// The past from the history, then every step.
TEST(Signals, AreReadFromThePastAndFromEveryStep) {
  Player player(PlanFall());
  TakeSteps(player, 5);
  const Snapshot before = LookAt(player);
  EXPECT_TRUE(before.signals.empty()) << "nothing is watched";
  const std::string joint = player.world().model().DisplayName(1);
  player.Watch({FindIn(before, "q:" + joint + ".z"), FindIn(before, "body:" + joint + ".vz"),
                FindIn(before, "force:" + joint)});
  const Snapshot past = LookAt(player);
  ASSERT_EQ(past.signals.size(), 3u);
  EXPECT_TRUE(past.signals[0].is_whole);
  EXPECT_EQ(past.signals[0].times.size(), 6u);
  EXPECT_EQ(past.signals[0].values.back(), player.world().q()[2]);
  TakeSteps(player, 110);
  const Snapshot now = LookAt(player);
  ASSERT_EQ(now.signals.size(), 3u);
  EXPECT_FALSE(now.signals[0].is_whole);
  EXPECT_EQ(now.signals[0].times.size(), 110u);
  EXPECT_EQ(now.signals[0].values.back(), player.world().q()[2]);
  EXPECT_NEAR(now.signals[1].values.front(), -9.81 * 6 * 0.002, 1e-9);
  EXPECT_NEAR(now.signals[2].values.back(), 9.81, 1e-6) << "at rest the floor carries the weight of 1 kg";
  EXPECT_EQ(FindIn(now, "force:" + joint).unit, "N");
}

TEST(Signals, OfALogAreItsRows) {
  const std::string path = ::testing::TempDir() + "signals.h5";
  Player player(PlanFall());
  player.StartLog(path);
  TakeSteps(player, 115);
  player.StopLog();
  const Snapshot live = LookAt(player);
  const std::string joint = player.world().model().DisplayName(1);
  player.PlayBack(ReadRecording(path, player.world().model()));
  player.Watch({FindIn(live, "force:" + joint)});
  const Snapshot played = LookAt(player);
  ASSERT_EQ(played.signals.size(), 1u);
  ASSERT_EQ(played.signals[0].values.size(), 115u);
  EXPECT_NEAR(played.signals[0].values.back(), 9.81, 1e-6);
  EXPECT_EQ(played.signals[0].values.front(), 0.0);
  for (std::size_t i = 0; i < 115; ++i) EXPECT_EQ(played.samples[i].impacts, live.samples[i].impacts) << i;
}

// What a log holds beside q and v: a plate that was moved as a mocap body, and a sensor.
TEST(Signals, MocapBodiesAndSensorsOfALogAreAsRecorded) {
  const std::string path = ::testing::TempDir() + "plate.h5";
  Player player({testing::MakeBoxOnPlate({.friction = 1.0}), {}, "", 7});
  player.StartLog(path);
  for (int i = 0; i < 10; ++i) {
    player.world().input().mocap[2] += 1e-4;
    player.StepOnce();
  }
  player.StopLog();
  const VectorXd sensors = player.world().sensors();
  const int plate = player.world().model().FindBody("plate");
  const double height = player.world().body_poses()[static_cast<std::size_t>(plate)].p.z();
  player.PlayBack(ReadRecording(path, player.world().model()));
  player.Seek(1.0);
  player.Watch({FindIn(LookAt(player), "sensor:force.z"), FindIn(LookAt(player), "body:plate.z")});
  const Snapshot played = LookAt(player);
  EXPECT_EQ(played.X_WB[static_cast<std::size_t>(plate)].p.z(), height);
  ASSERT_EQ(played.signals.size(), 2u);
  EXPECT_EQ(played.signals[0].values.back(), sensors[2]);
  EXPECT_GT(sensors[2], 1.0);
  EXPECT_EQ(played.signals[1].values.back(), height);
}

TEST(Companion, FollowsTheRunFromItsStateAndBack) {
  Player player(PlanBoxes(3, 1000.0));
  player.Compare(WithoutBudget("pgs_ncp"));
  TakeSteps(player, 25);
  EXPECT_GT(LookAt(player).companion->counts.over, 0) << "the first steps are the hard ones";
  player.Scrub(5);
  player.Compare(WithoutBudget("pgs_ncp"));
  TakeSteps(player, 20);
  const Snapshot then = LookAt(player);
  ASSERT_NE(then.companion, nullptr);
  EXPECT_EQ(then.companion->name, "pgs_ncp");
  EXPECT_NEAR(then.companion->time, then.time, 1e-12);
  EXPECT_EQ(then.companion->counts.steps, 20);
  EXPECT_EQ(then.companion->own_counts.steps, 20);
  EXPECT_EQ(then.companion->own_counts.over, 0);
  EXPECT_EQ(then.companion_samples.size(), 20u);
  player.Scrub(15);
  const Snapshot past = LookAt(player);
  EXPECT_EQ(past.companion->counts.steps, 10);
  EXPECT_NEAR(past.companion->time, past.time, 1e-12);
  TakeSteps(player, 10);
  const Snapshot again = LookAt(player);
  ASSERT_EQ(again.companion->X_WB.size(), then.companion->X_WB.size());
  for (std::size_t b = 0; b < then.companion->X_WB.size(); ++b)
    EXPECT_EQ(again.companion->X_WB[b].p, then.companion->X_WB[b].p) << "the same bits";
  EXPECT_EQ(again.companion->counts.over, then.companion->counts.over);
  player.Scrub(2);  // before they parted
  EXPECT_EQ(LookAt(player).companion->apart, 0.0);
  player.StopComparing();
  EXPECT_EQ(LookAt(player).companion, nullptr);
}

TEST(Companion, MayHaveATimestepOfItsOwn) {
  Player player(PlanBoxes(1));
  WorldOptions options;
  options.timestep = 0.0005;
  player.Compare(options);
  TakeSteps(player, 4);
  const Snapshot now = LookAt(player);
  EXPECT_EQ(now.companion->counts.steps, 16);
  EXPECT_NEAR(now.companion->time, now.time, 1e-12);
}

TEST(Companion, ALogStandsBesideARunFromItsRow) {
  const std::string path = ::testing::TempDir() + "beside.h5";
  Player player(PlanFall());
  player.StartLog(path);
  TakeSteps(player, 30);
  player.StopLog();
  player.PlayBack(ReadRecording(path, player.world().model()));
  player.Scrub(9);
  player.Compare({});
  TakeSteps(player, 10);
  const Snapshot now = LookAt(player);
  EXPECT_FALSE(now.is_playback);
  ASSERT_NE(now.companion, nullptr);
  EXPECT_TRUE(now.companion->is_log);
  EXPECT_NEAR(now.time, 20 * 0.002, 1e-12);
  EXPECT_LT(now.companion->apart, 1e-12) << "the same fall";
  EXPECT_EQ(now.companion->own_counts.steps, 10);
  EXPECT_EQ(now.companion->counts.steps, 10) << "of the log, too, since the comparison began";
  TakeSteps(player, 20);
  EXPECT_TRUE(LookAt(player).companion->has_stopped) << "the log ends before";
}

TEST(Companion, ALogCountsFromItsFirstRowBesideARunFromTheStart) {
  const std::string path = ::testing::TempDir() + "beside_start.h5";
  Player player(PlanFall());
  player.StartLog(path);
  TakeSteps(player, 30);
  player.StopLog();
  player.Reset();
  player.CompareWithLog(ReadRecording(path, player.world().model()), "beside_start.h5");
  TakeSteps(player, 10);
  EXPECT_EQ(LookAt(player).companion->own_counts.steps, 10);
  EXPECT_EQ(LookAt(player).companion->counts.steps, 10);
}

TEST(Scenario, ExpectationsAreAsOfTheMomentShown) {
  LivePlan plan = PlanFall();
  plan.expectations = {{.what = Quantity::kSpeed, .min = {}, .max = 0.5},
                       {.what = Quantity::kContacts, .from = kScenarioEnd, .min = 1.0, .max = {}}};
  plan.duration = 0.4;
  Player player(std::move(plan));
  TakeSteps(player, 20);
  const Snapshot early = LookAt(player);
  ASSERT_EQ(early.expectations.size(), 2u);
  EXPECT_NEAR(early.expectations[0].measured, 9.81 * 0.04, 1e-9);
  TakeSteps(player, 180);
  const Snapshot end = LookAt(player);
  EXPECT_FALSE(end.expectations[0].is_met) << "it fell faster";
  EXPECT_TRUE(end.expectations[1].is_met);
  TakeSteps(player, 50);
  EXPECT_EQ(LookAt(player).expectations[0].time, end.expectations[0].time) << "the end is past";
  player.Scrub(20);
  const Snapshot again = LookAt(player);
  EXPECT_EQ(again.expectations[0].measured, early.expectations[0].measured);
  EXPECT_EQ(again.touched, "");
  player.SetState(player.world().state());
  EXPECT_NE(LookAt(player).touched, "");
}

}  // namespace
}  // namespace stiction::viewer

// A log that is played shows what the run showed that it is of: every number of every step, of the state, the
// report, the contacts, all plots and all signals.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <ostream>

#include "live/sample_table.h"
#include "stiction/io/load.h"
#include "stiction/io/scenario.h"
#include "stiction/sim/scenario.h"
#include "tests/viewer/look.h"

namespace stiction::viewer {
namespace {

LivePlan ReadPlan(const std::string& name) {
  const std::string path = STICTION_SOURCE_DIR "/assets/" + name;
  if (!IsScenario(path)) return {.model = LoadModel(path), .options = {}, .keyframe = "home"};
  const Scenario scenario = LoadScenario(path);
  return {.model = BuildModel(scenario),
          .options = MakeWorldOptions(scenario),
          .keyframe = kStartKeyframe,
          .controllers = scenario.controllers,
          .tasks = scenario.tasks,
          .source = {},
          .expectations = scenario.expectations,
          .duration = scenario.duration};
}

// The same bits, or both not known.
void ExpectSame(const std::string& what, double live, double played) {
  EXPECT_TRUE(live == played || (std::isnan(live) && std::isnan(played)))
      << what << ": " << live << " live, " << played << " played";
}
template <typename Vector>
void ExpectSameVectors(const std::string& what, const Vector& live, const Vector& played) {
  ASSERT_EQ(live.size(), played.size()) << what;
  for (decltype(live.size()) i = 0; i < live.size(); ++i)
    ExpectSame(what + "[" + std::to_string(i) + "]", live[i], played[i]);
}

void ExpectSameReports(const StepReport& live, const StepReport& played) {
  EXPECT_EQ(live.status, played.status);
  EXPECT_EQ(live.num_contacts, played.num_contacts);
  EXPECT_EQ(live.num_limits, played.num_limits);
  EXPECT_EQ(live.num_islands, played.num_islands);
  EXPECT_EQ(live.num_parts, played.num_parts);
  ExpectSame("penetration", live.penetration, played.penetration);
  ExpectSame("loop", live.loop, played.loop);
  ExpectSame("correction", live.correction, played.correction);
  const Certificate &a = live.certificate, &b = played.certificate;
  for (double Certificate::*number : {&Certificate::ncp_max, &Certificate::ncp_mean, &Certificate::canal,
                                      &Certificate::own_law, &Certificate::momentum})
    ExpectSame("certificate", a.*number, b.*number);
  EXPECT_EQ(a.worst_constraint, b.worst_constraint);
  EXPECT_EQ(live.solve.status, played.solve.status);
  for (int SolveReport::*count : {&SolveReport::iterations, &SolveReport::iterations_sum,
                                  &SolveReport::factorizations, &SolveReport::stage})
    EXPECT_EQ(live.solve.*count, played.solve.*count);
}

void ExpectSameContacts(const std::vector<Contact>& live, const std::vector<Contact>& played) {
  ASSERT_EQ(live.size(), played.size());
  for (std::size_t i = 0; i < live.size(); ++i) {
    EXPECT_EQ(live[i].geom_a, played[i].geom_a);
    EXPECT_EQ(live[i].geom_b, played[i].geom_b);
    ExpectSame("gap", live[i].gap, played[i].gap);
    ExpectSame("area", live[i].area, played[i].area);
    ExpectSameVectors("point", live[i].p_W, played[i].p_W);
    ExpectSameVectors("normal", live[i].n_W, played[i].n_W);
    ExpectSameVectors("impulse", live[i].impulse_W, played[i].impulse_W);
    ExpectSameVectors("moment", live[i].moment_W, played[i].moment_W);
  }
}

void ExpectSameMoments(const Snapshot& live, const Snapshot& played) {
  ExpectSame("time", live.time, played.time);
  ExpectSame("timestep", live.timestep, played.timestep);
  ExpectSameVectors("q", live.q, played.q);
  ExpectSameVectors("v", live.v, played.v);
  ExpectSameVectors("ctrl", live.ctrl, played.ctrl);
  for (std::size_t b = 0; b < live.X_WB.size(); ++b) {
    ExpectSameVectors("position", live.X_WB[b].p, played.X_WB[b].p);
    EXPECT_EQ(live.X_WB[b].R, played.X_WB[b].R);
  }
  ExpectSameReports(live.report, played.report);
  ExpectSameContacts(live.contacts, played.contacts);
  ExpectSame("kinetic energy", live.energy.kinetic, played.energy.kinetic);
  ExpectSame("potential energy", live.energy.potential, played.energy.potential);
  EXPECT_EQ(live.step_solver, played.step_solver);
  EXPECT_EQ(live.solver, played.solver);
  ASSERT_TRUE(live.budget && played.budget);
  EXPECT_EQ(live.budget->absolute, played.budget->absolute);
  EXPECT_EQ(live.counts.steps, played.counts.steps);
  EXPECT_EQ(live.counts.misses, played.counts.misses);
  EXPECT_EQ(live.counts.over, played.counts.over);
  ExpectSameVectors("expected now", live.expectation_values, played.expectation_values);
  ASSERT_EQ(live.expectations.size(), played.expectations.size());
  for (std::size_t i = 0; i < live.expectations.size(); ++i) {
    const ExpectationResult &a = live.expectations[i], &b = played.expectations[i];
    SCOPED_TRACE(Describe(a));
    ExpectSame("measured", a.measured, b.measured);
    ExpectSame("when", a.time, b.time);
    EXPECT_EQ(a.is_met, b.is_met);
  }
}

SampleTable MakeTable(const std::vector<Sample>& samples) {
  SampleTable table;
  for (const Sample& sample : samples) table.Append(sample);
  return table;
}

struct Run {
  std::string name;
  int num_steps;
};
void PrintTo(const Run& run, std::ostream* out) {
  *out << run.name;
}

class Playback : public ::testing::TestWithParam<Run> {};

TEST_P(Playback, ShowsWhatTheRunShowed) {
  const auto& [name, num_steps] = GetParam();
  const std::string path =
      ::testing::TempDir() + std::filesystem::path(name).stem().string() + "_playback.h5";
  Player player(ReadPlan(name));
  player.Watch(*LookAt(player).signal_list);
  LookAt(player);
  player.StartLog(path);
  std::vector<Snapshot> live;
  for (int i = 0; i < num_steps; ++i) {
    player.StepOnce();
    live.push_back(LookAt(player));
  }
  player.StopLog();
  player.Watch({});
  player.PlayBack(ReadRecording(path, player.world().model()));
  player.Watch(*live[0].signal_list);
  const Snapshot first = LookAt(player);
  ASSERT_EQ(first.signals.size(), live[0].signals.size());
  ASSERT_EQ(first.samples.size(), live.size());
  const SampleTable played = MakeTable(first.samples);
  std::vector<Sample> samples;
  for (int i = 0; i < num_steps && !HasFailure(); ++i) {
    SCOPED_TRACE(name + (", step " + std::to_string(i)));
    const auto row = static_cast<std::size_t>(i);
    player.Scrub(i);
    ExpectSameMoments(live[row], LookAt(player));
    samples.push_back(live[row].samples.at(0));
    for (std::size_t k = 0; k < first.signals.size(); ++k) {
      EXPECT_EQ(first.signals[k].times[row], live[row].signals[k].times.at(0));
      ExpectSame(first.signals[k].name, live[row].signals[k].values.at(0), first.signals[k].values[row]);
    }
  }
  if (HasFailure()) return;
  const SampleTable table = MakeTable(samples);
  for (int track = 0; track < kNumTracks; ++track)
    ExpectSameVectors("track " + std::to_string(track), table.column(static_cast<Track>(track)),
                      played.column(static_cast<Track>(track)));
}

INSTANTIATE_TEST_SUITE_P(Runs, Playback,
                         ::testing::Values(Run{"models/humanoid.xml", 80},         // sensors
                                           Run{"models/atwood.xml", 20},           // tendons
                                           Run{"scenarios/peg_assembly.xml", 20},  // tasks
                                           Run{"scenarios/pour_18.xml", 20},
                                           Run{"scenarios/hydroelastic.xml", 20},
                                           Run{"scenarios/quadruped_trots.xml", 60},
                                           Run{"scenarios/sleep.xml", 60}, Run{"scenarios/conveyor.xml", 30},
                                           Run{"scenarios/four_bar.xml", 30}));

}  // namespace
}  // namespace stiction::viewer

// A step by several threads gives the bits of a step by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "stiction/contact/registry.h"
#include "stiction/io/scenario.h"
#include "stiction/math/num_threads.h"
#include "stiction/scenes/scenes.h"
#include "stiction/sim/world.h"

namespace stiction {
namespace {

struct Course {
  std::uint64_t hash = 0;
  std::vector<double> ncp;
  std::vector<int> newton_steps;
  friend bool operator==(const Course&, const Course&) = default;
};

Course Simulate(World& world, int steps) {
  Course course;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = world.Step();
    course.ncp.push_back(report.certificate.ncp_max);
    course.newton_steps.push_back(report.solve.newton_steps);
  }
  course.hash = Hash(world.state());
  return course;
}

World Start(const std::string& scene, WorldOptions options) {
  const SceneText text = ParseSceneText(scene);
  World world(MakeScene(text.name, text.options), std::move(options));
  world.SetKeyframe(*world.model().FindKeyframe(kStartKeyframe));
  return world;
}

class Threads : public ::testing::TestWithParam<const char*> {};

// Bodies that fall upon one another: islands of all sizes, ghosts, retries; robots; loops; many small
// islands.
TEST_P(Threads, GiveTheBitsOfOne) {
  constexpr int kSteps = 100;
  World alone = Start(GetParam(), {});
  const Course expected = Simulate(alone, kSteps);
  for (const int threads : {2, 3, 4, 8}) {
    World world = Start(GetParam(), {.num_threads = threads});
    EXPECT_EQ(Simulate(world, kSteps), expected) << threads << " threads";
  }
  EXPECT_GT(alone.report().num_contacts, 0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Threads,
                         ::testing::Values("scene:clutter:count=60", "scene:quadruped:count=6",
                                           "scene:layers:count=100", "scene:fourbar_free:maximal",
                                           "scene:stack", "scene:nut", "scene:dishes"),
                         [](const auto& scene) {
                           std::string name = scene.param + 6;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

// One large island is solved by all threads together; a robot's legs are chains of it.
TEST(Threads, ShareOneIsland) {
  const std::pair<const char*, int> scenes[] = {
      {"scene:layers:count=300", 40}, {"scene:quadruped:count=27", 250}, {"scene:brick_wall:count=60", 2}};
  for (const auto& [scene, steps] : scenes) {
    World alone = Start(scene, {.one_island = true});
    const Course expected = Simulate(alone, steps);
    EXPECT_EQ(alone.report().num_islands, 1) << scene;
    EXPECT_GT(alone.report().num_contacts, 100) << scene;
    for (const int threads : {2, 5}) {
      World world = Start(scene, {.one_island = true, .num_threads = threads});
      EXPECT_EQ(Simulate(world, steps), expected) << scene << ", " << threads << " threads";
    }
  }
}

// Robots that float, fall and roll over one another: momentum is restored, the ends of steps are looked at,
// and overlaps there removed, by all threads. Others lie asleep.
TEST(Threads, ShareOutRobotsThatFall) {
  constexpr int kSteps = 250;
  for (const bool sleep : {false, true}) {
    World alone = Start("scene:quadruped:count=20", {.sleep = sleep});
    const Course expected = Simulate(alone, kSteps);
    EXPECT_GT(alone.report().num_contacts, 100);
    for (const int threads : {2, 3, 8}) {
      World world = Start("scene:quadruped:count=20", {.sleep = sleep, .num_threads = threads});
      EXPECT_EQ(Simulate(world, kSteps), expected) << threads << " threads, sleep " << sleep;
    }
  }
}

// What comes to rest in several heaps is left out at different times.
TEST(Threads, LeaveOutWhatRests) {
  constexpr int kSteps = 150;
  const char* scene = "scene:layers:count=400";
  for (const bool sleep : {false, true}) {
    World alone = Start(scene, {.sleep = sleep});
    const Course expected = Simulate(alone, kSteps);
    EXPECT_GT(alone.report().num_still + alone.report().num_sleeping, 0) << sleep;
    EXPECT_LT(alone.report().num_still, alone.model().num_trees()) << "some go on, and are left out later";
    for (const int threads : {2, 5}) {
      World world = Start(scene, {.sleep = sleep, .num_threads = threads});
      EXPECT_EQ(Simulate(world, kSteps), expected) << threads << " threads, sleep " << sleep;
    }
  }
}

TEST(Threads, DoSoForEverySolver) {
  for (const SolverEntry& entry : ListSolvers()) {
    const WorldOptions options{.solver = entry.name, .budget = kNoBudget};
    WorldOptions shared = options;
    shared.num_threads = 3;
    World alone = Start("scene:layers:count=30", options), world = Start("scene:layers:count=30", shared);
    EXPECT_EQ(Simulate(world, 30), Simulate(alone, 30)) << entry.name;
    EXPECT_GT(alone.report().num_islands, 1) << entry.name;
  }
}

TEST(Threads, MayChangeInMidRun) {
  World alone = Start("scene:clutter:count=40", {}), world = Start("scene:clutter:count=40", {});
  Simulate(alone, 30);
  for (const int threads : {2, 1, 4}) {
    world.set_num_threads(threads);
    EXPECT_EQ(world.options().num_threads, threads);
    Simulate(world, 10);
  }
  EXPECT_EQ(Hash(world.state()), Hash(alone.state()));
}

TEST(Threads, AreRefusedInAbsurdNumbers) {
  World world = Start("scene:stack:count=2", {});
  for (const int threads : {0, -1, kMaxThreads + 1}) {
    EXPECT_THROW(world.set_num_threads(threads), std::invalid_argument);
    EXPECT_THROW(Start("scene:stack:count=2", {.num_threads = threads}), std::invalid_argument);
    EXPECT_EQ(world.options().num_threads, 1);
  }
  Simulate(world, 2);  // and the world is as it was
}

}  // namespace
}  // namespace stiction

// Steps of built-in scenes allocate nothing once their buffers have seen every size that occurs: the second
// of two equal runs. tests/sim/allocation_test.cpp has what each kind of element needs.
#include <gtest/gtest.h>

#include "tests/scenes/start_scene.h"
#include "tests/support/allocation_counter.h"

namespace stiction::testing {
namespace {

TEST(SceneAllocation, NoneInClutterOrRobots) {
  if (!CanCountAllocations()) GTEST_SKIP() << "malloc belongs to a sanitizer";
  struct Case {
    const char* name;
    SceneParameters options;
    int num_threads = 1;
  };
  for (const Case& scene :
       {Case{"clutter", {}}, Case{"quadruped", {.count = 8}}, Case{"ironman", {}}, Case{"clutter", {}, 2},
        Case{"quadruped", {.count = 8}, 3}, Case{"nut", {}}, Case{"dishes", {}, 2}}) {
    World world = StartScene(scene.name, scene.options);
    world.set_num_threads(scene.num_threads);
    world.Step();  // the first one makes room for what the state remembers
    const State start = world.state();
    for (int i = 0; i < 200; ++i) world.Step();
    const std::uint64_t hash = Hash(world.state());
    world.set_state(start);
    const long before = CountAllocations();
    for (int i = 0; i < 200; ++i) world.Step();
    EXPECT_EQ(CountAllocations() - before, 0) << scene.name << ", " << scene.num_threads << " threads";
    EXPECT_EQ(Hash(world.state()), hash) << "the two runs must be the same work";
  }
}

}  // namespace
}  // namespace stiction::testing

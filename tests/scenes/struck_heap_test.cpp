// A heap that is poured: what bodies strike is left to smaller steps, where steps may be divided.
#include <gtest/gtest.h>

#include "stiction/scenes/scenes.h"
#include "stiction/sim/world.h"

namespace stiction::testing {
namespace {

constexpr int kSteps = 100;  // 1 s, at whose end many bodies strike a heap of others

struct HeapWork {
  int num_left = 0;     // islands
  int num_divided = 0;  // steps that left some
  int num_missed = 0;
};

HeapWork PourHeap(const WorldOptions& options) {
  World world(MakeScene("clutter", {.count = 120, .seed = 1}), options);
  HeapWork work;
  for (int i = 0; i < kSteps; ++i) {
    const StepReport& report = world.Step();
    work.num_left += report.solve.num_left;
    work.num_divided += report.solve.num_left > 0 && report.num_parts > 1;
    work.num_missed += report.status != StepStatus::kOk;
  }
  return work;
}

TEST(StruckHeap, IsLeftToSmallerStepsThatMeetTheBudget) {
  const HeapWork work = PourHeap({});
  EXPECT_GT(work.num_left, 0);
  EXPECT_GT(work.num_divided, 0);
  EXPECT_EQ(work.num_missed, 0);
}

TEST(StruckHeap, IsSolvedAsItIsWhereStepsAreNotDivided) {
  EXPECT_EQ(PourHeap({.halvings = 0}).num_left, 0);
}

}  // namespace
}  // namespace stiction::testing
